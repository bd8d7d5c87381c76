/*
 * test_workspace.c - what is said to be reachable is, and what is reachable is found.
 *
 * Oracles: the two circles of a two-link arm and the ring where a three-link arm is
 * dexterous, both by hand.
 */
#include <limber/limber.h>

#include "planar_arm.h"

static lb_workspace *explore(const lb_model *model, lb_workspace_options options, int samples)
{
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    lb_workspace *w = NULL;
    lb_error error = {0};
    assert_made(lb_workspace_create(model, &task, &options, NULL, &w, &error), error);
    lb_workspace_sample(w, samples);
    return w;
}

typedef void cell_visit(void *user, const lb_workspace_grid *grid, const lb_workspace_cell *cell);

static void each_cell(const lb_workspace *w, cell_visit *visit, void *user)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    for (int k = 0; k < grid->count[2]; k++)
        for (int j = 0; j < grid->count[1]; j++)
            for (int i = 0; i < grid->count[0]; i++) {
                lb_workspace_cell cell = lb_workspace_at(w, i, j, k);
                visit(user, grid, &cell);
            }
}

/* ---- planes ------------------------------------------------------------- */

typedef struct ring_check {
    double inner, outer, area;
} ring_check;

static void is_the_ring(void *user, const lb_workspace_grid *grid, const lb_workspace_cell *cell)
{
    ring_check *ring = user;
    double r = lb_vec3_length(cell->center), half = grid->cell * sqrt(0.5);
    if (cell->samples > 0) {
        ring->area += grid->cell * grid->cell;
        assert_true(r >= ring->inner - half && r <= ring->outer + half);
    } else {
        assert_false(r >= ring->inner + half && r <= ring->outer - half);
    }
    assert_near(cell->center.z, 0, 1e-12);
}

TEST(a_two_link_arm_reaches_a_ring)
{
    const double lengths[] = {3, 1.8};
    owned_model *model = planar_arm(lengths, 2, -INFINITY, INFINITY);
    owned_workspace *w = explore(model, lb_workspace_options_default(), 300000);
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    assert_true(grid->planar);
    assert_int_equal(grid->count[2], 1);
    assert_int_equal(grid->orientations, 36);
    assert_int_equal(grid->samples, 300000);
    assert_near(grid->cell, 9.6 / 100, 0.01 * 9.6 / 100);

    // each cell on the rim counts whole, so the area is about half a cell around too large
    ring_check ring = {1.2, 4.8, 0};
    each_cell(w, is_the_ring, &ring);
    double exact = LB_PI * (4.8 * 4.8 - 1.2 * 1.2);
    assert_true(ring.area > exact && ring.area < 1.04 * exact);
}

static void is_dexterous_in_the_ring(void *user, const lb_workspace_grid *grid,
                                     const lb_workspace_cell *cell)
{
    int *dexterous = user;
    double r = lb_vec3_length(cell->center), cell_size = grid->cell;
    assert_true(cell->orientations <= grid->orientations);
    if (r > 10 + cell_size && r < 20 - cell_size) {
        assert_int_equal(cell->orientations, grid->orientations);
        ++*dexterous;
    }
    // beyond it by more than cell and sector blur, some heading is out of reach
    if (r > 21 || r < 9)
        assert_true(cell->orientations < grid->orientations);
}

/*
 * The arm 15-10-5 holds its last link in any heading where that link's foot, anywhere
 * on the circle of radius 5 about the tip, is within the first two links' ring 5..25:
 * between the radii 10 and 20.
 */
TEST(a_three_link_arm_is_dexterous_in_a_ring)
{
    const double lengths[] = {15, 10, 5};
    owned_model *model = planar_arm(lengths, 3, -INFINITY, INFINITY);
    owned_workspace *w = explore(model, (lb_workspace_options){.cells = 40}, 1000000);
    int dexterous = 0;
    each_cell(w, is_dexterous_in_the_ring, &dexterous);
    assert_true(dexterous > 250);
}

/* the plane is found whatever way the arm stands, and cells lie in it */
TEST(planes_may_stand_anyhow)
{
    lb_random random = test_seed(1);
    for (int round = 0; round < 20; round++) {
        lb_link links[3] = {lb_link_default(), lb_link_default(), lb_link_default()};
        lb_joint joints[2] = {lb_joint_default(), lb_joint_default()};
        static const char *const names[] = {"a", "b", "c"};
        lb_transform place = test_random_transform(&random);
        lb_vec3 axis = test_random_direction(&random);
        for (int i = 0; i < 3; i++)
            links[i].name = names[i];
        for (int i = 0; i < 2; i++) {
            joints[i].name = names[i];
            joints[i].parent = names[i];
            joints[i].child = names[i + 1];
            joints[i].kind = i == 0 ? LB_JOINT_CONTINUOUS : LB_JOINT_PRISMATIC;
            joints[i].axis = axis;
        }
        joints[1].axis = lb_vec3_perpendicular(axis);
        joints[0].placement = place;
        owned_model *model = test_make("polar", links, 3, joints, 2);
        owned_workspace *w = explore(model, (lb_workspace_options){.cells = 10}, 2000);
        const lb_workspace_grid *grid = lb_workspace_get_grid(w);
        lb_vec3 normal = lb_transform_direction(&place, axis);
        assert_true(grid->planar);
        assert_near(fabs(lb_vec3_dot(normal, grid->frame.z)), 1, 1e-9);
        lb_workspace_cell cell = lb_workspace_at(w, 3, 4, 0);
        assert_near(lb_vec3_dot(normal, lb_vec3_sub(cell.center, place.p)), 0, 1e-9);
    }
}

/* ---- space -------------------------------------------------------------- */

static void is_on_the_sphere(void *user, const lb_workspace_grid *grid,
                             const lb_workspace_cell *cell)
{
    double r = lb_vec3_length(cell->center), half = grid->cell * sqrt(0.75);
    int *found = user;
    if (cell->samples > 0) {
        ++*found;
        assert_near(r, 0.5, half);
    }
}

/* a rod on a ball joint: its end stays on a sphere, and turns freely about it */
TEST(a_ball_joint_reaches_a_sphere)
{
    owned_model *model = test_single(LB_JOINT_BALL);
    lb_task task = lb_task_make(1, LB_WORLD, LB_TASK_POSE);
    task.tool = lb_transform_translation(0.3, 0, 0.4);
    owned_workspace *w = NULL;
    assert_int_equal(lb_workspace_create(model, &task, NULL, NULL, &w, NULL), LB_OK);
    lb_workspace_sample(w, 300000);
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    assert_false(grid->planar);
    assert_near(grid->cell, 1.0 / 40, 0.01 / 40);
    int found = 0;
    each_cell(w, is_on_the_sphere, &found);
    // a sphere of radius r passes through some 1.5 times its area in cells
    assert_int_equal(found, grid->reached);
    assert_true(found > 1.2 * 4 * LB_PI * 0.25 / (grid->cell * grid->cell));
}

/* all rotations are found, equally often: a ball joint alone, in one cell */
TEST(orientations_are_of_equal_size)
{
    owned_model *model = test_single(LB_JOINT_BALL);
    // with 6 sectors and 3 bands: 108 cells; 40 draws a cell miss one with a chance of 1e-15
    owned_workspace *w = explore(model, lb_workspace_options_default(), 2 * 40 * 108);
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    assert_int_equal(grid->orientations, 108);
    assert_int_equal(grid->reached, 1);
    lb_workspace_cell cell =
        lb_workspace_at(w, grid->count[0] / 2, grid->count[1] / 2, grid->count[2] / 2);
    assert_int_equal(cell.orientations, 108);
}

/* ---- what moves --------------------------------------------------------- */

/* a sliding table: x, y, z, then a turn, each by limits */
static lb_model *gantry(bool lock_z, double height)
{
    static const char *const names[] = {"bed", "x", "y", "z", "head"};
    lb_joint joints[4];
    for (int i = 0; i < 4; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = names[i + 1];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = i < 3 ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE;
        joints[i].axis = lb_vec3_make(i == 0, i == 1, i >= 2);
        joints[i].lower[0] = i == 0 ? 0.1 : -0.2;
        joints[i].upper[0] = 0.3 + 0.1 * i;
    }
    joints[2].upper[0] = joints[2].lower[0] + height;
    joints[2].value[0] = lock_z ? 0.25 : joints[2].lower[0];
    joints[2].locked = lock_z;
    return test_make("gantry", NULL, 0, joints, 4);
}

TEST(slides_reach_their_box)
{
    owned_model *model = gantry(false, 0.7);
    owned_workspace *w = explore(model, (lb_workspace_options){.cells = 20}, 200000);
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    // 0.2 x 0.6 x 0.7, with one cell more on each end of which half is met at most
    double volume = grid->reached * pow(grid->cell, 3);
    assert_true(volume >= 0.2 * 0.6 * 0.7 && volume < 0.24 * 0.64 * 0.74);
}

/* however thin the box is beside the cells; there and by samples the truth is within the errors */
TEST(errors_hold_for_any_thickness)
{
    for (double height = 0.7; height > 1e-4; height *= 0.4) {
        owned_model *model = gantry(false, height);
        const double exact = 0.2 * 0.6 * height;
        for (int cells = 2; cells <= 24; cells += cells / 2) {
            owned_workspace *w = explore(model, (lb_workspace_options){.cells = cells}, 20000);
            lb_workspace_size size = lb_workspace_measure(w);
            assert_near(size.reachable, exact, size.reachable_error);
            assert_true(size.reachable_error <= size.reachable);
            lb_workspace_solve(w, 0, lb_workspace_count(w));
            size = lb_workspace_measure(w);
            assert_near(size.reachable, exact, size.reachable_error);
        }
    }
}

/* cells on the rim count half, whatever their width */
TEST(samples_of_a_disc_hold_its_area)
{
    const double lengths[] = {1, 1};
    owned_model *model = planar_arm(lengths, 2, -INFINITY, INFINITY);
    for (int cells = 5; cells <= 60; cells += cells / 5) {
        owned_workspace *w =
            explore(model, (lb_workspace_options){.cells = cells}, FEWER(100000, 50000));
        lb_workspace_size size = lb_workspace_measure(w);
        assert_near(size.reachable, 4 * LB_PI, size.reachable_error);
        // what a rim of the disc's length of cells makes
        assert_true(size.reachable_error < 2.5 * 4 * LB_PI / cells);
    }
}

/* a locked joint stays where it rests */
TEST(locked_joints_stay)
{
    owned_model *model = gantry(true, 0.7);
    owned_workspace *w = explore(model, (lb_workspace_options){.cells = 20}, 20000);
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    assert_true(grid->planar);
    lb_workspace_cell cell = lb_workspace_at(w, 1, 1, 0);
    assert_near(cell.center.z, 0.25, 1e-12);
}

/* seen from a link on the way, only the joints beyond it move the tool */
TEST(bases_carry_what_is_before_them)
{
    owned_model *model = gantry(false, 0.7);
    lb_task task = lb_task_make(4, lb_model_find_link(model, "z"), LB_TASK_POSE);
    task.tool = lb_transform_translation(1, 0, 0);
    owned_workspace *w = NULL;
    assert_int_equal(lb_workspace_create(model, &task, NULL, NULL, &w, NULL), LB_OK);
    lb_workspace_sample(w, 20000);
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    // an arc of radius 1 from -0.2 to 0.6
    assert_true(grid->planar);
    assert_near(grid->cell * (grid->count[1] - 2), sin(0.6) + sin(0.2), 0.02);
}

TEST(the_same_calls_find_the_same)
{
    const double lengths[] = {3, 1.8, 0.7};
    owned_model *model = planar_arm(lengths, 3, -2, 1.5);
    owned_workspace *whole = explore(model, (lb_workspace_options){.seed = 7}, 30000);
    owned_workspace *parts = explore(model, (lb_workspace_options){.seed = 7}, 0);
    for (int i = 1, done = 0; done < 30000; done += i, i = i * 2 % 1009)
        lb_workspace_sample(parts, i < 30000 - done ? i : 30000 - done);
    const lb_workspace_grid *grid = lb_workspace_get_grid(whole);
    assert_memory_equal(grid->count, lb_workspace_get_grid(parts)->count, sizeof grid->count);
    for (int j = 0; j < grid->count[1]; j++)
        for (int i = 0; i < grid->count[0]; i++) {
            lb_workspace_cell a = lb_workspace_at(whole, i, j, 0);
            lb_workspace_cell b = lb_workspace_at(parts, i, j, 0);
            assert_int_equal(a.samples, b.samples);
            assert_int_equal(a.orientations, b.orientations);
        }
}

/* links so short that cells of their reach would have no size */
TEST(tools_that_hardly_move_stay_in_a_cell)
{
    for (double length = 1e-302; length > 0; length *= 0.1) {
        owned_model *model = planar_arm((double[]){length, length}, 2, -LB_PI, LB_PI);
        owned_workspace *w = explore(model, (lb_workspace_options){0}, 100);
        assert_true(lb_workspace_get_grid(w)->cell == 1);
        assert_int_equal(lb_workspace_get_grid(w)->reached, 1);
        lb_workspace_solve(w, 0, lb_workspace_count(w));
    }
}

/* ---- refusals ----------------------------------------------------------- */

TEST(bad_requests_are_refused)
{
    owned_model *model = gantry(false, 0.7);
    lb_task good = lb_task_make(4, LB_WORLD, LB_TASK_POSE);
    const struct {
        lb_task task;
        lb_workspace_options options;
        const char *says;
    } cases[] = {
        {lb_task_make(5, LB_WORLD, LB_TASK_POSE), {0}, "no such tip"},
        {lb_task_make(4, -2, LB_TASK_POSE), {0}, "no such tip"},
        {lb_task_make(3, 3, LB_TASK_POSE), {0}, "no joint moves link 'z'"},
        {lb_task_make(0, LB_WORLD, LB_TASK_POSE), {0}, "no joint moves link 'bed'"},
        {good, {.cells = -1}, "'cells' is -1"},
        {good, {.cells = 257}, "'cells' is 257"},
        {good, {.angle = 0.001}, "'angle' is 0.001"},
        {good, {.angle = NAN}, "'angle' is nan"},
        {good, {.iterations = -1}, "'iterations' is -1"},
        {good, {.iterations = LB_WORKSPACE_ITERATIONS_MAX + 1}, "'iterations' is 1000001"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lb_workspace *w = (lb_workspace *)(uintptr_t)1;
        lb_error error = {0};
        assert_int_equal(
            lb_workspace_create(model, &cases[i].task, &cases[i].options, NULL, &w, &error),
            LB_INVALID_ARGUMENT);
        assert_null(w);
        if (!strstr(error.message, cases[i].says))
            fail_msg("\"%s\" is not in \"%s\"", cases[i].says, error.message);
    }
}

TEST(failing_memory_is_reported_and_sampling_takes_none)
{
    owned_model *model = gantry(false, 0.7);
    lb_task task = lb_task_make(4, LB_WORLD, LB_TASK_POSE);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_workspace *w = TEST_UNSET;
        failing.status = lb_workspace_create(model, &task, NULL, &failing.allocator, &w, NULL);
        if (failing.status != LB_OK)
            continue;
        long before = failing.memory.allocations;
        lb_workspace_sample(w, 1000);
        assert_int_equal(failing.memory.allocations, before);
    }
    lb_workspace_release(NULL);
}
