/* ranks.h - what the processes of a job have in common. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include "cli/work/maps.h"
#include "cli/work/rows_job.h"

#include <mpi.h>
#include <stdbool.h>

/* The first process of the job. */
bool ranks_is_first(void);

/* Whether all processes say so; all of them call it. */
bool ranks_all(bool fine);

/* What all would print alike the others leave to the first, until they work on their own. */
void ranks_be_quiet(void);
void ranks_speak(void);

/* Prints what MPI says of a file. Returns false. */
bool ranks_complain(const char *path, int code);

/* ---- ik ranks ----------------------------------------------------------- */

/* Targets of inverse kinematics solved by the processes of a job. */

/* Every process reads all targets, solves the tiles that it takes by the shared counter, and writes
   their rows to their places in the array that --output names: the bytes of limber ik. */
solve_sharing ik_ranks_solve;

/* ---- map ranks ---------------------------------------------------------- */

/* A map decided by the processes of a job. */

/*
 * Every process takes tiles by the shared counter and writes their records to their places in the
 * array, which has undecided cells until then: a job that ends in any way leaves a map that
 * the same command goes on with, and limber workspace, too.
 */
map_computer map_ranks_compute;

#endif
