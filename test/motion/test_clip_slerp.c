/*
 * test_clip_slerp.c - linear clips of balls: the series is slerp for every angle, and each width of
 * the kernel gives the bits of width 1.
 */
#include "kernel/ops.h"
#include "support.h"

#include <limber/clip.h>

enum { BALLS = 19, NQ = 4 * BALLS };

/* balls on one link, so many that the last lanes are not full */
static lb_model *many_balls(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                        "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};
    lb_joint joints[BALLS];
    for (int i = 0; i < BALLS; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = names[i + 1];
        joints[i].parent = names[0];
        joints[i].kind = LB_JOINT_BALL;
    }
    return test_make("balls", NULL, 0, joints, BALLS);
}

static lb_quat quat_at(const double *q)
{
    return (lb_quat){q[0], q[1], q[2], q[3]};
}

static void put_quat(double *q, lb_quat r, double sign)
{
    memcpy(q, (double[]){sign * r.w, sign * r.x, sign * r.y, sign * r.z}, 4 * sizeof *q);
}

/* from 1e-9 to half a turn, of either sign: lb_quat_slerp, and of unit length */
TEST(every_angle_is_slerp)
{
    owned_model *model = many_balls();
    lb_random random = test_seed(1);
    for (int round = 0; round < 400; round++) {
        double keys[2 * NQ], q[NQ], most = pow(10, -9 + 9.0 * round / 399) * LB_PI;
        for (int i = 0; i < BALLS; i++) {
            lb_quat a = test_random_quat(&random);
            lb_quat turn = lb_quat_from_axis_angle(test_random_direction(&random),
                                                   lb_random_between(&random, 0, most));
            put_quat(&keys[4 * i], a, 1);
            put_quat(&keys[NQ + 4 * i], lb_quat_multiply(a, turn),
                     test_random_chance(&random, 0.5) ? 1 : -1);
        }
        owned_clip *clip = NULL;
        assert_ok(lb_clip_create(model, (double[]){0, 1}, keys, 2, LB_INTERPOLATION_LINEAR, NULL,
                                 &clip, NULL));
        double u = round % 7 == 0 ? 0x1p-50 : lb_random_unit(&random);
        lb_clip_at(clip, u, q);
        for (int i = 0; i < BALLS; i++) {
            lb_quat expected = lb_quat_slerp(quat_at(&keys[4 * i]), quat_at(&keys[NQ + 4 * i]), u);
            const double numbers[] = {expected.w, expected.x, expected.y, expected.z};
            for (int k = 0; k < 4; k++)
                assert_near(q[4 * i + k], numbers[k], 4e-15);
        }
    }
}

TEST(every_width_has_the_same_bits)
{
    lb_random random = test_seed(2);
    double a[NQ], b[NQ], expected[NQ], q[NQ];
    int places[BALLS];
    for (int i = 0; i < BALLS; i++) {
        places[i] = 4 * i;
        put_quat(&a[4 * i], test_random_quat(&random), 1);
        put_quat(&b[4 * i], test_random_quat(&random), 1);
    }
    for (int count = 1; count <= BALLS; count++) {
        kernel_slerp slerp = {.places = places,
                              .count = count,
                              .halvings = count % (KERNEL_SLERP_HALVINGS + 1),
                              .upper = {count % 2 == 0, count % 4 < 2},
                              .terms = 5};
        for (int i = 0; i <= slerp.terms; i++) {
            slerp.leave[i] = lb_random_between(&random, -1, 1);
            slerp.arrive[i] = lb_random_between(&random, -1, 1);
        }
        memset(expected, 0, sizeof expected);
        kernel_choose(1)->slerp(&slerp, a, b, expected);
        for (int width = 2; width <= KERNEL_MAX_WIDTH; width *= 2) {
            // what is beyond the last ball stays as it is
            memset(q, 0, sizeof q);
            kernel_choose(width)->slerp(&slerp, a, b, q);
            assert_memory_equal(q, expected, sizeof q);
        }
        assert_true(expected[4 * count - 1] != 0);
    }
}
