/*
 * ik.h - inverse kinematics: configurations that achieve tasks.
 *
 *     lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
 *     lb_ik *ik;
 *     lb_ik_create(model, &task, 1, NULL, NULL, &ik, &error);
 *     lb_ik_solve(ik, &target, start, q, &result);
 *
 * An lb_ik belongs to one thread and never allocates after its creation. Its
 * result depends only on the model, the tasks, the options, the target and the
 * start: not on earlier solves, time, threads or the width of the machine.
 *
 * A solve takes microseconds; creating a solver takes longer, 0.3 to 0.8 ms for an arm
 * and 2 ms for a figure of balls (x86-64 of 2023): nearly all of it is the table of
 * `seeds`, from which restarts are taken; with seeds = 0 it takes about 3 microseconds, and 30
 * more for an arm of six joints that has no closed form.
 * So create a solver once and keep it, or set seeds = 0 for a few solves.
 *
 * Equations and figures numbered 5.x, here and wherever limber names them, are those of
 * R. Parent, Computer Animation: Algorithms and Techniques, 3rd edition 2012, chapter 5.
 */
#ifndef LIMBER_IK_H
#define LIMBER_IK_H

#include <limber/joint_setting.h>
#include <limber/task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- methods ------------------------------------------------------------ */

/* A numerical method. Built-in methods are listed in one table, read by name or by index. */
typedef struct lb_method lb_method;

int lb_method_count(void);
const lb_method *lb_method_at(int index);
/* NULL when no method has that name. */
const lb_method *lb_method_find(const char *name);
const char *lb_method_name(const lb_method *method);
/* One line on what it does, and its source (paper, equation). */
const char *lb_method_summary(const lb_method *method);
const char *lb_method_source(const lb_method *method);
/* What a method can do, as bits: which options have an effect on it. */
enum {
    LB_METHOD_JACOBIAN = 1, /* its step uses the Jacobian: gains and control, see lb_control */
    LB_METHOD_DAMPING = 2,  /* damping and adaptive */
    LB_METHOD_ALPHA = 4,    /* alpha */
    LB_METHOD_RANK = 8,     /* rank, see lb_rank */
    LB_METHOD_BEND = 16     /* bend and pole: arms of two bones */
};
unsigned lb_method_capabilities(const lb_method *method);

/* ---- options ------------------------------------------------------------ */

/* Which of several solutions is wanted, and which restarts are allowed. */
typedef enum lb_protocol {
    /*
     * The one nearest to the start: the root of the sum of squares, of radians and of lengths in
     * units of `length`, each times its joint's weight, on the turns inside the limits. Exact for
     * one task of an arm of the classes of solutions.h but the redundant one, and the method "lm"
     * with its own budget and damping: in a third of a microsecond where there is a closed form, in
     * 10 where there is none. Elsewhere the nearest of up to eight that are found, and never
     * farther than where the start's own descent ends, as LB_PROTOCOL_GIVEN has it.
     */
    LB_PROTOCOL_NEAREST,
    LB_PROTOCOL_ANY,  /* the first found: the fastest */
    LB_PROTOCOL_GIVEN /* one descent from the start: no restarts; ends when nothing is won */
} lb_protocol;

/*
 * How gains and desired values determine z of the control term (J^+ J - 1) z that every
 * Jacobian method adds to single steps when gains are set: motion in the null space,
 * which leaves the tools in place (Eq. 5.25-5.31). a: gain, q: value, c: desired value.
 */
typedef enum lb_control {
    LB_CONTROL_GRADIENT, /* z = 2 a (q - c), the gradient of sum a (q - c)^2: towards c */
    /*
     * z = a (q - c)^2, literally Eq. 5.27. It is never negative, so it always
     * decreases q: towards c from above, but away from c from below.
     */
    LB_CONTROL_SQUARE
} lb_control;

/* The factor by which "ccd-ranked" weighs how far each joint would lower the error. */
typedef enum lb_rank {
    LB_RANK_GAIN,    /* 1 */
    LB_RANK_RECENCY, /* the number of steps since the joint was last moved */
    LB_RANK_ROOM     /* the distance to its limits that it would have left */
} lb_rank;

/* ---- options of single methods: the others ignore them ---- */

/* Of "damped"; "lm" obeys it, too. */
typedef struct lb_damped_options {
    bool adaptive; /* lambda decreases to 0 away from singularities; false */
} lb_damped_options;

/* Of "transpose". */
typedef struct lb_transpose_options {
    double alpha; /* per square metre; 0: the optimum of each step */
} lb_transpose_options;

/* Of "ccd-ranked". */
typedef struct lb_ranked_options {
    lb_rank rank; /* gain */
} lb_ranked_options;

/* Of "analytic". */
typedef struct lb_analytic_options {
    int bend;     /* the side the elbow bends to, -1 or 1; 0: the nearer */
    lb_vec3 pole; /* as in two_bone.h, in base axes; zero: none */
} lb_analytic_options;

/* Start from lb_ik_options_default() and change what matters. */
typedef struct lb_ik_options {
    const lb_method *method;   /* NULL: "lm" */
    double position_tolerance; /* metres, 1e-6; > 0 */
    double rotation_tolerance; /* radians, 1e-6; > 0 */
    /* budget of one solve over all restarts, up to LB_IK_ITERATIONS_MAX; 0: the method's own */
    int iterations;
    lb_protocol protocol; /* nearest */
    uint64_t seed;        /* of the random restarts; every value is valid */
    double length;     /* metres that count as much as one radian, 1e-15 to 1e15; 0: the model's */
    double damping;    /* metres, lambda of the damped methods; 0: the method's own */
    double step_limit; /* radians or metres that a joint moves at most; 0: method's own */
    int seeds;         /* samples in the table of starts, 512, at most 2^20; 0: random */
    /* lanes: restarts of one query, or problems of a batch, side by side: 1, 2, 4 or 8; 0: what
       the machine has. The first descent of a query always runs at width 1, in registers no
       wider than this. */
    int width;
    /*
     * Where a closed form proves that nothing reaches the target, also search for the closest
     * configuration of all: microseconds. False: the result is the closest of those that the proof
     * comes down to, such as the arm stretched towards the target, in tenths of a microsecond.
     */
    bool closest;
    bool no_nudge; /* do not perturb stuck configurations, see lb_ik_step; false */
    /*
     * The control term: gains (nv numbers >= 0, NULL: none) and desired values (nq numbers,
     * NULL: neutral). Copied, and read back as NULL. Only Jacobian methods use it. A solve first
     * finds a solution as without gains, then moves it along the null space to a local minimum of
     * the sum of a (q - c)^2, as far as its budget reaches: another solution may have a lower sum.
     * Joints that turn end on the turn nearest to their desired value, those without a gain nearest
     * to the start, and none more than a turn from the start, unless joints follow it. Single steps
     * have the control term in each step, and go on towards the desired values where the tasks are
     * solved. The tasks stay solved.
     */
    const double *gains, *desired;
    lb_control control; /* gradient */
    lb_damped_options damped;
    lb_transpose_options transpose;
    lb_ranked_options ranked;
    lb_analytic_options analytic;
    /*
     * What this solver changes of joints: locks, narrower limits, weights; see joint_setting.h.
     * Copied, and read back as none. lb_ik_step does not bring a start within its limits.
     */
    const lb_joint_setting *joints;
    int joint_count;
} lb_ik_options;

lb_ik_options lb_ik_options_default(void);

#define LB_IK_ITERATIONS_MAX 1000000

/* ---- outcome ------------------------------------------------------------ */

/*
 * What happened: name, text. `reached` is returned only after forward kinematics of
 * the model (not the solver's) and the limits have confirmed it.
 */
#define LB_OUTCOME_LIST(X)                                                                         \
    X(LB_REACHED, "reached")                                                                       \
    X(LB_STALLED, "stalled") /* no step of the method lowers the error */                          \
    /* proved: no configuration reaches it, with LB_REASON_LIMITS: none inside the limits does */  \
    X(LB_UNREACHABLE, "unreachable")                                                               \
    X(LB_EXHAUSTED, "exhausted") /* budget used up before the error settled */                     \
    /*                                                                                             \
     * a target or the start has a number that is not finite or beyond LB_LENGTH_MAX, or a         \
     * target's axes are not orthonormal: nothing was computed, and q is the start as given        \
     */                                                                                            \
    X(LB_INVALID, "invalid")

typedef enum lb_outcome {
#define LB_OUTCOME_ENUM(name, text) name,
    LB_OUTCOME_LIST(LB_OUTCOME_ENUM)
#undef LB_OUTCOME_ENUM
        LB_OUTCOME_COUNT
} lb_outcome;

/* The text of an outcome, never NULL. */
const char *lb_outcome_text(lb_outcome outcome);

/* Why a target was not reached: name, text. */
#define LB_REASON_LIST(X)                                                                          \
    X(LB_REASON_NONE, "none")          /* it was reached, or the input was invalid */              \
    X(LB_REASON_REACH, "out of reach") /* beyond what the lengths allow */                         \
    X(LB_REASON_LIMITS, "at limits")   /* joints at their limits block it */                       \
    X(LB_REASON_SINGULAR, "singular")  /* no joint moves the tool in the needed direction */       \
    X(LB_REASON_MINIMUM, "minimum")    /* local minimum: no neighbour that was tried is nearer */  \
    X(LB_REASON_BUDGET, "budget")      /* budget used up before the error settled */               \
    X(LB_REASON_STEPS, "steps") /* the method's steps cycle or are too short; others would help */

typedef enum lb_reason {
#define LB_REASON_ENUM(name, text) name,
    LB_REASON_LIST(LB_REASON_ENUM)
#undef LB_REASON_ENUM
        LB_REASON_COUNT
} lb_reason;

/* The text of a reason, never NULL. */
const char *lb_reason_text(lb_reason reason);

typedef struct lb_ik_result {
    lb_outcome outcome;
    lb_reason reason;
    int iterations; /* of all descents that count */
    int tries;      /* descents that count; the first begins at the start, except with "any" */
    double position_error; /* metres, the largest of the tasks, at the result */
    double rotation_error; /* radians */
    double beyond_reach;   /* unreachable: metres that the target is farther than the links laid end
                              to end; 0 where it is nearer and a closed form proves it, and else */
} lb_ik_result;

/* ---- solving ------------------------------------------------------------ */

typedef struct lb_ik lb_ik;

/*
 * A solver for n >= 1 tasks at once, on the joints between their bases and tips.
 * tasks and options (NULL: defaults) are copied; the model must outlive it.
 * Refused: indices out of range, a task that no joint influences, options out of
 * range, a method that does not support the tasks (the message says why).
 */
lb_status lb_ik_create(const lb_model *model, const lb_task *tasks, int n,
                       const lb_ik_options *options, const lb_allocator *allocator, lb_ik **ik,
                       lb_error *error);
void lb_ik_release(lb_ik *ik);
/* The options of a solver, with the method and the length that were chosen for 0. */
const lb_ik_options *lb_ik_get_options(const lb_ik *ik);

/*
 * Finds q (nq numbers) that brings every task's tool to its target, n transforms
 * T_base_target. `start` (nq numbers) is where the search begins; values outside
 * the limits are clamped first. Joints that are not between a base and a tip keep
 * their start values. `q` may be `start`. Always leaves the best configuration
 * found, never farther from the target than the (clamped) start.
 *
 * It returns for every input: all tries together make at most options.iterations
 * iterations, with 0 a number that the method fixes; where rounding refuses what they found, as
 * at coordinates of 1e15 m, they are made a second time in order. The time of an iteration depends
 * on the joints between base and tips and on the number of tasks, not on the target.
 */
lb_outcome lb_ik_solve(lb_ik *ik, const lb_transform targets[/* tasks */], const double *start,
                       double *q, lb_ik_result *result);

/* What one step achieved. */
typedef enum lb_progress {
    LB_SUCCESS,    /* every task is within its tolerance */
    LB_PROCESSING, /* a joint moved: call again; with gains also where the tasks are solved */
    LB_FAILURE     /* stuck, or no joint moved the tip by more than a trivial distance */
} lb_progress;

/*
 * One iteration of the method on q, in place, without restarts. So a caller can
 * spread iterations over frames, or show each of them.
 * `result` may be NULL.
 *
 * Unless no_nudge is set, a stuck configuration is left by a small deterministic
 * perturbation: an arm stretched or folded on the line to its target, the two-bone
 * lock of cyclic coordinate descent, the extended arm of Fig. 5.19. Stuck means that no
 * joint lowers the error to first order; slow steps elsewhere are never perturbed, and fail
 * (LB_REASON_STEPS) only where thousands of them would move the tip by one tolerance.
 * Otherwise failure means that no joint can lower the error; result->reason says why.
 */
lb_progress lb_ik_step(lb_ik *ik, const lb_transform targets[/* tasks */],
                       double q[/* nq, in place */], lb_ik_result *result);

/*
 * Says in one or two sentences why `result` is what it is: out of reach by how
 * much, which joints are at their limits, which direction is singular. Fills
 * `text` (size bytes, always terminated) and returns the length of the whole text, as snprintf
 * does.
 */
size_t lb_ik_explain(lb_ik *ik, const lb_transform targets[/* tasks */], const double *q,
                     const lb_ik_result *result, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
