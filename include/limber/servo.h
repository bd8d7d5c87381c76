/*
 * servo.h - following a target that is not known in advance, frame by frame, within limits.
 *
 * A control loop gives targets as they come and takes joint values at a fixed rate:
 *
 *     lb_servo *servo;
 *     lb_servo_create(model, &task, NULL, NULL, &servo, &error);
 *     lb_servo_reset(servo, q);
 *     while (running) {
 *         if (new_target(&target))
 *             lb_servo_aim(servo, &target, NULL);
 *         lb_servo_step(servo, q, v, a, NULL);
 *         send(q);
 *     }
 *
 * A servo generates a motion; it does not measure one. Every frame keeps the limits of position,
 * speed, acceleration and jerk of every joint. A target at rest is reached in the shortest time
 * that speed and acceleration allow the slowest joint; a limit of jerk adds twice the time in which
 * it reaches the acceleration, which is not the shortest. From rest no joint goes beyond the goal
 * of a frame; where the goal takes several frames of search, it may pass the last one a little.
 *
 * Each frame solves inverse kinematics once, from the goal of the frame before, so the arm stays on
 * its branch and a redundant arm keeps its posture. Each joint then follows the fastest profile of
 * piecewise constant acceleration to the goal; joints that would arrive early take as long as the
 * slowest (Kroeger and Wahl 2010; Berscheid and Kroeger 2021). Jerk is limited by a moving average
 * of the configurations (Biagiotti and Melchiorri 2012).
 *
 * Creating allocates; a step never does, and its work is bounded. A servo belongs to one thread.
 * Its results are the same to the last bit on every machine.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_SERVO_H
#define LIMBER_SERVO_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start from lb_servo_options_default(). */
typedef struct lb_servo_options {
    double period; /* Seconds from frame to frame, 1e-5 to 1. Default: 0.001. */
    /* Seconds after which a target that was not given again is stale: the joints stop. Infinite:
       never (the default). */
    double stale;
    /*
     * The least time in seconds in which the joints meet a target that moves, 0 to 10, and the
     * memory of the filter through which targets pass that come anew in every frame. The shorter it
     * is, the harder their noise drives the joints; the longer, the farther off is a target that
     * accelerates, by about twice its acceleration times the square. It has no effect on a target
     * at rest. Default: 0.04.
     */
    double landing;
    /*
     * How many times the joints' fastest motion a straight line of the tool may take. A new target
     * at rest is then approached on a straight line, with the rotation about one axis, if such a
     * line exists; the state says so. Joints that move brake first, and the line begins where they
     * come to rest; that counts. At least 1, 1.5 is a good value; 0: no lines (the default).
     */
    double line;
    /*
     * This servo's changes to joints, with limits of speed (else the model's, else 1 radian or
     * metre a second), acceleration (else the one that brings a joint to its speed in a quarter of
     * a second) and jerk (else none). Absent: none (the default). They read back as absent.
     */
    const lb_joint_setting *joints;
    int joint_count; /* How many changes. Default: 0. */
} lb_servo_options;

lb_servo_options lb_servo_options_default(void);

/* What a servo does: name, text. */
#define LB_SERVO_STATE_LIST(X)                                                                     \
    X(LB_SERVO_STOPPED, "stopped")     /* it was told to stop, or has no target yet */             \
    X(LB_SERVO_STALE, "stale")         /* it stops: no target came for options.stale seconds */    \
    X(LB_SERVO_INVALID, "invalid")     /* it stops: the last target was not valid */               \
    X(LB_SERVO_MOVING, "moving")       /* it follows its target */                                 \
    X(LB_SERVO_LINE, "line")           /* it brings the tool to its target on a straight line */   \
    X(LB_SERVO_ARRIVED, "arrived")     /* it rests at its target */                                \
    X(LB_SERVO_BLOCKED, "blocked")     /* it rests: joints cannot move the tool along its twist */ \
    X(LB_SERVO_PARTLY, "partly")       /* it does the possible part of its twist */                \
    X(LB_SERVO_UNREACHED, "unreached") /* it rests as near to its target as was found */

typedef enum lb_servo_state {
#define LB_SERVO_STATE_ENUM(name, text) name,
    LB_SERVO_STATE_LIST(LB_SERVO_STATE_ENUM)
#undef LB_SERVO_STATE_ENUM
        LB_SERVO_STATE_COUNT
} lb_servo_state;

/* The text of a state, never NULL. */
const char *lb_servo_state_text(lb_servo_state state);

/* What one step did. */
typedef struct lb_servo_frame {
    lb_servo_state state; /* What the servo does. */
    /* Whether all joints rest: v and a are zero. The states stopped, stale and invalid begin while
       the joints still brake. */
    bool resting;
    /* Outcome of the goal, the configuration that the joints move to. If the target is not reached,
       the goal is the closest configuration that a descent finds, the errors say how far it is
       from the target, and there is a reason only if it is proved. Joint values outside the limits
       are LB_UNREACHABLE with LB_REASON_LIMITS, without errors. Reached for a twist. */
    lb_ik_result goal;
    double remaining; /* Seconds until the joints rest at a goal at rest. 0 without such a goal. */
    /* The share of a twist that the tool does: its mean velocity over this frame along the twist,
       angles in lengths, 0 to 1. 0 where it moves the other way; 1 for other targets. */
    double share;
} lb_servo_frame;

typedef struct lb_servo lb_servo;

/*
 * Creates a servo for the tool of `task`; NULL: for joint values alone. The model must outlive it.
 * It begins at rest in the neutral configuration, clamped to the limits. Refused by name: tasks
 * that lb_ik_create refuses; numbers out of range; a joint with a quaternion or with a speed of 0
 * that is not locked, or a loop with such a joint; a jerk that takes more than 65,536 frames to
 * reach its acceleration.
 */
lb_status lb_servo_create(const lb_model *model, const lb_task *task,
                          const lb_servo_options *options, const lb_allocator *allocator,
                          lb_servo **servo, lb_error *error);
/* NULL is accepted. */
void lb_servo_release(lb_servo *servo);

/*
 * Puts the servo to rest at q (nq numbers), without a target. Refused by name: numbers that are not
 * finite or outside the limits by more than 1e-9; what is less outside is clamped.
 */
lb_status lb_servo_reset(lb_servo *servo, const double q[/* nq */], lb_error *error);

/*
 * Gives the target T_base_target for the frames to come. `velocity` is its linear and then its
 * angular velocity in the base's axes: the target is at its pose now, and moves with that. NULL:
 * the target rests, but if it comes anew in two frames running, its velocity is the difference.
 *
 * A target that is not finite and rigid stops the joints in the shortest time. So does each of
 * these calls if the servo was created without a task.
 */
void lb_servo_aim(lb_servo *servo, const lb_transform *target,
                  const double velocity[/* 6, or NULL */]);
/*
 * Moves the tool with a velocity in the base's axes, linear and then angular, until something else
 * is said. It is a velocity and no place: what a limit takes away is not made up for.
 *
 * The tool keeps the twist's direction: it moves with a share of the twist, which falls before
 * singular configurations and limits of joints; away from them it moves at once. Of the twist it
 * does beside that, on measured arms, less than 0.2 % in nearly all frames. While a new twist takes
 * effect the joints' speeds go straight from the old to the new ones, except of a joint that must
 * brake before its limit.
 *
 * Beside a singular configuration, from joint speeds 25 times the usual ones on, and at limits, the
 * tool does the part of the twist that joints can move it with, the state is partly, and the share
 * is what that is along the twist. Where no part can be done the state is blocked.
 * Of a position task only the linear part counts, of a rotation task only the angular part; free
 * axes are not used.
 */
void lb_servo_twist(lb_servo *servo, const double twist[/* 6 */]);
/* Gives goals for all joints (nq numbers). Values outside the limits are clamped, and the goal's
   outcome then is LB_UNREACHABLE; locked joints and joints that follow another keep their values.
 */
void lb_servo_move(lb_servo *servo, const double q[/* nq */]);
/* Stops all joints in the shortest time within their limits. */
void lb_servo_stop(lb_servo *servo);

/*
 * Computes the next frame: q (nq numbers), and its velocities and accelerations (nv numbers each,
 * or NULL). `frame` may be NULL.
 *
 * Positions, velocities and accelerations are within their limits, and so are their differences
 * from frame to frame over the period: of q as a speed, of v as an acceleration, of a as a jerk.
 * Second and third differences of q keep the limits of acceleration and jerk up to the rounding of
 * q over the square and cube of the period.
 */
void lb_servo_step(lb_servo *servo, double q[/* nq */], double v[/* nv, or NULL */],
                   double a[/* nv, or NULL */], lb_servo_frame *frame);

#ifdef __cplusplus
}
#endif

#endif
