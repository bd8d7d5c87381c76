/*
 * finder.h - every solution of one task, by the method that the arm's class has.
 *
 * A finder is a plain struct: made once, then read by any number of queries. Solutions are in the
 * joints of the chain; which turn an angle is on, and limits, are choice.h's.
 */
#ifndef LIMBER_IK_CLOSED_FINDER_H
#define LIMBER_IK_CLOSED_FINDER_H

#include "ik/closed/chain.h"
#include "ik/closed/general.h"
#include "ik/closed/newton.h"
#include "ik/closed/nominal.h"
#include "ik/closed/radius.h"

#include <limber/solutions.h>
#include <limber/task.h>

enum { CLOSED_SOLUTIONS = 16 };

typedef struct closed_finder {
    closed_chain chain;
    lb_arm_class arm_class;
    closed_completion completion;       /* the arm of six joints */
    kernel_closed form;                 /* where the class has one */
    closed_snap snap;                   /* what the class neglects of the arm */
    double clear_above, clear_within;   /* see closed_clear_above: metres from the origin, */
    double proof_above;                 /* and the same for `slack`, and for CLOSED_PROOF_BOX */
    kernel_ranges ranges;               /* of the completed arm's joints, */
    int columns[KERNEL_CLOSED_JOINTS];  /* where they are in the model's q, -1: nowhere, */
    int chain_of[KERNEL_CLOSED_JOINTS]; /* and in chain.joints; */
    bool direct;                        /* all joints of the chain are among them */
    double size;                        /* metres */
    int held;          /* of redundant arms: the place in chain.arm that is held, else -1 */
    double value;      /* at this */
    bool held_last;    /* that is the last joint: the rest is prepared for another value of it, */
    lb_transform tool; /* and this moves targets to there, on their right */
    bool general_allowed, is_general; /* the arm of six joints has no closed form: */
    general_arm general;              /* then it is solved by this, */
    closed_nominal nominal;           /* or, where it nearly has one, first by that; */
    closed_slack slack;               /* what proofs leave room for, see closed_slack_of */
    bool certifies; /* what is only expected to be all is solved by the slower way, too */
    bool certain;   /* its axes are far enough apart that zeros which were not found are none */
    const kernel_general_ops *ops;
} closed_finder;

/* A solution, on its turns. */
typedef struct closed_solution {
    closed_choice choice;            /* in the order of chain.joints */
    double arm_q[CLOSED_ARM_JOINTS]; /* the same in the order of chain.arm */
    int branch;
    int multiplicity;
    bool meets;                /* of general arms: another one is near, or the same */
    unsigned open;             /* bits: joints of the chain that move in an infinite family */
    double position, rotation; /* errors, set when it is confirmed */
} closed_solution;

/* What one target gives. */
typedef struct closed_set {
    closed_solution solutions[CLOSED_SOLUTIONS];
    int count;
    bool complete, certified; /* see lb_solutions_summary */
    bool clear;               /* of general arms: complete, or empty by a test as strict */
    bool expected;            /* complete as far as can be seen, which proves nothing */
    /* by how much what was left out is no solution, in radians or metres: joints that must be zero,
       squared where solutions nearly meet, or the error of singular configurations; INFINITY:
       nothing was. 0 for closed forms */
    double nearest_miss;
    /* that no configuration inside the limits comes within the finder's slack of the target */
    lb_reason proof;
} closed_set;

/*
 * Looks at what a confirmed solution says of itself by the arm's own joints, without those that
 * completed it: joints that move the tool are free of no family, and branches of the completed arm
 * may be one simple root of the arm's own. False: it is of no family although it was said to be.
 */
bool closed_settle(const struct closed_finder *finder, closed_solution *s);

/* What a finder may do. */
typedef struct closed_finder_options {
    bool general; /* arms without a closed form are solved, too: far slower than those with one */
    int width;    /* of the kernel for these; 0: what the machine has */
    double position, rotation; /* what a proof holds for; 0: CLOSED_CONFIRMED */
    bool certifies; /* a proof is wanted that a set is complete, of nearly closed ones, too */
} closed_finder_options;

/*
 * Makes a finder for the arm of a reduction. NULL when done; else why there is no such arm, as
 * closed_chain_read. `q` gives the values of locked joints.
 */
const char *closed_finder_make(const lb_model *model, const ik_reduction *reduction,
                               const lb_task *task, const double *q,
                               const closed_finder_options *options, closed_finder *finder,
                               int *joint);

/* The branches of a closed form for T_base_goal, of an arm of which no joint is held. */
void closed_branches(const closed_finder *finder, const kernel_ops *ops, const lb_transform *target,
                     const double *start, kernel_solutions *branches);

/* joints whose branches may be one another's doubles have less than this as their discriminant */
#define CLOSED_MAY_BE_DOUBLE 1e-10
/* discriminants up to which a wrist may be in line: the square of the root of rounding, beside a
   double root before it */
#define CLOSED_FAMILY_NEAR 1e-15

/*
 * Every solution for T_base_goal, on the turns near to `start` (chain's joints), whose values
 * joints that nothing determines take. They are not confirmed yet: where rounding was magnified, or
 * a joint that must be zero is nearly so, closed_polish mends it. `branches`: see closed_branches,
 * or NULL.
 */
void closed_find(const closed_finder *finder, const kernel_ops *ops, const lb_transform *target,
                 const double *start, const kernel_solutions *branches, closed_set *set);

/* Newton's method from a solution, in place; returns the error that is left, metres or radians. */
double closed_polish(const closed_finder *finder, const lb_transform *target, const double *start,
                     closed_solution *s);

/* The joints of the chain at the values of its arm; those without a place as `hint` has them. */
void closed_from_arm(const closed_chain *chain, const double *arm_q, const double *hint, double *q);

/*
 * Holds the joint of a redundant arm at another value. Returns false where nothing solves the
 * arm that is left.
 */
bool closed_finder_hold(closed_finder *finder, double value);

/* True for an arm with a closed form, which the kernel solves. */
bool closed_has_form(const closed_finder *finder);

/*
 * A solution's error in metres or radians is at most this. Rounding leaves 1e-15 times the
 * arm's size in metres; targets whose own axes are rounded to ten digits must still count.
 */
#define CLOSED_CONFIRMED 1e-9
/* errors below this are rounding: 2^-52 in a dozen products of sizes up to ten metres */
#define CLOSED_ROUNDING 2e-14

/* ---- describe ----------------------------------------------------------- */

/* Why an arm is of its class, in words: which axes meet and which are parallel. */

/* As lb_solutions_describe. */
size_t closed_describe(const lb_model *model, const closed_finder *finder, char *text, size_t size);

/* The chain's joint that a redundant arm's finder holds; NULL: it represents what the task leaves
   open. */
const closed_joint *closed_held_joint(const closed_finder *finder);

/* ---- limits ------------------------------------------------------------- */

/* Solutions at the limits of joints, and the values that a held joint is tried at. */

/*
 * Takes a solution that breaks limits by CLOSED_BESIDE at most to them, and what is free after it.
 * False where it breaks none, or more; it is not confirmed.
 */
bool closed_bring_inside(const closed_chain *chain, const lb_transform *target, const double *start,
                         closed_solution *s);

/* Follows the family of a solution outside the limits both ways, some turns in all, until a member
   is inside, which takes its place. False: none was met. Not of arms with a held joint. */
bool closed_follow(const closed_finder *finder, const lb_transform *target, const double *start,
                   closed_solution *s);

/*
 * Value k of `count` of the held joint: evenly spaced over its range, the start's own first; of a
 * slide over as much of it as the arm's length may make up for.
 */
double closed_held_value(const closed_finder *finder, const lb_transform *target,
                         const double *start, int k, int count);

/* ---- spare ----------------------------------------------------------------- */

/*
 * The first joint of the path to a task's tip without which the arm has as many joints as the task
 * has constraints, and is of a class whose solutions can be listed; -1: no single joint is that.
 * `width` is that of the kernel.
 */
int closed_find_spare(const lb_model *model, const lb_task *task, int width,
                      const lb_allocator *allocator);

#endif
