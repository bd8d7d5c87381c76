/*
 * test_counter.c - the shared count of a job: each number goes to one process, and what one costs.
 *
 * The test starts itself as a job: `test_counter job N` takes numbers up to N and gathers them.
 */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_program.h"

#ifdef LIMBER_MPI_PROGRAM

#include "mpi/counter.h"

static const char *own_path;

/* marks the numbers that this process takes below `count`; seconds that one took */
static double take_numbers(counter *numbers, int64_t count, int *taken)
{
    double begin = MPI_Wtime();
    int64_t own = 0;
    for (int64_t i; (i = counter_next(numbers)) < count; own++)
        taken[i]++;
    return (MPI_Wtime() - begin) / (double)(own + 1);
}

/* all processes: 0 when each number was taken once */
static int run_job(int64_t count)
{
    int rank, ranks, wrong = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int *taken = calloc((size_t)count, sizeof *taken), *all = calloc((size_t)count, sizeof *all);
    counter numbers = counter_create(MPI_COMM_WORLD);
    double seconds = take_numbers(&numbers, count, taken), slowest = 0;
    counter_release(&numbers);
    MPI_Reduce(taken, all, (int)count, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int64_t i = 0; rank == 0 && i < count; i++)
        wrong += all[i] != 1;
    if (rank == 0)
        printf("%d processes: at most %.3f us for a number\n", ranks, 1e6 * slowest);
    free(taken);
    free(all);
    MPI_Finalize();
    return wrong > 0;
}

static void each_number_goes_to_one_process(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 4; ranks *= 2) {
        if (program_shell("%s -n %d --oversubscribe --allow-run-as-root %s job 20000",
                          LIMBER_MPI_RUN, ranks, own_path) != 0)
            fail_msg("%s%s", program.out, program.err);
        print_message("%s", program.out);
    }
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "job") == 0)
        return run_job(strtol(words[2], NULL, 10));
    char path[4096];
    own_path = realpath(words[0], path);
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_number_goes_to_one_process)};
    return cmocka_run_group_tests(tests, program_start, program_stop);
}

#else

int main(void)
{
    puts("skipped: limber-mpi was not built");
    return 77;
}

#endif
