/*
 * map_compute.c - a map decided by the threads of this process.
 *
 * Threads take tiles in turn, and each writes those that it decides to their places in the array.
 * Other formats are written when all of the map is in memory.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/report/report.h"
#include "cli/work/map_file.h"
#include "cli/work/solve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* tiles of a round for each thread, after which progress is shown: about a second's work */
enum { ROUND = 32 };

/* What the threads share. */
typedef struct map_work {
    const map_job *job;
    map_file *tiles; /* one for each thread */
    int *reasons;    /* the errno for which a thread has failed */
    int file;        /* the array; -1: the map is in memory */
    bool old;        /* something of it may be decided */
    size_t first;    /* tile of this round */
} map_work;

/* a tile of the array; 0 or an errno */
static int solve_in_file(const map_work *work, map_file *tile, lb_reach_map *solver, size_t k)
{
    map_file_hold_tile(tile, k);
    int reason = work->old ? map_file_move(work->file, tile, false) : 0;
    map_counts counts = {0};
    map_file_count(tile, &counts);
    if (reason != 0 || counts.undecided == 0)
        return reason;
    map_file_decide(tile, solver);
    return map_file_move(work->file, tile, true);
}

static void solve_tile(void *user, int thread, int index)
{
    const map_work *work = user;
    const map_file *whole = work->job->map;
    map_file *tile = &work->tiles[thread];
    lb_reach_map *solver = work->job->solvers[thread];
    size_t k = work->first + (size_t)index;
    if (work->file >= 0) {
        if (work->reasons[thread] == 0)
            work->reasons[thread] = solve_in_file(work, tile, solver, k);
        return;
    }
    // its records are those of the map
    map_file shared = *whole;
    size_t left = map_file_cells(whole) - k * MAP_TILE;
    shared.first = k * MAP_TILE;
    shared.held = left < MAP_TILE ? left : MAP_TILE;
    shared.records = map_file_record(whole, shared.first);
    map_file_decide(&shared, solver);
}

/* the first thread's that failed; 0: none has */
static int find_reason(const map_work *work)
{
    for (int i = 0; i < work->job->threads; i++)
        if (work->reasons[i] != 0)
            return work->reasons[i];
    return 0;
}

/* 0, or the errno for which it has ended */
static int compute_rounds(map_work *work)
{
    const map_job *job = work->job;
    size_t tiles = map_file_tiles(job->map), most = (size_t)job->threads * ROUND;
    int reason = 0;
    progress_start("decided", (long)map_file_own_cells(job->map));
    for (; work->first < tiles && reason == 0; work->first += most) {
        size_t n = tiles - work->first < most ? tiles - work->first : most;
        threads_run(job->threads, (int)n, solve_tile, work);
        progress_at((long)((work->first + n) * MAP_TILE));
        reason = find_reason(work);
    }
    progress_clear();
    return reason;
}

/* where the map is written, or its room in memory; false after a complaint */
static bool open_output(map_work *work)
{
    const map_job *job = work->job;
    work->file = -1;
    if (!map_file_is_array(job->output)) {
        map_file_hold(job->map, 0, map_file_cells(job->map));
        return true;
    }
    if (!map_file_prepare(job->output, job->map, job->replace, &work->old))
        return false;
    if (work->old)
        remark("'%s' has this map: what is decided in it stays", job->output);
    work->file = open(job->output, O_RDWR | O_CLOEXEC);
    return work->file >= 0 || complain("%s: %s", job->output, strerror(errno));
}

/* each thread's own tile begins as a copy of the map without records, and is released with it */
static map_work start_work(const map_job *job)
{
    size_t threads = (size_t)job->threads;
    map_work work = {.job = job,
                     .tiles = allocate_or_exit(threads, sizeof *work.tiles),
                     .reasons = allocate_or_exit(threads, sizeof *work.reasons)};
    for (size_t i = 0; i < threads; i++) {
        work.tiles[i] = *job->map;
        work.tiles[i].records = NULL;
    }
    return work;
}

static void end_work(map_work *work)
{
    for (int i = 0; i < work->job->threads; i++)
        free(work->tiles[i].records);
    free(work->tiles);
    free(work->reasons);
}

bool map_compute(const map_job *job)
{
    map_work work = start_work(job);
    bool done = open_output(&work);
    int reason = done ? compute_rounds(&work) : 0;
    if (work.file >= 0 && close(work.file) != 0 && reason == 0)
        reason = errno;
    end_work(&work);
    if (reason != 0)
        return complain("%s: %s", job->output, strerror(reason));
    return done && (map_file_is_array(job->output) || map_file_write(job->output, job->map)) &&
           (job->counts == NULL || map_file_count_all(job->output, job->map, job->counts));
}
