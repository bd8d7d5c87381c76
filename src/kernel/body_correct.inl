/*
 * body_correct.inl - what a step has left, with the factors of that step.
 *
 * Near the goal the rows hardly change from step to step: the errors at the new place, as forces of
 * the rows at the old one, need no inertias and no pivots, only one right-hand side on the way in
 * and one sweep out (the chord method; Ortega & Rheinboldt 1970, 7.1). What is pinned stays where
 * it is.
 */
#ifndef KERNEL_BODY_CORRECT_INL
#define KERNEL_BODY_CORRECT_INL

#include "kernel/body_sweep.inl"

/* whether the rows and columns at the new place mean the same as at the old one */
static bool can_correct(const kernel_body *body)
{
    // slacks have bounds that follow the errors, limited balls choose their axes anew, and closing
    // loops takes the factors' place
    bool can = body->column_count == body->joint_columns && !body->closed;
    for (int i = 0; i < body->ball_count; i++)
        can = can && !body->balls[i].limited;
    return can;
}

LANE_INLINE void screw_grow(body_screw *to, const v3 *angular, const v3 *linear, lane s)
{
    vector_store(&to->angular,
                 triple_add_scaled(vector_load(&to->angular), triple_load(angular), s));
    vector_store(&to->linear, triple_add_scaled(vector_load(&to->linear), triple_load(linear), s));
}

/* the errors of a level's own links and joints: forces, and loads of side 0 */
static void pull_errors(const kernel_body *body, int level, body_work *w)
{
    size_t sides = (size_t)body->stages[level].sides;
    memset(w->pulls, 0, sizeof(body_screw) * (size_t)body->column_count);
    for (int c = 0; c < body->column_count; c++)
        w->loads[(size_t)c * sides] = lane_set(0);
    for (int t = 0; t < body->task_count; t++) {
        const kernel_body_task *task = &body->tasks[t];
        int c = task->tool.column;
        if (task->level != level || !task->local)
            continue;
        if (task->isotropic && c >= 0) {
            v3 angular, linear;
            isotropic_force(task, &w->step_rows[task->row], &w->rows[task->row], &angular, &linear);
            w->pulls[c].angular.v = v3_add(w->pulls[c].angular.v, angular);
            w->pulls[c].linear.v = v3_add(w->pulls[c].linear.v, linear);
        }
        for (int k = 0; k < task->row_count && !task->isotropic; k++) {
            const body_row *row = &w->step_rows[task->row + k];
            lane error = w->rows[task->row + k].error;
            if (!row_counts(task, k))
                continue;
            if (task->kind == KERNEL_BODY_JOINT)
                w->loads[(size_t)(task->column + k) * sides] += row->linear[0].x * error;
            else if (c >= 0)
                screw_grow(&w->pulls[c], &row->angular[0], &row->linear[0], error);
        }
    }
    bool last = level == body->level_count - 1;
    for (int c = 0; last && body->stiffness && c < body->joint_columns; c++)
        w->loads[(size_t)c * sides] += column_error(body, c, w) * body->stiffness[c];
}

/* from the tips to the root: side 0 of the loads */
static void reduce_pulls(const kernel_body *body, size_t sides, body_work *w)
{
    for (int i = body->column_count - 1; i >= 0; i--) {
        int c = body->order[i];
        const body_screw *motion = &w->screws[c], *drive = &w->drives[c];
        triple angular = vector_load(&w->pulls[c].angular);
        triple linear = vector_load(&w->pulls[c].linear);
        lane load = w->loads[(size_t)c * sides];
        load = load + triple_sum(triple_add(triple_multiply(angular, vector_load(&motion->angular)),
                                            triple_multiply(linear, vector_load(&motion->linear))));
        w->loads[(size_t)c * sides] = load;
        int parent = body->columns[c].parent;
        if (parent < 0)
            continue;
        body_screw *to = &w->pulls[parent];
        lane share = -(load * w->inverse[c]);
        vector_grow(&to->angular, triple_add_scaled(angular, vector_load(&drive->angular), share));
        vector_grow(&to->linear, triple_add_scaled(linear, vector_load(&drive->linear), share));
    }
}

/* the multipliers of the rows that no link has, by the factors that solve_rows has left */
static void correct_rows(const kernel_body *body, const kernel_body_stage *stage, body_work *w)
{
    int sides = stage->sides, rows = stage->weighted + stage->strict;
    lane *y = w->multipliers;
    for (int a = 1; a <= rows; a++) {
        lane get = lane_set(0);
        for (int c = 0; c < body->column_count; c++) {
            const lane *u = w->loads + (size_t)c * (size_t)sides;
            get = get + u[a] * (u[0] * w->inverse[c]);
        }
        int r = stage->rows[a - 1];
        y[a] = w->rows[r].error - get;
        for (int b = 1; b < a; b++)
            y[a] = y[a] - w->gram[a * sides + b] * y[b];
    }
    solve_back(sides, rows, w);
}

/* w->change of what w->rows still have, by the last sweep of the step before */
static void correct_stage(const kernel_body *body, int level, body_work *w)
{
    const kernel_body_stage *stage = &body->stages[level];
    pull_errors(body, level, w);
    reduce_pulls(body, (size_t)stage->sides, w);
    if (stage->weighted + stage->strict > 0) {
        correct_rows(body, stage, w);
        combine_sides(body, stage->sides, stage->weighted + stage->strict, w);
    }
    for (int c = 0; c < body->column_count; c++)
        w->fix[c] = lane_set(0);
    find_changes_of_tree(body, stage->sides, w);
}

#endif
