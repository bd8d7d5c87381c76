/*
 * chain.h - the arm that a task moves, and the arm of six joints that it is solved as.
 *
 * What the target leaves open is made up by joints that do not exist, behind the tool: a free
 * axis is one that turns about it, a position alone three that turn about its origin, a
 * rotation alone and free positions are joints that slide. Their values do not matter. An arm that
 * still has fewer than six joints is completed by joints that must end at zero: only then
 * is a solution one. So planar arms, SCARA and arms of five joints are cases of the same few
 * classes.
 */
#ifndef LIMBER_IK_CLOSED_CHAIN_H
#define LIMBER_IK_CLOSED_CHAIN_H

#include "ik/closed/class.h"
#include "ik/reduce.h"
#include "math/scalar.h"

/* A joint of the model that moves the tool. */
typedef struct closed_joint {
    int joint, q;        /* of the model: index of the joint, and of its value */
    double lower, upper; /* +-INFINITY for none */
    double unit;         /* metres or radians that count as one in distances, by its weight */
    bool is_length;
    int place; /* in `arm`, -1: nothing depends on it, and it keeps its value */
} closed_joint;

/* A joint that cannot turn all round. */
static inline bool closed_is_limited(const closed_joint *joint)
{
    return joint->upper - joint->lower < 2 * LB_PI;
}

/* An angle between minus half a turn and half a turn. */
static inline double closed_wrapped(double x)
{
    return x - 2 * LB_PI * scalar_round(x * (1 / (2 * LB_PI)));
}

typedef struct closed_chain {
    closed_joint joints[CLOSED_ARM_JOINTS];
    int count;
    closed_arm arm;               /* those with a place, then those that represent what is free */
    int real;                     /* joints of the arm that are the model's */
    double idle_shift, idle_turn; /* what joints without a place move the tool by at most */
    int locked[CLOSED_ARM_JOINTS * 2];   /* model q: values that the arm depends on, */
    double value[CLOSED_ARM_JOINTS * 2]; /* and which it was made for */
    int locked_count;
} closed_chain;

/*
 * Reads the arm out of the reduction of one task. `q` (the model's) gives the values of locked
 * joints. NULL when done; else why there is no such arm: constant text, and *joint is the
 * model's joint that is the reason, or -1.
 */
const char *closed_chain_read(const lb_model *model, const ik_reduction *reduction,
                              const lb_task *task, const double *q, closed_chain *chain,
                              int *joint);

/* True when locked joints of q are where the chain was made for. */
bool closed_chain_fits(const closed_chain *chain, const double *q);

/* An arm of six joints made of a chain's, with joints that must be zero. */
typedef struct closed_completion {
    closed_arm arm;
    int place[CLOSED_ARM_JOINTS]; /* of each joint, in the chain's arm; -1: must be zero */
    double
        slant; /* of slides and turns that have changed places, which are parallel but for that */
} closed_completion;

/* The completions to try, in order, of an arm of fewer than six joints (or the arm itself, of
   six): fills up to CLOSED_COMPLETIONS and returns how many. */
enum { CLOSED_COMPLETIONS = 4 };
int closed_chain_complete(const closed_chain *chain, closed_completion *completions);

/*
 * The arm that is left of a chain of seven joints when joint `place` of its arm is held at `value`:
 * axes behind it are moved along.
 */
closed_completion closed_chain_hold(const closed_chain *chain, int place, double value);

/* ---- choice ---------------------------------------------------------------- */

/*
 * On which turn the angles of a solution are, inside the limits and near a start.
 *
 * Joints are independent here: each angle is brought to the turn that is nearest to the start
 * among those inside the limits or, where there is none, to the one that breaks them least.
 */

/* A solution on one turn. */
typedef struct closed_choice {
    double q[CLOSED_ARM_JOINTS]; /* in the order of chain.joints */
    double square;               /* of the distance from the start */
    double beyond;               /* the most that a joint is outside its limits; 0: none is */
    int worst;                   /* that joint, in the order of chain.joints; -1: none */
} closed_choice;

/* An angle on the turn that closed_choose takes, of two that are beside the limits the nearer. */
double closed_choose_turn(const closed_joint *joint, double q, double start, double beside);

/* Fills *choice for a solution's `q`, and `start`, both in the order of chain.joints. The turn that
   is nearest to the start is taken where it is no more than `beside` outside the limits, else the
   nearest inside them. */
void closed_choose(const closed_chain *chain, const double *q, const double *start, double beside,
                   closed_choice *choice);

/*
 * The other turns that the limits leave room for, `choice` itself first: up to `room` in
 * `copies`. Returns how many there are, room + 1 where they are more.
 */
int closed_copies(const closed_chain *chain, const closed_choice *choice, const double *start,
                  closed_choice *copies, int room);

#endif
