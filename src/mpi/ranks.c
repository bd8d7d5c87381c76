/* ranks.c - what the processes of a job have in common. */
#define _POSIX_C_SOURCE 200809L

#include "mpi/ranks.h"

#include "base/bytes.h"
#include "cli/report/report.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* the error stream of a process that is quiet; -1: it speaks */
static int kept = -1;

/* of the job */
static uint64_t own_fingerprint;

void ranks_start(int count, const char *const *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (int i = 1; stream != NULL && i < count; i++) {
        struct stat file;
        const char *value = strchr(words[i], '='), *path = value != NULL ? value + 1 : words[i];
        fprintf(stream, "%s\n", words[i]);
        if (stat(path, &file) == 0 && S_ISREG(file.st_mode))
            fprintf(stream, "%jd %jd.%09ld\n", (intmax_t)file.st_size,
                    (intmax_t)file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
    }
    if (stream != NULL)
        fclose(stream);
    own_fingerprint = fingerprint_add(FINGERPRINT_EMPTY, text, size);
    free(text);
}

uint64_t ranks_fingerprint(void)
{
    return own_fingerprint;
}

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
