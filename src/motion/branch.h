/*
 * branch.h - the branches of an arm along a path: which solution continues which, and how far.
 *
 * An arm all of whose solutions are known (solutions.h) has up to sixteen for each place of a path.
 * Followed along the path each of them is a branch: a continuous motion that ends where two
 * branches meet (a singularity) or where a joint leaves its limits.
 */
#ifndef MOTION_BRANCH_H
#define MOTION_BRANCH_H

#include "motion/pace.h"

#include <limber/motion.h>
#include <limber/solutions.h>

/*
 * Two configurations are on one branch when no joint moves by more than BRANCH_STEP between them
 * (radians or metres), other solutions are BRANCH_DISTINCT times as far, the Jacobian's determinant
 * keeps its sign, and the solution half-way is near their mean; else the path in between is halved,
 * down to BRANCH_LEAST of a frame. A joint that turns faster than that jumps.
 */
#define BRANCH_STEP 0.1
#define BRANCH_DISTINCT 4
#define BRANCH_LEAST 0x1p-20
/* or this share of the path, where frames are few: from a singular start two branches must touch */
#define BRANCH_PIECE 0x1p-26
/* pieces of one frame that are tried at most: what a turn of pi takes, and twenty halvings */
enum { BRANCH_PIECES = 400 };
/* limits are kept to this, as those of solutions.h: rounding of an angle's last turn */
#define BRANCH_LIMIT 1e-9

/* A value of q that a joint of one freedom has. */
typedef struct branch_value {
    int joint, q; /* of the model */
    bool is_angle;
    double lower, upper; /* +-INFINITY for none */
    double step;         /* the most it may move in a frame, INFINITY: any */
} branch_value;

typedef struct branch_thread branch_thread;

typedef struct branches {
    const lb_path *path;
    const lb_model *model;
    int nq, count; /* of values */
    branch_value *values;
    lb_solutions_solver *solver;
    double *rows; /* LB_SOLUTIONS_MAX of nq, as `infos`: the solutions of one place */
    lb_solution infos[LB_SOLUTIONS_MAX];
    double *next;           /* nq */
    double *ahead, *middle; /* nq: the end of a piece that is tried, and half-way to it */
    lb_task task;
    lb_state *state;
    double *jacobian;       /* 2 x 6 nv: working memory */
    int *moving;            /* the columns of values that move the tool, */
    int order;              /* how many; 0: they are not as many as the task's rows */
    branch_thread *threads; /* LB_SOLUTIONS_MAX */
} branches;

/*
 * Prepares the branches of a task along a path, with memory of a pool. Where they are not wanted or
 * solutions cannot all be listed (arms that are redundant or have no such class) it is LB_OK and
 * b->solver NULL: then only limits can be looked at.
 */
lb_status branches_create(branches *b, const lb_model *model, const lb_task *task,
                          const lb_path *path, bool wanted, const lb_ik_options *options,
                          const lb_allocator *pool, lb_error *error);
/*
 * Sets the steps between frames that branches_choose avoids: of more than `jump` (0: any), and
 * those that the joints' speeds do not allow.
 */
void branches_limit_steps(branches *b, const pace *speeds, double jump);

enum { BRANCH_CHOICES = 3 };

/* How a branch is followed, and what came of it. */
typedef struct branch_walk {
    double most, least; /* pieces of the path, shares: none is longer, and none is halved below */
    int pieces;         /* that are tried at most */
    bool limited;       /* limits end it, also between two places */
    /* where branches touch, as at a stretched elbow, the nearest is taken; or the one after it, at
       the i-th of such places if bit i is set. So is what goes straight through a singularity close
       by, or what goes round it */
    unsigned seconds;
    /* takes each place after the first; false: no memory, which ends it. NULL: nothing does */
    bool (*note)(void *user, double share, const double *q);
    void *user;
    int touched, passed; /* such places, and those that it went on from; BRANCH_CHOICES at most */
    double share;        /* where it came to */
    lb_branch_end ended; /* what it ended by, with the joint of a limit, else -1 */
    int joint;
} branch_walk;

/*
 * Fills `to` with the configuration at share `end` that continues `from`, which is a solution at
 * share `begin`. False where the branch ends in between: `to` is then the last one before its end.
 * `from` and `to` may not be the same array.
 */
bool branches_walk(branches *b, branch_walk *walk, double begin, const double *from, double end,
                   double *to);
/* The same from frame to frame. */
bool branches_continue(branches *b, double begin, const double *from, double end, bool limited,
                       double *to, branch_walk *walk);

/*
 * The joint that is farthest outside its limits by more than `tolerance` (less than zero: inside,
 * near them), -1: there is none.
 */
int branches_beyond(const branches *b, const double *q, double tolerance);

/* Moves q to the solution at a share that is near it; false, and q stays: it is not clear which. */
bool branches_settle(branches *b, double share, double *q);

/* Lists the solutions at a share, those near `start` first; returns how many rows of b->rows and
   b->infos there are. */
int branches_list(branches *b, double share, const double *start);

/*
 * Fills q with the solution of frame `frame` of `frames`, in limits, whose branch leads farthest
 * along the path without leaving them and without a step that is too large; of equals
 * the nearest to `near`, and of its turns the nearest that leads as far. False where none is in
 * limits.
 */
bool branches_choose(branches *b, int frame, int frames, const double *near, double *q);

/* The share of the path's time at a frame; a single frame is the end of the path. */
double branches_share(int frame, int frames);

#endif
