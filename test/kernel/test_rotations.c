/*
 * test_rotations.c - many quaternions at once: every width gives the bits of the library's own
 * functions, one by one.
 */
#include "kernel/ops.h"
#include "support.h"

enum { BALLS = 19, ROOM = BALLS + KERNEL_MAX_WIDTH, GAP = 5 };

static void put_quat(double *q, lb_quat r)
{
    memcpy(q, (double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *q);
}

/* what they are to be, one by one */
static void compose_one_by_one(const kernel_turns *turns, const double *row, double *q)
{
    for (int i = 0; i < turns->count; i++) {
        lb_quat product = LB_QUAT_IDENTITY;
        for (int k = 0; k < KERNEL_TURNS; k++) {
            double sine, cosine;
            lb_sincos(turns->half_unit * row[turns->angles[k][i]], &sine, &cosine);
            lb_quat turn = {cosine, sine * turns->axes[k][0][i], sine * turns->axes[k][1][i],
                            sine * turns->axes[k][2][i]};
            product = lb_quat_multiply(product, turn);
        }
        put_quat(q + turns->places[i], product);
    }
}

TEST(turns_are_composed_as_one_by_one)
{
    lb_random random = test_seed(1);
    static int places[ROOM], angles[KERNEL_TURNS][ROOM];
    static double axes[KERNEL_TURNS][3][ROOM];
    double row[KERNEL_TURNS * BALLS], q[GAP * BALLS], expected[GAP * BALLS];
    kernel_turns turns = {.half_unit = LB_PI / 360, .places = places};
    for (int k = 0; k < KERNEL_TURNS; k++) {
        turns.angles[k] = angles[k];
        for (int a = 0; a < 3; a++)
            turns.axes[k][a] = axes[k][a];
    }
    for (int i = 0; i < BALLS; i++) {
        // not in the order of the row
        places[i] = GAP * (BALLS - 1 - i);
        for (int k = 0; k < KERNEL_TURNS; k++) {
            angles[k][i] = KERNEL_TURNS * i + k;
            axes[k][(i + k * (1 + i / 3)) % 3][i] = 1;
        }
    }
    for (turns.count = 0; turns.count <= BALLS; turns.count++) {
        // zeros of both signs, small and large angles, and some beyond all reduction
        for (int i = 0; i < KERNEL_TURNS * BALLS; i++)
            row[i] = i % 7 == 0   ? (i % 2 ? 0.0 : -0.0)
                     : i % 7 == 1 ? lb_random_between(&random, -1e12, 1e12)
                                  : lb_random_between(&random, -400, 400);
        memset(expected, 0, sizeof expected);
        compose_one_by_one(&turns, row, expected);
        for (int width = 1; width <= KERNEL_MAX_WIDTH; width *= 2) {
            memset(q, 0, sizeof q);
            kernel_choose(width)->compose(&turns, row, q);
            assert_memory_equal(q, expected, sizeof q);
        }
    }
}

/* of unit length but for rounding, nearly so, far from it, and none */
static lb_quat any_quat(lb_random *random, int kind)
{
    lb_quat r = test_random_quat(random);
    double s = kind == 0   ? 1
               : kind == 1 ? lb_random_between(random, 0.8, 1.3)
               : kind == 2 ? 1 + lb_random_between(random, -1e-15, 1e-15)
               : kind == 3 ? lb_random_between(random, 1e-200, 1e200)
                           : 0;
    return (lb_quat){r.w * s, r.x * s, r.y * s, r.z * s};
}

TEST(balls_are_normalized_as_one_by_one)
{
    lb_random random = test_seed(2);
    int places[BALLS];
    for (int i = 0; i < BALLS; i++)
        places[i] = GAP * i + 1;
    for (int round = 0; round < 400; round++) {
        double given[GAP * BALLS] = {0}, expected[GAP * BALLS], q[GAP * BALLS];
        // rounds with each kind alone, and with all of them
        for (int i = 0; i < BALLS; i++)
            put_quat(&given[places[i]], any_quat(&random, round % 4 < 3    ? round % 4
                                                          : round % 8 == 3 ? i % 5
                                                                           : i % 3));
        int count = round % (BALLS + 1);
        memcpy(expected, given, sizeof given);
        for (int i = 0; i < count; i++) {
            const double *p = &given[places[i]];
            put_quat(&expected[places[i]], lb_quat_normalize((lb_quat){p[0], p[1], p[2], p[3]}));
        }
        for (int width = 1; width <= KERNEL_MAX_WIDTH; width *= 2) {
            memcpy(q, given, sizeof given);
            kernel_choose(width)->normalize(places, count, q);
            assert_memory_equal(q, expected, sizeof q);
        }
    }
}

/* rotations of every kind: about all axes by all angles, half turns, and none that is one */
static lb_transform any_transform(lb_random *random, int kind)
{
    lb_quat q = test_random_quat(random);
    int axis = (int)lb_random_between(random, 0, 3);
    if (kind == 1)
        q = lb_quat_from_axis_angle(lb_vec3_make(axis == 0, axis == 1, axis == 2),
                                    LB_PI * (1 + lb_random_between(random, -1e-9, 1e-9)));
    if (kind == 2)
        q = lb_quat_from_axis_angle(test_random_direction(random), LB_PI);
    lb_transform t = lb_transform_from_quat(q, test_random_direction(random));
    if (kind == 3)
        t.y.z = test_random_chance(random, 0.5) ? INFINITY : NAN;
    return t;
}

TEST(transforms_turn_as_one_by_one)
{
    lb_random random = test_seed(3);
    for (int round = 0; round < 400; round++) {
        lb_transform from[BALLS];
        lb_quat expected[BALLS + 1], q[BALLS + 1];
        size_t count = (size_t)(round % (BALLS + 1));
        memset(expected, 0, sizeof expected);
        for (size_t i = 0; i < count; i++) {
            from[i] = any_transform(&random, round % 5 < 4 ? round % 5 : (int)(i % 4));
            expected[i] = lb_transform_quat(&from[i]);
        }
        for (int width = 1; width <= KERNEL_MAX_WIDTH; width *= 2) {
            memset(q, 0, sizeof q);
            kernel_choose(width)->quats(from, count, q);
            assert_memory_equal(q, expected, sizeof q);
        }
    }
}
