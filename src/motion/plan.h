/*
 * plan.h - the motion of a redundant arm along a path with the fewest jumps.
 *
 * A redundant arm that is only led from frame to frame can end between limits that another motion
 * of its spare joint would have avoided. Here all that it can do is followed at once: at places
 * along the path, the configurations that can be reached with so many jumps. Only where there are
 * none left it jumps. A shortest path through these sets is the plan.
 *
 * Configurations are the arcs of elbow.h, as chains of straight pieces. Arms that have no such arcs
 * have sampled solutions at few places instead: pieces without a length.
 */
#ifndef MOTION_PLAN_H
#define MOTION_PLAN_H

#include "ik/elbow.h"
#include "motion/branch.h"

#include <stdint.h>

enum { PLAN_JOINTS = SWIVEL_JOINTS, PLAN_PIECES = 1024 };

/* Where the arm can be at a place. */
typedef struct plan_nodes {
    elbow_nodes list;             /* neighbours with the same arc are joined */
    int part[ELBOW_NODES];        /* arcs that meet are one part; of sampled solutions 0 */
    uint64_t before[ELBOW_PARTS]; /* bits: parts of the last place that lead to a part */
} plan_nodes;

/* An end of a straight piece of what is reached at a place. */
typedef struct plan_end {
    uint64_t before;            /* bits: parts of the last place that lead here */
    float q[PLAN_JOINTS], cost; /* of the cheapest motion to it */
    uint8_t part;
    bool joined; /* to the next end; an end that is joined to none is a piece without a length */
} plan_end;

/* A straight piece: from q to q + d, and the box about it. */
typedef struct plan_piece {
    double q[PLAN_JOINTS], d[PLAN_JOINTS], cost[2];
    double middle[PLAN_JOINTS], half[PLAN_JOINTS];
    uint64_t before;
    int part;
} plan_piece;

typedef struct plan {
    const lb_model *model;
    const lb_path *path;
    lb_elbow *elbow;             /* NULL: solutions are sampled, */
    lb_solutions_solver *solver; /* NULL: neither; the arm is not redundant, or has no class */
    const closed_chain *chain;
    int nq, places;
    double bound[PLAN_JOINTS]; /* the most that a joint may move from place to place, */
    double step[PLAN_JOINTS];  /* and what is looked at */
    double *rows;              /* of nq: the solutions of a place; of an elbow one */
    lb_solution *infos;
    plan_nodes *nodes; /* of two places, and two between them */
    double apart;      /* radians between nodes, at most */
    plan_end *ends;    /* room for `room` */
    int room;
    int *first;         /* places + 1: of each place its first end */
    plan_piece *pieces; /* PLAN_PIECES, of which the last place has `piece_count` */
    int piece_count;
    double *q;    /* places x PLAN_JOINTS: the plan */
    bool *jumps;  /* places: a jump leads to this place */
    double *near; /* nq: values of other joints; orders solutions */
    int jump_count;
} plan;

/*
 * Prepares plans, with memory of a pool. LB_OK, and plan_is_known false, where the arm is not
 * redundant or its solutions are not known. No joint of a plan is faster than `speeds` allow, nor
 * moves by more than `jump` (0: any) in one of `frames` frames.
 */
lb_status plan_create(plan *p, const lb_model *model, const lb_follow *how,
                      const lb_ik_options *options, const pace *speeds, const lb_allocator *pool,
                      lb_error *error);
bool plan_is_known(const plan *p);

/*
 * Plans the path from its beginning: from `start` (nq numbers, which reaches it) or, where `any`,
 * from the solution that needs the fewest jumps, of equals near `start`. False where room runs out
 * or nothing is reached; else p->jump_count is the fewest jumps.
 */
bool plan_make(plan *p, const double *start, bool any);

/* Fills q with what the plan has at a share, between its places interpolated. False, and q is kept:
   nothing reaches the target there. */
bool plan_at(const plan *p, double share, double *q);
/* Moves the plan at a place to a configuration near by. */
void plan_settle(plan *p, int place, const double *q);
/* Whether the plan jumps between two shares. */
bool plan_jumps(const plan *p, double begin, double end);

/* ---- nodes: plan_nodes.c ------------------------------------------------ */

/* Lists the nodes of a place, whole or between two. */
void plan_list_nodes(plan *p, double place, plan_nodes *nodes);
/* What leads to the nodes of a place from those of the last, looked at in so many pieces. */
void plan_link_parts(plan *p, int place, int pieces, const plan_nodes *last, plan_nodes *nodes);

#endif
