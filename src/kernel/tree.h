/*
 * tree.h - the flat tree of joints that the kernel works on.
 *
 * Joints have one axis or are balls; parents precede their children. A model compiles to one tree
 * of all its links; inverse kinematics reduces that to the joints between base and tips.
 */
#ifndef KERNEL_TREE_H
#define KERNEL_TREE_H

#include <limber/math.h>

typedef enum kernel_kind {
    KERNEL_FIXED,     /* placement only */
    KERNEL_REVOLUTE,  /* rotates about its own z axis */
    KERNEL_PRISMATIC, /* translates along its own z axis */
    KERNEL_BALL       /* four values: a quaternion w x y z */
} kernel_kind;

/*
 * The known zeros of a placement, which cost no arithmetic: one of the rotations, and the nonzero
 * coordinates of its translation.
 */
typedef enum kernel_form {
    KERNEL_ROTATION_NONE,     /* the parent's axes */
    KERNEL_ROTATION_PLUS_90,  /* +90 degrees about the parent's x axis */
    KERNEL_ROTATION_MINUS_90, /* -90 degrees about it */
    KERNEL_ROTATION_X,        /* any angle about the parent's x axis: y.y = z.z, z.y = -y.z */
    KERNEL_ROTATION_GENERAL,
    KERNEL_ROTATION = 7, /* mask of the values above */
    KERNEL_SHIFT_X = 8,
    KERNEL_SHIFT_Y = 16,
    KERNEL_SHIFT_Z = 32
} kernel_form;

/*
 * One frame of a tree and the joint that moves it:
 *     T_base_frame = T_base_parent * place * A(scale * q[q] + offset).
 * Mimic joints share q and v of the joint they mimic, with a scale and offset of their own. A
 * joint with v < 0 has a value but does not move in inverse kinematics.
 */
typedef struct kernel_joint {
    int parent; /* index of the parent's frame, -1: the base */
    kernel_kind kind;
    kernel_form form;     /* of `place` */
    bool axis_only;       /* only z and p of its frame are computed */
    bool transient;       /* its frame is not stored: only the next joint uses it */
    int q;                /* index of its (first) value, -1 for fixed */
    int v;                /* index of its (first) velocity, -1: does not move */
    double scale, offset; /* ball: scale -1 means the conjugate, offset is not read */
    lb_transform place;
} kernel_joint;

enum { KERNEL_BLOCK_SIZE = 16 };

/*
 * The rotating joints of a block of KERNEL_BLOCK_SIZE consecutive joints, side by side so that
 * their sines are computed together: first the revolute ones, padded with angles of zero, then
 * where the quaternions of balls are.
 */
typedef struct kernel_block {
    int count;
    int q[KERNEL_BLOCK_SIZE];
    double scale[KERNEL_BLOCK_SIZE], offset[KERNEL_BLOCK_SIZE];
    int ball_count;
    int ball[KERNEL_BLOCK_SIZE];
} kernel_block;

typedef struct kernel_tree {
    const kernel_joint *joints;
    const kernel_block *blocks;
    int count;
    int nq, nv;
    bool unshared; /* no two joints share a velocity; false: unknown */
} kernel_tree;

/* The number of blocks that `count` joints fill, and their contents. */
size_t kernel_block_count(int count);
void kernel_fill_blocks(const kernel_joint *joints, int count, kernel_block *blocks);

/* Sine and cosine of a block's angles, by the instances that are compiled (widths.h). */
typedef void kernel_sincos(const kernel_block *block, const double *q, double *sines,
                           double *cosines);
extern kernel_sincos kernel_sincos_w1, kernel_sincos_w2, kernel_sincos_w4, kernel_sincos_w8;
extern kernel_sincos kernel_sincos_s4, kernel_sincos_s8;

/* Sets `transient` of every joint; the last joint of a block is never transient. */
void kernel_find_transient(kernel_joint *joints, int count);

/* The form that describes a placement exactly. */
kernel_form kernel_form_of(const lb_transform *place);

/*
 * Forward kinematics of one configuration: frames[i] = T_base_frame of joint i, for base frame
 * `root`; q has tree->nq numbers.
 */
void kernel_forward(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames);

/* One joint's frame from that of its parent. */
lb_transform kernel_joint_frame(const kernel_joint *joint, const lb_transform *parent,
                                const double *q);

#endif
