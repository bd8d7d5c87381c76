/*
 * evaluate.inl - errors and Jacobian of inverse-kinematics tasks, one problem per lane.
 *
 * Rows are linear then angular, in base axes. Position rows are scaled with the
 * task's weight, rotation rows with weight * length, so that all are metres.
 *
 * The rotation error is the axis of the rotation that is still to do, scaled to
 * 2 sin(angle / 2): the angle itself to third order, without trigonometry, and
 * growing all the way to half a turn. Jacobian columns: Fig. 5.16, Eq. 5.15-5.17.
 */
#include "kernel/forward.inl"

/* cosine of half the angle below which its axis is taken from the symmetric part */
#define NEARLY_OPPOSITE (-0.9)

/* some unit-ish vector across `a`: the cross product with the axis it has least of */
LANE_INLINE v3 v3_across(v3 a)
{
    lane zero = lane_set(0), one = lane_set(1);
    lane_mask small_x = lane_lt(lane_abs(a.x), lane_set(0.6));
    v3 e = {lane_select(small_x, one, zero), lane_select(small_x, zero, one), zero};
    v3 c = v3_cross(a, e);
    return v3_scale(c, one / lane_sqrt(v3_dot(c, c)));
}

/* 2 sin(t / 2) along the axis, from w = sin(t) axis and c = cos(t) well away from -1 */
LANE_INLINE v3 half_sine(v3 w, lane c)
{
    lane half = lane_set(0.5);
    return v3_scale(w, lane_set(1) / lane_sqrt(lane_max((lane_set(1) + c) * half, lane_set(1e-9))));
}

/* the turn that brings direction a onto direction b, as 2 sin(t / 2) axis */
LANE_INLINE v3 direction_error(v3 a, v3 b)
{
    lane c = v3_dot(a, b);
    v3 e = half_sine(v3_cross(a, b), c);
    lane_mask opposite = lane_lt(c, lane_set(-1 + 1e-9));
    // two opposite directions: any axis across will do
    if (mask_any(opposite))
        e = v3_select(opposite, v3_scale(v3_across(a), lane_set(2)), e);
    return e;
}

/* one lane's axis for a turn near pi: the longest column of axes * axes^T, signed like w */
static v3 opposite_error(const frame *a, const frame *b, v3 w, lane c)
{
    // symmetric part of R = b a^T, whose axis n obeys S = c 1 + (1 - c) n n^T
    lane half = lane_set(0.5), zero = lane_set(0);
    lane xx = b->x.x * a->x.x + b->y.x * a->y.x + b->z.x * a->z.x - c;
    lane yy = b->x.y * a->x.y + b->y.y * a->y.y + b->z.y * a->z.y - c;
    lane zz = b->x.z * a->x.z + b->y.z * a->y.z + b->z.z * a->z.z - c;
    lane xy = half * ((b->x.x * a->x.y + b->y.x * a->y.y + b->z.x * a->z.y) +
                      (b->x.y * a->x.x + b->y.y * a->y.x + b->z.y * a->z.x));
    lane xz = half * ((b->x.x * a->x.z + b->y.x * a->y.z + b->z.x * a->z.z) +
                      (b->x.z * a->x.x + b->y.z * a->y.x + b->z.z * a->z.x));
    lane yz = half * ((b->x.y * a->x.z + b->y.y * a->y.z + b->z.y * a->z.z) +
                      (b->x.z * a->x.y + b->y.z * a->y.y + b->z.z * a->z.y));
    // the column with the longest diagonal is the best conditioned
    v3 n = {xx, xy, xz};
    lane longest = xx;
    lane_mask y_longer = lane_gt(yy, longest);
    n = v3_select(y_longer, (v3){xy, yy, yz}, n);
    longest = lane_max(longest, yy);
    n = v3_select(lane_gt(zz, longest), (v3){xz, yz, zz}, n);
    // length 2 sin(t / 2), pointing the way that sin(t) says
    lane size = lane_sqrt(lane_set(2) * (lane_set(1) - c));
    lane s = size / lane_sqrt(lane_max(v3_dot(n, n), lane_set(1e-300)));
    s = lane_select(lane_lt(v3_dot(n, w), zero), zero - s, s);
    return v3_scale(n, s);
}

/* the turn that brings the axes of a onto those of b, as 2 sin(t / 2) axis */
LANE_INLINE v3 rotation_error(const frame *a, const frame *b)
{
    lane half = lane_set(0.5);
    v3 w = v3_add(v3_add(v3_cross(a->x, b->x), v3_cross(a->y, b->y)), v3_cross(a->z, b->z));
    w = v3_scale(w, half);
    lane c = half * (v3_dot(a->x, b->x) + v3_dot(a->y, b->y) + v3_dot(a->z, b->z) - lane_set(1));
    v3 e = half_sine(w, c);
    lane_mask opposite = lane_lt(c, lane_set(NEARLY_OPPOSITE));
    if (mask_any(opposite))
        e = v3_select(opposite, opposite_error(a, b, w, c), e);
    return e;
}

/* ---- working memory ------------------------------------------------------- */

/* One problem per lane; carved from the caller's scratch by work_carve. */
typedef struct work {
    lane *q;        /* nq: where it is */
    lane *next;     /* nq: where it goes */
    lane *step;     /* nv */
    lane *mobile;   /* nv: mobility, 0 for what is at its limit and pushes out */
    lane *error;    /* rows */
    lane *jacobian; /* nv columns of rows */
    lane *normal;   /* rows x rows, lower half */
    lane *answer;   /* rows */
    frame *frames;  /* of the tree */
    frame *goals;   /* of the tasks */
} work;

static size_t work_lanes(const kernel_problem *problem)
{
    size_t nq = (size_t)problem->tree.nq, nv = (size_t)problem->tree.nv;
    size_t rows = (size_t)problem->rows;
    size_t frames = (size_t)(problem->tree.count + problem->task_count);
    return 2 * nq + 2 * nv + 2 * rows + rows * nv + rows * rows + 12 * frames;
}

static work work_carve(const kernel_problem *problem, void *scratch)
{
    size_t nq = (size_t)problem->tree.nq, nv = (size_t)problem->tree.nv;
    size_t rows = (size_t)problem->rows;
    work w = {.q = scratch};
    w.next = w.q + nq;
    w.step = w.next + nq;
    w.mobile = w.step + nv;
    w.error = w.mobile + nv;
    w.jacobian = w.error + rows;
    w.normal = w.jacobian + rows * nv;
    w.answer = w.normal + rows * rows;
    w.frames = (frame *)(void *)(w.answer + rows);
    w.goals = w.frames + problem->tree.count;
    return w;
}

/* ---- errors and Jacobian -------------------------------------------------- */

LANE_INLINE void put(lane *rows, v3 a)
{
    rows[0] = a.x;
    rows[1] = a.y;
    rows[2] = a.z;
}

/* adds one axis of motion to a column: linear rows, then angular rows */
LANE_INLINE void column_add(const kernel_task *task, double length, lane *column, v3 linear,
                            v3 angular, v3 free_axis)
{
    if (task->position) {
        lane s = lane_set(task->weight);
        column[0] += linear.x * s;
        column[1] += linear.y * s;
        column[2] += linear.z * s;
        column += 3;
    }
    if (task->rotation) {
        lane s = lane_set(task->weight * length);
        // a roll about the free axis does not count
        if (task->free)
            angular = v3_add_scaled(angular, free_axis, -v3_dot(angular, free_axis));
        column[0] += angular.x * s;
        column[1] += angular.y * s;
        column[2] += angular.z * s;
    }
}

/* what one joint adds to the columns of its variable */
LANE_INLINE void columns_add(const kernel_problem *problem, const kernel_task *task,
                             const kernel_joint *joint, const frame *frames, int index, v3 tool,
                             v3 free_axis, lane *jacobian)
{
    const frame *f = &frames[index];
    lane *column = jacobian + joint->v * problem->rows + task->row;
    lane s = lane_set(joint->scale), zero = lane_set(0);
    double length = problem->length;
    if (joint->kind == KERNEL_PRISMATIC) {
        column_add(task, length, column, v3_scale(f->z, s), (v3){zero, zero, zero}, free_axis);
        return;
    }
    v3 arm = v3_sub(tool, f->p);
    if (joint->kind == KERNEL_REVOLUTE) {
        v3 axis = v3_scale(f->z, s);
        column_add(task, length, column, v3_cross(axis, arm), axis, free_axis);
        return;
    }
    // a ball turns about the axes of its child; one that is walked backwards about its parent's
    const frame *axes = joint->scale < 0 ? &frames[joint->parent] : f;
    const v3 three[3] = {v3_scale(axes->x, s), v3_scale(axes->y, s), v3_scale(axes->z, s)};
    for (int i = 0; i < 3; i++, column += problem->rows)
        column_add(task, length, column, v3_cross(three[i], arm), three[i], free_axis);
}

/* fills one task's rows of error and Jacobian; answers where it is within tolerance */
LANE_INLINE lane_mask task_evaluate(const kernel_problem *problem, const kernel_task *task,
                                    const kernel_control *control, const frame *goal, work *w)
{
    frame tool = frame_place(&w->frames[task->frame], &task->tool);
    lane_mask reached = mask_from_bits(MASK_FULL);
    lane *error = w->error + task->row;
    v3 free_axis = goal->p;
    if (task->position) {
        v3 e = v3_sub(goal->p, tool.p);
        double t = control->position_tolerance;
        reached = lane_le(v3_dot(e, e), lane_set(t * t));
        put(error, v3_scale(e, lane_set(task->weight)));
        error += 3;
    }
    if (task->rotation) {
        v3 e;
        if (task->free) {
            free_axis = v3_combine(tool.x, tool.y, tool.z, task->axis);
            e = direction_error(free_axis, v3_combine(goal->x, goal->y, goal->z, task->axis));
        } else {
            e = rotation_error(&tool, goal);
        }
        double t = control->rotation_tolerance;
        reached = mask_and(reached, lane_le(v3_dot(e, e), lane_set(t * t)));
        put(error, v3_scale(e, lane_set(task->weight * problem->length)));
    }
    for (int i = 0; i < task->path_count; i++) {
        int index = task->path[i];
        columns_add(problem, task, &problem->tree.joints[index], w->frames, index, tool.p,
                    free_axis, w->jacobian);
    }
    return reached;
}

/* frames, errors and Jacobian at w->q; answers where all tasks are within tolerance */
LANE_INLINE lane_mask evaluate(const kernel_problem *problem, const kernel_control *control,
                               work *w)
{
    const frame base = frame_set(&LB_TRANSFORM_IDENTITY);
    forward(&problem->tree, &base, w->q, w->frames);
    for (int i = 0; i < problem->tree.nv * problem->rows; i++)
        w->jacobian[i] = lane_set(0);
    lane_mask reached = mask_from_bits(MASK_FULL);
    for (int i = 0; i < problem->task_count; i++)
        reached =
            mask_and(reached, task_evaluate(problem, &problem->tasks[i], control, &w->goals[i], w));
    return reached;
}
