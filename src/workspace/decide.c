/* decide.c - the bound of a tool's reach. */
#include "workspace/probe.h"

#include "base/error.h"
#include "base/memory.h"
#include "ik/reduce.h"

#include <limber/kinematics.h>

lb_status decide_find_bound(const lb_model *model, const lb_task *task,
                            const lb_allocator *allocator, decide_bound *bound, lb_error *error)
{
    ik_reduction reduction;
    TRY(ik_reduce(model, task, 1, 0, allocator, &reduction, error));
    const ik_reach *reach = &reduction.reaches[0];
    lb_transform problem = lb_transform_inverse(&reduction.base);
    lb_vec3 shoulder = lb_vec3_scale(reach->shoulder, reduction.unit);
    bound->center = lb_transform_point(&problem, shoulder);
    bound->radius = reach->radius * reduction.unit;
    memory_release(allocator, reduction.memory);
    return isfinite(bound->radius)
               ? LB_OK
               : REFUSE_UNSUPPORTED(
                     error, "a joint that slides without limits or floats reaches everywhere; "
                            "give it limits, or fix the root");
}

/* ---- the wrist ------------------------------------------------------------ */

/* The axis of a joint in the neutral configuration, in the world. */
typedef struct joint_axis {
    lb_vec3 place, direction;
} joint_axis;

/* All that move the tool, the last one first; longer chains have no bound. */
enum { LONGEST = 32 };
typedef struct axis_chain {
    joint_axis axes[LONGEST];
    int count;
} axis_chain;

static joint_axis axis_of(const lb_state *state, int link, const lb_joint *joint)
{
    lb_transform frame = lb_state_transform(state, LB_WORLD, link);
    lb_vec3 direction = lb_transform_direction(&frame, joint->axis);
    return (joint_axis){frame.p, lb_vec3_normalize(direction, lb_vec3_make(0, 0, 1))};
}

/* false: a joint does not turn, there are too many, or the base is not met on the way to the root
 */
static bool collect_axes(const lb_state *state, const lb_task *task, axis_chain *chain)
{
    const lb_model *model = lb_state_model(state);
    chain->count = 0;
    int link = task->tip;
    for (; link > 0 && link != task->base; link = lb_model_parent(model, link)) {
        const lb_joint *joint = lb_model_joint(model, link - 1);
        if (joint->kind == LB_JOINT_FIXED)
            continue;
        bool turns = joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS;
        if (!turns || chain->count == LONGEST)
            return false;
        chain->axes[chain->count++] = axis_of(state, link, joint);
    }
    return chain->count > 1 && (task->base <= 0 || link == task->base);
}

/* the point of an axis that is nearest to another point */
static lb_vec3 foot_on(const joint_axis *axis, lb_vec3 point)
{
    double along = lb_vec3_dot(axis->direction, lb_vec3_sub(point, axis->place));
    return lb_vec3_add(axis->place, lb_vec3_scale(axis->direction, along));
}

static double distance(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_sub(a, b));
}

/* metres: an axis so near to a point contains it */
#define ON_AXIS 1e-9

/*
 * From the shoulder over the joints' origins to the wrist: lengths that no joint changes. The first
 * joints whose axes contain the shoulder all leave it where it is, so the first length ends at the
 * origin after them: of a Panda at the elbow, where the links laid end to end turn off earlier.
 */
static double measure_links(const axis_chain *chain, lb_vec3 shoulder, lb_vec3 wrist)
{
    int i = chain->count - 1;
    while (i > 0 && distance(foot_on(&chain->axes[i], shoulder), shoulder) < ON_AXIS)
        i--;
    double sum = 0;
    lb_vec3 from = shoulder;
    for (; i > 0; i--) {
        sum += distance(from, chain->axes[i].place);
        from = chain->axes[i].place;
    }
    return sum + distance(from, wrist);
}

lb_status decide_find_wrist(const lb_model *model, const lb_task *task,
                            const lb_allocator *allocator, decide_wrist *wrist)
{
    lb_state *state = NULL;
    axis_chain chain;
    *wrist = (decide_wrist){.radius = INFINITY};
    lb_status status = lb_state_create(model, allocator, &state);
    if (status == LB_OK && collect_axes(state, task, &chain)) {
        lb_transform base = lb_state_transform(state, LB_WORLD, task->base);
        lb_transform link = lb_state_transform(state, LB_WORLD, task->tip);
        lb_transform tool = lb_transform_multiply(&link, &task->tool);
        lb_vec3 shoulder = chain.axes[chain.count - 1].place;
        lb_vec3 point = foot_on(&chain.axes[0], chain.axes[1].place);
        wrist->radius = measure_links(&chain, shoulder, point);
        lb_transform to_base = lb_transform_inverse(&base), to_tool = lb_transform_inverse(&tool);
        wrist->shoulder = lb_transform_point(&to_base, shoulder);
        wrist->point = lb_transform_point(&to_tool, point);
    }
    lb_state_release(state);
    return status;
}
