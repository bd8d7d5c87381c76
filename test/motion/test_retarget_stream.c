/*
 * test_retarget_stream.c - a target that follows its source frame by frame: what holds in every
 * frame, whatever the source does; that no frame depends on a later one; and that the motion is
 * that of lb_retarget() but for what only a look ahead can do.
 */
#include <limber/retarget.h>

#include "motion/capture.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/gait.h>

/* metres that a held point may move along the ground, be lifted where its foot cannot lie flat, and
   that any may be below the ground */
#define SLIDE 1e-4
#define LIFTED 1e-2
#define BELOW 1e-6
/* rounding */
#define SHARE (1 + 1e-9)

/* A stream that is fed with poses of its source. */
typedef struct played {
    const lb_model *source, *target;
    lb_retarget_stream *stream;
    int frames, nq;
    double *times, *keys; /* frames, frames x nq */
    lb_retarget_frame *reports;
} played;

/* with room for one frame more than `most` */
static played begin_play(const lb_model *source, const lb_clip *calibration, const lb_model *target,
                         const lb_retarget_options *options, int most)
{
    played p = {.source = source, .target = target, .nq = lb_model_nq(target)};
    if (lb_retarget_stream_create(source, calibration, target, options, NULL, &p.stream, &cause) !=
        LB_OK)
        fail_msg("%s", cause.message);
    p.times = calloc((size_t)most + 1, sizeof *p.times);
    p.keys = calloc((size_t)((most + 1) * p.nq), sizeof *p.keys);
    p.reports = calloc((size_t)most + 1, sizeof *p.reports);
    return p;
}

static void end_play(played *p)
{
    lb_retarget_stream_release(p->stream);
    free(p->times);
    free(p->keys);
    free(p->reports);
}
#define owned_played __attribute__((cleanup(end_play))) played

static double *key_of(const played *p, int frame)
{
    return p->keys + (size_t)(frame * p->nq);
}

static void play_pose(played *p, double time, const double *q)
{
    int i = p->frames++;
    p->times[i] = time;
    assert_ok(lb_retarget_stream_next(p->stream, time, q, key_of(p, i), &p->reports[i]));
}

/* The time of a frame. */
typedef double frame_time(int frame, lb_random *random);

static double at_30(int frame, lb_random *random)
{
    (void)random;
    return frame / 30.0;
}

static double at_250(int frame, lb_random *random)
{
    (void)random;
    return frame / 250.0;
}

/* uneven, with some frames at one time and some that are missing */
static double at_random(int frame, lb_random *random)
{
    static double time = 0;
    double u = lb_random_unit(random);
    time = frame == 0 ? 0 : time + (u < 0.1 ? 0 : u < 0.9 ? 0.02 * u : u < 0.98 ? 0.1 : 0.4);
    return time;
}

static played play(const lb_clip *clip, const lb_model *target, frame_time *time, int most)
{
    const lb_model *source = lb_clip_model(clip);
    played p = begin_play(source, clip, target, NULL, most);
    owned double *q = calloc((size_t)lb_model_nq(source), sizeof *q);
    lb_random random = lb_random_seed(5);
    for (int i = 0; i < most; i++) {
        double t = time(i, &random);
        if (t > lb_clip_end(clip) - lb_clip_begin(clip))
            break;
        lb_clip_at(clip, lb_clip_begin(clip) + t, q);
        play_pose(&p, t, q);
    }
    return p;
}

/* ---- what holds in every frame ---------------------------------------------- */

static bool is_limited(const lb_joint *joint)
{
    return joint->kind != LB_JOINT_FLOATING && joint->kind != LB_JOINT_BALL &&
           joint->kind != LB_JOINT_FIXED && joint->mimic == NULL;
}

/* the largest speed of a value over its limit between two frames; 0 over 0 is 0 */
static void check_speeds(const played *p, int frame)
{
    const double *now = key_of(p, frame), *before = now - p->nq;
    double time = p->times[frame] - p->times[frame - 1];
    for (int j = 0; j < lb_model_joint_count(p->target); j++) {
        const lb_joint *joint = lb_model_joint(p->target, j);
        for (int k = 0; is_limited(joint) && k < lb_joint_kind_nq(joint->kind); k++) {
            int at = lb_model_joint_q(p->target, j) + k;
            double change = fabs(now[at] - before[at]), most = joint->velocity * time;
            if (isfinite(most) && change > most * SHARE + 1e-15)
                fail_msg("frame %d: %s moves by %g in %g s", frame, joint->name, change, time);
        }
    }
}

static lb_vec3 place_of(const lb_state *state, const lb_contact_point *point)
{
    return lb_transform_point(&lb_state_transforms(state)[point->link], point->at);
}

/* limits, speeds, held points, the ground; returns how often points were held */
static int check_frames(const played *p)
{
    int count, held = 0;
    const lb_contact_point *points = lb_retarget_stream_points(p->stream, &count);
    lb_vec3 began[32];
    owned_state *state = NULL;
    assert_ok(lb_state_create(p->target, NULL, &state));
    assert_in_range(count, 0, 31);
    for (int i = 0; i < p->frames; i++) {
        assert_true(test_limit_excess(p->target, key_of(p, i)) <= 1e-12);
        if (i > 0)
            check_speeds(p, i);
        lb_state_update(state, key_of(p, i));
        for (int k = 0; k < count; k++) {
            lb_vec3 at = place_of(state, &points[k]);
            int bit = 1 << k;
            if (!(at.z > -BELOW))
                fail_msg("frame %d: point %d is %g below the ground", i, k, -at.z);
            if ((p->reports[i].held & bit) == 0)
                continue;
            held++;
            if (i == 0 || (p->reports[i - 1].held & bit) == 0)
                began[k] = at;
            // an edge of the sole that would be below the ground lifts it
            double lifted = at.z - began[k].z;
            if (!(hypot(at.x - began[k].x, at.y - began[k].y) <= SLIDE && lifted <= LIFTED))
                fail_msg("frame %d: point %d slides or is lifted by %g", i, k, lifted);
        }
    }
    return held;
}

/* both arms go round and round, past what shoulders allow and faster than joints are */
static bool whirl_fast(void *user, int key, double *time, double *q)
{
    const lb_model *model = user;
    *time = key / 60.0;
    walker_at(model, WALKER_T, *time, q);
    lb_vec3 axis = lb_vec3_normalize(lb_vec3_make(0.8, 1, 0.3), lb_vec3_make(0, 1, 0));
    lb_quat turn = lb_quat_from_axis_angle(axis, 9 * LB_PI * *time);
    walker_set(model, "LeftArm", turn, q);
    walker_set(model, "RightArm", lb_quat_conjugate(turn), q);
    return true;
}

static void check_clip(const lb_clip *clip, const char *name, bool stands)
{
    static frame_time *const times[] = {at_30, at_250, at_random};
    owned_model *target = test_load_moving(name);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        owned_played p = play(clip, target, times[i], 1000);
        assert_true(p.frames > 50);
        int held = check_frames(&p);
        if (stands && held * 4 < p.frames)
            fail_msg("%s: held %d times in %d frames", name, held, p.frames);
    }
}

TEST(limits_speeds_and_the_ground_hold_in_every_frame)
{
    owned_model *source = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(source, WALKER_T, 4, 60);
    owned_clip *fast = test_clip_generate(source, 240, whirl_fast, source);
    check_clip(walk, "biped", true);
    check_clip(walk, "human", true);
    check_clip(fast, "biped", true);
    check_clip(fast, "human", true);
}

TEST(captures_hold_them_too)
{
    static const char *const names[] = {"zombie", "cmu_12_01_walk", "01_01", "wave_hello"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        real_capture c;
        if (open_capture(names[i], &c))
            check_clip(c.clip, i % 2 == 0 ? "biped" : "human", i != 2);
        else
            print_message("%s: not there, skipped\n", names[i]);
        close_capture(&c);
    }
}

/* ---- what the source may do --------------------------------------------------- */

/* a tracker that loses the figure: poses at random, far away, and the same one for a while */
TEST(a_source_that_is_lost_breaks_no_limit)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 4, 60);
    owned_played p = begin_play(source, clip, target, NULL, 800);
    owned double *q = calloc((size_t)lb_model_nq(source), sizeof *q);
    lb_random random = lb_random_seed(11);
    int root = lb_model_joint_q(target, 0);
    for (int i = 0; i < 800; i++) {
        lb_clip_at(clip, i / 200.0, q);
        if (i % 50 > 44)
            lb_configuration_random(source, &random, q);
        if (i / 100 % 2 == 1)
            q[0] += 5, q[2] -= 0.4;
        play_pose(&p, i / 200.0, q);
    }
    check_frames(&p);
    for (int i = 1; i < p.frames; i++) {
        const double *now = key_of(&p, i) + root, *before = now - p.nq;
        lb_vec3 moved = {now[0] - before[0], now[1] - before[1], now[2] - before[2]};
        if (!(lb_vec3_length(moved) < 0.5))
            fail_msg("frame %d: the root moves by %g", i, lb_vec3_length(moved));
    }
    // where the source has gone meanwhile, the target goes in time
    assert_true(p.reports[100].jumped > 2);
    assert_true(p.reports[144].jumped < 0.7 * p.reports[100].jumped);
}

TEST(nothing_moves_at_the_same_time)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = walker_clip(source, WALKER_T, 2, 60);
    owned_played p = begin_play(source, clip, target, NULL, 4);
    play_pose(&p, 3, lb_clip_key(clip, 0));
    play_pose(&p, 3, lb_clip_key(clip, 30));
    play_pose(&p, 3.02, lb_clip_key(clip, 1));
    play_pose(&p, 3.02, lb_clip_key(clip, 60));
    size_t size = (size_t)p.nq * sizeof(double);
    assert_memory_equal(key_of(&p, 0), key_of(&p, 1), size);
    assert_memory_not_equal(key_of(&p, 1), key_of(&p, 2), size);
    assert_memory_equal(key_of(&p, 2), key_of(&p, 3), size);
}

/* ---- what a frame depends on ---------------------------------------------------- */

TEST(no_frame_depends_on_a_later_one)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 3, 60);
    owned_played whole = play(clip, target, at_250, 600);
    static const int cuts[] = {1, 50, 187, 324, 461, 598};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        int cut = cuts[i];
        owned_played p = play(clip, target, at_250, cut);
        // it goes on otherwise
        play_pose(&p, p.times[cut - 1] + 1, lb_clip_key(clip, 5));
        assert_memory_equal(whole.keys, p.keys, (size_t)(cut * p.nq) * sizeof(double));
    }
}

TEST(a_stream_that_starts_again_has_the_same_bits)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 3, 60);
    owned_played p = play(clip, target, at_250, 500);
    owned double *q = calloc((size_t)lb_model_nq(source), sizeof *q);
    owned double *made = calloc((size_t)p.nq, sizeof *made);
    for (int round = 0; round < 2; round++) {
        assert_ok(lb_retarget_stream_reset(p.stream, NULL));
        for (int i = 0; i < 500 - 100 * round; i++) {
            // another begin of time is as good where it is exact
            double later = round == 0 ? 0 : 1;
            lb_clip_at(clip, i / 250.0, q);
            assert_ok(lb_retarget_stream_next(p.stream, i / 250.0 + later, q, made, NULL));
            if (round == 0)
                assert_memory_equal(made, key_of(&p, i), (size_t)p.nq * sizeof *made);
        }
    }
}

/* ---- what comes of it ----------------------------------------------------------- */

/* rms over all values but the root's */
static double compare_whole(const played *p, const lb_clip *whole, int first)
{
    double sum = 0;
    int count = 0;
    for (int i = first; i < p->frames; i++)
        for (int j = 1; j < lb_model_joint_count(p->target); j++) {
            int at = lb_model_joint_q(p->target, j);
            if (!is_limited(lb_model_joint(p->target, j)))
                continue;
            double off = key_of(p, i)[at] - lb_clip_key(whole, i)[at];
            sum += off * off, count++;
        }
    return sqrt(sum / count);
}

TEST(motion_is_that_of_the_whole_clip)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 4, 60), *whole = NULL;
    lb_retarget_options options = lb_retarget_options_default();
    options.rate = 250;
    assert_ok(lb_retarget(clip, target, &options, NULL, &whole, NULL, NULL, NULL));
    owned_played p = play(clip, target, at_250, lb_clip_count(whole));
    double off = compare_whole(&p, whole, 0);
    if (!(off < 0.05))
        fail_msg("rms %g rad from the whole clip's", off);
}

/* How fast points of feet are at most, and how much that changes from frame to frame. */
typedef struct point_rates {
    double speed, change; /* metres a frame */
    int changes;          /* how often points begin or end to be held */
} point_rates;

static point_rates measure_points(const played *p)
{
    point_rates r = {0, 0, 0};
    int count;
    const lb_contact_point *points = lb_retarget_stream_points(p->stream, &count);
    lb_vec3 before[32], moved[32];
    owned_state *state = NULL;
    assert_ok(lb_state_create(p->target, NULL, &state));
    for (int i = 0; i < p->frames; i++) {
        lb_state_update(state, key_of(p, i));
        r.changes += i > 0 && p->reports[i].held != p->reports[i - 1].held;
        for (int k = 0; k < count; k++) {
            lb_vec3 at = place_of(state, &points[k]), now = lb_vec3_sub(at, before[k]);
            if (i > 0)
                r.speed = fmax(r.speed, lb_vec3_length(now));
            if (i > 1)
                r.change = fmax(r.change, lb_vec3_length(lb_vec3_sub(now, moved[k])));
            before[k] = at;
            moved[k] = now;
        }
    }
    return r;
}

/* feet neither jump nor jerk where contacts begin and end, beside those that are never held */
TEST(feet_go_smoothly_to_their_places_and_away)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("human");
    owned_clip *clip = walker_clip(source, WALKER_T, 4, 1000);
    point_rates rates[2];
    for (int i = 0; i < 2; i++) {
        lb_retarget_options options = lb_retarget_options_default();
        options.unlocked = i == 1;
        owned_played p = begin_play(source, clip, target, &options, 4000);
        for (int k = 0; k < 4000; k++)
            play_pose(&p, k / 1000.0, lb_clip_key(clip, k));
        rates[i] = measure_points(&p);
    }
    assert_true(rates[0].changes > 10);
    if (!(rates[0].speed < 1.5 * rates[1].speed && rates[0].change < 3 * rates[1].change))
        fail_msg("points move by %g m a frame, and change that by %g; free ones by %g and %g",
                 rates[0].speed, rates[0].change, rates[1].speed, rates[1].change);
}

TEST(accelerations_are_kept)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = test_clip_generate(source, 240, whirl_fast, source);
    const double most = 60;
    played p = begin_play(source, clip, target, NULL, 900);
    owned double *q = calloc((size_t)lb_model_nq(source), sizeof *q);
    for (int j = 0; j < lb_model_joint_count(target); j++)
        assert_ok(lb_retarget_stream_set_acceleration(p.stream, j, most));
    for (int i = 0; i < 900; i++) {
        lb_clip_at(clip, i / 250.0, q);
        play_pose(&p, i / 250.0, q);
    }
    check_frames(&p);
    bool bound = false;
    for (int i = 2; i < p.frames; i++)
        for (int j = 1; j < lb_model_joint_count(target); j++) {
            const double *now = key_of(&p, i) + lb_model_joint_q(target, j);
            if (!is_limited(lb_model_joint(target, j)))
                continue;
            double by = fabs(now[0] - 2 * now[-p.nq] + now[-2 * p.nq]) * 250 * 250;
            if (by > most * (1 + 1e-6))
                fail_msg("frame %d: %s accelerates by %g", i, lb_model_joint(target, j)->name, by);
            bound = bound || by > 0.999 * most;
        }
    assert_true(bound);
    end_play(&p);
}

TEST(a_stream_begins_where_the_robot_is)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 5, 250);
    owned_played usual = play(clip, target, at_250, 1200);
    owned_played p = begin_play(source, clip, target, NULL, 1200);
    owned double *start = calloc((size_t)p.nq, sizeof *start);
    lb_configuration_neutral(target, start);
    lb_configuration_clamp(target, start, start);
    start[0] = -0.7, start[1] = 0.4, start[2] = key_of(&usual, 0)[2] + 0.01;
    assert_ok(lb_retarget_stream_reset(p.stream, start));
    for (int i = 0; i < 1200; i++)
        play_pose(&p, i / 250.0, lb_clip_key(clip, i));
    assert_memory_equal(key_of(&p, 0), start, (size_t)p.nq * sizeof *start);
    check_frames(&p);
    for (int i = 1; i < p.frames; i++)
        for (int k = 0; k < 3; k++)
            assert_true(fabs(key_of(&p, i)[k] - key_of(&p, i - 1)[k]) < 0.02);
    for (int k = 0; k < p.nq; k++)
        assert_true(fabs(key_of(&p, 1199)[k] - key_of(&usual, 1199)[k]) < 0.05);
}

/* of a figure whose origin is its pelvis, and that walks on z = 0 */
TEST(a_source_without_calibration_stands_on_its_soles)
{
    owned_model *source = test_load_moving("human"), *target = test_load_moving("biped");
    lb_gait gait = lb_gait_default();
    owned_clip *clip = NULL;
    owned_contacts *walk = NULL;
    assert_ok(lb_gait_walk(source, &gait, NULL, &clip, &walk, NULL));
    owned_played p = begin_play(source, NULL, target, NULL, 500);
    owned double *q = calloc((size_t)lb_model_nq(source), sizeof *q);
    for (int i = 0; i < 500 && i / 250.0 <= lb_clip_end(clip); i++) {
        lb_clip_at(clip, i / 250.0, q);
        play_pose(&p, i / 250.0, q);
    }
    assert_true(check_frames(&p) > p.frames);
}

TEST(feet_that_are_not_to_be_held_are_not)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 2, 60);
    lb_retarget_options options = lb_retarget_options_default();
    options.unlocked = true;
    owned_played p = begin_play(source, clip, target, &options, 100);
    for (int i = 0; i < 100; i++)
        play_pose(&p, i / 60.0, lb_clip_key(clip, i));
    assert_int_equal(check_frames(&p), 0);
}

/* ---- memory and refusals ---------------------------------------------------------- */

TEST(frames_take_no_memory)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 2, 60);
    test_memory memory = {.fail_at = -1};
    lb_allocator allocator = test_memory_allocator(&memory);
    lb_retarget_stream *stream = NULL;
    lb_retarget_options options = lb_retarget_options_default();
    owned double *q = calloc((size_t)lb_model_nq(target), sizeof *q);
    options.start = q;
    lb_configuration_neutral(target, q);
    lb_configuration_clamp(target, q, q);
    assert_ok(lb_retarget_stream_create(source, clip, target, &options, &allocator, &stream, NULL));
    long before = memory.allocations;
    memory.fail_at = 0;
    for (int i = 0; i < 100; i++)
        assert_ok(lb_retarget_stream_next(stream, i / 60.0, lb_clip_key(clip, i), q, NULL));
    assert_ok(lb_retarget_stream_reset(stream, q));
    assert_ok(lb_retarget_stream_next(stream, 0, lb_clip_key(clip, 0), q, NULL));
    assert_int_equal(memory.allocations, before);
    lb_retarget_stream_release(stream);
    assert_int_equal(memory.live, 0);
}

TEST(every_allocation_of_a_stream_may_fail)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 1, 30);
    for (int calibrated = 0; calibrated < 2; calibrated++)
        ALLOCATIONS_FAIL (failing, 1000) {
            owned_stream *stream = NULL;
            failing.status = lb_retarget_stream_create(source, calibrated ? clip : NULL, target,
                                                       NULL, &failing.allocator, &stream, NULL);
            assert_true((stream != NULL) == (failing.status == LB_OK));
        }
}

static void refuse_frames(lb_retarget_stream *stream, double *q, double *out)
{
    double place = q[0];
    assert_int_equal(lb_retarget_stream_next(stream, NAN, q, out, NULL), LB_BAD_VALUE);
    assert_int_equal(lb_retarget_stream_next(stream, INFINITY, q, out, NULL), LB_BAD_VALUE);
    assert_int_equal(lb_retarget_stream_next(stream, 0.5, q, out, NULL), LB_BAD_VALUE);
    q[0] = NAN;
    assert_int_equal(lb_retarget_stream_next(stream, 2, q, out, NULL), LB_BAD_VALUE);
    q[0] = 1e200;
    assert_int_equal(lb_retarget_stream_next(stream, 2, q, out, NULL), LB_BAD_VALUE);
    q[0] = place;
    double turn[4];
    memcpy(turn, q + 3, sizeof turn);
    memset(q + 3, 0, sizeof turn);
    assert_int_equal(lb_retarget_stream_next(stream, 2, q, out, NULL), LB_BAD_VALUE);
    memcpy(q + 3, turn, sizeof turn);
    out[0] = NAN;
    assert_int_equal(lb_retarget_stream_reset(stream, out), LB_BAD_VALUE);
    assert_int_equal(lb_retarget_stream_set_acceleration(stream, 1, 0), LB_BAD_VALUE);
    assert_int_equal(lb_retarget_stream_set_acceleration(stream, 1, NAN), LB_BAD_VALUE);
    assert_int_equal(lb_retarget_stream_set_acceleration(stream, -1, 1), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_retarget_stream_set_acceleration(stream, 999, 1), LB_INVALID_ARGUMENT);
}

TEST(what_is_refused_changes_nothing)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 1, 60);
    int snq = lb_model_nq(source);
    owned_played plain = begin_play(source, clip, target, NULL, 3);
    owned_played p = begin_play(source, clip, target, NULL, 3);
    owned double *q = calloc((size_t)snq, sizeof *q);
    owned double *out = calloc((size_t)p.nq, sizeof *out);
    for (int i = 0; i < 3; i++) {
        memcpy(q, lb_clip_key(clip, i), (size_t)snq * sizeof *q);
        play_pose(&plain, 1 + 0.01 * i, q);
        play_pose(&p, 1 + 0.01 * i, q);
        refuse_frames(p.stream, q, out);
    }
    assert_memory_equal(plain.keys, p.keys, (size_t)(3 * p.nq) * sizeof *p.keys);
}

TEST(streams_that_cannot_be_are_refused)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_model *fixed = test_load("biped"), *arm = test_load("panda");
    owned_model *twin = walker_model(WALKER_T);
    owned_clip *other = walker_clip(twin, WALKER_T, 0, 60);
    lb_retarget_options options = lb_retarget_options_default();
    lb_retarget_stream *stream = NULL;
    assert_int_equal(lb_retarget_stream_create(source, other, target, NULL, NULL, &stream, &cause),
                     LB_INVALID_ARGUMENT);
    assert_int_equal(lb_retarget_stream_create(source, NULL, fixed, NULL, NULL, &stream, &cause),
                     LB_BAD_MODEL);
    assert_int_equal(lb_retarget_stream_create(arm, NULL, target, NULL, NULL, &stream, &cause),
                     LB_BAD_MODEL);
    options.blend = -1;
    assert_int_equal(
        lb_retarget_stream_create(source, NULL, target, &options, NULL, &stream, &cause),
        LB_BAD_VALUE);
    assert_null(stream);
}
