/*
 * solutions.h - every configuration that brings a tool to a target.
 *
 *     lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
 *     lb_solutions_solver *solver;
 *     lb_solutions_create(model, &task, NULL, NULL, &solver, &error);
 *     int n = lb_solutions(solver, &target, start, 16, q, infos, &summary);
 *
 * lb_ik_solve returns one configuration; this returns all of them. It needs no start and
 * makes no search: the arm's class is recognised from the places of its axes when the solver
 * is created (microseconds), and its equations are solved in closed form or, for an arm of six
 * turning joints that has none, by its characteristic polynomial of degree sixteen. Fixed and
 * locked joints, offsets and the tool are folded in; no Denavit-Hartenberg form is needed.
 *
 * A solver belongs to one thread and never allocates after its creation. What it returns
 * depends on the model, the task, the options, the target and the start alone, bit for bit,
 * on every machine and at every width.
 */
#ifndef LIMBER_SOLUTIONS_H
#define LIMBER_SOLUTIONS_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- classes ------------------------------------------------------------ */

/*
 * What an arm is solved as: name, text. Axes count as parallel or meeting within 1e-9
 * radians and 1e-9 of the arm's size. Arms that miss a class by more, as
 * calibrated ones do, are general ones; where their class is plain, its closed form and Newton's
 * method come first, and the general solver decides beside double roots.
 */
#define LB_ARM_CLASS_LIST(X)                                                                       \
    X(LB_ARM_WRIST, "spherical wrist")        /* the last three axes meet: up to 8 */              \
    X(LB_ARM_SHOULDER, "spherical shoulder")  /* the first three do: up to 8 */                    \
    X(LB_ARM_PARALLEL, "three parallel axes") /* and two at one end that meet: up to 8 */          \
    X(LB_ARM_GENERAL, "general")              /* six turning joints: up to 16 */                   \
    X(LB_ARM_REDUNDANT, "redundant")          /* seven: infinitely many */                         \
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
 * Called with each solution that is about to be listed, q of nq numbers, nearest first; false
 * refuses it (a collision, say), and the next one takes its place. It must not use the solver.
 */
typedef bool lb_solution_filter(void *user, const double *q);

/* Every field of lb_solutions_options_default() is a sound choice. */
typedef struct lb_solutions_options {
    /* also list the same solutions with joints turned by whole turns, where limits leave room
       for that; false: each once, on the turns nearest to the start */
    bool copies;
    bool out_of_limits; /* also list solutions that break limits; false */
    /* of redundant arms: values of the redundant joint that are tried, which each take as long as
       an arm of six joints does, 1 to LB_SOLUTIONS_REDUNDANCY_MAX; 16 */
    int redundancy;
    /* also fill in each solution's condition, which takes longer than finding it; false */
    bool condition;
    double length;              /* metres that count as one radian, as in lb_ik_options */
    int width;                  /* lanes: 1, 2, 4 or 8; 0: what the machine has */
    lb_solution_filter *filter; /* NULL: every solution is accepted */
    void *user;                 /* handed to it */
    /* what this solver changes of joints, see joint_setting.h; copied */
    const lb_joint_setting *joints;
    int joint_count;
} lb_solutions_options;

/* a call takes a tenth of a second then, some seconds where there is no closed form */
#define LB_SOLUTIONS_REDUNDANCY_MAX 100000

lb_solutions_options lb_solutions_options_default(void);

/* ---- results ------------------------------------------------------------ */

/* One configuration that reaches the target. */
typedef struct lb_solution {
    /*
     * Which of the arm's branches it is on. Of arms with a closed form a number from 0 to 7
     * that does not change along a path until the path meets a singularity: bit 0 is the
     * shoulder's root, bit 1 the elbow's, bit 2 the wrist's. Of general arms bit 0 is the sign of
     * the Jacobian's determinant, and the rest counts the solutions of that sign by their third
     * joint (by those after it where two have it alike): all of one target are different, but a
     * number is no identity along a path, where the order changes and solutions come and go.
     * Calibrated arms have the numbers of their class; solutions that it lacks go on from 8.
     */
    int branch;
    bool in_limits;
    int joint;             /* the model's joint that is farthest beyond its limits, -1: none */
    double beyond;         /* by how much, radians or metres; 0: none is */
    double position_error; /* metres, by the model's own forward kinematics */
    double rotation_error; /* radians */
    /* of the Jacobian in units of radians and `length`, INFINITY where singular; 0 unless the
       options want it */
    double condition;
    int multiplicity; /* more than 1 where as many branches meet */
    bool family;      /* one of infinitely many: the summary's family joints are free to move */
    /* from the start: the root of the sum of squares, radians and lengths by their joints' weights
     */
    double distance;
} lb_solution;

enum { LB_SOLUTION_JOINTS = 7, LB_SOLUTIONS_MAX = 16 };

/* What is known of all solutions of one target. */
typedef struct lb_solutions_summary {
    /*
     * LB_REACHED: some solution keeps the limits. LB_UNREACHABLE: proved, none does: with
     * LB_REASON_REACH there is none at all, with LB_REASON_LIMITS there are some outside the
     * limits. LB_STALLED with LB_REASON_LIMITS: those that were found break limits, others may not.
     * LB_EXHAUSTED: none was found, and that proves nothing. LB_INVALID: the target or the start
     * has a number that is not finite or beyond LB_LENGTH_MAX, or the target is no rigid transform.
     * A proof holds for what is within 1e-9 m and 1e-9 radians of the target, too, and for the
     * rounding of the model's own numbers and what recognising its class neglects. So there is
     * none where a branch may exist, or a joint be inside its limits, for any of these poses; of
     * general arms none where a limit or a joint misses by less than a thousand times that, or
     * where the target or the arm is farther than fifty times its length from the base's origin
     * (choose a base near it), or where axes are so near to each other that joints hardly move the
     * tool differently.
     */
    lb_outcome outcome;
    lb_reason reason;
    int count;     /* different solutions on any turn, inside the limits or not */
    int in_limits; /* of these, how many keep the limits on some turn */
    int listed;    /* rows that were filled */
    bool complete; /* all are counted; of redundant arms: at the listed values; false until shown */
    bool certified;   /* that is proved, not only expected: see docs/guarantees.md */
    bool truncated;   /* not all that the options select are listed: the room was used up */
    int family_count; /* joints of an infinite family, 0: there is none; its members are listed */
    int family[LB_SOLUTION_JOINTS]; /* once, with these of the model's joints near the start */
    double noise;                   /* the largest error of a listed solution, metres or radians */
} lb_solutions_summary;

/* ---- solving ------------------------------------------------------------ */

typedef struct lb_solutions_solver lb_solutions_solver;

/*
 * A solver for one task. task and options (NULL: defaults) are copied; the model must outlive
 * it. LB_UNSUPPORTED, and the message says why, for what is no such arm: with more joints
 * than the task needs, but for seven, one of which is held: seven of a pose, or six and the turn
 * about a free axis; ball or planar joints, joints that mimic another
 * one, or sliding joints where no class has them. lb_ik solves these.
 */
lb_status lb_solutions_create(const lb_model *model, const lb_task *task,
                              const lb_solutions_options *options, const lb_allocator *allocator,
                              lb_solutions_solver **solver, lb_error *error);
/* NULL is accepted. */
void lb_solutions_release(lb_solutions_solver *solver);

lb_arm_class lb_solutions_class(const lb_solutions_solver *solver);
/*
 * Says why it is that class, in one sentence: which joints' axes meet or are parallel. Fills `text`
 * (size bytes, always terminated) and returns the length it wanted.
 */
size_t lb_solutions_describe(const lb_solutions_solver *solver, char *text, size_t size);

/*
 * Lists the configurations that bring the tool to T_base_goal, nearest to `start` (nq numbers,
 * NULL: the neutral configuration) first: up to `capacity` rows of nq numbers in q, and as many
 * in `solutions`. Values that do not move the tool are those of the start. Returns the
 * number of rows; q and solutions may be NULL where capacity is 0, summary never is.
 */
int lb_solutions(lb_solutions_solver *solver, const lb_transform *target, const double *start,
                 int capacity, double q[/* capacity * nq, or NULL */],
                 lb_solution solutions[/* capacity, or NULL */], lb_solutions_summary *summary);

/*
 * The same for targets[begin] to targets[end - 1]: target i has its rows from
 * i * capacity on, and summaries[i]. Any split of a batch into ranges gives the same bits.
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
