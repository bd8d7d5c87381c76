/*
 * test_synthesis.c - dyads and four-bars of poses that random four-bars go through: theirs are
 * found, none is missed against Newton's method from many starts, none is false, and the verdicts
 * on branch and order are those of the certified path of an assembly.
 */
#include "owned.h"
#include "support.h"

#include <limber/loops.h>
#include <limber/synthesis.h>

enum { STARTS = 300, STEPS = 40 };

/* ---- four-bars ----------------------------------------------------------------- */

static double between(lb_random *random, double most)
{
    return lb_random_between(random, -most, most);
}

static lb_dyad draw_dyad(lb_random *random)
{
    lb_dyad d = {.length = lb_random_between(random, 0.3, 1.5)};
    d.fixed_x = between(random, 1);
    d.fixed_y = between(random, 1);
    d.moving_x = between(random, 1);
    d.moving_y = between(random, 1);
    return d;
}

/* the coupler's pose for the crank's angle on one branch, if the linkage closes */
static bool place_coupler(const lb_dyad *a, const lb_dyad *b, double angle, lb_plane_pose *pose)
{
    double x = a->fixed_x + a->length * cos(angle), y = a->fixed_y + a->length * sin(angle);
    double dx = b->fixed_x - x, dy = b->fixed_y - y, far = hypot(dx, dy);
    double mx = b->moving_x - a->moving_x, my = b->moving_y - a->moving_y, c = hypot(mx, my);
    double along = (c * c - b->length * b->length + far * far) / (2 * far);
    if (fabs(along) >= 0.99 * c)
        return false;
    double turn = atan2(dy, dx) + acos(along / c) - atan2(my, mx);
    pose->angle = turn;
    pose->x = x - cos(turn) * a->moving_x + sin(turn) * a->moving_y;
    pose->y = y - sin(turn) * a->moving_x - cos(turn) * a->moving_y;
    return true;
}

/* a four-bar and poses that it goes through, apart from each other */
static void draw_poses(lb_random *random, int count, lb_dyad *a, lb_dyad *b, lb_plane_pose *poses)
{
    for (int found = 0; found < count;) {
        *a = draw_dyad(random);
        *b = draw_dyad(random);
        found = 0;
        for (int i = 0; i < 60 && found < count; i++)
            found += place_coupler(a, b, between(random, LB_PI), &poses[found]);
    }
}

static double distance(const lb_dyad *a, const lb_dyad *b)
{
    return hypot(a->fixed_x - b->fixed_x, a->fixed_y - b->fixed_y) +
           hypot(a->moving_x - b->moving_x, a->moving_y - b->moving_y);
}

static bool is_listed(const lb_dyad *dyads, int count, const lb_dyad *d, double tolerance)
{
    for (int i = 0; i < count; i++)
        if (distance(&dyads[i], d) < tolerance * (1 + d->length))
            return true;
    return false;
}

static double arm_length(const lb_dyad *d, const lb_plane_pose *p)
{
    double c = cos(p->angle), s = sin(p->angle);
    return hypot(p->x + c * d->moving_x - s * d->moving_y - d->fixed_x,
                 p->y + s * d->moving_x + c * d->moving_y - d->fixed_y);
}

/* every dyad keeps its length, and no two are the same */
static void check_dyads(const lb_plane_pose *poses, int count, const lb_dyad *dyads, int found)
{
    double size = 0;
    for (int j = 0; j < count; j++)
        size = fmax(size, hypot(poses[j].x - poses[0].x, poses[j].y - poses[0].y));
    for (int i = 0; i < found; i++) {
        for (int j = 0; j < count; j++)
            assert_true(fabs(arm_length(&dyads[i], &poses[j]) - dyads[i].length) <=
                        1e-10 * (size + dyads[i].length));
        assert_false(is_listed(dyads, i, &dyads[i], 1e-7 * size));
    }
}

static int find(const lb_plane_pose *poses, int count, const lb_synthesis_options *options,
                lb_dyad *dyads, bool *complete)
{
    int found = 0;
    lb_error error;
    assert_int_equal(
        lb_dyads_find(poses, count, options, dyads, LB_SYNTHESIS_DYADS, &found, complete, &error),
        LB_OK);
    assert_true(found <= LB_SYNTHESIS_DYADS);
    check_dyads(poses, count, dyads, found);
    return found;
}

/* ---- five poses ------------------------------------------------------------------ */

/* the squared lengths less the first, and their slopes; returns the largest difference */
static double compare_lengths(const lb_plane_pose *poses, const double *x, double *rows, double *f)
{
    double first[6] = {0}, most = 0;
    for (int j = 0; j < 5; j++) {
        double c = cos(poses[j].angle), s = sin(poses[j].angle);
        double ax = poses[j].x + c * x[0] - s * x[1] - x[2];
        double ay = poses[j].y + s * x[0] + c * x[1] - x[3];
        double row[] = {ax * c + ay * s, ay * c - ax * s, -ax, -ay, (ax * ax + ay * ay) / 2};
        for (int k = 0; k < 5; k++)
            if (j == 0)
                first[k] = row[k];
            else if (k < 4)
                rows[(j - 1) * 4 + k] = row[k] - first[k];
            else
                f[j - 1] = first[k] - row[k];
        most = j > 0 ? fmax(most, fabs(f[j - 1])) : most;
    }
    return most;
}

/* a x = b by elimination; false: singular */
static bool solve_rows(double *a, double *b)
{
    for (int k = 0; k < 4; k++) {
        int best = k;
        for (int i = k + 1; i < 4; i++)
            best = fabs(a[i * 4 + k]) > fabs(a[best * 4 + k]) ? i : best;
        if (fabs(a[best * 4 + k]) < 1e-13)
            return false;
        for (int c = 0; c < 5; c++) {
            double *x = c < 4 ? &a[k * 4 + c] : &b[k], *y = c < 4 ? &a[best * 4 + c] : &b[best];
            double kept = *x;
            *x = *y;
            *y = kept;
        }
        for (int i = 0; i < 4; i++) {
            double share = a[i * 4 + k] / a[k * 4 + k];
            for (int c = 0; i != k && c < 4; c++)
                a[i * 4 + c] -= share * a[k * 4 + c];
            b[i] -= i != k ? share * b[k] : 0;
        }
    }
    for (int k = 0; k < 4; k++)
        b[k] /= a[k * 4 + k];
    return true;
}

/* what Newton's method finds from random starts is listed */
static void search_dyads(const lb_plane_pose *poses, const lb_dyad *dyads, int found,
                         lb_random *random)
{
    for (int i = 0; i < STARTS; i++) {
        double x[4], rows[16], f[4], error = 1;
        for (int k = 0; k < 4; k++)
            x[k] = between(random, 3);
        for (int step = 0; step < STEPS; step++) {
            error = compare_lengths(poses, x, rows, f);
            if (error < 1e-13 || !solve_rows(rows, f))
                break;
            for (int k = 0; k < 4; k++)
                x[k] += f[k];
        }
        lb_dyad d = {x[2], x[3], x[0], x[1], 0};
        d.length = arm_length(&d, &poses[0]);
        if (error < 1e-13 && d.length > 1e-3 && d.length < 100)
            assert_true(is_listed(dyads, found, &d, 1e-5));
    }
}

TEST(five_poses_have_all_of_their_dyads)
{
    lb_random random = lb_random_seed(1);
    int complete = 0;
    for (int i = 0; i < 300; i++) {
        lb_plane_pose poses[5];
        lb_dyad a, b, dyads[LB_SYNTHESIS_DYADS];
        bool all;
        draw_poses(&random, 5, &a, &b, poses);
        int found = find(poses, 5, NULL, dyads, &all);
        assert_true(is_listed(dyads, found, &a, 1e-6) && is_listed(dyads, found, &b, 1e-6));
        complete += all;
        assert_true(!all || found == 2 || found == 4);
        if (i < 50)
            search_dyads(poses, dyads, found, &random);
    }
    assert_true(complete >= 295);
}

TEST(five_random_poses_have_0_2_or_4_dyads)
{
    lb_random random = lb_random_seed(2);
    int counts[5] = {0};
    for (int i = 0; i < 100; i++) {
        lb_plane_pose poses[5];
        lb_dyad dyads[LB_SYNTHESIS_DYADS];
        bool all;
        for (int j = 0; j < 5; j++)
            poses[j] =
                (lb_plane_pose){between(&random, 1), between(&random, 1), between(&random, LB_PI)};
        const lb_synthesis_options far = {.reach = 1e9};
        int found = find(poses, 5, &far, dyads, &all);
        assert_true(found <= 4 && (!all || found % 2 == 0));
        counts[found]++;
        if (i < 50)
            search_dyads(poses, dyads, found, &random);
    }
    assert_true(counts[0] > 0 && counts[2] > 0 && counts[4] > 0);
}

/* ---- three and four poses ---------------------------------------------------------- */

TEST(given_moving_points_have_their_dyads)
{
    lb_random random = lb_random_seed(3);
    for (int i = 0; i < 200; i++) {
        int count = 3 + i % 2;
        lb_plane_pose poses[4];
        lb_dyad a, b, dyads[LB_SYNTHESIS_DYADS];
        bool all;
        draw_poses(&random, count, &a, &b, poses);
        lb_synthesis_options options = {a.moving_x, a.moving_y, 100, 0};
        int found = find(poses, count, &options, dyads, &all);
        assert_true(is_listed(dyads, found, &a, 1e-5));
        assert_false(all);
    }
}

/* ---- four-bars -------------------------------------------------------------------- */

static double turn_from(double from, double to, double way)
{
    double by = lb_wrap_angle(to - from) * way;
    return way * (by < 0 ? by + 2 * LB_PI : by);
}

/* whether a path of certified steps leads from one pose to the next on a branch */
static bool follows(lb_assembly *assembly, const double from[3], const double to[3], double way)
{
    double goal[3] = {from[0] + turn_from(from[0], to[0], way), 0, 0}, q[3];
    if (lb_assembly_follow(assembly, from, goal, q, NULL) != LB_ASSEMBLED)
        return false;
    return fabs(lb_wrap_angle(q[1] - to[1])) < 1e-6 && fabs(lb_wrap_angle(q[2] - to[2])) < 1e-6;
}

static bool follows_in_order(lb_assembly *assembly, double q[][3], int count, double way)
{
    double turned = 0;
    for (int j = 1; j < count; j++) {
        turned += fabs(turn_from(q[j - 1][0], q[j][0], way));
        if (!follows(assembly, q[j - 1], q[j], way))
            return false;
    }
    return turned < 2 * LB_PI;
}

static bool follows_to_all(lb_assembly *assembly, double q[][3], int count)
{
    for (int j = 1; j < count; j++)
        if (!follows(assembly, q[0], q[j], 1) && !follows(assembly, q[0], q[j], -1))
            return false;
    return true;
}

/* the poses by forward kinematics, and the verdicts by an assembly's path */
static void check_four_bar(const lb_four_bar *b, const lb_plane_pose *poses, int count)
{
    owned_model *model = NULL;
    lb_assembly *assembly;
    lb_error error;
    double q[5][3];
    const int drive = 0;
    assert_int_equal(lb_four_bar_model(b, &poses[0], NULL, &model, &error), LB_OK);
    owned_state *state = test_state(model);
    for (int j = 0; j < count; j++) {
        lb_four_bar_values(b, &poses[0], &poses[j], q[j]);
        lb_state_update(state, q[j]);
        lb_transform t = lb_state_transform(state, LB_WORLD, lb_model_find_link(model, "guided"));
        double size = b->ground + b->coupler + b->crank.length + b->rocker.length;
        assert_true(hypot(t.p.x - poses[j].x, t.p.y - poses[j].y) < 1e-9 * (1 + size));
        assert_true(fabs(lb_wrap_angle(atan2(t.x.y, t.x.x) - poses[j].angle)) < 1e-9);
    }
    assert_int_equal(lb_assembly_create(model, &drive, 1, NULL, &assembly, &error), LB_OK);
    bool ordered =
        follows_in_order(assembly, q, count, 1) || follows_in_order(assembly, q, count, -1);
    assert_int_equal(b->in_order, ordered);
    assert_int_equal(b->on_one_branch, ordered || follows_to_all(assembly, q, count));
    lb_assembly_release(assembly);
}

TEST(verdicts_are_those_of_certified_paths)
{
    lb_random random = lb_random_seed(4);
    int clean = 0, branch = 0, order = 0;
    for (int i = 0; i < 24; i++) {
        lb_plane_pose poses[5];
        lb_dyad a, b, dyads[LB_SYNTHESIS_DYADS];
        lb_four_bar bars[6];
        lb_error error;
        bool all;
        int found, count = 3 + i % 3;
        draw_poses(&random, count, &a, &b, poses);
        int known = count == 5 ? find(poses, count, NULL, dyads, &all) : 2;
        if (count < 5) {
            dyads[0] = a;
            dyads[1] = b;
        }
        assert_int_equal(lb_four_bars_find(poses, count, dyads, known, bars, 6, &found, &error),
                         LB_OK);
        for (int k = 0; k < found; k++) {
            check_four_bar(&bars[k], poses, count);
            clean += bars[k].in_order;
            branch += !bars[k].on_one_branch;
            order += bars[k].on_one_branch && !bars[k].in_order;
        }
    }
    assert_true(clean > 0 && branch > 0 && order > 0);
}

/* ground 3, crank 1, coupler 3, rocker 2.5, as it turns */
TEST(a_crank_rocker_is_one)
{
    const lb_dyad a = {0, 0, 0, 0, 1}, b = {3, 0, 3, 0, 2.5};
    const lb_dyad pair[] = {a, b};
    lb_plane_pose poses[3];
    lb_four_bar bar;
    lb_error error;
    int found;
    for (int i = 0; i < 3; i++)
        assert_true(place_coupler(&a, &b, i, &poses[i]));
    assert_int_equal(lb_four_bars_find(poses, 3, pair, 2, &bar, 1, &found, &error), LB_OK);
    assert_true(found == 1 && bar.in_order && bar.on_one_branch);
    assert_near(bar.ground, 3, 1e-12);
    assert_near(bar.coupler, 3, 1e-12);
    bool turned = bar.crank.length > 2;
    assert_int_equal(bar.kind, turned ? LB_FOUR_BAR_ROCKER_CRANK : LB_FOUR_BAR_CRANK_ROCKER);
    assert_string_equal(lb_four_bar_kind_text(LB_FOUR_BAR_CRANK_ROCKER), "crank-rocker");
    assert_string_equal(lb_four_bar_kind_text((lb_four_bar_kind)-1), "unknown");
}

/* ---- refusals ------------------------------------------------------------------------ */

static void refuse(const lb_plane_pose *poses, int count, const char *says)
{
    lb_dyad dyads[4];
    lb_error error;
    int found;
    assert_int_equal(lb_dyads_find(poses, count, NULL, dyads, 4, &found, NULL, &error),
                     LB_BAD_VALUE);
    assert_non_null(strstr(error.message, says));
}

TEST(poses_without_a_four_bar_are_refused)
{
    refuse((lb_plane_pose[]){{0, 0, 0}, {1, 0, 1}}, 2, "three to five poses");
    refuse((lb_plane_pose[]){{0, 0, 0}, {1, 0, 1}, {1, 0, 1 + 2 * LB_PI}}, 3,
           "poses 2 and 3 are the same");
    refuse((lb_plane_pose[]){{0, 0, 1}, {1, 0, 1}, {1, 1, 1}}, 3, "parallelogram");
    refuse((lb_plane_pose[]){{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, 3, "turn about one point, x 0 y 0");
    refuse((lb_plane_pose[]){{1, 0, 0}, {0, 1, LB_PI / 2}, {-1, 0, LB_PI}}, 3, "a hinge there");
    refuse((lb_plane_pose[]){{0, 0, 0}, {1, 0, NAN}, {1, 1, 1}}, 3, "pose 2: a number");
}

/* collinear origins are no obstacle: points beside them have circles */
TEST(collinear_poses_have_dyads)
{
    const lb_plane_pose poses[] = {{0, 0, 0}, {1, 0, 0.4}, {2, 0, 0.9}};
    lb_dyad dyads[LB_SYNTHESIS_DYADS];
    bool all;
    assert_true(find(poses, 3, NULL, dyads, &all) > 4);
}
