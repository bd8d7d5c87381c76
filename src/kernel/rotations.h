/* rotations.h - quaternions of many balls at once: what the kernel's compose takes. */
#ifndef KERNEL_ROTATIONS_H
#define KERNEL_ROTATIONS_H

/* the turns that one rotation is made of */
enum { KERNEL_TURNS = 3 };

/*
 * Rotations that are products of turns about coordinate axes, as captures have them. Arrays are
 * filled up with more entries, of any valid kind, to a multiple of KERNEL_MAX_WIDTH.
 */
typedef struct kernel_turns {
    int count;
    double half_unit;                    /* half of an angle's unit, in radians */
    const int *places;                   /* of each quaternion w x y z in a configuration */
    const int *angles[KERNEL_TURNS];     /* of each turn's angles in a row */
    const double *axes[KERNEL_TURNS][3]; /* of each turn: the x, y and z of its axes */
} kernel_turns;

#endif
