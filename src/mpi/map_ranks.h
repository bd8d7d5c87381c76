/* map_ranks.h - a map decided by the processes of a job. */
#ifndef MPI_MAP_RANKS_H
#define MPI_MAP_RANKS_H

#include "cli/work/map_file.h"

/*
 * Every process takes tiles by the shared counter and writes their records to their places in the
 * array, which has undecided cells until then: a job that ends in any way leaves a map that
 * --resume goes on with, as limber workspace does.
 */
map_computer map_ranks_compute;

#endif
