/*
 * lattice.c - a map of what a tool reaches: its options, and its cells decided by the threads of
 * this process.
 *
 * Threads take tiles in turn, and each writes those that it decides to their places in the array.
 * Other formats are written when all of the map is in memory.
 */
#include "cli/work/maps.h"

#include "base/suggest.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/work/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option contents_given, part_given;
static int avoid_wanted, anew_wanted;

const struct poptOption lattice_options[] = {
    OPTION_FIELD("grid", FIELD_POSITIVE, lb_reach_map_options, cell, "METRES",
                 "a map on a lattice of cells this far apart, for --output MAP.(npy|vti)"),
    OPTION_COUNT("orientations", lb_reach_map_options, orientations, 1, 4608, "N",
                 "with --grid: how many at each place: 72, 576 or 4608; default: 576"),
    OPTION_TEXT("contents", contents_given, "LIST",
                "with --grid: what else to keep of each cell, separated by commas: bits (which "
                "orientations), solutions (how many), manipulability and limit_margin (the "
                "largest)"),
    OPTION_SET("inverse", lb_reach_map_options, inverse,
               "with --grid: the map of places for the base, seen from the tip"),
    OPTION_FLAG("avoid-collision", avoid_wanted,
                "with --grid: count only what is reached without a link touching another or the "
                "scene"),
    OPTION_TABLE(scene_options),
    OPTION_TEXT("part", part_given, "I/N",
                "with --grid: only the I-th of N parts of the map; limber merge joins them"),
    OPTION_FLAG("anew", anew_wanted,
                "with --grid: replace what is in --output; default: go on with it where it is a "
                "part of this map"),
    OPTION_END,
};

bool lattice_given(void)
{
    return option_given(lattice_options, "grid");
}

/* ---- options -------------------------------------------------------------- */

static bool read_part(const char *output, long *part, long *parts)
{
    if (!argument_part("--part", option_text(part_given), part, parts))
        return false;
    return *parts == 1 || map_file_is_array(output) ||
           complain(
               "--part: a part is an array; give --output PART.npy, and limber merge makes any "
               "other format of the parts");
}

/* adds one name of the list, of so many letters; a map has the last field in any case */
static bool read_content(const char *text, size_t length, lb_reach_map_options *options)
{
    const char *names[MAP_REACHED];
    char name[40];
    suggest nearest;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), text);
    for (int i = 0; i < MAP_REACHED; i++)
        names[i] = map_field_name((map_field)i);
    int which = suggest_choice(&nearest, name, names, MAP_REACHED);
    if (which < 0)
        return complain("--contents: no '%s'%s", name, nearest.phrase);
    options->contents |= map_field_contents((map_field)which);
    return true;
}

static bool read_contents(lb_reach_map_options *options)
{
    const char *text = option_text(contents_given);
    while (text != NULL) {
        size_t length = strcspn(text, ",");
        if (!read_content(text, length, options))
            return false;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return true;
}

static bool read_lattice(const char *iterations, lb_reach_map_options *options)
{
    *options = lb_reach_map_options_default();
    return options_read(lattice_options, options) &&
           argument_count("--iterations", iterations, 1, LB_REACH_MAP_ITERATIONS_MAX,
                          &options->iterations) &&
           read_contents(options) &&
           (avoid_wanted || option_none_given(scene_options, "without --avoid-collision"));
}

/* ---- the command's work ---------------------------------------------------- */

/* What the threads compute with: a map for each, and where collisions are avoided what says so. */
typedef struct solvers {
    int count;
    lb_reach_map **maps;
    lb_collision **collisions;
} solvers;

/* false after a complaint */
static bool create_solvers(solvers *s, const char *name, const lb_model *model, const lb_task *task,
                           lb_reach_map_options *options)
{
    for (int i = 0; i < s->count; i++) {
        if (avoid_wanted) {
            s->collisions[i] = collisions_create(name, model);
            if (s->collisions[i] == NULL)
                return false;
            options->filter = lb_collision_filter;
            options->user = s->collisions[i];
        }
        if (!succeeds(lb_reach_map_create(model, task, options, NULL, &s->maps[i], why())))
            return false;
    }
    return true;
}

static void release_solvers(solvers *s)
{
    for (int i = 0; i < s->count; i++) {
        lb_reach_map_release(s->maps[i]);
        lb_collision_release(s->collisions[i]);
    }
    free(s->maps);
    free(s->collisions);
}

int lattice_run(const char *name, const lb_model *model, const lb_task *task, const char *output,
                const char *iterations, bool report, map_computer *compute)
{
    lb_reach_map_options options;
    map_job job = {.output = output, .replace = anew_wanted != 0};
    long part, parts;
    if (output == NULL)
        return bad_input("--grid: no destination given; --output MAP.npy or MAP.vti");
    if (!map_can_write(output) || !read_lattice(iterations, &options) ||
        !threads_given(&job.threads) || !read_part(output, &part, &parts))
        return EXIT_BAD_INPUT;
    job.threads = job.threads > 0 ? job.threads : 1;
    size_t threads = (size_t)job.threads;
    solvers s = {.count = job.threads,
                 .maps = allocate_or_exit(threads, sizeof *s.maps),
                 .collisions = allocate_or_exit(threads, sizeof *s.collisions)};
    job.solvers = s.maps;
    map_file map = {.records = NULL};
    map_counts counts = {0};
    job.map = &map;
    job.counts = report ? &counts : NULL;
    bool done = create_solvers(&s, name, model, task, &options) &&
                succeeds(map_file_start(&map, s.maps[0], (size_t)part, (size_t)parts, why())) &&
                compute(&job);
    if (done && report)
        map_print(&map, &counts);
    map_file_release(&map);
    release_solvers(&s);
    return done ? EXIT_DONE : EXIT_BAD_INPUT;
}

/* ---- threads -------------------------------------------------------------- */

/* tiles of a round for each thread, after which progress is shown: about a second's work */
enum { ROUND = 32 };

/* What the threads share. */
typedef struct map_work {
    const map_job *job;
    lb_reach_file *file; /* the array; NULL: the map is in memory */
    lb_error *errors;    /* one for each thread: why it has failed */
    size_t first;        /* tile of this round */
} map_work;

static void solve_tile(void *user, int thread, int index)
{
    const map_work *work = user;
    lb_reach_map *solver = work->job->solvers[thread];
    size_t k = work->first + (size_t)index;
    if (work->file != NULL) {
        if (work->errors[thread].status == LB_OK)
            lb_reach_file_decide(work->file, solver, k, &work->errors[thread]);
        return;
    }
    // its records are those of the map
    map_file shared = *work->job->map;
    size_t left = map_file_cells(&shared) - k * MAP_TILE;
    shared.records = map_file_record(&shared, k * MAP_TILE);
    shared.first = k * MAP_TILE;
    shared.held = left < MAP_TILE ? left : MAP_TILE;
    map_file_decide(&shared, solver);
}

/* false after a complaint of the first thread's that failed */
static bool check_threads(const map_work *work)
{
    for (int i = 0; i < work->job->threads; i++)
        if (work->errors[i].status != LB_OK)
            return complain_error(&work->errors[i]);
    return true;
}

static bool compute_rounds(map_work *work)
{
    const map_job *job = work->job;
    size_t tiles = map_file_tiles(job->map), most = (size_t)job->threads * ROUND;
    bool fine = true;
    progress_start("decided", (long)map_file_own_cells(job->map));
    for (; work->first < tiles && fine; work->first += most) {
        size_t n = tiles - work->first < most ? tiles - work->first : most;
        threads_run(job->threads, (int)n, solve_tile, work);
        progress_at((long)((work->first + n) * MAP_TILE));
        fine = check_threads(work);
    }
    progress_clear();
    return fine;
}

/* where the map is written, or its room in memory; false after a complaint */
static bool open_output(map_work *work)
{
    const map_job *job = work->job;
    map_file *map = job->map;
    if (!map_file_is_array(job->output))
        return succeeds(map_file_hold(map, 0, map_file_cells(map), why()));
    if (!map_job_open(job, map->part + 1, map->parts, &work->file))
        return false;
    if (map_file_is_old(work->file))
        remark("'%s' has this map: what is decided in it stays", job->output);
    return true;
}

bool map_compute(const map_job *job)
{
    map_work work = {.job = job,
                     .errors = allocate_or_exit((size_t)job->threads, sizeof *work.errors)};
    bool done = open_output(&work) && compute_rounds(&work);
    done = (work.file == NULL || succeeds(lb_reach_file_close(work.file, why()))) && done;
    free(work.errors);
    return done &&
           (map_file_is_array(job->output) ||
            destination_save(job->output, map_write_vti, job->map)) &&
           (job->counts == NULL || map_count(job->output, job->map, job->counts));
}
