/*
 * timing.c - the fastest motion along a path within the limits of joints and tool.
 *
 * The path is followed, cut where it has corners, and each part made a smooth curve and given
 * its profile. What is sampled is then measured as a controller would, and slowed down by what
 * it is too fast: the fraction of a percent by which limits were exceeded between the places that
 * the profile looked at.
 */
#include <limber/timing.h>

#include "base/error.h"
#include "base/memory.h"
#include "kinematics/assembly.h"
#include "math/scalar.h"
#include "model/layout.h"
#include "model/view.h"
#include "motion/path.h"
#include "motion/timing.h"

#include <string.h>

/* cells of a profile, for each span of the path */
enum { CELLS = 192, CELLS_SHARES = 384, CELLS_MOST = 1536 };
/* how much slower than its profile a motion may be, before it gets more cells; so that it is not
   even tried with fewer; and with more than CELLS_SHARES before its curves get a pace of their own
 */
#define SLOWER 1.002
#define SLOWER_FAR 3
#define SLOWER_SHARES 1.1
/* of joints that have no limits: radians or metres a second, and seconds */
#define SPEED 1
#define TO_SPEED 0.25
#define TO_ACCELERATION 0.1
/* limits and rates beyond these are mistakes, and a motion of more samples has no use */
#define LEAST 1e-9
#define MOST 1e9
#define RATE_MOST 1e5
enum { SAMPLES_MOST = 1000000 };
/* the descent beside the guess is to leave rounding alone */
#define SOLVED 1e-12
/* what takes longer is beside a singularity */
enum { ITERATIONS = 32 };
/* radians or metres inside the limits that are followed: a curve through knots at a limit may
   swing beyond it; ranges narrower than ROOM have no margin */
#define MARGIN 1e-5
#define ROOM 1e-3

lb_timing lb_timing_default(lb_task task, const lb_path *path)
{
    return (lb_timing){.follow = lb_follow_default(task, path, 1),
                       .rate = 1000,
                       .speed = INFINITY,
                       .acceleration = INFINITY,
                       .jerk = INFINITY,
                       .angular_speed = INFINITY};
}

/* ---- checking --------------------------------------------------------------- */

static lb_status check(const lb_timing *how, lb_error *error)
{
    const struct {
        const char *name;
        double value;
        bool infinite; /* may be */
    } numbers[] = {{"rate", how->rate, false},
                   {"speed", how->speed, true},
                   {"acceleration", how->acceleration, true},
                   {"jerk", how->jerk, true},
                   {"angular speed", how->angular_speed, true}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i].value >= LEAST && numbers[i].value <= (i == 0 ? RATE_MOST : MOST)) &&
            !(isinf(numbers[i].value) && numbers[i].value > 0 && numbers[i].infinite))
            return REFUSE_ARGUMENT(error, "the %s is %g but must be a number above 0, %g to %g",
                                   numbers[i].name, numbers[i].value, LEAST,
                                   i == 0 ? RATE_MOST : MOST);
    return how->follow.path ? LB_OK : REFUSE_ARGUMENT(error, "there is no path");
}

/* ---- limits of joints --------------------------------------------------------- */

static void narrow(timing_run *r, int joint, const double limits[3])
{
    const lb_model *model = r->source.model;
    int from = lb_model_joint_q(model, joint);
    int count = from < 0 ? 0 : lb_joint_kind_nq(lb_model_joint(model, joint)->kind);
    for (int i = 0; i < 3 * count; i++)
        r->limits[3 * from + i] = scalar_min(r->limits[3 * from + i], limits[i % 3]);
}

/* the part that a number of q belongs to, which for a quaternion has four */
static const model_part *part_of(const timing_source *source, int i)
{
    const model_part *part = model_part_at(source->model, i);
    return part->q > i ? part - 1 : part;
}

/* whether loops move it */
static bool is_dependent(const timing_source *source, const model_part *part)
{
    bool any = false;
    for (int k = 0; source->assembly && k < (part->kind == MODEL_BALL ? 3 : 1); k++)
        any = any || source->assembly->is_dependent[part->v + k];
    return any;
}

/* speeds are the view's, with those of the settings and of mimic joints; what loops move has no
   motor, and no other limits than those that are given */
static lb_status find_limits(timing_run *r, const lb_joint_setting *settings, int count)
{
    const lb_model *model = r->source.model;
    for (int i = 0; i < 3 * r->source.nq; i++)
        r->limits[i] = INFINITY;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (!lb_model_joint(model, j)->mimic)
            narrow(r, j, (double[]){lb_model_joint(model, j)->velocity, INFINITY, INFINITY});
    for (int i = 0; i < count; i++) {
        const lb_joint_setting s = view_setting(model, &settings[i]);
        narrow(r, s.joint, (double[]){INFINITY, s.acceleration, s.jerk});
    }
    for (int i = 0; i < r->source.nq; i++) {
        double *limit = r->limits + 3 * i;
        if (is_dependent(&r->source, part_of(&r->source, i)))
            continue;
        limit[0] = isinf(limit[0]) ? SPEED : limit[0];
        limit[1] = isinf(limit[1]) ? limit[0] / TO_SPEED : limit[1];
        limit[2] = isinf(limit[2]) ? limit[1] / TO_ACCELERATION : limit[2];
    }
    return LB_OK;
}

/* ---- limits of values --------------------------------------------------------- */

/* the state; and what is followed: the view with a margin, of arms with joints to spare: they run
   along limits, with kinks where they come to them, and others go where they have to */
static lb_status make_margin(timing_run *r, const double *start)
{
    r->source.inner = r->source.model;
    if (lb_state_create(r->source.model, &r->source.memory, &r->source.state) != LB_OK)
        return error_out_of_memory(r->error);
    lb_transform begin = lb_path_at(r->source.path, 0);
    lb_mobility mobility = lb_task_mobility(r->source.state, &r->source.task, &begin);
    if (mobility.velocities <= mobility.constraints)
        return LB_OK;
    const lb_model *model = r->source.model;
    int joints = lb_model_joint_count(model), count = 0;
    lb_joint_setting *settings = memory_take(&r->source.memory, (size_t)joints, sizeof *settings);
    TRY(require_memory(r->error, settings));
    for (int j = 0; j < joints; j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (joint->mimic || joint->kind == LB_JOINT_FIXED || joint->kind == LB_JOINT_BALL)
            continue;
        lb_joint_setting *s = &settings[count++];
        *s = lb_joint_setting_make(j);
        const double *at = start + lb_model_joint_q(model, j);
        // the path begins at the start, also where that is at a limit
        for (int k = 0; k < lb_joint_kind_nq(joint->kind) && k < 3; k++)
            if (joint->upper[k] - joint->lower[k] > ROOM && at[k] > joint->lower[k] + MARGIN &&
                at[k] < joint->upper[k] - MARGIN) {
                s->lower[k] = joint->lower[k] + MARGIN;
                s->upper[k] = joint->upper[k] - MARGIN;
            }
    }
    lb_model *inner;
    lb_status status = lb_model_view(model, settings, count, &r->source.memory, &inner, r->error);
    r->source.inner = inner;
    return status;
}

/* ---- following ---------------------------------------------------------------- */

static lb_status make_source(timing_run *r, const lb_timing *how, lb_follow *follow)
{
    timing_source *source = &r->source;
    size_t nq = (size_t)source->nq;
    int spans =
        how->follow.path->count < TIMING_SPANS_MOST ? how->follow.path->count : TIMING_SPANS_MOST;
    *follow = lb_follow_default(how->follow.task, how->follow.path, spans * TIMING_FRAMES + 1);
    follow->any_start = how->follow.any_start;
    follow->options = how->follow.options;
    follow->options.joints = NULL;
    follow->options.joint_count = 0;
    follow->on_jump = LB_JUMP_STOP;
    source->moving = memory_take(&source->memory, nq, sizeof(int));
    source->row = memory_take(&source->memory, nq, sizeof(double));
    source->value = memory_take(&source->memory, 4 * (nq + TIMING_TOOL), sizeof(double));
    r->limits = memory_take(&source->memory, 3 * nq, sizeof(double));
    r->channels = memory_take(&source->memory, nq + 2, sizeof *r->channels);
    r->history = memory_take(&source->memory, 4 * (nq + TIMING_TOOL), sizeof(double));
    if (memory_pool_failed(&source->memory))
        return error_out_of_memory(r->error);
    TRY(assembly_of(source->model, &source->memory, &source->assembly, r->error));
    lb_ik_options one = follow->options;
    one.protocol = LB_PROTOCOL_GIVEN;
    one.seeds = 0;
    one.gains = one.desired = NULL;
    one.method = NULL;
    one.position_tolerance = one.rotation_tolerance = SOLVED;
    one.iterations = ITERATIONS;
    return lb_ik_create(source->inner, &source->task, 1, &one, &source->memory, &source->ik,
                        r->error);
}

/* ---- what is bounded ------------------------------------------------------------ */

static void add_channel(timing_run *r, int first, int count, const double limits[3])
{
    profile_channel *c = &r->channels[r->channel_count++];
    *c = (profile_channel){.first = first, .count = count};
    memcpy(c->limits, limits, sizeof c->limits);
}

static bool is_moving(const timing_source *source, int i)
{
    for (int f = 1; f < source->frames; f++)
        if (source->q[(size_t)f * (size_t)source->nq + (size_t)i] != source->q[i])
            return true;
    return false;
}

/* the values that change, each with its limits, and the tool's place and turn */
static lb_status list_moving(timing_run *r)
{
    timing_source *source = &r->source;
    static const char *const names[] = {"speed", "acceleration", "jerk"};
    const double tool[3] = {r->how->speed, r->how->acceleration, r->how->jerk};
    const double turn[3] = {r->how->angular_speed, INFINITY, INFINITY};
    int count = 0;
    for (int i = 0; i < source->nq; i++) {
        const model_part *part = part_of(source, i);
        const int numbers = part->kind == MODEL_BALL ? 4 : 1;
        bool moves = false;
        for (int k = 0; k < numbers; k++)
            moves = moves || is_moving(source, part->q + k);
        if (!moves)
            continue;
        if (numbers > 1 && !is_dependent(source, part))
            return REFUSE_UNSUPPORTED(r->error,
                                      "joint '%s' moves and has a quaternion: only joints that "
                                      "turn or slide can be timed, and those that loops move; "
                                      "lock it",
                                      source->model->joints[part->joint].name);
        for (int k = 0; k < 3; k++)
            if (r->limits[3 * i + k] < LEAST)
                return REFUSE_VALUE(r->error,
                                    "joint '%s' has to move, but its %s is limited to %g; lock it, "
                                    "or give the model another limit",
                                    source->model->joints[part->joint].name, names[k],
                                    r->limits[3 * i + k]);
        // the derivative of a quaternion is half as long as the angular velocity
        double limits[3];
        for (int k = 0; k < 3; k++)
            limits[k] = r->limits[3 * i + k] / (numbers > 1 ? 2 : 1);
        add_channel(r, count, numbers, limits);
        for (int k = 0; k < numbers; k++)
            source->moving[count++] = i + k;
        i += numbers - 1;
    }
    add_channel(r, count, 3, tool);
    add_channel(r, count + 3, 3, turn);
    source->columns = count + TIMING_TOOL;
    return LB_OK;
}

/* ---- samples -------------------------------------------------------------------- */

/* each part's steps, so many times slower than its profile, up to whole steps; false: too many */
static bool place_samples(timing_run *r, double slower)
{
    r->samples = 1;
    for (int i = 0; i < r->part_count; i++) {
        timing_part *part = &r->parts[i];
        double steps = ceil(part->profile.times[part->profile.cells] * slower * r->how->rate);
        part->first = r->samples - 1;
        if (!(r->samples + steps <= SAMPLES_MOST))
            return false;
        part->steps = steps < 1 ? 1 : (int)steps;
        r->samples += part->steps;
    }
    return true;
}

/* fills source.row with a sample's configuration */
static void sample(timing_run *r, int index)
{
    double s1, s2, s3;
    if (r->part_count == 0)
        return;
    // the last part that begins no later
    int i = 0, after = r->part_count;
    while (after - i > 1) {
        int middle = i + (after - i) / 2;
        if (r->parts[middle].first > index)
            after = middle;
        else
            i = middle;
    }
    const timing_part *part = &r->parts[i];
    const profile *p = &part->profile;
    double time = p->times[p->cells] * (index - part->first) / part->steps;
    double tau = index == part->first + part->steps ? 1 : profile_at(p, time);
    timing_curve_at(&part->curve, &r->source, timing_ease(tau, &s1, &s2, &s3));
}

/* what is bounded, of the configuration in source.row: the moving values, the tool's place and the
   sum of its turns from sample to sample, of which `before` is the last */
static void observe(timing_run *r, const double *before, lb_transform *axes, double *values)
{
    timing_source *source = &r->source;
    int count = source->columns - TIMING_TOOL;
    lb_vec3 turn = timing_turn(source, axes);
    for (int i = 0; i < count; i++)
        values[i] = source->row[source->moving[i]];
    lb_vec3 p =
        lb_state_point(source->state, source->task.tip, source->task.base, source->task.tool.p);
    const double *turned = before + count + 3;
    memcpy(values + count,
           (double[]){p.x, p.y, p.z, turned[0] + turn.x, turned[1] + turn.y, turned[2] + turn.z},
           TIMING_TOOL * sizeof *values);
}

/* differences of the last four samples, as shares of their limits: the largest of each kind */
static void compare(const timing_run *r, double most[3])
{
    size_t w = (size_t)r->source.columns;
    const double *a = r->history, *b = a + w, *c = b + w, *d = c + w;
    double rate = r->how->rate;
    for (int i = 0; i < r->channel_count; i++) {
        const profile_channel *channel = &r->channels[i];
        double squares[3] = {0, 0, 0};
        for (int k = channel->first; k < channel->first + channel->count; k++) {
            double v = (d[k] - c[k]) * rate, before = (c[k] - b[k]) * rate;
            double acceleration = (v - before) * rate;
            double last = (before - (b[k] - a[k]) * rate) * rate;
            double jerk = (acceleration - last) * rate;
            squares[0] += v * v;
            squares[1] += acceleration * acceleration;
            squares[2] += jerk * jerk;
        }
        for (int k = 0; k < 3; k++)
            most[k] = scalar_max(most[k], sqrt(squares[k]) / channel->limits[k]);
    }
}

/* the largest speed, acceleration and jerk of all samples, and of the rest before and after */
static void measure(timing_run *r, double most[3])
{
    size_t w = (size_t)r->source.columns;
    lb_transform axes = LB_TRANSFORM_IDENTITY;
    most[0] = most[1] = most[2] = 0;
    for (int k = 0; k < r->samples + 3; k++) {
        memmove(r->history, r->history + w, 3 * w * sizeof *r->history);
        if (k < r->samples) {
            sample(r, k);
            observe(r, r->history + 2 * w, &axes, r->history + 3 * w);
        }
        for (size_t i = 0; k == 0 && i < 3; i++)
            memcpy(r->history + i * w, r->history + 3 * w, w * sizeof *r->history);
        compare(r, most);
    }
}

/* a cube root from above, by Newton's method */
static double cube_root(double x)
{
    double y = x > 1 ? x : 1;
    for (int i = 0; i < 200; i++) {
        double next = (2 * y + x / (y * y)) / 3;
        if (!(next < y))
            break;
        y = next;
    }
    return y;
}

/* slows the motion down until its samples keep all limits, or by more than is wanted; returns by
   how much, INFINITY: there are more samples than have any use */
static double settle(timing_run *r, double most_wanted)
{
    // beyond rounding, so that samples as they are read back from text are within, too
    const double margin = 1 + 1e-7;
    double slower = 1, most[3] = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < 40 && slower <= most_wanted; i++) {
        if (!place_samples(r, slower))
            return INFINITY;
        measure(r, most);
        double by = scalar_max(scalar_max(most[0], sqrt(most[1])), cube_root(most[2]));
        if (most[0] <= 1 && most[1] <= 1 && most[2] <= 1)
            break;
        // parts have whole steps: less than one more of them would change nothing
        slower *= scalar_max(by * margin, 1 + 1.0 / (r->samples - 1));
    }
    r->result->velocity = most[0];
    r->result->acceleration = most[1];
    r->result->jerk = most[2];
    r->result->samples = r->samples;
    r->result->duration = (r->samples - 1) / r->how->rate;
    return slower;
}

static bool fill_key(void *user, int key, double *time, double *q)
{
    timing_run *r = user;
    *time = key / r->how->rate;
    sample(r, key);
    memcpy(q, r->source.row, sizeof *q * (size_t)r->source.nq);
    return true;
}

/* ---- the whole ------------------------------------------------------------------ */

/* whether the curves are as near to the path as is promised; else the result says that they are not
 */
static bool are_near(lb_timing_result *result)
{
    if (result->position_error <= TIMING_OFF && result->rotation_error <= TIMING_OFF)
        return true;
    result->outcome = LB_STALLED;
    result->frame.result.reason = LB_REASON_LIMITS;
    return false;
}

/* whether the samples keep the limits that they are measured by */
static bool are_kept(lb_timing_result *result)
{
    if (result->velocity <= 1 && result->acceleration <= 1 && result->jerk <= 1)
        return true;
    result->outcome = LB_EXHAUSTED;
    result->frame.result.reason = LB_REASON_BUDGET;
    return false;
}

/* profiles in more and more cells, as a coarse one exceeds limits that are narrow along the path
   between its places; *slower is by how much the samples have to be slowed down. What comes after
   the `last` curves may be far slower */
static lb_status settle_profiles(timing_run *r, bool last, double *slower)
{
    lb_status status = LB_OK;
    *slower = INFINITY;
    for (int cells = CELLS; cells <= CELLS_MOST && *slower > SLOWER; cells *= 2) {
        status = timing_make_profiles(r, cells);
        if (status != LB_OK || (!last && cells > CELLS_SHARES && *slower > SLOWER_SHARES))
            break;
        *slower = settle(r, last && cells == CELLS_MOST ? INFINITY : SLOWER_FAR);
    }
    return status;
}

static lb_status time_path(timing_run *r, const double *start, lb_clip **clip)
{
    lb_follow follow;
    const lb_timing *how = r->how;
    TRY(make_source(r, how, &follow));
    TRY(find_limits(r, how->follow.options.joints, how->follow.options.joint_count));
    TRY(timing_cut(r));
    TRY(timing_follow(r, &follow, start));
    if (r->result->outcome != LB_REACHED)
        return LB_OK;
    TRY(list_moving(r));
    double slower = INFINITY;
    // joints that suddenly turn far need another pace than the path's
    for (int round = 0; round < 2 && slower > SLOWER_SHARES; round++) {
        TRY(timing_make_curves(r, round == 1));
        if (!are_near(r->result))
            return LB_OK;
        bool paced = true;
        for (int i = 0; i < r->part_count; i++)
            paced = paced && r->parts[i].curve.paced;
        round = paced ? 1 : round;
        TRY(settle_profiles(r, round == 1, &slower));
    }
    if (isinf(slower))
        return REFUSE_UNSUPPORTED(
            r->error,
            "the motion would have more than %d samples; raise its limits, or "
            "lower its rate",
            (int)SAMPLES_MOST);
    return are_kept(r->result)
               ? lb_clip_generate(r->model, r->samples, fill_key, r, LB_INTERPOLATION_CUBIC,
                                  r->allocator, clip, r->error)
               : LB_OK;
}

lb_status lb_timing_make(const lb_model *model, const lb_timing *how, const double *start,
                         const lb_allocator *allocator, lb_clip **clip, lb_timing_result *result,
                         lb_error *error)
{
    TRY(REQUIRE(error, {clip, "clip"}, {result, "result"}));
    *clip = NULL;
    *result = (lb_timing_result){.outcome = LB_INVALID};
    TRY(REQUIRE(error, {model, "model"}, {how, "how"}, {start, "start"}));
    TRY(check(how, error));
    MEMORY_POOL(memory, allocator);
    timing_run r = {
        .how = how, .model = model, .result = result, .error = error, .allocator = allocator};
    r.source = (timing_source){.memory = memory,
                               .model = model,
                               .task = how->follow.task,
                               .path = how->follow.path,
                               .nq = lb_model_nq(model)};
    const lb_joint_setting *joints = how->follow.options.joints;
    int count = how->follow.options.joint_count;
    TRY(view_take(&joints, &count, &r.source.memory, &r.source.model, &r.view, error));
    TRY(make_margin(&r, start));
    TRY(time_path(&r, start, clip));
    if (result->outcome == LB_REACHED || r.source.inner == r.source.model)
        return LB_OK;
    // a path may have to end where the margin is
    r.source.inner = r.source.model;
    r.source.frames = r.part_count = r.channel_count = 0;
    const lb_timing_result within = *result;
    *result = (lb_timing_result){.outcome = LB_INVALID};
    TRY(time_path(&r, start, clip));
    if (result->outcome != LB_REACHED && within.share > result->share)
        *result = within;
    return LB_OK;
}
