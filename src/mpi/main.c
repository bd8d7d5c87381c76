/*
 * mpi/main.c - limber-mpi: what takes days, by the processes of a job.
 *
 *     mpirun -n 64 limber-mpi workspace panda --grid 0.02 --output panda.npy
 *     mpirun -n 64 limber-mpi ik panda --targets T.npy --output Q.npy
 *
 * Its commands are the program's own, with the same options; who computes is another.
 */
#include "cli/command.h"
#include "cli/report/report.h"
#include "mpi/ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const command command_workspace, command_ik;

static int run_workspace(const char *const *operands)
{
    return workspace_run(operands, map_ranks_compute);
}

static int run_ik(const char *const *operands)
{
    return ik_run(operands, ik_ranks_solve);
}

static int print_help(const command *commands, int count)
{
    puts("limber-mpi - commands of limber by the processes of a job\n\n"
         "    mpirun -n N limber-mpi COMMAND ...\n");
    for (int i = 0; i < count; i++)
        printf("  %-12s%s\n", commands[i].name, commands[i].summary);
    puts("\nEach has the options of limber's command of this name (limber-mpi COMMAND --help); "
         "--output\n"
         "names an array, OUT.npy. Processes take what is next; the array is the same for any "
         "number of\n"
         "them, and after an end of any kind the same line goes on.");
    return EXIT_DONE;
}

/* the commands of limber, run by the processes of the job */
static int run(int count, const char **words)
{
    command commands[] = {command_workspace, command_ik};
    commands[0].run = run_workspace;
    commands[1].run = run_ik;
    if (count > 1 && (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0))
        return print_help(commands, 2);
    for (int i = 0; count > 1 && i < 2; i++)
        if (strcmp(words[1], commands[i].name) == 0)
            return command_run(&commands[i], count - 1, words + 1);
    refuse("no command%s%s%s; there are: mpirun -n N limber-mpi workspace MODEL --grid METRES "
           "--output MAP.npy, and ik MODEL --targets T.npy --output OUT.npy",
           count > 1 ? " '" : "", count > 1 ? words[1] : "", count > 1 ? "'" : "");
}

/* a refusal ends the program, too */
static void end_job(void)
{
    MPI_Finalize();
}

int main(int count, char **words)
{
    MPI_Init(&count, &words);
    atexit(end_job);
    console_start();
    print_json_start();
    ranks_be_quiet();
    return console_end(run(count, (const char **)words));
}
