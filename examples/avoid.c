/*
 * avoid.c - a post stands between an arm and its target: the nearest solution that touches nothing.
 *
 * The Panda has one joint more than a pose needs, so its elbow can move aside. A filter refuses
 * solutions that touch the post; the gradient shows how to keep farther away.
 *
 * Prints:
 *     refused: 5
 *     free: -1.1796 -0.3301 1.3125 -2.2308 0.3741 2.1114 0.7049
 *     panda_link5 is 0.0216 m from the post
 *     joint 1 changes that by +0.2328 m a radian
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>

enum { JOINTS = 8 };

/* the filter, and how many solutions it has refused */
typedef struct counting_filter {
    lb_collision *collision;
    int refused;
} counting_filter;

static bool is_free(void *user, const double *q)
{
    counting_filter *filter = user;
    bool free = lb_collision_free(filter->collision, q);
    filter->refused += !free;
    return free;
}

/* the least distance, between what, and how it changes with the first joint */
static void print_nearest(lb_collision *collision, const double *q)
{
    lb_proximity nearest;
    double gradient[JOINTS];
    lb_collision_distance(collision, q, &nearest);
    lb_collision_gradient(collision, &nearest, gradient);
    printf("%s is %.4f m from %s\n", lb_collision_body_name(collision, nearest.body_a),
           nearest.distance, lb_collision_body_name(collision, nearest.body_b));
    printf("joint 1 changes that by %+.4f m a radian\n", gradient[0]);
}

static lb_solutions_solver *create_solver(const lb_model *model, counting_filter *filter)
{
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    lb_solutions_options options = lb_solutions_options_default();
    lb_solutions_solver *solver;
    lb_error error;
    // the seventh joint at every five degrees
    options.redundancy = 72;
    options.filter = is_free;
    options.user = filter;
    if (lb_solutions_create(model, &task, &options, NULL, &solver, &error) == LB_OK)
        return solver;
    fprintf(stderr, "%s\n", error.message);
    return NULL;
}

static void print_solution(lb_solutions_solver *solver, const counting_filter *filter)
{
    // a tool that points down
    lb_quat down = {0, 1, 0, 0};
    lb_transform target = lb_transform_from_quat(down, lb_vec3_make(0.5, 0.1, 0.4));
    double q[JOINTS];
    lb_solution solution;
    lb_solutions_summary summary;
    int found = lb_solutions(solver, &target, NULL, 1, q, &solution, &summary);
    if (found == 0) {
        puts("every solution touches something");
        return;
    }
    printf("refused: %d\nfree:", filter->refused);
    for (int j = 0; j < 7; j++)
        printf(" %.4f", q[j]);
    puts("");
    print_nearest(filter->collision, q);
}

int main(void)
{
    lb_model *model;
    lb_error error;
    lb_obstacle post = {"the post", {.shape = LB_SHAPE_BOX, .size = {0.08, 0.08, 0.7}}};
    post.geometry.origin = lb_transform_translation(0.25, 0, 0.35);
    lb_scene scene = {&post, 1};
    counting_filter filter = {NULL, 0};
    if (lb_load("panda", NULL, &model, &error) != LB_OK ||
        lb_collision_create(model, &scene, NULL, NULL, &filter.collision, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    lb_solutions_solver *solver = create_solver(model, &filter);
    if (solver != NULL)
        print_solution(solver, &filter);
    lb_solutions_release(solver);
    lb_collision_release(filter.collision);
    lb_model_release(model);
    return solver != NULL ? 0 : 1;
}
