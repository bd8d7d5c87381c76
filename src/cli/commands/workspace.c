/*
 * workspace.c - limber workspace: where a tip can be, and in how many orientations.
 */
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/work/maps.h"
#include "cli/work/solve.h"

#include <stdlib.h>
#include <string.h>

static text_option samples_given, iterations_given, output_given;
static int report_wanted, manipulability_wanted;

/* what maps on a lattice do not have */
static const struct poptOption cell_options[] = {
    OPTION_COUNT("cells", lb_workspace_options, cells, 1, 256, "N",
                 "along the longest side, 1 to 256; default: 100 in a plane, 40 in space"),
    OPTION_FIELD("angle", FIELD_POSITIVE, lb_workspace_options, angle, "A",
                 "how far apart two different orientations are; default: pi / 18 in a plane, pi / "
                 "3 in space"),
    OPTION_TEXT("samples", samples_given, "N",
                "how many random configurations to try, in place of solving for cells"),
    OPTION_FIELD("seed", FIELD_SEED, lb_workspace_options, seed, "N",
                 "seed of the random configurations; default: 0"),
    OPTION_FLAG("manipulability", manipulability_wanted,
                "find the largest manipulability of the tip in each cell, and colour by it"),
    OPTION_END,
};

enum { MOST_SAMPLES = 2000000000 };

/* ---- what is computed ---------------------------------------------------- */

static lb_workspace *create(const lb_model *model, const lb_task *task)
{
    lb_workspace_options options = lb_workspace_options_default();
    lb_workspace *made = NULL;
    options_read(cell_options, &options);
    options.iterations = argument_count("--iterations", option_text(iterations_given), 1,
                                        LB_WORKSPACE_ITERATIONS_MAX, options.iterations);
    options.angle *= angle_unit();
    options.manipulability = manipulability_wanted;
    require(lb_workspace_create(model, task, &options, &program_memory, &made, why()));
    return made;
}

/* of the shares, by the second half of the samples; 0: there were none */
static double growth;

/* random configurations, in portions so that progress shows */
static void sample(lb_workspace *workspace, int samples)
{
    // two portions at least, so that there is a first half to compare with
    int portion = samples < 2 ? 1 : samples / 2 < 20000 ? samples / 2 : 20000;
    const lb_workspace_grid *grid = lb_workspace_get_grid(workspace);
    uint64_t half = 0;
    progress_start("tried", samples);
    for (int done = 0; done < samples; done += portion) {
        if (done <= samples / 2)
            half = grid->found;
        lb_workspace_sample(workspace, samples - done < portion ? samples - done : portion);
        progress_at(done);
    }
    progress_clear();
    growth = half > 0 ? (double)(grid->found - half) / (double)half : 1;
}

/* too many for the shares to grow by more than this */
#define SETTLED 0.01

/* twice as many again until the shares settle, for a tool that moves on a curve or a surface */
static void sample_thin(lb_workspace *workspace)
{
    enum { FIRST = 10000, MOST = 1280000 };
    sample(workspace, FIRST);
    for (int samples = FIRST; growth > SETTLED && samples < MOST; samples *= 2)
        sample(workspace, samples);
    remark("its joints move the tip on a curve or a surface, which hardly any cell's centre is on: "
           "cells "
           "that %llu random configurations pass; --samples says how many",
           (unsigned long long)lb_workspace_get_grid(workspace)->samples);
}

static void remark_growth(const lb_workspace_grid *grid)
{
    if (growth > SETTLED)
        remark("the shares have not settled: the second half of the samples added %.0f %% to "
               "them%s",
               100 * growth, grid->thin ? "" : "; without --samples each cell is solved for");
}

/* Cells solved by several threads, each with a workspace of its own. */
typedef struct sharing {
    lb_workspace **workspaces;
    int cells, parts;
} sharing;

static void solve_part(void *user, int thread, int part)
{
    const sharing *s = user;
    int begin = (int)((double)s->cells * part / s->parts);
    lb_workspace_solve(s->workspaces[thread], begin,
                       (int)((double)s->cells * (part + 1) / s->parts));
    if (thread == 0)
        progress_at(begin);
}

/* all cells; the first workspace has all of them in the end */
static void solve_cells(const lb_model *model, const lb_task *task, lb_workspace *first,
                        int threads)
{
    enum { PARTS = 256 };
    sharing s = {.cells = lb_workspace_count(first), .parts = PARTS};
    s.workspaces = allocate_or_exit((size_t)threads, sizeof(lb_workspace *));
    s.workspaces[0] = first;
    for (int i = 1; i < threads; i++)
        s.workspaces[i] = create(model, task);
    progress_start("solved", s.cells);
    threads_run(threads, PARTS, solve_part, &s);
    progress_clear();
    for (int i = 1; i < threads; i++)
        lb_workspace_merge(first, s.workspaces[i]);
}

static lb_workspace *explore(const lb_model *model, const lb_task *task)
{
    int samples = argument_count("--samples", option_text(samples_given), 1, MOST_SAMPLES, 0);
    int threads = threads_given();
    if (samples > 0 && (iterations_given != NULL || threads > 0))
        refuse("%s has no effect with --samples",
               iterations_given != NULL ? "--iterations" : "--threads");
    lb_workspace *made = create(model, task);
    if (samples > 0)
        sample(made, samples);
    else if (lb_workspace_get_grid(made)->thin)
        sample_thin(made);
    else
        solve_cells(model, task, made, threads > 0 ? threads : 1);
    return made;
}

/* ---- cells -------------------------------------------------------------- */

/* The cells that were reached, by their numbers on the grid. */
typedef struct cell_list {
    const lb_workspace *workspace;
    const lb_workspace_grid *grid;
    int *numbers, count;
    lb_workspace_cell best; /* the first of the largest manipulability */
} cell_list;

static lb_workspace_cell cell_of(const cell_list *list, int number)
{
    const int *n = list->grid->count;
    return lb_workspace_at(list->workspace, number % n[0], number / n[0] % n[1],
                           number / n[0] / n[1]);
}

static cell_list list_cells(const lb_workspace *workspace)
{
    cell_list list = {.workspace = workspace, .grid = lb_workspace_get_grid(workspace)};
    const int *n = list.grid->count, all = n[0] * n[1] * n[2];
    list.numbers = allocate_or_exit((size_t)all, sizeof *list.numbers);
    for (int i = 0; i < all; i++) {
        lb_workspace_cell cell = cell_of(&list, i);
        if (cell.reached)
            list.numbers[list.count++] = i;
        if (cell.manipulability > list.best.manipulability)
            list.best = cell;
    }
    return list;
}

/* of all orientations */
static double share_of(const cell_list *list, const lb_workspace_cell *cell)
{
    return (double)cell->orientations / list->grid->orientations;
}

static void name_cell(const void *results, int i, row *to)
{
    const cell_list *list = results;
    const lb_workspace_cell cell = cell_of(list, list->numbers[i]);
    column_point(to, "center", "", cell.center);
    column_whole(to, "samples", cell.samples);
    column_number(to, "share", share_of(list, &cell));
    column_flag(to, "dexterous", cell.dexterous);
    if (manipulability_wanted)
        column_number(to, "manipulability", cell.manipulability);
}

static void write_csv(const void *list, FILE *stream)
{
    table_csv(&(result_table)ROWS_OF(cell_list, count, name_cell), list, stream);
}

/* red, green and blue of a share of the largest, for viewers that show points: from yellow to dark
 * blue */
static void color_of(double share, int color[3])
{
    static const double light[] = {237, 242, 190}, dark[] = {36, 50, 148};
    for (int k = 0; k < 3; k++)
        color[k] = (int)(light[k] + share * (dark[k] - light[k]) + 0.5);
}

static void write_vertex(const cell_list *list, const lb_workspace_cell *cell, FILE *stream)
{
    int color[3];
    double share = share_of(list, cell);
    double most = list->best.manipulability;
    color_of(most > 0 ? cell->manipulability / most : share, color);
    fprintf(stream, "%.9g %.9g %.9g %lu %.6g", cell->center.x, cell->center.y, cell->center.z,
            (unsigned long)cell->samples, share);
    if (manipulability_wanted)
        fprintf(stream, " %.6g", cell->manipulability);
    fprintf(stream, " %d %d %d\n", color[0], color[1], color[2]);
}

static void write_ply(const void *data, FILE *stream)
{
    const cell_list *list = data;
    fprintf(stream,
            "ply\nformat ascii 1.0\ncomment centres of cells of %.9g m, in metres\n"
            "element vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
            "property uint samples\nproperty float share\n%sproperty uchar red\n"
            "property uchar green\nproperty uchar blue\nend_header\n",
            list->grid->cell, list->count,
            manipulability_wanted ? "property float manipulability\n" : "");
    for (int i = 0; i < list->count; i++) {
        lb_workspace_cell cell = cell_of(list, list->numbers[i]);
        write_vertex(list, &cell, stream);
    }
}

/* ---- output ---------------------------------------------------------- */

/* the ring of a two-link arm, measured at rest */
static bool find_ring(const lb_model *model, const lb_task *task, lb_planar_reach *ring)
{
    return lb_planar_reach_find(state_or_exit(model), task, ring);
}

static void draw(const lb_model *model, const lb_task *task, const lb_workspace *workspace,
                 const char *path)
{
    lb_planar_reach ring;
    bool found = find_ring(model, task, &ring);
    char title[256];
    snprintf(title, sizeof title, "%s: %s of %s", lb_model_name(model),
             manipulability_wanted ? "manipulability" : "workspace",
             lb_model_link(model, task->tip)->name);
    lb_workspace_drawing drawing = {.workspace = workspace,
                                    .task = *task,
                                    .ring = found ? &ring : NULL,
                                    .title = figure_title() != NULL ? figure_title() : title,
                                    .quantity = manipulability_wanted ? LB_WORKSPACE_MANIPULABILITY
                                                                      : LB_WORKSPACE_ORIENTATIONS};
    require(lb_draw_workspace(model, &drawing, path, why()));
}

/* a size with its error, or, where samples have not settled, as it is so far */
static void write_size(const char *what, double size, double error, const char *unit, bool grows,
                       FILE *stream)
{
    fprintf(stream, "%-10s %.4g %s", what, size, unit);
    if (grows)
        fputs(" by the cells found so far, no bound", stream);
    else
        fprintf(stream, error < 100 ? ", give or take %.2g" : ", give or take %.0f", error);
}

static void write_words(const lb_model *model, const lb_task *task, const lb_workspace *workspace,
                        const cell_list *list, FILE *stream)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(workspace);
    const char *unit = grid->planar ? "m2" : "m3";
    lb_workspace_size size = lb_workspace_measure(workspace);
    const bool sampled = grid->samples > 0;
    write_size("reachable", size.reachable, size.reachable_error, unit, sampled && growth > SETTLED,
               stream);
    fputc('\n', stream);
    write_size("dexterous", size.dexterous, size.dexterous_error, unit, sampled, stream);
    fprintf(stream, ", in all of %d orientations%s\n", size.orientations,
            size.settled || sampled ? "" : "; not settled: at most that, more take more away");
    fprintf(stream, "cells      %d and %d, of %.3g m\n", size.reachable_cells, size.dexterous_cells,
            grid->cell);
    const lb_workspace_cell *best = &list->best;
    if (best->manipulability > 0)
        fprintf(stream, "manipulability at most %.4g, at %.3g %.3g %.3g m\n", best->manipulability,
                best->center.x, best->center.y, best->center.z);
    lb_planar_reach ring;
    if (find_ring(model, task, &ring))
        fprintf(stream, "exactly    from %.6g to %.6g m from the first joint\n", ring.inner,
                ring.outer);
}

/* ---- the command -------------------------------------------------------- */

static void run_on(const lb_model *model, const char *output, output_form form)
{
    lb_task task = select_given_task(model, LB_TASK_POSITION);
    const lb_workspace *workspace = explore(model, &task);
    bool to_file = strcmp(output, "-") != 0;
    cell_list list = list_cells(workspace);
    if (list.count == 0)
        remark(
            "no cell's centre is reached: where the tip can be is thinner than a cell; give more "
            "--cells, and --samples shows the cells that it passes");
    if (form == FORM_FIGURE)
        draw(model, &task, workspace, output);
    else if (!report_wanted || to_file)
        destination_save(output, form == FORM_OTHER ? write_ply : write_csv, &list);
    select_remark();
    remark_growth(lb_workspace_get_grid(workspace));
    if (report_wanted || (to_file && console_is_terminal(stdout)))
        write_words(model, &task, workspace, &list, stdout);
}

/* a map on a lattice: none of what the other kinds of map have */
static int run_lattice(const char *name, const char *output, map_computer *compute)
{
    if (manipulability_wanted)
        refuse("--manipulability has no effect with --grid; --contents manipulability has");
    option_none_given(cell_options, "with --grid");
    const lb_model *model = select_model(name);
    lb_task task = select_given_task(model, LB_TASK_POSE);
    int status = lattice_run(name, model, &task, output, option_text(iterations_given),
                             report_wanted, compute);
    if (status == EXIT_DONE)
        select_remark();
    return status;
}

int workspace_run(const char *const *operands, map_computer *compute)
{
    if (lattice_given())
        return run_lattice(operands[0], option_text(output_given), compute);
    option_none_given(lattice_options, "without --grid");
    const char *output = option_text(output_given) == NULL ? "-" : option_text(output_given);
    output_form form = argument_output(output, ".ply");
    if (form != FORM_FIGURE)
        option_none_given(title_options, "unless --output is a figure");
    run_on(select_model(operands[0]), output, form);
    return EXIT_DONE;
}

static int run(const char *const *operands)
{
    return workspace_run(operands, map_compute);
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(cell_options),
    OPTION_TEXT("iterations", iterations_given, "N",
                "iterations for each orientation of a cell; default: 100"),
    OPTION_TABLE(lattice_options),
    OPTION_TABLE(thread_options),
    OPTION_TEXT(
        "output", output_given, "FILE",
        "cells (.csv, .ply) or a figure (.svg, .png, .pdf), with --grid a map (.npy, .vti); "
        "default: rows on standard output"),
    OPTION_FLAG("report", report_wanted,
                "print the sizes of the reachable and the dexterous workspace in words; without "
                "--output instead of the rows"),
    OPTION_TABLE(title_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"where planar3 is dexterous, as a map", "limber workspace planar3 --output workspace.svg"},
    {"how freely planar3's tip moves in each place at best, and where most freely",
     "limber workspace planar3 --manipulability --report --output manipulability.svg"},
    {"how large the dexterous workspace of a UR5 is",
     "limber workspace ur5 --cells 16 --threads 0 --report"},
    {"the Panda's hand, as points for any viewer of point clouds",
     "limber workspace panda --tip panda_hand --cells 20 --output panda.ply"},
    {"a map of a UR5 in 72 orientations at each place 20 cm apart, for numpy",
     "limber workspace ur5 --grid 0.2 --orientations 72 --output reach.npy --report"},
    {"where a Panda can stand without colliding, for ParaView",
     "limber workspace panda --grid 0.2 --orientations 72 --inverse --avoid-collision \\\n"
     "        --contents limit_margin --output stands.vti"},
    {NULL, NULL},
};

const command command_workspace = {
    COMMAND(workspace),
    .synopsis = "MODEL [--output FILE.(csv|ply|svg|png|pdf)] [OPTION ...]\n"
                "MODEL --grid METRES --output MAP.(npy|vti) [OPTION ...]",
    .summary = "find where a tip can be, and in how many orientations",
    .details = "Solves for the centre of each cell of a grid, and there for every orientation.\n"
               "The reachable workspace is all cells whose centre is reached. A cell counts as\n"
               "dexterous if none of its orientations is missing, nor any of 15 times as many\n"
               "between them. No finite number proves that: if the last doubling still took away\n"
               "more than counting cells explains, --report says that the size has not settled,\n"
               "and is at most so much. Joint limits often leave nothing. An arm with too few\n"
               "joints for a pose has shares of 0. The error of areas and volumes is half a cell\n"
               "along the whole rim, plus the loss by the last doubling; at least it is half\n"
               "of the cells that the tip passes though it does not reach their centres. The\n"
               "same call always gives the same map.\n\n"
               "With --samples cells count that random configurations were in, those on the\n"
               "rim by half, with the other half as the error: fast, but cells that no sample\n"
               "found are missing, and of robots in space most of the dexterous ones: sizes are\n"
               "of the cells found so far, and bound nothing. A warning says if the shares\n"
               "have not settled. Of a linkage all configurations are closed; its cells are\n"
               "looked for from their neighbours, and some that it reaches may be missing. Of a\n"
               "tip that moves on a curve or a surface no cell's centre would be reached; then\n"
               "samples are tried until the shares settle.\n\n"
               "Rows have the cell's centre x,y,z, how often a sample was there, the share of\n"
               "orientations, and 1 if it counts as dexterous. A figure shows a plane as one\n"
               "map, space as three sections, and outlines the dexterous workspace. Of an arm of\n"
               "two links in a plane the exact reach is outlined.\n\n"
               "Manipulability is the product of the singular values of the Jacobian of the\n"
               "tip's position (Yoshikawa 1985), in the directions in which the tip can move: m2\n"
               "in a plane and m3 in space for turning joints. Of an arm with spare joints it is\n"
               "the largest over the orientations that were solved for.\n\n"
               "With --grid it is a map of poses: for each cell of a lattice around the first\n"
               "joint the number of orientations that are reached there, of those of an even\n"
               "grid (Hopf). It is an array of NumPy (.npy) with a JSON file beside it that\n"
               "describes the cells, or image data of VTK for ParaView (.vti). With --contents\n"
               "the array has records, whose last field is reached. Of arms of six joints\n"
               "contents are those of all solutions, of other arms those of one for each\n"
               "orientation. With --inverse cells are places of the first joint seen from the\n"
               "tip, and orientations those of the base: where the robot can stand.\n\n"
               "Arms with a closed form are decided exactly. Parts can be computed anywhere and\n"
               "joined by limber merge. An array is written while it is computed: after an end\n"
               "of any kind the same command goes on with it, and another map is not\n"
               "overwritten unless --anew is given. The whole is the same file for any number\n"
               "of parts and threads.",
    .operands = 1,
};
