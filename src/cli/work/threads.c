/*
 * threads.c - work on several threads, by OpenMP.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/work/solve.h"

#include "cli/report/report.h"

#include <stdlib.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* more than any machine has processors for; each costs a solver of its own */
enum { MOST_THREADS = 1024 };

static text_option threads_wanted;

const struct poptOption thread_options[] = {
    OPTION_TEXT("threads", threads_wanted, "N",
                "solve many targets side by side on N threads, 0 for all processors; the rows "
                "are the same for any N and without it"),
    OPTION_END,
};

int threads_given(void)
{
    const char *text = option_text(threads_wanted);
    int threads = argument_count("--threads", text, 0, MOST_THREADS, 0);
    if (text == NULL)
        return 0;
#ifdef _OPENMP
    return threads > 0 ? threads : omp_get_num_procs();
#else
    if (threads > 1)
        remark("--threads: limber was built without OpenMP; one thread does it all");
    return 1;
#endif
}

#ifdef _OPENMP
/* OpenMP ends the program by itself, with status 1, where it can start no thread */
static bool inside_threads;

static void exit_from_threads(void)
{
    if (!inside_threads)
        return;
    complain("--threads: cannot start so many threads");
    _exit(EXIT_BAD_INPUT);
}
#endif

void threads_run(int threads, int parts, threads_work *work, void *user)
{
#ifdef _OPENMP
    static bool watched;
    if (!watched)
        watched = atexit(exit_from_threads) == 0;
    inside_threads = true;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int part = 0; part < parts; part++)
        work(user, omp_get_thread_num(), part);
    inside_threads = false;
#else
    (void)threads;
    for (int part = 0; part < parts; part++)
        work(user, 0, part);
#endif
}
