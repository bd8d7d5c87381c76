/*
 * body.h - whole bodies: many tasks on one tree, with priorities, limits and speeds.
 *
 *     lb_body_task tasks[2] = {lb_body_task_make(LB_BODY_POSE, hand),
 *                              lb_body_task_make(LB_BODY_POSITION, foot)};
 *     lb_body *body;
 *     lb_body_create(model, tasks, 2, NULL, NULL, &body, &error);
 *     lb_body_set_target(body, 0, &where);        // targets change as often as wanted
 *     lb_body_hold(body, 1, q);                   // the foot stays where it is at q
 *     lb_body_solve(body, q, q, &result);
 *
 * lb_ik solves for one tool, by any of its methods and with every solution of a closed form.
 * lb_body serves trees: any number of tasks of any kind on any links, on fixed, planar and floating
 * roots, frame after frame. It goes on from the given configuration and changes it as little as the
 * tasks allow. If that does not reach them all, `restarts` find solutions elsewhere: pose tasks cut
 * the tree into limbs, an lb_ik solves each limb, and the assembled configuration starts a descent
 * of the whole. Five poses of a humanoid are found so in some tens of microseconds; an lb_ik of
 * several tasks takes milliseconds.
 *
 * Each step is the exact minimum of a weighted least-squares problem within bounds: the joints'
 * limits and, in lb_body_advance, their speeds. No limit is ever exceeded, not by rounding either.
 * Tasks of one level are weighed against each other; a level never gives way to a level below it.
 * Each step keeps that to first order. If not all is reached, the loss of the levels above over
 * several steps is taken back with half the iterations. Time grows with the number of joints, not
 * with its square.
 *
 * Loops of the model (loops.h) are above all levels: every result is closed to 1e-12 of the loops'
 * size, as lb_body_result.loop_error confirms, unless no closed configuration was found. Restarts
 * may find a solution of another assembly than the start's.
 *
 * Lengths, places, weights, values, velocities and times beyond LB_LENGTH_MAX in magnitude are
 * refused.
 *
 * An lb_body belongs to one thread and never allocates after its creation. Its results depend on
 * the model, its tasks and settings and the start alone, not on earlier solves, and are the same to
 * the last bit on every machine and at every width.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_BODY_H
#define LIMBER_BODY_H

#include <limber/collision.h>
#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tasks -------------------------------------------------------------- */

/*
 * Kinds of tasks: name, text. Each compares the tool that its link carries with its target
 * T_base_target:
 *   position        the tool's origin is at the target's
 *   orientation     the tool's axes are the target's
 *   pose            the tool's origin and axes are the target's
 *   on-line         the tool's origin is on the target's z axis
 *   on-plane        the tool's origin is in the target's xy plane
 *   look-at         the tool's `axis` points to the target's origin
 *   direction       the tool's `axis` points along the target's z axis
 *   pole            seen along the line from a point of link `first` to one of link `last`, the
 *                   tool's origin (a knee, an elbow) lies on the side of the target's origin, which
 *                   is in the world; nearer to the line than a fiftieth of its length it has hardly
 *                   a side, and the error fades out
 *   center-of-mass  the whole model's centre of mass is at the target's origin
 *   support         the centre of mass is above the polygon `vertices` of the target's xy plane
 *   joint           joint `joint` has the value of lb_body_set_value
 *   contact         a pose that stays where it was at the last lb_body_hold
 *   distance        every pair that `collision` checks, of links or of a link and an obstacle, is
 *                   at least `distance` apart
 *
 * A distance has no target. It is one-sided, like a joint limit: pairs that are farther apart count
 * for nothing. Give it a level above the tasks that must not push links into each other; among
 * tasks of its own level it is weighed as they are. It is reached only if lb_collision measures no
 * pair nearer than `distance`; the descent aims for its position tolerance more. At a time the
 * descent minds the eight nearest pairs.
 *
 * A target in a base other than the world is a relative pose of two links: it holds one object with
 * two hands.
 */
#define LB_BODY_KIND_LIST(X)                                                                       \
    X(LB_BODY_POSITION, "position")                                                                \
    X(LB_BODY_ORIENTATION, "orientation")                                                          \
    X(LB_BODY_POSE, "pose")                                                                        \
    X(LB_BODY_ON_LINE, "on-line")                                                                  \
    X(LB_BODY_ON_PLANE, "on-plane")                                                                \
    X(LB_BODY_LOOK_AT, "look-at")                                                                  \
    X(LB_BODY_DIRECTION, "direction")                                                              \
    X(LB_BODY_POLE, "pole")                                                                        \
    X(LB_BODY_CENTER_OF_MASS, "center-of-mass")                                                    \
    X(LB_BODY_SUPPORT, "support")                                                                  \
    X(LB_BODY_JOINT, "joint")                                                                      \
    X(LB_BODY_CONTACT, "contact")                                                                  \
    X(LB_BODY_DISTANCE, "distance")

typedef enum lb_body_kind {
#define LB_BODY_KIND_ENUM(name, text) name,
    LB_BODY_KIND_LIST(LB_BODY_KIND_ENUM)
#undef LB_BODY_KIND_ENUM
        LB_BODY_KIND_COUNT
} lb_body_kind;

/* The text of a kind, never NULL; and the kind of a text, LB_BODY_KIND_COUNT for none. */
const char *lb_body_kind_text(lb_body_kind kind);
lb_body_kind lb_body_kind_find(const char *text);

enum {
    LB_BODY_LEVELS = 4,   /* Strict levels, 0 to 3. */
    LB_BODY_VERTICES = 16 /* The most vertices of a support polygon. */
};

/* Start from lb_body_task_make(). Fields that a kind does not use are not read. */
typedef struct lb_body_task {
    lb_body_kind kind; /* Kind of the task. */
    /* Link that carries the tool; of a pole the middle link. Not read of a joint task. */
    int link;
    /* Link in whose frame the target is given; of a pole the world. Default: the world. */
    int base;
    lb_transform tool; /* T_link_tool. Default: identity. */
    /* Of look-at and direction: axis of the tool, of any length but zero. Default: z. */
    lb_vec3 axis;
    int first, last; /* Of a pole: links that carry the line's ends. Default: -1, none. */
    /* Of a pole: the line's ends in the frames of these links, metres. Default: origins. */
    lb_vec3 first_point, last_point;
    int joint;     /* Of a joint task: index of the joint. Default: -1, none. */
    int level;     /* Priority, 0 to 3. A level never gives way to a higher number. Default: 0. */
    double weight; /* Weight against tasks of its level, >= 0. 0: off. Default: 1. */
    /* Metres along the target's axes to either side in which every place is as good. Default: 0. */
    lb_vec3 box;
    /* Radians from the target's axes or direction, or from a joint's value (metres of a slide),
       in which every place is as good. Default: 0. */
    double cone;
    /* Errors below which the task is reached, metres and radians. 0: those of the options (the
       default). */
    double position_tolerance, rotation_tolerance;
    const double (*vertices)[2]; /* Of a support: a convex polygon, counter-clockwise, metres. */
    int vertex_count;            /* How many vertices, 3 to 16. */
    /* Of a distance: the collision to measure, made for the model of the body. It must outlive
       the body, and nothing else may use it during a solve. Absent: none (the default). */
    lb_collision *collision;
    double distance; /* Of a distance: metres, >= 0. 0: links may touch (the default). */
} lb_body_task;

lb_body_task lb_body_task_make(lb_body_kind kind, int link);

/* ---- options ------------------------------------------------------------ */

/* How a body is solved. Start from lb_body_options_default(). */
typedef struct lb_body_options {
    double position_tolerance; /* Metres by which a position may be off, > 0. Default: 1e-6. */
    double rotation_tolerance; /* Radians by which a rotation may be off, > 0. Default: 1e-6. */
    /* Iterations of one descent, 1 to 1,000,000. While more are left, a step may be corrected at
       its new place, which counts as no iteration. Default: 100. */
    int iterations;
    double length; /* Metres that count as much as one radian. 0: from the model (the default). */
    /* Weight of the posture against tasks of the last level, >= 0, for one radian that a joint
       of stiffness 1 is away from it. A small weight only decides between solutions. Default:
       1e-9. */
    double posture;
    /*
     * How many other starts are tried if the first descent of lb_body_solve or lb_body_batch_solve
     * does not reach every task, up to 1,000,000. Each has 16 iterations and the time of its limbs
     * (some tens of microseconds for a robot's). The first is the start again, part by part; the
     * others are random, each by its index. lb_body_advance never leaves its start. With restarts
     * the creation takes about half a millisecond for each limb. 0: none, so the result is always a
     * descent from the start. Default: 32.
     */
    int restarts;
    int width; /* Lanes of batches: 1, 2, 4 or 8. 0: as many as the machine has (the default). */
    /* This solver's changes to joints. Absent: none (the default). lb_body_set_limits and
       lb_body_set_speed change limits and speeds between solves. */
    const lb_joint_setting *joints;
    int joint_count; /* How many changes. Default: 0. */
} lb_body_options;

/*
 * A thousand times the useful number. With so many restarts an arm that reaches nothing takes a
 * minute.
 */
#define LB_BODY_ITERATIONS_MAX 1000000
#define LB_BODY_RESTARTS_MAX 1000000

lb_body_options lb_body_options_default(void);

/* ---- creating ----------------------------------------------------------- */

typedef struct lb_body lb_body;

/*
 * Creates a solver for n >= 1 tasks. Tasks and options (NULL: defaults) are copied with their
 * lists; the model must outlive the body. Targets begin where the tools are in the neutral
 * configuration, values of joint tasks as the neutral ones. Refused by number and kind of the task:
 * indices out of range, a zero axis, a polygon that is not convex or not counter-clockwise, a
 * negative or non-finite number, a centre of mass without masses, a
 * collision that is missing or of another model, a task that no unlocked joint can change.
 */
lb_status lb_body_create(const lb_model *model, const lb_body_task *tasks, int n,
                         const lb_body_options *options, const lb_allocator *allocator,
                         lb_body **body, lb_error *error);
/* NULL is accepted. */
void lb_body_release(lb_body *body);

/* ---- changing it between solves ----------------------------------------- */

/*
 * Changes between solves. None of these functions allocates. Each returns LB_INVALID_ARGUMENT for
 * an index out of range or a task of another kind and LB_BAD_VALUE for numbers out of range, and
 * then changes nothing.
 */

/* Sets T_base_target; its axes are orthonormal within 1e-6. */
lb_status lb_body_set_target(lb_body *body, int task, const lb_transform *target);
/* Sets the origin of the target alone. */
lb_status lb_body_set_point(lb_body *body, int task, lb_vec3 point);
/*
 * The present T_base_target; the identity for a joint or distance task and for an index out of
 * range.
 */
lb_transform lb_body_target(const lb_body *body, int task);
/* Sets the value of a joint task: as many numbers as the joint has in q. */
lb_status lb_body_set_value(lb_body *body, int task, const double value[/* the joint's nq */]);
/* Sets the weight of a task, >= 0. 0 switches it off. */
lb_status lb_body_set_weight(lb_body *body, int task, double weight);
/* Moves the target to where the tool, or the centre of mass, is at q (nq numbers). */
lb_status lb_body_hold(lb_body *body, int task, const double *q);
/* Sets the posture towards which joints are pulled, nq numbers; NULL: the start of each solve. */
lb_status lb_body_set_posture(lb_body *body, const double q[/* nq, or NULL */]);
/*
 * Narrows the limits of one value of a joint for this solver; the model's limits hold as well.
 * Equal limits lock the value there. Restarts know of these limits only when the whole is polished,
 * so limits that leave little room make their starts poor.
 * `value` counts the joint's values as lower[] and upper[] of lb_joint do: of a ball 0 is the
 * twist, 1 the swing, whose `lower` is not read. A twist with a limit on one side alone ends at
 * half a turn on the other. LB_BAD_VALUE: a limit is NaN; these limits and the model's leave
 * nothing, or end beyond LB_LENGTH_MAX but not at infinity; or the model leaves a twist free and
 * these begin above half a turn or end below minus half a turn.
 */
lb_status lb_body_set_limits(lb_body *body, int joint, int value, double lower, double upper);
/*
 * Sets speed and acceleration of all of a joint's values, for lb_body_advance: metres or radians
 * per second, and per second squared. INFINITY: none. They begin as the model's speed and no
 * acceleration.
 */
lb_status lb_body_set_speed(lb_body *body, int joint, double speed, double acceleration);

/* ---- solving ------------------------------------------------------------ */

/*
 * Why a task is not reached, near the result: name, text. Found by descents of twenty steps from
 * the result and from beside it, where nearer is by a twentieth. Configurations far away may be
 * nearer.
 */
#define LB_BODY_REASON_LIST(X)                                                                     \
    X(LB_BODY_REASON_NONE, "none")         /* it is reached, or off */                             \
    X(LB_BODY_REASON_LEVEL, "level")       /* nearer only at the cost of a level above it */       \
    X(LB_BODY_REASON_CONFLICT, "conflict") /* nearer only at the cost of its own level */          \
    X(LB_BODY_REASON_LIMITS, "limits")     /* joints at their limits or speeds hold it back */     \
    X(LB_BODY_REASON_REACH, "reach")       /* no joint brings it nearer */                         \
    X(LB_BODY_REASON_BUDGET, "budget")     /* another descent from there brings it nearer */

typedef enum lb_body_reason {
#define LB_BODY_REASON_ENUM(name, text) name,
    LB_BODY_REASON_LIST(LB_BODY_REASON_ENUM)
#undef LB_BODY_REASON_ENUM
        LB_BODY_REASON_COUNT
} lb_body_reason;

/* The text of a reason, never NULL. */
const char *lb_body_reason_text(lb_body_reason reason);

/* The outcome of one task, by the model's own forward kinematics. */
typedef struct lb_body_outcome {
    bool reached; /* Whether it is within its tolerances; true for a task that is off. */
    /* Metres outside its box, or metres by which the nearest pair is closer than the distance. 0
       if the kind has no position. */
    double position_error;
    double rotation_error; /* Radians outside its cone; of a joint task also metres of a slide. */
} lb_body_outcome;

/* The outcome of one solve. */
typedef struct lb_body_result {
    /* Reached: every task is, within all limits, and every loop is closed. Never unreachable. */
    lb_outcome outcome;
    int iterations; /* Iterations of all descents. */
    int tries;      /* How many descents. With 1, q was found from the start itself. */
    int reached;    /* How many tasks are reached, or off. */
    /* The largest error of a loop of the model, as a share of its reach or in radians. Closed: at
       most 1e-12. 0: the model has no loops. */
    double loop_error;
} lb_body_result;

/*
 * Finds q (nq numbers; may be `start`) that achieves the tasks. `start` is first brought within the
 * limits. If not all tasks can be achieved, q is where the weighted errors of each level are least
 * without growth of those above: a local minimum. `result` may be NULL.
 */
lb_outcome lb_body_solve(lb_body *body, const double *start, double *q, lb_body_result *result);

/*
 * As lb_body_solve for one frame of `time` > 0 seconds. No value moves farther from `start` than
 * its speed allows. With an acceleration, none moves farther than that allows from where `velocity`
 * (nv numbers, NULL: at rest) would bring it. Each is always slow enough to stop before its limit.
 * If a limit and a speed contradict each other, the limit holds: a start outside is brought inside
 * at once. Speed and acceleration of a ball bound its angular velocity as a whole; it does not slow
 * down before its limits, which may stop it at once.
 *
 * With a limit of acceleration it does not brake before its targets but passes a target that is far
 * away, and comes back: it is for targets that move a little from call to call. lb_servo (servo.h)
 * brings an arm to any target without passing it.
 */
lb_outcome lb_body_advance(lb_body *body, const double *start, const double *velocity, double time,
                           double *q, lb_body_result *result);

/* The outcomes of the last solve, n of them, one for each task; owned by the body. */
const lb_body_outcome *lb_body_outcomes(const lb_body *body);

/*
 * The pair of a distance task that is nearest in the result of the last solve. Fills *nearest,
 * which may be NULL, and returns its distance: INFINITY if no pair is checked, NaN if there is no
 * such task or no solve yet.
 */
double lb_body_nearest(const lb_body *body, int task, lb_proximity *nearest);

/*
 * Explains why a task of the last solve is as it is: what holds it back. Fills `text` (size bytes,
 * always terminated) with a sentence for people, and returns the reason. `text` may be NULL. For an
 * index out of range: LB_BODY_REASON_NONE and an empty text. Reasons are found by trials without
 * what may hold it back, which prove nothing: of some 2,000 about random trees 7 were refuted by
 * configurations beside the result.
 */
lb_body_reason lb_body_explain(lb_body *body, int task, char *text, size_t size);

/* ---- many at once ------------------------------------------------------- */

/*
 * Row i of each array belongs to problem i; all have this body's values and posture. Strides count
 * elements between rows.
 */
typedef struct lb_body_batch {
    const lb_transform *targets; /* Rows of one T_base_target for each task. Absent: the body's. */
    size_t target_stride;        /* Transforms from row to row. 0: rows follow each other. */
    /* Rows of one weight > 0 for each task. Absent: the body's. A task that the body has off
       stays off. With restarts such problems are solved one by one. */
    const double *weights;
    size_t weight_stride; /* Numbers from row to row. 0: rows follow each other. */
    const double *starts; /* Rows of nq numbers. */
    size_t start_stride;  /* Numbers from row to row. 0: rows follow each other. */
    double *q;            /* Rows of nq numbers: the results; may be `starts`. */
    size_t q_stride;      /* Numbers from row to row. 0: rows follow each other. */
    /* One for each problem. Absent: not wanted, which saves time if few are reached. */
    lb_body_result *results;
    /* Iterations of each problem, for batches without results. Absent: not wanted. */
    int *iterations;
} lb_body_batch;

/*
 * Solves problems begin <= i < end side by side, one in each lane, with the bits of lb_body_solve.
 * Returns how many were reached. Never allocates.
 */
size_t lb_body_batch_solve(lb_body *body, const lb_body_batch *batch, size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
