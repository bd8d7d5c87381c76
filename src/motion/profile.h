/*
 * profile.h - how fast a curve is run through: the least time within limits on derivatives.
 *
 * A curve p(tau), 0 <= tau <= 1, is known by its first three derivatives at three places of each of
 * n cells. With g = (d tau / dt)^2 the derivatives in time are
 *
 *     p . = p' sqrt(g)
 *     p ..  = p'' g + p' g' / 2
 *     p ... = (p''' g + 3/2 p'' g' + p' g'' / 2) sqrt(g)
 *
 * and each channel bounds the length of some columns of them. g is a quadratic B-spline over the
 * cells. The time, the integral of 1 / sqrt(g), is convex in g; limits of speed and acceleration
 * are convex, that of jerk, |...| <= limit / sqrt(g), is concave on one side (Debrouwere et al.
 * 2013), which Newton's method steps over by leaving its negative curvature out.
 */
#ifndef MOTION_PROFILE_H
#define MOTION_PROFILE_H

#include <limber/base.h>

/* places in a cell: its beginning, middle and end */
enum { PROFILE_PLACES = 3, PROFILE_DERIVATIVES = 3 };

/* Columns whose derivatives have a length that is bounded. */
typedef struct profile_channel {
    int first, count;
    double limits[PROFILE_DERIVATIVES]; /* of speed, acceleration and jerk; INFINITY: none */
} profile_channel;

typedef struct profile {
    int cells, columns, channels;
    const profile_channel *channel;
    /* cells x PROFILE_PLACES x PROFILE_DERIVATIVES x columns, by tau; read by profile_solve alone
     */
    double *derivatives;
    double *g;     /* cells + 2 coefficients: the result */
    double *times; /* cells + 1: when each cell begins, and the end */
    double *work;  /* of profile_work(cells) numbers, for profile_solve */
} profile;

size_t profile_work(int cells);

/*
 * Finds the coefficients and times of the fastest profile; false where nothing moves that has a
 * limit, and all times are 0.
 */
bool profile_solve(profile *p);
/* tau at a time, in [0, 1]. */
double profile_at(const profile *p, double time);

#endif
