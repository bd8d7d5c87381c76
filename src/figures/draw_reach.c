/*
 * draw_reach.c - lb_draw_reach: maps of what a tool reaches.
 *
 * A slice is a layer of cells, each a square of its colour, with lines of equal numbers ("marching
 * squares" between the cells' centres). A shell is drawn cell by cell from far to near, which for
 * cubes of a lattice is right along each axis by itself; of each cell the faces to cells that do
 * not belong to the shell.
 */
#include "base/error.h"
#include "base/text.h"
#include "figures/drawing.h"
#include "figures/solid.h"

#include <limber/figures/draw_reach.h>

#include <stdlib.h>

static const double margin = 22, title_room = 30, scale_room = 104, scale_width = 15;
static const double slice_size = 380, shell_width = 560, shell_height = 520;
/* the colours of a slice, so that neighbours of nearly the same number are one shape */
enum { STEPS = 40 };

lb_reach_drawing lb_reach_drawing_default(void)
{
    return (lb_reach_drawing){.azimuth = NAN, .elevation = NAN};
}

/* ---- numbers -------------------------------------------------------------- */

/* What all parts of a figure work on. */
typedef struct reach_figure {
    figure *page;
    const lb_reach_drawing *what;
    shade_scale scale;
} reach_figure;

static double value_at(const lb_reach_drawing *what, const int at[3])
{
    int n = what->grid.count;
    for (int i = 0; i < 3; i++)
        if (at[i] < 0 || at[i] >= n)
            return NAN;
    return what->values[(size_t)at[0] + (size_t)n * ((size_t)at[1] + (size_t)n * (size_t)at[2])];
}

static double middle_of(const lb_reach_grid *grid, int axis)
{
    return axis == 0 ? grid->center.x : axis == 1 ? grid->center.y : grid->center.z;
}

/* metres along an axis of so many cells from the lattice's lower side */
static double place_of(const lb_reach_grid *grid, int axis, double cells)
{
    return middle_of(grid, axis) + (cells - 0.5 * grid->count) * grid->cell;
}

static shade_scale find_scale(const lb_reach_drawing *what)
{
    size_t n = (size_t)what->grid.count, cells = n * n * n;
    double largest = 0;
    for (size_t i = 0; i < cells; i++)
        largest = fmax(largest, isnan(what->values[i]) ? 0 : what->values[i]);
    return what->share ? (shade_scale){1, 0.25, true} : shade_scale_for(largest);
}

static void draw_scale(const reach_figure *f, figure_rect room)
{
    double height = fmin(room.height - 60, 240);
    figure_rect bar = {room.x + 20, room.y + 0.5 * (room.height - height), scale_width, height};
    figure_font font = {.size = FIGURE_TEXT_SMALL,
                        .x_align = 0.5,
                        .y_align = 0.5,
                        .turn = LB_PI / 2,
                        .color = FIGURE_MUTED};
    shade_bar(f->page, bar, f->scale);
    if (f->what->quantity != NULL)
        figure_text(f->page, (figure_point){bar.x + bar.width + 52, bar.y + 0.5 * bar.height},
                    f->what->quantity, font);
}

/* ---- slices --------------------------------------------------------------- */

/* A layer of cells on a panel. */
typedef struct slice {
    const reach_figure *figure;
    figure_panel panel;
    int across, up, fixed, layer; /* axes, and which cells of the third */
} slice;

static double slice_value(const slice *s, int i, int j)
{
    int at[3];
    at[s->across] = i;
    at[s->up] = j;
    at[s->fixed] = s->layer;
    return value_at(s->figure->what, at);
}

/* a place on the page, in cells from the lower left corner */
static figure_point slice_point(const void *map, double i, double j)
{
    const slice *s = map;
    const lb_reach_grid *grid = &s->figure->what->grid;
    return figure_panel_at(&s->panel, place_of(grid, s->across, i), place_of(grid, s->up, j));
}

/* -1 of cells without a number, -2 of what is not known */
static int color_step(const void *map, int i, int j)
{
    const slice *s = map;
    double value = slice_value(s, i, j);
    if (isnan(value))
        return -1;
    return value < 0 ? -2 : (int)floor(fmin(value / s->figure->scale.top, 1) * STEPS);
}

/* where the number crosses a level on side k of the square of centres at (i, j) */
static figure_point crossing(const slice *s, int i, int j, int k, const double value[4],
                             double level)
{
    static const int x[] = {0, 1, 1, 0}, y[] = {0, 0, 1, 1};
    int next = (k + 1) % 4;
    double t = (level - value[k]) / (value[next] - value[k]);
    return slice_point(s, i + 0.5 + x[k] + t * (x[next] - x[k]),
                       j + 0.5 + y[k] + t * (y[next] - y[k]));
}

/* the line of one level through the square of four centres; two where opposite corners are above */
static void draw_crossings(const slice *s, int i, int j, double level)
{
    double value[4] = {slice_value(s, i, j), slice_value(s, i + 1, j), slice_value(s, i + 1, j + 1),
                       slice_value(s, i, j + 1)};
    figure_point line[4];
    int count = 0;
    for (int k = 0; k < 4; k++)
        value[k] = value[k] > 0 ? value[k] : 0;
    for (int k = 0; k < 4; k++)
        if ((value[k] < level) != (value[(k + 1) % 4] < level))
            line[count++] = crossing(s, i, j, k, value, level);
    for (int k = 0; k + 1 < count; k += 2)
        figure_polyline(s->figure->page, line + k, 2, figure_pen(FIGURE_INK, FIGURE_HAIR));
}

static void draw_levels(const slice *s)
{
    int n = s->figure->what->grid.count;
    for (int quarter = 1; quarter <= 3; quarter++)
        for (int j = -1; j < n; j++)
            for (int i = -1; i < n; i++)
                draw_crossings(s, i, j, 0.25 * quarter * s->figure->scale.top);
}

/* the base's own axis, and where the base is; on a slice beside it fainter */
static void draw_origin(const slice *s)
{
    const lb_reach_grid *grid = &s->figure->what->grid;
    figure *page = s->figure->page;
    double low = place_of(grid, s->up, 0), high = place_of(grid, s->up, grid->count);
    if (s->up == 2)
        figure_line(page, figure_panel_at(&s->panel, 0, low), figure_panel_at(&s->panel, 0, high),
                    (figure_style){.stroke = FIGURE_MUTED, .width = FIGURE_THIN, .dash = 4});
    if (low < 0 && high > 0)
        figure_marker(page, figure_panel_at(&s->panel, 0, 0), FIGURE_MARK_PLUS, 11, FIGURE_INK);
}

static void draw_slice(slice *s, figure_rect room)
{
    static const char *const titles[] = {"x, metres", "y, metres", "z, metres"};
    const lb_reach_grid *grid = &s->figure->what->grid;
    char title[64];
    double at = place_of(grid, s->fixed, s->layer + 0.5);
    text_format(title, sizeof title, "%c = %.3g m", "xyz"[s->fixed], fabs(at) < 1e-9 ? 0 : at);
    figure_axes axes = {titles[s->across], titles[s->up], title};
    int n = grid->count;
    s->panel = figure_panel_drawing(figure_panel_room(room, axes), place_of(grid, s->across, 0),
                                    place_of(grid, s->across, n), place_of(grid, s->up, 0),
                                    place_of(grid, s->up, n));
    figure_panel_axes(s->figure->page, &s->panel, axes);
    figure_clip(s->figure->page, s->panel.rect);
    shade_cells(s->figure->page, &(shade_map){n, n, STEPS, color_step, slice_point, s});
    draw_levels(s);
    draw_origin(s);
    figure_unclip(s->figure->page);
}

/* upright slices have z up, level ones y */
static slice make_slice(const reach_figure *f, int fixed, int layer)
{
    return (slice){.figure = f,
                   .across = fixed == 0 ? 1 : 0,
                   .up = fixed == 2 ? 1 : 2,
                   .fixed = fixed,
                   .layer = layer};
}

/* layers of cells from the lattice's lower side to a place, negative below it; whole */
static double layers_to(const lb_reach_grid *grid, int axis, double at)
{
    return floor((at - place_of(grid, axis, 0)) / grid->cell);
}

/* the layer of cells at a place; -1: it is outside, or there is no such axis or place */
static int layer_at(const lb_reach_grid *grid, int axis, double at)
{
    if (axis < 0 || axis > 2)
        return -1;
    double layer = layers_to(grid, axis, at);
    return layer >= 0 && layer < grid->count ? (int)layer : -1;
}

static void draw_slices(const reach_figure *f, figure_rect room)
{
    const lb_reach_grid *grid = &f->what->grid;
    if (f->what->view == LB_REACH_SLICE) {
        slice one = make_slice(f, f->what->axis, layer_at(grid, f->what->axis, f->what->at));
        draw_slice(&one, room);
        return;
    }
    slice upright = make_slice(f, 1, grid->count / 2), level = make_slice(f, 2, grid->count / 2);
    draw_slice(&upright, figure_rect_cell(room, 2, 1, 0, margin));
    draw_slice(&level, figure_rect_cell(room, 2, 1, 1, margin));
}

/* ---- a shell -------------------------------------------------------------- */

/* A body of cells, and who looks at it. */
typedef struct shell {
    const reach_figure *figure;
    camera view;
    double cut[2]; /* along x and y: the sides, 1 or -1, whose quarter is cut out */
} shell;

static lb_vec3 shell_corner(const shell *s, const int at[3], const int corner[3])
{
    const lb_reach_grid *grid = &s->figure->what->grid;
    return lb_vec3_make(place_of(grid, 0, at[0] + corner[0]), place_of(grid, 1, at[1] + corner[1]),
                        place_of(grid, 2, at[2] + corner[2]));
}

static bool belongs(const shell *s, const int at[3])
{
    int half = s->figure->what->grid.count / 2;
    double value = value_at(s->figure->what, at);
    bool removed = (at[0] - half) * s->cut[0] > 0 && (at[1] - half) * s->cut[1] > 0;
    return value >= s->figure->what->least && !removed;
}

/* the face of a cell on one side of an axis, if it is bare and turned to the viewer */
static void draw_face(const shell *s, const int at[3], int axis, int side)
{
    // light from above, and more on what faces x than on what faces y
    static const double shadow[] = {0.14, 0.24, 0};
    int beside[3] = {at[0], at[1], at[2]}, corner[3];
    figure_point corners[4];
    lb_vec3 point = {0, 0, 0};
    beside[axis] += side;
    if (belongs(s, beside))
        return;
    for (int k = 0; k < 4; k++) {
        corner[axis] = side > 0;
        corner[(axis + 1) % 3] = k == 1 || k == 2;
        corner[(axis + 2) % 3] = k > 1;
        point = shell_corner(s, at, corner);
        corners[k] = camera_project(&s->view, point, NULL);
    }
    lb_vec3 seen = camera_direction(&s->view, point);
    if (side * (axis == 0 ? seen.x : axis == 1 ? seen.y : seen.z) <= 0)
        return;
    double share = value_at(s->figure->what, at) / s->figure->scale.top;
    figure_color color =
        figure_mix(shade_color(share), FIGURE_INK, axis == 2 && side < 0 ? 0.3 : shadow[axis]);
    figure_polygon(s->figure->page, corners, 4, figure_outlined(color, color, SHADE_OVERLAP));
}

/* the cells of an axis from the farthest to the nearest to the eye: the i-th of them */
static int far_to_near(const shell *s, int axis, int i)
{
    const lb_reach_grid *grid = &s->figure->what->grid;
    lb_vec3 eye = lb_vec3_add(s->view.center, lb_vec3_scale(s->view.toward, s->view.distance));
    double at = axis == 0 ? eye.x : axis == 1 ? eye.y : eye.z;
    // below the eye upwards, then above it downwards
    int n = grid->count, below = (int)fmin(fmax(layers_to(grid, axis, at), 0), n);
    return i < below ? i : n - 1 - (i - below);
}

static void draw_shell_cells(const shell *s)
{
    int n = s->figure->what->grid.count;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int at[3] = {far_to_near(s, 0, i), far_to_near(s, 1, j), far_to_near(s, 2, k)};
                for (int axis = 0; belongs(s, at) && axis < 3; axis++) {
                    draw_face(s, at, axis, -1);
                    draw_face(s, at, axis, 1);
                }
            }
}

static void draw_shell(const reach_figure *f, figure_rect room)
{
    const lb_reach_drawing *what = f->what;
    const lb_reach_grid *grid = &what->grid;
    double azimuth = isnan(what->azimuth) ? -0.92 : what->azimuth;
    double elevation = isnan(what->elevation) ? 0.42 : what->elevation;
    shell s = {.figure = f, .view = camera_make(azimuth, elevation)};
    s.cut[0] = s.view.toward.x < 0 ? -1 : 1;
    s.cut[1] = s.view.toward.y < 0 ? -1 : 1;
    double radius = fmin(grid->radius, 0.5 * grid->count * grid->cell);
    camera_frame(&s.view, &grid->center, &radius, 1, room);
    draw_shell_cells(&s);
}

/* ---- the figure ----------------------------------------------------------- */

/* scales of colours end in round numbers above these, which are finite, too */
static const double largest_value = 1e300;

static bool has_cells(const lb_reach_grid *grid)
{
    bool near = lb_vec3_length(grid->center) <= LB_LENGTH_MAX;
    return grid->count > 0 && grid->cell > 0 && near && grid->cell * grid->count <= LB_LENGTH_MAX;
}

static lb_status check(const lb_reach_drawing *what, lb_error *error)
{
    if (!has_cells(&what->grid))
        return REFUSE_ARGUMENT(error, "the map has no cells, or they are beyond %g m",
                               LB_LENGTH_MAX);
    size_t n = (size_t)what->grid.count, cells = n * n * n;
    for (size_t i = 0; i < cells; i++)
        if (what->values[i] > largest_value)
            return REFUSE_ARGUMENT(error, "the number of cell %zu is %g, above %g", i,
                                   what->values[i], largest_value);
    if (what->view == LB_REACH_SLICE && layer_at(&what->grid, what->axis, what->at) < 0)
        return REFUSE_ARGUMENT(error, "the slice is outside of the map, which is %.3g m wide",
                               what->grid.count * what->grid.cell);
    if (isinf(what->azimuth) || isinf(what->elevation))
        return REFUSE_ARGUMENT(error, "the viewer's azimuth and elevation must be angles");
    return LB_OK;
}

lb_status lb_draw_reach(const lb_reach_drawing *what, const char *path, lb_error *error)
{
    TRY(REQUIRE(error, {what, "drawing"}, {what ? what->values : NULL, "values"}, {path, "path"}));
    TRY(check(what, error));
    bool whole = what->view == LB_REACH_SHELL;
    double slices = what->view == LB_REACH_SLICE ? 1 : 2;
    double width = (whole ? shell_width : slices * slice_size) + scale_room + 2 * margin;
    double height = (whole ? shell_height : slice_size) + 2 * margin;
    reach_figure f = {.what = what, .scale = find_scale(what)};
    TRY(figure_open_dense(path, width, height + (what->title ? title_room : 0), 2, &f.page, error));
    figure_rect room = {margin, margin, figure_width(f.page) - 2 * margin,
                        figure_height(f.page) - 2 * margin};
    room = figure_page_title(f.page, room, what->title);
    draw_scale(&f, figure_rect_inset(room, room.width - scale_room, 0, 0, 0));
    room = figure_rect_inset(room, 0, 0, scale_room, 0);
    if (whole)
        draw_shell(&f, room);
    else
        draw_slices(&f, room);
    return figure_close(f.page, error);
}
