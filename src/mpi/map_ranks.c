/*
 * map_ranks.c - a map decided by the processes of a job.
 *
 * No process holds more than a tile. The first one puts the array with its description in place,
 * all of it undecided; the others wait for that and no more. What a process writes is only its
 * tile's records.
 */

#include "base/bytes.h"
#include "cli/report/report.h"
#include "formats/reach/map_file.h"
#include "mpi/counter.h"
#include "mpi/ranks.h"

static void check_options(const map_job *job)
{
    if (job->map->parts > 1)
        refuse("--part has no effect in a job of processes: each takes what is next");
    if (job->threads > 1)
        refuse("--threads has no effect in a job of processes: start more of them");
    if (!map_file_is_array(job->output))
        refuse("--output: '%s' cannot be written in parts; write a .npy, and limber merge makes "
               "any other format of it",
               job->output);
}

/* ---- computing ------------------------------------------------------------ */

/* a process on a machine without the meshes, for example, would decide cells of another map */
static bool is_same_everywhere(const map_file *map)
{
    uint64_t own = fingerprint_add(FINGERPRINT_EMPTY, map->description, map->size), first = own;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return ranks_all(own == first ||
                     complain("the model, its meshes or the scene are not here what they are for "
                              "the first process"));
}

/* the array is in place, by the first process, before the others open it */
static bool open_everywhere(const map_job *job, lb_reach_file **file)
{
    const lb_reach_map *map = job->solvers[0];
    bool fine = true;
    if (ranks_is_first())
        fine = map_job_open(job, 1, 1, file);
    if (!ranks_all(fine))
        return false;
    if (!ranks_is_first())
        fine = succeeds(map_file_open_old(job->output, map, file, why()));
    return ranks_all(fine);
}

/* tiles until there are no more; a process that fails stops, and the others do its share */
static bool compute_tiles(const map_job *job, const lb_reach_file *file)
{
    int64_t tiles = (int64_t)lb_reach_file_tiles(file);
    counter next = counter_create(MPI_COMM_WORLD);
    bool fine = true;
    for (int64_t tile; fine && (tile = counter_next(&next)) < tiles;)
        fine = succeeds(lb_reach_file_decide(file, job->solvers[0], (size_t)tile, why()));
    counter_release(&next);
    return fine;
}

bool map_ranks_compute(const map_job *job)
{
    lb_reach_file *file = NULL;
    check_options(job);
    ranks_speak();
    bool fine =
        is_same_everywhere(job->map) && open_everywhere(job, &file) && compute_tiles(job, file);
    // what is closed everywhere can be read anywhere
    fine = (file == NULL || succeeds(lb_reach_file_close(file, why()))) && fine;
    fine = ranks_all(fine);
    if (fine && job->counts != NULL && ranks_is_first())
        map_count(job->output, job->map, job->counts);
    return fine;
}
