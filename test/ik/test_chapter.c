/*
 * test_chapter.c - what figures 5.20 to 5.25 of Parent 2012 show, as facts.
 *
 * The arm of lengths 15, 10, 5 begins at pi/8, pi/4, pi/4; its goals move in 20 equal
 * parts along the line from where the tip is to the last one. The book does not say how
 * many iterations a frame gets, nor which lambda: here three, and the length of the last
 * link. The scale 0.1 of the transpose is taken in degrees for one length squared, the
 * only reading that converges: J J^T has eigenvalues of some hundred.
 */
#include "support_load.h"

#include <limber/ik.h>

enum { FRAMES = 21, ITERATIONS = 3 };

#define LAMBDA 5.0

typedef struct point {
    double x, y;
} point;

static const point near_goal = {-20, 5}, far_goal = {-35, 5};

/* One figure: angles and tip of each frame, and the longest step of a joint that led there. */
typedef struct film {
    double q[FRAMES][3], step[FRAMES];
    point tip[FRAMES], goal;
} film;

static point tip_of(const double *q)
{
    double a = q[0], b = a + q[1], c = b + q[2];
    return (point){15 * cos(a) + 10 * cos(b) + 5 * cos(c), 15 * sin(a) + 10 * sin(b) + 5 * sin(c)};
}

static double distance(point a, point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

static lb_ik_options options_of(const char *method)
{
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find(method);
    // the book's steps are as long as they come out
    options.step_limit = 1e6;
    return options;
}

static film shoot(const lb_ik_options *options, point goal, int iterations)
{
    film f = {.goal = goal};
    owned_model *model = test_load("planar3");
    lb_task task = lb_task_make(lb_model_find_link(model, "tip"), LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, options);
    double q[3] = {LB_PI / 8, LB_PI / 4, LB_PI / 4};
    point from = tip_of(q);
    for (int frame = 0; frame < FRAMES; frame++) {
        double share = (double)frame / (FRAMES - 1);
        lb_transform target = lb_transform_translation(from.x + (goal.x - from.x) * share,
                                                       from.y + (goal.y - from.y) * share, 0);
        for (int i = 0; i < iterations; i++) {
            double before[3];
            memcpy(before, q, sizeof q);
            lb_ik_step(ik, &target, q, NULL);
            for (int k = 0; k < 3; k++)
                f.step[frame] = fmax(f.step[frame], fabs(q[k] - before[k]));
        }
        memcpy(f.q[frame], q, sizeof q);
        f.tip[frame] = tip_of(q);
    }
    return f;
}

/* the farthest that the tip strays from the straight line, as a share of that */
static double straying(const film *f)
{
    point a = f->tip[0], b = f->goal;
    double length = distance(a, b), most = 0;
    for (int i = 0; i < FRAMES; i++) {
        double across = (f->tip[i].x - a.x) * (b.y - a.y) - (f->tip[i].y - a.y) * (b.x - a.x);
        most = fmax(most, fabs(across) / (length * length));
    }
    return most;
}

/* the longest step of a joint from a frame on */
static double longest_step(const film *f, int first)
{
    double most = 0;
    for (int i = first; i < FRAMES; i++)
        most = fmax(most, f->step[i]);
    return most;
}

static double miss(const film *f)
{
    return distance(f->tip[FRAMES - 1], f->goal);
}

/* 5.20: the tip travels in approximately a straight line to the goal, damped or not */
TEST(figure_20)
{
    lb_ik_options options = options_of("pseudoinverse");
    film plain = shoot(&options, near_goal, ITERATIONS);
    assert_true(straying(&plain) < 0.05);
    assert_near(miss(&plain), 0, 1e-3);
    options = options_of("damped");
    options.damping = LAMBDA;
    film damped = shoot(&options, near_goal, ITERATIONS);
    assert_true(straying(&damped) < 0.05);
    assert_near(miss(&damped), 0, 0.1);
    // even with a single iteration for each frame
    options = options_of("pseudoinverse");
    plain = shoot(&options, near_goal, 1);
    assert_true(straying(&plain) < 0.05);
}

/* 5.21: near the limit of the reach damping calms the joints at least tenfold */
TEST(figure_21)
{
    lb_ik_options options = options_of("pseudoinverse");
    film plain = shoot(&options, far_goal, ITERATIONS);
    options = options_of("damped");
    options.damping = LAMBDA;
    film damped = shoot(&options, far_goal, ITERATIONS);
    assert_true(longest_step(&plain, 18) > 10 * longest_step(&damped, 18));
    // stretched towards the goal, five lengths and a bit short of it
    double q = damped.q[FRAMES - 1][0];
    assert_near(lb_wrap_angle(q - lb_atan2(5, -35)), 0, 0.1);
    double short_of = sqrt(35 * 35 + 5 * 5) - 30;
    assert_near(miss(&damped), short_of, 0.05);
}

/* 5.22: the joint with the larger gain ends straighter */
TEST(figure_22)
{
    const double zero[3] = {0}, second[3] = {0.1, 0.5, 0.1}, third[3] = {0.1, 0.1, 0.5};
    lb_ik_options options = options_of("pseudoinverse");
    options.desired = zero;
    options.gains = second;
    film top = shoot(&options, near_goal, ITERATIONS);
    options.gains = third;
    film bottom = shoot(&options, near_goal, ITERATIONS);
    const double *a = top.q[FRAMES - 1], *b = bottom.q[FRAMES - 1];
    assert_true(fabs(a[1]) < 0.7 * fabs(b[1]));
    assert_true(fabs(b[2]) < 0.7 * fabs(a[2]));
    assert_near(miss(&top), 0, 0.05);
    assert_near(miss(&bottom), 0, 0.05);
    // the path is the tip's all the same
    assert_true(straying(&top) < 0.05);
    assert_true(straying(&bottom) < 0.05);
}

/* 5.23: pulling the goal to the end effector gives similar results */
TEST(figure_23)
{
    lb_ik_options options = options_of("pseudoinverse");
    film usual = shoot(&options, near_goal, ITERATIONS);
    options = options_of("alternative");
    film other = shoot(&options, near_goal, ITERATIONS);
    assert_near(miss(&other), 0, 1e-3);
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k < 3; k++)
            assert_near(other.q[i][k], usual.q[i][k], 0.05);
}

/* 5.24 and 5.25: transpose and cyclic coordinate descent arrive */
TEST(figures_24_and_25)
{
    lb_ik_options options = options_of("transpose");
    options.transpose.alpha = 0.1 * LB_PI / 180;
    film transposed = shoot(&options, near_goal, 4 * ITERATIONS);
    assert_near(miss(&transposed), 0, 0.5);
    options = options_of("ccd");
    film cyclic = shoot(&options, near_goal, ITERATIONS);
    assert_near(miss(&cyclic), 0, 0.5);
    assert_true(straying(&cyclic) < 0.05);
    // interior angles differ from those of the pseudoinverse
    options = options_of("pseudoinverse");
    film usual = shoot(&options, near_goal, ITERATIONS);
    assert_true(fabs(cyclic.q[FRAMES - 1][2] - usual.q[FRAMES - 1][2]) > 0.1);
}
