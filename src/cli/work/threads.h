/*
 * threads.h - work on several threads.
 *
 * The library starts no threads; the program does, by OpenMP where it was built
 * with that. This is the only place that does.
 */
#ifndef CLI_WORK_THREADS_H
#define CLI_WORK_THREADS_H

#include "cli/command.h"

/* --threads */
extern const struct poptOption thread_options[];

/*
 * The value of --threads: 0 when it is not given, else at least 1. Prints an error and returns
 * false when that is no number of threads; warns when there cannot be so many.
 */
bool threads_given(int *threads);

/*
 * Calls `work` once for each part 0 <= part < parts, on at most `threads` threads: on
 * each of them with its own number, 0 <= thread < threads, never with one number on
 * two threads at once.
 */
typedef void threads_work(void *user, int thread, int part);
void threads_run(int threads, int parts, threads_work *work, void *user);

#endif
