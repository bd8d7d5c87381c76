/*
 * test_avoid.c - all solutions with collisions for a filter: in a cell of ten boxes the nearest
 * free configuration is found wherever an exhaustive search finds any.
 */
#include "support.h"
#include "support_load.h"

#include <limber/collision.h>
#include <limber/solutions.h>

enum { BOXES = 10, TARGETS = 1000, RESTARTS = 12, MOST_LINKS = 32, JOINTS = 6 };

/* A six-axis arm whose links collide with what they look like, in a cell. */
typedef struct cell {
    lb_model *model;
    lb_obstacle boxes[BOXES];
    lb_scene scene;
    lb_collision *collision;
    lb_task task;
    lb_solutions_solver *solver;
    lb_ik *ik;
} cell;

static lb_model *with_shapes(const lb_model *bare)
{
    lb_link links[MOST_LINKS];
    int count = lb_model_link_count(bare);
    for (int i = 0; i < count; i++) {
        links[i] = *lb_model_link(bare, i);
        links[i].collisions = links[i].visuals;
        links[i].collision_count = links[i].visual_count;
    }
    return test_with_links(bare, links);
}

static void make_boxes(cell *c, lb_random *random)
{
    for (int i = 0; i < BOXES; i++) {
        lb_geometry box = {.shape = LB_SHAPE_BOX};
        box.size =
            lb_vec3_make(lb_random_between(random, 0.1, 0.4), lb_random_between(random, 0.1, 0.4),
                         lb_random_between(random, 0.1, 0.4));
        box.origin = test_random_transform(random);
        // around the arm, not in its foot
        lb_vec3 side = test_random_direction(random);
        side = lb_vec3_normalize(lb_vec3_make(side.x, side.y, 0), side);
        box.origin.p = lb_vec3_scale(side, lb_random_between(random, 0.45, 0.9));
        box.origin.p.z = lb_random_between(random, -0.2, 0.8);
        c->boxes[i] = (lb_obstacle){"box", box};
    }
    c->scene = (lb_scene){c->boxes, BOXES};
}

static void setup_cell(cell *c, lb_random *random)
{
    lb_error error = {0};
    lb_model *bare = test_load("ur5");
    c->model = with_shapes(bare);
    lb_model_release(bare);
    make_boxes(c, random);
    int tips[LB_DEFAULT_TIPS], count;
    assert_int_equal(lb_model_default_tips(c->model, NULL, tips, &count), LB_OK);
    c->task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    assert_int_equal(lb_collision_create(c->model, &c->scene, NULL, NULL, &c->collision, &error),
                     LB_OK);
    lb_solutions_options options = lb_solutions_options_default();
    options.filter = lb_collision_filter;
    options.user = c->collision;
    assert_int_equal(lb_solutions_create(c->model, &c->task, &options, NULL, &c->solver, &error),
                     LB_OK);
    c->ik = test_solver(c->model, &c->task, 1, NULL);
}

static void teardown_cell(cell *c)
{
    lb_ik_release(c->ik);
    lb_solutions_release(c->solver);
    lb_collision_release(c->collision);
    lb_model_release(c->model);
}

/* shape k of a body in the world */
static lb_geometry geometry_at(const cell *c, const lb_transform *links, int body, int k)
{
    int count = lb_model_link_count(c->model);
    if (body >= count)
        return c->boxes[body - count].geometry;
    lb_geometry geometry = lb_model_link(c->model, body)->collisions[k];
    geometry.origin = lb_transform_multiply(&links[body], &geometry.origin);
    return geometry;
}

/* whether a configuration is free, by every pair of shapes on its own */
static bool is_free(const cell *c, const double *q)
{
    lb_transform links[MOST_LINKS];
    test_forward(c->model, q, links);
    for (int i = 0; i < lb_collision_pair_count(c->collision); i++) {
        int a, b;
        if (lb_collision_pair_at(c->collision, i, &a, &b) != LB_PAIR_CHECKED)
            continue;
        for (int k = 0; k < lb_collision_body_shapes(c->collision, a); k++)
            for (int n = 0; n < lb_collision_body_shapes(c->collision, b); n++) {
                lb_geometry x = geometry_at(c, links, a, k), y = geometry_at(c, links, b, n);
                lb_proximity p;
                if (lb_geometry_distance(&x, NULL, &y, NULL, &p) <= 0)
                    return false;
            }
    }
    return true;
}

/* how far q is from the start, on the nearest turns inside the limits */
static double distance_of(const cell *c, const double *start, const double *q)
{
    double sum = 0;
    for (int i = 0; i < JOINTS; i++) {
        const lb_joint *joint = lb_model_joint(c->model, i);
        double least = INFINITY;
        for (int k = -2; k <= 2; k++) {
            double value = q[i] + 2 * LB_PI * k;
            if (value >= joint->lower[0] && value <= joint->upper[0])
                least = fmin(least, fabs(value - start[i]));
        }
        sum += least * least;
    }
    return sqrt(sum);
}

/* the least distance of a free configuration that many restarts find, or that made the target */
static double search(const cell *c, const lb_transform *target, const double *made,
                     const double *start, lb_random *random)
{
    double least = is_free(c, made) ? distance_of(c, start, made) : INFINITY;
    for (int n = 0; n < RESTARTS; n++) {
        double from[JOINTS], q[JOINTS];
        lb_ik_result result;
        lb_configuration_random(c->model, random, from);
        if (lb_ik_solve(c->ik, target, from, q, &result) == LB_REACHED && is_free(c, q))
            least = fmin(least, distance_of(c, start, q));
    }
    return least;
}

TEST(nearest_free_solutions_are_found)
{
    lb_random random = test_seed(11);
    cell c;
    setup_cell(&c, &random);
    int expected = 0, found_more = 0, blocked = 0;
    for (int n = 0; n < TARGETS; n++) {
        double made[JOINTS], start[JOINTS], q[JOINTS];
        lb_configuration_random(c.model, &random, made);
        lb_configuration_random(c.model, &random, start);
        lb_transform target = test_task_tool(c.model, &c.task, made);
        double least = search(&c, &target, made, start, &random);
        lb_solution info;
        lb_solutions_summary summary;
        int found = lb_solutions(c.solver, &target, start, 1, q, &info, &summary);
        assert_int_equal(summary.outcome, LB_REACHED);
        if (isfinite(least)) {
            // the roots are exact to 1e-9 and more; those of restarts are as near as 1e-6
            if (found != 1 || distance_of(&c, start, q) > least + 1e-5)
                fail_msg("target %d: %d found, %g away, but one is %g away", n, found,
                         found == 1 ? distance_of(&c, start, q) : 0, least);
            expected++;
        }
        if (found == 1) {
            assert_true(is_free(&c, q));
            double position, rotation;
            test_task_errors(c.model, &c.task, 1, q, &target, &position, &rotation);
            assert_true(position < 1e-9 && rotation < 1e-9);
        }
        found_more += found == 1 && !isfinite(least);
        blocked += found == 0;
    }
    print_message("of %d targets a search finds a free configuration for %d, the list for %d more; "
                  "%d are blocked\n",
                  TARGETS, expected, found_more, blocked);
    assert_true(expected > 100 && blocked > 100);
    teardown_cell(&c);
}
