/*
 * test_timing_optimum.c - the fastest motion along lines of arms against optima of other methods
 * and on finer grids.
 */
#include "arm_lines.h"

#include "motion/spline.h"
#include "motion/timing.h"

#include <limber/limber.h>

/* ---- an optimum without jerk ---------------------------------------------------- */

enum { GRID = 3000 };

/*
 * Time-optimal without limits of jerk, by reachable sets backwards and the greatest acceleration
 * forwards (Pham & Pham 2018), on a grid of the path: q at GRID + 1 even shares.
 */
typedef struct reachable {
    int nq;
    const double *q, *velocity, *acceleration;
    double most[GRID + 1]; /* the largest square of the speed from where the end is reached */
} reachable;

static void slopes(const reachable *r, int i, double *first, double *second)
{
    double h = 1.0 / GRID;
    int m = i < 1 ? 1 : i > GRID - 1 ? GRID - 1 : i;
    for (int k = 0; k < r->nq; k++) {
        double a = r->q[(m - 1) * r->nq + k], b = r->q[m * r->nq + k],
               c = r->q[(m + 1) * r->nq + k];
        second[k] = (a - 2 * b + c) / (h * h);
        first[k] = (c - a) / (2 * h) + (i - m) * h * second[k];
    }
}

/* the accelerations of the share that all joints allow at a speed squared */
static bool range_at(const reachable *r, int i, double b, double *low, double *high)
{
    double first[MOST_Q], second[MOST_Q];
    slopes(r, i, first, second);
    *low = -INFINITY;
    *high = INFINITY;
    for (int k = 0; k < r->nq; k++) {
        if (first[k] * first[k] * b > r->velocity[k] * r->velocity[k])
            return false;
        double rest = second[k] * b, size = fabs(first[k]);
        if (size < 1e-9) {
            if (fabs(rest) > r->acceleration[k])
                return false;
            continue;
        }
        double middle = -rest / first[k], half = r->acceleration[k] / size;
        *low = fmax(*low, middle - half);
        *high = fmin(*high, middle + half);
    }
    return *low <= *high;
}

/* whether from b at i some acceleration leads into [0, next] at i + 1 */
static bool leads_on(const reachable *r, int i, double b, double next)
{
    double low, high, step = 2.0 / GRID;
    return range_at(r, i, b, &low, &high) && b + step * low <= next && b + step * high >= 0;
}

static double shortest_without_jerk(reachable *r)
{
    double b = 0, time = 0, step = 2.0 / GRID;
    r->most[GRID] = 0;
    for (int i = GRID - 1; i >= 0; i--) {
        double low = 0, high = 1e6;
        for (int k = 0; k < 100; k++) {
            double middle = 0.5 * (low + high);
            if (leads_on(r, i, middle, r->most[i + 1]))
                low = middle;
            else
                high = middle;
        }
        r->most[i] = low;
    }
    for (int i = 0; i < GRID; i++) {
        double low, high;
        range_at(r, i, b, &low, &high);
        double next = fmax(0, fmin(r->most[i + 1], b + step * high));
        time += step / (sqrt(b) + sqrt(next));
        b = next;
    }
    return time;
}

/* ---- against finer grids ------------------------------------------------------------- */

/* the motion of a clip as a curve over shares, even ones: it is what was timed */
static void resample(const lb_model *model, lb_task *task, const line *l, const double *first,
                     double *q)
{
    lb_follow how = lb_follow_default(*task, l->path, GRID + 1);
    owned_follower *follower = NULL;
    lb_frame frame;
    double at[MOST_Q];
    int nq = lb_model_nq(model);
    how.options.position_tolerance = how.options.rotation_tolerance = 1e-11;
    assert_ok(lb_follower_create(model, &how, NULL, &follower, NULL));
    memcpy(at, first, sizeof(double) * (size_t)nq);
    while (lb_follower_next(follower, at, &frame))
        memcpy(q + frame.index * nq, at, sizeof(double) * (size_t)nq);
}

/* where jerk hardly counts: never faster than the optimum without it, and hardly slower */
TEST(arms_are_as_fast_as_can_be)
{
    static const char *const names[] = {"ur5", "kr6", "crx10ia", "puma560"};
    static reachable r;
    static double rows[(GRID + 1) * 8];
    lb_random random = test_seed(93);
    double worst = 0;
    for (int m = 0; m < 4; m++) {
        lb_task task;
        owned_model *model = load_arm(names[m], &task);
        int nq = lb_model_nq(model);
        for (int i = 0; i < 6; i++) {
            line l = make_line(model, &task, lb_random_between(&random, 0.1, 0.3), &random);
            lb_timing how = lb_timing_default(task, l.path);
            lb_joint_setting settings[8];
            double start[MOST_Q], v[8], a[8];
            // a jerk that brings a joint to its acceleration in two thousandths of a second
            for (int j = 0; j < nq; j++) {
                settings[j] = lb_joint_setting_make(j);
                v[j] = lb_model_joint(model, j)->velocity;
                v[j] = isinf(v[j]) ? 1 : v[j];
                settings[j].acceleration = a[j] = 4 * v[j];
                settings[j].jerk = a[j] / 0.002;
            }
            how.follow.any_start = true;
            how.follow.options.joints = settings;
            how.follow.options.joint_count = nq;
            lb_configuration_neutral(model, start);
            lb_clip *clip;
            lb_timing_result result;
            assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
            if (clip) {
                resample(model, &task, &l, lb_clip_key(clip, 0), rows);
                r = (reachable){.nq = nq, .q = rows, .velocity = v, .acceleration = a};
                double shortest = shortest_without_jerk(&r);
                if (result.duration < shortest * (1 - 1e-3) ||
                    result.duration > 1.01 * shortest + 0.004)
                    fail_msg("%s: %g s, the shortest are %g s", names[m], result.duration,
                             shortest);
                worst = fmax(worst, result.duration - shortest);
                lb_clip_release(clip);
            }
            lb_path_release(l.path);
        }
    }
    print_message("at most %.1f ms slower than without limits of jerk\n", 1000 * worst);
}

/* the least time of a curve through the rows, with many times the cells of what is checked */
static double shortest_on_fine_grid(const lb_model *model, double *rows, int nq)
{
    enum { CELLS = 1500 };
    static double x[GRID + 1], values[(GRID + 1) * 8], work[GRID + 1];
    static double derivatives[CELLS * PROFILE_PLACES * PROFILE_DERIVATIVES * 8];
    static double g[CELLS + 2], times[CELLS + 1];
    profile_channel channels[8];
    spline curve = {GRID + 1, nq, x, rows, values};
    for (int i = 0; i <= GRID; i++)
        x[i] = (double)i / GRID;
    spline_fit(&curve, work);
    enum { PLACES = CELLS * PROFILE_PLACES };
    for (int i = 0; i < PLACES; i++) {
        double q[8], q1[8], q2[8], q3[8], *d = derivatives + i;
        double t = (i / PROFILE_PLACES + 0.5 * (i % PROFILE_PLACES)) / CELLS, u = t * (1 - t);
        double s = t * t * t * (10 + t * (6 * t - 15));
        double s1 = 30 * u * u, s2 = 60 * u * (1 - 2 * t), s3 = 60 * (1 - 6 * u);
        spline_at(&curve, s, q, q1, q2, q3);
        for (int k = 0; k < nq; k++) {
            d[k * PLACES] = q1[k] * s1;
            d[(nq + k) * PLACES] = q2[k] * s1 * s1 + q1[k] * s2;
            d[(2 * nq + k) * PLACES] = q3[k] * s1 * s1 * s1 + 3 * q2[k] * s1 * s2 + q1[k] * s3;
        }
    }
    for (int k = 0; k < nq; k++) {
        double v = lb_model_joint(model, k)->velocity;
        v = isinf(v) ? 1 : v;
        channels[k] = (profile_channel){k, 1, {v, v / 0.25, v / 0.025}};
    }
    owned double *room = malloc(profile_work(CELLS) * sizeof *room);
    profile fine = {CELLS, nq, nq, channels, derivatives, g, times, room};
    assert_true(profile_solve(&fine, NULL));
    return times[CELLS];
}

/* with jerk: within a percent of a grid of eight times as many cells, there as back */
TEST(finer_grids_are_hardly_faster)
{
    static const char *const names[] = {"ur5", "kr6", "crx10ia", "puma560"};
    static double rows[(GRID + 1) * 8];
    lb_random random = test_seed(94);
    double worst = 0, other = 0;
    for (int m = 0; m < 4; m++) {
        lb_task task;
        owned_model *model = load_arm(names[m], &task);
        for (int i = 0; i < 5; i++) {
            line l = make_line(model, &task, lb_random_between(&random, 0.1, 0.3), &random);
            lb_timing how = lb_timing_default(task, l.path);
            double start[MOST_Q];
            how.follow.any_start = true;
            lb_configuration_neutral(model, start);
            owned_clip *clip = NULL, *back = NULL;
            lb_timing_result result, returned;
            assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
            lb_path_release(l.path);
            if (!clip)
                continue;
            lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = l.points, .count = 2};
            assert_ok(lb_path_create(&source, NULL, &l.path, NULL));
            resample(model, &task, &l, lb_clip_key(clip, 0), rows);
            lb_path_release(l.path);
            double shortest = shortest_on_fine_grid(model, rows, lb_model_nq(model));
            if (result.duration > 1.01 * shortest)
                fail_msg("%s: %g s, the shortest are %g s", names[m], result.duration, shortest);
            worst = fmax(worst, result.duration / shortest - 1);

            // all limits are symmetric in time, so the way back takes as long
            lb_transform turned[2] = {l.points[1], l.points[0]};
            source.points = turned;
            assert_ok(lb_path_create(&source, NULL, &l.path, NULL));
            how.follow.path = l.path;
            how.follow.any_start = false;
            const double *last = lb_clip_key(clip, lb_clip_count(clip) - 1);
            assert_ok(lb_timing_make(model, &how, last, NULL, &back, &returned, NULL));
            other = fmax(other, fabs(returned.duration / result.duration - 1));
            assert_non_null(back);
            assert_near(returned.duration, result.duration, 0.01 * result.duration);
            lb_path_release(l.path);
        }
    }
    print_message("at most %.2f %% slower than a finer grid, %.2f %% from the way back\n",
                  100 * worst, 100 * other);
}
