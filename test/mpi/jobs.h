/* jobs.h - jobs of processes, run to their end or killed. */
#ifndef TEST_MPI_JOBS_H
#define TEST_MPI_JOBS_H

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support_program.h"

#ifdef LIMBER_MPI_PROGRAM

/* as root in a container, and with more processes than processors */
#define JOB                                                                                        \
    LIMBER_MPI_RUN " --oversubscribe --allow-run-as-root --mca btl_vader_single_copy_mechanism "   \
                   "none"

/* a job of so many processes */
static inline int run_job(int processes, const char *arguments)
{
    return program_shell("%s -n %d %s %s", JOB, processes, LIMBER_MPI_PROGRAM, arguments);
}

/* ---- killed --------------------------------------------------------------- */

static inline void wait_milliseconds(long milliseconds)
{
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

/* some process that `parent` has started; 0: none is known */
static inline pid_t find_child(pid_t parent)
{
    char path[64];
    long child = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%ld", &child) != 1)
            child = 0;
        fclose(file);
    }
    return (pid_t)child;
}

/* starts a job of two processes, waits until a file is there and so long, and kills one of its
   processes, or what has started them */
static inline void run_and_kill(const char *arguments, const char *awaited, long milliseconds,
                                bool whole)
{
    pid_t job = fork();
    assert_true(job >= 0);
    if (job == 0) {
        char line[1024];
        snprintf(line, sizeof line, "exec " JOB " -n 2 " LIMBER_MPI_PROGRAM " %s", arguments);
        int silent = open("/dev/null", O_WRONLY);
        dup2(silent, STDOUT_FILENO);
        dup2(silent, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    // up to half a minute until they work
    for (int i = 0; i < 600 && !program_has_file(awaited); i++)
        wait_milliseconds(50);
    wait_milliseconds(milliseconds);
    pid_t rank = whole ? 0 : find_child(job);
    kill(rank > 0 ? rank : job, SIGKILL);
    int status;
    assert_int_equal(waitpid(job, &status, 0), job);
}

#endif

#endif
