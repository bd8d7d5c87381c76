/*
 * ik_ranks.c - targets of inverse kinematics solved by the processes of a job.
 *
 * A row of results is a fixed number of bytes and depends on its target alone. The array is written
 * beside its place and renamed when all rows are there.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/options/targets.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/solve.h"
#include "mpi/counter.h"
#include "mpi/ranks.h"

#include <stdlib.h>
#include <string.h>

/* Rows on their way into the file. */
typedef struct rows_out {
    char *path; /* beside the array's place */
    MPI_File file;
    FILE *stream; /* of the bytes in memory */
    char *bytes;
    size_t size;
    npy_writer array;
    row fields;
} rows_out;

static bool check_output(const char *path)
{
    size_t length = path != NULL ? strlen(path) : 0;
    bool array = length > 4 && strcmp(path + length - 4, ".npy") == 0;
    if (!array)
        complain("a job of processes writes an array: --output OUT.npy");
    else if (destination_has_json() || destination_has_words())
        complain("%s has no effect in a job of processes",
                 destination_has_json() ? "--json" : "--report");
    return array && !destination_has_json() && !destination_has_words();
}

/* an error of one process alone */
static bool check_file(const rows_out *out, int code)
{
    if (code == MPI_SUCCESS)
        return true;
    ranks_speak();
    return ranks_complain(out->path, code);
}

static bool open_rows(rows_out *out, const char *path)
{
    size_t room = strlen(path) + sizeof ".part";
    out->path = allocate_or_exit(room, 1);
    snprintf(out->path, room, "%s.part", path);
    out->stream = open_memstream(&out->bytes, &out->size);
    if (out->stream == NULL) {
        complain("out of memory");
        return false;
    }
    out->fields = row_start(out->stream, &out->array);
    int code = MPI_File_open(MPI_COMM_WORLD, out->path, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                             MPI_INFO_NULL, &out->file);
    return check_file(out, code) && check_file(out, MPI_File_set_size(out->file, 0));
}

/* the block's rows, which begin at row `first` of all; the first of them have a header in front */
static bool write_rows(rows_out *out, solve *all, int64_t first)
{
    size_t skip = all->rows.before == 0 ? NPY_HEADER_SIZE : 0;
    if (all->rows.before == 0)
        table_heading(&ik_results, all, &out->fields);
    table_rows(&ik_results, all, &out->fields);
    npy_flush(&out->array);
    fflush(out->stream);
    size_t size = (size_t)ftello(out->stream) - skip;
    MPI_Offset at = NPY_HEADER_SIZE + 8 * (MPI_Offset)first * out->array.columns;
    bool written = check_file(out, MPI_File_write_at(out->file, at, out->bytes + skip, (int)size,
                                                     MPI_BYTE, MPI_STATUS_IGNORE));
    rewind(out->stream);
    return written;
}

/* blocks until the last; *total is the number of all targets */
static bool solve_blocks(rows_out *out, solve *all, problem_source *problems, int64_t *total)
{
    int count = problems->block.count;
    counter blocks = counter_create(MPI_COMM_WORLD);
    int64_t own = counter_next(&blocks);
    bool fine = true;
    *total = 0;
    for (int64_t block = 0; fine && count > 0; block++) {
        if (block == own) {
            solve_block(all);
            fine = write_rows(out, all, *total);
            own = counter_next(&blocks);
        }
        *total += count;
        count = problems_next(problems);
    }
    counter_release(&blocks);
    return fine && count == 0;
}

/* the header, which says how many rows there are */
static bool write_header(rows_out *out, int64_t total)
{
    unsigned char header[NPY_HEADER_SIZE];
    int columns = 0;
    MPI_Allreduce(&out->array.columns, &columns, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    npy_header("<f8", (int64_t[]){total, columns}, 2, header);
    return !ranks_is_first() ||
           check_file(out, MPI_File_write_at(out->file, 0, header, NPY_HEADER_SIZE, MPI_BYTE,
                                             MPI_STATUS_IGNORE));
}

/* the array in its place, or nothing; the first process does it */
static bool put_in_place(const rows_out *out, const char *path, bool fine)
{
    bool placed = !ranks_is_first() || (fine ? rename(out->path, path) : remove(out->path)) == 0;
    if (!placed)
        complain("%s: cannot be renamed to '%s'", out->path, path);
    return ranks_all(fine && placed);
}

bool ik_ranks_solve(solve *all, problem_source *problems)
{
    const char *path = destination_path();
    rows_out out = {.path = NULL};
    int64_t total = 0;
    if (!check_output(path))
        return false;
    bool fine = ranks_all(open_rows(&out, path));
    if (fine) {
        fine = solve_blocks(&out, all, problems, &total);
        fine = ranks_all(write_header(&out, total) && fine);
        MPI_File_close(&out.file);
        fine = put_in_place(&out, path, fine);
    }
    int reached = all->outcomes[LB_REACHED];
    MPI_Allreduce(&reached, &all->outcomes[LB_REACHED], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    all->rows.target_count = (int)total;
    row_release(&out.fields);
    if (out.stream != NULL)
        fclose(out.stream);
    free(out.bytes);
    free(out.path);
    return fine;
}
