/*
 * ik_ranks.c - targets of inverse kinematics solved by the processes of a job, see rows_job.h.
 *
 * Every process reads all targets and solves the tiles that it takes by the shared counter.
 */
#include "base/text.h"
#include "cli/report/report.h"
#include "mpi/counter.h"
#include "mpi/ranks.h"

#include <string.h>

static MPI_File files[ROWS_FILES];
static bool is_open[ROWS_FILES];
static counter tiles;

static void check_output(const char *path)
{
    if (path == NULL || !text_ends(path, ".npy", false))
        refuse("a job of processes writes an array: --output OUT.npy");
    if (destination_has_json() || destination_has_words())
        refuse("%s has no effect in a job of processes",
               destination_has_json() ? "--json" : "--report");
}

/* an error of one process alone */
static bool check_file(int code)
{
    if (code == MPI_SUCCESS)
        return true;
    ranks_speak();
    return ranks_complain("--output", code);
}

static int64_t take_tile(void)
{
    return counter_next(&tiles);
}

static void sum(int64_t *numbers, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static bool open_file(rows_file which, const char *path, bool keep)
{
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    is_open[which] =
        check_file(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &files[which]));
    return is_open[which] && (keep || check_file(MPI_File_set_size(files[which], 0)));
}

static bool write_file(rows_file which, int64_t at, const void *bytes, size_t size)
{
    return check_file(MPI_File_write_at(files[which], (MPI_Offset)at, bytes, (int)size, MPI_BYTE,
                                        MPI_STATUS_IGNORE));
}

static void close_files(void)
{
    for (int i = 0; i < ROWS_FILES; i++) {
        if (is_open[i])
            MPI_File_close(&files[i]);
        is_open[i] = false;
    }
}

bool ik_ranks_solve(solve *all, problem_source *problems)
{
    static const rows_crew crew = {ranks_is_first, ranks_all,  take_tile,  sum,
                                   open_file,      write_file, close_files};
    check_output(destination_path());
    tiles = counter_create(MPI_COMM_WORLD);
    bool fine = rows_job_solve(all, problems, &crew);
    counter_release(&tiles);
    return fine;
}
