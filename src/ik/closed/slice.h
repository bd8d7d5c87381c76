/*
 * slice.h - arms of seven turning joints that have a closed form when the first or the last one is
 * held: Panda, FR3, Fetch, TIAGo.
 *
 * What the other six must do is a trigonometric polynomial of the held joint's value h, and so are
 * the squares under their roots. Between two zeros of these, the turning values, a branch exists
 * everywhere or nowhere. So branches are functions of h on spans with known ends, and two branches
 * meet in an end where a root vanishes.
 *
 * Sources: Burdick 1989, "On the inverse kinematics of redundant manipulators: characterization of
 * the self-motion manifolds"; He and Liu 2021, "Analytical inverse kinematics for Franka Emika
 * Panda" (joint 7 held).
 */
#ifndef LIMBER_IK_CLOSED_SLICE_H
#define LIMBER_IK_CLOSED_SLICE_H

#include "ik/closed/chain.h"
#include "kernel/ops.h"

enum {
    SLICE_JOINTS = 7,
    /* 12 of the degree, 4 of the single joint's limits, what is left undecided, and the ends */
    SLICE_TURNS = 32,
    SLICE_SPANS = 4 * SLICE_TURNS /* of two roots, every other interval, four branches each */
};

typedef struct slice_arm {
    const closed_chain *chain;
    kernel_closed form;
    int held;                        /* in the chain: 0 or the last */
    int joint[KERNEL_CLOSED_JOINTS]; /* the chain's, of the form's */
    double lower, upper;             /* of the held joint, a turn at most */
    bool certain;                    /* the third root, of three axes that meet, always exists */
} slice_arm;

/* Every joint of the arm is one of the model's, and turns. */
bool slice_turns_alone(const closed_chain *chain);
/* False where the chain is no such arm, or slides; it must outlive the result. */
bool slice_recognise(const closed_chain *chain, slice_arm *arm);

/* Values of the held joint between which a branch may exist. */
typedef struct slice_span {
    int branch;
    double begin, end;
} slice_span;

/* Fills *turning for a target: T_base_tip. */
void slice_turn(const slice_arm *arm, const lb_transform *target, kernel_turning *turning);

/*
 * Fills *turning for a target, and the spans of all branches between two values of the held joint,
 * a turn apart at most; returns how many. Outside them
 * a branch does not exist, or its single joint is outside its limits by more than `beside`. -1: too
 * many turning values are double, or nearly so.
 */
int slice_place(const slice_arm *arm, const lb_transform *target, double lower, double upper,
                double beside, kernel_turning *turning, slice_span spans[SLICE_SPANS]);

#endif
