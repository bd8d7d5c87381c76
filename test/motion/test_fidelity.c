/*
 * test_fidelity.c - a walk on a robot is like its source; each fault put into it is found.
 */
#include <limber/fidelity.h>

#include "motion/retargeted.h"
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
    lb_error error = {0};
    if (lb_clip_fidelity(clip, source, NULL, NULL, NULL, &report, &error) != LB_OK)
        fail_msg("%s", error.message);
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
    retargeted r = retarget(clip, target, NULL);
    assert_true(lb_model_nq(target) <= MOST_NQ && lb_clip_count(r.clip) > SPIKE + 1);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        edited from = {r.clip, faults[i].fault};
        owned_clip *wrong = NULL;
        assert_int_equal(lb_clip_generate(target, lb_clip_count(r.clip), fill, &from,
                                          LB_INTERPOLATION_LINEAR, NULL, &wrong, NULL),
                         LB_OK);
        lb_fidelity_report report = compare(wrong, clip);
        unsigned found = beyond(&report);
        if ((found & faults[i].items) != faults[i].items || (faults[i].items == 0 && found != 0))
            fail_msg("%s: %x, not %x", faults[i].name, found, faults[i].items);
        if (faults[i].fault == teleport)
            assert_int_equal(report.items[LB_FIDELITY_SHIFT].key, SPIKE);
        if (faults[i].fault == arm_spike)
            assert_int_equal(report.items[LB_FIDELITY_JUMP].key, SPIKE);
    }
    release_retargeted(&r);
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
    assert_int_equal(
        lb_clip_create(model, times, keys, KEYS, LB_INTERPOLATION_LINEAR, NULL, &still, NULL),
        LB_OK);
    edited from = {still, one_hip_bent};
    assert_int_equal(
        lb_clip_generate(model, KEYS, fill, &from, LB_INTERPOLATION_LINEAR, NULL, &bent, NULL),
        LB_OK);
    lb_fidelity_report report;
    assert_int_equal(lb_clip_fidelity(bent, still, NULL, NULL, values, &report, NULL), LB_OK);
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

TEST(what_has_no_figure_is_refused)
{
    owned_model *arm = test_load("panda"), *figure = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(figure, WALKER_T, 1, 30), *still = NULL;
    double q[16] = {0}, times[1] = {0};
    lb_configuration_neutral(arm, q);
    assert_int_equal(lb_clip_create(arm, times, q, 1, LB_INTERPOLATION_LINEAR, NULL, &still, NULL),
                     LB_OK);
    lb_fidelity_report report;
    lb_error error = {0};
    assert_int_equal(lb_clip_fidelity(still, walk, NULL, NULL, NULL, &report, &error),
                     LB_BAD_MODEL);
    assert_true(error.message[0] != '\0');
    assert_int_equal(lb_clip_fidelity(NULL, walk, NULL, NULL, NULL, &report, &error),
                     LB_INVALID_ARGUMENT);
}
