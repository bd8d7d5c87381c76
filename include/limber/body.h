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
 * lb_ik solves for one tool, by any of its methods and with every solution where there is a closed
 * form. lb_body serves trees: any number of tasks of any kind on any links, on fixed, planar and
 * floating roots, frame after frame. It goes on from the configuration it is given and changes it
 * as little as the tasks allow. Where that does not reach them all, `restarts` finds solutions
 * elsewhere: pose tasks cut the tree into limbs, each limb is solved by an lb_ik of its own, and
 * what was assembled so is the start of a descent of the whole. An lb_ik of several tasks has
 * nothing of this: five poses of a humanoid, which take it milliseconds, are found in some tens of
 * microseconds here.
 *
 * Each step is the exact minimum of a weighted least-squares problem within bounds: the joints'
 * limits and, in lb_body_advance, their speeds. No limit is ever exceeded, not by rounding
 * either. Tasks of one level are weighed against each other; a level never gives way to a level
 * below it. Each step keeps that to first order; where not all is reached, what a sum of steps
 * cost the levels above is taken back with half the iterations. Cost grows with the number of
 * joints, not with its square.
 *
 * Lengths, places, weights, values, velocities and times are at most LB_LENGTH_MAX in magnitude;
 * others are refused.
 *
 * An lb_body belongs to one thread and never allocates after its creation. What it returns
 * depends on the model, its tasks and settings and the start alone, not on earlier solves, and
 * is the same to the last bit on every machine and at every width.
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
 * What a task wants, of the tool that its link carries, from its target T_base_target:
 *   position        the tool's origin is at the target's
 *   orientation     the tool's axes are the target's
 *   pose            both
 *   on-line         the tool's origin is on the target's z axis
 *   on-plane        the tool's origin is in the target's xy plane
 *   look-at         the tool's `axis` points to the target's origin
 *   direction       the tool's `axis` points along the target's z axis
 *   pole            seen along the line from a point of link `first` to one of link `last`, the
 *                   tool's origin (a knee, an elbow) lies on the side of the target's origin
 *   center-of-mass  the whole model's centre of mass is at the target's origin
 *   support         the centre of mass is above the polygon `vertices` of the target's xy plane
 *   joint           joint `joint` has the value of lb_body_set_value
 *   contact         a pose that stays where it was at the last lb_body_hold
 *   distance        every pair that `collision` checks, of links or of a link and an obstacle, is
 *                   at least `distance` apart
 *
 * A distance has no target. It is one-sided, as joint limits are: pairs that are farther apart
 * count for nothing. Give it a level above the tasks that must not push links into each other;
 * among tasks of its own level it is weighed as they are. It is reached only when lb_collision
 * measures no pair nearer than `distance`; the descent goes for its position tolerance more. At a
 * time the descent minds the eight pairs that are nearest.
 *
 * A target in a base other than the world is a relative pose of two links: it holds one object
 * with two hands, and closes loops.
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
    LB_BODY_LEVELS = 4,   /* strict levels, 0 to 3 */
    LB_BODY_VERTICES = 16 /* of a support polygon */
};

/* Start from lb_body_task_make(); what a kind has no use for is not read. */
typedef struct lb_body_task {
    lb_body_kind kind;
    int link;          /* carries the tool; of a pole the middle link, not read of a joint task */
    int base;          /* the link that the target is given in; LB_WORLD */
    lb_transform tool; /* T_link_tool; identity */
    lb_vec3 axis;      /* look-at, direction: of the tool, any length but zero; z */
    int first, last;   /* pole: the links that carry the line's ends */
    lb_vec3 first_point, last_point; /* pole: the ends, in their links' frames; origins */
    int joint;                       /* joint: which; -1 */
    int level;                       /* 0 comes first; a level never gives way to one below it */
    double weight;                   /* against tasks of the same level, >= 0; 0: off; 1 */
    lb_vec3 box; /* metres along the target's axes to either side that are as good; 0 */
    double cone; /* radians from the target's axes or direction, or of a joint's value,
                    metres of a slide, that are as good; 0 */
    /* reached when nearer than these, metres and radians; 0: the options' */
    double position_tolerance, rotation_tolerance;
    const double (*vertices)[2]; /* support: a convex polygon, counter-clockwise; copied */
    int vertex_count;            /* 3 to LB_BODY_VERTICES */
    /* distance: what is measured; made for the same model, it must outlive the body, and while the
       body solves nothing else may use it. NULL */
    lb_collision *collision;
    double distance; /* distance: metres, >= 0; 0: they may touch */
} lb_body_task;

lb_body_task lb_body_task_make(lb_body_kind kind, int link);

/* ---- options ------------------------------------------------------------ */

typedef struct lb_body_options {
    double position_tolerance; /* metres, 1e-6; > 0 */
    double rotation_tolerance; /* radians, 1e-6; > 0 */
    /* budget of one descent, 1 to LB_BODY_ITERATIONS_MAX; 100. While more are left, a step may be
       corrected at its new place, which is no iteration. */
    int iterations;
    double length; /* metres that count as much as one radian; 0: from the model */
    /*
     * How much the posture counts against tasks of the last level: the weight of one radian that a
     * joint of stiffness 1 is away from it. Small, it only decides between solutions. 1e-9; >= 0.
     */
    double posture;
    /*
     * Where the first descent of lb_body_solve or lb_body_batch_solve does not reach every task:
     * how many other starts are tried, up to LB_BODY_RESTARTS_MAX, each for 16 iterations and what
     * its limbs take (some tens of microseconds for a robot's); 32. 0: none, so that the result is
     * always a descent from the start. The first of them is the start again, part by part; the
     * others are random, each by its index. lb_body_advance never leaves its start. With restarts
     * the creation takes about half a millisecond for each limb.
     */
    int restarts;
    int width; /* of batches, as in lb_ik_options */
    /* what this solver changes of joints, see joint_setting.h; copied. lb_body_set_limits and
       lb_body_set_speed change limits and speeds between solves */
    const lb_joint_setting *joints;
    int joint_count;
} lb_body_options;

/* a thousand times what is of use: with so many restarts an arm that reaches nothing takes a minute
 */
#define LB_BODY_ITERATIONS_MAX 1000000
#define LB_BODY_RESTARTS_MAX 1000000

lb_body_options lb_body_options_default(void);

/* ---- creating ----------------------------------------------------------- */

typedef struct lb_body lb_body;

/*
 * A solver for n >= 1 tasks. Tasks and options (NULL: defaults) are copied, the model must
 * outlive it. Targets are at first where the tools are in the neutral configuration, values of
 * joint tasks the neutral ones. Refused by number and kind of the task: indices out of range, a
 * zero axis, a polygon that is not convex or not counter-clockwise, a negative or non-finite
 * number, a centre of mass without masses, a collision that is missing or of another model, a task
 * that no unlocked joint can change.
 */
lb_status lb_body_create(const lb_model *model, const lb_body_task *tasks, int n,
                         const lb_body_options *options, const lb_allocator *allocator,
                         lb_body **body, lb_error *error);
/* NULL is accepted. */
void lb_body_release(lb_body *body);

/* ---- changing it between solves ----------------------------------------- */

/*
 * None of these allocates. They return LB_INVALID_ARGUMENT for an index out of range or a task of
 * another kind and LB_BAD_VALUE for numbers that are no such thing, and then change nothing.
 */

/* T_base_target; axes orthonormal to 1e-6. */
lb_status lb_body_set_target(lb_body *body, int task, const lb_transform *target);
/* Its origin alone. */
lb_status lb_body_set_point(lb_body *body, int task, lb_vec3 point);
/* T_base_target as it is now; of a joint or distance task, and where there is none, the identity.
 */
lb_transform lb_body_target(const lb_body *body, int task);
/* Of a joint task: as many numbers as the joint has in q. */
lb_status lb_body_set_value(lb_body *body, int task, const double value[/* the joint's nq */]);
/* 0 switches a task off. */
lb_status lb_body_set_weight(lb_body *body, int task, double weight);
/* The target becomes where the tool, or the centre of mass, is at q (nq numbers). */
lb_status lb_body_hold(lb_body *body, int task, const double *q);
/* What the posture pulls towards, nq numbers; NULL: the start of each solve. */
lb_status lb_body_set_posture(lb_body *body, const double q[/* nq, or NULL */]);
/*
 * Narrower limits of one value of a joint, for this solver alone; the model's hold as well. Equal
 * ones lock it there. Restarts know of them only where the whole is polished: limits that leave
 * little make their starts poor.
 * `value` counts the joint's values as lower[] and upper[] of lb_joint do: of a ball 0 is the
 * twist, 1 the swing, of which `lower` is not read. A twist that is limited on one
 * side alone ends at half a turn on the other. LB_BAD_VALUE: one is NaN, or what these and the
 * model's limits leave is nothing, or ends beyond LB_LENGTH_MAX but not at infinity, or is a twist
 * that the model leaves free and that begins above half a turn or ends below minus half a turn.
 */
lb_status lb_body_set_limits(lb_body *body, int joint, int value, double lower, double upper);
/* Speed and acceleration of all of a joint's values, for lb_body_advance; INFINITY: none. At first
   the model's speed and no acceleration. Metres or radians per second, and per second squared. */
lb_status lb_body_set_speed(lb_body *body, int joint, double speed, double acceleration);

/* ---- solving ------------------------------------------------------------ */

/* Why a task is not reached. */
#define LB_BODY_REASON_LIST(X)                                                                     \
    X(LB_BODY_REASON_NONE, "none")         /* it is reached, or off */                             \
    X(LB_BODY_REASON_LEVEL, "level")       /* it gives way to a level above it */                  \
    X(LB_BODY_REASON_CONFLICT, "conflict") /* with tasks of its own level */                       \
    X(LB_BODY_REASON_LIMITS, "limits")     /* joints at their limits or speeds hold it back */     \
    X(LB_BODY_REASON_REACH, "reach")       /* no joint brings it nearer */                         \
    X(LB_BODY_REASON_BUDGET, "budget")     /* it still came nearer when the descent ended */

typedef enum lb_body_reason {
#define LB_BODY_REASON_ENUM(name, text) name,
    LB_BODY_REASON_LIST(LB_BODY_REASON_ENUM)
#undef LB_BODY_REASON_ENUM
        LB_BODY_REASON_COUNT
} lb_body_reason;

/* The text of a reason, never NULL. */
const char *lb_body_reason_text(lb_body_reason reason);

/* What became of one task, by the model's own forward kinematics. */
typedef struct lb_body_outcome {
    bool reached;          /* within its tolerances; true for a task that is off */
    double position_error; /* metres outside its box, or what the nearest pair lacks of the distance
                              wanted; 0 where the kind has none */
    double rotation_error; /* radians outside its cone; of a joint task also metres of a slide */
} lb_body_outcome;

typedef struct lb_body_result {
    lb_outcome outcome; /* reached: every task is, within all limits; never unreachable */
    int iterations;     /* of all descents */
    int tries;          /* descents; with 1 q was found from the start itself */
    int reached;        /* how many tasks are, or are off */
} lb_body_result;

/*
 * Finds q (nq numbers; may be `start`) that achieves the tasks, from `start`, which is first
 * brought within the limits. Where not all can be achieved, q is where the weighted errors of
 * each level are least without those above growing: a local minimum. `result` may be NULL.
 */
lb_outcome lb_body_solve(lb_body *body, const double *start, double *q, lb_body_result *result);

/*
 * The same for one frame of `time` > 0 seconds: no value moves farther from `start` than its speed
 * allows, nor, where it has an acceleration, farther from where `velocity` (nv numbers, NULL: at
 * rest) would bring it than that allows; and always slowly enough to stop before its limit. Where
 * a limit and a speed contradict each other, the limit holds: a start outside is brought
 * inside at once. A ball's speed and acceleration bound its angular velocity as a whole; it does
 * not slow down before its limits, which may stop it at once.
 */
lb_outcome lb_body_advance(lb_body *body, const double *start, const double *velocity, double time,
                           double *q, lb_body_result *result);

/* The tasks' outcomes of the last solve, n of them, owned by the body. */
const lb_body_outcome *lb_body_outcomes(const lb_body *body);

/*
 * Of a distance task: the pair that is nearest in what the last solve found. Fills *nearest, which
 * may be NULL, and returns its distance: INFINITY where no pair is checked, NaN where there is no
 * such task, or no solve yet.
 */
double lb_body_nearest(const lb_body *body, int task, lb_proximity *nearest);

/*
 * Why a task of the last solve is as it is: what holds it back. Fills `text` (size bytes, always
 * terminated) with a sentence for people, and returns the reason. `text` may be NULL. Of an index
 * out of range: LB_BODY_REASON_NONE and no words.
 */
lb_body_reason lb_body_explain(lb_body *body, int task, char *text, size_t size);

/* ---- many at once ------------------------------------------------------- */

/*
 * Row i of each array belongs to problem i, all with this body's values and posture. Strides
 * count elements between rows, 0: rows that follow each other.
 */
typedef struct lb_body_batch {
    const lb_transform *targets; /* rows of one T_base_target for each task; NULL: the body's */
    size_t target_stride;
    /* rows of one weight > 0 for each task; NULL: the body's. What the body has off stays off;
       with restarts such problems are solved one by one. */
    const double *weights;
    size_t weight_stride;
    const double *starts; /* rows of nq numbers */
    size_t start_stride;
    double *q; /* rows of nq numbers; may be `starts` */
    size_t q_stride;
    lb_body_result *results; /* one for each problem; NULL saves time where few are reached */
    int *iterations;         /* of each problem, where results are not wanted; or NULL */
} lb_body_batch;

/*
 * Solves problems begin <= i < end side by side, one in each lane, with the bits of lb_body_solve;
 * returns how many were reached. Never allocates.
 */
size_t lb_body_batch_solve(lb_body *body, const lb_body_batch *batch, size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
