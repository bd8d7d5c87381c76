/*
 * subtree.h - the elements that some links depend on, copied into a tree of their own.
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
/* Adds the elements between two links, each of which may be LB_WORLD. */
void subtree_add_between(subtree *s, int from, int to);

/*
 * Numbers the elements that were added, and their values, in the model's order: parents still
 * precede children.
 */
void subtree_number(subtree *s);

/* Fills nq numbers: where each value of the subtree is in the model's q. */
void subtree_list_values(const subtree *s, int *model_q);

/* The index of the last element of a link's joint, -1 for the root link and LB_WORLD. */
int subtree_element(const subtree *s, int link);

/*
 * Copies the elements; only those of links passed to subtree_keep afterwards, and those that need
 * it, are stored by forward kinematics. Joints keep the model's q, or get that of the subtree
 * where `model_q` (nq numbers) is not NULL; it is then filled as by subtree_list_values.
 */
void subtree_copy(const subtree *s, kernel_joint *joints, kernel_block *blocks, int *model_q);
void subtree_keep(const subtree *s, int link, kernel_joint *joints);

#endif
