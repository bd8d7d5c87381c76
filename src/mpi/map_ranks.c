/*
 * map_ranks.c - a map decided by the processes of a job.
 *
 * No process holds more than a tile. The first one puts the array with its description in place,
 * all of it undecided; the others wait for that and no more. What a process writes is only its
 * tile's records, whose last field is what decides a cell; so those that were written in part are
 * undecided still.
 */

#include "cli/report/fingerprint.h"
#include "cli/report/report.h"
#include "formats/file.h"
#include "mpi/counter.h"
#include "mpi/ranks.h"

#include <stdlib.h>
#include <string.h>

static bool check_options(const map_job *job)
{
    if (job->map->parts > 1)
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

/* ---- the file ------------------------------------------------------------- */

/* What a process works on. */
typedef struct ranks_work {
    const map_job *job;
    bool old; /* something may be decided */
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
    MPI_Offset at = work->records + (MPI_Offset)(map_file_place(map) * map->record);
    int size = (int)(map->held * map->record);
    int code =
        writing ? MPI_File_write_at(work->file, at, map->records, size, MPI_BYTE, MPI_STATUS_IGNORE)
                : MPI_File_read_at(work->file, at, map->records, size, MPI_BYTE, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS || ranks_complain(work->job->output, code);
}

/* ---- computing ------------------------------------------------------------ */

static bool compute_tile(const ranks_work *work, size_t tile)
{
    map_file *map = work->job->map;
    map_counts counts = {0};
    map_file_hold_tile(map, tile);
    if (work->old && !transfer(work, false))
        return false;
    map_file_count(map, &counts);
    if (counts.undecided == 0)
        return true;
    map_file_decide(map, work->job->solvers[0]);
    return transfer(work, true);
}

/* tiles until there are no more; a process that fails stops, and the others do its share */
static bool compute_tiles(const ranks_work *work)
{
    int64_t tiles = (int64_t)map_file_tiles(work->job->map);
    counter next = counter_create(MPI_COMM_WORLD);
    bool fine = true;
    for (int64_t tile; fine && (tile = counter_next(&next)) < tiles;)
        fine = compute_tile(work, (size_t)tile);
    counter_release(&next);
    return fine;
}

/* a process on a machine without the meshes, for example, would decide cells of another map */
static bool is_same_everywhere(const map_file *map)
{
    uint64_t own = fingerprint_add(FINGERPRINT_EMPTY, map->description, map->size), first = own;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return ranks_all(own == first ||
                     complain("the model, its meshes or the scene are not here what they are for "
                              "the first process"));
}

/* the array is in place, by the first process, and all know whether it is a new one */
static bool prepare(ranks_work *work)
{
    const map_job *job = work->job;
    bool fine =
        !ranks_is_first() || map_file_prepare(job->output, job->map, job->replace, &work->old);
    int old = work->old;
    MPI_Bcast(&old, 1, MPI_INT, 0, MPI_COMM_WORLD);
    work->old = old != 0;
    return ranks_all(fine);
}

bool map_ranks_compute(const map_job *job)
{
    ranks_work work = {.job = job};
    bool allowed = check_options(job);
    ranks_speak();
    if (!allowed || !is_same_everywhere(job->map) || !prepare(&work) ||
        !ranks_all(open_file(&work)))
        return false;
    bool fine = compute_tiles(&work);
    MPI_File_close(&work.file);
    return ranks_all(fine) && (job->counts == NULL || !ranks_is_first() ||
                               map_file_count_all(job->output, job->map, job->counts));
}
