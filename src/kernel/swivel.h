/*
 * swivel.h - three axes that meet, for rotations that depend on an angle.
 */
#ifndef LIMBER_KERNEL_SWIVEL_H
#define LIMBER_KERNEL_SWIVEL_H

#include "kernel/closed.h"

/*
 * Three directions x, y = R z that a rotation R(t) about a fixed axis gives: x[0] + x[1] cos t +
 * x[2] sin t. Of the wrist's last axis d, of u across it, and of d cross u.
 */
typedef struct kernel_swivel {
    lb_vec3 last[3], side[3], other[3];
} kernel_swivel;

/* angles of one call: whole lanes of any width */
enum { KERNEL_SWIVEL_ANGLES = 64 };

/* What three joints are at some angles; the arrays' numbers up to the next multiple of 8 are
   written, too. */
typedef struct kernel_swivelled {
    double q[3][KERNEL_SWIVEL_ANGLES];
    double margin[KERNEL_SWIVEL_ANGLES]; /* below 0: there is no solution, see kernel_solutions */
} kernel_swivelled;

#endif
