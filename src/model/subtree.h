/*
 * subtree.h - the elements from the root to some links, copied into a tree of their own.
 */
#ifndef MODEL_SUBTREE_H
#define MODEL_SUBTREE_H

#include "model/layout.h"

typedef struct subtree {
    const lb_model *model;
    int *elements; /* of each element of the model: its index in the subtree, -1: not in it */
    int *values;   /* of each number of the model's q: likewise */
    int count, nq; /* elements and values of the subtree; set by subtree_number */
} subtree;

/* The ints that a subtree of a model works with, and an empty subtree in so many. */
size_t subtree_work(const lb_model *model);
subtree subtree_start(const lb_model *model, int *work);

/* Adds the elements from the root to a link; LB_WORLD adds none. */
void subtree_add(subtree *s, int link);

/* Numbers what was added, in the model's order, so that parents still precede children. */
void subtree_number(subtree *s);

/* The index of the last element of a link's joint, -1 for the root link and LB_WORLD. */
int subtree_element(const subtree *s, int link);

/*
 * Copies the elements; only those of links passed to subtree_keep afterwards, and those that need
 * it, are stored by forward kinematics. Joints keep the model's q, or get that of the subtree
 * where `model_q` (nq numbers) is not NULL: model_q[i] is where value i is in the model's q.
 */
void subtree_copy(const subtree *s, kernel_joint *joints, kernel_block *blocks, int *model_q);
void subtree_keep(const subtree *s, int link, kernel_joint *joints);

#endif
