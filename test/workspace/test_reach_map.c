/*
 * test_reach_map.c - maps of what a tool reaches.
 *
 * Oracles: exhaustive searches of sampled cells; forward kinematics of random configurations, whose
 * places are reached; the whole for its parts in any order.
 */
#include <limber/formats/load.h>
#include <limber/limber.h>

#include "support_load.h"
#include "workspace/orientation.h"

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
    assert_made(lb_reach_map_create(model, &task, &options, NULL, &map, &error), error);
    return map;
}

/* ---- orientations --------------------------------------------------------- */

static double angle_between(lb_quat a, lb_quat b)
{
    double dot = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    return 2 * lb_acos(dot < 1 ? dot : 1);
}

/* no two are near each other, and none of a thousand random rotations is far from all */
TEST(orientations_are_even)
{
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
TEST(points_of_the_sphere_balance)
{
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
    int within;           /* poses within the reach of the links */
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
    int count = lb_reach_map_solve(map, cell, bits).reached, set = 0;
    for (int k = 0; k < lb_reach_map_grid(map)->orientations; k++) {
        lb_transform target = lb_reach_map_target(map, cell, k);
        bool searched = lb_ik_solve(ik, &target, start, q, &result) == LB_REACHED;
        bool mapped = (bits[k / 8] >> k % 8 & 1) != 0;
        c->within++;
        c->searched += searched;
        c->mapped += mapped;
        c->both += searched && mapped;
        set += mapped;
    }
    assert_int_equal(set, count);
}

/* sampled cells of a robot against searches with a full budget, to a tolerance (0: the usual) */
static comparison compare_robot(const char *name, const char *tip, double tolerance, int count)
{
    owned_model *model = test_load(name);
    owned_reach_map *map = make_map(model, tip, 0.05, 576, 0);
    lb_task task = lb_task_make(lb_model_find_link(model, tip), LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_ANY;
    if (tolerance > 0) {
        options.position_tolerance = tolerance * 0.05;
        options.rotation_tolerance = tolerance;
    }
    owned_ik *ik = test_solver(model, &task, 1, &options);
    lb_random random = test_seed(5);
    comparison c = {0, 0, 0, 0};
    const lb_reach_grid *grid = lb_reach_map_grid(map);
    for (int i = 0; i < count;) {
        size_t cell = (size_t)(lb_random_unit(&random) * (double)lb_reach_map_count(map));
        lb_vec3 aside = lb_vec3_sub(lb_reach_map_center(map, cell), grid->center);
        if (lb_vec3_length(aside) > grid->radius)
            continue;
        compare_cell(model, ik, map, cell, &c);
        i++;
    }
    return c;
}

/* how many cells are compared; 0: a few */
TEST_ARGUMENT(cells, 1, 0)

/* a closed form decides each question: not one differs */
TEST(closed_forms_are_exact)
{
    comparison c = compare_robot("ur5", "tool0", 0, cells > 0 ? (int)cells : 60);
    print_message("ur5: %d of %d reached\n", c.mapped, c.within);
    assert_true(c.searched > 0.2 * c.within);
    assert_int_equal(c.searched, c.both);
    assert_int_equal(c.mapped, c.both);
}

/* where there is none, at most one in a hundred that a search with a hundred times the effort
   reaches is overlooked */
TEST(few_are_overlooked)
{
    comparison c = compare_robot("panda", "panda_hand", 1e-4, cells > 0 ? (int)cells : 30);
    print_message("panda: %d of %d reached, %d by a search\n", c.mapped, c.within, c.searched);
    assert_true(c.searched > 0.2 * c.within);
    assert_true(c.both >= 0.99 * c.searched);
    // neighbours find some that the long search does not
    assert_true(c.mapped <= 1.01 * c.searched);
}

/* cells in any order, by fresh maps, at every width */
TEST(a_cell_depends_on_its_index_alone)
{
    owned_model *model = test_load("panda");
    owned_reach_map *map = make_map(model, "panda_hand", 0.1, 72, 0);
    size_t count = lb_reach_map_count(map);
    unsigned char bits[9], again[9];
    static const int widths[] = {1, 2, 4, 8};
    for (size_t i = 0; i < 40; i++) {
        size_t cell = count / 2 + 97 * i % 211;
        int reached = lb_reach_map_solve(map, cell, bits).reached;
        owned_reach_map *fresh = make_map(model, "panda_hand", 0.1, 72, widths[i % 4]);
        assert_int_equal(lb_reach_map_solve(fresh, cell, again).reached, reached);
        assert_memory_equal(bits, again, sizeof bits);
        assert_int_equal(lb_reach_map_solve(map, cell, NULL).reached, reached);
    }
}

/* the tool is never outside the lattice, and its middle is the first joint */
TEST(the_lattice_holds_all_that_is_reached)
{
    static const char *const robots[][2] = {
        {"panda", "panda_hand"}, {"ur5", "tool0"}, {"stanford", "tool"}, {"puma560", "flange"}};
    for (int r = 0; r < 4; r++) {
        owned_model *model = test_load(robots[r][0]);
        owned_reach_map *map = make_map(model, robots[r][1], 0.05, 72, 0);
        const lb_reach_grid *grid = lb_reach_map_grid(map);
        assert_int_equal(grid->count % 2, 1);
        size_t middle = lb_reach_map_count(map) / 2;
        lb_vec3 center = lb_reach_map_center(map, middle);
        assert_true(lb_vec3_length(lb_vec3_sub(center, grid->center)) < 1e-12);
        owned_state *pose = test_state(model);
        lb_random random = test_seed(8);
        double q[16];
        for (int i = 0; i < 2000; i++) {
            lb_configuration_random(model, &random, q);
            lb_state_update(pose, q);
            lb_transform tool =
                lb_state_transform(pose, LB_WORLD, lb_model_find_link(model, robots[r][1]));
            assert_true(lb_vec3_length(lb_vec3_sub(tool.p, grid->center)) <= grid->radius + 1e-9);
        }
    }
}

/* ---- contents ------------------------------------------------------------- */

static lb_reach_map *make_with(const lb_model *model, const lb_task *task,
                               lb_reach_map_options options)
{
    lb_reach_map *map = NULL;
    lb_error error = {0};
    options.orientations = 72;
    assert_made(lb_reach_map_create(model, task, &options, NULL, &map, &error), error);
    return map;
}

static double margin_of(const lb_model *model, const double *q)
{
    double least = 1;
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        int at = lb_model_joint_q(model, i);
        double middle = (joint->upper[0] + joint->lower[0]) / 2;
        if (joint->kind == LB_JOINT_REVOLUTE)
            least = fmin(least, 1 - fabs(q[at] - middle) / (joint->upper[0] - middle));
    }
    return least;
}

/* each orientation's solutions on their own, measured by the state's analysis */
static lb_reach_cell contents_of(const lb_model *model, const lb_task *task, lb_reach_map *map,
                                 lb_solutions_solver *solver, size_t cell)
{
    lb_reach_cell all = {0, 0, 0, 0};
    double q[LB_SOLUTIONS_MAX * 8];
    lb_solution infos[LB_SOLUTIONS_MAX];
    lb_solutions_summary summary;
    owned_state *state = test_state(model);
    for (int k = 0; k < 72; k++) {
        lb_transform target = lb_reach_map_target(map, cell, k);
        int count = lb_solutions(solver, &target, NULL, LB_SOLUTIONS_MAX, q, infos, &summary);
        assert_true(summary.complete);
        all.reached += count > 0;
        all.solutions += count;
        for (int i = 0; i < count; i++) {
            const double *row = q + i * lb_model_nq(model);
            lb_singularity found;
            lb_state_update(state, row);
            assert_int_equal(lb_state_singularity(state, task->tip, task->tool.p, 0, 1e-9, &found),
                             LB_OK);
            all.manipulability = fmax(all.manipulability, found.manipulability);
            all.limit_margin = fmax(all.limit_margin, margin_of(model, row));
        }
    }
    return all;
}

TEST(contents_are_those_of_all_solutions)
{
    owned_model *model = test_load("ur5");
    lb_task task = lb_task_make(lb_model_find_link(model, "tool0"), LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    options.contents = LB_REACH_SOLUTIONS | LB_REACH_MANIPULABILITY | LB_REACH_LIMIT_MARGIN;
    owned_reach_map *map = make_with(model, &task, options);
    owned_solutions *solver = NULL;
    assert_int_equal(lb_solutions_create(model, &task, NULL, NULL, &solver, NULL), LB_OK);
    lb_random random = test_seed(17);
    int solutions = 0;
    for (int i = 0; i < 60; i++) {
        size_t cell = (size_t)(lb_random_unit(&random) * (double)lb_reach_map_count(map));
        lb_reach_cell found = lb_reach_map_solve(map, cell, NULL);
        lb_reach_cell expected = contents_of(model, &task, map, solver, cell);
        assert_int_equal(found.reached, expected.reached);
        assert_int_equal(found.solutions, expected.solutions);
        assert_true(fabs(found.manipulability - expected.manipulability) < 1e-9);
        assert_true(fabs(found.limit_margin - expected.limit_margin) < 1e-12);
        solutions += found.solutions;
    }
    assert_true(solutions > 1000);
}

/* a search finds one solution for each orientation: a lower bound, and what is reached stays */
TEST(contents_of_a_search_change_no_count)
{
    owned_model *model = test_load("panda");
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    owned_reach_map *plain = make_with(model, &task, options);
    options.contents = LB_REACH_MANIPULABILITY | LB_REACH_LIMIT_MARGIN;
    owned_reach_map *map = make_with(model, &task, options);
    for (size_t i = 0; i < 20; i++) {
        size_t cell = lb_reach_map_count(map) / 2 + 331 * i;
        lb_reach_cell found = lb_reach_map_solve(map, cell, NULL);
        assert_int_equal(found.reached, lb_reach_map_solve(plain, cell, NULL).reached);
        assert_int_equal(found.solutions, 0);
        assert_true((found.manipulability > 0) == (found.reached > 0));
        assert_true(found.limit_margin >= 0 && found.limit_margin < 1);
    }
}

/* the first joint's place and the base's orientation, seen from the tool, are cell and orientation
 */
TEST(an_inverse_map_has_the_base_in_its_cells)
{
    owned_model *model = test_load("puma560");
    int tip = lb_model_find_link(model, "flange");
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    options.cell = 0.2;
    owned_reach_map *forward = make_with(model, &task, options);
    options.inverse = true;
    owned_reach_map *map = make_with(model, &task, options);
    lb_vec3 shoulder = lb_reach_map_grid(forward)->center;
    double reached[2] = {0, 0};
    assert_true(lb_vec3_length(lb_reach_map_grid(map)->center) == 0);
    for (size_t cell = 0; cell < lb_reach_map_count(map); cell++) {
        int k = (int)(cell % 72);
        lb_transform target = lb_reach_map_target(map, cell, k),
                     base = lb_transform_inverse(&target);
        lb_vec3 place = lb_transform_point(&base, shoulder);
        assert_true(lb_vec3_length(lb_vec3_sub(place, lb_reach_map_center(map, cell))) < 1e-12);
        assert_true(angle_between(lb_transform_quat(&base), lb_reach_map_orientation(map, k)) <
                    1e-7);
        reached[0] += lb_reach_map_solve(forward, cell, NULL).reached;
        reached[1] += lb_reach_map_solve(map, cell, NULL).reached;
    }
    // both measure the same set of poses, as places and as turns; cells of 20 cm do so to a per
    // cent
    assert_true(fabs(reached[1] / reached[0] - 1) < 0.02);
}

/* the first joint on one side, on any turn */
static bool accept_left(void *user, const double *q)
{
    ++*(int *)user;
    return lb_sin(q[0]) >= 0;
}

/* what is accepted is what is inside such limits */
TEST(a_filter_is_as_exact_as_limits)
{
    owned_model *model = test_load("ur5"), *view = NULL;
    lb_task task = lb_task_make(lb_model_find_link(model, "tool0"), LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    lb_joint_setting left = lb_joint_setting_make(0);
    left.lower[0] = 0;
    left.upper[0] = LB_PI;
    assert_int_equal(lb_model_view(model, &left, 1, NULL, &view, NULL), LB_OK);
    owned_reach_map *limited = make_with(view, &task, options),
                    *all = make_with(model, &task, options);
    int calls = 0, fewer = 0;
    options.filter = accept_left;
    options.user = &calls;
    owned_reach_map *map = make_with(model, &task, options);
    for (size_t i = 0; i < 100; i++) {
        size_t cell = lb_reach_map_count(map) / 2 + 331 * i;
        int accepted = lb_reach_map_solve(map, cell, NULL).reached;
        assert_int_equal(accepted, lb_reach_map_solve(limited, cell, NULL).reached);
        fewer += accepted < lb_reach_map_solve(all, cell, NULL).reached;
    }
    assert_true(calls > 0 && fewer > 0);
}

/* where a search's configuration is refused another one is found: its first joint has a free turn
 */
TEST(a_refused_configuration_is_not_the_last)
{
    owned_model *model = test_load("panda");
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    int calls = 0, of_all = 0, accepted = 0;
    owned_reach_map *all = make_with(model, &task, options);
    options.filter = accept_left;
    options.user = &calls;
    owned_reach_map *map = make_with(model, &task, options);
    for (size_t i = 0; i < 20; i++) {
        size_t cell = lb_reach_map_count(map) / 2 + 331 * i;
        of_all += lb_reach_map_solve(all, cell, NULL).reached;
        accepted += lb_reach_map_solve(map, cell, NULL).reached;
    }
    // more than the half that the first configurations would be
    assert_true(calls > of_all);
    assert_true(accepted < of_all && accepted > 0.6 * of_all);
}

/* ---- refusals -------------------------------------------------------------- */

static void refuse(const char *name, lb_reach_map_options options, lb_status expected,
                   const char *word)
{
    owned_model *model = test_load(name);
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    lb_reach_map *map = (lb_reach_map *)&task;
    lb_error error = {0};
    assert_int_equal(lb_reach_map_create(model, &task, &options, NULL, &map, &error), expected);
    assert_null(map);
    if (strstr(error.message, word) == NULL)
        fail_msg("'%s' does not name '%s'", error.message, word);
}

TEST(what_has_no_map_is_refused)
{
    lb_reach_map_options options = lb_reach_map_options_default();
    refuse("planar3", options, LB_UNSUPPORTED, "six directions");
    options.orientations = 100;
    refuse("ur5", options, LB_INVALID_ARGUMENT, "576");
    options = lb_reach_map_options_default();
    options.cell = 0;
    refuse("ur5", options, LB_INVALID_ARGUMENT, "cell");
    options.cell = 1e16;
    refuse("ur5", options, LB_INVALID_ARGUMENT, "cell");
    options.cell = 1e-4;
    refuse("ur5", options, LB_INVALID_ARGUMENT, "too small");
    options = lb_reach_map_options_default();
    options.iterations = -1;
    refuse("panda", options, LB_INVALID_ARGUMENT, "iterations is -1");
    options.iterations = LB_REACH_MAP_ITERATIONS_MAX + 1;
    refuse("ur5", options, LB_INVALID_ARGUMENT, "iterations is 1000001");
    options = lb_reach_map_options_default();
    options.contents = LB_REACH_SOLUTIONS;
    refuse("panda", options, LB_UNSUPPORTED, "cannot be listed");
    lb_reach_map_release(NULL);
}
