/*
 * solutions.h - what an lb_solutions_solver holds.
 */
#ifndef IK_SOLUTIONS_H
#define IK_SOLUTIONS_H

#include "ik/closed/chain.h"
#include "ik/closed/finder.h"
#include "ik/task.h"

#include <limber/solutions.h>

/* solutions on all their turns: what is more is counted as truncated */
enum { ENTRIES = 512 };

/* The target, and the start as the model's configuration, and in the chain's joints. */
typedef struct solutions_problem {
    const lb_transform *target;
    const double *start;
    double from[CLOSED_ARM_JOINTS];
} solutions_problem;

/* The properties of a row's solution on any turn. */
typedef struct row_source {
    int branch, multiplicity;
    bool family;
    double position, rotation; /* errors */
} row_source;

struct lb_solutions_solver {
    lb_allocator allocator;
    const lb_model *model; /* or the view of it */
    lb_model *view;        /* with what the options change of joints, NULL: nothing */
    lb_task task;
    lb_solutions_options options;
    ik_reduction reduction;
    ik_verifier verifier;
    closed_finder finder;
    bool finds; /* the finder is made; false: locked joints are where there is none */
    const kernel_ops *ops;
    double *neutral, *row, *start; /* nq numbers */
    closed_set set;
    double *columns; /* of the verifier's numbers, KERNEL_CLOSED_BRANCHES each */
    int *chain_of;   /* of each of these numbers, -1: no joint of the chain, */
    int *form_of;    /* and -1: none of the form */
    void *scratch;   /* of the verifier, on a cache line */
    bool plain; /* the arm's joints are those of a form, and nothing is asked but its branches */
    closed_choice choices[ENTRIES]; /* rows that may be listed */
    row_source sources[ENTRIES];    /* of each row: its solution */
    int order[ENTRIES];             /* of the rows: nearest first */
    int choice_count;
    void *memory;
};

/* ---- confirming ------------------------------------------------------------- */

/* Confirms the solutions of the set, drops those that are none, and takes those that break limits
   by rounding inside of them. */
void ik_solutions_confirm(lb_solutions_solver *solver, const solutions_problem *problem);

/* Where no solution of the set is inside the limits, follows its families until a member is, which
   takes the place of the one that it was followed from. */
void ik_solutions_follow(lb_solutions_solver *s, const solutions_problem *problem);

/* ---- plain -------------------------------------------------------------- */

/*
 * Targets whose branches are all there is to say: none is one of a family or beside a double root,
 * each is confirmed as it is, and none hardly breaks its limits. Nearly all targets are so; for
 * others the finder's set is made.
 */

/* Where a target's rows go. */
typedef struct solutions_rows {
    int capacity;
    double *q;
    lb_solution *solutions;
} solutions_rows;

/* Lists a target's branches, with the results of lb_solutions; false, and nothing is written: the
   target is not plain. */
bool ik_solutions_list_plain(lb_solutions_solver *solver, const solutions_problem *problem,
                             const kernel_solutions *branches, const solutions_rows *rows,
                             lb_solutions_summary *summary);

/* The outcome of a target, and the joints of an infinite family: bits of the chain's joints. */
void ik_solutions_summarise(const lb_solutions_solver *solver, unsigned open, lb_reason proof,
                            lb_solutions_summary *summary);

#endif
