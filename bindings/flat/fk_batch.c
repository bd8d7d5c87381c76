/* fk_batch.c - forward kinematics of many configurations at once. */
#include "binding.h"

/* all links; `tip`: -1 for none, whose Jacobian is wanted at `point` along the world's axes */
lb_crowd *EXPORT(crowd_create)(const lb_model *model, int tip, const double *point, int width)
{
    lb_crowd_options options = lb_crowd_options_default();
    options.tip = tip;
    options.point = lb_vec3_make(point[0], point[1], point[2]);
    options.width = width;
    lb_crowd *crowd;
    lb_status status = lb_crowd_create(model, &options, NULL, &crowd);
    if (status == LB_OK)
        return crowd;
    lb_error_set(&binding_error, status, 0, "a crowd: %s", lb_status_text(status));
    return NULL;
}

void EXPORT(crowd_release)(lb_crowd *crowd)
{
    lb_crowd_release(crowd);
}

/* rows of n configurations; jacobians may be NULL */
void EXPORT(crowd_forward)(lb_crowd *crowd, int n, const double *q, double *transforms,
                           double *jacobians)
{
    lb_crowd_rows rows = {.q = q, .transforms = (lb_transform *)transforms, .jacobians = jacobians};
    lb_crowd_forward(crowd, &rows, 0, (size_t)n);
}

/* the same in single precision: rows of a matrix of sixteen numbers for each link */
void EXPORT(crowd_matrices)(lb_crowd *crowd, int n, const float *q, float *matrices)
{
    lb_crowd_floats rows = {.q = q, .matrices = matrices, .matrix = LB_MATRIX_4X4};
    lb_crowd_forward_float(crowd, &rows, 0, (size_t)n);
}
