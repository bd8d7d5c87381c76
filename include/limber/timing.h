/*
 * timing.h - the fastest motion along a path within the limits of joints and tool.
 *
 * A path gives the tool's places, a follower the configurations; a timing gives the times. The
 * motion begins and ends at rest and keeps, at every sample, the speed, acceleration and jerk of
 * each joint and of the tool, and the tool's angular speed:
 *
 *     lb_timing how = lb_timing_default(task, path);
 *     how.speed = 0.25;
 *     lb_clip *clip;
 *     lb_timing_result result;
 *     lb_timing_make(model, &how, q, NULL, &clip, &result, &error);
 *
 * The clip has a key for each sample, 1000 a second. Its motion stops at the corners of a polyline
 * and wherever the axes suddenly turn another way. Spans of less than a billionth of the path, as
 * between points that are given twice, are points.
 *
 * With a parameter tau of the path that leaves its ends with neither speed nor acceleration and g =
 * (d tau / dt)^2, all limits are inequalities in g, g' and g'' at every tau, and time is convex in
 * g (Verscheure et al. 2009; with jerk: Debrouwere et al. 2013, Time-optimal path following for
 * robots with convex-concave constraints). g is a quadratic B-spline, found by an interior-point
 * method; its samples are in closed form.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_TIMING_H
#define LIMBER_TIMING_H

#include <limber/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The motion to time. Start from lb_timing_default(). */
typedef struct lb_timing {
    /*
     * Task, path, any_start and options are read. Limits of joints are those of the options'
     * joints: speed (else the model's, else 1 radian or metre a second), acceleration (else the one
     * that brings a joint to its speed in a quarter of a second) and jerk (else the one that brings
     * it to its acceleration in a tenth of a second). Dependent joints of a linkage, which no motor
     * moves, have only limits that are given; those of a ball bound twice the derivatives of its
     * quaternion. A limit of effort has no effect: it bounds torques, and dynamics are not
     * computed.
     */
    lb_follow follow;
    double rate; /* Samples a second. Default: 1000. */
    /* Limits of the tool's origin in any direction, > 0: m/s, m/s^2 and m/s^3. Infinite: none
       (the default). */
    double speed, acceleration, jerk;
    /* Limit of the tool's rotation about any axis, radians per second, > 0: it bounds the turn
       of a wrist whose origin hardly moves. Infinite: none (the default). */
    double angular_speed;
} lb_timing;

lb_timing lb_timing_default(lb_task task, const lb_path *path);

/* The result of timing a path. */
typedef struct lb_timing_result {
    lb_outcome outcome; /* Reached: all of the path is followed. Else there is no clip. */
    double duration;    /* Seconds. */
    int samples;        /* Keys of the clip: duration * rate + 1. */
    int stops;          /* Places between the ends at which the tool stops. */
    /* Largest errors over the path by the model's own forward kinematics, metres and radians. The
       first includes how far loops of the model are open. */
    double position_error, rotation_error;
    /* Largest values of all samples as shares of their limits; at most 1 if there is a clip. */
    double velocity, acceleration, jerk;
    /* If the path is not followed: the first place, of those looked at, that is not reached or
       to which no continuous motion leads, and why. */
    lb_frame frame;
    double share; /* The share of the path's time that can be followed. 1: all of it. */
} lb_timing_result;

/*
 * Times the motion along a path. Its first configuration is the solution nearest to `start` (nq
 * numbers) or, with any_start, the one that can be followed farthest. If all solutions of the arm
 * are known (see lb_follower_next), its branch is followed through as many places as it needs, and
 * limits are kept between them; of branches that touch at the start, as those of a stretched elbow
 * do, it is the one that leads farthest. A wrist that is exactly straight at the start and cannot
 * begin the path as it is first turns in place, if that leads farther. *clip takes a clip over
 * `model`, which must outlive it. If the path cannot be followed, *clip becomes NULL, the result is
 * LB_OK, and *result says where and why.
 *
 * Velocity v, acceleration a and jerk j between samples are differences of samples over powers of
 * their distance in time, as a controller sees them; before the first sample and after the last the
 * arm rests. All are within their limits. The duration is within a percent of the shortest; beside
 * a singularity, where joints suddenly turn far, it is usually within a few percent. The tool is
 * off the path by less than a micrometre.
 *
 * Returns LB_UNSUPPORTED if a joint with a quaternion moves that does not follow from loops, or for
 * more than a million samples; LB_INVALID_ARGUMENT or LB_BAD_VALUE for input that
 * lb_follower_create refuses, for limits that are not from 1e-9 to 1e9 (rates to 1e5), and for a
 * joint that has to move but may not. It takes about 0.01 s for each span of the path, up to 0.3 s
 * if the arm passes a singularity closely, and a microsecond for each sample. Memory is 36 kB, and
 * 4 kB more for each joint that moves, for each part of the path between stops.
 */
lb_status lb_timing_make(const lb_model *model, const lb_timing *how, const double *start,
                         const lb_allocator *allocator, lb_clip **clip, lb_timing_result *result,
                         lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
