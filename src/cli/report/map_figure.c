/* map_figure.c - limber draw MAP.npy: a figure of what a tool reaches. */

#include "cli/options/arguments.h"
#include "cli/report/report.h"
#include "cli/work/map_file.h"

#include <limber/figures/draw_reach.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static text_option slice_given, shell_given;
static name_option field_given = {
    .names = (const char *const[]){"reached", "solutions", "manipulability", "limit_margin", NULL}};
/* the same in their order, and what the scale of colours says */
static const struct {
    map_field field;
    const char *says;
} drawn[] = {{MAP_REACHED, "orientations reached"},
             {MAP_SOLUTIONS, "solutions of all orientations"},
             {MAP_MANIPULABILITY, "largest manipulability"},
             {MAP_LIMIT_MARGIN, "largest margin to the limits"}};

const struct poptOption map_figure_options[] = {
    OPTION_TEXT("slice", slice_given, "AXIS=METRES",
                "of a map: one slice across x, y or z there; default: two through the first joint"),
    OPTION_TEXT("shell", shell_given, "LEAST",
                "of a map: the cells of at least that number (of reached: a share of 1) as a body, "
                "cut open"),
    OPTION_NAME("field", field_given, "NAME",
                "of a map: reached, solutions, manipulability or limit_margin, if it has that; "
                "default: reached"),
    OPTION_END,
};

bool map_figure_is_map(const char *name)
{
    return map_file_is_array(name);
}

/* ---- options -------------------------------------------------------------- */

/* "y=0.1" */
static bool read_slice(const char *text, lb_reach_drawing *drawing)
{
    const char *axis = strchr("xyz", text[0]);
    if (text[0] == '\0' || axis == NULL || text[1] != '=')
        return complain("--slice: \"%s\" is not AXIS=METRES, as in y=0.1", text);
    drawing->view = LB_REACH_SLICE;
    drawing->axis = (int)(axis - "xyz");
    return argument_number("--slice", text + 2, &drawing->at);
}

static bool read_options(lb_reach_drawing *drawing, int *which)
{
    const char *slice = option_text(slice_given), *shell = option_text(shell_given);
    *which = 0;
    if (slice != NULL && shell != NULL)
        return complain("--slice and --shell cannot both be given");
    if (shell != NULL)
        drawing->view = LB_REACH_SHELL;
    return argument_name("--field", &field_given, which) &&
           (slice == NULL || read_slice(slice, drawing)) &&
           argument_number("--shell", shell, &drawing->least);
}

/* ---- drawing -------------------------------------------------------------- */

static double *list_values(const map_file *map, map_field field)
{
    double *values = allocate_or_exit(map_file_cells(map), sizeof *values);
    double unit = field == MAP_REACHED ? map->grid.orientations : 1;
    for (size_t i = 0; i < map_file_cells(map); i++)
        values[i] = !map_file_is_decided(map, i) ? -1
                    : map_file_value(map, i, MAP_REACHED) == 0
                        ? NAN
                        : map_file_value(map, i, field) / unit;
    return values;
}

/* "panda: what panda_hand reaches, seen from panda_link0", in the texts of the map's description */
static void describe(const map_file *map, char *title, size_t size)
{
    const char *model = "", *tip = "", *base = "";
    json_t *root = json_loadb(map->description, map->size, 0, NULL);
    json_unpack(root, "{s?s, s?s, s?s}", "model", &model, "tip", &tip, "base", &base);
    snprintf(title, size,
             map->inverse ? "%s: where %s can stand, seen from %s"
                          : "%s: what %s reaches, seen from %s",
             model, map->inverse ? base : tip, map->inverse ? tip : base);
    json_decref(root);
}

static bool draw(const map_file *map, const lb_reach_drawing *given, int which, const char *path)
{
    char title[256];
    lb_reach_drawing drawing = *given;
    describe(map, title, sizeof title);
    drawing.grid = map->grid;
    drawing.quantity = drawn[which].says;
    drawing.share = drawn[which].field == MAP_REACHED;
    if (drawing.title == NULL)
        drawing.title = title;
    double *values = list_values(map, drawn[which].field);
    drawing.values = values;
    bool done = succeeds(lb_draw_reach(&drawing, path, why()));
    free(values);
    return done;
}

bool map_figure_draw(const char *name, const lb_drawing *given, const char *path)
{
    map_file map;
    int which;
    lb_reach_drawing drawing = lb_reach_drawing_default();
    drawing.title = given->title;
    drawing.azimuth = given->azimuth;
    drawing.elevation = given->elevation;
    if (!read_options(&drawing, &which) || !map_file_read(name, &map))
        return false;
    bool has = map.has[drawn[which].field];
    if (!has)
        complain("%s: the map has no %s; limber workspace --contents %s keeps it", name,
                 field_given.names[which], field_given.names[which]);
    bool done = has && draw(&map, &drawing, which, path);
    map_file_release(&map);
    return done;
}
