/*
 * elbow.h - what an lb_elbow holds, and its arcs as chains of configurations.
 */
#ifndef IK_ELBOW_H
#define IK_ELBOW_H

#include "ik/closed/chain.h"
#include "ik/closed/curve.h"
#include "ik/closed/motion.h"
#include "ik/closed/swivel.h"
#include "ik/reduce.h"
#include "ik/task.h"

#include <limber/elbow.h>

enum {
    ELBOW_PLACES = 256, /* a circle of each branch has 33 of them */
    ELBOW_NODES = 1024,
    ELBOW_PARTS = 64 /* arcs whose nodes are listed */
};

/* A configuration that may be the best. */
typedef struct elbow_place {
    double q[CLOSED_ARM_JOINTS];
    double angle, value;
    int branch;
    double width; /* of a leader: how far the places beside it are */
} elbow_place;

struct lb_elbow {
    lb_allocator allocator;
    const lb_model *model;
    lb_task task;
    ik_reduction reduction;
    ik_verifier verifier;
    closed_chain chain;
    swivel_arm arm;
    slice_arm slice;
    motion *motion; /* of arms that are no swivel_arm: their angle is a joint's; NULL: of others */
    curve *curve;   /* of arms that are neither: arcs are followed; NULL: of others */
    bool known;     /* the arm is; false: locked joints are where it is none */
    int joint;      /* of the model, whose value the angle is, else as lb_elbow_joint */
    const kernel_ops *ops;
    double *neutral, *row, *start; /* nq numbers */
    elbow_place places[ELBOW_PLACES];
    double *locals, *squares; /* of as many: the problem's values, and det J J^T */
    void *memory, *scratch;
};

/* ---- one pose: elbow_arcs.c ---------------------------------------------- */

/* An arm whose arcs are all known between values of a joint. */
bool elbow_recognise_slice(lb_elbow *elbow);
/* Reads the arm, with locked joints where q has them; NULL when done, else why not. */
const char *elbow_read(lb_elbow *elbow, const double *q, int *joint);
/* Takes the start and the target; LB_INVALID as lb_elbow_arcs has it. */
lb_outcome elbow_accept(lb_elbow *elbow, const lb_transform *target, const double *start,
                        swivel_pose *pose);
/* All arcs, those of a branch by angle, not joined at half a turn; returns how many there are. */
int elbow_find_arcs(lb_elbow *elbow, const swivel_pose *pose, const lb_transform *target,
                    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX]);
/* The joints of a branch at some angles, on some turns. */
void elbow_find_rows(const lb_elbow *elbow, const swivel_pose *pose, int root, int branch,
                     const double *angles, int count, motion_rows *rows);
/* A branch exists at angle k; ends of spans, where a root vanishes, are known to rounding's root.
 */
bool elbow_exists(const lb_elbow *elbow, const motion_rows *rows, int k);
/* The root of the elbow joint that a branch is on, -1: it has none. */
int elbow_root(const lb_elbow *elbow, const swivel_pose *pose, int branch);
/* The configuration of a branch at angle k of the rows, on its turns. */
void elbow_choose(const lb_elbow *elbow, const motion_rows *rows, int k, closed_choice *choice);
/* The chain's joints on a branch that exists at some angles, KERNEL_SLICES at most, inside the
   limits, on the turns nearest to the start. */
void elbow_sample(const lb_elbow *elbow, const swivel_pose *pose, int branch, const double *angles,
                  int count, double (*q)[SWIVEL_JOINTS]);

/* The arcs of a target as chains of nodes from end to end. */
typedef struct elbow_nodes {
    int count, arc_count;
    lb_elbow_arc arcs[ELBOW_PARTS];
    double q[ELBOW_NODES][SWIVEL_JOINTS]; /* the chain's joints */
    int arc[ELBOW_NODES];
} elbow_nodes;

/*
 * Lists the nodes of the arcs, between neighbours of which no joint moves by more than `step`
 * unless room runs out. False where lb_elbow_arcs returns -1.
 */
bool elbow_list_nodes(lb_elbow *elbow, const lb_transform *target, const double *start, double step,
                      elbow_nodes *nodes);

/* From one value of a chain's joint to another, by the smaller turn where it has no limits. */
static inline double elbow_difference(const closed_joint *joint, double from, double to)
{
    return joint->upper == INFINITY && !joint->is_length ? lb_wrap_angle(to - from) : to - from;
}

#endif
