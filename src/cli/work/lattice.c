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

static void read_part(const char *output, long *part, long *parts)
{
    argument_part("--part", option_text(part_given), part, parts);
    if (*parts != 1 && !map_file_is_array(output))
        refuse("--part: a part is an array; give --output PART.npy, and limber merge makes any "
               "other format of the parts");
}

/* adds one name of the list, of so many letters; a map has the last field in any case */
static void read_content(const char *text, size_t length, lb_reach_map_options *options)
{
    const char *names[MAP_REACHED];
    char name[40];
    suggest nearest;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), text);
    for (int i = 0; i < MAP_REACHED; i++)
        names[i] = map_field_name((map_field)i);
    int which = suggest_choice(&nearest, name, names, MAP_REACHED);
    if (which < 0)
        refuse("--contents: no '%s'%s", name, nearest.phrase);
    options->contents |= map_field_contents((map_field)which);
}

static lb_reach_map_options read_lattice(const char *iterations)
{
    lb_reach_map_options options = lb_reach_map_options_default();
    options_read(lattice_options, &options);
    options.iterations = argument_count("--iterations", iterations, 1, LB_REACH_MAP_ITERATIONS_MAX,
                                        options.iterations);
    for (const char *text = option_text(contents_given); text != NULL;) {
        size_t length = strcspn(text, ",");
        read_content(text, length, &options);
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    if (!avoid_wanted)
        option_none_given(scene_options, "without --avoid-collision");
    return options;
}

/* ---- the command's work ---------------------------------------------------- */

int lattice_run(const char *name, const lb_model *model, const lb_task *task, const char *output,
                const char *iterations, bool report, map_computer *compute)
{
    map_file map = {.records = NULL};
    map_counts counts = {0};
    map_job job = {.map = &map,
                   .output = output,
                   .replace = anew_wanted != 0,
                   .counts = report ? &counts : NULL};
    long part, parts;
    if (output == NULL)
        refuse("--grid: no destination given; --output MAP.npy or MAP.vti");
    map_check_output(output);
    lb_reach_map_options options = read_lattice(iterations);
    job.threads = threads_given();
    read_part(output, &part, &parts);
    job.threads = job.threads > 0 ? job.threads : 1;
    job.solvers = allocate_or_exit((size_t)job.threads, sizeof *job.solvers);
    // a map for each thread, and where collisions are avoided what says so
    for (int i = 0; i < job.threads; i++) {
        options.filter = avoid_wanted ? lb_collision_filter : NULL;
        options.user = avoid_wanted ? collisions_create(name, model) : NULL;
        require(
            lb_reach_map_create(model, task, &options, &program_memory, &job.solvers[i], why()));
    }
    require(map_file_start(&map, job.solvers[0], (size_t)part, (size_t)parts, why()));
    bool done = compute(&job);
    if (done && report)
        map_print(&map, &counts);
    map_file_release(&map);
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

/* refuses what failed, of the first thread where something did; what is decided is in the file */
static void check_threads(const map_work *work)
{
    for (int i = 0; i < work->job->threads; i++)
        if (work->errors[i].status != LB_OK) {
            complain_error(&work->errors[i]);
            if (work->file != NULL)
                lb_reach_file_close(work->file, NULL);
            give_up();
        }
}

static void compute_rounds(map_work *work)
{
    const map_job *job = work->job;
    size_t tiles = map_file_tiles(job->map), most = (size_t)job->threads * ROUND;
    progress_start("decided", (long)map_file_own_cells(job->map));
    for (; work->first < tiles; work->first += most) {
        size_t n = tiles - work->first < most ? tiles - work->first : most;
        threads_run(job->threads, (int)n, solve_tile, work);
        progress_at((long)((work->first + n) * MAP_TILE));
        check_threads(work);
    }
    progress_clear();
}

/* where the map is written, or its room in memory */
static void open_output(map_work *work)
{
    const map_job *job = work->job;
    map_file *map = job->map;
    if (!map_file_is_array(job->output))
        require(map_file_hold(map, 0, map_file_cells(map), why()));
    else if (!map_job_open(job, map->part + 1, map->parts, &work->file))
        give_up();
    else if (map_file_is_old(work->file))
        remark("'%s' has this map: what is decided in it stays", job->output);
}

bool map_compute(const map_job *job)
{
    map_work work = {.job = job,
                     .errors = allocate_or_exit((size_t)job->threads, sizeof *work.errors)};
    open_output(&work);
    compute_rounds(&work);
    if (work.file != NULL)
        require(lb_reach_file_close(work.file, why()));
    else
        destination_save(job->output, map_write_vti, job->map);
    if (job->counts != NULL)
        map_count(job->output, job->map, job->counts);
    return true;
}
