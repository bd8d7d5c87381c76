/* tree.c - what can be said of a kernel tree's placements before any lane runs. */
#include "kernel/kernel.h"

/* Exact on purpose: a kernel that skips zeros must not skip what is merely small. */
static bool equals(lb_vec3 a, double x, double y, double z)
{
    return a.x == x && a.y == y && a.z == z;
}

kernel_rotation kernel_rotation_of(const lb_transform *place)
{
    const lb_transform *t = place;
    if (!equals(t->x, 1, 0, 0) || t->y.x != 0 || t->z.x != 0)
        return KERNEL_ROTATION_GENERAL;
    if (equals(t->y, 0, 1, 0) && equals(t->z, 0, 0, 1))
        return KERNEL_ROTATION_NONE;
    if (t->y.y != t->z.z || t->z.y != -t->y.z)
        return KERNEL_ROTATION_GENERAL;
    return t->y.y == 0 && fabs(t->y.z) == 1 ? KERNEL_ROTATION_QUARTER : KERNEL_ROTATION_X;
}
