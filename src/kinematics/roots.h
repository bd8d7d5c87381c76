/*
 * roots.h - all roots of equations with real coefficients, or a word that some may be missing.
 */
#ifndef KINEMATICS_ROOTS_H
#define KINEMATICS_ROOTS_H

#include "kernel/track.h"

#include <limber/math.h>

/* Roots that are known by now. */
typedef struct root_list {
    int count;
    kernel_path at[TRACK_PATHS];
} root_list;

/* Equations, and how their roots are compared. */
typedef struct root_system {
    const void *equations;
    int numbers;   /* of a root */
    int conjugate; /* number i of a root's conjugate is the conjugate of number i + this, from the
                      last one on to the first */
    /* Tracks the paths of a start that no pass before had; returns how many, 0: none was found. */
    int (*track)(const void *equations, int pass, const kernel_care *care, lb_random *random,
                 kernel_path *paths);
} root_system;

/* All roots; false: some may be missing. Ends of paths where roots meet are among them then. */
bool roots_find(const root_system *s, root_list *roots);
/* A number of the square from -1 to 1, and of its imaginary parts. */
kernel_complex root_draw(lb_random *random);
bool root_is_real(const root_system *s, const kernel_path *root);

#endif
