/*
 * method.h - what a method is: one row of the table in method.c.
 */
#ifndef IK_METHOD_H
#define IK_METHOD_H

#include "kernel/kernel.h"

#include <limber/ik.h>

/*
 * The methods share everything but the step: tolerances, limits, tries, outcome
 * and best-so-far are the driver's (search.c). The damped ones need no code of
 * their own, they are the kernel's descent with other numbers.
 */
struct lb_method {
    const char *name, *summary, *source;
    int iterations; /* of the first try; later ones get as many and more, see search.c */
    double damping; /* lambda as a share of the problem's length; 0: the kernel's own choice */
};

#endif
