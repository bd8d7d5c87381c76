/*
 * servo.h - what an lb_servo holds.
 *
 * A motion is planned in two steps: configurations that keep the limits of position, speed and
 * acceleration, and the mean of the last of them, which limits the jerk. Means keep what the
 * configurations keep, since these limits are convex.
 */
#ifndef MOTION_SERVO_H
#define MOTION_SERVO_H

#include "base/memory.h"
#include "motion/spline.h"

#include <limber/servo.h>

/* ---- servo_profile.c -------------------------------------------------------- */

/*
 * How one joint comes to rest at its goal: pieces of constant acceleration. Everything is relative
 * to the goal, which may move: distance ahead, speed against the goal's. The joint's own limits of
 * speed then differ by direction.
 */

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

/* ---- servo.c ---------------------------------------------------------------- */

enum { SERVO_LINE_CELLS = 24 };

/* radians or metres that a number outside the limits is rounding */
#define SERVO_ROUNDING 1e-9

/* One number of q that moves. */
typedef struct servo_axis {
    int joint, q, v;
    double lower, upper, speed, acceleration, jerk;
} servo_axis;

/*
 * A straight line of the tool: configurations at shares of its length. Of a twist, the way that it
 * leads: configurations at the seconds that the whole twist takes to them.
 */
typedef struct servo_line {
    bool awaited;        /* it begins where the joints come to rest */
    bool active;         /* not of a twist */
    spline curve;        /* of all axes */
    double *x, *squares; /* at each knot: its share; the square of the share's speed */
    double most, part;   /* of squares; of the joints' accelerations */
    int cell;            /* where it is: the cell, the share and its speed */
    double share, speed;
    double left;                      /* seconds until it ends */
    double *first, *bend, *next_bend; /* derivatives of each axis */
    double *work;                     /* a number for each knot or each axis */
} servo_line;

typedef enum servo_mode { SERVO_REST, SERVO_POSE, SERVO_TWIST, SERVO_JOINTS } servo_mode;

struct lb_servo {
    memory_pool pool;      /* of all else */
    lb_allocator memory;   /* the pool's */
    const lb_model *model; /* or the view of it */
    lb_model *view;        /* with what the options change of joints, NULL: nothing */
    lb_servo_options options;
    bool has_task;
    lb_task task;
    lb_ik *ik; /* one descent of few iterations; NULL without a task */
    double position_reached, rotation_reached; /* metres, radians: as by default in ik.h */
    lb_state *state;                           /* for the tool's place */
    int axis_count;
    servo_axis *axes;

    /* target */
    servo_mode mode;
    lb_servo_state why; /* it rests, in SERVO_REST */
    lb_transform target;
    double twist[6];          /* of the target in SERVO_POSE, of the tool in SERVO_TWIST */
    bool drifts;              /* the target moves with the twist */
    bool fresh, was_fresh;    /* it is new in this frame; it was in the frame before */
    double age;               /* frames since it was given */
    double *goal, *next_goal; /* nq: now, and a frame later */
    bool clamped;             /* joint values that were given are outside the limits */
    double *reached;          /* nq: the last goal that was reached or given, or the start */
    double *aim, *goal_speed; /* of each axis: where its goal is, filtered, and its speed */
    bool descends;            /* the descent to the goal has not ended */
    lb_ik_result goal_result;

    /* the configuration before the mean */
    double *q, *trial; /* nq */
    double *speed;     /* instantaneous, of each axis */
    servo_motion *motions;
    servo_line line;
    double *jacobian; /* two of 6 x nv */
    double *weights;  /* of each axis, in a twist */
    bool partly;      /* a part of it is lost */

    /* the mean of the last `window` configurations and speeds */
    int window, oldest, still; /* frames since the configuration last changed, up to the window */
    double *ring;              /* window rows of all axes' q and speeds */
    double *sums, *losses;     /* of each column: exactly sums + losses */
    double *last_speed;        /* that was given out */
};

/* Puts it to rest in its configuration, without a target. */
void servo_rest(lb_servo *s);

/* T_base_tool of a configuration. */
lb_transform servo_tool(lb_servo *s, const double *q);
/* A pose moved by linear and angular displacements in the base's axes, turning about its origin. */
lb_transform servo_displaced(const lb_transform *pose, lb_vec3 linear, lb_vec3 angular);
/* Descends from `start`, which may be q; whether the pose is reached. */
bool servo_solve(lb_servo *s, const lb_transform *pose, const double *start, double *q,
                 lb_ik_result *result);

/* Brakes a joint for a frame; and where it comes to rest if it is braked. */
void servo_brake(lb_servo *s, int k);
double servo_rest_place(const lb_servo *s, int k);
/* Moves a joint, or brakes it if it could not stop before its limit afterwards. */
void servo_move_axis(lb_servo *s, int k, double q, double speed);

/* ---- servo_line.c ----------------------------------------------------------- */

/*
 * Plans a straight line from the present configuration, which rests, to the target. False if there
 * is none that takes at most `longest` seconds; else its end is the goal.
 */
bool servo_line_plan(lb_servo *s, double longest);
/* Moves along it for a frame. */
void servo_line_step(lb_servo *s);
/*
 * Fills line.squares with the largest from which all joints can come to rest at the last knot,
 * within line.most and line.part. False if the curve may leave the limits of position.
 */
bool servo_line_brake(lb_servo *s);

/* ---- servo_twist.c ---------------------------------------------------------- */

/* Moves the joints for a frame so that the tool moves along the twist. */
void servo_twist_step(lb_servo *s);
/* The share of the twist in the tool's motion between two poses, a frame apart. */
double servo_twist_share(const lb_servo *s, const lb_transform *from, const lb_transform *to);

#endif
