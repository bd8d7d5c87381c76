/*
 * stream_create.c - making a stream: what is known of the source before it moves.
 */
#include "motion/retarget/stream.h"

#include <limber/kinematics.h>

#include <string.h>

/* iterations of a descent in a frame: mostly two are needed, and where many are, as after a jump,
   frames that follow go on */
#define FRAME_ITERATIONS 8

lb_status lb_retarget_stream_set_acceleration(lb_retarget_stream *s, int joint, double acceleration)
{
    if (s == NULL || joint < 0 || joint >= lb_model_joint_count(s->plan.target))
        return LB_INVALID_ARGUMENT;
    if (!(acceleration > 0))
        return LB_BAD_VALUE;
    for (int i = 0; i < s->value_count; i++)
        if (s->values[i].joint == joint && joint != s->solver.root)
            s->speeds[i].acceleration = acceleration;
    return LB_OK;
}

const lb_contact_point *lb_retarget_stream_points(const lb_retarget_stream *s, int *n)
{
    *n = s == NULL ? 0 : s->point_count;
    return s == NULL ? NULL : s->points;
}

static void list_points(lb_retarget_stream *s)
{
    for (int f = 0; f < s->plan.foot_count; f++) {
        const lb_retarget_pair *pair = &s->map.pairs[s->plan.feet[f].pair];
        for (int k = 0; k < pair->held_count && !retarget_is_palm(pair); k++)
            s->points[s->point_count++] =
                (lb_contact_point){.link = pair->target, .at = pair->held[k].at};
    }
}

/* the root's place goes no faster than a source that has not jumped */
static void add_root(lb_retarget_stream *s)
{
    int root = s->solver.root, at = lb_model_joint_q(s->plan.target, root);
    bool floats = lb_model_joint(s->plan.target, root)->kind == LB_JOINT_FLOATING;
    for (int k = 0; k < 3 && floats; k++) {
        s->speeds[s->value_count] = (body_speed){STREAM_JUMP, INFINITY};
        s->values[s->value_count++] =
            (retarget_value){.q = at + k, .joint = root, .value = k, .speed = STREAM_JUMP};
    }
}

static lb_status take_rows(lb_retarget_stream *s, lb_error *error)
{
    const lb_allocator *memory = &s->plan.memory;
    size_t nq = (size_t)lb_model_nq(s->plan.target);
    s->q = memory_take(memory, nq, sizeof *s->q);
    s->before = memory_take(memory, nq, sizeof *s->before);
    s->try = memory_take(memory, nq, sizeof *s->try);
    s->values = memory_take(memory, nq, sizeof *s->values);
    s->speeds = memory_take(memory, nq, sizeof *s->speeds);
    s->velocities = memory_take(memory, nq, sizeof *s->velocities);
    if (s->options.start != NULL)
        s->start = memory_take(memory, nq, sizeof *s->start);
    if (memory_pool_failed(memory))
        return error_out_of_memory(error);
    if (s->start != NULL)
        memcpy(s->start, s->options.start, nq * sizeof *s->start);
    s->value_count = retarget_list_values(&s->plan, s->values);
    for (int i = 0; i < s->value_count; i++) {
        double speed = s->options.any_speed ? INFINITY : s->values[i].speed;
        s->values[i].speed = speed;
        s->speeds[i] = (body_speed){speed, INFINITY};
    }
    add_root(s);
    return LB_OK;
}

/* z of the lowest sole of a source at rest, else of its lowest point that is held */
static lb_status find_low(lb_retarget_stream *s, double *low, lb_error *error)
{
    lb_contacts *soles = NULL;
    const lb_contacts *points = s->plan.contacts;
    lb_status status = lb_rig_soles(lb_state_model(s->plan.state), s->options.rest, &s->plan.memory,
                                    &soles, error);
    if (status != LB_OK && status != LB_BAD_MODEL)
        return status;
    if (soles != NULL)
        points = soles;
    *low = INFINITY;
    for (int i = 0; i < lb_contacts_count(points); i++) {
        const lb_contact_point *p = &lb_contacts_points(points)[i];
        const lb_transform *at = &lb_state_transforms(s->plan.state)[p->link];
        *low = fmin(*low, lb_transform_point(at, p->at).z);
    }
    return LB_OK;
}

/* a source of which only its pose at rest is known stands on the ground with its soles */
static lb_status stand_on_ground(lb_retarget_stream *s, lb_error *error)
{
    double low = 0;
    lb_contacts *points = s->plan.contacts;
    if (points == NULL)
        return LB_OK;
    lb_state_update(s->plan.state, lb_clip_key(s->plan.source, 0));
    lb_status status = find_low(s, &low, error);
    for (int i = 0; i < lb_contacts_count(points) && status == LB_OK; i++) {
        lb_contact_point point = lb_contacts_points(points)[i];
        point.height -= low;
        status = lb_contacts_move(points, i, &point, error);
    }
    s->plan.base_source -= low;
    return status;
}

/* the pose at rest as a clip */
static lb_status make_pose(const lb_model *source, const double *rest, const lb_allocator *memory,
                           lb_clip **clip, lb_error *error)
{
    double zero = 0, *q = memory_take(memory, (size_t)lb_model_nq(source), sizeof *q);
    if (q == NULL)
        return error_out_of_memory(error);
    lb_configuration_neutral(source, q);
    lb_status status = lb_clip_create(source, &zero, rest != NULL ? rest : q, 1,
                                      LB_INTERPOLATION_LINEAR, memory, clip, error);
    return status;
}

static lb_status prepare(lb_retarget_stream *s, lb_error *error)
{
    lb_status status = retarget_prepare(&s->plan, &s->solver, error);
    if (status == LB_OK)
        status = take_rows(s, error);
    for (int stage = RETARGET_NEAR; stage < RETARGET_STAGES && status == LB_OK; stage++)
        body_cap_iterations(s->solver.bodies[stage], FRAME_ITERATIONS);
    return status;
}

/* everything that is known of the source; the clips are not needed afterwards */
static lb_status calibrate(lb_retarget_stream *s, const lb_model *source,
                           const lb_clip *calibration, lb_error *error)
{
    const lb_allocator *memory = &s->plan.memory;
    lb_clip *pose = NULL;
    lb_status status = LB_OK;
    if (calibration != NULL)
        status = retarget_take_rest(calibration, s->options.map, memory, &s->options.rest, error);
    else
        status = make_pose(source, s->options.rest, memory, &pose, error);
    s->plan.source = calibration != NULL ? calibration : pose;
    if (status == LB_OK)
        status = prepare(s, error);
    if (status == LB_OK && pose != NULL)
        status = stand_on_ground(s, error);
    s->plan.source = NULL;
    s->options.rest = NULL;
    return status;
}

lb_status lb_retarget_stream_create(const lb_model *source, const lb_clip *calibration,
                                    const lb_model *target, const lb_retarget_options *options,
                                    const lb_allocator *allocator, lb_retarget_stream **stream,
                                    lb_error *error)
{
    lb_retarget_options o = options != NULL ? *options : lb_retarget_options_default();
    lb_status status = REQUIRE(error, {source, "source"}, {target, "target"}, {stream, "stream"});
    if (stream != NULL)
        *stream = NULL;
    if (status == LB_OK)
        status = retarget_check_options(&o, error);
    if (status == LB_OK && calibration != NULL && lb_clip_model(calibration) != source)
        status = lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                              "the calibration is of another model than the source");
    if (status != LB_OK)
        return status;
    lb_allocator memory = memory_allocator(allocator);
    lb_retarget_stream *s = memory_take(&memory, 1, sizeof *s);
    if (s == NULL)
        return error_out_of_memory(error);
    o.contacts = NULL;
    s->options = o;
    s->plan = (retarget_plan){.memory = memory_pool_begin(&s->pool, allocator),
                              .target = target,
                              .options = &s->options,
                              .map = &s->map};
    s->plan.source_ground = ground_make(0, o.detect.ground_normal);
    status = calibrate(s, source, calibration, error);
    list_points(s);
    stream_clear(s);
    if (status == LB_OK)
        *stream = s;
    else
        lb_retarget_stream_release(s);
    return status;
}

void lb_retarget_stream_release(lb_retarget_stream *s)
{
    if (s == NULL)
        return;
    lb_allocator memory = s->pool.from;
    memory_pool_end(&s->pool);
    memory_release(&memory, s);
}
