/* tree.c - properties of a kernel tree and of a problem, found before any lane runs. */
#include "kernel/problem.h"

/* exact on purpose: zeros may be skipped, small numbers may not */
static bool equals(lb_vec3 a, double x, double y, double z)
{
    return a.x == x && a.y == y && a.z == z;
}

static kernel_form rotation_of(const lb_transform *t)
{
    if (!equals(t->x, 1, 0, 0) || t->y.x != 0 || t->z.x != 0)
        return KERNEL_ROTATION_GENERAL;
    if (equals(t->y, 0, 1, 0) && equals(t->z, 0, 0, 1))
        return KERNEL_ROTATION_NONE;
    if (t->y.y != t->z.z || t->z.y != -t->y.z)
        return KERNEL_ROTATION_GENERAL;
    if (t->y.y != 0 || fabs(t->y.z) != 1)
        return KERNEL_ROTATION_X;
    return t->y.z > 0 ? KERNEL_ROTATION_PLUS_90 : KERNEL_ROTATION_MINUS_90;
}

kernel_form kernel_form_of(const lb_transform *place)
{
    unsigned form = rotation_of(place);
    form |= place->p.x != 0 ? KERNEL_SHIFT_X : 0u;
    form |= place->p.y != 0 ? KERNEL_SHIFT_Y : 0u;
    form |= place->p.z != 0 ? KERNEL_SHIFT_Z : 0u;
    return (kernel_form)form;
}

size_t kernel_block_count(int count)
{
    return ((size_t)count + KERNEL_BLOCK_SIZE - 1) / KERNEL_BLOCK_SIZE;
}

void kernel_fill_blocks(const kernel_joint *joints, int count, kernel_block *blocks)
{
    for (size_t i = 0; i < kernel_block_count(count); i++)
        blocks[i] = (kernel_block){0};
    for (int i = 0; i < count; i++) {
        const kernel_joint *joint = &joints[i];
        kernel_block *block = &blocks[i / KERNEL_BLOCK_SIZE];
        if (joint->kind == KERNEL_BALL)
            block->ball[block->ball_count++] = joint->q;
        if (joint->kind != KERNEL_REVOLUTE)
            continue;
        block->q[block->count] = joint->q;
        block->scale[block->count] = joint->scale;
        block->offset[block->count] = joint->offset;
        block->count++;
    }
}

void kernel_find_transient(kernel_joint *joints, int count)
{
    for (int i = 0; i < count; i++) {
        int parent = joints[i].parent;
        joints[i].transient = true;
        // other joints use the parent's frame later, or in another block
        if (parent >= 0 && (parent != i - 1 || i % KERNEL_BLOCK_SIZE == 0))
            joints[parent].transient = false;
    }
}

/* ---- problems ------------------------------------------------------------- */

/* pivots below this share of the normal equations' trace are rounding errors */
#define PIVOT_SHARE 1e-13

/* an upper bound on the trace of the undamped normal equations */
static double largest_trace(const kernel_problem *problem)
{
    double sum = 0;
    for (int t = 0; t < problem->task_count; t++) {
        const kernel_task *task = &problem->tasks[t];
        double slid = task->goal.position ? 1 : 0, turned = task->goal.rotation ? 1 : 0;
        double swept = slid * (1 + problem->reach * problem->reach);
        for (int i = 0; i < problem->variable_count; i++) {
            const kernel_variable *x = &problem->variables[i];
            bool slide = problem->tree.joints[x->joint].kind == KERNEL_PRISMATIC;
            double size = x->mobility * task->weight;
            sum += (slide ? slid : swept + turned) * size * size;
        }
    }
    return sum;
}

/* a joint of an arm is revolute and moved by one number of its own */
static bool is_arm_joint(const kernel_problem *problem, int i)
{
    const kernel_joint *joint = &problem->tree.joints[i];
    const kernel_variable *x = &problem->variables[i];
    return joint->kind == KERNEL_REVOLUTE && joint->parent == i - 1 && joint->scale == 1 &&
           joint->q == i && joint->v == i && x->q == i && x->mobility == 1;
}

static bool is_arm(const kernel_problem *problem)
{
    const kernel_task *task = problem->tasks;
    int count = problem->tree.count;
    bool whole = problem->rows == 6 && !task->goal.free && !task->goal.locus.extended;
    bool pose = whole && task->weight == 1 && task->frame == count - 1;
    if (!problem->single_task_unshared || !pose || count != problem->tree.nq ||
        count != problem->variable_count || problem->tree.joints[0].form != KERNEL_ROTATION_NONE)
        return false;
    for (int i = 0; i < count; i++)
        if (!is_arm_joint(problem, i))
            return false;
    return true;
}

void kernel_prepare(kernel_problem *problem)
{
    problem->min_pivot = PIVOT_SHARE * largest_trace(problem);
    problem->arm_joints = is_arm(problem) ? problem->tree.count : 0;
}
