/* test_bones.c - cyclic coordinate descent on bones: the contract of Juckett 2009. */
#include "support.h"

#include <limber/bones.h>

enum { MOST = 12 };

static double gap(const lb_bone *bones, int n, double x, double y)
{
    double ex, ey;
    lb_bones_end(bones, n, &ex, &ey);
    return sqrt((ex - x) * (ex - x) + (ey - y) * (ey - y));
}

/* the end, by libm and cumulative angles */
static void end_by_hand(const lb_bone *bones, int n, double *x, double *y)
{
    double angle = 0;
    *x = *y = 0;
    for (int i = 0; i < n; i++) {
        *x += cos(angle) * bones[i].x - sin(angle) * bones[i].y;
        *y += sin(angle) * bones[i].x + cos(angle) * bones[i].y;
        angle += bones[i].angle;
    }
}

static int random_bones(lb_random *random, lb_bone *bones)
{
    int n = 2 + test_random_index(random, MOST - 1);
    for (int i = 0; i < n; i++)
        bones[i] =
            (lb_bone){lb_random_between(random, 0.3, 1), lb_random_between(random, -0.3, 0.3),
                      lb_random_between(random, -3, 3)};
    return n;
}

TEST(test_end)
{
    lb_random random = test_seed(1);
    for (int k = 0; k < 200; k++) {
        lb_bone bones[MOST];
        double x, y, ex, ey;
        int n = random_bones(&random, bones);
        lb_bones_end(bones, n, &x, &y);
        end_by_hand(bones, n, &ex, &ey);
        assert_near(x, ex, 1e-13);
        assert_near(y, ey, 1e-13);
    }
}

TEST(test_two_bones_step_by_step)
{
    // a single moving bone of length 2 points at the target, on which it cannot lie
    lb_bone bones[] = {{0, 0, 0}, {2, 0, 0.5}};
    assert_int_equal(lb_bones_step(bones, 2, 0, 3, 0.01, NULL), LB_PROCESSING);
    assert_near(bones[0].angle, LB_PI / 2, 1e-15);
    assert_near(bones[1].angle, 0.5, 0);
    assert_int_equal(lb_bones_step(bones, 2, 0, 3, 0.01, NULL), LB_FAILURE);
    assert_int_equal(lb_bones_step(bones, 2, 0, 3, 1.0000001, NULL), LB_SUCCESS);
}

TEST(test_never_farther)
{
    lb_random random = test_seed(2);
    for (int k = 0; k < 500; k++) {
        lb_bone bones[MOST];
        int n = random_bones(&random, bones);
        double x = lb_random_between(&random, -8, 8), y = lb_random_between(&random, -8, 8);
        lb_bones_options plain = lb_bones_options_default();
        plain.nudge = 0;
        double before = gap(bones, n, x, y);
        for (int step = 0; step < 20; step++) {
            lb_progress progress = lb_bones_step(bones, n, x, y, 1e-3, &plain);
            double after = gap(bones, n, x, y);
            assert_true(after <= before + 1e-12);
            assert_int_equal(progress == LB_SUCCESS, after <= 1e-3);
            for (int i = 0; i + 1 < n; i++)
                assert_true(fabs(bones[i].angle) <= LB_PI);
            before = after;
            if (progress != LB_PROCESSING)
                break;
        }
    }
}

/* angles of many turns count as what is left of them */
TEST(test_many_turns)
{
    const double turns[] = {1e3, 1e9, 1e17, 1e77, -5e279};
    for (int k = 0; k < 5; k++) {
        lb_bone bones[4] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, wrapped[4];
        bones[1].angle = bones[2].angle = turns[k];
        memcpy(wrapped, bones, sizeof bones);
        wrapped[1].angle = wrapped[2].angle = lb_wrap_angle(turns[k]);
        for (int sweep = 0; sweep < 20; sweep++) {
            lb_progress progress = lb_bones_step(bones, 4, -1.2, 0.7, 1e-3, NULL);
            assert_int_equal(lb_bones_step(wrapped, 4, -1.2, 0.7, 1e-3, NULL), progress);
            assert_near(gap(bones, 4, -1.2, 0.7), gap(wrapped, 4, -1.2, 0.7), 1e-12);
            if (progress != LB_PROCESSING)
                break;
        }
        assert_true(gap(bones, 4, -1.2, 0.7) <= 1e-3);
    }
}

/* reachable targets are reached, by sweeps alone */
TEST(test_reaches)
{
    lb_random random = test_seed(3);
    for (int k = 0; k < 300; k++) {
        lb_bone bones[MOST], goal[MOST];
        int n = random_bones(&random, bones);
        double x, y;
        for (int i = 0; i < n; i++) {
            goal[i] = bones[i];
            goal[i].angle = lb_random_between(&random, -1.5, 1.5);
        }
        if (n < 4)
            continue;
        lb_bones_end(goal, n, &x, &y);
        lb_progress progress = LB_PROCESSING;
        for (int step = 0; step < 5000 && progress == LB_PROCESSING; step++)
            progress = lb_bones_step(bones, n, x, y, 1e-3, NULL);
        assert_int_equal(progress, LB_SUCCESS);
    }
}

/* two bones without rotation and a target on their line: descent alone folds them and stays */
TEST(test_lock)
{
    const lb_bone start[] = {{0, 0, 0}, {1, 0, 0}, {0.8, 0, 0}};
    lb_bone bones[3];
    lb_bones_options options = lb_bones_options_default();
    options.nudge = 0;
    for (int k = 0; k < 3; k++)
        bones[k] = start[k];
    assert_int_equal(lb_bones_step(bones, 3, 0.5, 0, 1e-3, &options), LB_PROCESSING);
    assert_near(fabs(bones[1].angle), LB_PI, 1e-12);
    assert_near(bones[0].angle, 0, 0);
    assert_int_equal(lb_bones_step(bones, 3, 0.5, 0, 1e-3, &options), LB_FAILURE);

    // the default frees them
    lb_progress progress = LB_PROCESSING;
    for (int step = 0; step < 100 && progress == LB_PROCESSING; step++)
        progress = lb_bones_step(bones, 3, 0.5, 0, 1e-3, NULL);
    assert_int_equal(progress, LB_SUCCESS);
    assert_near(gap(bones, 3, 0.5, 0), 0, 1e-3);
}

/* a negative product, as of an end on the target's line to the bone, would divide by zero */
TEST(test_bad_options)
{
    const double bad[] = {-1, -INFINITY, NAN};
    for (int i = 0; i < 12; i++) {
        double value = bad[i / 4];
        // the second bone is at the target
        lb_bone bones[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
        lb_bones_options options = lb_bones_options_default();
        double *fields[] = {&options.least_product, &options.trivial_arc, &options.nudge};
        if (i % 4 < 3)
            *fields[i % 4] = value;
        lb_progress progress = lb_bones_step(bones, 3, 1, 0, i % 4 < 3 ? 1e-3 : value, &options);
        for (int k = 0; k < 3; k++)
            assert_true(bones[k].angle == 0);
        assert_int_equal(progress, LB_FAILURE);
    }
    // everything may be near the target
    lb_bone bones[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    lb_bones_options options = {.least_product = INFINITY, .trivial_arc = INFINITY};
    assert_int_equal(lb_bones_step(bones, 3, 1, 0, 1e-3, &options), LB_FAILURE);
    // nothing is, and a nudge of any size: the bone at the target stays as it is
    options = (lb_bones_options){.nudge = INFINITY};
    assert_int_equal(lb_bones_step(bones, 3, 1, 0, 1e-3, &options), LB_FAILURE);
    for (int k = 0; k < 3; k++)
        assert_true(isfinite(bones[k].angle));
}

/* what no lengths allow fails, nudge or not */
TEST(test_out_of_reach)
{
    lb_bone bones[] = {{0, 0, 0.3}, {1, 0, 0.2}, {0.5, 0, 0}};
    lb_progress progress = LB_PROCESSING;
    for (int step = 0; step < 1000 && progress == LB_PROCESSING; step++)
        progress = lb_bones_step(bones, 3, 3, 4, 1e-3, NULL);
    assert_int_equal(progress, LB_FAILURE);
    assert_near(gap(bones, 3, 3, 4), 3.5, 1e-3);
    // too near
    progress = LB_PROCESSING;
    for (int step = 0; step < 1000 && progress == LB_PROCESSING; step++)
        progress = lb_bones_step(bones, 3, 0.1, 0.1, 1e-3, NULL);
    assert_int_equal(progress, LB_FAILURE);
}

TEST(test_not_finite)
{
    lb_bone bones[] = {{0, 0, 0.3}, {1, 0, 0.2}, {0.5, 0, 0}};
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(lb_bones_step(bones, 3, bad[k], 0, 1e-3, NULL), LB_FAILURE);
        assert_int_equal(lb_bones_step(bones, 3, 0, bad[k], 1e-3, NULL), LB_FAILURE);
        assert_int_equal(lb_bones_step(bones, 3, 0, 1, bad[k], NULL), LB_FAILURE);
        assert_near(bones[0].angle, 0.3, 0);
        bones[1].angle = bad[k];
        assert_int_equal(lb_bones_step(bones, 3, 0, 1, 1e-3, NULL), LB_FAILURE);
        bones[1].angle = 0.2;
    }
    // one bone alone has nothing to turn
    assert_int_equal(lb_bones_step(bones, 1, 0, 0, 1e-3, NULL), LB_SUCCESS);
    assert_int_equal(lb_bones_step(bones, 1, 1, 0, 1e-3, NULL), LB_FAILURE);
}

/* ---- an implementation of its own ------------------------------------------ */

/*
 * The sweep as Juckett 2009 describes it: every bone in world space, cosine and sine from dot and
 * cross product, the angle from the cosine. Shares nothing with the library, not even its sine.
 */
typedef struct world_bone {
    double x, y, angle;
} world_bone;

static double in_half_turns(double angle)
{
    angle = fmod(angle, 2 * LB_PI);
    return angle < -LB_PI ? angle + 2 * LB_PI : angle > LB_PI ? angle - 2 * LB_PI : angle;
}

static lb_progress sweep_by_hand(lb_bone *bones, int n, double tx, double ty, double arrival)
{
    world_bone world[MOST];
    double angle = 0, x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        x += cos(angle) * bones[i].x - sin(angle) * bones[i].y;
        y += sin(angle) * bones[i].x + cos(angle) * bones[i].y;
        angle += bones[i].angle;
        world[i] = (world_bone){x, y, angle};
    }
    bool modified = false;
    for (int i = n - 2; i >= 0; i--) {
        double ex = x - world[i].x, ey = y - world[i].y, e = sqrt(ex * ex + ey * ey);
        double gx = tx - world[i].x, gy = ty - world[i].y, g = sqrt(gx * gx + gy * gy);
        double cosine = 1, sine = 0;
        if (e * g > 1e-4) {
            cosine = (ex * gx + ey * gy) / (e * g);
            sine = (ex * gy - ey * gx) / (e * g);
        }
        double turn = acos(fmax(-1, fmin(1, cosine)));
        turn = sine < 0 ? -turn : turn;
        x = world[i].x + cosine * ex - sine * ey;
        y = world[i].y + sine * ex + cosine * ey;
        bones[i].angle = in_half_turns(bones[i].angle + turn);
        if ((tx - x) * (tx - x) + (ty - y) * (ty - y) <= arrival * arrival)
            return LB_SUCCESS;
        modified = modified || fabs(turn) * e > 1e-5;
    }
    return modified ? LB_PROCESSING : LB_FAILURE;
}

/* targets within reach, beyond it, inside a hole and close to both rims */
static void random_target(lb_random *random, const lb_bone *bones, int n, double *x, double *y)
{
    double sum = 0, angle = lb_random_between(random, -LB_PI, LB_PI), s, c;
    for (int i = 1; i < n; i++)
        sum += sqrt(bones[i].x * bones[i].x + bones[i].y * bones[i].y);
    const double shares[] = {lb_random_between(random, 0, 1),
                             lb_random_between(random, 0, 1),
                             lb_random_between(random, 0, 1.3),
                             1 - 1e-4,
                             1 + 1e-4,
                             1e-3};
    double far = sum * shares[test_random_index(random, 6)];
    lb_sincos(angle, &s, &c);
    *x = bones[0].x + far * c;
    *y = bones[0].y + far * s;
}

/* rounding of the arc cosine adds up over thousands of sweeps */
enum { PROBLEMS = FEWER(3000, 400), LONGEST = 200000, COMPARED = 100 };

/* plain descent has the iterates and the outcome of the other implementation, after the same number
   of sweeps */
TEST(test_as_by_hand)
{
    lb_random random = test_seed(4);
    lb_bones_options plain = lb_bones_options_default();
    plain.nudge = 0;
    int outcomes[3] = {0};
    for (int k = 0; k < PROBLEMS; k++) {
        lb_bone bones[MOST], other[MOST];
        double x, y;
        int n = random_bones(&random, bones), count = 0, count_by_hand = 0;
        random_target(&random, bones, n, &x, &y);
        memcpy(other, bones, sizeof bones);
        lb_progress progress, by_hand = LB_PROCESSING;
        do {
            progress = lb_bones_step(bones, n, x, y, 1e-3, &plain);
            if (by_hand != LB_PROCESSING)
                continue;
            by_hand = sweep_by_hand(other, n, x, y, 1e-3);
            count_by_hand++;
            // the same angles after every sweep
            for (int i = 0; i < n && count < COMPARED; i++)
                assert_near(lb_wrap_angle(bones[i].angle - other[i].angle), 0, 1e-6);
        } while (++count < LONGEST && progress == LB_PROCESSING);
        while (by_hand == LB_PROCESSING && count_by_hand < LONGEST) {
            by_hand = sweep_by_hand(other, n, x, y, 1e-3);
            count_by_hand++;
        }
        outcomes[progress]++;
        assert_int_equal(progress, by_hand);
        assert_int_not_equal(progress, LB_PROCESSING);
        // an arc cosine knows small angles to 1e-8 only: slow descents may end a sweep apart
        double apart = count > 1000 ? 3e-3 * count : 0;
        assert_near(count, count_by_hand, apart);
    }
    // all that may happen has happened
    assert_true(outcomes[LB_SUCCESS] > PROBLEMS / 3 && outcomes[LB_FAILURE] > PROBLEMS / 4);
}

/* ---- every loop ends ------------------------------------------------------ */

/* the loop of the header's comment; returns how many sweeps it takes */
static int run(lb_bone *bones, int n, double x, double y, double arrival, lb_progress *progress)
{
    int count = 0;
    do {
        *progress = lb_bones_step(bones, n, x, y, arrival, NULL);
    } while (++count < LONGEST && *progress == LB_PROCESSING);
    return count;
}

/* a target just inside the rim: each stall was followed by a nudge that led back to it */
TEST(test_rim_ends)
{
    lb_bone bones[] = {{0, 0, 0.3}, {1, 0, 0.2}, {1, 0, 0}};
    lb_progress progress;
    int count = run(bones, 3, 1.9999, 0, 1e-4, &progress);
    assert_int_equal(progress, LB_SUCCESS);
    assert_true(count < LONGEST);
}

/* of all sizes, at the rims, locked on one line, for arrivals that none can keep */
TEST(test_every_loop_ends)
{
    static const double sizes[] = {1, 1e-2, 1e3, 1e9, 1e150, 1e160, 1e-150};
    static const double arrivals[] = {1e-3, 1e-4, 1e-9, 0};
    lb_random random = test_seed(5);
    for (int k = 0; k < PROBLEMS / 3; k++) {
        double size = sizes[k % 7], arrival = size * arrivals[k % 4], x, y;
        lb_bone bones[MOST];
        int n = random_bones(&random, bones);
        bool line = test_random_chance(&random, 0.3);
        random_target(&random, bones, n, &x, &y);
        for (int i = 0; i < n; i++) {
            bones[i].x *= size;
            bones[i].y *= size;
            if (line)
                bones[i].angle = test_random_chance(&random, 0.5) ? 0 : LB_PI;
        }
        lb_progress progress;
        assert_true(run(bones, n, x * size, y * size, arrival, &progress) < LONGEST);
        for (int i = 0; i < n; i++)
            assert_true(isfinite(bones[i].angle));
    }
}

/* chains of equal bones, stretched or folded on the line to a target that they can reach */
TEST(test_locks_are_freed)
{
    lb_random random = test_seed(6);
    for (int k = 0; k < PROBLEMS; k++) {
        lb_bone bones[MOST];
        int n = 3 + test_random_index(&random, MOST - 2);
        double sum = 0, longest = 0;
        for (int i = 0; i < n; i++) {
            double each = lb_random_between(&random, 0.3, 1);
            bones[i] = (lb_bone){i > 0 ? each : 0, 0, test_random_chance(&random, 0.5) ? 0 : LB_PI};
            sum += bones[i].x;
            longest = fmax(longest, bones[i].x);
        }
        double least = fmax(0, 2 * longest - sum) + 1e-3;
        double x = lb_random_between(&random, least, sum - 1e-3);
        lb_progress progress;
        run(bones, n, x, 0, 1e-3, &progress);
        assert_int_equal(progress, LB_SUCCESS);
    }
}
