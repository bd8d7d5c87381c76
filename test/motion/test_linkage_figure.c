/*
 * test_linkage_figure.c - figures whose ankles are driven by rods: loops stay closed in motions
 * that are made, retargeted and streamed.
 */
#include <limber/check.h>
#include <limber/gait.h>
#include <limber/retarget.h>

#include "support.h"
#include "support_load.h"

/* of the loops' size: what closed means */
#define CLOSED 1e-12

/* ---- rods ------------------------------------------------------------------- */

enum { MOST = 48 };

/* A model with a crank on each shank, whose rod pulls the foot at the heel. */
typedef struct rods {
    lb_link links[MOST];
    lb_joint joints[MOST];
    lb_loop loops[2];
    char names[2][3][16]; /* crank, rod, loop; joints have the names of their links */
    int link_count, joint_count;
} rods;

static void add_rod(rods *r, const lb_model *model, int side, const char *shank, const char *foot)
{
    owned_state *state = test_state(model);
    const lb_joint *first = lb_model_joint(model, lb_model_find_joint(model, shank));
    const lb_joint *last = lb_model_joint(model, lb_model_find_joint(model, foot));
    const char *parents[2] = {first->parent, r->names[side][0]};
    lb_transform heel = lb_state_transform(state, lb_model_find_link(model, first->parent),
                                           lb_model_find_link(model, last->child));
    lb_vec3 at = lb_transform_point(&heel, lb_vec3_make(-0.05, 0, 0));
    const lb_transform places[2] = {lb_transform_translation(at.x + 0.05, at.y, at.z + 0.2),
                                    lb_transform_translation(-0.05, 0, 0)};
    for (int i = 0; i < 3; i++)
        snprintf(r->names[side][i], sizeof r->names[side][i], "%s%d",
                 (const char *[]){"crank", "rod", "end"}[i], side);
    for (int i = 0; i < 2; i++) {
        lb_joint *joint = &r->joints[r->joint_count++];
        lb_link *link = &r->links[r->link_count++];
        *link = lb_link_default();
        *joint = lb_joint_default();
        link->name = joint->name = joint->child = r->names[side][i];
        joint->parent = parents[i];
        joint->placement = places[i];
        joint->kind = i == 0 ? LB_JOINT_CONTINUOUS : LB_JOINT_UNIVERSAL;
        joint->axis = i == 0 ? lb_vec3_make(0, 1, 0) : lb_vec3_make(1, 0, 0);
        joint->axis2 = lb_vec3_make(0, 1, 0);
        joint->velocity = i == 0 ? 1 : INFINITY;
        joint->lower[0] = joint->lower[1] = -2;
        joint->upper[0] = joint->upper[1] = 2;
    }
    r->loops[side] = lb_loop_default();
    r->loops[side].name = r->names[side][2];
    r->loops[side].first = r->names[side][1];
    r->loops[side].second = last->child;
    r->loops[side].first_frame.p.z = -0.2;
    r->loops[side].second_frame.p.x = -0.05;
}

static lb_model *make_figure(const char *name, const char *const ankles[2][2])
{
    owned_model *plain = test_load_moving(name);
    rods r = {.link_count = lb_model_link_count(plain), .joint_count = lb_model_joint_count(plain)};
    lb_model *model = NULL;
    for (int i = 0; i < r.link_count; i++)
        r.links[i] = *lb_model_link(plain, i);
    for (int i = 0; i < r.joint_count; i++)
        r.joints[i] = *lb_model_joint(plain, i);
    for (int side = 0; side < 2; side++)
        add_rod(&r, plain, side, ankles[side][0], ankles[side][1]);
    const lb_model_source source = {.name = "rods",
                                    .root = lb_model_root(plain),
                                    .links = r.links,
                                    .link_count = r.link_count,
                                    .joints = r.joints,
                                    .joint_count = r.joint_count,
                                    .loops = r.loops,
                                    .loop_count = 2};
    assert_made(lb_model_build(&source, NULL, &model, &cause), cause);
    return model;
}

static lb_model *make_biped(void)
{
    static const char *const ankles[2][2] = {{"left_ankle_pitch", "left_ankle_roll"},
                                             {"right_ankle_pitch", "right_ankle_roll"}};
    return make_figure("biped", ankles);
}

/* ---- closed ------------------------------------------------------------------- */

/* by the model's own forward kinematics, in metres */
static double open_by(lb_state *state, const double *q)
{
    const lb_model *model = lb_state_model(state);
    double worst = 0;
    lb_state_update(state, q);
    for (int i = 0; i < 2; i++) {
        const lb_loop *loop = lb_model_loop(model, i);
        int first = lb_model_find_link(model, loop->first);
        int second = lb_model_find_link(model, loop->second);
        lb_vec3 a = lb_state_point(state, first, LB_WORLD, loop->first_frame.p);
        lb_vec3 b = lb_state_point(state, second, LB_WORLD, loop->second_frame.p);
        worst = fmax(worst, lb_vec3_length(lb_vec3_sub(a, b)));
    }
    return worst;
}

/* all keys, and the crank has something to do */
static void assert_closed(const lb_clip *clip)
{
    const lb_model *model = lb_clip_model(clip);
    owned_state *state = test_state(model);
    lb_check_report report;
    int crank = lb_model_joint_q(model, lb_model_find_joint(model, "crank0"));
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < lb_clip_count(clip); i++) {
        const double *q = lb_clip_key(clip, i);
        if (!(open_by(state, q) <= CLOSED))
            fail_msg("key %d is open by %g m", i, open_by(state, q));
        low = fmin(low, q[crank]);
        high = fmax(high, q[crank]);
    }
    assert_true(high - low > 0.05);
    assert_made(lb_clip_check(clip, NULL, NULL, NULL, NULL, &report, &cause), cause);
    assert_true(report.items[LB_CHECK_OPEN].worst <= CLOSED);
    assert_int_equal(report.items[LB_CHECK_OPEN].beyond, 0);
}

static lb_clip *make_walk(const lb_model *model)
{
    lb_clip *walk = NULL;
    lb_gait gait = lb_gait_default();
    gait.rate = 30;
    assert_made(lb_gait_walk(model, &gait, NULL, &walk, NULL, &cause), cause);
    return walk;
}

/* ---- motions --------------------------------------------------------------------- */

TEST(a_walk_that_is_made_keeps_loops_closed)
{
    static const char *const ankles[2][2] = {{"left_ankle", "left_ankle"},
                                             {"right_ankle", "right_ankle"}};
    owned_model *model = make_figure("human", ankles);
    owned_clip *walk = make_walk(model);
    assert_closed(walk);
}

/* frame by frame, as one problem, and at another rate; the cranks are too slow for it */
TEST(retargeting_keeps_loops_closed)
{
    owned_model *human = test_load_moving("human"), *biped = make_biped();
    owned_clip *walk = make_walk(human);
    lb_retarget_options options = lb_retarget_options_default();
    lb_retarget_report report;
    lb_check_report check;
    for (int i = 0; i < 3; i++) {
        owned_clip *made = NULL;
        options.smooth = i == 0 ? 0 : options.smooth;
        options.rate = i == 2 ? 24 : 0;
        assert_made(lb_retarget(walk, biped, &options, NULL, &made, NULL, &report, &cause), cause);
        assert_closed(made);
        assert_made(lb_clip_check(made, NULL, NULL, NULL, NULL, &check, &cause), cause);
        assert_int_equal(check.items[LB_CHECK_SPEED].beyond, 0);
        assert_true(report.fastest > 2);
        assert_int_equal(report.smoothed, i > 0);
        options = lb_retarget_options_default();
    }
}

TEST(streams_keep_loops_closed)
{
    owned_model *human = test_load_moving("human"), *biped = make_biped();
    owned_clip *walk = make_walk(human);
    owned_stream *stream = NULL;
    owned_state *state = test_state(biped);
    double q[64];
    assert_made(lb_retarget_stream_create(human, walk, biped, NULL, NULL, &stream, &cause), cause);
    for (int i = 0; i < lb_clip_count(walk); i++) {
        lb_retarget_stream_next(stream, lb_clip_times(walk)[i], lb_clip_key(walk, i), q, NULL);
        if (!(open_by(state, q) <= CLOSED))
            fail_msg("frame %d is open by %g m", i, open_by(state, q));
    }
}

/* what is not closed is seen */
TEST(a_check_measures_open_loops)
{
    owned_model *biped = make_biped();
    owned_state *state = test_state(biped);
    owned_clip *clip = NULL;
    lb_check_report report;
    double times[2] = {0, 1};
    int crank = lb_model_joint_q(biped, lb_model_find_joint(biped, "crank1"));
    int nq = lb_model_nq(biped);
    double rows[128];
    lb_configuration_neutral(biped, rows);
    lb_configuration_neutral(biped, rows + nq);
    rows[nq + crank] += 0.1;
    assert_made(lb_clip_create(biped, times, rows, 2, LB_INTERPOLATION_LINEAR, NULL, &clip, &cause),
                cause);
    assert_made(lb_clip_check(clip, NULL, NULL, NULL, NULL, &report, &cause), cause);
    const lb_check_worst *open = &report.items[LB_CHECK_OPEN];
    assert_int_equal(open->key, 1);
    assert_int_equal(open->beyond, 1);
    // of loops of some tenths of a metre
    double metres = open_by(state, rows + nq);
    assert_true(metres > 0.003 && open->worst > metres && open->worst < 20 * metres);
}
