/*
 * ik_ranks.c - targets of inverse kinematics solved by the processes of a job.
 *
 * A row of results is a fixed number of bytes and depends on its target alone. The array is written
 * beside its place and renamed when all rows are there. Beside it is the state: what the run is,
 * and which blocks have their rows, so that after an end of any kind the same command goes on.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/options/targets.h"
#include "cli/report/report.h"
#include "formats/file.h"
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
    char *state_path;
    MPI_File state; /* numbers of eight bytes: */
    int64_t *known; /* those that an earlier run left */
    int64_t known_count;
} rows_out;

/* The numbers of a state. */
enum {
    STATE_RUN,     /* the fingerprint of the command and its files */
    STATE_COLUMNS, /* of the array */
    STATE_BLOCKS   /* from here on, for each block that has its rows: 1 + how many were reached */
};

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

static char *path_beside(const char *path, const char *ending)
{
    size_t room = strlen(path) + strlen(ending) + 1;
    char *made = allocate_or_exit(room, 1);
    snprintf(made, room, "%s%s", path, ending);
    return made;
}

/* the state that an earlier run left, if it was of this command; all processes read it */
static void read_state(rows_out *out)
{
    char *text = NULL;
    size_t size = 0;
    const int64_t run = (int64_t)ranks_fingerprint();
    bool same = file_read_named(out->state_path, NULL, &text, &size, NULL) == LB_OK &&
                size >= STATE_BLOCKS * sizeof run && memcmp(text, &run, sizeof run) == 0 &&
                file_is_regular(out->path);
    // before one of them changes it
    same = ranks_all(same);
    out->known_count = same ? (int64_t)(size / sizeof run) : 0;
    out->known = same ? (int64_t *)(void *)text : NULL;
    if (same)
        remark("'%s' has rows of this run: they stay", out->path);
    else
        free(text);
}

static bool open_beside(rows_out *out, const char *path, MPI_File *file)
{
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    return check_file(out, MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, file)) &&
           (out->known != NULL || check_file(out, MPI_File_set_size(*file, 0)));
}

/* a number of the state */
static bool note(rows_out *out, int64_t index, int64_t number)
{
    return check_file(out, MPI_File_write_at(out->state, 8 * (MPI_Offset)index, &number, 8,
                                             MPI_BYTE, MPI_STATUS_IGNORE));
}

static bool open_rows(rows_out *out, const char *path)
{
    out->path = path_beside(path, ".part");
    out->state_path = path_beside(path, ".state");
    out->stream = open_memstream(&out->bytes, &out->size);
    if (out->stream == NULL)
        return complain("out of memory");
    out->fields = row_start(out->stream, &out->array);
    read_state(out);
    bool fine =
        open_beside(out, out->path, &out->file) && open_beside(out, out->state_path, &out->state);
    return fine && (!ranks_is_first() || note(out, STATE_RUN, (int64_t)ranks_fingerprint()));
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
            int64_t at = STATE_BLOCKS + block, before = all->outcomes[LB_REACHED];
            int64_t left = at < out->known_count ? out->known[at] : 0;
            if (left > 0) {
                all->outcomes[LB_REACHED] += (int)left - 1;
            } else {
                solve_block(all);
                fine = write_rows(out, all, *total) &&
                       note(out, STATE_COLUMNS, out->array.columns) &&
                       note(out, at, 1 + all->outcomes[LB_REACHED] - before);
            }
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
    unsigned char header[NPY_HEADER_MOST];
    int columns = 0, own = out->array.columns;
    if (own == 0 && out->known != NULL)
        own = (int)out->known[STATE_COLUMNS];
    MPI_Allreduce(&own, &columns, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    npy_header("'<f8'", false, (int64_t[]){total, columns}, 2, header);
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
    if (ranks_is_first())
        remove(out->state_path);
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
        MPI_File_close(&out.state);
        fine = put_in_place(&out, path, fine);
    }
    int reached = all->outcomes[LB_REACHED];
    MPI_Allreduce(&reached, &all->outcomes[LB_REACHED], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    all->rows.target_count = (int)total;
    row_release(&out.fields);
    if (out.stream != NULL)
        fclose(out.stream);
    free(out.bytes);
    free(out.known);
    free(out.path);
    free(out.state_path);
    return fine;
}
