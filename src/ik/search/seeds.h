/*
 * seeds.h - a table of configurations to begin tries at.
 *
 * Samples of forward kinematics, found again by where they bring the tool. What
 * costs nothing to correct is left out of the comparison: a first joint that turns
 * the whole chain about its axis, and a last one that rolls the tool about its own.
 */
#ifndef IK_SEARCH_SEEDS_H
#define IK_SEARCH_SEEDS_H

#include "ik/search/kd_tree.h"
#include "kernel/ops.h"

enum {
    SEED_CLASSES = KERNEL_TABLE_CLASSES, /* each offers its nearest sample */
    SEED_MOST = 1 << 20                  /* samples: indices into the features stay small */
};

typedef struct ik_seeds {
    const kernel_problem *problem;
    int count; /* samples; 0: there is no table */
    kernel_table table;
    const kernel_ops *comparing; /* the kernel that compares samples: the widest there is */
    ik_kd_tree leaves;
    float *where; /* of each leaf half of |features|^2, then features rows, a number a sample, */
    int room;     /* and filled up to as many as are compared together */
    void *memory;
} ik_seeds;

/* What a look-up found. */
typedef struct ik_seed_choice {
    kernel_key goal;
    int leaf;                      /* where the goal lies */
    int rows[SEED_CLASSES];        /* the best sample of each class, in its leaf */
    float distances[SEED_CLASSES]; /* as the kernel gives them; INFINITY once it is taken */
    unsigned postponed;            /* a bit for each class whose sample was put back to come last */
} ik_seed_choice;

/*
 * Builds a table of about `count` samples, at random in the limits and about
 * `neutral` (local) where there are none. Problems of several tasks, and `count` 0, get
 * an empty table. False when there is no memory.
 */
bool ik_seeds_create(ik_seeds *seeds, const kernel_problem *problem, const kernel_ops *ops,
                     int count, const double *neutral, const lb_allocator *allocator);

/* Finds the samples that come nearest to goals, of up to ops->width problems. */
void ik_seeds_look(const ik_seeds *seeds, const kernel_ops *ops, const lb_transform *const *goals,
                   ik_seed_choice *const *choices, int count);

/*
 * The starts that the nearest samples give which were not taken yet, one for each of up to
 * ops->width problems: turned and rolled to the goals, on the whole turns nearest to `near`, within
 * the limits. Values that are no variable's are those of `near`. What the limits forbid comes
 * last, and as near as they allow. SEED_CLASSES times at most.
 */
void ik_seeds_take(const ik_seeds *seeds, const kernel_ops *ops, ik_seed_choice *const *choices,
                   const double *const *near, double *const *q, int count);

/*
 * The next starts of one problem, the same in the same order: of `count`, at most ops->width
 * and as many as are left, into rows of q. Answers how many it found, perhaps none the first time.
 */
int ik_seeds_take_next(const ik_seeds *seeds, const kernel_ops *ops, ik_seed_choice *choice,
                       const double *near, double *q, int count);

/* Uniform in the limits; half a turn or three lengths about `near` where there are none. */
void ik_seeds_random(const kernel_problem *problem, lb_random *random, const double *near,
                     double *q);

#endif
