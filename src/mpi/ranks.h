/* ranks.h - what the processes of a job have in common. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

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

#endif
