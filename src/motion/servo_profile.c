/*
 * servo_profile.c - profiles of one joint in closed form.
 *
 * A joint that moves away from its goal, or is too fast to stop before it, stops first. Then the
 * goal lies ahead: with the acceleration x from speed w to the peak p, on at p, and down to 0. The
 * fastest profile has the largest x, and the peak sqrt(x d + w^2 / 2) or the limit of speed.
 *
 * For a longer time T both x and the limit of speed, r x, are lowered by one factor. The time is
 * then quadratic in x for a profile without cruise, and quadratic in 1 / x for one with a cruise.
 */
#include "motion/servo.h"

#include "math/scalar.h"

#include <math.h>

/* speeds below this cruise nowhere: radians or metres a second */
#define NO_SPEED 1e-14

/* The part of a motion after the first stop, in the direction of the goal. */
typedef struct approach {
    servo_profile head; /* the stop */
    double sign, distance, speed, acceleration, limit;
} approach;

static void add_piece(servo_profile *p, double time, double acceleration)
{
    if (!(time > 0))
        return;
    p->times[p->count] = time;
    p->accelerations[p->count++] = acceleration;
    p->duration += time;
}

static approach begin_approach(const servo_motion *m)
{
    double stop = m->speed * fabs(m->speed) / (2 * m->acceleration);
    double sign = m->distance < stop ? -1 : 1;
    approach a = {.sign = sign,
                  .distance = sign * m->distance,
                  .speed = sign * m->speed,
                  .acceleration = m->acceleration,
                  .limit = sign > 0 ? m->up : m->down};
    if (a.speed < 0) {
        add_piece(&a.head, -a.speed / a.acceleration, a.acceleration);
        a.distance -= sign * stop;
        a.speed = 0;
    }
    return a;
}

/* with an acceleration, over a cruise, to rest; the cruise is fast enough to stop at the goal */
static servo_profile finish(const approach *a, double acceleration, double cruise)
{
    servo_profile p = a->head;
    double w = a->speed, change = fabs(cruise * cruise - w * w) / (2 * acceleration);
    double stop = cruise * cruise / (2 * acceleration);
    add_piece(&p, fabs(cruise - w) / acceleration, cruise > w ? acceleration : -acceleration);
    if (cruise > NO_SPEED)
        add_piece(&p, (a->distance - change - stop) / cruise, 0);
    add_piece(&p, cruise / acceleration, -acceleration);
    for (int i = 0; i < p.count; i++)
        p.accelerations[i] *= a->sign;
    return p;
}

static double peak_of(const approach *a, double acceleration)
{
    return sqrt(acceleration * a->distance + 0.5 * a->speed * a->speed);
}

servo_profile servo_profile_fastest(const servo_motion *m)
{
    const approach a = begin_approach(m);
    return finish(&a, a.acceleration, scalar_min(peak_of(&a, a.acceleration), a.limit));
}

/* without a cruise: (T x + w)^2 = 4 x d + 2 w^2 */
static double acceleration_of_peak(const approach *a, double time)
{
    double b = 2 * a->distance - time * a->speed, c = time * a->speed;
    double root = sqrt(b * b + c * c);
    return b >= 0 ? (b + root) / (time * time) : a->speed * a->speed / (root - b);
}

/* up to the cruise r x: w^2 / 2r y^2 + (d / r - w) y = T - r with y = 1 / x */
static double acceleration_up_to_cruise(const approach *a, double r, double time)
{
    double square = a->speed * a->speed / (2 * r), b = a->distance / r - a->speed;
    double root = sqrt(scalar_max(0, b * b + 4 * square * (time - r)));
    return b >= 0 ? 0.5 * (b + root) / (time - r) : 2 * square / (root - b);
}

/* down to the cruise: (w + d / r) y - w^2 / 2r y^2 = T */
static double acceleration_down_to_cruise(const approach *a, double r, double time)
{
    double square = a->speed * a->speed / (2 * r), b = a->distance / r + a->speed;
    return 0.5 * (b + sqrt(scalar_max(0, b * b - 4 * square * time))) / time;
}

/* the profile of what is ahead, for a time longer than the least */
static servo_profile slow_down(const approach *a, double time)
{
    double w = a->speed, d = a->distance, most = a->acceleration, r = a->limit / most;
    // braking as gently as that would go on for too long: brake fully, to a slower cruise
    if (w > a->limit || w * time > 2 * d)
        return finish(a, most, (d - w * w / (2 * most)) / (time - w / most));
    double x = scalar_min(acceleration_of_peak(a, time), most), peak = peak_of(a, x);
    if (peak > r * x) {
        x = time > r ? scalar_min(acceleration_up_to_cruise(a, r, time), most) : most;
        if (r * x < w)
            x = scalar_min(acceleration_down_to_cruise(a, r, time), most);
        peak = r * x;
    }
    return finish(a, x, peak);
}

servo_profile servo_profile_in_time(const servo_motion *m, double duration)
{
    const servo_profile fastest = servo_profile_fastest(m);
    if (!(fastest.duration < duration))
        return fastest;
    const approach a = begin_approach(m);
    return a.distance > 0 ? slow_down(&a, duration - a.head.duration) : fastest;
}

void servo_profile_at(const servo_profile *p, const servo_motion *m, double time, double *covered,
                      double *speed)
{
    *covered = 0;
    *speed = m->speed;
    for (int i = 0; i < p->count && time > 0; i++) {
        double t = scalar_min(time, p->times[i]);
        *covered += t * (*speed + 0.5 * p->accelerations[i] * t);
        *speed += p->accelerations[i] * t;
        time -= t;
    }
    if (time > 0) {
        *covered = m->distance;
        *speed = 0;
    }
}
