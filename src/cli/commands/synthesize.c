/*
 * synthesize.c - limber synthesize: four-bars that guide a coupler through given poses.
 */
#include "cli/options/figure.h"
#include "cli/options/targets.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <limber/formats/json.h>
#include <limber/synthesis.h>
#include <stdlib.h>

enum { MOST_BEST = 1000 };

static text_option points_given, near_given, best_given, output_given;
static int json_wanted;

static const struct poptOption sample_options[] = {
    OPTION_FIELD("reach", FIELD_POSITIVE, lb_synthesis_options, reach, "METRES",
                 "how far pivots may be from the coupler's origin in the first pose; default: "
                 "ten times the poses' spread, of five poses a million times"),
    OPTION_COUNT("samples", lb_synthesis_options, samples, 1, LB_SYNTHESIS_SAMPLES, "N",
                 "of three poses N x N moving points, default 5; of four N lines, default 16"),
    OPTION_END,
};

/* Poses and the four-bars that were found. */
typedef struct synthesis {
    lb_plane_pose poses[LB_SYNTHESIS_POSES];
    int count, dyads, found, best; /* best: how many of them are in four_bars */
    bool complete;
    lb_four_bar *four_bars;
} synthesis;

/* ---- poses ------------------------------------------------------------------- */

static void read_poses(synthesis *s)
{
    static const char *const names[] = {"x", "y", "angle"};
    csv_table table;
    int columns[3];
    if (points_given == NULL)
        refuse("no poses given; --points P.csv names them");
    require(csv_open(option_text(points_given), &program_memory, &table, why()));
    for (int i = 0; i < 3; i++) {
        columns[i] = csv_column(&table, names[i]);
        if (columns[i] < 0)
            refuse("%s:1: there is no column '%s'; the header is x,y,angle", table.path, names[i]);
    }
    require(csv_next(&table, LB_SYNTHESIS_POSES + 1, why()));
    s->count = table.rows;
    if (s->count > LB_SYNTHESIS_POSES)
        refuse("%s:%d: three to five poses are wanted; leave this one and those after it out",
               table.path, table.lines[LB_SYNTHESIS_POSES]);
    for (int i = 0; i < s->count; i++) {
        lb_plane_pose *pose = &s->poses[i];
        double *const numbers[] = {&pose->x, &pose->y, &pose->angle};
        for (int k = 0; k < 3; k++)
            require(csv_number(&table, i, columns[k], numbers[k], why()));
        pose->angle *= angle_unit();
    }
}

static void find_four_bars(synthesis *s)
{
    lb_synthesis_options o = lb_synthesis_options_default();
    double near[2] = {0, 0};
    lb_dyad dyads[LB_SYNTHESIS_DYADS];
    options_read(sample_options, &o);
    if (near_given != NULL)
        argument_numbers("--near", option_text(near_given), "x y", 2, near);
    o.near_x = near[0];
    o.near_y = near[1];
    s->four_bars = allocate_or_exit((size_t)s->best, sizeof *s->four_bars);
    const char *path = option_text(points_given);
    require_for(path, lb_dyads_find(s->poses, s->count, &o, dyads, LB_SYNTHESIS_DYADS, &s->dyads,
                                    &s->complete, why()));
    require_for(path, lb_four_bars_find(s->poses, s->count, dyads, s->dyads, s->four_bars, s->best,
                                        &s->found, why()));
    s->best = s->best < s->found ? s->best : s->found;
}

/* ---- results ------------------------------------------------------------------ */

static const char *defects_of(const lb_four_bar *b)
{
    return !b->on_one_branch ? "branch" : !b->in_order ? "order" : "none";
}

static json_t *dyad_json(const lb_dyad *d)
{
    return json_pack("{s:[f, f], s:[f, f], s:f}", "fixed", d->fixed_x, d->fixed_y, "moving",
                     d->moving_x, d->moving_y, "length", d->length);
}

static void write_json(const synthesis *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->best; i++) {
        const lb_four_bar *b = &s->four_bars[i];
        append_json(list,
                    json_pack("{s:o, s:o, s:f, s:f, s:s, s:s, s:f}", "crank", dyad_json(&b->crank),
                              "rocker", dyad_json(&b->rocker), "ground", b->ground, "coupler",
                              b->coupler, "kind", lb_four_bar_kind_text(b->kind), "defect",
                              defects_of(b), "transmission", b->transmission / angle_unit()));
    }
    json_t *all = json_pack("{s:i, s:i, s:b, s:i, s:o}", "poses", s->count, "dyads", s->dyads,
                            "complete", s->complete, "found", s->found, "four_bars", list);
    print_json(all, JSON_INDENT(2), stdout);
}

static void write_table(const synthesis *s)
{
    grid_table table = grid_start("llrrrrllr");
    static const char *const heading[] = {"crank at", "rocker at", "ground",
                                          "crank",    "coupler",   "rocker",
                                          "class",    "defect",    "least angle"};
    for (size_t i = 0; i < sizeof heading / sizeof *heading; i++)
        grid_cell(&table, "%s", heading[i]);
    for (int i = 0; i < s->best; i++) {
        const lb_four_bar *b = &s->four_bars[i];
        grid_cell(&table, "%.4g %.4g", b->crank.fixed_x, b->crank.fixed_y);
        grid_cell(&table, "%.4g %.4g", b->rocker.fixed_x, b->rocker.fixed_y);
        grid_cell(&table, "%.4g", b->ground);
        grid_cell(&table, "%.4g", b->crank.length);
        grid_cell(&table, "%.4g", b->coupler);
        grid_cell(&table, "%.4g", b->rocker.length);
        grid_cell(&table, "%s", lb_four_bar_kind_text(b->kind));
        grid_cell(&table, "%s", defects_of(b));
        grid_cell(&table, "%.3g", b->transmission / angle_unit());
    }
    printf("%d four-bar%s of %d dyad%s; the best %d (metres, %s):\n", s->found,
           s->found == 1 ? "" : "s", s->dyads, s->dyads == 1 ? "" : "s", s->best,
           angle_unit_name());
    grid_print(&table, stdout);
}

/* what was not found, and why that may be */
static void remark_on(const synthesis *s)
{
    const char *path = option_text(points_given);
    if (s->count == LB_SYNTHESIS_POSES && !s->complete)
        remark("%s: a dyad may be missing: the roots did not pass their check", path);
    if (s->found == 0 && s->count < LB_SYNTHESIS_POSES)
        remark("%s: no four-bar among the samples; try --near, --reach or more --samples", path);
    else if (s->found == 0)
        remark("%s: no four-bar: %d dyad%s; five poses have 0, 2 or 4 of them", path, s->dyads,
               s->dyads == 1 ? "" : "s");
    else if (!s->four_bars[0].in_order)
        remark("%s: every four-bar found has a defect", path);
}

static void draw_poses(const synthesis *s, const lb_model *model)
{
    lb_drawing drawing;
    const char *path = figure_wanted(&drawing);
    double q[LB_SYNTHESIS_POSES][3];
    lb_drawing_pose poses[LB_SYNTHESIS_POSES];
    for (int i = 0; i < s->count; i++) {
        lb_four_bar_values(&s->four_bars[0], &s->poses[0], &s->poses[i], q[i]);
        poses[i] = (lb_drawing_pose){.q = q[i], .strength = 1 - 0.15 * (s->count - 1 - i)};
    }
    drawing.poses = poses;
    drawing.pose_count = s->count;
    if (path != NULL)
        figure_draw(model, &drawing, path);
}

/* the best one, as a model and drawn in all poses */
static void write_best(const synthesis *s)
{
    lb_model *model;
    char *text = NULL;
    require(lb_four_bar_model(&s->four_bars[0], &s->poses[0], &program_memory, &model, why()));
    if (output_given != NULL) {
        require(lb_json_write(model, &program_memory, &text, why()));
        destination_save_text(option_text(output_given), text);
    }
    draw_poses(s, model);
}

/* ---- the command --------------------------------------------------------------- */

static int run(const char *const *operands)
{
    (void)operands;
    figure_prepare(figure_options);
    synthesis s = {.best = argument_count("--best", option_text(best_given), 1, MOST_BEST, 10)};
    read_poses(&s);
    find_four_bars(&s);
    if (s.found > 0)
        write_best(&s);
    if (json_wanted)
        write_json(&s);
    else if (s.found > 0)
        write_table(&s);
    remark_on(&s);
    return s.found > 0 ? EXIT_DONE : EXIT_UNREACHED;
}

static const struct poptOption options[] = {
    OPTION_TEXT("points", points_given, "P.csv",
                "three to five poses of the coupler under a header x,y,angle; - is standard input"),
    OPTION_TEXT("near", near_given, "\"X Y\"",
                "of three and four poses: a point of the coupler to sample around; default: 0 0"),
    OPTION_TABLE(sample_options),
    OPTION_TEXT("best", best_given, "N", "how many four-bars to list; default: 10"),
    OPTION_TEXT("output", output_given, "FILE.json", "write the best one there as a model"),
    OPTION_TEXT("figure", figure_file, "FILE",
                "draw the best one in all poses: .svg, .png or .pdf"),
    OPTION_TABLE(figure_options),
    OPTION_FLAG("json", json_wanted, "one JSON object on standard output"),
    OPTION_TABLE(angle_options),
    OPTION_END,
};

static const example examples[] = {
    {"a lid through three poses: its four-bar as a model, drawn and moved",
     "printf 'x,y,angle\\n0,0,0\\n1,0.5,0.5\\n1.5,1.5,1.2\\n' |\n"
     "    limber synthesize --points - --output lid.json --figure lid.svg &&\n"
     "    limber fk lid.json --base world --at \"drive=0.1\""},
    {NULL, NULL},
};

const command command_synthesize = {
    COMMAND(synthesize),
    .synopsis = "--points P.csv [--output FILE.json]\n"
                "[--figure FILE] [OPTION ...]",
    .summary = "find four-bars that guide a coupler through given poses",
    .details = "A dyad is a fixed pivot and a point of the coupler that have one distance in all\n"
               "poses; two dyads make a four-bar. All real dyads of five poses are found, 0, 2\n"
               "or 4, or a note says that one may be missing. Four poses have a curve of dyads,\n"
               "which is sampled along lines; of three poses a lattice of moving points is\n"
               "taken.\n\n"
               "A four-bar has a branch defect if its crank cannot move it from the first pose\n"
               "to each other one without a dead point, and an order defect if the crank does\n"
               "not pass the poses in order within one turn, one way. Those without defects come\n"
               "first, then by the least angle between coupler and rocker, the transmission\n"
               "angle, over the poses. The side that does better is the crank.\n\n"
               "The model has joints drive, pin and pivot. Its root is the crank's fixed pivot,\n"
               "its link guided has the poses in the world: limber fk --base world.\n\n"
               "The exit status is 0 if a four-bar was found, 1 if none was.",
};
