/*
 * workspace.c - limber workspace: where a tip can be, and in how many ways.
 */
#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/figure.h"
#include "cli/options/select.h"
#include "cli/output/console.h"
#include "cli/output/report.h"
#include "cli/output/rows.h"
#include "formats/file.h"

#include <limber/figures/draw.h>

#include <stdlib.h>
#include <string.h>

static text_option base_given, tip_given, samples_given, cells_given, seed_given, output_given;

static const double usual_samples = 4e6, most_samples = 2e9;

/* ---- what is asked ------------------------------------------------------ */

static lb_workspace *explore(const lb_model *model, const lb_task *task)
{
    lb_workspace_options options = lb_workspace_options_default();
    double samples = usual_samples, cells = 0, seed = 0;
    lb_workspace *made = NULL;
    lb_error error = {0};
    if (!argument_whole("--samples", option_text(samples_given), 1, most_samples, &samples) ||
        !argument_whole("--cells", option_text(cells_given), 1, 256, &cells) ||
        !argument_whole("--seed", option_text(seed_given), 0, 9007199254740992.0, &seed))
        return NULL;
    options.cells = (int)cells;
    options.seed = (uint64_t)seed;
    if (lb_workspace_create(model, task, &options, NULL, &made, &error) != LB_OK) {
        complain_error(&error);
        return NULL;
    }

    /* in portions, so that progress shows */
    static const double portion = 20000;
    progress_start("tried", (long)samples);
    for (double done = 0; done < samples; done += portion) {
        lb_workspace_sample(made, (int)fmin(portion, samples - done));
        progress_at((long)done);
    }
    progress_clear();
    return made;
}

/* ---- cells -------------------------------------------------------------- */

typedef struct writing {
    const lb_workspace *workspace;
    FILE *stream;
} writing;

typedef void write_cell(const writing *w, const lb_workspace_cell *cell, double share);

/* every cell that was reached */
static void each_cell(const writing *w, write_cell *write)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(w->workspace);
    for (int k = 0; k < grid->count[2]; k++)
        for (int j = 0; j < grid->count[1]; j++)
            for (int i = 0; i < grid->count[0]; i++) {
                lb_workspace_cell cell = lb_workspace_at(w->workspace, i, j, k);
                if (cell.samples > 0)
                    write(w, &cell, (double)cell.orientations / grid->orientations);
            }
}

static void write_row(const writing *w, const lb_workspace_cell *cell, double share)
{
    row fields = row_start(w->stream);
    row_number(&fields, cell->center.x);
    row_number(&fields, cell->center.y);
    row_number(&fields, cell->center.z);
    row_whole(&fields, cell->samples);
    row_number(&fields, share);
    row_end(&fields);
}

static void write_csv(const writing *w)
{
    fputs("x,y,z,samples,share\n", w->stream);
    each_cell(w, write_row);
}

/* red, green and blue of a share, for viewers that show points: from yellow to dark blue */
static void color_of(double share, int color[3])
{
    static const double light[] = {237, 242, 190}, dark[] = {36, 50, 148};
    for (int k = 0; k < 3; k++)
        color[k] = (int)(light[k] + share * (dark[k] - light[k]) + 0.5);
}

static void write_vertex(const writing *w, const lb_workspace_cell *cell, double share)
{
    int color[3];
    color_of(share, color);
    fprintf(w->stream, "%.9g %.9g %.9g %lu %.6g %d %d %d\n", cell->center.x, cell->center.y,
            cell->center.z, (unsigned long)cell->samples, share, color[0], color[1], color[2]);
}

static void write_ply(const writing *w)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(w->workspace);
    fprintf(w->stream,
            "ply\nformat ascii 1.0\ncomment centres of cells of %.9g m, in metres\n"
            "element vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
            "property uint samples\nproperty float share\nproperty uchar red\n"
            "property uchar green\nproperty uchar blue\nend_header\n",
            grid->cell, grid->reached);
    each_cell(w, write_vertex);
}

/* ---- what is answered --------------------------------------------------- */

typedef enum output_form { FORM_NONE, FORM_CSV, FORM_PLY, FORM_FIGURE } output_form;

static output_form form_of(const char *path)
{
    static const char *const endings[] = {".csv", ".ply", ".svg", ".png", ".pdf"};
    static const output_form forms[] = {FORM_CSV, FORM_PLY, FORM_FIGURE, FORM_FIGURE, FORM_FIGURE};
    int which;
    if (strcmp(path, "-") == 0)
        return FORM_CSV;
    return argument_ending("--output", path, endings, 5, &which) ? forms[which] : FORM_NONE;
}

static lb_status write_cells(const lb_workspace *workspace, const char *path, output_form form,
                             lb_error *error)
{
    file_writer writer;
    lb_status status = file_begin(&writer, path, error);
    if (status != LB_OK)
        return status;
    writing w = {workspace, writer.stream};
    if (form == FORM_PLY)
        write_ply(&w);
    else
        write_csv(&w);
    return file_commit(&writer, error);
}

/* the ring of a two-link arm, measured at rest */
static bool find_ring(const lb_model *model, const lb_task *task, lb_planar_reach *ring)
{
    lb_state *state = NULL;
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return false;
    bool found = lb_planar_reach_find(state, task, ring);
    lb_state_release(state);
    return found;
}

static lb_status draw(const lb_model *model, const lb_task *task, const lb_workspace *workspace,
                      const char *path, lb_error *error)
{
    lb_planar_reach ring;
    bool found = find_ring(model, task, &ring);
    lb_workspace_drawing drawing = {.workspace = workspace,
                                    .task = *task,
                                    .ring = found ? &ring : NULL,
                                    .title = figure_title()};
    return lb_draw_workspace(model, &drawing, path, error);
}

static void write_words(const lb_model *model, const lb_task *task, const lb_workspace *workspace,
                        FILE *stream)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(workspace);
    int dexterous = 0;
    for (int k = 0; k < grid->count[2]; k++)
        for (int j = 0; j < grid->count[1]; j++)
            for (int i = 0; i < grid->count[0]; i++)
                dexterous += lb_workspace_at(workspace, i, j, k).orientations == grid->orientations;
    double cell = grid->planar ? grid->cell * grid->cell : grid->cell * grid->cell * grid->cell;
    const char *unit = grid->planar ? "m2" : "m3";
    fprintf(stream,
            "%d cells of %.3g m reached, %.4g %s; %d of them, %.4g %s, in all %d orientations\n",
            grid->reached, grid->cell, grid->reached * cell, unit, dexterous, dexterous * cell,
            unit, grid->orientations);
    lb_planar_reach ring;
    if (find_ring(model, task, &ring))
        fprintf(stream, "exactly: from %.6g to %.6g m from the first joint\n", ring.inner,
                ring.outer);
}

/* ---- the command -------------------------------------------------------- */

static int run_on(const lb_model *model, const char *output, output_form form)
{
    lb_error error = {0};
    lb_task task;
    if (!select_task(model, option_text(base_given), option_text(tip_given), LB_TASK_POSITION,
                     &task))
        return EXIT_BAD_INPUT;
    lb_workspace *workspace = explore(model, &task);
    if (workspace == NULL)
        return EXIT_BAD_INPUT;
    lb_status status = form == FORM_FIGURE ? draw(model, &task, workspace, output, &error)
                                           : write_cells(workspace, output, form, &error);
    if (status == LB_OK)
        select_remark();
    else
        complain_error(&error);
    if (status == LB_OK && strcmp(output, "-") != 0 && console_is_terminal(stdout))
        write_words(model, &task, workspace, stdout);
    lb_workspace_release(workspace);
    return status == LB_OK ? EXIT_DONE : EXIT_BAD_INPUT;
}

static int run(const char *const *operands)
{
    const char *output = option_text(output_given) == NULL ? "-" : option_text(output_given);
    output_form form = form_of(output);
    if (form != FORM_NONE && form != FORM_FIGURE &&
        !option_none_given(title_options, "unless --output is a figure"))
        return EXIT_BAD_INPUT;
    lb_model *model = form != FORM_NONE ? select_model(operands[0]) : NULL;
    int status = model != NULL ? run_on(model, output, form) : EXIT_BAD_INPUT;
    lb_model_release(model);
    return status;
}

static const struct poptOption options[] = {
    OPTION_TEXT("base", base_given, "LINK",
                "the link whose frame places are given in, or world; default: the root"),
    OPTION_TEXT("tip", tip_given, "LINK",
                "the link that is asked for; default: the tip that most joints move"),
    OPTION_TEXT("samples", samples_given, "N", "how many configurations are tried; default: 4e6"),
    OPTION_TEXT("cells", cells_given, "N",
                "along the longest side, 1 to 256; default: 100 in a plane, 40 in space"),
    OPTION_TEXT("seed", seed_given, "N", "of the random configurations; default: 0"),
    OPTION_TEXT("output", output_given, "FILE",
                "cells (.csv, .ply) or a figure (.svg, .png, .pdf); default: rows on standard "
                "output"),
    OPTION_TABLE(title_options),
    OPTION_TABLE(model_options),
    OPTION_END,
};

static const example examples[] = {
    {"where the chapter's arm is dexterous, as a map",
     "limber workspace planar3 --output workspace.svg"},
    {"the Panda's hand, as points for any viewer of point clouds",
     "limber workspace panda --tip panda_hand --output panda.ply"},
    {NULL, NULL},
};

const command command_workspace = {
    .name = "workspace",
    .synopsis = "MODEL [--tip LINK] [--base LINK] [--samples N]\n"
                "[--cells N] [--seed N] [--output FILE.(csv|ply|svg|png|pdf)] [--title TEXT]",
    .summary = "find where a tip can be, and in how many orientations",
    .details = "Tries configurations within the limits and notes cell by cell of a grid where\n"
               "the tip was and in which orientations: the reachable workspace are all cells\n"
               "with samples, the dexterous workspace those with a share of 1. What was found\n"
               "is there; more samples only add to it. The same call finds the same.\n"
               "\n"
               "Rows have the cell's centre x,y,z, how often the tip was there, and the share\n"
               "of orientations. A figure shows a plane as one map, space as three sections.\n"
               "Of an arm of two links in a plane the exact reach is outlined.",
    .examples = examples,
    .options = options,
    .operands = 1,
    .run = run,
};
