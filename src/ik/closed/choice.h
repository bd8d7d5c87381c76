/*
 * choice.h - on which turn the angles of a solution are, inside the limits and near a start.
 *
 * Joints are independent here: each angle is brought to the turn that is nearest to the start
 * among those inside the limits or, where there is none, to the one that breaks them least.
 */
#ifndef LIMBER_IK_CLOSED_CHOICE_H
#define LIMBER_IK_CLOSED_CHOICE_H

#include "ik/closed/chain.h"

/* A solution on one turn. */
typedef struct closed_choice {
    double q[CLOSED_ARM_JOINTS]; /* in the order of chain.joints */
    double square;               /* of the distance from the start */
    double beyond;               /* the most that a joint is outside its limits; 0: none is */
    int worst;                   /* that joint, in the order of chain.joints; -1: none */
} closed_choice;

/* Fills *choice for a solution's `q`, and `start`, both in the order of chain.joints. */
void closed_choose(const closed_chain *chain, const double *q, const double *start,
                   closed_choice *choice);

/*
 * The other turns that the limits leave room for, `choice` itself first: up to `room` in
 * `copies`. Returns how many there are, room + 1 where they are more.
 */
int closed_copies(const closed_chain *chain, const closed_choice *choice, const double *start,
                  closed_choice *copies, int room);

#endif
