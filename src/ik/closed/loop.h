/*
 * loop.h - the nearest member of a family with one degree of freedom.
 *
 * A family of a closed form is a loop: one joint, or the sum of three, is held at a value that goes
 * round, and the others follow. Where a root that they follow by exists for some values only, both
 * signs of the root meet at either end of that interval, so that the loop goes to one end on one
 * sign and back on the other: with value = middle - half cos(phi) it is smooth in phi.
 */
#ifndef LIMBER_IK_CLOSED_LOOP_H
#define LIMBER_IK_CLOSED_LOOP_H

#include "ik/closed/finder.h"

/* What members of families are looked for; joints in the order of the completed arm. */
typedef struct family_problem {
    const closed_finder *finder;
    const kernel_ops *ops;
    const lb_transform *target;
    double start[KERNEL_CLOSED_JOINTS];
    double position, rotation; /* members may miss the target by this, metres and radians */
    double bound; /* members inside the limits from which on are of no use, squared distance */
    kernel_ranges ranges; /* of family_find(): those of the finder, and corners of the limits */
} family_problem;

/* radians or metres: a member that breaks limits by this is in a corner of them, where rounding
   puts it: it is inside */
#define FAMILY_IN_A_CORNER 1e-7

/* Eight configurations that differ in what `held` says. */
void family_look(const family_problem *p, const kernel_held *held, kernel_members *at);

enum { LOOP_ROOTS = 3 }; /* of the single joint, the pair, the wrist */

typedef struct family_member {
    double q[KERNEL_CLOSED_JOINTS];
    double square;   /* of the distance from the start, INFINITY: there is no such member */
    double beyond;   /* the most by which a joint breaks its limits */
    unsigned moving; /* bits: joints that the family moves */
    int branch;
} family_member;

typedef struct family_loop {
    int held;                 /* the root whose joint goes round */
    int other;                /* the root whose sign changes at the ends */
    double sign[LOOP_ROOTS];  /* of the others; of `other`, too, where the loop is a circle */
    unsigned which;           /* KERNEL_FREE bits of what is held, and */
    double fixed[LOOP_ROOTS]; /* where, of those that do not go round */
    bool is_circle;
    double middle, half; /* else the interval */
    unsigned moving;     /* joints that it moves, whatever samples show */
    double rotation;     /* members may miss the target by this, radians */
    /* set by family_look_round(): */
    int samples;
    family_member best; /* of the first ones */
    double least;       /* what joints that do not move add to squared distances */
    kernel_members first;
} family_loop;

/* Breaks limits less, or as little and is nearer. */
bool family_is_better(const family_member *a, const family_member *b);

/* The lane of members that is best: none breaks limits less, none that does as little is nearer;
   -1: none is a solution. */
int family_best_lane(const family_problem *p, const kernel_members *at);

/* Fills `member` from a lane, all but what moves. */
void family_take(const family_problem *p, const kernel_members *at, int lane, const double *sign,
                 family_member *member);

/* Takes the first samples of a loop, all round. */
void family_look_round(const family_problem *p, family_loop *loop);

/* The member that is nearest to the start inside the limits or, where none is, breaks them least;
   after family_look_round(). False: the loop has none. */
bool family_search(const family_problem *p, const family_loop *loop, family_member *member);

#endif
