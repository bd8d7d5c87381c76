/*
 * ik.h - inverse kinematics: configurations that achieve tasks.
 *
 *     lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
 *     lb_ik *ik;
 *     lb_ik_create(model, &task, 1, NULL, NULL, &ik, &error);
 *     lb_ik_solve(ik, &target, start, q, &result);
 *
 * An lb_ik belongs to one thread and never allocates after its creation. Its result depends only on
 * the model, the tasks, the options, the target and the start: not on earlier solves, time, threads
 * or the width of the machine.
 *
 * A solve takes microseconds. Creating a solver takes longer, 0.3 to 0.8 ms for an arm and 2 ms for
 * a figure of balls (x86-64 of 2023). Nearly all of that is the table of `seeds`, from which
 * restarts are taken; with seeds = 0 it takes about 3 microseconds, and 30 more for an arm of six
 * joints without a closed form. So create a solver once and keep it, or set seeds = 0 for a few
 * solves.
 *
 * Of a model with loops (loops.h) they stay closed, by lb_body: `reached` then says that of them,
 * too, and so does every other result unless lb_ik_explain says that loops are open. The solution
 * is the end of a descent from the start, or else the first one that restarts find, which may be of
 * another assembly; the nearest and the closest are not looked for. What proves a target to be out
 * of reach is the tree without its loops. Options other than method ("lm" alone), tolerances,
 * iterations, protocol ("given": no restarts), length, width and joints have no effect; gains are
 * refused. Steps that close loops count as no iterations.
 *
 * Equations and figures numbered 5.x, here and wherever limber names them, are those of R. Parent,
 * Computer Animation: Algorithms and Techniques, 3rd edition 2012, chapter 5.
 *
 * Stable.
 */
#ifndef LIMBER_IK_H
#define LIMBER_IK_H

#include <limber/joint_setting.h>
#include <limber/task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- methods ------------------------------------------------------------ */

/* A numerical method. One table lists the built-in methods, by name and by index. */
typedef struct lb_method lb_method;

/* How many methods there are, and one by its index. */
int lb_method_count(void);
const lb_method *lb_method_at(int index);
/* Finds a method by name. NULL: there is none. */
const lb_method *lb_method_find(const char *name);
/* The name of a method. */
const char *lb_method_name(const lb_method *method);
/* One line on what a method does, and its source (paper, equation). */
const char *lb_method_summary(const lb_method *method);
const char *lb_method_source(const lb_method *method);
/* Abilities of a method, as bits: which options have an effect on it. */
enum {
    LB_METHOD_JACOBIAN = 1, /* Its step uses the Jacobian: gains and control, see lb_control. */
    LB_METHOD_DAMPING = 2,  /* damping and adaptive. */
    LB_METHOD_ALPHA = 4,    /* alpha. */
    LB_METHOD_RANK = 8,     /* rank, see lb_rank. */
    LB_METHOD_BEND = 16     /* bend and pole: arms of two bones. */
};
unsigned lb_method_capabilities(const lb_method *method);

/* ---- options ------------------------------------------------------------ */

/* Which of several solutions is wanted, and which restarts are allowed. */
typedef enum lb_protocol {
    /*
     * The solution nearest to the start. The distance is the root of the sum of squares, of radians
     * and of lengths in units of `length`, each times its joint's weight, on the turns inside the
     * limits. It is exact for one task of an arm of the classes in solutions.h, but for the
     * general and the redundant class, and for the method "lm" with its own budget and damping: a
     * third of a microsecond. Of general arms it is the nearest of a list that is expected to have
     * all, which is not proved: 10 microseconds. Of arms of seven turning joints with a closed form
     * when the last or the first one is held (Panda, iiwa, Fetch) it is the nearest that was found
     * on all arcs of their motion: 30 microseconds. But if the descent from the start moves
     * no joint by 0.2 radians, its end is the result, in less than a microsecond; of starts 0.1
     * radians off, one in a hundred has a solution that is nearer by more than a tenth. Elsewhere
     * it is the nearest of up to eight that are found. The methods "lm" and "damped", without
     * loops, move that on along what the target leaves open, towards a local minimum of the
     * distance, until a step is shorter than a thousandth of it, fails, or uses up the budget: tens
     * of microseconds from random starts; but not if no joint is 0.2 radians from the start. It is
     * never farther than the end of the start's own descent under LB_PROTOCOL_GIVEN.
     */
    LB_PROTOCOL_NEAREST,
    LB_PROTOCOL_ANY, /* The first solution found: the fastest. */
    /* One descent from the start without restarts; it ends when no progress is made. */
    LB_PROTOCOL_GIVEN
} lb_protocol;

/*
 * How gains and desired values determine z of the control term (J^+ J - 1) z, motion in the null
 * space that leaves the tools in place (Eq. 5.25-5.31). Every Jacobian method adds it to single
 * steps if gains are set. a: gain, q: value, c: desired value.
 */
typedef enum lb_control {
    LB_CONTROL_GRADIENT, /* z = 2 a (q - c), the gradient of sum a (q - c)^2: towards c. */
    /* z = a (q - c)^2, literally Eq. 5.27. It is never negative, so it always decreases q:
       towards c from above, but away from c from below. */
    LB_CONTROL_SQUARE
} lb_control;

/* How "ccd-ranked" weighs the error that each joint would take away. */
typedef enum lb_rank {
    LB_RANK_GAIN,    /* By 1. */
    LB_RANK_RECENCY, /* By the number of steps since the joint was last moved. */
    LB_RANK_ROOM     /* By the distance to its limits that the joint would have left. */
} lb_rank;

/* ---- options of single methods: no other method reads them ---- */

/* Options of "damped"; "lm" obeys them, too. */
typedef struct lb_damped_options {
    bool adaptive; /* Lambda decreases to 0 away from singularities. Default: false. */
} lb_damped_options;

/* Options of "transpose". */
typedef struct lb_transpose_options {
    double alpha; /* Step length, per square metre. 0: the optimum of each step (the default). */
} lb_transpose_options;

/* Options of "ccd-ranked". */
typedef struct lb_ranked_options {
    lb_rank rank; /* How joints are weighed. Default: gain. */
} lb_ranked_options;

/* Options of "analytic". */
typedef struct lb_analytic_options {
    int bend;     /* The side to which the elbow bends, -1 or 1. 0: the nearer (the default). */
    lb_vec3 pole; /* The pole as in lb_two_bone, in base axes. Zero: none (the default). */
} lb_analytic_options;

/* Start from lb_ik_options_default() and change what matters. */
typedef struct lb_ik_options {
    const lb_method *method;   /* The numerical method. Absent: "lm" (the default). */
    double position_tolerance; /* Metres by which a position may be off, > 0. Default: 1e-6. */
    double rotation_tolerance; /* Radians by which a rotation may be off, > 0. Default: 1e-6. */
    /* Iterations of one solve over all restarts, at most 1,000,000. 0: the method's own number
       (the default). */
    int iterations;
    lb_protocol protocol; /* Which of several solutions is wanted. Default: nearest. */
    uint64_t seed;        /* Seed of the random restarts; every value is valid. */
    /* Metres that count as much as one radian, 1e-15 to 1e15. 0: the model's (the default). */
    double length;
    double damping; /* Lambda of the damped methods, metres. 0: the method's own (the default). */
    /* The most that a joint moves in one step, radians or metres. 0: the method's own (the
       default). */
    double step_limit;
    int seeds; /* Samples in the table of starts, at most 2^20. 0: random starts. Default: 512. */
    /* Lanes: restarts of one query, or problems of a batch, side by side: 1, 2, 4 or 8. 0: as
       many as the machine has (the default). The first descent of a query always runs at width
       1, in registers no wider than this. */
    int width;
    /*
     * If a closed form proves that nothing reaches the target, also search for the closest
     * configuration of all, in microseconds. False (the default): the result is the closest of
     * those that the proof ends with, such as the arm stretched towards the target, in tenths of a
     * microsecond. The program always searches.
     */
    bool closest;
    bool no_nudge; /* Leave stuck configurations as they are, see lb_ik_step. Default: false. */
    /*
     * The control term: gains (nv numbers >= 0; absent: none) and desired values (nq numbers;
     * absent: neutral). Only Jacobian methods use it, and both read back as absent. A solve first
     * finds a solution as if there were no gains, then moves it along the null space towards a
     * local minimum of the sum of a (q - c)^2, as far as its budget and, beside singular poses,
     * its steps reach; another solution may have a lower sum. Turning joints end on the turn
     * nearest to their desired value, those without a gain nearest to the start, and none more
     * than a turn from the start, unless joints follow it. Single steps have the control term in
     * each step and go on towards the desired values once the tasks are solved. The tasks stay
     * solved.
     */
    const double *gains, *desired;
    lb_control control;             /* Shape of the control term. Default: gradient. */
    lb_damped_options damped;       /* Options of "damped". */
    lb_transpose_options transpose; /* Options of "transpose". */
    lb_ranked_options ranked;       /* Options of "ccd-ranked". */
    lb_analytic_options analytic;   /* Options of "analytic". */
    /* This solver's changes to joints: locks, narrower limits, weights. Absent: none (the
       default). They read back as absent. lb_ik_step does not bring a start within their limits. */
    const lb_joint_setting *joints;
    int joint_count; /* How many changes. Default: 0. */
} lb_ik_options;

lb_ik_options lb_ik_options_default(void);

#define LB_IK_ITERATIONS_MAX 1000000

/* ---- outcome ------------------------------------------------------------ */

/*
 * Outcomes: name, text. `reached` is returned only if forward kinematics of the model (not the
 * solver's) and the limits confirm it.
 */
#define LB_OUTCOME_LIST(X)                                                                         \
    X(LB_REACHED, "reached")                                                                       \
    X(LB_STALLED, "stalled") /* the last iterations lowered the error by too little */             \
    /* proved: no configuration reaches it, with LB_REASON_LIMITS none inside the limits */        \
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
    X(LB_REASON_REACH, "out of reach") /* beyond the reach that the lengths allow */               \
    X(LB_REASON_LIMITS, "at limits")   /* joints at their limits block it */                       \
    X(LB_REASON_SINGULAR, "singular")  /* no joint moves the tool in the needed direction */       \
    X(LB_REASON_MINIMUM, "minimum")    /* local minimum: no neighbour that was tried is nearer */  \
    X(LB_REASON_BUDGET, "budget")      /* budget used up before the error settled */               \
    X(LB_REASON_STEPS, "steps")        /* the method's last steps did too little */

typedef enum lb_reason {
#define LB_REASON_ENUM(name, text) name,
    LB_REASON_LIST(LB_REASON_ENUM)
#undef LB_REASON_ENUM
        LB_REASON_COUNT
} lb_reason;

/* The text of a reason, never NULL. */
const char *lb_reason_text(lb_reason reason);

typedef struct lb_ik_result {
    lb_outcome outcome; /* Outcome of the solve. */
    lb_reason reason;   /* Why the target was not reached. */
    int iterations;     /* Iterations of all descents that count. */
    int tries;          /* Descents that count. The first begins at the start, except with "any". */
    double position_error; /* Largest position error of the tasks at the result, metres. */
    double rotation_error; /* Largest rotation error of the tasks at the result, radians. */
    /* Of an unreachable target: metres by which it is farther away than the links laid end to
       end. 0 if it is nearer and a closed form proves it, and for all other outcomes. */
    double beyond_reach;
} lb_ik_result;

/* ---- solving ------------------------------------------------------------ */

typedef struct lb_ik lb_ik;

/*
 * Creates a solver for n >= 1 tasks at once, on the joints between their bases and tips. Tasks and
 * options (NULL: defaults) are copied with their lists; the model must outlive the solver. Refused:
 * indices out of range, a task that no joint influences, options out of range, a method that does
 * not support the tasks or the loops (the message says why).
 */
lb_status lb_ik_create(const lb_model *model, const lb_task *tasks, int n,
                       const lb_ik_options *options, const lb_allocator *allocator, lb_ik **ik,
                       lb_error *error);
/* NULL is accepted. */
void lb_ik_release(lb_ik *ik);
/* A solver's options, with the method and the length that were chosen for absent and 0. */
const lb_ik_options *lb_ik_get_options(const lb_ik *ik);

/*
 * Finds q (nq numbers) that brings every task's tool to its target, n transforms T_base_target. The
 * search begins at `start` (nq numbers); values outside the limits are clamped first. Joints that
 * are not between a base and a tip keep their start values. `q` may be `start`. q is always the
 * best configuration found, without loops never farther from the target than the clamped start.
 *
 * It returns for every input: all tries together make at most options.iterations iterations, with 0
 * a number that the method fixes. If rounding refuses their result, as at coordinates of 1e15 m,
 * the tries are made a second time in order. The time of an iteration depends on the joints between
 * base and tips and on the number of tasks, not on the target.
 */
lb_outcome lb_ik_solve(lb_ik *ik, const lb_transform targets[/* tasks */], const double *start,
                       double *q, lb_ik_result *result);

/* Progress of one step. */
typedef enum lb_progress {
    LB_SUCCESS,    /* Every task is within its tolerance. */
    LB_PROCESSING, /* A joint moved: call again. With gains, also after the tasks are solved. */
    LB_FAILURE     /* Stuck, or no joint moved the tip by more than a trivial distance. */
} lb_progress;

/*
 * Makes one iteration of the method on q, in place, without restarts. A caller can so spread
 * iterations over frames, or show each of them. `result` may be NULL.
 *
 * Unless no_nudge is set, a small deterministic perturbation leaves a stuck configuration: an arm
 * stretched or folded on the line to its target, the two-bone lock of cyclic coordinate descent,
 * the extended arm of Fig. 5.19. Stuck means that no joint lowers the error to first order. Slow
 * steps elsewhere are never perturbed; they fail (LB_REASON_STEPS) only if thousands of them would
 * move the tip by one tolerance. Any other failure means that no joint can lower the error;
 * result->reason says why.
 */
lb_progress lb_ik_step(lb_ik *ik, const lb_transform targets[/* tasks */],
                       double q[/* nq, in place */], lb_ik_result *result);

/*
 * The derivative of inverse kinematics: how a solution q moves with its targets. Fills D of nv rows
 * and six columns a task, row after row: where a target has the velocity V, linear of its origin
 * (m/s) and angular (rad/s), in the axes of the task's base, the solution moves with v = D V (rad/s
 * and m/s). So the gradient g of a loss by q is the gradient g D by the targets.
 *
 * By the implicit function theorem, J v = V in all that the tasks count. Of all such v it is that
 * of the least sum of weight v^2 over the joints, with slides as steps of the solver count them: so
 * a descent from the last solution moves to first order, and not a search. Limits do not count,
 * locked joints rest. What V asks and the tools cannot do at all, in a singular configuration or as
 * a planar arm, is left out by least squares; `damping` (metres, 0: none) bounds D beside such
 * configurations (Eq. 5.24).
 *
 * q must solve the targets; it is brought inside the limits first. Returns the rank of J, the
 * directions in which the tools can move (singular values below 3e-7 of the largest count as none);
 * -1, and D of NaN, if a number is not valid or the model has loops.
 */
int lb_ik_derivative(lb_ik *ik, const lb_transform targets[/* tasks */], const double *q,
                     double damping, double derivative[/* nv * 6 * tasks */]);

/*
 * Explains in one or two sentences why `result` is as it is: by how much the target is out of
 * reach, which joints are at their limits, which direction is singular. Fills `text` (size bytes,
 * always terminated) and returns the length of the whole text, as snprintf does.
 */
size_t lb_ik_explain(lb_ik *ik, const lb_transform targets[/* tasks */], const double *q,
                     const lb_ik_result *result, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
