/*
 * draft.c - a model while it is being read.
 */
#include "formats/mapping/draft.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

lb_status draft_create(model_draft *draft, int links, int joints, int geometries,
                       const lb_allocator *pool, lb_error *error)
{
    *draft = (model_draft){.link_room = links, .joint_room = joints, .geometry_room = geometries};
    draft->source.root = LB_TRANSFORM_IDENTITY;
    draft->allocator = *pool;

    draft->links = memory_take(&draft->allocator, (size_t)links, sizeof(lb_link));
    draft->joints = memory_take(&draft->allocator, (size_t)joints, sizeof(lb_joint));
    draft->geometries = memory_take(&draft->allocator, (size_t)geometries, sizeof(lb_geometry));
    draft->joint_lines = memory_take(&draft->allocator, (size_t)joints, sizeof(int));
    draft->link_lines = memory_take(&draft->allocator, (size_t)links, sizeof(int));
    if (!memory_pool_failed(pool))
        return LB_OK;
    return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory for %d links and %d joints",
                        links, joints);
}

lb_link *draft_link(model_draft *draft, int line)
{
    assert(draft->link_count < draft->link_room);
    lb_link *link = &draft->links[draft->link_count];
    *link = lb_link_default();
    draft->link_lines[draft->link_count++] = line;
    return link;
}

lb_joint *draft_joint(model_draft *draft, int line)
{
    assert(draft->joint_count < draft->joint_room);
    lb_joint *joint = &draft->joints[draft->joint_count];
    *joint = lb_joint_default();
    draft->joint_lines[draft->joint_count++] = line;
    return joint;
}

lb_geometry *draft_geometry(model_draft *draft)
{
    assert(draft->geometry_count < draft->geometry_room);
    lb_geometry *geometry = &draft->geometries[draft->geometry_count++];
    *geometry = (lb_geometry){.origin = LB_TRANSFORM_IDENTITY, .size = {1, 1, 1}};
    return geometry;
}

lb_status draft_loops(model_draft *draft, int loops, lb_error *error)
{
    draft->loops = memory_take(&draft->allocator, (size_t)loops, sizeof(lb_loop));
    draft->loop_lines = memory_take(&draft->allocator, (size_t)loops, sizeof(int));
    draft->loop_room = loops;
    if (draft->loops != NULL && draft->loop_lines != NULL)
        return LB_OK;
    return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory for %d loops", loops);
}

lb_loop *draft_loop(model_draft *draft, int line)
{
    assert(draft->loop_count < draft->loop_room);
    lb_loop *loop = &draft->loops[draft->loop_count];
    *loop = lb_loop_default();
    draft->loop_lines[draft->loop_count++] = line;
    return loop;
}

/* inertia (xx yy zz xy xz yz) turned from the axes of `frame` to those it is given in: R I R^T */
static void turn_inertia(const lb_transform *frame, const double given[6], double turned[6])
{
    // the inertia's columns in the turned frame: R I
    lb_vec3 x = lb_transform_direction(frame, lb_vec3_make(given[0], given[3], given[4]));
    lb_vec3 y = lb_transform_direction(frame, lb_vec3_make(given[3], given[1], given[5]));
    lb_vec3 z = lb_transform_direction(frame, lb_vec3_make(given[4], given[5], given[2]));

    // its rows, turned in the same way, are the columns of (R I) R^T
    lb_vec3 row_x = lb_transform_direction(frame, lb_vec3_make(x.x, y.x, z.x));
    lb_vec3 row_y = lb_transform_direction(frame, lb_vec3_make(x.y, y.y, z.y));
    lb_vec3 row_z = lb_transform_direction(frame, lb_vec3_make(x.z, y.z, z.z));
    turned[0] = row_x.x;
    turned[1] = row_y.y;
    turned[2] = row_z.z;
    turned[3] = row_x.y;
    turned[4] = row_x.z;
    turned[5] = row_y.z;
}

void draft_set_inertia(lb_link *link, const lb_transform *frame, const double given[6])
{
    turn_inertia(frame, given, link->inertia);
    link->center = frame->p;
}

void draft_rest(lb_joint *joint)
{
    // a ball has a quaternion alone, a floating joint has it behind its three coordinates
    bool is_ball = joint->kind == LB_JOINT_BALL, is_floating = joint->kind == LB_JOINT_FLOATING;
    int numbers = is_ball ? 0 : is_floating ? 3 : lb_joint_kind_nq(joint->kind);
    memset(joint->value, 0, sizeof joint->value);
    for (int i = 0; i < numbers; i++)
        joint->value[i] = fmin(fmax(0, joint->lower[i]), joint->upper[i]);
    if (is_ball || is_floating)
        joint->value[numbers] = 1;
}

/* more than two turns in either direction, but no more than two in degrees, and round numbers */
static bool looks_like_degrees(double lower, double upper)
{
    double most = fmax(fabs(lower), fabs(upper));
    bool halves = 2 * lower == floor(2 * lower) && 2 * upper == floor(2 * upper);
    return most > 4 * LB_PI && most <= 720 && isfinite(lower) && isfinite(upper) && halves;
}

/* whether a joint's k-th pair of limits are angles */
static bool bounds_angle(const lb_joint *joint, int k)
{
    switch (joint->kind) {
    case LB_JOINT_REVOLUTE:
        return k == 0;
    case LB_JOINT_UNIVERSAL:
    case LB_JOINT_BALL:
        return k <= 1;
    case LB_JOINT_PLANAR:
        return k == 2;
    default:
        return false;
    }
}

static void warn_of_degrees(const model_draft *draft)
{
    for (int j = 0; j < draft->joint_count; j++)
        for (int k = 0; k < 3; k++) {
            const lb_joint *joint = &draft->joints[j];
            bool swing = joint->kind == LB_JOINT_BALL && k == 1;
            double lower = swing ? 0 : joint->lower[k], upper = joint->upper[k];
            if (bounds_angle(joint, k) && looks_like_degrees(lower, upper))
                warnings_add(draft->warnings, draft->joint_lines[j],
                             "joint '%.200s': limits %g .. %g are read in radians but look like "
                             "degrees, which would be %.6g .. %.6g",
                             joint->name, lower, upper, lower * LB_PI / 180, upper * LB_PI / 180);
        }
}

lb_status draft_build(model_draft *draft, const lb_allocator *allocator, lb_model **model,
                      lb_error *error)
{
    draft->source.links = draft->links;
    draft->source.link_count = draft->link_count;
    draft->source.joints = draft->joints;
    draft->source.joint_count = draft->joint_count;
    draft->source.joint_lines = draft->joint_lines;
    draft->source.link_lines = draft->link_lines;
    draft->source.loops = draft->loops;
    draft->source.loop_count = draft->loop_count;
    draft->source.loop_lines = draft->loop_lines;
    warn_of_degrees(draft);
    return lb_model_build(&draft->source, allocator, model, error);
}
