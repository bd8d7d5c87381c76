/*
 * timing.h - the fastest motion along a path within the limits of joints and tool.
 *
 * A path says where the tool goes, a follower by which configurations; a timing says when. It
 * begins and ends at rest and keeps, at every sample, the speed, acceleration and jerk of each
 * joint and of the tool, and the tool's angular speed:
 *
 *     lb_timing how = lb_timing_default(task, path);
 *     how.speed = 0.25;
 *     lb_clip *clip;
 *     lb_timing_result result;
 *     lb_timing_make(model, &how, q, NULL, &clip, &result, &error);
 *
 * The clip has a key for each sample, 1000 a second. Its motion stops at the corners of a polyline,
 * and wherever the axes begin to turn otherwise at once; spans of less than a billionth of the
 * path, as between points that are given twice, are points.
 *
 * With a parameter tau of the path that leaves its ends with neither speed nor acceleration and
 * g = (d tau / dt)^2, all limits are inequalities in g, g' and g'' at every tau, and time is
 * convex in g (Verscheure et al. 2009; with jerk: Debrouwere et al. 2013, Time-optimal path
 * following for robots with convex-concave constraints). g is a quadratic B-spline, found by an
 * interior-point method; its samples are in closed form.
 */
#ifndef LIMBER_TIMING_H
#define LIMBER_TIMING_H

#include <limber/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start from lb_timing_default(). */
typedef struct lb_timing {
    /*
     * Task, path, any_start and options are read. The options' joints have limits of joints:
     * speed (else the model's, else 1 radian or metre a second), acceleration (else that which
     * brings a joint to its speed in a quarter of a second) and jerk (else that which brings it
     * to its acceleration in a tenth of a second). A limit of effort has no effect: it bounds
     * torques, and dynamics are not computed.
     */
    lb_follow follow;
    double rate; /* samples a second; 1000 */
    /*
     * Of the tool's origin, in any direction: metres per second, per second squared and to the
     * third. > 0; INFINITY: none.
     */
    double speed, acceleration, jerk;
    /* of the tool about any axis, radians per second: bounds what a wrist turns where the origin
       hardly moves. > 0; INFINITY: none */
    double angular_speed;
} lb_timing;

lb_timing lb_timing_default(lb_task task, const lb_path *path);

/* What came of it. */
typedef struct lb_timing_result {
    lb_outcome outcome; /* reached: all of the path is followed; else there is no clip */
    double duration;    /* seconds */
    int samples;        /* keys of the clip: duration * rate + 1 */
    int stops;          /* places between the ends where the tool stops */
    /* the largest over the path, by the model's own forward kinematics: metres, radians */
    double position_error, rotation_error;
    /* the largest of all samples as shares of their limits: at most 1 */
    double velocity, acceleration, jerk;
    /*
     * Where the path is not followed: the frame, of those looked at, that is not reached or that
     * no continuous motion leads to, and the share of the path's time there.
     */
    lb_frame frame;
    double share;
} lb_timing_result;

/*
 * Times the motion along a path whose first configuration is the solution nearest to `start` (nq
 * numbers) or, with any_start, the one that can be followed farthest. *clip takes a clip over
 * `model`, which must outlive it; NULL where the path cannot be followed. That is no error: LB_OK,
 * and *result says where and why.
 *
 * Between samples of velocity v, acceleration a and jerk j are differences of samples over powers
 * of their distance in time, as a controller sees them; before the first sample and after the last
 * the arm rests. All are within their limits; the duration is within a percent of the shortest.
 * The tool is off the path by less than a micrometre.
 *
 * LB_UNSUPPORTED: a ball joint moves. LB_INVALID_ARGUMENT, LB_BAD_VALUE: what lb_follower_create
 * refuses, limits that are not from 1e-9 to 1e9 (rates to 1e5), and a joint that has to move but
 * may not. LB_UNSUPPORTED, too: more than a million samples. It takes about 0.05 s for each span
 * of the path, up to a second where the arm passes a singularity closely, and a microsecond for
 * each sample; and 36 kB of memory, and 4 kB more for each joint that moves, for each part of the
 * path between stops.
 */
lb_status lb_timing_make(const lb_model *model, const lb_timing *how, const double *start,
                         const lb_allocator *allocator, lb_clip **clip, lb_timing_result *result,
                         lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
