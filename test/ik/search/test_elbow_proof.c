/*
 * test_elbow_proof.c - what the elbow of an arm of seven joints proves to be out of reach: never a
 * target that some configuration reaches within the tolerances, everything that is clearly outside,
 * and the same one by one and in batches of any width.
 *
 *     test_ik test_elbow_proof [TARGETS]
 *
 * looks at so many targets round the border of the reach: 1,500 unless given.
 */
#include "support_load.h"

#include <limber/batch.h>
#include <limber/ik.h>

enum { NQ = 7, ELBOW = 3, BATCH = 64, DESCENTS = 20 };

TEST_ARGUMENT(wanted, 1, 1500)

/* an arm whose elbow has limits of its own, and what random choices come from */
typedef struct setting {
    lb_model *model;
    lb_task task;
    lb_joint_setting joint;
    lb_random random;
} setting;

static setting make_setting(double lower, double upper, uint64_t seed)
{
    setting s = {.model = test_load("iiwa14"), .random = test_seed(seed)};
    s.task = lb_task_make(lb_model_find_link(s.model, "flange"), LB_WORLD, LB_TASK_POSE);
    for (int j = 0; j < lb_model_joint_count(s.model); j++)
        if (lb_model_joint_q(s.model, j) == ELBOW)
            s.joint = lb_joint_setting_make(j);
    s.joint.lower[0] = lower;
    s.joint.upper[0] = upper;
    return s;
}

static lb_ik *make_solver(const setting *s, lb_protocol protocol, int width)
{
    lb_ik_options options = lb_ik_options_default();
    options.protocol = protocol;
    options.width = width;
    options.joints = &s->joint;
    options.joint_count = 1;
    return test_solver(s->model, &s->task, 1, &options);
}

/* a configuration whose elbow is at an end of what it can do, or within a millionth of that */
static void random_border(setting *s, double *q)
{
    const double ends[3] = {s->joint.lower[0], s->joint.upper[0], 0};
    lb_configuration_random(s->model, &s->random, q);
    int end = test_random_index(&s->random, 3);
    if (end == 2 && !(s->joint.lower[0] < 0 && s->joint.upper[0] > 0))
        end = 0;
    const double inward = end == 0 ? 1 : end == 1 ? -1 : lb_random_between(&s->random, -1, 1);
    const double off = test_random_index(&s->random, 2) ? lb_random_unit(&s->random) * 1e-6 : 0;
    q[ELBOW] = ends[end] + inward * off;
}

/* a target moved and turned by so much in random directions */
static lb_transform miss_by(setting *s, lb_transform target, double metres, double radians)
{
    const lb_vec3 along = test_random_direction(&s->random),
                  axis = test_random_direction(&s->random);
    const lb_transform turn =
        lb_transform_from_quat(lb_quat_from_axis_angle(axis, radians), lb_vec3_make(0, 0, 0));
    const lb_vec3 place = lb_vec3_add(target.p, lb_vec3_scale(along, metres));
    target = lb_transform_multiply(&turn, &target);
    target.p = place;
    return target;
}

/* limits of the elbow: its own, on one side of straight, and bent all the time */
static const double limits[][2] = {{-2.0943951, 2.0943951}, {-0.3, 2}, {0.4, 1.5}, {-1, -0.9}};

/* a configuration makes it to all but the whole tolerances: it is not out of reach */
TEST(what_is_reached_is_never_refuted)
{
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        setting s = make_setting(limits[k][0], limits[k][1], 71 + k);
        for (int protocol = LB_PROTOCOL_NEAREST; protocol <= LB_PROTOCOL_GIVEN; protocol++) {
            owned_ik *ik = make_solver(&s, (lb_protocol)protocol, 0);
            for (int n = 0; n < wanted; n++) {
                double q[NQ], found[NQ];
                lb_ik_result result;
                random_border(&s, q);
                const lb_transform made = test_task_tool(s.model, &s.task, q);
                const lb_transform target = miss_by(&s, made, 0.999e-6, 0.999e-6);
                assert_int_not_equal(lb_ik_solve(ik, &target, q, found, &result), LB_UNREACHABLE);
                lb_configuration_random(s.model, &s.random, q);
                if (n % 50 == 0)
                    assert_int_not_equal(lb_ik_solve(ik, &target, q, found, NULL), LB_UNREACHABLE);
            }
        }
        lb_model_release(s.model);
    }
}

/* descents from many starts come to nothing that the proof excludes; what the elbow's border is
   clearly exceeded by is proved */
TEST(what_is_refuted_is_never_reached)
{
    int proved = 0, outside = 0;
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        setting s = make_setting(limits[k][0], limits[k][1], 81 + k);
        lb_ik *ik = make_solver(&s, LB_PROTOCOL_NEAREST, 0);
        lb_ik *descent = make_solver(&s, LB_PROTOCOL_GIVEN, 0);
        for (int n = 0; n < wanted; n++) {
            static const double misses[] = {1e-6, 3e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1};
            const double miss = misses[n % 7];
            double q[NQ], found[NQ];
            lb_ik_result result;
            random_border(&s, q);
            const lb_transform made = test_task_tool(s.model, &s.task, q);
            const lb_transform target = miss_by(&s, made, miss, 0);
            if (lb_ik_solve(ik, &target, q, found, &result) != LB_UNREACHABLE)
                continue;
            proved++;
            outside += miss < 1e-3;
            assert_true(result.reason == LB_REASON_REACH || result.reason == LB_REASON_LIMITS);
            for (int d = 0; d < DESCENTS; d++) {
                assert_int_not_equal(lb_ik_solve(descent, &target, q, found, NULL), LB_REACHED);
                lb_configuration_random(s.model, &s.random, q);
            }
        }
        lb_ik_release(ik);
        lb_ik_release(descent);
        lb_model_release(s.model);
    }
    // the outward half of the directions, and the larger part of these exceeds the tolerances
    print_message("%d proved, %d of them by less than a millimetre\n", proved, outside);
    assert_true(proved > wanted && outside > wanted / 3);
}

/* targets on either side of the border: every protocol, width and split has one result */
TEST(single_and_batch_agree)
{
    setting s = make_setting(-2.0943951, 2.0943951, 91);
    lb_transform targets[BATCH];
    double starts[BATCH][NQ], alone[BATCH][NQ], q[BATCH][NQ];
    lb_ik_result first[BATCH], results[BATCH];
    for (int i = 0; i < BATCH; i++) {
        random_border(&s, starts[i]);
        const lb_transform made = test_task_tool(s.model, &s.task, starts[i]);
        targets[i] = miss_by(&s, made, i % 4 * 1e-3, 0);
        lb_configuration_random(s.model, &s.random, starts[i]);
    }
    for (int protocol = LB_PROTOCOL_NEAREST; protocol <= LB_PROTOCOL_GIVEN; protocol++)
        for (int width = 1; width <= 8; width *= 2) {
            owned_ik *ik = make_solver(&s, (lb_protocol)protocol, width);
            const lb_batch batch = {
                .targets = targets, .starts = starts[0], .q = q[0], .results = results};
            const size_t cut = (size_t)test_random_index(&s.random, BATCH);
            int proved = 0;
            lb_batch_solve(ik, &batch, cut, BATCH);
            lb_batch_solve(ik, &batch, 0, cut);
            for (int i = 0; i < BATCH; i++) {
                if (width == 1)
                    lb_ik_solve(ik, &targets[i], starts[i], alone[i], &first[i]);
                proved += results[i].outcome == LB_UNREACHABLE;
                assert_memory_equal(&results[i], &first[i], sizeof first[i]);
                assert_memory_equal(q[i], alone[i], sizeof q[i]);
            }
            assert_true(protocol == LB_PROTOCOL_GIVEN || proved > BATCH / 8);
        }
    lb_model_release(s.model);
}
