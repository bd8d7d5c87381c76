/*
 * map_compute.c - a map decided by the threads of this process, in rounds.
 *
 * Tiles go to parts in turn, so that parts take about the same time. After each round the file is
 * written whole and put in place of the old one: a program that is killed leaves the map as it was
 * after a round, and --resume goes on from there.
 */
#include "cli/work/map_file.h"

#include "cli/report/report.h"
#include "cli/work/solve.h"

/* tiles of a round for each thread: about a second's work */
enum { ROUND = 32 };

/* What the threads of a round share: each writes the records of its own tiles. */
typedef struct round_work {
    const map_job *job;
    size_t first; /* of our tiles in this round */
} round_work;

void map_compute_tile(map_file *map, lb_reach_map *solver, size_t tile)
{
    size_t cells = map_file_cells(map), end = (tile + 1) * MAP_TILE;
    for (size_t i = tile * MAP_TILE; i < end && i < cells; i++)
        if (!map_file_is_decided(map, i))
            map_file_solve(map, solver, i);
}

static void solve_tile(void *user, int thread, int index)
{
    const round_work *work = user;
    const map_job *job = work->job;
    size_t tile = (work->first + (size_t)index) * job->parts + job->part;
    map_compute_tile(job->map, job->solvers[thread], tile);
}

/* all rounds; false after a complaint */
static bool compute_rounds(const map_job *job)
{
    size_t tiles = (map_file_cells(job->map) + MAP_TILE - 1) / MAP_TILE;
    size_t own = tiles > job->part ? (tiles - job->part + job->parts - 1) / job->parts : 0;
    size_t most = (size_t)job->threads * ROUND;
    bool done = own > 0 || map_file_write(job->output, job->map);
    round_work work = {.job = job};
    progress_start("decided", (long)(own * MAP_TILE));
    for (; work.first < own && done; work.first += most) {
        size_t n = own - work.first < most ? own - work.first : most;
        threads_run(job->threads, (int)n, solve_tile, &work);
        progress_at((long)((work.first + n) * MAP_TILE));
        // what is not read again is written once it is complete
        if (work.first + n >= own || map_file_is_array(job->output))
            done = map_file_write(job->output, job->map);
    }
    progress_clear();
    return done;
}

bool map_compute(const map_job *job)
{
    map_file_hold(job->map, 0, map_file_cells(job->map));
    bool fine =
        !job->resume || !file_is_regular(job->output) || map_file_add(job->output, job->map);
    return fine && compute_rounds(job);
}
