/*
 * servo_profile.h - how one joint comes to rest at its goal: pieces of constant acceleration.
 *
 * Everything is relative to the goal, which may move: distance ahead, speed against the goal's. The
 * joint's own limits of speed then differ by direction.
 */
#ifndef MOTION_SERVO_PROFILE_H
#define MOTION_SERVO_PROFILE_H

/* What remains to be done. */
typedef struct servo_motion {
    double distance, speed; /* of the goal from the joint; of the joint */
    double acceleration;    /* limit, > 0 */
    double up, down;        /* limits of speed in the two directions, > 0 */
} servo_motion;

/* stop, speed up, cruise, brake */
enum { SERVO_PIECES = 4 };

typedef struct servo_profile {
    int count;
    double times[SERVO_PIECES], accelerations[SERVO_PIECES];
    double duration;
} servo_profile;

/* The profile of least time. */
servo_profile servo_profile_fastest(const servo_motion *m);

/*
 * The profile that takes `duration`, or the fastest where that is longer. What it does while it has
 * to brake or turn back is as fast as it can be; the rest has a lower acceleration and, in
 * proportion, a lower cruise. So joints that begin at rest and have the same duration move in
 * proportion to each other.
 */
servo_profile servo_profile_in_time(const servo_motion *m, double duration);

/* Distance covered and speed after a time; after its end the motion is at the goal. */
void servo_profile_at(const servo_profile *p, const servo_motion *m, double time, double *covered,
                      double *speed);

#endif
