/*
 * follower.h - what an lb_follower holds, and how it comes from frame to frame.
 */
#ifndef MOTION_FOLLOWER_H
#define MOTION_FOLLOWER_H

#include "base/memory.h"
#include "motion/branch.h"
#include "motion/pace.h"
#include "motion/plan.h"

#include <limber/loops.h>
#include <limber/motion.h>
#include <limber/task.h>

/* ---- conditioning ------------------------------------------------------- */

/* The condition number of a task in each configuration. */

/*
 * A task's Jacobian, of which only those directions count that the tool can move in in some
 * configuration: a planar arm is not singular for lack of a third dimension. Where the position has
 * free axes these are the target's, which is not read for other tasks.
 */
typedef struct conditioning {
    const lb_model *model;
    lb_task task;
    double length;         /* metres that a radian counts as */
    int rank;              /* of the Jacobian almost everywhere */
    double *jacobian;      /* 6 x nv of the tip, then of the base */
    double *right;         /* singular vectors: 6 x nv, then 6 x 6 left ones */
    lb_assembly *assembly; /* of a model with loops, else NULL */
} conditioning;

/* How many numbers of working memory it needs. */
size_t conditioning_work(const lb_model *model);

/*
 * `work` and `assembly` (of a model with loops, else NULL) must outlive it; the state's
 * configuration is changed.
 */
void conditioning_start(conditioning *made, const lb_task *task, double length,
                        const lb_transform *target, lb_state *state, lb_assembly *assembly,
                        double *work);

/* The largest singular value divided by the smallest that counts; INFINITY where that is zero. */
double conditioning_at(const conditioning *c, const lb_state *state, const lb_transform *target);

struct lb_follower {
    memory_pool pool;      /* of all else */
    const lb_model *model; /* or the view of it */
    lb_model *view;        /* with what the options change of joints, NULL: nothing */
    lb_task task;
    const lb_path *path;
    int frames, steps, next;
    bool any_start;
    double jump, deviation;
    lb_on_jump on_jump;
    bool has_gains;      /* they do not move the configuration that the motion starts from */
    lb_ik *ik, *descent; /* as the options want; one descent from where it is, */
    lb_ik *paced;        /* and that at the speed of joints, NULL: the arm has none to spare */
    lb_ik *damped;       /* steps that leave singular directions alone, NULL: without branches */
    branches branches;
    plan plan;
    bool is_planned; /* frames are taken from the plan */
    pace pace;
    int left, back; /* frames: the last one on the path, the next one on it; 0: it is on the path */
    int slowest;    /* the joint that it was left for */
    int limited;    /* of the last frame */
    lb_state *state;
    conditioning conditioning;
    double *before;        /* nq: the last frame's configuration */
    double *trial, *piece; /* nq */
    double *last;          /* nq: where the last frame left the arm */
    double *given;         /* nq: where the path was left */
    double *wanted;        /* nq: where it is met again */
    double *first;         /* nq: `before` of the first frame, while it is rehearsed */
    double *velocity;      /* nv */
    bool lost;             /* the last frame was not reached, */
    lb_branch_end ended;   /* and what ended the branch before it */
    int joint;
    double *work;
};

/* ---- from frame to frame: advance.c ------------------------------------- */

/*
 * The frame after the one that f->before is of, as if joints had no speed: q, the frame's result
 * and whether the motion jumps. Where that is to end the motion, q is f->before.
 */
void follower_advance(lb_follower *f, double *q, lb_frame *frame);
/* Ends the motion at the frame before, where q stays. */
void follower_stop(lb_follower *f, double *q, lb_frame *frame);
/* Where frame->ended is a singularity but q is not near one, the path leaves what the arm can
 * reach. */
void follower_find_end(lb_follower *f, const double *q, lb_frame *frame);
/* Remembers whether a frame left the path, and why. */
void follower_remember(lb_follower *f, const lb_frame *frame);
/* The most that a joint moves from one configuration to another, radians or metres; *joint (may be
   NULL) is which, -1: none moves. */
double follower_step(lb_follower *f, const double *from, const double *to, int *joint);

/* How many frames the joints take from one configuration to another, all of them straight; at most
   1: it fits in one. *joint (may be NULL) is the one that takes longest, -1: none moves. */
double follower_frames(const pace *p, const double *from, const double *to, int *joint);

/* Descends to a goal, in place: again where a descent ends early, as joints come to the ends of
   what they may move, and makes it better. */
void follower_descend(const lb_follower *f, lb_ik *ik, const lb_transform *goal, double *q,
                      lb_ik_result *result);
/*
 * Fills `to` with what descents in small steps make of f->before; false: one of them is not small,
 * however near the next place; `to` is then where they came to. Of the walk (NULL: none) `note` is
 * read and `share` set.
 */
bool follower_creep(lb_follower *f, branch_walk *walk, double begin, double end, double *to);
/* The share of the path behind which a motion goes on that begins with a turn in place. */
#define FOLLOWER_TURN 1e-9
/*
 * From the solution `from` at share `begin` of the path in small steps to one at FOLLOWER_TURN
 * behind it, while the tool stays where it is: an exactly straight wrist turns. False: it would not
 * stay, or a joint leave its limits. Of the walk (NULL: none) `note` is read. Changes f->trial,
 * f->piece and f->given.
 */
bool follower_turn(lb_follower *f, branch_walk *walk, double begin, const double *from,
                   const double *to);
/* A result's error in metres, a radian counting as a length. */
double follower_error(const lb_follower *f, const lb_ik_result *result);

/* ---- at the speed of joints: excursion.c -------------------------------- */

/* The same where no joint may be faster than it can. */
void follower_advance_in_pace(lb_follower *f, double *q, lb_frame *frame);

#endif
