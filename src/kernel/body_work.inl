/*
 * body_work.inl - what a descent of a body works on, and where points of its links are.
 */
#ifndef KERNEL_BODY_WORK_INL
#define KERNEL_BODY_WORK_INL

#include "kernel/body.h"
#include "kernel/step.inl"

typedef struct body_row {
    v3 angular[KERNEL_BODY_PARTS], linear[KERNEL_BODY_PARTS];
    lane error;
    lane low, high; /* of its slack, if it has one: how far it may go */
} body_row;

/* A vector with the number behind it that whole registers read and spoil. */
typedef struct body_vector {
    v3 v;
    lane spare;
} body_vector;

/* A symmetric 6 x 6 matrix by 3 x 3 blocks, column by column; `g` is h transposed. */
typedef struct body_inertia {
    body_vector i[3], h[3], g[3], m[3];
} body_inertia;

/* A twist, a wrench, or a column of an inertia. */
typedef struct body_screw {
    body_vector angular, linear;
} body_screw;

/* One problem per lane; carved from the caller's scratch by body_carve. */
typedef struct body_work {
    lane *q, *next, *begun, *start, *lower, *upper, *desired; /* nq */
    lane *reach;                                              /* balls */
    frame *frames, *targets;
    v3 *weights;   /* two for each task: what its own are in each problem */
    v3 *ball_axes; /* three for each ball, in the child's axes: what its columns turn about */
    lane *ball_low, *ball_high; /* of each ball's columns: how far each may turn */
    v3 *mass_places;            /* of each joint's mass, from the origin of the screws */
    body_row *rows, *step_rows; /* at q, and where the last step began */
    int *pair_columns; /* rows x 2 x lanes: of what is kept apart, the columns that move its ends */
    double *plain;     /* nq: one lane's q */
    int count;         /* lanes that have a query of their own */
    lane_mask busy;    /* lanes whose rows are needed */
    v3 origin, center; /* what screws are about; the centre of mass, from there */
    lane level_error[KERNEL_BODY_LEVELS];
    lane_mask reached_above;           /* all tasks but the last level's */
    lane_mask missed;                  /* some task is so far off that it is not reached for sure */
    body_screw *screws;                /* columns */
    lane *low, *high;                  /* columns: bounds of the change */
    lane *pin, *fix;                   /* columns: -1 or 1 where pinned to a bound, and the bound */
    lane *change, *wanted;             /* columns: the step, and what it would be if not pinned */
    lane *held;                        /* columns: pins of the last step that counted */
    lane *first_pin, *kept, *kept_pin; /* columns: before the step; what is done already */
    lane *last_change, *last_step;     /* columns: of the step before, as solved and as taken */
    lane *lambda, *whole, *inverse;    /* columns: damping; 1 / pivot; 0 where pinned */
    body_inertia *inertias;            /* columns */
    body_screw *drives, *twists;       /* columns */
    body_screw *pulls;                 /* columns: forces of what a step has left */
    lane *forces, *loads;              /* columns x 6 x sides; columns x sides */
    lane *gram, *multipliers, *pivots, *aims; /* sides squared; sides; sides; rows */
    lane damping[KERNEL_BODY_LEVELS];
} body_work;

/* ---- points ---------------------------------------------------------------- */

LANE_INLINE v3 v3_zero(void)
{
    return v3_set(lb_vec3_make(0, 0, 0));
}

/* where a point is, from the origin of the screws */
LANE_INLINE v3 body_place(const body_work *w, const kernel_body_point *point)
{
    if (point->joint < 0)
        return v3_sub(v3_set(point->at.p), w->origin);
    const frame *f = &w->frames[point->joint];
    v3 p = v3_add(v3_combine(f->x, f->y, f->z, point->at.p), f->p);
    return v3_sub(p, w->origin);
}

/* a direction that it carries */
LANE_INLINE v3 body_direction(const body_work *w, const kernel_body_point *point, lb_vec3 direction)
{
    if (point->joint < 0)
        return v3_set(lb_transform_direction(&point->at, direction));
    const frame *f = &w->frames[point->joint];
    return v3_combine(f->x, f->y, f->z, lb_transform_direction(&point->at, direction));
}

LANE_INLINE pose body_pose(const body_work *w, const kernel_body_point *point)
{
    v3 x = body_direction(w, point, lb_vec3_make(1, 0, 0));
    v3 y = body_direction(w, point, lb_vec3_make(0, 1, 0));
    v3 z = body_direction(w, point, lb_vec3_make(0, 0, 1));
    v3 p = body_place(w, point);
    return (pose){triple_load(&x), triple_load(&y), triple_load(&z), triple_load(&p)};
}

/* a task's target in world axes, from the origin of the screws */
static frame body_target(const body_work *w, const kernel_body_task *task, int t)
{
    const frame *given = &w->targets[t];
    frame at = *given;
    if (!task->in_world) {
        frame base = frame_set(&task->base.at);
        if (task->base.joint >= 0)
            base = frame_multiply(&w->frames[task->base.joint], &base);
        at = frame_multiply(&base, given);
    }
    at.p = v3_sub(at.p, w->origin);
    return at;
}

/* ---- rows ------------------------------------------------------------------ */

/* whether a task ever fills its k-th row: of a pose, those that have a weight */
LANE_INLINE bool row_counts(const kernel_body_task *task, int k)
{
    return task->kind != KERNEL_BODY_POSE || (&task->weights[k / 3].x)[k % 3] > 0;
}

/* whether a row of a task is filled as far as it is read: places, where one link alone has them */
LANE_INLINE bool row_fills(const kernel_body_task *task, int k)
{
    return task->kind == KERNEL_BODY_POSE && task->local && (k < 3 || !row_counts(task, k));
}

/* rows that no task fills have no error, and no part in what is moved */
static void clear_rows(const kernel_body *body, body_row *rows)
{
    for (int r = 0; r < body->row_capacity; r++) {
        int t = r < body->row_count ? body->rows[r].task : -1;
        const kernel_body_task *task = t >= 0 ? &body->tasks[t] : NULL;
        if (body->level_count > 1 || task == NULL || !row_fills(task, r - task->row))
            memset(&rows[r], 0, sizeof *rows);
    }
}

/* the part of a row that is the velocity of a point along n */
LANE_INLINE void row_push(body_row *row, int part, v3 at, v3 n)
{
    row->angular[part] = v3_cross(at, n);
    row->linear[part] = n;
}

#endif
