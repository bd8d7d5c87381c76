/* state.c - forward kinematics, Jacobians, masses and singularities. */
#include "binding.h"

#include <string.h>

lb_state *EXPORT(state_create)(const lb_model *model)
{
    lb_state *state;
    if (lb_state_create(model, NULL, &state) == LB_OK)
        return state;
    lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    return NULL;
}

void EXPORT(state_release)(lb_state *state)
{
    lb_state_release(state);
}

void EXPORT(state_update)(lb_state *state, const double *q)
{
    lb_state_update(state, q);
}

/* T_world_link of all links, 12 numbers each, until the next update */
const double *EXPORT(state_transforms)(const lb_state *state)
{
    return (const double *)lb_state_transforms(state);
}

/* T_a_b between two links, -1: the world */
void EXPORT(state_transform)(const lb_state *state, int a, int b, double *out)
{
    lb_transform between = lb_state_transform(state, a, b);
    memcpy(out, &between, sizeof between);
}

/* 6 x nv, row major, of a point in the link's frame */
void EXPORT(state_jacobian)(const lb_state *state, int link, const double *point, int link_axes,
                            double *out)
{
    lb_state_jacobian(state, link, lb_vec3_make(point[0], point[1], point[2]),
                      link_axes ? LB_AXES_LINK : LB_AXES_WORLD, out);
}

/* the centre's x, y, z; returns the total mass */
double EXPORT(state_center_of_mass)(const lb_state *state, double *center)
{
    lb_vec3 at;
    double mass = lb_state_center_of_mass(state, &at, NULL);
    memcpy(center, &at, sizeof at);
    return mass;
}

/* out: rank, condition, manipulability, six values, six numbers of the weakest direction */
int EXPORT(state_singularity)(const lb_state *state, int link, const double *point, double length,
                              double tolerance, double *out)
{
    lb_singularity s;
    lb_status status = lb_state_singularity(state, link, lb_vec3_make(point[0], point[1], point[2]),
                                            length, tolerance, &s);
    if (status != LB_OK)
        return (int)status;
    out[0] = s.rank;
    out[1] = s.condition;
    out[2] = s.manipulability;
    memcpy(out + 3, s.values, sizeof s.values);
    memcpy(out + 9, s.weakest, sizeof s.weakest);
    return 0;
}
