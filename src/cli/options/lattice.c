/*
 * lattice.c - computes a map of what a tool reaches: cells in tiles, tiles in rounds.
 *
 * Tiles of 64 cells go to parts in turn, so that parts take about the same time. After each round
 * the file is written whole and put in place of the old one: a program that is killed leaves the
 * map as it was after a round, and --resume goes on from there.
 */
#include "cli/options/lattice.h"

#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/output/console.h"
#include "cli/output/map_file.h"
#include "cli/output/report.h"
#include "cli/output/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cells of a tile; tiles of a round for each thread: about a second's work */
enum { TILE = 64, ROUND = 32 };

static text_option grid_given, orientations_given, part_given;
static int resume_wanted;

const struct poptOption lattice_options[] = {
    OPTION_TEXT("grid", grid_given, "METRES",
                "a map on a lattice of cells this far apart, for --output MAP.(npy|vti)"),
    OPTION_TEXT("orientations", orientations_given, "N",
                "with --grid: how many at each place: 72, 576 or 4608; default: 576"),
    OPTION_TEXT("part", part_given, "I/N",
                "with --grid: only the I-th of N parts of the map; limber merge joins them"),
    OPTION_FLAG("resume", resume_wanted,
                "with --grid: go on with the map in --output, if there is one"),
    OPTION_END,
};

bool lattice_given(void)
{
    return option_text(grid_given) != NULL;
}

/* ---- options -------------------------------------------------------------- */

/* "2/3": the part counted from 0, and how many there are */
static bool read_part(size_t *part, size_t *parts)
{
    const char *text = option_text(part_given);
    unsigned which, count;
    char rest;
    *part = 0;
    *parts = 1;
    if (text == NULL)
        return true;
    if (sscanf(text, "%u/%u%c", &which, &count, &rest) != 2 || which < 1 || which > count) {
        complain("--part: \"%s\" is not I/N, the I-th of N parts, as in 2/3", text);
        return false;
    }
    *part = which - 1;
    *parts = count;
    return true;
}

static bool read_options(const char *iterations, lb_reach_map_options *options)
{
    *options = lb_reach_map_options_default();
    return argument_positive("--grid", option_text(grid_given), &options->cell) &&
           argument_count("--orientations", option_text(orientations_given), 1, 4608,
                          &options->orientations) &&
           argument_count("--iterations", iterations, 1, 1000000, &options->iterations);
}

/* whether there is a file that can be read */
static bool is_there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

/* ---- computing ------------------------------------------------------------ */

/* What the threads of a round share: each writes the cells of its own tiles. */
typedef struct computing {
    lb_reach_map **maps;
    uint16_t *cells;
    size_t count;       /* of cells */
    size_t part, parts; /* every parts-th tile is ours */
    size_t first;       /* of our tiles in this round */
} computing;

static void solve_tile(void *user, int thread, int index)
{
    const computing *c = user;
    size_t tile = (c->first + (size_t)index) * c->parts + c->part;
    for (size_t i = tile * TILE; i < (tile + 1) * TILE && i < c->count; i++)
        if (c->cells[i] == MAP_UNDECIDED)
            c->cells[i] = (uint16_t)lb_reach_map_solve(c->maps[thread], i, NULL);
}

/* all rounds; false after a complaint */
static bool compute(computing *c, int threads, const char *output, const map_file *map)
{
    size_t tiles = (c->count + TILE - 1) / TILE;
    size_t own = tiles > c->part ? (tiles - c->part + c->parts - 1) / c->parts : 0;
    size_t round = (size_t)threads * ROUND;
    bool done = true;
    progress_start("decided", (int)(own * TILE));
    for (c->first = 0; c->first < own && done; c->first += round) {
        size_t n = own - c->first < round ? own - c->first : round;
        threads_run(threads, (int)n, solve_tile, c);
        progress_at((int)((c->first + n) * TILE));
        // a figure of volumes is written once it is complete
        if (c->first + n >= own || strcmp(output + strlen(output) - 4, ".npy") == 0)
            done = map_file_write(output, map);
    }
    progress_clear();
    return done;
}

/* a map of its own for each thread; false after a complaint */
static bool make_maps(const lb_model *model, const lb_task *task,
                      const lb_reach_map_options *options, lb_reach_map **maps, int threads)
{
    lb_error error = {0};
    for (int i = 0; i < threads; i++)
        if (!complain_unless(lb_reach_map_create(model, task, options, NULL, &maps[i], &error),
                             &error))
            return false;
    return true;
}

static bool run_map(const lb_model *model, const lb_task *task, const char *output,
                    const lb_reach_map_options *options, lb_reach_map **maps, int threads,
                    bool report)
{
    computing c = {.maps = maps};
    if (!read_part(&c.part, &c.parts) || !make_maps(model, task, options, maps, threads))
        return false;
    map_file map = map_file_start(model, task, maps[0], options->iterations);
    c.cells = map.cells;
    c.count = lb_reach_map_count(maps[0]);
    bool done = (!resume_wanted || !is_there(output) || map_file_add(output, &map)) &&
                compute(&c, threads, output, &map);
    if (done && report)
        map_file_words(&map, stdout);
    map_file_release(&map);
    return done;
}

int lattice_run(const lb_model *model, const lb_task *task, const char *output,
                const char *iterations, bool report)
{
    lb_reach_map_options options;
    int threads = 0;
    if (output == NULL) {
        complain("--grid: no destination given; --output MAP.npy or MAP.vti");
        return EXIT_BAD_INPUT;
    }
    if (!map_file_ending(output) || !read_options(iterations, &options) || !threads_given(&threads))
        return EXIT_BAD_INPUT;
    threads = threads > 0 ? threads : 1;
    lb_reach_map **maps = allocate_or_exit((size_t)threads, sizeof *maps);
    bool done = run_map(model, task, output, &options, maps, threads, report);
    for (int i = 0; i < threads; i++)
        lb_reach_map_release(maps[i]);
    free(maps);
    return done ? EXIT_DONE : EXIT_BAD_INPUT;
}
