/*
 * kernel.h - the plain-C face of the kernel.
 *
 * The kernel knows nothing of links, names or files: it works on flat trees of
 * one-axis joints and balls. A model compiles to one such tree (all its links);
 * an inverse-kinematics solver reduces that to the joints on the way from base
 * to tips. All kernel code stands in .inl files over a lane type (lane.h), one
 * problem per lane, and is compiled once for each width.
 */
#ifndef LIMBER_KERNEL_H
#define LIMBER_KERNEL_H

#include <limber/math.h>

/* ---- trees -------------------------------------------------------------- */

typedef enum kernel_kind {
    KERNEL_FIXED,     /* placement alone */
    KERNEL_REVOLUTE,  /* turns about its own z axis */
    KERNEL_PRISMATIC, /* slides along its own z axis */
    KERNEL_BALL       /* four values: a quaternion w x y z */
} kernel_kind;

/* What is known of a placement's rotation, so that its zeros cost nothing. */
typedef enum kernel_rotation {
    KERNEL_ROTATION_NONE,   /* the parent's axes */
    KERNEL_ROTATION_X,      /* a turn about the parent's x axis: y.y = z.z, z.y = -y.z */
    KERNEL_ROTATION_GENERAL /* anything */
} kernel_rotation;

/*
 * One frame of a tree and the joint that moves it:
 *     T_base_frame = T_base_parent * place * A(scale * q[q] + offset).
 * Joints that follow another (mimic) share its q and v with a scale and offset
 * of their own. A joint with v < 0 has a value but does not move in IK.
 */
typedef struct kernel_joint {
    int parent; /* index of the parent's frame, -1: the base */
    kernel_kind kind;
    kernel_rotation rotation; /* of `place` */
    int q;                    /* index of its (first) value, -1 for fixed */
    int v;                    /* index of its (first) velocity, -1: does not move */
    double scale, offset;     /* ball: scale -1 means the conjugate, offset is not read */
    lb_transform place;
} kernel_joint;

/* Parents stand before their children. */
typedef struct kernel_tree {
    const kernel_joint *joints;
    int count;
    int nq, nv;
} kernel_tree;

/* The rotation form that fits a placement exactly. */
kernel_rotation kernel_rotation_of(const lb_transform *place);

/* ---- width 1: the scalar library ---------------------------------------- */

/* frames[i] = T_base_frame of joint i, for base frame `root`; q has tree->nq numbers. */
void kernel_forward(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames);

#endif
