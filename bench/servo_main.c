/*
 * servo_main.c - the servo on the built-in arms: steps of the target, a noisy hand, times a frame.
 *
 *     build/bench/servo_bench [STEPS]
 *
 * So many steps (20) of 5 cm and of 30 cm an arm, at 1 kHz, 1 rad/s and 2, 5 and 20 rad/s^2. A step
 * has settled when the tool stays within 10 um and 0.1 mrad of its target. That is compared with
 * the time that the slowest joint needs at least to the configuration at the end: a rest-to-rest
 * motion at full acceleration.
 */
#include "bench/clock.h"
#include "bench/lines.h"

#include <limber/limber.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 200, MOST_FRAMES = 20000, HAND_FRAMES = 20000, RUNS = 5, MOST_JOINTS = 16 };
#define PERIOD 1e-3
#define SPEED 1.0
/* metres and radians that count as settled */
#define NEAR 1e-5
#define NEAR_ANGLE 1e-4
/* metres by which a target may be passed */
#define SWING 1e-4

/* What steps of one size and acceleration came to. */
typedef struct step_row {
    int steps, lines, swings; /* swings: steps that pass their target by more than SWING */
    double ratios[MOST_STEPS];
    double overshoot, off_line; /* metres, the largest */
} step_row;

/* of each frame: the least of several runs, which are the same */
static double times[1 << 20];
static int time_count;
static bool again; /* a later run: the times are there */

static lb_servo *make_servo(const lb_model *model, const lb_task *task, double acceleration,
                            double lines)
{
    lb_joint_setting settings[MOST_JOINTS];
    lb_servo_options o = lb_servo_options_default();
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        if (lb_model_joint(model, j)->kind == LB_JOINT_FIXED)
            continue;
        lb_joint_setting *s = &settings[o.joint_count++];
        *s = lb_joint_setting_make(j);
        s->velocity = SPEED;
        s->acceleration = acceleration;
    }
    o.joints = settings;
    o.line = lines;
    lb_servo *servo = NULL;
    lb_error error;
    if (lb_servo_create(model, task, &o, NULL, &servo, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(2);
    }
    return servo;
}

static lb_transform tool_at(lb_state *state, const lb_task *task, const double *q)
{
    lb_state_update(state, q);
    lb_transform tip = lb_state_transform(state, task->base, task->tip);
    return lb_transform_multiply(&tip, &task->tool);
}

/* the least time for one joint from rest to rest */
static double bang_bang(double distance, double acceleration)
{
    double d = fabs(distance), peak = SPEED * SPEED / acceleration;
    return d < peak ? 2 * sqrt(d / acceleration) : d / SPEED + SPEED / acceleration;
}

static void step_servo(lb_servo *servo, double *q, lb_servo_frame *frame)
{
    double begin = clock_now();
    lb_servo_step(servo, q, NULL, NULL, frame);
    double time = clock_now() - begin;
    if (time_count == (int)(sizeof times / sizeof *times))
        return;
    times[time_count] = again ? fmin(time, times[time_count]) : time;
    time_count++;
}

/* one step of the target; false if its end is not reached */
static bool measure_step(lb_servo *servo, lb_state *state, const lb_task *task, const line *l,
                         double acceleration, step_row *row)
{
    double q[MOST_JOINTS], bound = 0, overshoot = 0, off = 0;
    int settled = 0, frames = 0, nq = lb_model_nq(lb_state_model(state));
    bool straight = false;
    lb_servo_frame frame;
    lb_vec3 way = lb_vec3_sub(l->points[1].p, l->points[0].p);
    double length = lb_vec3_length(way);
    if (lb_servo_reset(servo, l->start, NULL) != LB_OK)
        return false;
    lb_servo_aim(servo, &l->points[1], NULL);
    do {
        step_servo(servo, q, &frame);
        straight = straight || frame.state == LB_SERVO_LINE;
        lb_transform at = tool_at(state, task, q);
        lb_vec3 moved = lb_vec3_sub(at.p, l->points[0].p);
        double along = lb_vec3_dot(moved, way) / length;
        overshoot = fmax(overshoot, along - length);
        off = fmax(off, lb_vec3_length(lb_vec3_cross(moved, way)) / length);
        if (lb_transform_distance(&at, &l->points[1]) > NEAR ||
            lb_transform_angle(&at, &l->points[1]) > NEAR_ANGLE)
            settled = frames + 1;
    } while (frame.state != LB_SERVO_ARRIVED && frame.state != LB_SERVO_UNREACHED &&
             ++frames < MOST_FRAMES);
    for (int k = 0; k < nq; k++)
        bound = fmax(bound, bang_bang(q[k] - l->start[k], acceleration));
    if (frame.goal.outcome != LB_REACHED)
        return false;
    row->ratios[row->steps++] = (settled + 1) * PERIOD / bound;
    row->lines += straight;
    row->swings += overshoot > SWING;
    row->overshoot = fmax(row->overshoot, overshoot);
    if (straight)
        row->off_line = fmax(row->off_line, off);
    return true;
}

static void measure_steps(const lb_model *model, const lb_task *task, const char *name,
                          double length, double line_option, int count)
{
    static line lines[MOST_STEPS];
    const double accelerations[] = {2, 5, 20};
    lb_state *state = NULL;
    if (lb_state_create(model, NULL, &state) != LB_OK)
        exit(2);
    int found = lines_make(model, task, length, count, 7, lines);
    for (int i = 0; i < 3; i++) {
        step_row row = {0};
        lb_servo *servo = make_servo(model, task, accelerations[i], line_option);
        for (int k = 0; k < found; k++) {
            int from = time_count;
            for (int run = 0; run < RUNS; run++) {
                step_row unwanted = {0};
                again = run > 0;
                time_count = from;
                measure_step(servo, state, task, &lines[k], accelerations[i],
                             again ? &unwanted : &row);
            }
        }
        again = false;
        lb_servo_release(servo);
        clock_sort(row.ratios, row.steps);
        printf(
            "%-16s %3.0f cm %4.0f %s %3d of %3d  settled %.3f %.3f  over %8.5f mm (%d)  lines %3d "
            "off %8.5f mm\n",
            name, 100 * length, accelerations[i], line_option > 0 ? "line" : "free", row.steps,
            found, clock_percentile(row.ratios, row.steps, 0.5),
            row.ratios[row.steps > 0 ? row.steps - 1 : 0], 1e3 * row.overshoot, row.swings,
            row.lines, 1e3 * row.off_line);
    }
    lb_state_release(state);
}

/* where a trembling hand is at a time; out of reach for a part of it */
static lb_transform hand(const lb_transform *from, double t, lb_random *random)
{
    lb_transform target = *from;
    double size = t > 10 && t < 14 ? 2 : 0.1;
    target.p.x += size * sin(2 * t) + 1e-3 * lb_random_between(random, -1, 1);
    target.p.y += size * sin(3.1 * t) + 1e-3 * lb_random_between(random, -1, 1);
    target.p.z += 0.5 * size * sin(5 * t);
    return target;
}

static void measure_hand(const lb_model *model, const lb_task *task)
{
    line l;
    double q[MOST_JOINTS];
    lb_servo_frame frame;
    if (lines_make(model, task, 0.05, 1, 11, &l) != 1)
        return;
    lb_servo *servo = make_servo(model, task, 20, 0);
    int from = time_count;
    for (int run = 0; run < RUNS; run++) {
        lb_random random = lb_random_seed(3);
        again = run > 0;
        time_count = from;
        lb_servo_reset(servo, l.start, NULL);
        for (int i = 0; i < HAND_FRAMES; i++) {
            lb_transform target = hand(&l.points[0], i * PERIOD, &random);
            lb_servo_aim(servo, &target, NULL);
            step_servo(servo, q, &frame);
        }
    }
    again = false;
    lb_servo_release(servo);
}

/* what the frames from one on took */
static void print_times(const char *name, const char *what, int from)
{
    int count = time_count - from;
    clock_sort(times + from, count);
    printf("%-16s %s, us a frame: mean %.2f  p99 %.2f  p99.9 %.2f  worst %.2f\n", name, what,
           1e-3 * clock_mean(times + from, count),
           1e-3 * clock_percentile(times + from, count, 0.99),
           1e-3 * clock_percentile(times + from, count, 0.999), 1e-3 * times[from + count - 1]);
}

static void measure_arm(int arm, int count)
{
    lb_task task;
    const char *name = lines_arm_name(arm);
    lb_model *model = lines_arm(arm, &task);
    if (!model)
        return;
    for (int lined = 0; lined < 2; lined++) {
        time_count = 0;
        measure_steps(model, &task, name, 0.05, 1.5 * lined, count);
        measure_steps(model, &task, name, 0.3, 1.5 * lined, count);
        print_times(name, lined ? "line" : "free", 0);
    }
    time_count = 0;
    measure_hand(model, &task);
    print_times(name, "hand", 0);
    lb_model_release(model);
}

int main(int count, char **words)
{
    int steps = count > 1 ? atoi(words[1]) : 20;
    steps = steps < 1 ? 1 : steps > MOST_STEPS ? MOST_STEPS : steps;
    for (int arm = 0; arm < LINES_ARMS; arm++)
        measure_arm(arm, steps);
    return 0;
}
