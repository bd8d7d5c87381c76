/* fk_batch.c - forward kinematics of many configurations at once. */
#include "binding.h"

/* all links; `tip`: -1 for none, whose Jacobian is wanted at `point` along the world's axes */
lb_fk_batch *EXPORT(fk_batch_create)(const lb_model *model, int tip, const double *point, int width)
{
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.tip = tip;
    options.point = lb_vec3_make(point[0], point[1], point[2]);
    options.width = width;
    lb_fk_batch *batch;
    lb_status status = lb_fk_batch_create(model, &options, NULL, &batch);
    if (status == LB_OK)
        return batch;
    lb_error_set(&binding_error, status, 0, "fk_batch: %s", lb_status_text(status));
    return NULL;
}

void EXPORT(fk_batch_release)(lb_fk_batch *batch)
{
    lb_fk_batch_release(batch);
}

/* rows of n configurations; jacobians may be NULL */
void EXPORT(fk_batch_forward)(lb_fk_batch *batch, int n, const double *q, double *transforms,
                              double *jacobians)
{
    lb_fk_batch_rows rows = {
        .q = q, .transforms = (lb_transform *)transforms, .jacobians = jacobians};
    lb_fk_batch_forward(batch, &rows, 0, (size_t)n);
}

/* the same in single precision: rows of a matrix of sixteen numbers for each link */
void EXPORT(fk_batch_matrices)(lb_fk_batch *batch, int n, const float *q, float *matrices)
{
    lb_fk_batch_floats rows = {.q = q, .matrices = matrices, .matrix = LB_MATRIX_4X4};
    lb_fk_batch_forward_float(batch, &rows, 0, (size_t)n);
}
