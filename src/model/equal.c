/* equal.c - whether two models are one: in each load of a file they are made anew. */
#include "model/layout.h"

#include <string.h>

/* both may be absent */
static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_numbers(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool same_vector(lb_vec3 a, lb_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_transform(const lb_transform *a, const lb_transform *b)
{
    return same_vector(a->x, b->x) && same_vector(a->y, b->y) && same_vector(a->z, b->z) &&
           same_vector(a->p, b->p);
}

static bool same_joint(const lb_joint *a, const lb_joint *b)
{
    return same_text(a->name, b->name) && same_text(a->parent, b->parent) &&
           same_text(a->child, b->child) && a->kind == b->kind &&
           same_transform(&a->placement, &b->placement) && same_vector(a->axis, b->axis) &&
           same_vector(a->axis2, b->axis2) && same_numbers(a->lower, b->lower, 3) &&
           same_numbers(a->upper, b->upper, 3) && same_text(a->mimic, b->mimic) &&
           a->multiplier == b->multiplier && a->offset == b->offset;
}

int model_difference(const lb_model *a, const lb_model *b)
{
    int count = a->joint_count < b->joint_count ? a->joint_count : b->joint_count;
    if (a == b)
        return -1;
    if (!same_text(a->links[0].name, b->links[0].name) || !same_transform(&a->root, &b->root))
        return 0;
    for (int j = 0; j < count; j++)
        if (!same_joint(&a->joints[j], &b->joints[j]))
            return j + 1;
    return a->joint_count != b->joint_count ? count : -1;
}
