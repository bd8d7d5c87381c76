/*
 * solutions.h - every configuration that brings a tool to a target.
 *
 *     lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
 *     lb_solutions_solver *solver;
 *     lb_solutions_create(model, &task, NULL, NULL, &solver, &error);
 *     int n = lb_solutions(solver, &target, start, 16, q, infos, &summary);
 *
 * lb_ik_solve returns one configuration, lb_solutions all of them, without a search and without a
 * start. When the solver is created (microseconds) the arm's class is recognised from the places of
 * its axes. Its equations are solved in closed form or, for an arm of six turning joints that has
 * none, by its characteristic polynomial of degree sixteen. Fixed and locked joints, offsets and
 * the tool are folded in; no Denavit-Hartenberg form is needed.
 *
 * A solver belongs to one thread and never allocates after its creation. Its results depend on the
 * model, the task, the options, the target and the start alone, bit for bit, on every machine and
 * at every width.
 *
 * Stable.
 */
#ifndef LIMBER_SOLUTIONS_H
#define LIMBER_SOLUTIONS_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- classes ------------------------------------------------------------ */

/*
 * The class as which an arm is solved: name, text. Axes count as parallel or meeting within 1e-9
 * radians and 1e-9 of the arm's size. Arms that miss a class by more, as calibrated ones do, are
 * general. If they nearly have a class, its closed form and Newton's method come first, and the
 * general solver decides beside double roots.
 */
#define LB_ARM_CLASS_LIST(X)                                                                       \
    X(LB_ARM_WRIST, "spherical wrist")        /* the last three axes meet: up to 8 */              \
    X(LB_ARM_SHOULDER, "spherical shoulder")  /* the first three axes meet: up to 8 */             \
    X(LB_ARM_PARALLEL, "three parallel axes") /* and two at one end that meet: up to 8 */          \
    X(LB_ARM_GENERAL, "general")              /* six turning joints: up to 16 */                   \
    X(LB_ARM_REDUNDANT, "redundant")          /* seven turning joints: infinitely many */          \
    X(LB_ARM_PLANAR, "planar")                /* all joints move in one plane: up to 2 */

typedef enum lb_arm_class {
#define LB_ARM_CLASS_ENUM(name, text) name,
    LB_ARM_CLASS_LIST(LB_ARM_CLASS_ENUM)
#undef LB_ARM_CLASS_ENUM
        LB_ARM_CLASS_COUNT
} lb_arm_class;

/* The text of a class, never NULL. */
const char *lb_arm_class_text(lb_arm_class arm_class);

/* ---- options ------------------------------------------------------------ */

/*
 * Called with each solution before it is listed, q of nq numbers, nearest first. If it returns
 * false (a collision, for example) the solution is left out, and the next one takes its place. It
 * must not use the solver.
 */
typedef bool lb_solution_filter(void *user, const double *q);

/* Every field of lb_solutions_options_default() is a sound choice. */
typedef struct lb_solutions_options {
    /* Also list each solution with joints turned by whole turns, if limits leave room for that.
       False (the default): each once, on the turns nearest to the start. */
    bool copies;
    bool out_of_limits; /* Also list solutions that break limits. Default: false. */
    /* Of redundant arms: how many values of the redundant joint are tried, 1 to 100,000. Each
       takes as long as an arm of six joints. Default: 16. */
    int redundancy;
    /* Also compute each solution's condition, which takes longer than finding it. Default:
       false. */
    bool condition;
    /* Metres that count as much as one radian, 1e-15 to 1e15. 0: the model's (the default). */
    double length;
    int width; /* Lanes: 1, 2, 4 or 8. 0: as many as the machine has (the default). */
    /* Accepts or refuses each solution. Absent: every one is accepted (the default). */
    lb_solution_filter *filter;
    void *user; /* Passed to the filter. */
    /* This solver's changes to joints. Absent: none (the default). */
    const lb_joint_setting *joints;
    int joint_count; /* How many changes. Default: 0. */
} lb_solutions_options;

/* With so many a call takes a tenth of a second, or some seconds without a closed form. */
#define LB_SOLUTIONS_REDUNDANCY_MAX 100000

lb_solutions_options lb_solutions_options_default(void);

/* ---- results ------------------------------------------------------------ */

/* One configuration that reaches the target. */
typedef struct lb_solution {
    /*
     * The branch of the arm that the solution is on. With a closed form it is a number from 0 to 7
     * that does not change along a path until the path meets a singularity: bit 0 is the shoulder's
     * root, bit 1 the elbow's, bit 2 the wrist's. Of general arms bit 0 is the sign of the
     * Jacobian's determinant, and the rest counts the solutions of that sign by their third joint
     * (if it is equal, by the joints after it). All solutions of one target then differ, but along
     * a path a number is no identity: the order changes, and solutions come and go. Calibrated arms
     * have the numbers of their class; further solutions count on from 8.
     */
    int branch;
    bool in_limits;        /* Whether all joints are inside their limits, to rounding: 1e-9. */
    int joint;             /* The model's joint that is farthest beyond its limits. -1: none is. */
    double beyond;         /* How far that joint is beyond, radians or metres. 0: none is. */
    double position_error; /* Position error by the model's own forward kinematics, metres. */
    double rotation_error; /* Rotation error by the model's own forward kinematics, radians. */
    /* Condition number of the Jacobian in units of radians and `length`. Infinite: singular. 0:
       not computed (see the options). */
    double condition;
    int multiplicity; /* How many branches meet here. 1: it is a simple root. */
    bool family;      /* One of infinitely many: the summary's family joints are free to move. */
    /* Distance from the start: the root of the sum of the joints' weights times the squares of
       their ways, in radians; metres are divided by lb_solutions_options.length, which is a fifth
       of the arm's links laid end to end unless it is given. */
    double distance;
} lb_solution;

/* The most joints of an arm that has a class; the most solutions of an arm of six joints. */
enum { LB_SOLUTION_JOINTS = 7, LB_SOLUTIONS_MAX = 16 };

/* Facts about all solutions of one target. */
typedef struct lb_solutions_summary {
    /*
     * Reached: some solution keeps the limits. Unreachable: proved, none does; with the reason "out
     * of reach" there is none at all, with "at limits" there are some outside the limits. Stalled
     * with "at limits": the solutions that were found break limits, others may not. Exhausted: none
     * was found, which proves nothing. Invalid: the target or the start has a number that is not
     * finite or beyond 1e15, or the target is no rigid transform.
     * A proof also holds for every pose within 1e-9 m and 1e-9 radians of the target, for the
     * rounding of the model's own numbers and for the error of recognising its class. So nothing is
     * proved if a branch may exist, or a joint may be inside its limits, for any of these poses. Of
     * general arms nothing is proved but that a target is beyond the length of the links.
     */
    lb_outcome outcome;
    lb_reason reason; /* Why the target was not reached. */
    int count;        /* Different solutions on any turn, inside the limits or not. */
    int in_limits;    /* How many of these keep the limits on some turn. */
    int listed;       /* Rows that were filled. */
    bool complete;    /* All are counted. False in infinite families, so for redundant arms. */
    bool certified;   /* Completeness is proved, not only expected: see docs/guarantees.md. */
    bool truncated;   /* Room ran out before all solutions that the options select were listed. */
    /* Joints of an infinite family, of which members are listed. 0: there is none. */
    int family_count;
    /* The model's joints of one family, once for the members near the start. */
    int family[LB_SOLUTION_JOINTS];
    double noise; /* Largest error of a listed solution, metres or radians. */
} lb_solutions_summary;

/* ---- solving ------------------------------------------------------------ */

typedef struct lb_solutions_solver lb_solutions_solver;

/*
 * Creates a solver for one task. Task and options (NULL: defaults) are copied with their lists; the
 * model must outlive the solver. Returns LB_UNSUPPORTED, and the message says why, for an arm of no
 * class: more joints than the task needs (but seven are allowed for a pose, or six for a pose with
 * a free axis, and one of them is held); ball or planar joints; joints that mimic another one;
 * sliding joints that no class has; loops that move the tool. lb_ik solves these.
 */
lb_status lb_solutions_create(const lb_model *model, const lb_task *task,
                              const lb_solutions_options *options, const lb_allocator *allocator,
                              lb_solutions_solver **solver, lb_error *error);
/* NULL is accepted. */
void lb_solutions_release(lb_solutions_solver *solver);

/* The class of the solver's arm. */
lb_arm_class lb_solutions_class(const lb_solutions_solver *solver);
/*
 * Explains in one sentence why the arm has its class: which joints' axes meet or are parallel.
 * Fills `text` (size bytes, always terminated) and returns the length of the whole text.
 */
size_t lb_solutions_describe(const lb_solutions_solver *solver, char *text, size_t size);

/*
 * Lists the configurations that bring the tool to T_base_goal, nearest to `start` (nq numbers,
 * NULL: the neutral configuration) first: up to `capacity` rows of nq numbers in q, and as many in
 * `solutions`. Values that do not move the tool are those of the start. Returns the number of rows.
 * q and solutions may be NULL if capacity is 0; summary never is.
 */
int lb_solutions(lb_solutions_solver *solver, const lb_transform *target, const double *start,
                 int capacity, double q[/* capacity * nq, or NULL */],
                 lb_solution solutions[/* capacity, or NULL */], lb_solutions_summary *summary);

/*
 * As lb_solutions for targets[begin] to targets[end - 1]. Target i has its rows from i * capacity
 * on, and summaries[i]. Any split of a batch into ranges gives the same bits.
 */
void lb_solutions_batch(lb_solutions_solver *solver, const lb_transform targets[/* end */],
                        size_t begin, size_t end, const double start[/* nq, or NULL */],
                        int capacity, double q[/* end * capacity * nq, or NULL */],
                        lb_solution solutions[/* end * capacity, or NULL */],
                        lb_solutions_summary summaries[/* end */]);

#ifdef __cplusplus
}
#endif

#endif
