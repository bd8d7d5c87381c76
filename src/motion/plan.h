/*
 * plan.h - the motion of a redundant arm along a path, planned so that it need not jump.
 *
 * A redundant arm that is only led from frame to frame can end between limits that another motion
 * of its spare joint would have avoided. Here all its solutions at some places of the path, for
 * sampled values of one joint, are the nodes of a graph; a shortest path through it is the plan.
 */
#ifndef MOTION_PLAN_H
#define MOTION_PLAN_H

#include <limber/motion.h>
#include <limber/solutions.h>

/*
 * Places of the path, and values of the spare joint at each: an eighth of a radian apart over a
 * whole turn. More of them find paths through narrower gaps, and take longer.
 */
enum { PLAN_PLACES = 49, PLAN_VALUES = 48, PLAN_NODES = 8 * PLAN_VALUES };

typedef struct plan {
    const lb_model *model;
    const lb_path *path;
    int nq;
    lb_solutions_solver
        *solver;      /* NULL: the arm is not redundant, or its solutions are not known */
    double *rows[2];  /* PLAN_NODES of nq: this place's, and the last one's */
    double *costs[2]; /* PLAN_NODES each */
    lb_solution *infos;
    int *from;             /* PLAN_PLACES x PLAN_NODES: the node before, -1: a jump leads here */
    double *q;             /* PLAN_PLACES x nq: the plan */
    bool *jumps;           /* PLAN_PLACES: the link to this place is a jump */
    int ends[PLAN_PLACES]; /* of each place the node that is cheapest to come to */
    double *near;          /* nq: orders the solutions, the same at every place */
    int jump_count;
} plan;

/* Prepares plans, with memory of a pool; LB_OK and solver NULL where the arm is not redundant. */
lb_status plan_create(plan *p, const lb_model *model, const lb_task *task, const lb_path *path,
                      const lb_ik_options *options, const lb_allocator *pool, lb_error *error);

/*
 * Plans the path from its beginning: from `start` (nq numbers, which reaches it) or, where `any`,
 * from the solution that needs the fewest jumps, of equals near `start`. False where some place
 * has no solution in limits; else p->jump_count is the fewest jumps.
 */
bool plan_make(plan *p, const double *start, bool any);

/* Fills q with what the plan has at a share, between its places interpolated. */
void plan_at(const plan *p, double share, double *q);
/* Whether the plan jumps between two shares. */
bool plan_jumps(const plan *p, double begin, double end);

#endif
