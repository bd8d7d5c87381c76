/*
 * goal.h - what counts of a tool's pose, and how far a tool is from its target.
 */
#ifndef KERNEL_GOAL_H
#define KERNEL_GOAL_H

#include <limber/math.h>

/* The positions that satisfy a target: its origin or, where `extended`, a line or plane there. */
typedef struct kernel_locus {
    bool extended;
    lb_vec3 normals[2]; /* unit, in the target's axes; of a plane the second is zero */
} kernel_locus;

/* What counts of a tool's pose: position, rotation or both. */
typedef struct kernel_goal {
    bool position, rotation;
    kernel_locus locus;
    bool free;    /* of the rotation only the direction of `axis` counts */
    lb_vec3 axis; /* unit, in the axes of the tool's frame */
} kernel_goal;

/*
 * The position rows of a displacement for a target: its coordinates in base axes or, where the
 * locus is extended, along the normals, then zeros; and the displacement of given rows.
 */
lb_vec3 kernel_locus_rows(const kernel_locus *locus, const lb_transform *target,
                          lb_vec3 displacement);
lb_vec3 kernel_locus_displacement(const kernel_locus *locus, const lb_transform *target,
                                  lb_vec3 rows);
/* The point of the locus nearest to `from`. */
lb_vec3 kernel_locus_nearest(const kernel_locus *locus, const lb_transform *target, lb_vec3 from);

/* Errors of a tool at `at`, metres and radians; zero where they do not count. */
void kernel_goal_errors(const kernel_goal *goal, const lb_transform *at, const lb_transform *target,
                        double *position, double *rotation);

#endif
