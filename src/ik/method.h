/*
 * method.h - what a method is: one row of the table in method.c.
 *
 * The methods share everything but the step: tolerances, limits, tries, outcome and the best
 * configuration so far (search.c). A method is either the kernel's descent with other numbers, or
 * has a step of its own (iteration.h) in a file in methods/.
 */
#ifndef IK_METHOD_H
#define IK_METHOD_H

#include <limber/ik.h>

typedef struct ik_iteration ik_iteration;

/*
 * From it->q to it->next. Returns LB_REASON_NONE, or why it refuses to step; `next` is then not
 * read.
 */
typedef lb_reason ik_step(ik_iteration *it);

typedef struct ik_linear ik_linear;

/*
 * How a method that solves J x = V does so (linear.h): from matrix and velocity to solution.
 * Returns LB_REASON_NONE, or why it refuses.
 */
typedef lb_reason ik_linear_solver(const ik_iteration *it, ik_linear *linear);

/*
 * Why a method cannot solve a problem, as a clause without a full stop; NULL when it can. May use
 * the iteration's working memory.
 */
typedef const char *ik_check(ik_iteration *it);

struct lb_method {
    const char *name, *summary, *source;
    int iterations; /* of the first try; later ones get as many or more, see search.c */
    int levels;     /* of tries at most (search.c), 0: a single try */
    int patience;   /* a try has stalled when so many iterations reduce the error by too little */
    double damping; /* lambda as a share of the problem's length; 0: from the error */
    double step_limit; /* radians or lengths that a joint moves at most in a step, 0: no limit */
    unsigned capabilities; /* LB_METHOD_JACOBIAN ... */
    bool kernel;           /* the kernel's descent implements it, unless the options require more */
    ik_linear_solver *solve; /* NULL: it has a step of its own */
    ik_step *step;
    ik_check *check; /* NULL: it can solve every problem */
};

/* ---- methods --------------------------------------------------------------- */

/* The steps of all methods, and what they refuse; one file each in methods/. */

ik_linear_solver ik_inverse_solve, ik_damped_solve, ik_selective_solve, ik_transpose_solve;
ik_step ik_analytic_step, ik_alternative_step, ik_ccd_step, ik_ranked_step, ik_fabrik_step;

ik_check ik_analytic_check, ik_inverse_check;

#endif
