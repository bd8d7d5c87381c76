/*
 * fk_batch.h - forward kinematics of many configurations, one in each lane.
 */
#ifndef KERNEL_FK_BATCH_H
#define KERNEL_FK_BATCH_H

#include "kernel/tree.h"

#include <limits.h>

/* How a link's frame follows from the frame of its joint. */
typedef enum kernel_link_form {
    KERNEL_LINK_EXACT,   /* the same frame */
    KERNEL_LINK_SWAPPED, /* the axes renamed, some negated */
    KERNEL_LINK_ROTATED  /* frame * fix */
} kernel_link_form;

/* A link whose transform is wanted. */
typedef struct kernel_output {
    int joint;    /* -1: the root link; KERNEL_NO_JOINT ends a list */
    size_t index; /* among the links of a row */
    kernel_link_form form;
    int from[3];
    double sign[3];
    lb_transform fix;
    bool has_offset; /* link * offset is wanted */
    lb_transform offset;
} kernel_output;

enum { KERNEL_NO_JOINT = INT_MAX };

/* What is wanted of every configuration; the tree has only the joints needed for that. */
typedef struct kernel_fk_batch {
    kernel_tree tree;
    lb_transform root;
    const kernel_output *outputs; /* in the order of their joints, then `end` */
    size_t output_count;
    kernel_output end, tip; /* the link whose Jacobian is wanted; without a joint: none */
    lb_vec3 point;          /* of that link, in its frame */
    bool link_axes;         /* Jacobian rows along that link's axes, else along the base's */
} kernel_fk_batch;

/* The order of a transform's numbers. */
typedef enum kernel_layout {
    KERNEL_COLUMNS_OF_3, /* lb_transform */
    KERNEL_COLUMNS_OF_4, /* with 0 0 0 1 below */
    KERNEL_ROWS_OF_4
} kernel_layout;

/* Rows of doubles or floats, one for each configuration; strides count numbers. */
typedef struct kernel_rows {
    const void *q;
    size_t q_stride;
    void *links; /* NULL: not wanted */
    size_t links_stride;
    void *jacobians; /* NULL: not wanted */
    size_t jacobians_stride;
    kernel_layout layout; /* of links */
} kernel_rows;

/* One instance for each width and type. */
typedef struct kernel_fk_batch_ops {
    int width;
    /* bytes of scratch that `forward` needs, aligned to 64 */
    size_t (*scratch)(const kernel_fk_batch *batch);
    /* the configurations begin <= i < end */
    void (*forward)(const kernel_fk_batch *batch, const kernel_rows *rows, size_t begin, size_t end,
                    void *scratch);
} kernel_fk_batch_ops;

/* As kernel_choose; floats are computed in twice the width, at least 4. */
const kernel_fk_batch_ops *kernel_choose_fk_batch(int width, bool floats);

#endif
