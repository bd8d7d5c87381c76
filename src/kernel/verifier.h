/*
 * verifier.h - what verifies solutions: part of a model's own tree, and what must hold there.
 */
#ifndef KERNEL_VERIFIER_H
#define KERNEL_VERIFIER_H

#include "kernel/goal.h"
#include "kernel/tree.h"

/* A constant pose relative to a frame of the tree, or to the world. */
typedef struct kernel_offset {
    int frame;         /* -1: the world */
    bool is_identity;  /* of `pose` */
    lb_transform pose; /* T_frame_here, T_world_here */
} kernel_offset;

/* One tool to verify. */
typedef struct kernel_check {
    kernel_offset tool;
    kernel_goal goal; /* its axis in the tool's axes */
} kernel_check;

typedef struct kernel_verifier {
    kernel_tree tree;   /* the joints from the root to bases and tips */
    const int *model_q; /* tree.nq: index of each of its values in the model's q */
    lb_transform root;  /* T_world_root */
    kernel_offset base;
    const kernel_check *checks;
    int check_count;
} kernel_verifier;

#endif
