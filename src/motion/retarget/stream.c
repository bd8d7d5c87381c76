/*
 * stream.c - retargeting as the source moves: a frame in, a frame out.
 *
 * The solver goes on from the frame before, within what speeds and accelerations allow from there.
 */
#include "motion/retarget/stream.h"
#include "base/error.h"

#include <limber/kinematics.h>

#include <string.h>

/* the same of a jump of the source: what is lost for a second is elsewhere afterwards */
#define JUMP_FADE 0.5
/* metres that are no jump of a root yet: noise, between frames that are close to each other */
#define JUMP_FAR 0.05
/* seconds in which what no task decides goes over to the neutral configuration; what a task decides
   a thousand times less than a limb's direction follows within a third of it */
#define SETTLING 0.3
/* seconds: in a shorter frame held points stay near enough to their places for a descent that holds
   them fast; one that gives way to the whole first would come and go beside limits */
#define SHORT_FRAME 4e-3

/* ---- goals ------------------------------------------------------------------ */

/* what all goals are moved by, so that the root does not jump when the source does */
static void take_jump(lb_retarget_stream *s, double time)
{
    lb_vec3 root = s->solver.goals[0].place, moved = lb_vec3_sub(root, s->root);
    s->jumped = lb_vec3_scale(s->jumped, stream_decay(time, JUMP_FADE));
    if (s->phase == STREAM_RUNNING && lb_vec3_length(moved) > JUMP_FAR + STREAM_JUMP * time)
        s->jumped = lb_vec3_sub(s->jumped, moved);
    s->root = root;
}

static bool is_in_range(const lb_retarget_stream *s)
{
    for (int i = 0; i < s->map.count; i++) {
        const retarget_goal *goal = &s->solver.goals[i];
        if (!lb_transform_is_rigid(retarget_source_at(&s->plan, i), 1e-6) ||
            !(lb_vec3_length(goal->place) < LB_LENGTH_MAX / 4))
            return false;
    }
    return true;
}

/* the free goals of a configuration of the source; false: it is none */
static bool see_source(lb_retarget_stream *s, const double *source_q)
{
    int nq = lb_model_nq(lb_state_model(s->plan.state));
    for (int i = 0; i < nq; i++)
        if (!isfinite(source_q[i]))
            return false;
    s->plan.seen.row = -1;
    lb_state_update(s->plan.state, source_q);
    retarget_free_goals(&s->plan, s->map.count, s->solver.goals);
    return is_in_range(s);
}

static void move_goals(lb_retarget_stream *s)
{
    lb_vec3 by = s->jumped;
    by.z += ground_rise(&s->plan.ground, by);
    for (int i = 0; i < s->map.count; i++)
        s->solver.goals[i].place = lb_vec3_add(s->solver.goals[i].place, by);
}

/* ---- a frame ---------------------------------------------------------------- */

/* a stage's values go no farther from the frame before than they may */
static void bound_stage(lb_retarget_stream *s, retarget_stage stage, double time)
{
    for (int i = 0; i < s->value_count; i++) {
        const retarget_value *v = &s->values[i];
        const lb_joint *joint = lb_model_joint(s->plan.target, v->joint);
        bool root = joint->kind == LB_JOINT_FLOATING;
        double bounds[2], limits[2] = {root ? -INFINITY : joint->lower[v->value],
                                       root ? INFINITY : joint->upper[v->value]};
        body_bound_value(limits, &s->speeds[i], s->before[v->q], s->velocities[i], time, bounds);
        lb_body_set_limits(s->solver.bodies[stage], v->joint, v->value, bounds[0], bounds[1]);
    }
}

/* The posture is the frame before, on its way to neutral: what tasks leave open moves no faster
   than that, and where it ends does not depend on the rate. */
static void pull_stage(lb_retarget_stream *s, retarget_stage stage, double time)
{
    body_set_stiffness(s->solver.bodies[stage], RETARGET_POSTURE * (SETTLING + time) / time);
    lb_body_set_posture(s->solver.bodies[stage], s->try);
}

static bool is_placed(lb_retarget_stream *s)
{
    retarget_feet feet = retarget_measure_feet(&s->solver, s->solver.goals, s->q);
    return retarget_is_exact(&feet);
}

/* from the frame before to the goals, then with held points in their places */
static void solve_stream(lb_retarget_stream *s, double time)
{
    static const retarget_stage stages[] = {RETARGET_NEAR, RETARGET_EXACT, RETARGET_FOLLOW};
    lb_configuration_interpolate(s->plan.target, s->before, s->solver.neutral,
                                 1 - stream_decay(time, SETTLING), s->try);
    for (size_t i = 0; i < sizeof stages / sizeof *stages && s->phase == STREAM_RUNNING; i++) {
        bound_stage(s, stages[i], time);
        pull_stage(s, stages[i], time);
    }
    bool far = s->phase == STREAM_NEW || time > SHORT_FRAME;
    retarget_descend(&s->solver, far ? RETARGET_NEAR : RETARGET_FOLLOW, s->q, s->q);
    retarget_descend(&s->solver, RETARGET_EXACT, s->q, s->q);
    for (int round = 0; round < RETARGET_PRESSINGS && !is_placed(s); round++) {
        retarget_press_pose(&s->solver, s->q);
        retarget_descend(&s->solver, RETARGET_FOLLOW, s->q, s->q);
        retarget_descend(&s->solver, RETARGET_EXACT, s->q, s->q);
    }
}

/* Where feet can be neither flat nor above the ground otherwise, everything is lifted. */
static void lift_root(lb_retarget_stream *s)
{
    const lb_model *model = s->plan.target;
    int root = s->solver.root, parent = lb_model_parent(model, root + 1);
    retarget_feet feet = retarget_measure_feet(&s->solver, s->solver.goals, s->q);
    if (!(feet.below > 0) || lb_model_joint(model, root)->kind != LB_JOINT_FLOATING)
        return;
    lb_transform axes = lb_transform_multiply(&lb_state_transforms(s->solver.state)[parent],
                                              &lb_model_joint(model, root)->placement);
    lb_vec3 up = lb_vec3_make(0, 0, feet.below / s->plan.ground.normal.z);
    up = lb_quat_rotate(lb_quat_conjugate(lb_transform_quat(&axes)), up);
    double *at = s->q + lb_model_joint_q(model, root);
    at[0] += up.x, at[1] += up.y, at[2] += up.z;
}

/* how fast values were, and whether any could not be faster */
static void measure_values(lb_retarget_stream *s, double time)
{
    for (int i = 0; i < s->value_count; i++) {
        const retarget_value *v = &s->values[i];
        double change = s->q[v->q] - s->before[v->q];
        s->velocities[i] = time > 0 ? change / time : 0;
        s->frame.slowed = s->frame.slowed || fabs(change) >= (1 - 1e-9) * v->speed * time;
    }
}

/* a first frame that is given: goals are where the target is, and go over to the source's */
static void begin_at(lb_retarget_stream *s)
{
    const lb_transform *at = lb_state_transforms(s->solver.state);
    retarget_goal *goals = s->solver.goals;
    lb_state_update(s->solver.state, s->q);
    const lb_retarget_pair *root = &s->map.pairs[0];
    s->jumped = lb_vec3_sub(lb_transform_point(&at[root->target], root->target_point), s->root);
    s->jumped.z -= ground_rise(&s->plan.ground, s->jumped);
    move_goals(s);
    for (int f = 0; f < s->plan.foot_count; f++) {
        const lb_retarget_pair *pair = &s->map.pairs[s->plan.feet[f].pair];
        const retarget_goal *goal = &goals[s->plan.feet[f].pair];
        stream_foot *foot = &s->feet[f];
        foot->turn = lb_transform_quat(&at[pair->target]);
        foot->place = lb_transform_point(&at[pair->target], pair->target_point);
        foot->off_turn = lb_quat_multiply(foot->turn, lb_quat_conjugate(goal->turn));
        foot->off = ground_along(&s->plan.ground, lb_vec3_sub(foot->place, goal->place));
    }
}

/* the frame for the source's state, whose free goals are known */
static void make_frame(lb_retarget_stream *s, double time)
{
    s->frame = (lb_retarget_frame){.jumped = lb_vec3_length(s->jumped)};
    s->solver.iterations = 0;
    if (s->phase == STREAM_PLACED) {
        begin_at(s);
        return;
    }
    move_goals(s);
    stream_hold_feet(s, time);
    retarget_touch_goals(&s->plan, s->solver.goals + s->map.count);
    retarget_complete_goals(&s->plan, s->map.count, s->solver.goals);
    if (s->phase == STREAM_NEW)
        retarget_search_first(&s->solver, s->start, s->try, s->q);
    memcpy(s->before, s->q, (size_t)lb_model_nq(s->plan.target) * sizeof *s->q);
    solve_stream(s, time);
    lift_root(s);
    if (s->phase == STREAM_RUNNING)
        measure_values(s, time);
    stream_settle_feet(s);
    s->frame.iterations = s->solver.iterations;
}

lb_status lb_retarget_stream_next(lb_retarget_stream *s, double time, const double *source_q,
                                  double *target_q, lb_retarget_frame *frame)
{
    if (s == NULL || source_q == NULL || target_q == NULL)
        return LB_INVALID_ARGUMENT;
    double since = s->phase == STREAM_RUNNING ? time - s->time : 0;
    if (!isfinite(time) || !(since >= 0) || !isfinite(since))
        return LB_BAD_VALUE;
    // at the same time nothing may move
    if (s->phase != STREAM_RUNNING || since > 0) {
        if (!see_source(s, source_q))
            return LB_BAD_VALUE;
        take_jump(s, since);
        make_frame(s, since);
        s->time = time;
        s->phase = STREAM_RUNNING;
    }
    memcpy(target_q, s->q, (size_t)lb_model_nq(s->plan.target) * sizeof *target_q);
    if (frame != NULL)
        *frame = s->frame;
    return LB_OK;
}

/* ---- starting again ------------------------------------------------------ */

/* the next frame is the first; limits are the model's */
static void stream_clear(lb_retarget_stream *s)
{
    memset(s->feet, 0, sizeof s->feet);
    for (int i = 0; i < LB_RETARGET_PAIRS; i++)
        s->feet[i].off_turn = s->feet[i].turn = LB_QUAT_IDENTITY;
    for (int i = 0; i < s->value_count; i++)
        s->velocities[i] = 0;
    s->jumped = lb_vec3_make(0, 0, 0);
    s->phase = STREAM_NEW;
}

/* what frames have narrowed and stiffened is as at first */
static void free_values(lb_retarget_stream *s)
{
    for (int stage = 0; stage < RETARGET_STAGES; stage++) {
        body_set_stiffness(s->solver.bodies[stage], RETARGET_POSTURE);
        lb_body_set_posture(s->solver.bodies[stage], s->solver.neutral);
    }
    for (int i = 0; i < s->value_count; i++)
        for (int stage = 0; stage < RETARGET_STAGES; stage++)
            lb_body_set_limits(s->solver.bodies[stage], s->values[i].joint, s->values[i].value,
                               -INFINITY, INFINITY);
}

lb_status lb_retarget_stream_reset(lb_retarget_stream *s, const double *target_q)
{
    if (s == NULL)
        return LB_INVALID_ARGUMENT;
    for (int i = 0; target_q != NULL && i < lb_model_nq(s->plan.target); i++)
        if (!isfinite(target_q[i]))
            return LB_BAD_VALUE;
    stream_clear(s);
    free_values(s);
    if (target_q == NULL)
        return LB_OK;
    lb_configuration_clamp(s->plan.target, target_q, s->q);
    s->phase = STREAM_PLACED;
    return LB_OK;
}

/* ---- making -------------------------------------------------------------- */

/*
 * Making a stream: what is known of the source before it moves.
 */

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
        s->speeds[i] = (body_speed){speed, retarget_largest_bend(&s->plan, s->values[i].joint)};
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

static lb_status prepare(lb_retarget_stream *s, lb_error *error)
{
    TRY(retarget_prepare(&s->plan, &s->solver, error));
    TRY(take_rows(s, error));
    for (int stage = RETARGET_NEAR; stage < RETARGET_STAGES; stage++)
        body_cap_iterations(s->solver.bodies[stage], FRAME_ITERATIONS);
    return LB_OK;
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
        status = retarget_pose_clip(source, s->options.rest, memory, &pose, error);
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
    TRY(REQUIRE_TO_MAKE(stream, error, {source, "source"}, {target, "target"}));
    TRY(retarget_check_options(&o, error));
    if (calibration != NULL && lb_clip_model(calibration) != source)
        return REFUSE_ARGUMENT(error, "the calibration is of another model than the source");
    lb_allocator memory;
    lb_retarget_stream *s = memory_pool_object(sizeof *s, allocator, &memory);
    TRY(require_memory(error, s));
    o.contacts = NULL;
    o.smooth = 0; // frames are solved as they come
    o.smooth = 0; // frames are solved as they come
    s->options = o;
    s->plan =
        (retarget_plan){.memory = memory, .target = target, .options = &s->options, .map = &s->map};
    s->plan.source_ground = ground_make(0, o.detect.ground_normal);
    lb_status status = calibrate(s, source, calibration, error);
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
    memory_pool_release(s);
}
