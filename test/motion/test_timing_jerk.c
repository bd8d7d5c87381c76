/*
 * test_timing_jerk.c - the fastest motion with limits of jerk against a search over all profiles.
 *
 * The search is dynamic programming over the share s of a path, its speed and its acceleration: at
 * each of many places every speed and acceleration that can be reached from rest is kept, in bins,
 * with the least time that leads there. From such a state any of several jerks that the joints
 * allow leads to the next place. The same from the path's end backwards meets it in the middle.
 * What is found first is near the optimum, whatever local ones there are; bins ever finer about the
 * best so far then make it exact.
 */
#include "arm_lines.h"
#include "rest_to_rest.h"

#include "motion/spline.h"

#include <limber/limber.h>

enum {
    PLACES = 160,
    HALF = PLACES / 2,
    SPEEDS = 60,
    ACCELERATIONS = 61,
    BINS = SPEEDS * ACCELERATIONS,
    JERKS = 9,
    FIRST_JERKS = 400,
    JOINTS = 8,
    PASSES = 6
};

/* half widths of the bins' range about the best so far, as shares of all that can be reached */
static const double shares[PASSES] = {INFINITY, 0.3, 0.3, 0.15, 0.1, 0.05};

/* ---- what joints allow ------------------------------------------------------- */

/* A curve of joints over s, with three derivatives at PLACES + 1 places, and their limits. */
typedef struct curve {
    int joints;
    double s[PLACES + 1];
    double first[PLACES + 1][JOINTS], second[PLACES + 1][JOINTS], third[PLACES + 1][JOINTS];
    double limits[JOINTS][3];
} curve;

/* a range of x in which all |slope x + rest| <= limit */
typedef struct range {
    double low, high;
} range;

static void narrow(range *r, double slope, double rest, double limit)
{
    if (fabs(slope) < 1e-12) {
        if (fabs(rest) > limit)
            *r = (range){INFINITY, -INFINITY};
        return;
    }
    double middle = -rest / slope, half = limit / fabs(slope);
    r->low = fmax(r->low, middle - half);
    r->high = fmin(r->high, middle + half);
}

/* the jerks of s at a place, a speed and an acceleration */
static range jerks_at(const curve *c, int i, double v, double a)
{
    range r = {-1e18, 1e18};
    for (int k = 0; k < c->joints; k++)
        narrow(&r, c->first[i][k], c->third[i][k] * v * v * v + 3 * c->second[i][k] * v * a,
               c->limits[k][2]);
    return r;
}

static bool is_allowed(const curve *c, int i, double v, double a)
{
    for (int k = 0; k < c->joints; k++) {
        double speed = c->first[i][k] * v, acceleration = c->second[i][k] * v * v;
        acceleration += c->first[i][k] * a;
        if (fabs(speed) > c->limits[k][0] * (1 + 1e-6) ||
            fabs(acceleration) > c->limits[k][1] * (1 + 1e-6))
            return false;
    }
    return true;
}

/* how long a length takes from a speed and an acceleration at a jerk; -1: it stops before */
static double time_of(double length, double v, double a, double u)
{
    double h = v > 0 ? length / v : cbrt(6 * length / fmax(u, 1e-9));
    for (int n = 0; v * h + a * h * h / 2 + u * h * h * h / 6 < length; n++) {
        if (n > 14 || v + a * h + u * h * h / 2 < 0)
            return -1;
        h *= 1.5;
    }
    for (int n = 0; n < 20; n++) {
        double rest = v * h + a * h * h / 2 + u * h * h * h / 6 - length;
        double slope = v + a * h + u * h * h / 2, next = h - rest / slope;
        if (!(slope > 0) || !(next > 0))
            return -1;
        bool done = fabs(next - h) < 1e-13 * h;
        h = next;
        if (done)
            break;
    }
    return h;
}

/* ---- half of the path ------------------------------------------------------------ */

typedef struct visited {
    double v, a, time; /* time < 0: there is none */
    int parent;        /* the bin at the place before */
} visited;

/* All that can be reached from rest up to the middle. */
typedef struct half_path {
    visited bins[HALF + 1][BINS];
    double extent[HALF + 1][2]; /* of all speeds and accelerations */
    double best[HALF + 1][2];   /* of the best so far */
} half_path;

static visited list[BINS * JERKS + FIRST_JERKS];

/* the states that one at place i leads to, behind `count` others; returns how many there are */
static int lead_on(const curve *c, int i, const visited *from, int parent, int count)
{
    range jerks = jerks_at(c, i, from->v, from->a);
    int tries = i == 0 ? FIRST_JERKS : JERKS;
    for (int n = 0; n < tries && jerks.low <= jerks.high; n++) {
        double u = jerks.low + (jerks.high - jerks.low) * n / (tries - 1);
        double h = i == 0 && u <= 0 ? -1 : time_of(c->s[i + 1] - c->s[i], from->v, from->a, u);
        double v = from->v + from->a * h + u * h * h / 2, a = from->a + u * h;
        if (h < 0 || v < 0 || !is_allowed(c, i + 1, v, a))
            continue;
        // one jerk for the whole step: at its end it may be a little beyond what is allowed there
        range after = jerks_at(c, i + 1, v, a);
        double beyond = 0.05 * (after.high - after.low);
        if (!(u >= after.low - beyond && u <= after.high + beyond))
            continue;
        list[count++] = (visited){v, a, from->time + h, parent};
    }
    return count;
}

/* the range of bins at a place: all that is listed, or a part of it about the best so far */
static void find_box(half_path *w, int i, int count, double share, double low[2], double size[2])
{
    double high[2] = {-INFINITY, -INFINITY};
    low[0] = low[1] = INFINITY;
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 2; k++) {
            double x = k == 0 ? list[n].v : list[n].a;
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    for (int k = 0; k < 2; k++) {
        if (isinf(share)) {
            w->extent[i][k] = high[k] - low[k];
        } else {
            low[k] = fmax(low[k], w->best[i][k] - share * w->extent[i][k]);
            high[k] = fmin(high[k], w->best[i][k] + share * w->extent[i][k]);
        }
        size[k] = (high[k] - low[k]) * (1 + 1e-9) + 1e-300;
    }
}

/* of each bin the state that is soonest there */
static void fill_bins(half_path *w, int i, int count, double share)
{
    double low[2], size[2];
    for (int b = 0; b < BINS; b++)
        w->bins[i][b].time = -1;
    find_box(w, i, count, share, low, size);
    for (int n = 0; n < count; n++) {
        double x = (list[n].v - low[0]) / size[0], y = (list[n].a - low[1]) / size[1];
        if (!(x >= 0 && x < 1 && y >= 0 && y < 1))
            continue;
        visited *bin = &w->bins[i][(int)(x * SPEEDS) * ACCELERATIONS + (int)(y * ACCELERATIONS)];
        if (bin->time < 0 || list[n].time < bin->time)
            *bin = list[n];
    }
}

static void search_half(const curve *c, half_path *w, double share)
{
    for (int b = 0; b < BINS; b++)
        w->bins[0][b].time = -1;
    w->bins[0][0] = (visited){0, 0, 0, -1};
    for (int i = 0; i < HALF; i++) {
        int count = 0;
        for (int b = 0; b < BINS; b++)
            if (w->bins[i][b].time >= 0)
                count = lead_on(c, i, &w->bins[i][b], b, count);
        fill_bins(w, i + 1, count, share);
    }
}

/* the states that led to a bin in the middle */
static void keep_best(half_path *w, int bin)
{
    for (int i = HALF; i >= 0; i--) {
        const visited *s = &w->bins[i][bin];
        w->best[i][0] = s->v;
        w->best[i][1] = s->a;
        bin = s->parent;
    }
}

/* ---- the whole path ----------------------------------------------------------------- */

/* the same path backwards: odd derivatives turn their sign */
static void turn_round(const curve *c, curve *back)
{
    *back = *c;
    for (int i = 0; i <= PLACES; i++) {
        back->s[i] = 1 - c->s[PLACES - i];
        for (int k = 0; k < c->joints; k++) {
            back->first[i][k] = -c->first[PLACES - i][k];
            back->second[i][k] = c->second[PLACES - i][k];
            back->third[i][k] = -c->third[PLACES - i][k];
        }
    }
}

/* the least time of two halves that meet, a bin apart at most */
static double meet(half_path *there, half_path *back, double share)
{
    double least = INFINITY, apart[2];
    int best[2] = {0, 0};
    for (int k = 0; k < 2; k++)
        apart[k] = fmin(2 * share, 1) * there->extent[HALF][k] / (k == 0 ? SPEEDS : ACCELERATIONS);
    for (int f = 0; f < BINS; f++) {
        const visited *a = &there->bins[HALF][f];
        for (int b = 0; b < BINS && a->time >= 0; b++) {
            const visited *o = &back->bins[HALF][b];
            if (o->time < 0 || a->time + o->time >= least || fabs(a->v - o->v) > apart[0] ||
                fabs(a->a + o->a) > apart[1])
                continue;
            least = a->time + o->time;
            best[0] = f;
            best[1] = b;
        }
    }
    if (least < INFINITY) {
        keep_best(there, best[0]);
        keep_best(back, best[1]);
    }
    return least;
}

static double shortest(const curve *c)
{
    static half_path there, back;
    static curve turned;
    double least = INFINITY;
    turn_round(c, &turned);
    for (int pass = 0; pass < PASSES; pass++) {
        search_half(c, &there, shares[pass]);
        search_half(&turned, &back, shares[pass]);
        least = meet(&there, &back, shares[pass]);
    }
    return least;
}

/* places that are near each other where the path begins and ends */
static double place(int i)
{
    double u = (double)i / PLACES;
    return u * u * u * (10 + u * (6 * u - 15));
}

/* ---- against what is known ----------------------------------------------------------- */

/* the search itself: lengths that jerk, acceleration and speed limit */
TEST(the_search_finds_closed_forms)
{
    static curve c;
    static const double lengths[] = {0.05, 0.3, 1};
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
        c = (curve){.joints = 1, .limits = {{1, 4, 40}}};
        for (int i = 0; i <= PLACES; i++) {
            c.s[i] = place(i);
            c.first[i][0] = lengths[n];
        }
        double found = shortest(&c), exact = rest_to_rest(lengths[n], 1, 4, 40);
        print_message("%g: %.4f s, exactly %.4f s\n", lengths[n], found, exact);
        assert_near(found, exact, 0.004 * exact);
    }
}

/* ---- lines of arms ------------------------------------------------------------------- */

enum { GRID = 600 };

/* the joints along a line from their first values, by a follower */
static void make_curve(const lb_model *model, const lb_task *task, const line *l,
                       const double *first, curve *c)
{
    static double x[GRID + 1], rows[(GRID + 1) * JOINTS], slopes[(GRID + 1) * JOINTS];
    static double work[GRID + 1];
    int nq = lb_model_nq(model);
    lb_follow how = lb_follow_default(*task, l->path, GRID + 1);
    how.options.position_tolerance = how.options.rotation_tolerance = 1e-12;
    lb_follower *follower;
    lb_frame frame;
    double at[JOINTS], value[JOINTS];
    assert_ok(lb_follower_create(model, &how, NULL, &follower, NULL));
    memcpy(at, first, sizeof *at * (size_t)nq);
    while (lb_follower_next(follower, at, &frame)) {
        x[frame.index] = (double)frame.index / GRID;
        memcpy(rows + frame.index * nq, at, sizeof *at * (size_t)nq);
    }
    lb_follower_release(follower);
    spline joints = {GRID + 1, nq, x, rows, slopes};
    spline_fit(&joints, work);
    *c = (curve){.joints = nq};
    for (int i = 0; i <= PLACES; i++) {
        c->s[i] = place(i);
        spline_at(&joints, c->s[i], value, c->first[i], c->second[i], c->third[i]);
    }
    // as timing.h states the defaults
    for (int k = 0; k < nq; k++) {
        double v = lb_model_joint(model, k)->velocity;
        v = isinf(v) ? 1 : v;
        memcpy(c->limits[k], (double[]){v, v / 0.25, v / 0.025}, sizeof c->limits[k]);
    }
}

TEST(no_profile_is_faster)
{
    static const char *const names[] = {"ur5", "kr6", "puma560", "crx10ia"};
    static curve c;
    lb_random random = test_seed(95);
    int compared = 0;
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        lb_task task;
        owned_model *model = load_arm(names[m], &task);
        line l = make_line(model, &task, lb_random_between(&random, 0.1, 0.3), &random);
        lb_timing how = lb_timing_default(task, l.path);
        how.follow.any_start = true;
        double start[MOST_Q];
        lb_configuration_neutral(model, start);
        owned_clip *clip = NULL;
        lb_timing_result result;
        assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
        if (clip) {
            make_curve(model, &task, &l, lb_clip_key(clip, 0), &c);
            double least = shortest(&c);
            print_message("%s: %.4f s, by the search %.4f s\n", names[m], result.duration, least);
            // samples are at whole milliseconds
            assert_true(result.duration <= 1.01 * least + 1e-3);
            assert_true(result.duration >= 0.99 * least);
            compared++;
        }
        lb_path_release(l.path);
    }
    assert_true(compared >= 2);
}
