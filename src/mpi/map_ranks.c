/*
 * map_ranks.c - a map decided by the processes of a job.
 *
 * No process holds more than a tile. The first one puts the array with its description in place,
 * all of it undecided; the others wait for that and no more. What a process writes is only its
 * tile's records, whose last field is what decides a cell; so those that were written in part are
 * undecided still.
 */

#include "cli/report/report.h"
#include "cli/work/map_file.h"
#include "formats/file.h"
#include "mpi/counter.h"
#include "mpi/ranks.h"

#include <stdlib.h>
#include <string.h>

static bool check_options(const map_job *job)
{
    if (job->parts > 1)
        complain("--part has no effect in a job of processes: each takes what is next");
    else if (job->threads > 1)
        complain("--threads has no effect in a job of processes: start more of them");
    else if (!map_file_is_array(job->output))
        complain("--output: '%s' cannot be written in parts; write a .npy, and limber merge makes "
                 "any other format of it",
                 job->output);
    else
        return true;
    return false;
}

/* the array is there, undecided where it is new */
static bool prepare(const map_job *job)
{
    bool there = job->resume && file_is_regular(job->output);
    return there ? map_file_check(job->output, job->map)
                 : map_file_write_undecided(job->output, job->map);
}

/* ---- the file ------------------------------------------------------------- */

/* What a process works on. */
typedef struct ranks_work {
    const map_job *job;
    MPI_File file;
    MPI_Offset records; /* where they begin */
} ranks_work;

static bool open_file(ranks_work *work)
{
    size_t header;
    free(map_npy_header(work->job->map, &header));
    work->records = (MPI_Offset)header;
    int code =
        MPI_File_open(MPI_COMM_WORLD, work->job->output, MPI_MODE_RDWR, MPI_INFO_NULL, &work->file);
    return code == MPI_SUCCESS || ranks_complain(work->job->output, code);
}

/* the records that are held, from the file or into it */
static bool transfer(const ranks_work *work, bool writing)
{
    const map_file *map = work->job->map;
    MPI_Offset at = work->records + (MPI_Offset)(map->first * map->record);
    int size = (int)(map->held * map->record);
    int code =
        writing ? MPI_File_write_at(work->file, at, map->records, size, MPI_BYTE, MPI_STATUS_IGNORE)
                : MPI_File_read_at(work->file, at, map->records, size, MPI_BYTE, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS || ranks_complain(work->job->output, code);
}

/* ---- computing ------------------------------------------------------------ */

/* how many cells that are held have no result yet */
static size_t count_undecided(const map_file *map)
{
    size_t count = 0;
    for (size_t i = map->first; i < map->first + map->held; i++)
        count += !map_file_is_decided(map, i);
    return count;
}

static bool compute_tile(const ranks_work *work, size_t tile)
{
    map_file *map = work->job->map;
    size_t first = tile * MAP_TILE, left = map_file_cells(map) - first;
    map_file_hold(map, first, left < MAP_TILE ? left : MAP_TILE);
    if (work->job->resume && !transfer(work, false))
        return false;
    if (count_undecided(map) == 0)
        return true;
    map_compute_tile(map, work->job->solvers[0], tile);
    return transfer(work, true);
}

/* tiles until there are no more; a process that fails stops, and the others do its share */
static bool compute_tiles(const ranks_work *work)
{
    int64_t tiles = (int64_t)((map_file_cells(work->job->map) + MAP_TILE - 1) / MAP_TILE);
    counter next = counter_create(MPI_COMM_WORLD);
    bool fine = true;
    for (int64_t tile; fine && (tile = counter_next(&next)) < tiles;)
        fine = compute_tile(work, (size_t)tile);
    counter_release(&next);
    return fine;
}

/* the whole, for the words about it */
static bool read_back(const map_job *job)
{
    if (!job->report || !ranks_is_first())
        return true;
    map_file_hold(job->map, 0, map_file_cells(job->map));
    return map_file_add(job->output, job->map);
}

bool map_ranks_compute(const map_job *job)
{
    ranks_work work = {.job = job};
    bool allowed = check_options(job);
    ranks_speak();
    if (!allowed || !ranks_all(!ranks_is_first() || prepare(job)) || !ranks_all(open_file(&work)))
        return false;
    bool fine = compute_tiles(&work);
    MPI_File_close(&work.file);
    return ranks_all(fine) && read_back(job);
}
