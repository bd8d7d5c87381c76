/* chain.c - the arm that a task moves, and the arm of six joints that it is solved as. */
#include "ik/closed/chain.h"

#include "ik/closed/newton.h"
#include "math/scalar.h"
#include "model/layout.h"

/* ---- the model's joints --------------------------------------------------- */

/* the frames from the base to the tool, and the joints between them */
typedef struct walk {
    const lb_model *model;
    const ik_reduction *reduction;
    const double *q;
    closed_chain *chain;
    lb_transform back; /* T_base_problem, metres */
    int joint;         /* to blame */
} walk;

static const kernel_variable *find_variable(const ik_reduction *r, int q)
{
    for (int i = 0; i < r->problem.variable_count; i++)
        if (r->problem.variables[i].q == q)
            return &r->problem.variables[i];
    return NULL;
}

static lb_transform in_metres(lb_transform t, double unit)
{
    t.p = lb_vec3_scale(t.p, unit);
    return t;
}

/* a frame of the problem as the base sees it */
static lb_transform seen_from_base(const walk *w, const lb_transform *frame)
{
    lb_transform t = in_metres(*frame, w->reduction->unit);
    return lb_transform_multiply(&w->back, &t);
}

/* a joint that moves: its axis where its value is zero */
static const char *add_moving(walk *w, const kernel_joint *joint, const lb_transform *frame)
{
    closed_chain *c = w->chain;
    const ik_reduction *r = w->reduction;
    const kernel_variable *x = find_variable(r, joint->q);
    bool slides = joint->kind == KERNEL_PRISMATIC;
    if (!x || x->ball || joint->kind == KERNEL_BALL)
        return "has a joint that is neither revolute nor prismatic";
    if (fabs(fabs(joint->scale) * (slides ? r->unit : 1) - 1) > 1e-12)
        return "has a joint that mimics another one";
    if (c->arm.joints >= CLOSED_ARM_JOINTS)
        return "has more than seven joints";
    lb_transform at = seen_from_base(w, frame);
    int place = c->arm.joints++;
    c->arm.axis[place] = joint->scale < 0 ? lb_vec3_scale(at.z, -1) : at.z;
    c->arm.point[place] = at.p;
    c->arm.is_length[place] = slides;
    c->joints[c->count++] = (closed_joint){.joint = w->joint,
                                           .q = r->model_q[joint->q],
                                           .lower = x->lower,
                                           .upper = x->upper,
                                           .unit = x->mobility,
                                           .is_length = slides,
                                           .place = place};
    return NULL;
}

/* a joint that keeps its value */
static const char *add_locked(walk *w, const kernel_joint *joint)
{
    closed_chain *c = w->chain;
    if (joint->kind == KERNEL_BALL || c->locked_count >= 2 * CLOSED_ARM_JOINTS)
        return "has a locked joint that is not folded in";
    int q = w->reduction->model_q[joint->q];
    c->locked[c->locked_count] = q;
    c->value[c->locked_count++] = w->q[q];
    return NULL;
}

/* one joint further out */
static const char *step(walk *w, const kernel_joint *joint, lb_transform *frame)
{
    const double zero = 0;
    const char *why = NULL;
    kernel_joint still = *joint;
    still.q = 0;
    double value = 0;
    if (joint->q >= 0) {
        w->joint = model_part_at(w->model, w->reduction->model_q[joint->q])->joint;
        if (joint->v < 0) {
            why = add_locked(w, joint);
            value = w->q[w->reduction->model_q[joint->q]];
        }
    }
    // the axis does not depend on the joint's own value
    if (!why && joint->kind != KERNEL_BALL)
        *frame = kernel_joint_frame(&still, frame, joint->v < 0 ? &value : &zero);
    if (!why && joint->v >= 0)
        why = add_moving(w, joint, frame);
    return why;
}

static const char *walk_out(walk *w, int tip)
{
    const kernel_joint *joints = w->reduction->problem.tree.joints;
    lb_transform frame = LB_TRANSFORM_IDENTITY;
    // outwards: each joint's parent is the one before it, as there is one task alone
    for (int i = 0; i <= tip; i++) {
        if (joints[i].parent != i - 1)
            return "is not a chain";
        const char *why = step(w, &joints[i], &frame);
        if (why)
            return why;
    }
    const kernel_task *task = &w->reduction->problem.tasks[0];
    lb_transform turn = lb_transform_inverse(&w->reduction->axes[0]);
    turn.p = task->tool;
    lb_transform tool = lb_transform_multiply(&frame, &turn);
    w->chain->arm.home = seen_from_base(w, &tool);
    return NULL;
}

bool closed_chain_fits(const closed_chain *chain, const double *q)
{
    for (int i = 0; i < chain->locked_count; i++)
        if (q[chain->locked[i]] != chain->value[i])
            return false;
    return true;
}

/* ---- what the target leaves open ------------------------------------------ */

static bool add_virtual(closed_arm *arm, lb_vec3 axis, lb_vec3 point, bool is_length)
{
    if (arm->joints >= CLOSED_ARM_JOINTS)
        return false;
    arm->axis[arm->joints] = axis;
    arm->point[arm->joints] = point;
    arm->is_length[arm->joints++] = is_length;
    return true;
}

/* joints at the arm's end that turn about the tool's own origin, or its free axis, move nothing
   that counts */
static void drop_idle(closed_chain *chain, const lb_task *task)
{
    closed_arm *arm = &chain->arm;
    double size = closed_arm_size(arm);
    const lb_vec3 own = lb_vec3_normalize(task->free_axis, lb_vec3_make(0, 0, 0));
    for (int i = chain->count - 1; i > 0; i--) {
        lb_vec3 from = lb_vec3_sub(arm->home.p, arm->point[i]);
        double off = lb_vec3_length(lb_vec3_cross(from, arm->axis[i]));
        lb_vec3 free = lb_transform_direction(&arm->home, own);
        double slant = lb_vec3_length(lb_vec3_cross(free, arm->axis[i]));
        bool along = lb_vec3_length(own) > 0 && slant <= CLOSED_EXACT;
        bool on_axis = off <= CLOSED_EXACT * size;
        bool idle = task->kind == LB_TASK_POSITION ? on_axis : along && on_axis;
        if (task->kind == LB_TASK_ROTATION)
            idle = along;
        if (!idle || arm->is_length[i])
            return;
        chain->joints[i].place = -1;
        arm->joints--;
        // a turn moves what is off its axis by twice as much at most
        chain->idle_shift += task->kind == LB_TASK_ROTATION ? 0 : 2 * off;
        chain->idle_turn += task->kind == LB_TASK_POSITION ? 0 : 2 * slant;
        if (task->kind != LB_TASK_POSITION)
            return;
    }
}

/* joints that represent what the task leaves open; false: that makes more than seven */
static bool add_free(closed_chain *chain, const lb_task *task)
{
    closed_arm *arm = &chain->arm;
    const lb_transform *home = &chain->arm.home;
    const lb_vec3 axis = lb_vec3_normalize(task->free_axis, lb_vec3_make(0, 0, 0));
    const lb_vec3 along[3] = {home->x, home->y, home->z};
    bool fits = true;
    if (task->kind == LB_TASK_POSITION) {
        for (int i = 0; i < 3; i++)
            fits = fits && add_virtual(arm, along[(i + 2) % 3], home->p, false);
    } else if (lb_vec3_length(axis) > 0) {
        fits = add_virtual(arm, lb_transform_direction(home, axis), home->p, false);
    }
    unsigned open =
        task->kind == LB_TASK_ROTATION ? LB_FREE_X | LB_FREE_Y | LB_FREE_Z : task->free_position;
    for (int i = 0; i < 3; i++)
        if (open >> i & 1)
            fits = fits && add_virtual(arm, along[i], home->p, true);
    return fits;
}

const char *closed_chain_read(const lb_model *model, const ik_reduction *reduction,
                              const lb_task *task, const double *q, closed_chain *chain, int *joint)
{
    *chain = (closed_chain){.count = 0};
    walk w = {.model = model,
              .reduction = reduction,
              .q = q,
              .chain = chain,
              .back = lb_transform_inverse(&reduction->base),
              .joint = -1};
    const char *why = walk_out(&w, reduction->problem.tasks[0].frame);
    *joint = w.joint;
    if (!why && !reduction->problem.single_task_unshared)
        why = "has a joint that mimics another one";
    if (why)
        return why;
    *joint = -1;
    drop_idle(chain, task);
    chain->real = chain->arm.joints;
    if (!add_free(chain, task))
        return "has more joints than the task needs, by more than one";
    return NULL;
}

/* ---- completing to six joints ---------------------------------------------- */

/* where the wrist is to be: on the last joint's axis, where it meets the one before it */
static lb_vec3 wrist_point(const closed_arm *arm)
{
    int last = arm->joints - 1;
    if (last < 1 || arm->is_length[last - 1] || arm->is_length[last])
        return arm->point[last];
    lb_vec3 a = arm->axis[last - 1], b = arm->axis[last], across = lb_vec3_cross(a, b);
    double square = lb_vec3_dot(across, across);
    if (square < 1e-4)
        return arm->point[last];
    // on axis b, the point nearest to axis a
    lb_vec3 between = lb_vec3_sub(arm->point[last], arm->point[last - 1]);
    double along = lb_vec3_dot(lb_vec3_cross(between, a), across) / square;
    return lb_vec3_add(arm->point[last], lb_vec3_scale(b, along));
}

/* joints at the end, each across the one before it and, of two, across the last real one too. Two
   make a wrist with it anywhere on its axis: as far away as the arm is long, lest the joint before
   turns about the wrist and moves nothing */
static void append_turns(closed_completion *c, int count)
{
    lb_vec3 center = wrist_point(&c->arm), last = c->arm.axis[c->arm.joints - 1];
    if (count == 2)
        center = lb_vec3_add(center, lb_vec3_scale(last, closed_arm_size(&c->arm)));
    lb_vec3 before = c->arm.joints > 1 ? c->arm.axis[c->arm.joints - 2] : last;
    lb_vec3 across = lb_vec3_cross(before, last);
    bool known = lb_vec3_length(across) > 1e-2;
    lb_vec3 axis = known ? lb_vec3_normalize(across, last) : lb_vec3_perpendicular(last);
    for (int i = 0; i < count; i++) {
        c->place[c->arm.joints] = -1;
        add_virtual(&c->arm, axis, center, false);
        axis = lb_vec3_cross(last, axis);
    }
}

/* a joint at the base that slides along the first joint's axis */
static void prepend_slide(closed_completion *c)
{
    closed_arm *arm = &c->arm;
    for (int i = arm->joints; i > 0; i--) {
        arm->axis[i] = arm->axis[i - 1];
        arm->point[i] = arm->point[i - 1];
        arm->is_length[i] = arm->is_length[i - 1];
        c->place[i] = c->place[i - 1];
    }
    arm->is_length[0] = true;
    c->place[0] = -1;
    arm->joints++;
}

/* exchanges a slide and a turn whose axes are parallel, which makes the same arm */
static void exchange_slide(closed_completion *c, int slide, int turn)
{
    closed_arm *arm = &c->arm;
    double slant = lb_vec3_length(lb_vec3_cross(arm->axis[slide], arm->axis[turn]));
    if (!arm->is_length[slide] || arm->is_length[turn] || slant > CLOSED_EXACT)
        return;
    lb_vec3 axis = arm->axis[slide], point = arm->point[slide];
    int place = c->place[slide];
    c->slant += slant;
    arm->axis[slide] = arm->axis[turn];
    arm->point[slide] = arm->point[turn];
    c->place[slide] = c->place[turn];
    arm->axis[turn] = axis;
    arm->point[turn] = point;
    c->place[turn] = place;
    arm->is_length[slide] = false;
    arm->is_length[turn] = true;
}

/* a joint that slides along the axes beside it may be on either side of them: last is best */
static void sort_slides(closed_completion *c)
{
    for (int i = 0; i + 1 < 3 && i + 1 < c->arm.joints; i++)
        exchange_slide(c, i, i + 1);
}

static closed_completion begin_completion(const closed_chain *chain)
{
    closed_completion c = {.arm = chain->arm};
    for (int i = 0; i < chain->arm.joints; i++)
        c.place[i] = i;
    return c;
}

/* a SCARA whose slide comes last: before the turn about the same axis it is the same arm */
static void slide_before_turn(closed_completion *c)
{
    for (int i = c->arm.joints - 1; i >= 3; i--)
        exchange_slide(c, i, i - 1);
}

closed_completion closed_chain_hold(const closed_chain *chain, int place, double value)
{
    closed_completion c = {.arm = {.joints = 0}};
    const closed_arm *arm = &chain->arm;
    closed_arm one = {.joints = 1,
                      .axis = {arm->axis[place]},
                      .point = {arm->point[place]},
                      .is_length = {arm->is_length[place]},
                      .home = LB_TRANSFORM_IDENTITY};
    const lb_transform moved = closed_forward(&one, &value);
    for (int i = 0; i < arm->joints; i++) {
        if (i == place)
            continue;
        bool behind = i > place;
        lb_vec3 axis = arm->axis[i], point = arm->point[i];
        c.place[c.arm.joints] = i;
        add_virtual(&c.arm, behind ? lb_transform_direction(&moved, axis) : axis,
                    behind ? lb_transform_point(&moved, point) : point, arm->is_length[i]);
    }
    c.arm.home = lb_transform_multiply(&moved, &arm->home);
    return c;
}

int closed_chain_complete(const closed_chain *chain, closed_completion *completions)
{
    int missing = KERNEL_CLOSED_JOINTS - chain->arm.joints, count = 0;
    if (missing < 0 || missing > 3 || chain->arm.joints < 1)
        return 0;
    for (int slides = 0; slides < 2 && slides <= missing; slides++) {
        if (missing - slides > 2)
            continue;
        closed_completion *c = &completions[count++];
        *c = begin_completion(chain);
        slide_before_turn(c);
        if (slides > 0)
            prepend_slide(c);
        sort_slides(c);
        append_turns(c, missing - slides);
    }
    return count;
}
