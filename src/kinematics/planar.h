/*
 * planar.h - points of a plane as complex numbers, and solving one of Assur's groups.
 */
#ifndef KINEMATICS_PLANAR_H
#define KINEMATICS_PLANAR_H

#include "kinematics/assembly.h"

static inline planar_point point_sum(planar_point a, planar_point b)
{
    return (planar_point){a.x + b.x, a.y + b.y};
}

static inline planar_point point_less(planar_point a, planar_point b)
{
    return (planar_point){a.x - b.x, a.y - b.y};
}

static inline planar_point point_times(planar_point a, planar_point b)
{
    return (planar_point){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

static inline planar_point point_scaled(planar_point a, double by)
{
    return (planar_point){a.x * by, a.y * by};
}

/* the conjugate */
static inline planar_point point_mirror(planar_point a)
{
    return (planar_point){a.x, -a.y};
}

static inline double point_square(planar_point a)
{
    return a.x * a.x + a.y * a.y;
}

/* of a over b, which is not zero, the direction */
static inline planar_point point_turn(planar_point a, planar_point b)
{
    planar_point turn = point_times(a, point_mirror(b));
    return point_scaled(turn, 1 / sqrt(point_square(turn)));
}

static inline double point_cross(planar_point a, planar_point b)
{
    return a.x * b.y - a.y * b.x;
}

static inline double point_dot(planar_point a, planar_point b)
{
    return a.x * b.x + a.y * b.y;
}

static inline planar_point pose_point(const planar_pose *pose, planar_point z)
{
    return point_sum(pose->place, point_times(pose->turn, z));
}

/*
 * The poses of a group's bodies for those of the known bodies in a->poses: a row of body_count
 * poses for each real solution. Returns how many. *certain is lost if there may be more of them
 * than the rows say, or fewer.
 */
int dyad_solve(const lb_assembly *a, const planar_group *d, planar_pose *out, bool *certain);
/* Of four or six bodies. */
int group_solve(const lb_assembly *a, const planar_group *g, planar_pose *out, bool *certain);

/* A linear form in n complex unknowns. */
typedef struct root_form {
    planar_point at[BILINEAR_TERMS]; /* the constant first */
} root_form;

/*
 * Paths from 2n products of a form in y and a form in z to the wanted equations: their start and
 * its roots. Returns how many, 0: some are missing.
 */
int bilinear_start(int n, const root_form *first, const root_form *second,
                   const kernel_bilinear_form *wanted, kernel_bilinear *equations,
                   kernel_path *paths);

#endif
