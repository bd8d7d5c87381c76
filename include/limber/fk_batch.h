/*
 * fk_batch.h - forward kinematics of many configurations of one model at once.
 *
 * Each lane of the vector registers holds one configuration, so that a thousand
 * poses of a robot or figures of a crowd cost a fraction of a thousand updates of an
 * lb_state. Arrays are row major, a row for each configuration; a call does a range of
 * rows, so any job system can split the work: each thread has an lb_fk_batch of its own,
 * made from the same model and options. Results are the same bits for any split, number
 * of threads and width, and in double the same as lb_state gives for each configuration.
 * Only creating allocates.
 */
#ifndef LIMBER_FK_BATCH_H
#define LIMBER_FK_BATCH_H

#include <limber/kinematics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lb_fk_batch lb_fk_batch;

/* What to compute for every configuration. Start from lb_fk_batch_options_default(). */
typedef struct lb_fk_batch_options {
    /* The links whose transforms are computed, in this order, duplicates allowed;
       NULL: all, in the model's order. Joints that lead to none of them cost nothing. */
    const int *links;
    int link_count;
    /* NULL, or for each of the links T_link_offset: T_world_offset is computed, as
       for skins (inverse bind matrices), meshes (`data_offset`) or tools. */
    const lb_transform *offsets;
    /* The link whose Jacobian is computed, of its `point` in its own frame, metres, with
       rows along `axes`; default: LB_WORLD, none. */
    int tip;
    lb_vec3 point;
    lb_axes axes;
    /* Configurations side by side: 1, 2, 4 or 8, and twice as many of floats, at least
       four; 0, the default: what the machine has. */
    int width;
} lb_fk_batch_options;

lb_fk_batch_options lb_fk_batch_options_default(void);

/*
 * Options NULL means the default. The model must outlive the batch; links and offsets
 * are copied. LB_INVALID_ARGUMENT when a link, the tip or the width does not exist or a
 * number is not finite. Release with lb_fk_batch_release, which accepts NULL.
 */
lb_status lb_fk_batch_create(const lb_model *model, const lb_fk_batch_options *options,
                             const lb_allocator *allocator, lb_fk_batch **batch);
void lb_fk_batch_release(lb_fk_batch *batch);

/*
 * Row i of each array belongs to configuration i. Strides count elements from row to
 * row, so that rows can be parts of larger ones; 0 means contiguous rows.
 * No array may overlap another. Configurations are not checked.
 */
typedef struct lb_fk_batch_rows {
    const double *q; /* rows of nq numbers */
    size_t q_stride;
    lb_transform *transforms; /* rows of one T_world_link for each selected link; NULL: none */
    size_t transform_stride;
    double *jacobians; /* rows of 6 x nv numbers as lb_state_jacobian writes them; NULL: none */
    size_t jacobian_stride;
} lb_fk_batch_rows;

/* The transforms and Jacobians of configurations begin <= i < end. */
void lb_fk_batch_forward(lb_fk_batch *batch, const lb_fk_batch_rows *rows, size_t begin,
                         size_t end);

/* ---- in float, for renderers -------------------------------------------- */

typedef enum lb_matrix {
    LB_MATRIX_4X4, /* 16 floats by columns, the last row 0 0 0 1: glTF, OpenGL, WebGPU, three.js */
    LB_MATRIX_3X4  /* 12 floats by rows, the last row left out: instance buffers, ray tracing */
} lb_matrix;

/* As lb_fk_batch_rows; strides count floats. */
typedef struct lb_fk_batch_floats {
    const float *q; /* rows of nq numbers: metres, radians, quaternions w x y z */
    size_t q_stride;
    float *matrices; /* rows of one matrix for each selected link */
    size_t matrix_stride;
    lb_matrix matrix; /* what a matrix looks like */
} lb_fk_batch_floats;

/*
 * The same in single precision, twice as many at a time; the same bits at every width
 * and on every machine. With e = 2^-24 (6e-8), for a link behind d joints (fixed ones
 * count, universal ones twice, planar ones three and floating ones four times) whose
 * angles are within +-pi, of the same q in double: entries of its rotation are within
 * 16 (d + 1) e, and its origin is within that times the length of the chain: the sum of
 * all placements and displacements from the world to the link. In practice it is a tenth of this.
 */
void lb_fk_batch_forward_float(lb_fk_batch *batch, const lb_fk_batch_floats *rows, size_t begin,
                               size_t end);

#ifdef __cplusplus
}
#endif

#endif
