/*
 * solver.h - what an lb_ik holds.
 */
#ifndef IK_SOLVER_H
#define IK_SOLVER_H

#include "ik/closed/finder.h"
#include "ik/closed/swivel.h"
#include "ik/iteration.h"
#include "ik/plane.h"
#include "ik/search/search.h"
#include "ik/search/seed_table.h"
#include "ik/task.h"

#include <limber/batch.h>

enum {
    /* a batch begins and ends so many problems at once; others are being solved meanwhile */
    IK_BLOCK = 8,
    IK_SEARCHES = KERNEL_MAX_WIDTH + 2 * IK_BLOCK
};

struct lb_ik {
    lb_allocator allocator;
    struct ik_linkage *linkage; /* of a model with loops: linkage.c. NULL: the tree is solved */
    const lb_model *model;      /* or the view of it */
    lb_model *view;             /* with what the options change of joints, NULL: nothing */
    lb_ik_options options;
    const lb_method *method;
    lb_task *tasks;
    int task_count;
    ik_reduction reduction;
    ik_verifier verifier;
    ik_seed_table seed_table;
    bool gradual_posture; /* gains move a solution by one step, not to the least sum */
    bool no_reasons;      /* results have no reason but a proof's */
    bool exact;           /* the arm has a closed form: search/exact.c */
    bool complete;        /* it has none, but all solutions are known: search/complete.c */
    bool redundant;       /* of seven joints, with a closed form where one is held */
    bool swivels;         /* of seven joints whose elbow goes round: */
    swivel_reach reach;   /* how far, which proves some targets to be out of reach */
    bool held;            /* the starts have values of locked joints, on which lengths depend */
    bool bounded;         /* `planes` may prove targets out of reach */
    closed_finder finder; /* in each of these cases */
    kernel_ranges ranges; /* the finder's, for the nearest with turns a little outside */
    double nearly_open; /* of those with a closed form: discriminants up to this may be families */
    kernel_control control;
    struct ik_arcs *arcs; /* of arms of seven joints: search/arcs.c; NULL: not wanted, or unknown */
    const kernel_ops *ops, *single; /* the kernel at the width of the options, and at width 1 */

    /* working memory */
    ik_search searches[IK_SEARCHES];  /* a single problem uses the first */
    ik_iteration iteration;           /* for methods that the kernel does not implement */
    ik_plane *planes;                 /* of each task; where `held`, of the neutral start alone */
    double *neutral;                  /* whole model */
    double *exhausted;                /* whole model: the start of the last solve whose budget was
                                         used up */
    double *replayed;                 /* whole model: where it leads again, see explain.c */
    double *trial;                    /* whole model: the configuration being verified */
    double *lane_starts;              /* local: a random start for each lane */
    double *columns;                  /* of the verifier's numbers, KERNEL_CLOSED_BRANCHES each */
    int *column_joints;               /* of each of them: the joint of the finder's arm, or -1 */
    void *scratch, *verifier_scratch; /* of the kernel, on a cache line */
    void *memory;                     /* one block for all of it */
};

/*
 * The solver of a tree, without the loops beside it; each is the function of ik.h and batch.h of
 * the same name. lb_ik_create makes one for every model, and for one with loops a linkage.
 */
lb_status ik_tree_create(const lb_model *model, const lb_task *tasks, int n,
                         const lb_ik_options *options, const lb_allocator *allocator, lb_ik **ik,
                         lb_error *error);
void ik_tree_release(lb_ik *ik);
lb_outcome ik_tree_solve(lb_ik *ik, const lb_transform *targets, const double *start, double *q,
                         lb_ik_result *result);
size_t ik_tree_batch_solve(lb_ik *ik, const lb_batch *batch, size_t begin, size_t end);
lb_progress ik_tree_step(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result);
size_t ik_tree_explain(lb_ik *ik, const lb_transform *targets, const double *q,
                       const lb_ik_result *result, char *text, size_t size);

/*
 * Until the next call each joint that turns about or slides along one axis stays within
 * velocity / rate of its value in `from` (nq numbers) and inside its limits. Balls are not
 * narrowed. For solvers that descend from `from`, without seeds, samples and closed forms.
 */
void ik_narrow(lb_ik *ik, const double *from, double rate);

#endif
