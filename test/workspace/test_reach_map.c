/*
 * test_reach_map.c - maps of what a tool reaches.
 *
 * Oracles: exhaustive searches of sampled cells; forward kinematics of random configurations, whose
 * places are reached; the whole for its parts in any order.
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support_load.h"
#include "workspace/hopf.h"

static lb_reach_map *make_map(const lb_model *model, const char *tip, double cell, int orientations,
                              int width)
{
    lb_task task = lb_task_make(lb_model_find_link(model, tip), LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    options.cell = cell;
    options.orientations = orientations;
    options.width = width;
    lb_reach_map *map = NULL;
    lb_error error = {0};
    if (lb_reach_map_create(model, &task, &options, NULL, &map, &error) != LB_OK)
        fail_msg("%s", error.message);
    return map;
}

/* ---- orientations --------------------------------------------------------- */

static double angle_between(lb_quat a, lb_quat b)
{
    double dot = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    return 2 * lb_acos(dot < 1 ? dot : 1);
}

/* no two are near each other, and none of a thousand random rotations is far from all */
static void orientations_are_even(void **state)
{
    (void)state;
    static const double apart[] = {0.7, 0.35, 0.17}, covered[] = {0.9, 0.5, 0.26};
    for (int level = 0, n = 72; level < 3; level++, n *= 8) {
        assert_int_equal(hopf_level(n), level);
        lb_random random = test_seed(31);
        for (int i = 0; i < 200; i++) {
            int k = (int)(lb_random_unit(&random) * n);
            lb_quat own = hopf_orientation(level, k);
            lb_quat any = lb_quat_normalize(
                (lb_quat){lb_random_between(&random, -1, 1), lb_random_between(&random, -1, 1),
                          lb_random_between(&random, -1, 1), lb_random_between(&random, -1, 1)});
            double nearest = 4, to_any = 4;
            for (int other = 0; other < n; other++) {
                lb_quat q = hopf_orientation(level, other);
                nearest = other == k ? nearest : fmin(nearest, angle_between(own, q));
                to_any = fmin(to_any, angle_between(any, q));
            }
            assert_true(nearest > apart[level]);
            assert_true(to_any < covered[level]);
        }
    }
    assert_int_equal(hopf_level(100), -1);
}

/* HEALPix: as many points above as below, their mean the centre */
static void points_of_the_sphere_balance(void **state)
{
    (void)state;
    for (int level = 0, n = 72; level < 3; level++, n *= 8) {
        lb_vec3 sum = {0, 0, 0};
        for (int k = 0; k < n; k++) {
            lb_transform t =
                lb_transform_from_quat(hopf_orientation(level, k), lb_vec3_make(0, 0, 0));
            assert_true(lb_transform_is_rigid(&t, 1e-14));
            sum = lb_vec3_add(sum, t.z);
        }
        assert_true(lb_vec3_length(sum) < 1e-11 * n);
    }
}

/* ---- cells ---------------------------------------------------------------- */

/* What an exhaustive search says of the orientations of a cell, beside the map. */
typedef struct comparison {
    int searched, mapped; /* reached by each */
    int both;
} comparison;

static void compare_cell(const lb_model *model, lb_ik *ik, lb_reach_map *map, size_t cell,
                         comparison *c)
{
    unsigned char bits[576 / 8];
    double start[16], q[16];
    lb_ik_result result;
    lb_configuration_neutral(model, start);
    int count = lb_reach_map_solve(map, cell, bits), set = 0;
    for (int k = 0; k < lb_reach_map_grid(map)->orientations; k++) {
        lb_transform target = lb_transform_from_quat(lb_reach_map_orientation(map, k),
                                                     lb_reach_map_center(map, cell));
        bool searched = lb_ik_solve(ik, &target, start, q, &result) == LB_REACHED;
        bool mapped = (bits[k / 8] >> k % 8 & 1) != 0;
        c->searched += searched;
        c->mapped += mapped;
        c->both += searched && mapped;
        set += mapped;
    }
    assert_int_equal(set, count);
}

/* sampled cells of a robot against searches with a full budget, to the map's tolerance */
static comparison compare_robot(const char *name, const char *tip, int cells)
{
    lb_model *model = test_load(name);
    lb_reach_map *map = make_map(model, tip, 0.05, 576, 0);
    lb_task task = lb_task_make(lb_model_find_link(model, tip), LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_ANY;
    options.position_tolerance = 1e-4 * 0.05;
    options.rotation_tolerance = 1e-4;
    lb_ik *ik = NULL;
    assert_int_equal(lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL), LB_OK);
    lb_random random = test_seed(5);
    comparison c = {0, 0, 0};
    for (int i = 0; i < cells; i++)
        compare_cell(model, ik, map,
                     (size_t)(lb_random_unit(&random) * (double)lb_reach_map_count(map)), &c);
    lb_ik_release(ik);
    lb_reach_map_release(map);
    lb_model_release(model);
    return c;
}

/* a closed form decides each question: not one differs */
static void closed_forms_are_exact(void **state)
{
    (void)state;
    comparison c = compare_robot("ur5", "tool0", 170);
    assert_true(c.searched > 10000);
    assert_int_equal(c.searched, c.both);
    assert_int_equal(c.mapped, c.both);
}

/* where there is none, at most one in a hundred that a search with a hundred times the effort
   reaches is overlooked */
static void few_are_overlooked(void **state)
{
    (void)state;
    comparison c = compare_robot("panda", "panda_hand", 30);
    assert_true(c.searched > 1000);
    assert_true(c.both >= 0.99 * c.searched);
    // neighbours find some that the long search does not
    assert_true(c.mapped <= 1.01 * c.searched);
}

/* cells in any order, by fresh maps, at every width */
static void a_cell_depends_on_its_index_alone(void **state)
{
    (void)state;
    lb_model *model = test_load("panda");
    lb_reach_map *map = make_map(model, "panda_hand", 0.1, 72, 0);
    size_t count = lb_reach_map_count(map);
    unsigned char bits[9], again[9];
    static const int widths[] = {1, 2, 4, 8};
    for (size_t i = 0; i < 40; i++) {
        size_t cell = count / 2 + 97 * i % 211;
        int reached = lb_reach_map_solve(map, cell, bits);
        lb_reach_map *fresh = make_map(model, "panda_hand", 0.1, 72, widths[i % 4]);
        assert_int_equal(lb_reach_map_solve(fresh, cell, again), reached);
        assert_memory_equal(bits, again, sizeof bits);
        assert_int_equal(lb_reach_map_solve(map, cell, NULL), reached);
        lb_reach_map_release(fresh);
    }
    lb_reach_map_release(map);
    lb_model_release(model);
}

/* the tool is never outside the lattice, and its middle is the first joint */
static void the_lattice_holds_all_that_is_reached(void **state)
{
    (void)state;
    static const char *const robots[][2] = {
        {"panda", "panda_hand"}, {"ur5", "tool0"}, {"stanford", "tool"}, {"puma560", "flange"}};
    for (int r = 0; r < 4; r++) {
        lb_model *model = test_load(robots[r][0]);
        lb_reach_map *map = make_map(model, robots[r][1], 0.05, 72, 0);
        const lb_reach_grid *grid = lb_reach_map_grid(map);
        assert_int_equal(grid->count % 2, 1);
        size_t middle = lb_reach_map_count(map) / 2;
        lb_vec3 center = lb_reach_map_center(map, middle);
        assert_true(lb_vec3_length(lb_vec3_sub(center, grid->center)) < 1e-12);
        lb_state *pose = NULL;
        assert_int_equal(lb_state_create(model, NULL, &pose), LB_OK);
        lb_random random = test_seed(8);
        double q[16];
        for (int i = 0; i < 2000; i++) {
            lb_configuration_random(model, &random, q);
            lb_state_update(pose, q);
            lb_transform tool =
                lb_state_transform(pose, LB_WORLD, lb_model_find_link(model, robots[r][1]));
            assert_true(lb_vec3_length(lb_vec3_sub(tool.p, grid->center)) <= grid->radius + 1e-9);
        }
        lb_state_release(pose);
        lb_reach_map_release(map);
        lb_model_release(model);
    }
}

/* ---- refusals -------------------------------------------------------------- */

static void refuse(const char *name, lb_reach_map_options options, lb_status expected,
                   const char *word)
{
    lb_model *model = test_load(name);
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    lb_reach_map *map = (lb_reach_map *)&task;
    lb_error error = {0};
    assert_int_equal(lb_reach_map_create(model, &task, &options, NULL, &map, &error), expected);
    assert_null(map);
    if (strstr(error.message, word) == NULL)
        fail_msg("'%s' does not name '%s'", error.message, word);
    lb_model_release(model);
}

static void what_has_no_map_is_refused(void **state)
{
    (void)state;
    lb_reach_map_options options = lb_reach_map_options_default();
    refuse("planar3", options, LB_UNSUPPORTED, "six directions");
    options.orientations = 100;
    refuse("ur5", options, LB_INVALID_ARGUMENT, "576");
    options = lb_reach_map_options_default();
    options.cell = 0;
    refuse("ur5", options, LB_INVALID_ARGUMENT, "cell");
    options.cell = 1e-4;
    refuse("ur5", options, LB_INVALID_ARGUMENT, "too small");
    lb_reach_map_release(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientations_are_even),
        cmocka_unit_test(points_of_the_sphere_balance),
        cmocka_unit_test(closed_forms_are_exact),
        cmocka_unit_test(few_are_overlooked),
        cmocka_unit_test(a_cell_depends_on_its_index_alone),
        cmocka_unit_test(the_lattice_holds_all_that_is_reached),
        cmocka_unit_test(what_has_no_map_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
