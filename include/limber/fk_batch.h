/*
 * fk_batch.h - forward kinematics of many configurations of one model at once.
 *
 * Each lane of the vector registers holds one configuration, so a thousand poses cost a fraction of
 * a thousand updates of an lb_state. Arrays are row major, a row for each configuration. A call
 * computes a range of rows, so any job system can split the work: each thread has an lb_fk_batch of
 * its own, made from one model and one set of options. Results have the same bits for any split,
 * number of threads and width, and in double they are those of lb_state for each configuration.
 * Only creating allocates.
 *
 * Stable.
 */
#ifndef LIMBER_FK_BATCH_H
#define LIMBER_FK_BATCH_H

#include <limber/kinematics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lb_fk_batch lb_fk_batch;

/* Results to compute for every configuration. Start from lb_fk_batch_options_default(). */
typedef struct lb_fk_batch_options {
    /* Links whose transforms are computed, in this order; duplicates are allowed. Absent: all,
       in the model's order (the default). Joints that lead to none of them cost nothing. */
    const int *links;
    int link_count; /* How many links. Default: 0. */
    /* T_link_offset of each of these links: T_world_offset is computed, for skins (inverse bind
       matrices), meshes (`data_offset`) or tools. Absent: none (the default). */
    const lb_transform *offsets;
    /* Link whose Jacobian is computed. The world: none (the default). */
    int tip;
    lb_vec3 point; /* Point of the Jacobian in that link's frame, metres. Default: 0. */
    lb_axes axes;  /* Axes of the Jacobian's rows. Default: the world's. */
    /* Configurations side by side: 1, 2, 4 or 8; of floats twice as many, at least four. 0: as
       many as the machine has (the default). */
    int width;
} lb_fk_batch_options;

lb_fk_batch_options lb_fk_batch_options_default(void);

/*
 * Creates a batch. The model must outlive it; options (NULL: the default), links and offsets are
 * copied. Returns LB_INVALID_ARGUMENT if a link, the tip or the width does not exist or a number is
 * not finite. Release with lb_fk_batch_release, which accepts NULL.
 */
lb_status lb_fk_batch_create(const lb_model *model, const lb_fk_batch_options *options,
                             const lb_allocator *allocator, lb_fk_batch **batch);
void lb_fk_batch_release(lb_fk_batch *batch);

/*
 * Row i of each array belongs to configuration i. Strides count elements from row to row, so rows
 * can be parts of larger ones. No array may overlap another. Configurations are not checked.
 */
typedef struct lb_fk_batch_rows {
    const double *q;          /* Rows of nq numbers. */
    size_t q_stride;          /* Numbers from row to row. 0: rows follow each other. */
    lb_transform *transforms; /* Rows of one T_world_link for each selected link. Absent: none. */
    size_t transform_stride;  /* Transforms from row to row. 0: rows follow each other. */
    double *jacobians; /* Rows of 6 x nv numbers as lb_state_jacobian writes them. Absent: none. */
    size_t jacobian_stride; /* Numbers from row to row. 0: rows follow each other. */
} lb_fk_batch_rows;

/* Computes the transforms and Jacobians of configurations begin <= i < end. */
void lb_fk_batch_forward(lb_fk_batch *batch, const lb_fk_batch_rows *rows, size_t begin,
                         size_t end);

/* ---- in float, for renderers -------------------------------------------- */

typedef enum lb_matrix {
    /* 16 floats by columns, the last row 0 0 0 1: glTF, OpenGL, WebGPU, three.js. */
    LB_MATRIX_4X4,
    LB_MATRIX_3X4 /* 12 floats by rows, without the last row: instance buffers, ray tracing. */
} lb_matrix;

/* Row i of each array belongs to configuration i. No array may overlap another. */
typedef struct lb_fk_batch_floats {
    const float *q;       /* Rows of nq numbers: metres, radians, quaternions w x y z. */
    size_t q_stride;      /* Floats from row to row. 0: rows follow each other. */
    float *matrices;      /* Rows of one matrix for each selected link. */
    size_t matrix_stride; /* Floats from row to row. 0: rows follow each other. */
    lb_matrix matrix;     /* Layout of a matrix. */
} lb_fk_batch_floats;

/*
 * Computes the transforms of configurations begin <= i < end in single precision, twice as many at
 * a time as in double. Bits are the same at every width and on every machine. With e = 2^-24
 * (6e-8), for a link behind d joints (fixed ones count, universal ones twice, planar ones three and
 * floating ones four times) whose angles are within +-pi: entries of its rotation are within 16 (d
 * + 1) e of those in double, and its origin is within that times the length of the chain, the sum
 * of all placements and displacements from the world to the link. In practice the error is a tenth
 * of this.
 */
void lb_fk_batch_forward_float(lb_fk_batch *batch, const lb_fk_batch_floats *rows, size_t begin,
                               size_t end);

#ifdef __cplusplus
}
#endif

#endif
