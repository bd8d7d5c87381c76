/* ranks.c - what the processes of a job have in common. */
#define _POSIX_C_SOURCE 200809L

#include "mpi/ranks.h"

#include "cli/report/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* the error stream of a process that is quiet; -1: it speaks */
static int kept = -1;

bool ranks_is_first(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

bool ranks_all(bool fine)
{
    int own = fine, all;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

void ranks_be_quiet(void)
{
    int nothing = ranks_is_first() ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0)
        return;
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    close(nothing);
}

void ranks_speak(void)
{
    if (kept < 0)
        return;
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    kept = -1;
}

bool ranks_complain(const char *path, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    complain("%s: %.*s", path, length, text);
    return false;
}
