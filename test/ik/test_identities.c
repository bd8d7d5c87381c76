/*
 * test_identities.c - equations of Parent 2012, chapter 5, held by single steps of the methods.
 *
 * Steps are taken by lb_ik_step and looked at as velocities dq; Jacobians are the model's
 * (lb_state_jacobian), not the solver's.
 */
#include "support.h"

#include <limber/formats/load.h>
#include <limber/ik.h>

enum { MOST = 16 };

TEST_ARGUMENT(trials, 1, 50)

/* A step limit that no step comes near: it is there to switch a method's own off. */
#define ANY 1e6

static const char *const jacobian_methods[] = {"lm",        "damped",      "pseudoinverse",
                                               "selective", "alternative", "transpose"};
enum { JACOBIAN_METHODS = sizeof jacobian_methods / sizeof *jacobian_methods };

/* A model, its tip and target. */
typedef struct fixture {
    lb_model *model;
    lb_state *state;
    int tip, nq, nv, rows;
    lb_task_kind kind;
    lb_random random;
    double q[MOST];      /* where the step begins, far from limits */
    lb_transform target; /* near there */
} fixture;

static void setup_fixture(fixture *f, const char *name, lb_task_kind kind, uint64_t seed)
{
    lb_error error;
    int tips[8];
    assert_made(lb_load(name, NULL, &f->model, &error), error);
    f->tip = tips[lb_model_tips(f->model, tips) - 1];
    f->nq = lb_model_nq(f->model);
    f->nv = lb_model_nv(f->model);
    f->kind = kind;
    f->rows = lb_task_rows(kind);
    f->random = test_seed(seed);
    assert_true(f->nq <= MOST);
    assert_int_equal(lb_state_create(f->model, NULL, &f->state), LB_OK);
}

static void teardown_fixture(fixture *f)
{
    lb_state_release(f->state);
    lb_model_release(f->model);
}

/* a configuration far inside the limits, which are symmetric, and a target some centimetres off */
static void choose(fixture *f)
{
    double goal[MOST], v[MOST];
    lb_configuration_random(f->model, &f->random, f->q);
    for (int i = 0; i < f->nq; i++)
        f->q[i] *= 0.4;
    for (int i = 0; i < f->nv; i++)
        v[i] = lb_random_between(&f->random, -0.05, 0.05);
    lb_configuration_integrate(f->model, f->q, v, goal);
    lb_state_update(f->state, goal);
    f->target = lb_state_transform(f->state, LB_WORLD, f->tip);
    lb_state_update(f->state, f->q);
}

/* rows x nv at q, rows of angles in metres per radian times `length` */
static void jacobian_at(const fixture *f, double length, double *j)
{
    double all[6 * MOST];
    lb_state_jacobian(f->state, f->tip, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, all);
    for (int r = 0; r < f->rows; r++)
        for (int v = 0; v < f->nv; v++)
            j[r * f->nv + v] = all[r * f->nv + v] * (r < 3 ? 1 : length);
}

static void multiply(const double *j, int rows, int columns, const double *x, double *y)
{
    for (int r = 0; r < rows; r++) {
        y[r] = 0;
        for (int c = 0; c < columns; c++)
            y[r] += j[r * columns + c] * x[c];
    }
}

static double norm(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static lb_ik_options options_of(const char *method)
{
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find(method);
    assert_non_null(options.method);
    options.step_limit = ANY;
    options.no_nudge = true;
    options.position_tolerance = options.rotation_tolerance = 1e-12;
    options.length = 0.3;
    return options;
}

/* dq of one step from f->q */
static void step(const fixture *f, const lb_ik_options *options, double *dq)
{
    double q[MOST];
    owned_ik *ik = NULL;
    lb_error error;
    lb_task task = lb_task_make(f->tip, LB_WORLD, f->kind);
    memcpy(q, f->q, sizeof q);
    assert_made(lb_ik_create(f->model, &task, 1, options, NULL, &ik, &error), error);
    assert_int_not_equal(lb_ik_step(ik, &f->target, q, NULL), LB_FAILURE);
    lb_configuration_difference(f->model, f->q, q, dq);
}

/* each test on an arm in the plane and on a redundant one in space */
static void on_both(void (*check)(fixture *f))
{
    fixture f;
    setup_fixture(&f, "planar3", LB_TASK_POSITION, 1);
    for (int k = 0; k < trials; k++) {
        choose(&f);
        check(&f);
    }
    teardown_fixture(&f);
    setup_fixture(&f, "iiwa14", LB_TASK_POSE, 2);
    for (int k = 0; k < trials; k++) {
        choose(&f);
        check(&f);
    }
    teardown_fixture(&f);
}

/* ---- the control term -------------------------------------------------------- */

/* what gains add to a step does not move the tip: J (J^+ J - 1) z = 0, Eq. 5.26 */
static void check_control(fixture *f)
{
    double j[6 * MOST], gains[MOST], with[MOST], without[MOST], moved[6];
    jacobian_at(f, 0.3, j);
    for (int v = 0; v < f->nv; v++)
        gains[v] = lb_random_between(&f->random, 0, 0.05);
    for (int m = 0; m < JACOBIAN_METHODS; m++) {
        lb_ik_options options = options_of(jacobian_methods[m]);
        step(f, &options, without);
        options.gains = gains;
        options.control = m % 2 ? LB_CONTROL_SQUARE : LB_CONTROL_GRADIENT;
        step(f, &options, with);
        for (int v = 0; v < f->nv; v++)
            with[v] -= without[v];
        // the alternative Jacobian's null space is its own
        if (strcmp(jacobian_methods[m], "alternative") == 0)
            continue;
        assert_true(norm(with, f->nv) > 1e-4);
        multiply(j, f->rows, f->nv, with, moved);
        assert_near(norm(moved, f->rows), 0, 1e-12 * norm(j, f->rows * f->nv));
    }
}

/* all gains zero: the step is that without a control term */
static void check_no_gains(fixture *f)
{
    double gains[MOST] = {0}, with[MOST], without[MOST];
    for (int m = 0; m < JACOBIAN_METHODS; m++) {
        lb_ik_options options = options_of(jacobian_methods[m]);
        step(f, &options, without);
        options.gains = gains;
        step(f, &options, with);
        // the kernel's descent solves the damped ones in another order of sums
        for (int v = 0; v < f->nv; v++)
            assert_near(with[v], without[v], 1e-11 * (1 + norm(without, f->nv)));
    }
}

/* the gradient form goes downhill, from both sides; the book's square always downwards in angle */
static void check_direction(fixture *f)
{
    double gains[MOST], desired[MOST], with[MOST], without[MOST], away[MOST];
    for (int v = 0; v < f->nv; v++)
        gains[v] = lb_random_between(&f->random, 0.01, 0.1);
    lb_configuration_random(f->model, &f->random, desired);
    lb_configuration_clamp(f->model, desired, desired);
    for (int v = 0; v < f->nq; v++)
        away[v] = f->q[v] - desired[v];
    lb_ik_options options = options_of("pseudoinverse");
    step(f, &options, without);
    options.gains = gains;
    options.desired = desired;
    for (int k = 0; k < 2; k++) {
        options.control = k ? LB_CONTROL_SQUARE : LB_CONTROL_GRADIENT;
        step(f, &options, with);
        double along = 0;
        for (int v = 0; v < f->nv; v++) {
            double z = k ? gains[v] * away[v] * away[v] : 2 * gains[v] * away[v];
            along += (with[v] - without[v]) * z;
        }
        assert_true(along <= 0);
    }
}

TEST(control_term_moves_no_tool)
{
    on_both(check_control);
}

TEST(no_gains_no_control_term)
{
    on_both(check_no_gains);
}

TEST(control_term_goes_downhill)
{
    on_both(check_direction);
}

/* ---- the methods ------------------------------------------------------------- */

/* without damping there is nothing left but the pseudoinverse, Eq. 5.24 */
static void check_undamped(fixture *f)
{
    double damped[MOST], plain[MOST];
    lb_ik_options options = options_of("pseudoinverse");
    step(f, &options, plain);
    options = options_of("damped");
    // away from singularities an adaptive lambda is exactly zero
    options.damped.adaptive = true;
    options.damping = 1e-4;
    step(f, &options, damped);
    for (int v = 0; v < f->nv; v++)
        assert_near(damped[v], plain[v], 1e-9 * (1 + norm(plain, f->nv)));
    options.damped.adaptive = false;
    options.damping = 1e-7;
    step(f, &options, damped);
    for (int v = 0; v < f->nv; v++)
        assert_near(damped[v], plain[v], 1e-5 * (1 + norm(plain, f->nv)));
}

/* the longer the damping, the shorter the step */
static void check_damping(fixture *f)
{
    double dq[MOST], before = INFINITY;
    for (int k = 0; k < 5; k++) {
        lb_ik_options options = options_of("damped");
        options.damping = 0.01 * (1 << 2 * k);
        step(f, &options, dq);
        assert_true(norm(dq, f->nv) < before);
        before = norm(dq, f->nv);
    }
}

/* the pseudoinverse does what is wanted, J dq = V, with nothing in the null space */
static void check_pseudoinverse(fixture *f)
{
    double j[6 * MOST], dq[MOST], moved[6];
    lb_ik_options options = options_of("pseudoinverse");
    jacobian_at(f, 0.3, j);
    step(f, &options, dq);
    multiply(j, f->rows, f->nv, dq, moved);
    lb_transform at = lb_state_transform(f->state, LB_WORLD, f->tip);
    lb_vec3 v = lb_vec3_sub(f->target.p, at.p);
    double scale = 1 + norm(dq, f->nv);
    assert_near(moved[0], v.x, 1e-9 * scale);
    assert_near(moved[1], v.y, 1e-9 * scale);
    assert_near(moved[2], v.z, 1e-9 * scale);
}

/* the transpose with alpha 1 is J^T V to the letter */
static void check_transpose(fixture *f)
{
    double j[6 * MOST], dq[MOST];
    fixture position = *f;
    position.kind = LB_TASK_POSITION;
    position.rows = 3;
    lb_ik_options options = options_of("transpose");
    options.transpose.alpha = 1e-3;
    jacobian_at(&position, 1, j);
    step(&position, &options, dq);
    lb_transform at = lb_state_transform(f->state, LB_WORLD, f->tip);
    lb_vec3 v = lb_vec3_sub(f->target.p, at.p);
    for (int c = 0; c < f->nv; c++) {
        double expected = j[c] * v.x + j[f->nv + c] * v.y + j[2 * f->nv + c] * v.z;
        assert_near(dq[c], 1e-3 * expected, 1e-14 * (1 + norm(j, 3 * f->nv)));
    }
}

/* the optimal alpha leaves the least error that any multiple of J^T V could, J being constant */
static void check_alpha(fixture *f)
{
    double j[6 * MOST], dq[MOST], moved[6], v[6];
    fixture position = *f;
    position.kind = LB_TASK_POSITION;
    position.rows = 3;
    lb_ik_options options = options_of("transpose");
    jacobian_at(&position, 1, j);
    step(&position, &options, dq);
    multiply(j, 3, f->nv, dq, moved);
    lb_transform at = lb_state_transform(f->state, LB_WORLD, f->tip);
    lb_vec3 ahead = lb_vec3_sub(f->target.p, at.p);
    memcpy(v, (double[]){ahead.x, ahead.y, ahead.z}, 3 * sizeof *v);
    double left = 0;
    for (int r = 0; r < 3; r++)
        left += moved[r] * (v[r] - moved[r]);
    assert_near(left, 0, 1e-12 * (1 + norm(v, 3)) * (1 + norm(moved, 3)));
}

/* selective damping never moves a joint by more than an eighth of a turn */
static void check_selective(fixture *f)
{
    double dq[MOST];
    lb_ik_options options = options_of("selective");
    step(f, &options, dq);
    for (int v = 0; v < f->nv; v++)
        assert_true(fabs(dq[v]) <= LB_PI / 4 + 1e-12);
}

/* with the goal where the tip is the alternative Jacobian is the usual one: they agree to first
 * order */
static void check_alternative(fixture *f)
{
    double usual[MOST], other[MOST];
    lb_transform at = lb_state_transform(f->state, LB_WORLD, f->tip);
    f->target.p = lb_vec3_add(at.p, lb_vec3_scale(lb_vec3_sub(f->target.p, at.p), 1e-4));
    f->target.x = at.x, f->target.y = at.y, f->target.z = at.z;
    lb_ik_options options = options_of("pseudoinverse");
    step(f, &options, usual);
    options = options_of("alternative");
    step(f, &options, other);
    for (int v = 0; v < f->nv; v++)
        assert_near(other[v], usual[v], 0.05 * norm(usual, f->nv));
}

/* the step limit shortens the whole step */
static void check_step_limit(fixture *f)
{
    static const char *const names[] = {"lm", "damped", "pseudoinverse", "transpose"};
    for (int m = 0; m < 4; m++) {
        double whole[MOST], part[MOST], most = 0;
        lb_ik_options options = options_of(names[m]);
        step(f, &options, whole);
        for (int v = 0; v < f->nv; v++)
            most = fmax(most, fabs(whole[v]));
        options.step_limit = 0.25 * most;
        step(f, &options, part);
        for (int v = 0; v < f->nv; v++)
            assert_near(part[v], 0.25 * whole[v], 1e-12 * (1 + most));
    }
}

TEST(damped_without_damping_is_the_pseudoinverse)
{
    on_both(check_undamped);
}

TEST(damping_shortens)
{
    on_both(check_damping);
}

TEST(pseudoinverse_does_what_is_wanted)
{
    on_both(check_pseudoinverse);
}

TEST(transpose_is_the_transpose)
{
    on_both(check_transpose);
}

TEST(alpha_is_optimal)
{
    on_both(check_alpha);
}

TEST(selective_steps_are_short)
{
    on_both(check_selective);
}

TEST(alternative_agrees_near_the_goal)
{
    on_both(check_alternative);
}

TEST(steps_are_limited)
{
    on_both(check_step_limit);
}

/* where the Jacobian is square the inverse and the pseudoinverse are one */
TEST(inverse_of_square_jacobians)
{
    fixture f;
    setup_fixture(&f, "ur5", LB_TASK_POSE, 3);
    for (int k = 0; k < trials; k++) {
        double inverse[MOST], pseudo[MOST];
        choose(&f);
        lb_singularity singular;
        lb_state_singularity(f.state, f.tip, lb_vec3_make(0, 0, 0), 0.3, 1e-9, &singular);
        if (singular.condition > 1e3)
            continue;
        lb_ik_options options = options_of("inverse");
        step(&f, &options, inverse);
        options = options_of("pseudoinverse");
        step(&f, &options, pseudo);
        for (int v = 0; v < f.nv; v++)
            assert_near(inverse[v], pseudo[v], 1e-8 * (1 + norm(pseudo, f.nv)));
    }
    teardown_fixture(&f);
}

/* it refuses other linkages by name, and singular configurations with the reason */
TEST(inverse_refuses)
{
    fixture f;
    lb_ik *ik;
    lb_error error;
    lb_ik_result result;
    setup_fixture(&f, "planar3", LB_TASK_POSITION, 4);
    lb_ik_options options = options_of("inverse");
    lb_task task = lb_task_make(f.tip, LB_WORLD, LB_TASK_POSITION);
    assert_int_equal(lb_ik_create(f.model, &task, 1, &options, NULL, &ik, &error), LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "'inverse'"));
    assert_null(ik);
    // with the angle wanted, too, there are as many rows as joints
    task.kind = LB_TASK_POSE;
    ik = test_solver(f.model, &task, 1, &options);
    double q[MOST] = {0.3, 0, 0};
    lb_transform target = lb_transform_translation(10, 10, 0);
    assert_int_equal(lb_ik_step(ik, &target, q, &result), LB_FAILURE);
    assert_int_equal(result.reason, LB_REASON_SINGULAR);
    assert_near(q[0], 0.3, 0);
    lb_ik_release(ik);
    teardown_fixture(&f);
}
