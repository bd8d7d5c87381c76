/*
 * lattice.c - a map of what a tool reaches: its options, and its cells decided by the threads of
 * this process.
 *
 * Threads take tiles in turn, and each writes those that it decides to their places in the array.
 * Other formats are written when all of the map is in memory.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/work/map_file.h"

#include "base/suggest.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/work/solve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static bool read_content(const char *text, size_t length, map_subject *subject)
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
    subject->has[which] = true;
    subject->options.contents |= map_field_contents((map_field)which);
    return true;
}

static bool read_contents(map_subject *subject)
{
    const char *text = option_text(contents_given);
    while (text != NULL) {
        size_t length = strcspn(text, ",");
        if (!read_content(text, length, subject))
            return false;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return true;
}

static bool read_subject(const char *iterations, map_subject *subject)
{
    lb_reach_map_options *options = &subject->options;
    *options = lb_reach_map_options_default();
    return options_read(lattice_options, options) &&
           argument_count("--iterations", iterations, 1, LB_REACH_MAP_ITERATIONS_MAX,
                          &options->iterations) &&
           read_contents(subject) &&
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
static bool create_solvers(solvers *s, const char *name, map_subject *subject)
{
    lb_reach_map_options options = subject->options;
    for (int i = 0; i < s->count; i++) {
        if (avoid_wanted) {
            s->collisions[i] = collisions_create(name, subject->model);
            if (s->collisions[i] == NULL)
                return false;
            options.filter = lb_collision_filter;
            options.user = s->collisions[i];
        }
        if (!succeeds(lb_reach_map_create(subject->model, subject->task, &options, NULL,
                                          &s->maps[i], why())))
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
    map_subject subject = {.model = model, .task = task};
    map_job job = {.output = output, .replace = anew_wanted != 0};
    long part, parts;
    if (output == NULL)
        return bad_input("--grid: no destination given; --output MAP.npy or MAP.vti");
    if (!map_file_can_write(output) || !read_subject(iterations, &subject) ||
        !threads_given(&job.threads) || !read_part(output, &part, &parts))
        return EXIT_BAD_INPUT;
    job.threads = job.threads > 0 ? job.threads : 1;
    size_t threads = (size_t)job.threads;
    solvers s = {.count = job.threads,
                 .maps = allocate_or_exit(threads, sizeof *s.maps),
                 .collisions = allocate_or_exit(threads, sizeof *s.collisions)};
    job.solvers = s.maps;
    bool done = create_solvers(&s, name, &subject);
    if (done) {
        if (s.collisions[0] != NULL)
            subject.avoidance = collisions_describe(s.collisions[0]);
        map_file map =
            map_file_start(&subject, lb_reach_map_grid(s.maps[0]), (size_t)part, (size_t)parts);
        map_counts counts = {0};
        job.map = &map;
        job.counts = report ? &counts : NULL;
        done = compute(&job);
        if (done && report)
            map_file_words(&map, &counts, stdout);
        map_file_release(&map);
        json_decref(subject.avoidance);
    }
    release_solvers(&s);
    return done ? EXIT_DONE : EXIT_BAD_INPUT;
}

/* ---- threads -------------------------------------------------------------- */

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
    return done &&
           (map_file_is_array(job->output) ||
            destination_save(job->output, map_write_vti, job->map)) &&
           (job->counts == NULL || map_file_count_all(job->output, job->map, job->counts));
}
