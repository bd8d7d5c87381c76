/*
 * assembly_all.c - all assemblies: of planar linkages and of platforms.
 *
 * The joints and loops between bodies (assembly_edges.c) say which kind of linkage it is.
 */
#include "kinematics/assembly.h"
#include "kinematics/state.h"

#include <string.h>

void assembly_plan(lb_assembly *a)
{
    bool known = edges_list(a);
    a->group_count = 0;
    a->is_grouped = known && planar_plan(a);
    a->is_platform = known && platform_plan(a);
}

int lb_assembly_all(lb_assembly *a, const double *q, double *rows, int capacity, bool *complete)
{
    assembly_list list = {.rows = rows, .capacity = capacity, .certain = true};
    if (complete)
        *complete = false;
    if (!a || !q || (!rows && capacity > 0) || (!a->is_grouped && !a->is_platform))
        return -1;
    memcpy(a->base, q, sizeof(double) * (size_t)a->nq);
    for (int i = 0; i < a->nq; i++)
        if (!isfinite(a->base[i]))
            return -1;
    lb_state_update(a->state, a->base);
    if (!(a->is_grouped && planar_list(a, &list)) && !(a->is_platform && platform_list(a, &list)))
        return -1;
    if (complete)
        *complete = list.certain;
    return list.found;
}
