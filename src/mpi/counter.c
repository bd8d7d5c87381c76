/*
 * counter.c - a shared count by MPI_Fetch_and_op.
 *
 * Source: MPI 3.1, chapter 11, one-sided communications with passive targets.
 */
#include "mpi/counter.h"

counter counter_create(MPI_Comm job)
{
    counter made;
    int rank;
    MPI_Comm_rank(job, &rank);
    MPI_Win_allocate(rank == 0 ? sizeof *made.count : 0, sizeof *made.count, MPI_INFO_NULL, job,
                     &made.count, &made.window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, made.window);
    if (rank == 0) {
        *made.count = 0;
        MPI_Win_sync(made.window);
    }
    MPI_Barrier(job);
    return made;
}

void counter_release(counter *c)
{
    MPI_Win_unlock_all(c->window);
    MPI_Win_free(&c->window);
}

int64_t counter_next(counter *c)
{
    const int64_t one = 1;
    int64_t before = 0;
    MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, 0, MPI_SUM, c->window);
    MPI_Win_flush(0, c->window);
    return before;
}
