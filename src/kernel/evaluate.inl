/*
 * evaluate.inl - errors and Jacobian of tasks, one problem per lane.
 *
 * Rows are linear then angular, in base axes (linear rows of an extended locus: along its
 * normals), times the task's weight. The rotation error is the axis of the remaining rotation,
 * with length 2 sin(angle / 2): the angle to third order, without trigonometry, and increasing up
 * to half a turn. Jacobian columns: Parent 2012, Fig. 5.16, Eq. 5.15-5.17.
 */
#ifndef KERNEL_EVALUATE_INL
#define KERNEL_EVALUATE_INL

#include "simd/trig.inl"

#include "kernel/forward.inl"
#include "kernel/pose.inl"
#include "kernel/problem.h"

/* ---- rotation errors -------------------------------------------------------- */

/* cosine of the angle beyond which the axis is computed from the symmetric part */
#define NEARLY_OPPOSITE (-0.9)

/* 2 sin(t / 2) axis, from w = sin(t) axis and c = cos(t) well away from -1 */
LANE_INLINE triple half_sine(triple w, lane c)
{
    return triple_scale(w, 1 / lane_sqrt(lane_max((1 + c) * 0.5, lane_set(1e-9))));
}

/* the rotation from direction a to direction b, as 2 sin(t / 2) axis */
LANE_SHARED v3 direction_error(v3 a, v3 b)
{
    lane c = v3_dot(a, b);
    v3 e = v3_cross(a, b);
    triple_store(&e, half_sine(triple_load(&e), c));
    lane_mask opposite = lane_lt(c, lane_set(-1 + 1e-9));
    // opposite directions: any perpendicular axis
    if (mask_any(opposite))
        e = v3_select(opposite, v3_scale(v3_perpendicular(a), lane_set(2)), e);
    return e;
}

/* rotation_error near half a turn: the axis is the longest column of the symmetric part, its sign
   that of the sine; `other` is the error of the remaining lanes */
LANE_RARE triple opposite_error(const pose *from, const frame *b, triple sine, lane c,
                                lane_mask opposite, triple other)
{
    frame at, *a = &at;
    v3 w;
    pose_store(a, from);
    triple_store(&w, sine);
    // symmetric part of R = b a^T, whose axis n satisfies S = c 1 + (1 - c) n n^T
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
    // the column with the largest diagonal entry is the best conditioned
    v3 n = {xx, xy, xz};
    lane longest = xx;
    lane_mask y_longer = lane_gt(yy, longest);
    n = v3_select(y_longer, (v3){xy, yy, yz}, n);
    longest = lane_max(longest, yy);
    n = v3_select(lane_gt(zz, longest), (v3){xz, yz, zz}, n);
    // length 2 sin(t / 2)
    lane size = lane_sqrt(lane_set(2) * (lane_set(1) - c));
    lane s = size / lane_sqrt(lane_max(v3_dot(n, n), lane_set(1e-300)));
    s = lane_select(lane_lt(v3_dot(n, w), zero), zero - s, s);
    triple_store(&w, other);
    n = v3_select(opposite, v3_scale(n, s), w);
    return triple_load(&n);
}

/* the rotation from the axes of a to those of b, as 2 sin(t / 2) axis */
LANE_INLINE triple rotation_error(const pose *a, const frame *b, lane_mask busy)
{
    const triple x = triple_load(&b->x), y = triple_load(&b->y), z = triple_load(&b->z);
    triple w =
        triple_add(triple_add(triple_cross(a->x, x), triple_cross(a->y, y)), triple_cross(a->z, z));
    triple along = triple_add(triple_add(triple_multiply(a->x, x), triple_multiply(a->y, y)),
                              triple_multiply(a->z, z));
    w = triple_scale(w, lane_set(0.5));
    lane c = (triple_sum(along) - 1) * 0.5;
    triple e = half_sine(w, c);
    lane_mask opposite = mask_and(busy, lane_lt(c, lane_set(NEARLY_OPPOSITE)));
    if (mask_any(opposite)) {
        // a copy, so that the pose itself can stay in registers
        const pose from = *a;
        e = opposite_error(&from, b, w, c, opposite, e);
    }
    return e;
}

/* ---- working memory ------------------------------------------------------- */

/* What the Jacobian needs of a task's tool once its error is known. */
typedef struct tool {
    v3 p;               /* position, base axes */
    v3 free_axis;       /* direction of the free axis, for tasks that have one */
    locus_axes normals; /* of the target's locus, where it is extended */
} tool;

/* One problem per lane; carved from the caller's scratch by work_carve. */
typedef struct work {
    lane *q;                /* nq: current configuration */
    lane *next;             /* nq: where the step leads */
    lane *step;             /* nv */
    lane *kept, *kept_step; /* of monotone jobs: where the last step started, and that step */
    lane *error;            /* rows */
    lane *jacobian;         /* nv columns of rows */
    lane *normal;           /* rows x rows, lower half */
    lane *solution;         /* rows */
    frame *frames;          /* of the tree */
    frame *targets;         /* of the tasks */
    tool *tools;            /* of the tasks */
    lane far;               /* what multiplies the mobility of far slides in a step */
} work;

static size_t work_lanes(const kernel_problem *problem)
{
    size_t nq = (size_t)problem->tree.nq, nv = (size_t)problem->tree.nv;
    size_t rows = (size_t)problem->rows, tasks = (size_t)problem->task_count;
    size_t frames = (size_t)problem->tree.count + tasks;
    return 3 * nq + 2 * nv + 2 * rows + rows * nv + rows * rows + 12 * frames + 12 * tasks;
}

static work work_carve(const kernel_problem *problem, void *scratch)
{
    size_t nq = (size_t)problem->tree.nq, nv = (size_t)problem->tree.nv;
    size_t rows = (size_t)problem->rows;
    work w = {.q = scratch};
    w.next = w.q + nq;
    w.step = w.next + nq;
    w.kept = w.step + nv;
    w.kept_step = w.kept + nq;
    w.error = w.kept_step + nv;
    w.jacobian = w.error + rows;
    w.normal = w.jacobian + rows * nv;
    w.solution = w.normal + rows * rows;
    w.frames = (frame *)(void *)(w.solution + rows);
    w.targets = w.frames + problem->tree.count;
    w.tools = (tool *)(void *)(w.targets + problem->task_count);
    return w;
}

/* ---- errors --------------------------------------------------------------- */

/* fills one task's rows of error and adds their squares; returns where it is within tolerance */
LANE_INLINE lane_mask task_measure(const kernel_task *task, const kernel_control *control,
                                   const frame *target, tool *at, work *w, lane_mask busy,
                                   lane *error2)
{
    const kernel_goal *goal = &task->goal;
    const frame *carrier = &w->frames[task->frame];
    pose now = pose_load(carrier);
    now.p = pose_point(&now, task->tool);
    lane_mask reached = mask_from_bits(MASK_FULL);
    lane *error = w->error + task->row, weight = lane_set(task->weight), sum = lane_set(0);
    triple_store(&at->p, now.p);
    if (goal->position) {
        v3 e = v3_sub(target->p, at->p);
        if (goal->locus.extended)
            e = locus_measure(&goal->locus, target, e, &at->normals);
        double t = control->position_tolerance;
        lane square = v3_dot(e, e);
        reached = lane_le(square, lane_set(t * t));
        sum = square;
        rows_set(error, task->weight != 1 ? v3_scale(e, weight) : e);
        error += 3;
    }
    if (goal->rotation) {
        v3 e;
        if (goal->free) {
            at->free_axis = v3_combine(carrier->x, carrier->y, carrier->z, goal->axis);
            e = direction_error(at->free_axis,
                                v3_combine(target->x, target->y, target->z, goal->axis));
        } else {
            triple_store(&e, rotation_error(&now, target, busy));
        }
        double t = control->rotation_tolerance;
        lane square = v3_dot(e, e);
        reached = mask_and(reached, lane_le(square, lane_set(t * t)));
        sum = sum + square;
        rows_set(error, task->weight != 1 ? v3_scale(e, weight) : e);
    }
    *error2 = *error2 + sum * (weight * weight);
    return reached;
}

/* frames, tools and errors at w->q, and their sum of squares; returns where all tasks are within
   tolerance */
LANE_INLINE lane_mask measure(const kernel_problem *problem, const kernel_control *control, work *w,
                              lane_mask busy, lane *error2)
{
    const frame base = frame_set(&LB_TRANSFORM_IDENTITY);
    forward(&problem->tree, &base, w->q, w->frames);
    lane_mask reached = mask_from_bits(MASK_FULL);
    *error2 = lane_set(0);
    for (int i = 0; i < problem->task_count; i++)
        reached = mask_and(reached, task_measure(&problem->tasks[i], control, &w->targets[i],
                                                 &w->tools[i], w, busy, error2));
    return reached;
}

/* ---- Jacobian ------------------------------------------------------------- */

/* How one axis of motion moves a tool, or how far a tool is from its target: rows of a column. */
typedef struct screw {
    triple linear, angular;
} screw;

/* three rows in memory */
LANE_INLINE triple rows_take(const lane *rows)
{
    return triple_load((const v3 *)(const void *)rows);
}
LANE_INLINE void rows_put(lane *rows, triple a)
{
    triple_store((v3 *)(void *)rows, a);
}

/* rotation about an axis through a point, and translation along it */
LANE_INLINE screw screw_rotation(triple axis, triple through, triple point)
{
    return (screw){triple_cross(axis, triple_sub(point, through)), axis};
}
LANE_INLINE screw screw_translation(triple axis)
{
    lane zero = lane_set(0);
    return (screw){axis, triple_make(zero, zero, zero)};
}

/* of a joint with one axis */
LANE_INLINE screw joint_screw(const kernel_joint *joint, const frame *f, const tool *at)
{
    triple axis = triple_load(&f->z);
    if (joint->scale != 1)
        axis = triple_scale(axis, lane_set(joint->scale));
    if (joint->kind == KERNEL_PRISMATIC)
        return screw_translation(axis);
    return screw_rotation(axis, triple_load(&f->p), triple_load(&at->p));
}

/* the part of it that counts for a task, times the task's weight */
LANE_INLINE screw screw_weigh(screw c, const kernel_task *task, const tool *at)
{
    if (task->goal.locus.extended) {
        v3 linear;
        triple_store(&linear, c.linear);
        linear = locus_rows(&at->normals, linear);
        c.linear = triple_load(&linear);
    }
    if (task->goal.free) {
        const triple axis = triple_load(&at->free_axis);
        c.angular =
            triple_add_scaled(c.angular, axis, -triple_sum(triple_multiply(c.angular, axis)));
    }
    if (task->weight != 1) {
        c.linear = triple_scale(c.linear, lane_set(task->weight));
        c.angular = triple_scale(c.angular, lane_set(task->weight));
    }
    return c;
}

/* writes linear rows, then angular rows, or adds them to what is there; `add` is a constant */
LANE_INLINE void screw_write(screw c, const kernel_task *task, const tool *at, lane *rows, bool add)
{
    c = screw_weigh(c, task, at);
    if (task->goal.position) {
        rows_put(rows, add ? triple_add(rows_take(rows), c.linear) : c.linear);
        rows += 3;
    }
    if (task->goal.rotation)
        rows_put(rows, add ? triple_add(rows_take(rows), c.angular) : c.angular);
}

/* a ball's three columns: it rotates about its child's axes, with scale -1 about its parent's */
LANE_INLINE void ball_write(const kernel_task *task, const tool *at, const kernel_joint *joint,
                            const frame *f, const work *w, lane *columns, int rows, bool add)
{
    const frame *axes = joint->scale < 0 ? &w->frames[joint->parent] : f;
    lane scale = lane_set(joint->scale);
    const v3 *const three[3] = {&axes->x, &axes->y, &axes->z};
    for (int i = 0; i < 3; i++, columns += rows) {
        triple axis = triple_scale(triple_load(three[i]), scale);
        screw_write(screw_rotation(axis, triple_load(&f->p), triple_load(&at->p)), task, at,
                    columns, add);
    }
}

/* one task's rows of the columns of one joint */
LANE_INLINE void joint_write(const kernel_problem *problem, const kernel_task *task, const tool *at,
                             int index, const work *w, int rows, bool add)
{
    const kernel_joint *joint = &problem->tree.joints[index];
    const frame *f = &w->frames[index];
    lane *columns = w->jacobian + joint->v * rows + task->row;
    if (joint->kind == KERNEL_BALL)
        ball_write(task, at, joint, f, w, columns, rows, add);
    else
        screw_write(joint_screw(joint, f, at), task, at, columns, add);
}

/* the whole Jacobian of any tasks, whose columns may be sums */
static void linearize(const kernel_problem *problem, const work *w)
{
    for (int i = 0; i < problem->tree.nv * problem->rows; i++)
        w->jacobian[i] = lane_set(0);
    for (int t = 0; t < problem->task_count; t++) {
        const kernel_task *task = &problem->tasks[t];
        for (int i = 0; i < task->path_count; i++)
            joint_write(problem, task, &w->tools[t], task->path[i], w, problem->rows, true);
    }
}

#endif
