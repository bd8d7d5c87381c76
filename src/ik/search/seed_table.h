/*
 * seed_table.h - a table of configurations that tries can start at.
 *
 * Samples of forward kinematics, found again by the tool's pose. What costs nothing to correct is
 * left out of the comparison: a first joint that rotates the whole chain about its axis, and a last
 * one that rolls the tool about its own.
 */
#ifndef IK_SEARCH_SEED_TABLE_H
#define IK_SEARCH_SEED_TABLE_H

#include "ik/search/kd_tree.h"
#include "kernel/ops.h"
#include "kernel/problem.h"

#include <limber/base.h>

enum {
    SEED_CLASSES = KERNEL_TABLE_CLASSES, /* each returns its nearest sample */
    SEED_MOST = 1 << 20,                 /* samples: indices into the features stay small */
    SEED_LONGEST = 64 /* steps: longer chains have so many solutions that starts hardly matter */
};

typedef struct ik_seed_table {
    const kernel_problem *problem;
    int count; /* samples; 0: there is no table */
    kernel_table table;
    const kernel_ops *comparing; /* the kernel that compares samples: the widest */
    ik_kd_tree tree;
    float *rows;     /* of each leaf half of |features|^2, then rows of features, a number for each
                        sample, */
    int padded_rows; /* padded to as many as are compared together */
    void *memory;
} ik_seed_table;

/* The result of a look-up. */
typedef struct ik_seed_choice {
    kernel_key target;
    int leaf;                      /* the target's leaf */
    int rows[SEED_CLASSES];        /* the best sample of each class, in its leaf */
    float distances[SEED_CLASSES]; /* as the kernel returns them; INFINITY once taken */
    unsigned postponed;            /* a bit for each class whose sample comes last */
} ik_seed_choice;

/*
 * Builds a table of about `count` samples, random in the limits and about `neutral` (local) where
 * there are none. Problems of several tasks, and `count` 0, get an empty table. False when there is
 * no memory.
 */
bool ik_seed_table_create(ik_seed_table *seeds, const kernel_problem *problem,
                          const kernel_ops *ops, int count, const double *neutral,
                          const lb_allocator *allocator);

/* Finds the samples nearest to the targets of up to ops->width problems. */
void ik_seed_table_look(const ik_seed_table *seeds, const kernel_ops *ops,
                        const lb_transform *const *targets, ik_seed_choice *const *choices,
                        int count);

/*
 * The starts from the nearest samples that were not taken yet, one for each of up to ops->width
 * problems: rotated to the targets, on the whole turns nearest to `near`, within the limits. Values
 * of no variable are those of `near`. Samples whose limits prevent that come last, as near as they
 * allow. SEED_CLASSES times at most.
 */
void ik_seed_table_take(const ik_seed_table *seeds, const kernel_ops *ops,
                        ik_seed_choice *const *choices, const double *const *near, double *const *q,
                        int count);

/*
 * The next starts of one problem, the same in the same order: of `count`, at most ops->width and as
 * many as are left, into rows of q. Returns how many, perhaps none the first time.
 */
int ik_seed_table_take_next(const ik_seed_table *seeds, const kernel_ops *ops,
                            ik_seed_choice *choice, const double *near, double *q, int count);

/* ---- sample ------------------------------------------------------------- */

/*
 * A random configuration of a problem, for the samples of the table of seeds and for tries that
 * start at random.
 */

/*
 * Uniform in the limits; half a turn or three lengths about `near` where there are none. A slide
 * that is far longer than the links and the way to the targets (NULL: none) is cut to these.
 */
void ik_sample(const kernel_problem *problem, lb_random *random, const double *near,
               const lb_transform *targets, double *q);

#endif
