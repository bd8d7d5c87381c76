/* ik_ranks.h - targets of inverse kinematics solved by the processes of a job. */
#ifndef MPI_IK_RANKS_H
#define MPI_IK_RANKS_H

#include "cli/work/solve.h"

/*
 * Every process reads all targets, solves the blocks that it takes by the shared counter, and
 * writes their rows to their places in the array that --output names: the bytes of limber ik.
 */
solve_sharing ik_ranks_solve;

#endif
