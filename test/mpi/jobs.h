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

enum { MOST_CHILDREN = 4 };

/* processes that `parent` has started, as many as are known */
static inline int find_children(pid_t parent, pid_t children[MOST_CHILDREN])
{
    char path[64];
    int count = 0;
    long child;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    while (count < MOST_CHILDREN && fscanf(file, "%ld", &child) == 1)
        children[count++] = (pid_t)child;
    fclose(file);
    return count;
}

/* ends a process that others clear away, if they do, and waits until it writes no more */
static inline void end_process(pid_t process)
{
    bool there = kill(process, SIGKILL) == 0;
    for (int i = 0; i < 40 && there; i++) {
        wait_milliseconds(50);
        there = kill(process, 0) == 0;
    }
}

/* starts a job of two processes, waits until a file is there and so long, and kills one of its
   processes first, or what has started them */
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
    pid_t ranks[MOST_CHILDREN];
    int count = find_children(job, ranks), status;
    kill(count > 0 && !whole ? ranks[0] : job, SIGKILL);
    assert_int_equal(waitpid(job, &status, 0), job);
    // ranks may outlive what has started them, and would go on
    for (int i = 0; i < count; i++)
        end_process(ranks[i]);
}

#endif

#endif
