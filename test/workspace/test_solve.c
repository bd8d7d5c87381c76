/*
 * test_solve.c - workspaces decided by inverse kinematics.
 *
 * Oracles: closed forms in the plane; ten times the effort in space; the whole for its parts.
 *
 *     test_workspace test_solve [CELLS]     along the longest side of dexterous workspaces: 7
 * unless given
 */
#include <limber/formats/load.h>
#include <limber/limber.h>

#include "support_load.h"
#include "workspace/orientation.h"

TEST_ARGUMENT(cells_a_side, 1, 7)

static int tip_of(const lb_model *model)
{
    return lb_model_link_count(model) - 1;
}

/* the middle of each orientation cell lies in it */
TEST(orientations_have_their_middle)
{
    lb_random random = test_seed(4);
    static const double angles[] = {LB_PI / 3, LB_PI / 7, LB_PI / 18, 2};
    for (int i = 0; i < 8; i++) {
        orientation_cells cells = orientation_divide(i % 2, angles[i / 2]);
        lb_transform rest = test_random_transform(&random);
        for (int k = 0; k < cells.count; k++) {
            lb_transform axes = orientation_center(&cells, k, &rest);
            assert_true(lb_transform_is_rigid(&axes, 1e-12));
            assert_int_equal(orientation_cell(&cells, &axes), k);
        }
    }
}

static lb_workspace_size solve_all(const lb_model *model, int tip, lb_workspace_options options)
{
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSITION);
    owned_workspace *w = NULL;
    assert_int_equal(lb_workspace_create(model, &task, &options, NULL, &w, NULL), LB_OK);
    lb_workspace_solve(w, 0, lb_workspace_count(w));
    lb_workspace_size size = lb_workspace_measure(w);
    return size;
}

/* areas within a hundredth of the closed forms, and within the errors that are given */
TEST(planar_areas_are_exact)
{
    static const struct {
        const char *model;
        double reachable, dexterous;
    } cases[] = {{"planar2", 4 * LB_PI, 0}, {"planar3", 900 * LB_PI, 300 * LB_PI}};
    for (int i = 0; i < 2; i++) {
        owned_model *model = test_load(cases[i].model);
        lb_workspace_size size = solve_all(model, tip_of(model), lb_workspace_options_default());
        assert_near(size.reachable, cases[i].reachable, 0.01 * cases[i].reachable);
        assert_near(size.dexterous, cases[i].dexterous, 0.01 * cases[i].dexterous);
        assert_true(size.settled);
        // grids of any width leave them within their errors, fine ones the more
        for (int cells = 5; cells <= 60; cells += cells / 5) {
            size = solve_all(model, tip_of(model), (lb_workspace_options){.cells = cells});
            assert_near(size.reachable, cases[i].reachable, size.reachable_error);
            assert_near(size.dexterous, cases[i].dexterous, size.dexterous_error);
            assert_true(size.reachable_error < 2 * size.reachable / cells);
        }
    }
    // an arm of unequal links leaves a hole
    const double lengths[] = {3, 1.8};
    lb_dh_row rows[2] = {{.kind = LB_JOINT_CONTINUOUS, .a = lengths[0]},
                         {.kind = LB_JOINT_CONTINUOUS, .a = lengths[1]}};
    owned_model *arm = NULL;
    assert_int_equal(lb_model_from_dh("arm", rows, 2, false, NULL, &arm, NULL), LB_OK);
    double exact = LB_PI * (4.8 * 4.8 - 1.2 * 1.2);
    lb_workspace_size size = solve_all(arm, tip_of(arm), lb_workspace_options_default());
    assert_near(size.reachable, exact, 0.01 * exact);
}

/*
 * Finer orientations agree with coarse ones within the error that is given, or that size has not
 * settled. Joint limits leave a Panda no place with all of them, which 108 do not show.
 */
TEST(dexterous_volumes_settle_or_say_not)
{
    static const char *const names[][2] = {{"panda", "panda_hand"}, {"ur5", "tool0"}};
    for (int i = 0; i < 2; i++) {
        owned_model *model = test_load(names[i][0]);
        int tip = lb_model_find_link(model, names[i][1]);
        lb_workspace_options options = {.cells = (int)cells_a_side};
        lb_workspace_size coarse = solve_all(model, tip, options);
        options.angle = LB_PI / 9;
        lb_workspace_size fine = solve_all(model, tip, options);
        print_message("%s: %g +- %g%s, with more orientations %g +- %g%s\n", names[i][0],
                      coarse.dexterous, coarse.dexterous_error,
                      coarse.settled ? "" : " not settled", fine.dexterous, fine.dexterous_error,
                      fine.settled ? "" : " not settled");
        assert_true(fine.dexterous <= coarse.dexterous + coarse.dexterous_error);
        if (coarse.settled)
            assert_near(fine.dexterous, coarse.dexterous, coarse.dexterous_error);
        assert_true(i == 0 ? coarse.dexterous < 0.01 : coarse.dexterous > 0.5);
    }
}

/* random orientations, solved for with much effort, refute no cell that counts as dexterous by more
   than the share that the error leaves; arms with a closed form are decided exactly */
TEST(dexterous_cells_are_not_refuted)
{
    owned_model *model = test_load("ur5");
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSE);
    lb_workspace_options options = {.cells = (int)cells_a_side};
    owned_workspace *w = NULL;
    assert_int_equal(lb_workspace_create(model, &task, &options, NULL, &w, NULL), LB_OK);
    lb_workspace_solve(w, 0, lb_workspace_count(w));
    const int *n = lb_workspace_get_grid(w)->count;
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    lb_random random = test_seed(5);
    int refuted = 0, cells = 0;
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        lb_workspace_cell cell = lb_workspace_at(w, i % n[0], i / n[0] % n[1], i / n[0] / n[1]);
        bool all = true;
        cells += cell.dexterous;
        for (int k = 0; k < 200 && cell.dexterous && all; k++) {
            double q[8] = {0};
            lb_transform target = lb_transform_from_quat(test_random_quat(&random), cell.center);
            lb_ik_result result;
            all = lb_ik_solve(ik, &target, q, q, &result) == LB_REACHED;
        }
        refuted += !all;
    }
    print_message("%d of %d cells refuted\n", refuted, cells);
    assert_true(cells > 10 && refuted * 100 <= cells);
}

/* two links of a metre in a plane */
static lb_model *make_planar(lb_transform root)
{
    lb_link links[3];
    lb_joint joints[2];
    static const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < 2; i++) {
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_CONTINUOUS;
        joints[i].name = joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].placement.p.x = i;
    }
    lb_model_source source = {.name = "planar",
                              .root = root,
                              .links = links,
                              .link_count = 3,
                              .joints = joints,
                              .joint_count = 2};
    lb_model *model = NULL;
    assert_int_equal(lb_model_build(&source, NULL, &model, NULL), LB_OK);
    return model;
}

/* the same arm a metre higher: its grid differs in its frame alone */
TEST(maps_of_other_planes_are_refused)
{
    static const lb_transform roots[] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}},
    };
    lb_model *models[2];
    lb_workspace *maps[2];
    lb_workspace_options options = {.cells = 6};
    for (int i = 0; i < 2; i++) {
        models[i] = make_planar(roots[i]);
        lb_task task = lb_task_make(2, LB_WORLD, LB_TASK_POSITION);
        task.tool.p.x = 1;
        assert_int_equal(lb_workspace_create(models[i], &task, &options, NULL, &maps[i], NULL),
                         LB_OK);
    }
    assert_int_equal(lb_workspace_merge(maps[0], maps[1]), LB_INVALID_ARGUMENT);
    for (int i = 0; i < 2; i++) {
        lb_workspace_release(maps[i]);
        lb_model_release(models[i]);
    }
}

/* any split of the cells over several maps, merged, is the whole; other grids are refused */
TEST(parts_are_merged)
{
    owned_model *model = test_load("ur5");
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    lb_workspace_options options = {.cells = 6};
    lb_workspace *maps[4];
    for (int i = 0; i < 4; i++) {
        options.cells = i == 3 ? 5 : 6;
        assert_int_equal(lb_workspace_create(model, &task, &options, NULL, &maps[i], NULL), LB_OK);
    }
    int count = lb_workspace_count(maps[0]), cut = count / 3;
    lb_workspace_solve(maps[0], 0, count);
    lb_workspace_solve(maps[1], 0, cut);
    lb_workspace_solve(maps[2], cut, count + 100);
    assert_int_equal(lb_workspace_merge(maps[1], maps[2]), LB_OK);
    assert_int_equal(lb_workspace_merge(maps[1], maps[3]), LB_INVALID_ARGUMENT);
    const lb_workspace_grid *grid = lb_workspace_get_grid(maps[0]);
    for (int i = 0; i < count; i++) {
        int x = i % grid->count[0], rest = i / grid->count[0];
        lb_workspace_cell a =
            lb_workspace_at(maps[0], x, rest % grid->count[1], rest / grid->count[1]);
        lb_workspace_cell b =
            lb_workspace_at(maps[1], x, rest % grid->count[1], rest / grid->count[1]);
        assert_true(a.solved && b.solved);
        assert_int_equal(a.reached, b.reached);
        assert_int_equal(a.orientations, b.orientations);
    }
    for (int i = 0; i < 4; i++)
        lb_workspace_release(maps[i]);
}

/* ---- linkages --------------------------------------------------------------- */

/* where closed configurations bring the platform, cells are reached, there or beside it */
TEST(a_platform_reaches_where_it_has_been)
{
    enum { POSES = 1000, CELLS = 5 };
    owned_model *model = test_load("delta");
    owned_assembly *assembly = NULL;
    owned_state *state = test_state(model);
    owned_workspace *w = NULL;
    const int tip = lb_model_find_link(model, "platform");
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSITION);
    lb_workspace_options options = {.cells = CELLS};
    lb_random random = test_seed(5);
    assert_int_equal(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL), LB_OK);
    assert_int_equal(lb_workspace_create(model, &task, &options, NULL, &w, NULL), LB_OK);
    lb_workspace_solve(w, 0, lb_workspace_count(w));
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    assert_false(grid->thin);
    int poses = 0, off = 0;
    double q[64];
    for (int i = 0; i < POSES; i++) {
        lb_configuration_random(model, &random, q);
        if (lb_assembly_close(assembly, q, q, NULL) != LB_ASSEMBLED ||
            lb_configuration_validate(model, q, 1e-9, NULL) != LB_OK)
            continue;
        lb_state_update(state, q);
        lb_transform at = lb_state_transform(state, LB_WORLD, tip);
        at = lb_transform_between(&grid->frame, &at);
        lb_vec3 place = lb_vec3_scale(lb_vec3_sub(at.p, grid->corner), 1 / grid->cell);
        const double along[3] = {place.x, place.y, place.z};
        bool reached = false;
        // the eight cells whose centres are about it
        for (int k = 0; k < 8; k++) {
            int c[3];
            bool inside = true;
            for (int axis = 0; axis < 3; axis++) {
                c[axis] = (int)floor(along[axis] - 0.5) + (k >> axis & 1);
                inside = inside && c[axis] >= 0 && c[axis] < grid->count[axis];
            }
            reached = reached || (inside && lb_workspace_at(w, c[0], c[1], c[2]).reached);
        }
        poses++;
        off += !reached;
    }
    printf("%d of %d poses are beside no cell\n", off, poses);
    assert_true(poses > 100 && off <= poses / 20);
}

/* hardly any cell's centre is on a curve or a surface: none is solved for, samples show it */
TEST(thin_reach_is_known)
{
    static const struct {
        const char *model, *tip;
        bool thin;
    } cases[] = {{"four_bar", "coupler", true},  {"klann", "foot", true},
                 {"scara", "link_1", true},      {"planar2", "lower", false},
                 {"stewart", "platform", false}, {"ur5", "upper_arm_link", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        owned_model *model = test_load(cases[i].model);
        owned_workspace *w = NULL;
        int tip = lb_model_find_link(model, cases[i].tip);
        assert_true(tip > 0);
        lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSITION);
        task.tool.p = lb_vec3_make(0.1, 0.2, 0.3);
        lb_workspace_options options = {.cells = 4};
        assert_int_equal(lb_workspace_create(model, &task, &options, NULL, &w, NULL), LB_OK);
        if (lb_workspace_get_grid(w)->thin != cases[i].thin)
            fail_msg("%s of %s", cases[i].tip, cases[i].model);
        if (!cases[i].thin)
            continue;
        lb_workspace_solve(w, 0, lb_workspace_count(w));
        assert_int_equal(lb_workspace_measure(w).reachable_cells, 0);
        assert_true(lb_workspace_at(w, 0, 0, 0).solved);
    }
}

/* ---- manipulability ------------------------------------------------------- */

static lb_workspace *solve_manipulability(const lb_model *model, int cells)
{
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    lb_workspace_options options = {.cells = cells, .manipulability = true};
    lb_workspace *w = NULL;
    assert_int_equal(lb_workspace_create(model, &task, &options, NULL, &w, NULL), LB_OK);
    lb_workspace_solve(w, 0, lb_workspace_count(w));
    return w;
}

/* two links of a metre: sin of the elbow's angle, by the law of cosines */
TEST(manipulability_of_two_links_is_exact)
{
    owned_model *model = test_load("planar2");
    owned_workspace *w = solve_manipulability(model, 40);
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    for (int j = 0; j < grid->count[1]; j++)
        for (int i = 0; i < grid->count[0]; i++) {
            lb_workspace_cell cell = lb_workspace_at(w, i, j, 0);
            double r = lb_vec3_length(cell.center), c = 0.5 * r * r - 1;
            double exact = cell.reached ? sqrt(fmax(0, 1 - c * c)) : 0;
            // near the rim the sine falls steeply with what the tolerance leaves open
            assert_near(cell.manipulability, exact, r < 1.99 ? 1e-4 : 1e-2);
        }
}

/* the largest of sqrt(det J J^T) for links of 15, 10 and 5 with the tip at (r, 0) */
static double largest_of_three(double r)
{
    enum { TURNS = 3600 };
    double largest = 0;
    for (int k = 0; k < TURNS; k++) {
        double angle = 2 * LB_PI * k / TURNS;
        double wx = r - 5 * lb_cos(angle), wy = -5 * lb_sin(angle), d2 = wx * wx + wy * wy;
        double d = sqrt(d2);
        if (d > 25 || d < 5)
            continue;
        for (int side = -1; side <= 1; side += 2) {
            double a = lb_atan2(wy, wx) + side * lb_acos((225 + d2 - 100) / (30 * d));
            double ex = r - 15 * lb_cos(a), ey = -15 * lb_sin(a);
            // columns are perpendicular to the arms from each joint to the tip
            double xx = r * r + ex * ex + (r - wx) * (r - wx);
            double yy = ey * ey + wy * wy, xy = ex * ey - (r - wx) * wy;
            largest = fmax(largest, sqrt(fmax(0, xx * yy - xy * xy)));
        }
    }
    return largest;
}

/* of spare joints a lower bound, which a close look at all configurations hardly exceeds */
TEST(manipulability_of_three_links_is_nearly_the_largest)
{
    owned_model *model = test_load("planar3");
    owned_workspace *w = solve_manipulability(model, 16);
    const lb_workspace_grid *grid = lb_workspace_get_grid(w);
    for (int j = 0; j < grid->count[1]; j++)
        for (int i = 0; i < grid->count[0]; i++) {
            lb_workspace_cell cell = lb_workspace_at(w, i, j, 0);
            if (!cell.reached)
                continue;
            double exact = largest_of_three(lb_vec3_length(cell.center));
            assert_true(cell.manipulability <= exact * 1.001);
            assert_true(cell.manipulability >= exact * 0.95);
        }
}

/* in space no sample exceeds by much what was solved for, and samples find theirs, too */
TEST(manipulability_in_space_is_that_of_samples)
{
    owned_model *model = test_load("ur5");
    owned_workspace *solved = solve_manipulability(model, 8), *sampled = NULL;
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    lb_workspace_options options = {.cells = 8, .manipulability = true};
    assert_int_equal(lb_workspace_create(model, &task, &options, NULL, &sampled, NULL), LB_OK);
    lb_workspace_sample(sampled, 200000);
    owned_state *pose = test_state(model);
    double most[2] = {0, 0}, largest = 0, q[8];
    for (int i = 0; i < lb_workspace_count(solved); i++) {
        const int *n = lb_workspace_get_grid(solved)->count;
        for (int k = 0; k < 2; k++) {
            lb_workspace_cell cell = lb_workspace_at(k == 0 ? solved : sampled, i % n[0],
                                                     i / n[0] % n[1], i / n[0] / n[1]);
            most[k] = fmax(most[k], cell.manipulability);
        }
    }
    lb_random random = test_seed(9);
    for (int i = 0; i < 50000; i++) {
        lb_singularity s;
        lb_configuration_random(model, &random, q);
        lb_state_update(pose, q);
        lb_state_singularity(pose, task.tip, lb_vec3_make(0, 0, 0), 0, 1e-9, &s);
        largest = fmax(largest, s.manipulability);
    }
    // of cells this wide none need have its centre where it is largest
    assert_near(most[0], largest, 0.1 * largest);
    assert_near(most[1], largest, 0.02 * largest);
}
