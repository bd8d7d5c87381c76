/*
 * support_solutions.h - all solutions of real arms: the arms, solving, and what every list of
 * solutions must keep.
 */
#ifndef TEST_SUPPORT_SOLUTIONS_H
#define TEST_SUPPORT_SOLUTIONS_H

#include <string.h>

#include "support_load.h"

#include <limber/solutions.h>

/* ---- arms ------------------------------------------------------------------- */

/* A model, what its tool must do, and the class it is of. */
typedef struct sample {
    const char *model, *tip; /* tip NULL: the only one */
    lb_task_kind kind;
    lb_vec3 free_axis;
    lb_arm_class arm_class;
} sample;

static const sample samples[] = {
    {"ur5", NULL, LB_TASK_POSE, {0, 0, 0}, LB_ARM_PARALLEL},
    {"kr6", NULL, LB_TASK_POSE, {0, 0, 0}, LB_ARM_WRIST},
    {"puma560", NULL, LB_TASK_POSE, {0, 0, 0}, LB_ARM_WRIST},
    {"stanford", NULL, LB_TASK_POSE, {0, 0, 0}, LB_ARM_WRIST},
    {"scara", NULL, LB_TASK_POSE, {0, 0, 0}, LB_ARM_WRIST},
    {"planar2", NULL, LB_TASK_POSITION, {0, 0, 0}, LB_ARM_PLANAR},
    {"planar3", NULL, LB_TASK_POSE, {0, 0, 0}, LB_ARM_PLANAR},
};

enum { SAMPLES = sizeof samples / sizeof *samples };

static inline lb_task task_of(const lb_model *model, const sample *s)
{
    int tips[8];
    assert_true(lb_model_tips(model, NULL) <= 8);
    lb_model_tips(model, tips);
    lb_task task = lb_task_make(tips[0], LB_WORLD, s->kind);
    task.free_axis = s->free_axis;
    return task;
}

static inline lb_solutions_solver *solver_of(const lb_model *model, const lb_task *task,
                                             const lb_solutions_options *options)
{
    lb_solutions_solver *solver;
    lb_error error;
    if (lb_solutions_create(model, task, options, NULL, &solver, &error) != LB_OK)
        fail_msg("%s: %s", lb_model_name(model), error.message);
    return solver;
}

static inline lb_transform target_at(const lb_model *model, const lb_task *task, const double *q)
{
    owned_state *state = NULL;
    assert_int_equal(lb_state_create(model, NULL, &state), LB_OK);
    lb_state_update(state, q);
    lb_transform tip = lb_state_transform(state, task->base, task->tip);
    return lb_transform_multiply(&tip, &task->tool);
}

/* ---- what must hold --------------------------------------------------------- */

enum { ROWS = 64, NQ = 8 };

typedef struct found {
    double q[ROWS * NQ];
    lb_solution infos[ROWS];
    lb_solutions_summary summary;
    int count;
} found;

static inline void solve(lb_solutions_solver *solver, const lb_transform *target,
                         const double *start, found *f)
{
    f->count = lb_solutions(solver, target, start, ROWS, f->q, f->infos, &f->summary);
    assert_int_equal(f->count, f->summary.listed);
}

static inline double row_distance(const lb_model *model, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < lb_model_nq(model); i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* the row that is q, -1: none */
static inline int find_row(const lb_model *model, const found *f, const double *q)
{
    int best = -1;
    double least = 1e-6;
    for (int i = 0; i < f->count; i++) {
        double d = row_distance(model, f->q + i * lb_model_nq(model), q);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

/* every row reaches the target and says of itself what is true, nearest first */
static inline void check_rows(const lb_model *model, const lb_task *task,
                              const lb_transform *target, const found *f)
{
    owned_state *state = NULL;
    assert_int_equal(lb_state_create(model, NULL, &state), LB_OK);
    for (int i = 0; i < f->count; i++) {
        const double *q = f->q + i * lb_model_nq(model);
        double position, rotation;
        lb_state_update(state, q);
        lb_task_error(state, task, target, &position, &rotation);
        if (position > 1e-12 || rotation > 1e-12)
            fail_msg("%s: row %d is off by %g m, %g rad", lb_model_name(model), i, position,
                     rotation);
        // the row may be on another turn than the one that was confirmed
        assert_near(f->infos[i].position_error, position, 1e-13);
        bool inside = lb_configuration_validate(model, q, 1e-9, NULL) == LB_OK;
        assert_int_equal(inside, f->infos[i].in_limits);
        assert_int_equal(inside, f->infos[i].joint < 0);
        assert_true(i == 0 || f->infos[i - 1].distance <= f->infos[i].distance);
    }
}

#endif
