/*
 * exact.h - solutions in closed form in place of a search, where the arm has one.
 */
#ifndef IK_SEARCH_EXACT_H
#define IK_SEARCH_EXACT_H

#include "ik/solver.h"

/*
 * Sets ik->exact where a solver's task, method and options leave the choice of the solution to us
 * and its arm has a closed form, ik->complete where it has none and is a general arm of six joints;
 * then makes ik->finder. Its locked joints are where `ik->neutral` has them.
 */
void ik_exact_create(lb_ik *ik);

/*
 * Tries to end a search that is accepted: the solution nearest to the start or, where any will do,
 * the first one inside the limits, confirmed; or the proof that there is none, with the closest
 * configuration that the proof knows. Of general arms only where the nearest is wanted: others are
 * sooner found by a search. True: q and *result are filled. False: the search is ready, and nothing
 * is known, or the closest of all is wanted; then search->found.proof says whether there is a
 * solution at all.
 */
bool ik_exact_run(lb_ik *ik, ik_search *search, double *q, lb_ik_result *result);

/* The same for up to ops->width searches, into rows of q; returns a bit for each that has ended. */
unsigned ik_exact_run_some(lb_ik *ik, ik_search *const *searches, int count, double *const *q,
                           lb_ik_result *const *results);

/* What keeps the solutions of a target from being inside the limits. */
typedef struct ik_exact_limits {
    int count;     /* solutions, none of them inside the limits */
    int joint;     /* of the solution that breaks them least, the model's joint that does most */
    double beyond; /* by how much, radians or metres */
    bool is_length;
} ik_exact_limits;

/* False where there is no solution, one inside the limits, or no closed form. */
bool ik_exact_limit(lb_ik *ik, const lb_transform *target, const double *q,
                    ik_exact_limits *limits);

/* ---- held --------------------------------------------------------------- */

/* Solutions of an arm of seven joints between its limits, where a search has found none. */

/*
 * Where an arm of seven joints has found no solution and ik->trial misses by little: looks through
 * the values of the joint that is held, and between them where limits leave a narrow way, or a
 * single configuration. True: the solution is in ik->trial, *result says so. False: ik->trial may
 * be anything.
 */
bool ik_held_search(lb_ik *ik, const ik_search *search, lb_ik_result *result);

/* ---- complete ----------------------------------------------------------- */

/* The complete set of solutions of an arm that has no closed form. */

/* What the complete set says of a search. */
typedef struct ik_complete_result {
    bool found;      /* the nearest solution inside the limits is in ik->trial, confirmed */
    bool all;        /* all solutions are expected to be known, */
    bool outside;    /* and are clearly outside the limits */
    lb_reason proof; /* else, as ik_search.proof: to what the tolerances leave open */
    lb_ik_result solution;
} ik_complete_result;

/*
 * Finds all solutions for a search of a general arm (ik->complete) and chooses the nearest to the
 * start: microseconds. Neither found nor proved: the set may lack some, or is infinite.
 */
ik_complete_result ik_complete_find(lb_ik *ik, const ik_search_problem *problem,
                                    general_effort effort);

/*
 * The same from a start so near to a solution that no other one can be nearer: in a tenth of the
 * time. Not found: that is not known; never a proof.
 */
ik_complete_result ik_complete_near(lb_ik *ik, ik_search *search);

/*
 * A solution by the tolerances that a few steps from the start lead to, of any arm whose search is
 * ready: beside singular poses and limits it may be far from every exact one. It is not looked for
 * where the start's error agrees with the `distance` of the nearest so far.
 */
ik_complete_result ik_complete_beside(lb_ik *ik, ik_search *search, double distance);

/*
 * The same of an arm of seven turning joints whose last one is held for its closed form: intervals
 * of that joint are excluded, halved where they are not, until none is left or a middle has a
 * solution. Neither found nor proved: too many are left.
 */
ik_complete_result ik_held_decide(lb_ik *ik, const ik_search_problem *problem);

/*
 * The member of all infinite families of a target (T_base_tip of the completed arm) that is nearest
 * to the start and inside the limits, if the square of its distance is less than `square`; in
 * ik->trial, confirmed.
 */
bool ik_exact_member(lb_ik *ik, const ik_search_problem *problem, const lb_transform *target,
                     double square, lb_ik_result *result);

/*
 * Prepares ik->arcs where the nearest is wanted of an arm of seven turning joints whose arcs are
 * known; after ik_exact_create. False when there is no memory.
 */
bool ik_arcs_create(lb_ik *ik);

/*
 * The configuration on the arcs that is nearest to the start, if it is nearer than `bound`. `all`:
 * every cell was decided, so that nothing else is nearer as far as they show.
 */
ik_complete_result ik_arcs_find(lb_ik *ik, const ik_search_problem *problem, double bound);

/*
 * All solutions for a target, on the turns nearest to q (the model's); false: not all of them are
 * known, or the arm's locked joints are elsewhere.
 */
bool ik_complete_list(const lb_ik *ik, const lb_transform *target, const double *q,
                      closed_set *set);

/* ---- branches ----------------------------------------------------------- */

/* The branches of an arm with a closed form, as configurations of the model. */

/* The branches of one pose; bits. */
typedef struct ik_branches {
    kernel_solutions found;
    unsigned solve, tried;
    bool doubt;                /* the tolerances may make a solution that is not exact */
    bool measured;             /* the start is: */
    double position, rotation; /* its errors */
} ik_branches;

/* All branches for a target, on the turns nearest to a start (model's q) */
void ik_branches_find(lb_ik *ik, const lb_transform *target, const double *start, ik_branches *b);

/* The same of branches that are in b->found already. */
void ik_branches_take(ik_branches *b);

/* The branch that is next, of solutions inside the limits and what is nearly one: the nearest or,
   where any will do, the first solution and then the first of the others; -1: none is left */
int ik_branches_next(const lb_ik *ik, const ik_branches *b, bool nearest);

/* Turns joints that are beside their limits in a branch to inside of them, where that can be;
   false: none of them can. */
bool ik_branches_turn(const lb_ik *ik, const double *start, ik_branches *b, int branch);

/* The value of joint i of the arm in a branch, brought inside the limits */
double ik_branches_value(const lb_ik *ik, const ik_branches *b, int i, int branch);

/* The model's configuration of a branch, in ik->trial */
void ik_branches_place(lb_ik *ik, const ik_search_problem *problem, const ik_branches *b,
                       int branch);

/* The model's configuration at values of the arm's joints, brought inside the limits, in ik->trial
 */
void ik_exact_place(lb_ik *ik, const ik_search_problem *problem, const double *q);

/* The errors of ik->trial, by the model's own frames. */
void ik_measure(lb_ik *ik, const ik_search_problem *problem, lb_ik_result *result);

/* Both errors in metres, as a descent weighs them. */
static inline double ik_total_error(const lb_ik *ik, const lb_ik_result *result)
{
    return result->position_error + ik->reduction.unit * result->rotation_error;
}

/* Whether both errors of a result keep the tolerances. */
bool ik_is_reached(const lb_ik *ik, const lb_ik_result *result);

#endif
