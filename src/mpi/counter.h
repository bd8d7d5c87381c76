/*
 * counter.h - numbers 0, 1, 2 ... handed out to the processes of a job, each to one of them.
 *
 * The count is in the memory of the first process, which takes no part: the others read and raise
 * it by one-sided operations of MPI. No process waits for another, and a slow one takes fewer.
 */
#ifndef MPI_COUNTER_H
#define MPI_COUNTER_H

#include <mpi.h>
#include <stdint.h>

typedef struct counter {
    MPI_Win window;
    int64_t *count; /* of the first process */
} counter;

/* All processes call these together. */
counter counter_create(MPI_Comm job);
void counter_release(counter *c);

/* The next number. */
int64_t counter_next(counter *c);

#endif
