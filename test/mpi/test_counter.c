/*
 * test_counter.c - the shared count of a job: each number goes to one process, and what one costs.
 *
 * The test starts itself as a job: `test_mpi test_counter job N` takes numbers up to N and gathers
 * them.
 */
#define _XOPEN_SOURCE 700

#include "support_program.h"

#ifdef LIMBER_MPI_PROGRAM

#include "mpi/counter.h"

static char own_path[4096];

/* of `job N` */
TEST_ARGUMENT(job_count, 2, 0)

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

TEST(each_number_goes_to_one_process)
{
    for (int ranks = 1; ranks <= 4; ranks *= 2) {
        if (program_shell("%s -n %d --oversubscribe --allow-run-as-root %s test_counter job 20000",
                          LIMBER_MPI_RUN, ranks, own_path) != 0)
            fail_msg("%s%s", program.out, program.err);
        print_message("%s", program.out);
    }
}

/* as a process of a job, that and nothing else */
static int start(void)
{
    if (test_word(1) != NULL && strcmp(test_word(1), "job") == 0)
        exit(run_job(job_count));
    return realpath(test_word(0), own_path) == NULL || program_start();
}

TEST_FIXTURE(start, program_stop)

#else

TEST_SKIP("limber-mpi was not built")

#endif
