/*
 * rows_job.c - rows for a long list of targets, solved in tiles and written so that the same
 * command goes on after an end of any kind.
 *
 * The rows of a tile are written, and on the disk, before its state, whose last number says that
 * they are there.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/work/rows_job.h"

#include "base/bytes.h"
#include "base/text.h"
#include "cli/report/report.h"

#include <limber/formats/json.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int anew;

const struct poptOption rows_job_options[] = {
    OPTION_FLAG("anew", anew,
                "of a long list of targets: begin again; default: go on with the rows that a run "
                "which was ended has left beside --output"),
    OPTION_END,
};

/* What is known of a tile. */
typedef struct tile_state {
    int64_t outcomes[LB_OUTCOME_COUNT];
    int64_t end; /* of its rows in the file; 0: they are not there */
} tile_state;

typedef struct rows_job {
    const rows_crew *crew;
    solve *all;
    char *target, *paths[ROWS_FILES];
    uint64_t run;      /* what the run is */
    char *left;        /* the state that an earlier run left */
    int64_t left_size; /* tiles of it */
    FILE *stream;      /* of the bytes in memory */
    char *bytes;
    size_t size;
    npy_writer array;
    row fields;
    int64_t end; /* of the rows of the tiles up to here */
} rows_job;

/* ---- one process ---------------------------------------------------------- */

static int files[ROWS_FILES] = {-1, -1};
static int64_t next_tile;

static bool is_first(void)
{
    return true;
}

static bool agree(bool fine)
{
    return fine;
}

static int64_t take_tile(void)
{
    return next_tile++;
}

static void sum_alone(int64_t *numbers, int count)
{
    (void)numbers, (void)count;
}

static bool open_alone(rows_file which, const char *path, bool keep)
{
    files[which] = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (keep ? 0 : O_TRUNC), 0666);
    return files[which] >= 0 || complain("%s: cannot be opened: %s", path, strerror(errno));
}

static bool write_alone(rows_file which, int64_t at, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n =
            pwrite(files[which], (const char *)bytes + done, size - done, (off_t)at + (off_t)done);
        if (n < 0 && errno != EINTR)
            return complain("--output: rows cannot be written: %s", strerror(errno));
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static void close_alone(void)
{
    for (int i = 0; i < ROWS_FILES; i++) {
        if (files[i] >= 0)
            close(files[i]);
        files[i] = -1;
    }
}

static const rows_crew alone = {is_first,   agree,       take_tile,  sum_alone,
                                open_alone, write_alone, close_alone};

/* ---- what a run is -------------------------------------------------------- */

/* whether a word changes no row; *words goes on to its value */
static bool is_without_effect(const char *const **words)
{
    static const char *const names[] = {"--anew", "--json", "--report"};
    const char *word = **words;
    if (strcmp(word, "--threads") == 0)
        *words += (*words)[1] != NULL;
    return text_index(word, names, sizeof names / sizeof *names) >= 0 ||
           strncmp(word, "--threads", strlen("--threads")) == 0;
}

/* size and time of the file that a word names, if it does */
static void print_file(const char *word, FILE *stream)
{
    struct stat about;
    const char *value = strchr(word, '='), *path = value != NULL ? value + 1 : word;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
        fprintf(stream, "%jd %jd.%09ld\n", (intmax_t)about.st_size, (intmax_t)about.st_mtim.tv_sec,
                about.st_mtim.tv_nsec);
}

/* of the command's words, the files that they name, the model, and the program */
static uint64_t identify_run(const lb_model *model)
{
    char *text = NULL, *json = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return 0;
    lb_json_write(model, NULL, &json, NULL);
    fprintf(stream, "%d.%d.%d\n%s\n", LB_VERSION_MAJOR, LB_VERSION_MINOR, LB_VERSION_PATCH,
            json != NULL ? json : "");
    free(json);
    for (const char *const *word = command_words(); *word != NULL; word++)
        if (!is_without_effect(&word)) {
            fprintf(stream, "%s\n", *word);
            print_file(*word, stream);
        }
    fclose(stream);
    uint64_t run = fingerprint_add(FINGERPRINT_EMPTY, text, size);
    free(text);
    return run;
}

bool rows_job_is_possible(const problem_source *problems)
{
    const char *path = destination_path();
    const pose_source *starts = &problems->starts;
    // standard input cannot be read again, and one figure needs all targets at once
    bool possible = path != NULL && strcmp(path, "-") != 0 && problems->targets.in_file &&
                    file_is_regular(problems->targets.table.path) &&
                    (!starts->in_file || file_is_regular(starts->table.rows.path)) &&
                    blocks_size(ROWS_TILE) == ROWS_TILE;
    char *target = possible ? file_target(path) : NULL;
    possible = target != NULL;
    free(target);
    return possible;
}

/* ---- files ---------------------------------------------------------------- */

static char *path_beside(const char *path, const char *ending)
{
    size_t room = strlen(path) + strlen(ending) + 1;
    char *made = allocate_or_exit(room, 1);
    snprintf(made, room, "%s%s", path, ending);
    return made;
}

/* what an earlier run left of a tile */
static tile_state state_of(const rows_job *job, int64_t tile)
{
    tile_state state;
    memcpy(&state, job->left + sizeof job->run + (size_t)tile * sizeof state, sizeof state);
    return state;
}

/* whether an earlier run left rows of any of so many tiles: one that ended before has nothing to
   lose */
static bool has_rows(const rows_job *job, int64_t tiles)
{
    for (int64_t i = 0; i < tiles; i++)
        if (state_of(job, i).end > 0)
            return true;
    return false;
}

/* the state that an earlier run left, if it was the same; all processes read it. False after a
   complaint */
static bool read_state(rows_job *job)
{
    size_t size = 0;
    bool there = file_is_regular(job->paths[ROWS_PART]);
    bool read =
        !anew && file_read_named(job->paths[ROWS_STATE], NULL, &job->left, &size, NULL) == LB_OK;
    bool known = read && size >= sizeof job->run;
    int64_t tiles = known ? (int64_t)((size - sizeof job->run) / sizeof(tile_state)) : 0;
    bool same = known && memcmp(job->left, &job->run, sizeof job->run) == 0;
    bool fine = same || !there || anew || (known && !has_rows(job, tiles)) ||
                complain("--output: '%s' has rows of another run; give another name, or --anew "
                         "replaces them",
                         job->paths[ROWS_PART]);
    // before one of the processes changes it
    fine = job->crew->agree(fine);
    same = job->crew->agree(same && there);
    job->left_size = same ? tiles : 0;
    if (same && job->left_size > 0)
        remark("'%s' has rows of this run: they stay", job->paths[ROWS_PART]);
    return fine;
}

/* the state's file before the other one, so that rows are never beside no state */
static bool open_files(rows_job *job)
{
    const rows_crew *crew = job->crew;
    const bool keep = job->left_size > 0;
    // to open is a call of all processes: none may be missing
    return crew->open(ROWS_STATE, job->paths[ROWS_STATE], keep) &&
           crew->agree(!crew->is_first() ||
                       crew->write(ROWS_STATE, 0, &job->run, sizeof job->run)) &&
           crew->open(ROWS_PART, job->paths[ROWS_PART], keep);
}

/* the bytes that the stream was given go to a place in the file */
static bool write_bytes(rows_job *job, int64_t at)
{
    fflush(job->stream);
    size_t size = (size_t)ftello(job->stream);
    rewind(job->stream);
    job->end = at + (int64_t)size;
    return job->crew->write(ROWS_PART, at, job->bytes, size);
}

/* Brings the rows that this machine has written to the disk. Each process does so by a descriptor
   of its own: of the files that processes open together this would be a call of all of them. */
static bool sync_rows(const rows_job *job)
{
    const char *path = job->paths[ROWS_PART];
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool fine = file >= 0 && fdatasync(file) == 0;
    int reason = errno;
    if (file >= 0)
        close(file);
    return fine || complain("%s: rows cannot be written: %s", path, strerror(reason));
}

/* the names of the columns, or room for the header of an array */
static bool write_head(rows_job *job)
{
    job->stream = open_memstream(&job->bytes, &job->size);
    if (job->stream == NULL)
        return complain("out of memory");
    bool array = text_ends(destination_path(), ".npy", false);
    job->fields = row_start(job->stream, array ? &job->array : NULL);
    table_heading(&ik_results, job->all, &job->fields);
    return write_bytes(job, 0);
}

/* the header of an array, which says how many rows there are */
static bool write_header(rows_job *job)
{
    unsigned char header[NPY_HEADER_MOST];
    if (job->fields.array == NULL || !job->crew->is_first())
        return true;
    const int64_t shape[] = {job->all->rows.target_count, job->array.columns};
    npy_header("'<f8'", false, shape, 2, header);
    return job->crew->write(ROWS_PART, 0, header, NPY_HEADER_SIZE);
}

/* ---- tiles ---------------------------------------------------------------- */

/* takes what an earlier run left of a tile of so many targets; false: nothing */
static bool take_left(rows_job *job, int64_t tile, int count)
{
    int64_t sum = 0;
    if (tile >= job->left_size)
        return false;
    const tile_state state = state_of(job, tile);
    for (int k = 0; k < LB_OUTCOME_COUNT; k++)
        sum += state.outcomes[k];
    if (state.end <= 0 || sum != count)
        return false;
    for (int k = 0; k < LB_OUTCOME_COUNT; k++)
        job->all->outcomes[k] += (int)state.outcomes[k];
    job->all->rows.target_count += count;
    job->end = state.end;
    return true;
}

static bool solve_tile(rows_job *job, int64_t tile)
{
    solve *all = job->all;
    tile_state state;
    int before[LB_OUTCOME_COUNT];
    memcpy(before, all->outcomes, sizeof before);
    solve_block(all);
    for (int k = 0; k < LB_OUTCOME_COUNT; k++)
        state.outcomes[k] = all->outcomes[k] - before[k];
    table_rows(&ik_results, all, &job->fields);
    // rows of an array are of one size, those of CSV follow those before
    int64_t place = NPY_HEADER_SIZE + 8 * (int64_t)all->rows.before * job->array.columns;
    if (job->fields.array != NULL)
        npy_flush(&job->array);
    if (!write_bytes(job, job->fields.array != NULL ? place : job->end) || !sync_rows(job))
        return false;
    state.end = job->end;
    const int64_t at = (int64_t)(sizeof job->run + (size_t)tile * sizeof state);
    return job->crew->write(ROWS_STATE, at, &state, sizeof state);
}

/* the job whose targets are being read; NULL: none */
static const rows_job *reading;

/* of targets that cannot be read, which end all processes, nothing stays */
static void discard_rows(void)
{
    if (reading == NULL)
        return;
    reading->crew->close();
    for (int i = 0; i < ROWS_FILES && reading->crew->is_first(); i++)
        remove(reading->paths[i]);
}

static int read_next(const rows_job *job, problem_source *problems)
{
    static bool guarded;
    guarded = guarded || atexit(discard_rows) == 0;
    reading = job;
    int count = problems_next(problems);
    reading = NULL;
    return count;
}

/* tiles until the last; false where a row cannot be written */
static bool solve_tiles(rows_job *job, problem_source *problems)
{
    int count = problems->block.count;
    int64_t own = job->crew->next_tile();
    for (int64_t tile = 0; count > 0; tile++) {
        if (tile != own)
            job->all->rows.target_count += count;
        else if (!take_left(job, tile, count) && !solve_tile(job, tile))
            return false;
        if (tile == own)
            own = job->crew->next_tile();
        count = read_next(job, problems);
    }
    return true;
}

/* the file in its place; what can be gone on with stays */
static bool put_in_place(const rows_job *job, bool fine)
{
    const char *part = job->paths[ROWS_PART];
    bool first = job->crew->is_first();
    struct stat old;
    // the rights of the file that it replaces
    if (first && fine && stat(job->target, &old) == 0)
        chmod(part, old.st_mode & 0777);
    if (first && fine && rename(part, job->target) != 0)
        fine = complain("%s: cannot be renamed to '%s': %s", part, job->target, strerror(errno));
    if (first && fine)
        remove(job->paths[ROWS_STATE]);
    return job->crew->agree(fine);
}

static void release_job(rows_job *job)
{
    if (job->stream != NULL)
        fclose(job->stream);
    free(job->bytes);
    free(job->left);
    free(job->target);
}

bool rows_job_solve(solve *all, problem_source *problems, const rows_crew *crew)
{
    rows_job job = {.crew = crew != NULL ? crew : &alone, .all = all};
    job.target = file_target(destination_path());
    if (job.target == NULL)
        return complain("--output: '%s' is no file", destination_path());
    job.paths[ROWS_PART] = path_beside(job.target, ".part");
    job.paths[ROWS_STATE] = path_beside(job.target, ".state");
    job.run = identify_run(all->rows.model);
    bool fine = job.crew->agree(read_state(&job) && open_files(&job) && write_head(&job));
    if (fine) {
        bool done = solve_tiles(&job, problems);
        fine = job.crew->agree(done && write_header(&job) && sync_rows(&job));
        job.crew->close();
        fine = put_in_place(&job, fine);
    }
    int64_t outcomes[LB_OUTCOME_COUNT];
    for (int k = 0; k < LB_OUTCOME_COUNT; k++)
        outcomes[k] = all->outcomes[k];
    job.crew->sum(outcomes, LB_OUTCOME_COUNT);
    for (int k = 0; k < LB_OUTCOME_COUNT; k++)
        all->outcomes[k] = (int)outcomes[k];
    release_job(&job);
    return fine;
}
