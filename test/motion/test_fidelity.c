/*
 * test_fidelity.c - a walk on a robot is like its source; each fault put into it is found.
 */
#include <limber/fidelity.h>

#include "motion/retargeted.h"
#include "motion/turned.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/kinematics.h>

/* ---- faults ------------------------------------------------------------- */

enum { MOST_NQ = 64, SPIKE = 200 };

/* Changes a key's configuration of the biped, or which key of the motion it is. */
typedef struct edited {
    const lb_clip *clip;
    void (*fault)(const lb_clip *clip, int key, double *q);
} edited;

static double *value_of(const lb_clip *clip, const char *joint, double *q)
{
    const lb_model *model = lb_clip_model(clip);
    return &q[lb_model_joint_q(model, lb_model_find_joint(model, joint))];
}

static void none(const lb_clip *clip, int key, double *q)
{
    (void)clip, (void)key, (void)q;
}

static void teleport(const lb_clip *clip, int key, double *q)
{
    (void)clip;
    q[1] += key == SPIKE ? 0.1 : 0;
}

static void arm_spike(const lb_clip *clip, int key, double *q)
{
    *value_of(clip, "left_shoulder_pitch", q) += key == SPIKE ? 0.4 : 0;
}

static void travel_removed(const lb_clip *clip, int key, double *q)
{
    (void)key;
    q[0] = 0.1 * q[0] + 0.9 * lb_clip_key(clip, 0)[0];
}

static void lies(const lb_clip *clip, int key, double *q)
{
    (void)clip, (void)key;
    lb_quat turned = lb_quat_multiply((lb_quat){q[3], q[4], q[5], q[6]},
                                      lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), 1.5));
    memcpy(&q[3], (double[]){turned.w, turned.x, turned.y, turned.z}, 4 * sizeof *q);
}

static void turned_about(const lb_clip *clip, int key, double *q)
{
    (void)clip, (void)key;
    memcpy(&q[3], (double[]){-q[6], -q[5], q[4], q[3]}, 4 * sizeof *q);
}

static void bowed(const lb_clip *clip, int key, double *q)
{
    (void)key;
    *value_of(clip, "left_hip_pitch", q) -= 0.6;
    *value_of(clip, "right_hip_pitch", q) -= 0.6;
    lb_quat turned = lb_quat_multiply((lb_quat){q[3], q[4], q[5], q[6]},
                                      lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), 0.6));
    memcpy(&q[3], (double[]){turned.w, turned.x, turned.y, turned.z}, 4 * sizeof *q);
}

static void knee_reversed(const lb_clip *clip, int key, double *q)
{
    (void)key;
    double *knee = value_of(clip, "left_knee", q);
    *value_of(clip, "left_hip_pitch", q) += *knee;
    *knee = -*knee;
}

/* as in a table whose columns are in another order */
static void misordered(const lb_clip *clip, int key, double *q)
{
    int nq = lb_model_nq(lb_clip_model(clip));
    for (int i = 7; i < nq; i++)
        q[i] = lb_clip_key(clip, key)[nq - 1 - (i - 7)];
}

static void in_degrees(const lb_clip *clip, int key, double *q)
{
    (void)key;
    for (int i = 7; i < lb_model_nq(lb_clip_model(clip)); i++)
        q[i] *= 180 / acos(-1);
}

static void frames_dropped(const lb_clip *clip, int key, double *q)
{
    int from = key < SPIKE ? key : key + 20;
    if (from < lb_clip_count(clip))
        memcpy(q, lb_clip_key(clip, from), (size_t)lb_model_nq(lb_clip_model(clip)) * sizeof *q);
}

static bool fill(void *user, int key, double *time, double *q)
{
    const edited *e = user;
    *time = lb_clip_times(e->clip)[key];
    memcpy(q, lb_clip_key(e->clip, key), (size_t)lb_model_nq(lb_clip_model(e->clip)) * sizeof *q);
    e->fault(e->clip, key, q);
    return true;
}

static lb_fidelity_report compare(const lb_clip *clip, const lb_clip *source)
{
    lb_fidelity_report report;
    assert_made(lb_clip_fidelity(clip, source, NULL, NULL, NULL, &report, &cause), cause);
    return report;
}

/* which items are beyond, as bits */
static unsigned beyond(const lb_fidelity_report *report)
{
    unsigned found = 0;
    for (unsigned i = 0; i < LB_FIDELITY_COUNT; i++)
        found |= (unsigned)report->items[i].beyond << i;
    return found;
}

TEST(each_fault_is_found)
{
    static const struct {
        const char *name;
        void (*fault)(const lb_clip *clip, int key, double *q);
        unsigned items; /* that must be beyond; none: nothing may */
    } faults[] = {
        {"none", none, 0},
        {"teleport", teleport, 1u << LB_FIDELITY_SHIFT},
        {"arm spike", arm_spike, 1u << LB_FIDELITY_JUMP},
        {"travel removed", travel_removed, 1u << LB_FIDELITY_PATH},
        {"lies", lies, 1u << LB_FIDELITY_TRUNK | 1u << LB_FIDELITY_LEFT_LEG},
        {"turned about", turned_about, 1u << LB_FIDELITY_HEADING},
        {"bowed", bowed, 1u << LB_FIDELITY_TRUNK},
        {"knee reversed", knee_reversed, 1u << LB_FIDELITY_LEFT_LEG},
        {"misordered", misordered, 1u << LB_FIDELITY_LEFT_ARM},
        {"in degrees", in_degrees, 1u << LB_FIDELITY_LEFT_ARM | 1u << LB_FIDELITY_RIGHT_LEG},
        {"frames dropped", frames_dropped, 1u << LB_FIDELITY_SHIFT},
    };
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *clip = walker_clip(source, WALKER_T, 5, 60);
    owned_retargeted r = retarget(clip, target, NULL);
    assert_true(lb_model_nq(target) <= MOST_NQ && lb_clip_count(r.clip) > SPIKE + 1);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        edited from = {r.clip, faults[i].fault};
        owned_clip *wrong = NULL;
        assert_ok(lb_clip_generate(target, lb_clip_count(r.clip), fill, &from,
                                   LB_INTERPOLATION_LINEAR, NULL, &wrong, NULL));
        lb_fidelity_report report = compare(wrong, clip);
        unsigned found = beyond(&report);
        if ((found & faults[i].items) != faults[i].items || (faults[i].items == 0 && found != 0))
            fail_msg("%s: %x, not %x", faults[i].name, found, faults[i].items);
        if (faults[i].fault == teleport)
            assert_int_equal(report.items[LB_FIDELITY_SHIFT].key, SPIKE);
        if (faults[i].fault == arm_spike)
            assert_int_equal(report.items[LB_FIDELITY_JUMP].key, SPIKE);
    }
}

/* frames cut off at the end, all but one, and a hole in the middle with its times kept */
TEST(frames_that_are_missing_are_found)
{
    owned_model *model = walker_model(WALKER_T);
    owned_clip *clip = walker_clip(model, WALKER_T, 2, 30);
    const int count = lb_clip_count(clip), nq = lb_model_nq(model);
    const struct {
        int first, second, from; /* keys before the hole, and those from `from` on */
        bool beyond;
    } cases[] = {{count - 1, 0, 0, false},
                 {count - 5, 0, 0, true},
                 {1, 0, 0, true},
                 {20, count - 26, 26, true},
                 {20, count - 21, 21, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double times[128], *q = malloc(sizeof *q * (size_t)(count * nq));
        int keys = cases[i].first + cases[i].second;
        assert_true(keys <= 128);
        for (int k = 0; k < keys; k++) {
            int from = k < cases[i].first ? k : cases[i].from + k - cases[i].first;
            times[k] = lb_clip_times(clip)[from];
            memcpy(q + k * nq, lb_clip_key(clip, from), (size_t)nq * sizeof *q);
        }
        owned_clip *part = NULL;
        assert_ok(
            lb_clip_create(model, times, q, keys, LB_INTERPOLATION_LINEAR, NULL, &part, NULL));
        lb_fidelity_report report = compare(part, clip);
        if (report.items[LB_FIDELITY_GAP].beyond != cases[i].beyond)
            fail_msg("case %d: %g s", (int)i, report.items[LB_FIDELITY_GAP].worst);
        free(q);
    }
}

/* ---- numbers ------------------------------------------------------------ */

/* a motion beside itself differs by nothing, and the numbers of each key are those of the report */
TEST(a_motion_is_like_itself)
{
    owned_model *model = walker_model(WALKER_T);
    owned_clip *clip = walker_clip(model, WALKER_T, 2, 30);
    lb_fidelity_report report = compare(clip, clip);
    assert_int_equal(report.keys, lb_clip_count(clip));
    assert_true(report.duration == 1 && report.travel == report.source_travel);
    assert_near(report.travel * 2 * WALKER_BONE, WALKER_SPEED * lb_clip_end(clip), 1e-9);
    for (int i = 0; i < LB_FIDELITY_COUNT; i++) {
        assert_true(report.items[i].known && !report.items[i].beyond);
        assert_near(report.items[i].worst, 0, 1e-12);
    }
}

static void one_hip_bent(const lb_clip *clip, int key, double *q)
{
    // the left thigh, a ball, by a tenth of a radian a key
    const lb_model *model = lb_clip_model(clip);
    int at = lb_model_joint_q(model, lb_model_find_joint(model, "LeftUpLeg"));
    lb_quat turned = lb_quat_multiply((lb_quat){q[at], q[at + 1], q[at + 2], q[at + 3]},
                                      lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), 0.1 * key));
    memcpy(&q[at], (double[]){turned.w, turned.x, turned.y, turned.z}, 4 * sizeof *q);
}

TEST(means_and_shares_are_those_of_the_keys)
{
    enum { KEYS = 20 };
    owned_model *model = walker_model(WALKER_T);
    owned_clip *still = NULL, *bent = NULL;
    double q[MOST_NQ * 2], times[KEYS], keys[KEYS * 80], values[KEYS * LB_FIDELITY_COUNT];
    int nq = lb_model_nq(model);
    assert_true(nq <= 80);
    lb_configuration_neutral(model, q);
    for (int i = 0; i < KEYS; i++) {
        times[i] = i / 30.0;
        memcpy(&keys[i * nq], q, (size_t)nq * sizeof *q);
    }
    assert_ok(
        lb_clip_create(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR, NULL, &still, NULL));
    edited from = {still, one_hip_bent};
    assert_ok(
        lb_clip_generate(model, KEYS, fill, &from, LB_INTERPOLATION_LINEAR, NULL, &bent, NULL));
    lb_fidelity_report report;
    assert_ok(lb_clip_fidelity(bent, still, NULL, NULL, values, &report, NULL));
    const lb_fidelity_worst *leg = &report.items[LB_FIDELITY_LEFT_LEG];
    // 0, 0.1 ... 1.9 radians
    assert_near(leg->mean, 0.95, 1e-9);
    assert_near(leg->p95, 1.8, 1e-9);
    assert_near(leg->worst, 1.9, 1e-9);
    assert_int_equal(leg->key, KEYS - 1);
    assert_near(values[7 * LB_FIDELITY_COUNT + LB_FIDELITY_LEFT_LEG], 0.7, 1e-9);
    assert_near(report.items[LB_FIDELITY_RIGHT_LEG].worst, 0, 1e-9);
    assert_true(leg->beyond && !report.items[LB_FIDELITY_TRUNK].beyond);
}

/* A pose of the walker at a time, seconds: from what it is at rest. */
typedef void pose_at(const lb_model *model, double time, double *q);

typedef struct posed {
    const lb_model *model;
    pose_at *pose;
    double begin;
} posed;

/* keys at uneven times, the first at `begin` */
static bool fill_posed(void *user, int key, double *time, double *q)
{
    const posed *p = user;
    double since = 0.1 * key + (key % 2 ? 0.03 : 0);
    *time = p->begin + since;
    lb_configuration_neutral(p->model, q);
    p->pose(p->model, since, q);
    return true;
}

enum { POSED_KEYS = 31 };

static lb_clip *pose_clip(const lb_model *model, pose_at *pose, double begin)
{
    posed from = {model, pose, begin};
    lb_clip *clip = NULL;
    assert_ok(lb_clip_generate(model, POSED_KEYS, fill_posed, &from, LB_INTERPOLATION_LINEAR, NULL,
                               &clip, NULL));
    return clip;
}

static void turn_root(double *q, lb_quat turn)
{
    memcpy(&q[3], (double[]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *q);
}

static void stands(const lb_model *model, double time, double *q)
{
    (void)model, (void)time, (void)q;
}

static void travels(const lb_model *model, double time, double *q)
{
    (void)model;
    q[0] = 2 * WALKER_BONE * time;
}

static void travels_less(const lb_model *model, double time, double *q)
{
    travels(model, time / 3, q);
}

static void bends(const lb_model *model, double time, double *q)
{
    (void)time;
    walker_set(model, "LeftForeArm", lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), 0.5 * LB_PI),
               q);
    walker_set(model, "LeftLeg", walker_pitch(0.5 * LB_PI), q);
}

static void twists(const lb_model *model, double time, double *q)
{
    (void)time;
    walker_set(model, "Spine1", lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), 0.6), q);
}

static void goes_up(const lb_model *model, double time, double *q)
{
    travels(model, time, q);
    q[2] += 0.2 * q[0];
}

static void leans_and_turns(double lean, double turn, double *q)
{
    turn_root(q, lb_quat_multiply(lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), turn),
                                  lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), lean)));
}

static void leans(const lb_model *model, double time, double *q)
{
    (void)model, (void)time;
    leans_and_turns(50 * LB_PI / 180, 0.4, q);
}

static void leans_far(const lb_model *model, double time, double *q)
{
    (void)model, (void)time;
    leans_and_turns(70 * LB_PI / 180, 0.4, q);
}

/* each measure of poses whose numbers are known, at keys that are uneven and begin at another time
 */
TEST(measures_are_as_defined)
{
    const double leg = 2 * WALKER_BONE;
    const struct {
        pose_at *pose, *source;
        lb_fidelity_item item;
        double last; /* in the last key */
    } rows[] = {
        {bends, stands, LB_FIDELITY_LEFT_ARM, LB_PI / 2},
        {bends, stands, LB_FIDELITY_RIGHT_ARM, 0},
        {bends, stands, LB_FIDELITY_LEFT_LEG, LB_PI / 2},
        {bends, stands, LB_FIDELITY_HANDS, 0.26 / leg / 2},
        {bends, stands, LB_FIDELITY_FEET, WALKER_BONE / leg / 2},
        {bends, stands, LB_FIDELITY_HEIGHT, 0},
        {travels_less, travels, LB_FIDELITY_PATH, 2.0 / 3},
        {stands, travels_less, LB_FIDELITY_PATH, 1},
        {travels_less, travels, LB_FIDELITY_TRAVEL, 2.0 / 3},
        {travels, travels_less, LB_FIDELITY_SHIFT, 0},
        {leans, stands, LB_FIDELITY_HEADING, 0.4},
        {twists, stands, LB_FIDELITY_HEADING, 0.6},
        {leans, stands, LB_FIDELITY_TRUNK, 50 * LB_PI / 180},
        {leans_far, stands, LB_FIDELITY_HEADING, 0},
    };
    owned_model *model = walker_model(WALKER_T);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        owned_clip *clip = pose_clip(model, rows[i].pose, 5);
        owned_clip *source = pose_clip(model, rows[i].source, -2);
        double values[POSED_KEYS * LB_FIDELITY_COUNT];
        lb_fidelity_report report;
        assert_ok(lb_clip_fidelity(clip, source, NULL, NULL, values, &report, NULL));
        assert_int_equal(report.keys, POSED_KEYS);
        double found = values[(POSED_KEYS - 1) * LB_FIDELITY_COUNT + (int)rows[i].item];
        if (!(fabs(found - rows[i].last) < 1e-9))
            fail_msg("row %zu: %.12g, not %.12g", i, found, rows[i].last);
    }
}

/* heights are those above each figure's own ground */
TEST(slopes_are_level_where_they_are_given)
{
    owned_model *model = walker_model(WALKER_T);
    owned_clip *level = pose_clip(model, travels, 0), *up = pose_clip(model, goes_up, 0);
    const lb_clip *pairs[2][2] = {{up, level}, {level, up}};
    for (int i = 0; i < 2; i++)
        for (int given = 0; given < 2; given++) {
            lb_fidelity_options options = lb_fidelity_options_default();
            lb_fidelity_report report;
            lb_vec3 slope = lb_vec3_make(given ? -0.2 : 0, 0, given ? 1 : 0);
            *(i == 0 ? &options.ground_normal : &options.source_ground_normal) = slope;
            assert_ok(
                lb_clip_fidelity(pairs[i][0], pairs[i][1], &options, NULL, NULL, &report, NULL));
            for (int item = LB_FIDELITY_HEIGHT; item <= LB_FIDELITY_FEET; item++)
                if (given)
                    assert_near(report.items[item].worst, 0, 1e-12);
                else
                    assert_true(report.items[item].worst > 0.1);
        }
    lb_fidelity_options options = lb_fidelity_options_default();
    lb_fidelity_report report;
    options.source_ground_normal = lb_vec3_make(1, 0, 0);
    assert_int_equal(lb_clip_fidelity(up, level, &options, NULL, NULL, &report, NULL),
                     LB_BAD_VALUE);
}

/* a part of a walk whose times are its own is like it but for what is missing before; times that
   are no times of the source count from the first key */
TEST(a_piece_is_compared_at_its_own_times)
{
    owned_model *model = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(model, WALKER_T, 3, 30), *piece = NULL, *moved = NULL;
    const int first = 20, count = lb_clip_count(walk) - first;
    double times[128];
    assert_true(count <= 128);
    for (int k = 0; k < count; k++)
        times[k] = lb_clip_times(walk)[first + k];
    assert_ok(lb_clip_create(model, times, lb_clip_key(walk, first), count, LB_INTERPOLATION_LINEAR,
                             NULL, &piece, NULL));
    for (int k = 0; k < count; k++)
        times[k] += 100;
    assert_ok(lb_clip_create(model, times, lb_clip_key(walk, first), count, LB_INTERPOLATION_LINEAR,
                             NULL, &moved, NULL));
    lb_fidelity_report report = compare(piece, walk);
    assert_int_equal(report.keys, count);
    assert_int_equal(beyond(&report), 1u << LB_FIDELITY_GAP);
    assert_near(report.items[LB_FIDELITY_GAP].worst, (first - 1) / 30.0, 1e-9);
    assert_int_equal(report.items[LB_FIDELITY_GAP].key, 0);
    for (int i = 0; i < LB_FIDELITY_GAP; i++)
        if (i < LB_FIDELITY_HEIGHT || i > LB_FIDELITY_FEET)
            assert_near(report.items[i].worst, 0, 1e-9);
    report = compare(moved, walk);
    assert_int_equal(report.items[LB_FIDELITY_GAP].key, count - 1);
    assert_true(report.items[LB_FIDELITY_LEFT_LEG].worst > 0.2);
}

/* a step of less than a leg counts by the leg */
TEST(short_ways_count_by_a_leg)
{
    owned_model *model = walker_model(WALKER_T);
    owned_clip *clip = pose_clip(model, travels, 0), *source = pose_clip(model, stands, 0);
    double values[POSED_KEYS * LB_FIDELITY_COUNT];
    lb_fidelity_report report;
    assert_ok(lb_clip_fidelity(clip, source, NULL, NULL, values, &report, NULL));
    assert_near(values[2 * LB_FIDELITY_COUNT + LB_FIDELITY_PATH], 0.2, 1e-9);
    assert_near(report.travel, 3, 1e-9);
    assert_true(report.source_travel == 0);
}

static bool fill_limits(void *user, int key, double *time, double *q)
{
    const lb_model *model = user;
    int elbow = lb_model_find_joint(model, "left_elbow");
    *time = key;
    lb_configuration_neutral(model, q);
    q[lb_model_joint_q(model, elbow)] = lb_model_joint(model, elbow)->lower[0] + (key < 3 ? 0 : 1);
    return true;
}

/* one of the biped's 24 joints is at its limit in three of four keys; two knees never are */
TEST(values_at_limits_are_counted)
{
    owned_model *model = test_load_moving("biped");
    owned_clip *clip = NULL;
    assert_ok(
        lb_clip_generate(model, 4, fill_limits, model, LB_INTERPOLATION_LINEAR, NULL, &clip, NULL));
    lb_fidelity_report report = compare(clip, clip);
    assert_near(report.at_limits, 3.0 / 4 / 24, 1e-12);
}

/* a map's pairs are those that the names say, each link in its own model; without arms what is of
   them is not known */
TEST(maps_say_which_links_correspond)
{
    owned_model *source = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *walk = walker_clip(source, WALKER_T, 2, 30);
    owned_retargeted r = retarget(walk, target, NULL);
    lb_fidelity_options options = lb_fidelity_options_default();
    lb_fidelity_report by_names = compare(r.clip, walk), by_map;
    lb_retarget_map map, legs = {.count = 0};
    assert_ok(lb_retarget_map_find(source, NULL, target, NULL, &map, NULL));
    options.map = &map;
    assert_ok(lb_clip_fidelity(r.clip, walk, &options, NULL, NULL, &by_map, NULL));
    for (int i = 0; i < LB_FIDELITY_COUNT; i++)
        assert_true(by_map.items[i].known && by_map.items[i].mean == by_names.items[i].mean);
    for (int i = 0; i < map.count; i++)
        if (map.pairs[i].role < LB_ROLE_LEFT_UPPER_ARM || map.pairs[i].role > LB_ROLE_RIGHT_HAND)
            legs.pairs[legs.count++] = map.pairs[i];
    options.map = &legs;
    assert_ok(lb_clip_fidelity(r.clip, walk, &options, NULL, NULL, &by_map, NULL));
    for (int i = 0; i < LB_FIDELITY_COUNT; i++) {
        bool of_arms = i == LB_FIDELITY_TRUNK || i == LB_FIDELITY_LEFT_ARM ||
                       i == LB_FIDELITY_RIGHT_ARM || i == LB_FIDELITY_HANDS;
        assert_int_equal(by_map.items[i].known, !of_arms);
        assert_false(of_arms && by_map.items[i].beyond);
    }
    // shoulders say how the trunk leans, also of arms without hands
    legs.count = 0;
    for (int i = 0; i < map.count; i++)
        if (map.pairs[i].role != LB_ROLE_LEFT_HAND && map.pairs[i].role != LB_ROLE_RIGHT_HAND)
            legs.pairs[legs.count++] = map.pairs[i];
    assert_ok(lb_clip_fidelity(r.clip, walk, &options, NULL, NULL, &by_map, NULL));
    assert_true(by_map.items[LB_FIDELITY_TRUNK].known);
    assert_true(by_map.items[LB_FIDELITY_TRUNK].mean == by_names.items[LB_FIDELITY_TRUNK].mean);
    assert_false(by_map.items[LB_FIDELITY_LEFT_ARM].known || by_map.items[LB_FIDELITY_HANDS].known);
}

/* a clip that goes on after its source is compared as far as that goes */
TEST(keys_after_the_source_are_left_out)
{
    owned_model *model = walker_model(WALKER_T);
    owned_clip *clip = walker_clip(model, WALKER_T, 3, 30);
    owned_clip *source = walker_clip(model, WALKER_T, 2, 30);
    lb_fidelity_report report = compare(clip, source);
    assert_in_range(report.keys, lb_clip_count(source), lb_clip_count(source) + 1);
    assert_near(report.items[LB_FIDELITY_LEFT_LEG].mean, 0, 0.01);
    assert_near(report.duration, 1.5, 1e-9);
}

/* ---- axes --------------------------------------------------------------- */

TEST(local_axes_do_not_matter)
{
    owned_model *figure = walker_model(WALKER_T), *target = test_load_moving("biped");
    owned_clip *walk = walker_clip(figure, WALKER_T, 2, 30);
    owned_retargeted r = retarget(walk, target, NULL);
    lb_fidelity_report plain = compare(r.clip, walk);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        lb_quat turns[TURNED_JOINTS];
        turned_at_random(seed, turns);
        owned_model *turned = turned_model(figure, turns);
        owned_clip *clip = turned_clip(walk, turned, turns);
        lb_fidelity_report same = compare(clip, walk), other = compare(r.clip, clip);
        for (int i = 0; i < LB_FIDELITY_COUNT; i++) {
            assert_near(same.items[i].worst, 0, 1e-7);
            assert_near(other.items[i].worst, plain.items[i].worst, 1e-7);
            assert_near(other.items[i].mean, plain.items[i].mean, 1e-7);
        }
    }
}

/* ---- what is refused ---------------------------------------------------- */

/* a map whose links no model has is refused before it is read */
TEST(wrong_maps_are_refused)
{
    static const int wrong[] = {-1, 9999, -9};
    owned_model *model = walker_model(WALKER_T);
    owned_clip *clip = walker_clip(model, WALKER_T, 1, 30);
    lb_fidelity_options options = lb_fidelity_options_default();
    lb_fidelity_report report;
    lb_retarget_map map;
    assert_ok(lb_retarget_map_find(model, NULL, model, NULL, &map, NULL));
    options.map = &map;
    assert_ok(lb_clip_fidelity(clip, clip, &options, NULL, NULL, &report, &cause));
    for (int i = 0; i < 3; i++) {
        lb_retarget_map bad = map;
        *(i % 2 ? &bad.pairs[2].target : &bad.pairs[2].source) = wrong[i];
        options.map = &bad;
        assert_refused(lb_clip_fidelity(clip, clip, &options, NULL, NULL, &report, &cause),
                       LB_BAD_VALUE, &cause, "pair 2 of the map");
    }
    map.count = LB_RETARGET_PAIRS + 1;
    options.map = &map;
    assert_int_equal(lb_clip_fidelity(clip, clip, &options, NULL, NULL, &report, &cause),
                     LB_BAD_VALUE);
}

TEST(what_has_no_figure_is_refused)
{
    owned_model *arm = test_load("panda"), *figure = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(figure, WALKER_T, 1, 30), *still = NULL;
    double q[16] = {0}, times[1] = {0};
    lb_configuration_neutral(arm, q);
    assert_ok(lb_clip_create(arm, times, q, 1, LB_INTERPOLATION_LINEAR, NULL, &still, NULL));
    lb_fidelity_report report;
    assert_int_equal(lb_clip_fidelity(still, walk, NULL, NULL, NULL, &report, &cause),
                     LB_BAD_MODEL);
    assert_true(cause.message[0] != '\0');
    assert_int_equal(lb_clip_fidelity(NULL, walk, NULL, NULL, NULL, &report, &cause),
                     LB_INVALID_ARGUMENT);
}
