/*
 * loops.h - closing the loops of a linkage: mobility, dependent joints, assembly.
 *
 * A model is a tree with loops beside it (lb_loop, model.h). Some of its joints are independent:
 * their values may be chosen. The dependent joints then follow from the loops. Several assemblies
 * can belong to one choice, as the elbow of a four-bar may be up or down, so an assembly is always
 * found from a configuration, along a path of closed ones.
 *
 * Every step along that path is certified: a bound on the second derivatives of the constraints
 * shows that one branch alone passes through a ball around the step, and the step ends in that
 * ball. So a path changes its branch nowhere; where the branch ends, it stops and says so. The
 * bound neglects rounding (1e-15 of the size), and where there are more constraints than dependent
 * joints it holds for their least squares, whose solution is then confirmed on every constraint.
 *
 * Whatever finds configurations keeps loops closed: lb_ik, lb_body, followers, timing, retargeting,
 * workspaces, reach maps and placements. lb_solutions, lb_elbow and lb_servo cannot, and refuse a
 * model whose loops move the tool (a servo: any joint that is not locked) with LB_UNSUPPORTED. What
 * is given configurations takes them as they are: states, lb_fk_batch, collisions, clips, figures.
 * lb_clip_check measures how far their loops are open.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_LOOPS_H
#define LIMBER_LOOPS_H

#include <limber/kinematics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a path of assemblies ended: name, text. */
#define LB_ASSEMBLY_OUTCOME_LIST(X)                                                                \
    X(LB_ASSEMBLED, "assembled")                                                                   \
    X(LB_ASSEMBLY_DEAD_POINT, "dead point")                                                        \
    X(LB_ASSEMBLY_SINGULAR, "singular")                                                            \
    X(LB_ASSEMBLY_LIMIT, "limit")                                                                  \
    X(LB_ASSEMBLY_OPEN, "cannot assemble")                                                         \
    X(LB_ASSEMBLY_INVALID, "invalid")

/*
 *   assembled        all loops are closed, as forward kinematics confirms, to 1e-12 of their size;
 *                    every value is within its limits if the path began so
 *   dead point       the branch turns back: no configuration near q has the independent joints
 *                    farther along their way
 *   singular         certified steps become too short, and it is not a simple dead point; branches
 *                    may cross there, as in a parallelogram that is flat
 *   limit            a dependent joint is at its limit
 *   cannot assemble  no closed configuration was found from the start; that is no proof
 *   invalid          an argument is absent or a number is not finite
 */
typedef enum lb_assembly_outcome {
#define LB_ASSEMBLY_OUTCOME_ENUM(name, text) name,
    LB_ASSEMBLY_OUTCOME_LIST(LB_ASSEMBLY_OUTCOME_ENUM)
#undef LB_ASSEMBLY_OUTCOME_ENUM
        LB_ASSEMBLY_OUTCOME_COUNT
} lb_assembly_outcome;

/* The text of an outcome, never NULL. */
const char *lb_assembly_outcome_text(lb_assembly_outcome outcome);

/* What loops leave of a linkage's freedom. Velocities of locked joints do not count. */
typedef struct lb_loop_mobility {
    bool closed;    /* Whether a closed configuration was found from the neutral one. */
    int velocities; /* Of the tree. */
    int rows;       /* Constraints that the loops make. */
    int rank;       /* How many of them are independent, in general position. */
    int rest_rank;  /* The same where the neutral configuration closes: less, if it is singular. */
    int counted;    /* Grübler-Kutzbach: velocities less rows. May be negative. */
    int found;      /* Velocities less rank: the linkage's mobility, if it is closed. */
} lb_loop_mobility;

/* The working memory of one thread. */
typedef struct lb_assembly lb_assembly;

/*
 * Finds a closed configuration near the neutral one, measures the mobility near it, and chooses
 * dependent joints. The mobility is that of the branch on which this configuration lies: the rank
 * is the largest seen after eight small random moves, singular values below 1e-8 of the largest
 * counting as 0. Dependent joints are taken from the end of the tree, so that cranks near the root
 * stay independent; sprung joints after all others, and last the joints in `drives` (indices;
 * NULL with drive_count 0) and those that are driven in the model. The model must outlive the
 * assembly. A model without loops has no dependent joints.
 */
lb_status lb_assembly_create(const lb_model *model, const int drives[/* drive_count, or NULL */],
                             int drive_count, const lb_allocator *allocator, lb_assembly **assembly,
                             lb_error *error);
void lb_assembly_release(lb_assembly *assembly);

lb_loop_mobility lb_assembly_mobility(const lb_assembly *assembly);
/* The configuration from which the neutral one was closed, nq numbers; closed if `closed` is set.
 */
const double *lb_assembly_rest(const lb_assembly *assembly);
/* Lists which velocities are dependent, in order, and returns how many; `v` may be NULL. */
int lb_assembly_dependent(const lb_assembly *assembly, int v[/* count, or NULL */]);
/*
 * Lists the constraints that follow from the ones before them, and returns how many: numbers from 0
 * to rows - 1, loop after loop, in each the held components x y z rx ry rz. `rows` may be NULL.
 */
int lb_assembly_redundant(const lb_assembly *assembly, int rows[/* count, or NULL */]);

/* How a path ended, and where. */
typedef struct lb_assembly_result {
    lb_assembly_outcome outcome; /* How it ended. */
    /* How far the independent joints came, 0 to 1 of their way. Of a dead point exact to rounding.
     */
    double fraction;
    double
        error; /* The largest closing error of q, as a share of the loops' size, or in radians. */
    int joint; /* The joint at its limit. -1: none. */
    int steps; /* How many certified steps were made. */
} lb_assembly_result;

/*
 * Closes the loops from a configuration: all joints that move a loop may move. Damped Gauss-Newton
 * steps; outcome LB_ASSEMBLED or LB_ASSEMBLY_OPEN, then q has the smallest error found, or
 * LB_ASSEMBLY_INVALID, then it is a copy of `start`. It looks for the nearest assembly but makes no
 * promise which one it finds. `start` and `q` may be one array, `result` NULL.
 */
lb_assembly_outcome lb_assembly_close(lb_assembly *assembly, const double start[/* nq */],
                                      double q[/* nq */], lb_assembly_result *result);

/*
 * Moves the independent joints on the straight line from their values in `from`, which is closed,
 * to those in `to`, whose dependent values are not read, and lets the dependent joints follow on
 * their branch. Turns count: a crank at 6.3 has gone round once. Angles of dependent joints stay
 * continuous. The result is closed whatever the outcome, unless it is LB_ASSEMBLY_OPEN (`from` is
 * not closed) or LB_ASSEMBLY_INVALID; q is then a copy of `from`. All three arrays may be one,
 * `result` may be NULL.
 */
lb_assembly_outcome lb_assembly_follow(lb_assembly *assembly, const double from[/* nq */],
                                       const double to[/* nq */], double q[/* nq */],
                                       lb_assembly_result *result);

/*
 * Finds all assemblies of a planar linkage or of a platform on six legs. In the plane two links at
 * once that follow from joints that turn or slide, a dyad, are placed in closed form, and four or
 * six that only follow together by tracking all 6 or 20 complex roots of their equations; of a
 * platform all 40 are tracked. `q` (nq numbers) gives the values of the independent joints; its
 * dependent ones only say which whole turns are wanted. Fills up to `capacity` rows of nq numbers
 * and returns how many assemblies there are, inside limits or not; each is closed, as for
 * LB_ASSEMBLED. -1: the linkage is neither planar and made of up to twelve such groups nor a
 * platform, or an argument is absent or not finite.
 *
 * The legs of a platform are rods whose lengths the independent joints give, as slides do that are
 * driven. A rod has a ball at one end, and at the other a universal joint, two hinges whose axes
 * meet, or a ball. Each pose of the platform is listed once: of the two ways in which a universal
 * joint can point a rod, with the one inside its limits, else with the nearer one; a rod between
 * two balls is turned the shortest way.
 *
 * `complete` (NULL: not wanted) is set if every closed configuration with these values of the
 * independent joints is listed, up to whole turns and the rounding of q; it is not where two
 * assemblies nearly meet, as at a dead point, nor where a group can move by itself: one may then be
 * listed twice. Of a platform every pose is listed then. For dyads that is proved. For groups of
 * four and six and for platforms it is checked: every path ends at a root of its own or at
 * infinity, the conjugate of every root is one, and a second start finds the same roots if paths
 * went to infinity. A check can fail to notice a lost root, although none did in tests. Joints that
 * slide farther than a hundred times the loops' size are not looked for.
 */
int lb_assembly_all(lb_assembly *assembly, const double q[/* nq */],
                    double rows[/* capacity * nq, or NULL */], int capacity, bool *complete);

/*
 * The linkage's Jacobian E at a closed configuration, nv x found, row major: v = E u, where u are
 * the velocities of the independent joints. A Jacobian of the tree times E is that of the linkage.
 * Returns false, with E unset, if the dependent joints do not follow: at a dead point, or q is not
 * closed.
 */
bool lb_assembly_velocities(lb_assembly *assembly, const double q[/* nq */],
                            double e[/* nv * independent */]);

#ifdef __cplusplus
}
#endif

#endif
