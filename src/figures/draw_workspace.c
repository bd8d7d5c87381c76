/*
 * draw_workspace.c - lb_draw_workspace: maps of where a tool can be, and how freely.
 */
#include "base/error.h"
#include "base/text.h"
#include "figures/drawing.h"
#include "figures/planar.h"
#include "ik/task.h"

#include <stdlib.h>

static const double margin = 22, title_room = 30, scale_room = 112, scale_width = 15;
static const double map_width = 640, map_height = 560, section_width = 300;
enum { STEPS = 20, PLAIN = 5 /* the one colour */ };

/* ---- what the colours say ------------------------------------------------ */

/* Of a workspace's cells. */
typedef struct scale {
    lb_workspace_quantity quantity;
    bool plain;       /* no cell has any orientation: they are of one colour */
    bool outlined;    /* some have all */
    double largest;   /* manipulability of all cells */
    double top;       /* what the darkest colour stands for, the last of the marks */
    double step;      /* from mark to mark */
    const char *unit; /* of manipulability */
} scale;

static void look_at(const lb_workspace_grid *grid, const lb_workspace_cell *cell, scale *s)
{
    s->plain = s->plain && (!cell->reached || cell->orientations == 0);
    s->outlined = s->outlined || (cell->reached && cell->orientations == grid->orientations);
    s->largest = fmax(s->largest, cell->manipulability);
}

/* the unit of manipulability: a product of speeds per joint speed, none where joints slide */
static const char *unit_of(const lb_model *model, int tip, bool flat)
{
    for (int link = tip; link > 0; link = lb_model_parent(model, link)) {
        lb_joint_kind kind = lb_model_joint(model, link - 1)->kind;
        if (kind == LB_JOINT_PRISMATIC || kind == LB_JOINT_PLANAR || kind == LB_JOINT_FLOATING)
            return "";
    }
    return flat ? " m\xc2\xb2" : " m\xc2\xb3";
}

static scale find_scale(const lb_model *model, const lb_workspace_drawing *what)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(what->workspace);
    scale s = {.quantity = what->quantity, .plain = true, .top = 1, .step = 0.25};
    for (int k = 0; k < grid->count[2]; k++)
        for (int j = 0; j < grid->count[1]; j++)
            for (int i = 0; i < grid->count[0]; i++) {
                lb_workspace_cell cell = lb_workspace_at(what->workspace, i, j, k);
                look_at(grid, &cell, &s);
            }
    s.unit = unit_of(model, what->task.tip, grid->planar);
    if (s.quantity == LB_WORKSPACE_MANIPULABILITY) {
        shade_scale marks = shade_scale_for(s.largest);
        s.plain = false;
        s.step = marks.step;
        s.top = marks.top;
    }
    return s;
}

/* ---- maps --------------------------------------------------------------- */

/* A layer of cells on a panel: two of the grid's axes, seen from the world or the base. */
typedef struct map {
    figure *page;
    figure_panel panel;
    const lb_workspace *workspace;
    const lb_workspace_grid *grid;
    const scale *scale;
    int across, up, fixed, layer; /* axes 0..2 of the grid, and which cells of the third */
    lb_transform panel_grid;      /* the grid's axes seen from the panel's, which z points out of */
} map;

static lb_workspace_cell cell_at(const map *m, int i, int j)
{
    int index[3];
    index[m->across] = i;
    index[m->up] = j;
    index[m->fixed] = m->layer;
    return lb_workspace_at(m->workspace, index[0], index[1], index[2]);
}

/* -1: not reached */
static int share_step(const void *layer, int i, int j)
{
    const map *m = layer;
    lb_workspace_cell cell = cell_at(m, i, j);
    if (!cell.reached)
        return -1;
    bool manipulability = m->scale->quantity == LB_WORKSPACE_MANIPULABILITY;
    double value =
        manipulability ? cell.manipulability : (double)cell.orientations / m->grid->orientations;
    return m->scale->plain ? PLAIN : (int)floor(value / m->scale->top * STEPS);
}

/* a place of the layer on the page, in cells */
static figure_point point_at(const void *layer, double i, double j)
{
    const map *m = layer;
    double at[3] = {m->grid->corner.x, m->grid->corner.y, m->grid->corner.z};
    at[m->across] += i * m->grid->cell;
    at[m->up] += j * m->grid->cell;
    lb_vec3 p = lb_transform_point(&m->panel_grid, lb_vec3_make(at[0], at[1], at[2]));
    return figure_panel_at(&m->panel, p.x, p.y);
}

static void draw_cells(const map *m)
{
    shade_cells(m->page, &(shade_map){m->grid->count[m->across], m->grid->count[m->up], STEPS,
                                      share_step, point_at, m});
}

/* whether cell (i, j) of the layer is; outside of the grid none is */
static bool is_dexterous(const map *m, int i, int j)
{
    return i >= 0 && j >= 0 && i < m->grid->count[m->across] && j < m->grid->count[m->up] &&
           cell_at(m, i, j).dexterous;
}

/* from the middle of one side of a square to that of another; sides 0..3: below, right, above, left
 */
static void draw_cut(const map *m, int i, int j, int from, int to)
{
    static const double x[] = {0.5, 1, 0.5, 0}, y[] = {0, 0.5, 1, 0.5};
    figure_point line[2];
    const int ends[2] = {from, to};
    for (int k = 0; k < 2; k++)
        line[k] = point_at(m, i + 0.5 + x[ends[k]], j + 0.5 + y[ends[k]]);
    figure_polyline(m->page, line, 2, figure_pen(FIGURE_INK, FIGURE_MEDIUM));
}

/*
 * Around the cells that have every orientation: by squares between four centres, each cut where
 * neighbours differ ("marching squares"); two opposite corners are cut off one by one.
 */
static void draw_outlines(const map *m)
{
    if (m->scale->quantity != LB_WORKSPACE_ORIENTATIONS)
        return;
    // the sides that are cut, by which corners are inside: 1, 2, 4, 8 counterclockwise
    static const signed char cuts[16][4] = {
        {-1, -1, -1, -1}, {3, 0, -1, -1}, {0, 1, -1, -1}, {3, 1, -1, -1},
        {1, 2, -1, -1},   {3, 0, 1, 2},   {0, 2, -1, -1}, {3, 2, -1, -1},
        {2, 3, -1, -1},   {2, 0, -1, -1}, {0, 1, 2, 3},   {2, 1, -1, -1},
        {1, 3, -1, -1},   {1, 0, -1, -1}, {0, 3, -1, -1}, {-1, -1, -1, -1}};
    for (int j = -1; j < m->grid->count[m->up]; j++)
        for (int i = -1; i < m->grid->count[m->across]; i++) {
            int inside = is_dexterous(m, i, j) + 2 * is_dexterous(m, i + 1, j) +
                         4 * is_dexterous(m, i + 1, j + 1) + 8 * is_dexterous(m, i, j + 1);
            for (int k = 0; k < 4 && cuts[inside][k] >= 0; k += 2)
                draw_cut(m, i, j, cuts[inside][k], cuts[inside][k + 1]);
        }
}

/* the layer in the middle of all that was reached, orientations counted */
static int middle_layer(map *m)
{
    double sum = 0, moment = 0;
    for (m->layer = 0; m->layer < m->grid->count[m->fixed]; m->layer++)
        for (int j = 0; j < m->grid->count[m->up]; j++)
            for (int i = 0; i < m->grid->count[m->across]; i++) {
                lb_workspace_cell cell = cell_at(m, i, j);
                double weight = cell.reached ? fmax(1, cell.orientations) : 0;
                sum += weight;
                moment += m->layer * weight;
            }
    return sum > 0 ? (int)(moment / sum + 0.5) : 0;
}

/* ---- the scale of colours ----------------------------------------------- */

/* the sample of a legend, and its text in lines */
static void draw_entry(figure *page, figure_rect sample, figure_style style,
                       const char *const *lines)
{
    figure_font font = {.size = FIGURE_TEXT_SMALL, .color = FIGURE_MUTED};
    figure_rectangle(page, sample, 0, style);
    for (int i = 0; lines[i]; i++)
        figure_text(page,
                    (figure_point){sample.x, sample.y + sample.height + 14 + 1.25 * i * font.size},
                    lines[i], font);
}

static void draw_outline_entry(figure *page, double x, double y)
{
    static const char *const lines[] = {"outlined:", "in all", "orientations", NULL};
    draw_entry(page, (figure_rect){x, y, scale_width, 10}, figure_pen(FIGURE_INK, FIGURE_MEDIUM),
               lines);
}

/* of reach alone: one colour */
static void draw_plain(figure *page, figure_rect room)
{
    static const char *const lines[] = {"reachable;", "too few joints", "for every", "orientation",
                                        NULL};
    draw_entry(
        page, (figure_rect){room.x + 16, room.y + 0.5 * room.height - 40, scale_width, scale_width},
        figure_outlined(shade_color((double)PLAIN / STEPS), FIGURE_FRAME, FIGURE_THIN), lines);
}

static void draw_scale(figure *page, const scale *s, figure_rect room)
{
    if (s->plain) {
        draw_plain(page, room);
        return;
    }
    bool manipulability = s->quantity == LB_WORKSPACE_MANIPULABILITY;
    double height = fmin(room.height - 80, 240);
    figure_rect bar = {room.x + 16, room.y + 0.5 * (room.height - height), scale_width, height};
    figure_font font = {.size = FIGURE_TEXT_SMALL, .y_align = 0.5, .color = FIGURE_MUTED};
    shade_bar(page, bar, (shade_scale){s->top, s->step, !manipulability});
    if (!manipulability && s->outlined)
        draw_outline_entry(page, bar.x, bar.y + bar.height + 16);

    // what the numbers are, and the largest
    char text[64];
    text_format(text, sizeof text, "%s%s%s", "largest manipulability", *s->unit ? " in" : "",
                s->unit);
    figure_font turned = font;
    turned.turn = LB_PI / 2;
    turned.x_align = 0.5;
    figure_text(page, (figure_point){bar.x + bar.width + 50, bar.y + 0.5 * bar.height},
                manipulability ? text : "orientations reached", turned);
    if (manipulability) {
        text_format(text, sizeof text, "at most %.3g%s", s->largest, s->unit);
        figure_text(page, (figure_point){bar.x, bar.y + bar.height + 22}, text, font);
    }
}

static figure_rect draw_title(figure *page, const char *title)
{
    figure_rect rect = {0, 0, figure_width(page), figure_height(page)};
    return figure_page_title(page, figure_rect_inset(rect, margin, margin, margin, margin), title);
}

/* ---- a plane ------------------------------------------------------------ */

/* the edges of what each bend of the elbow reaches */
static void draw_ring(const map *m, const lb_planar_reach *ring, const lb_transform *panel_base)
{
    enum { POINTS = 96 };
    lb_transform place = lb_transform_multiply(panel_base, &ring->plane);
    lb_planar_reach_patch patches[LB_PLANAR_REACH_PATCHES];
    int count = lb_planar_reach_get_patches(ring, patches);
    for (int i = 0; i < count; i++) {
        const lb_planar_reach_patch *p = &patches[i];
        bool whole = p->to[0] - p->from[0] > 2 * LB_PI - 1e-9;
        for (int side = 0; side < 4; side++) {
            // along the first angle at both ends of the second, then the other way round
            int moving = side % 2, end = side / 2;
            figure_point line[POINTS + 1];
            if (moving == 1 && whole)
                continue;
            for (int k = 0; k <= POINTS; k++) {
                double a[2], u = (double)k / POINTS;
                a[moving] = p->from[moving] + u * (p->to[moving] - p->from[moving]);
                a[1 - moving] = end ? p->to[1 - moving] : p->from[1 - moving];
                lb_vec3 at = lb_planar_reach_point(ring, a[0], a[1]);
                at = lb_transform_point(&place, at);
                line[k] = figure_panel_at(&m->panel, at.x, at.y);
            }
            figure_polyline(m->page, line, POINTS + 1, figure_pen(FIGURE_INK, FIGURE_THIN));
        }
    }
}

/* all cells and, where the model is drawn, its base */
static figure_panel plane_panel(const map *m, figure_rect rect, lb_vec3 root)
{
    double x0 = root.x, x1 = root.x, y0 = root.y, y1 = root.y;
    for (int k = 0; k < 4; k++) {
        lb_vec3 p = m->grid->corner;
        p.x += k % 2 * m->grid->count[0] * m->grid->cell;
        p.y += k / 2 * m->grid->count[1] * m->grid->cell;
        p = lb_transform_point(&m->panel_grid, p);
        x0 = fmin(x0, p.x);
        x1 = fmax(x1, p.x);
        y0 = fmin(y0, p.y);
        y1 = fmax(y1, p.y);
    }
    return figure_panel_drawing(rect, x0, x1, y0, y1);
}

static void draw_model(const drawing *d, const figure_panel *panel, lb_transform plane)
{
    planar p = {.page = d->page,
                .panel = *panel,
                .plane = plane,
                .model = d->model,
                .bones = &d->bones,
                .links = lb_state_transforms(d->state),
                .color = figure_series(1)};
    planar_draw_base(&p);
    planar_draw_pose(&p);
}

/* one map, the model over it where it lies in the same plane */
static void draw_plane(drawing *d, const lb_workspace_drawing *what, const scale *colors)
{
    const lb_workspace_grid *grid = lb_workspace_get_grid(what->workspace);
    lb_transform world_base = lb_state_transform(d->state, LB_WORLD, what->task.base);
    lb_transform world_grid = lb_transform_multiply(&world_base, &grid->frame);
    bool shown = !d->in_space && fabs(lb_vec3_dot(d->plane.z, world_grid.z)) > 1 - 1e-6;
    lb_transform plane = shown ? d->plane : world_grid;
    map m = {.page = d->page,
             .workspace = what->workspace,
             .grid = grid,
             .scale = colors,
             .up = 1,
             .across = 0,
             .fixed = 2,
             .panel_grid = lb_transform_between(&plane, &world_grid)};
    figure_rect rect = draw_title(d->page, what->title);
    figure_axes axes = {planar_axis_title(plane.x), planar_axis_title(plane.y), NULL};
    figure_rect legend = {rect.x + rect.width - scale_room, rect.y, scale_room, rect.height};
    rect = figure_panel_room(figure_rect_inset(rect, 0, 0, scale_room, 0), axes);
    lb_vec3 root = lb_state_transforms(d->state)[0].p;
    lb_transform back = lb_transform_inverse(&plane);
    m.panel = plane_panel(&m, rect, lb_transform_point(&back, root));

    figure_panel_axes(d->page, &m.panel, axes);
    figure_clip(d->page, m.panel.rect);
    draw_cells(&m);
    draw_outlines(&m);
    lb_transform panel_base = lb_transform_between(&plane, &world_base);
    if (what->ring)
        draw_ring(&m, what->ring, &panel_base);
    if (shown)
        draw_model(d, &m.panel, plane);
    figure_unclip(d->page);
    draw_scale(d->page, colors, legend);
}

/* ---- space -------------------------------------------------------------- */

/* the title of a section says where it lies */
static void draw_section(map *m, figure_rect rect, int across, int up)
{
    static const char *const names[] = {"x in m", "y in m", "z in m"};
    static const char letters[] = "xyz";
    char title[48];
    m->across = across;
    m->up = up;
    m->fixed = 3 - across - up;
    m->layer = middle_layer(m);
    const double corners[3] = {m->grid->corner.x, m->grid->corner.y, m->grid->corner.z};
    double at = corners[m->fixed] + (m->layer + 0.5) * m->grid->cell;
    text_format(title, sizeof title, "section at %c = %s%.2f m", letters[m->fixed],
                at < -0.005 ? "\xe2\x88\x92" : "", fabs(at));

    figure_axes axes = {names[across], names[up], title};
    rect = figure_panel_room(rect, axes);
    m->panel = figure_panel_drawing(rect, corners[across],
                                    corners[across] + m->grid->count[across] * m->grid->cell,
                                    corners[up], corners[up] + m->grid->count[up] * m->grid->cell);
    // the panel shows two axes of the grid
    lb_vec3 axis[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    axis[across] = lb_vec3_make(1, 0, 0);
    axis[up] = lb_vec3_make(0, 1, 0);
    axis[m->fixed] = lb_vec3_make(0, 0, 1);
    m->panel_grid = (lb_transform){axis[0], axis[1], axis[2], {0, 0, 0}};
    figure_panel_axes(m->page, &m->panel, axes);
    figure_clip(m->page, m->panel.rect);
    draw_cells(m);
    draw_outlines(m);
    figure_unclip(m->page);
}

static void draw_space(drawing *d, const lb_workspace_drawing *what, const scale *colors)
{
    static const int sections[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    map m = {.page = d->page,
             .workspace = what->workspace,
             .grid = lb_workspace_get_grid(what->workspace),
             .scale = colors};
    figure_rect rect = draw_title(d->page, what->title);
    figure_rect legend = {rect.x + rect.width - scale_room, rect.y, scale_room, rect.height};
    rect = figure_rect_inset(rect, 0, 0, scale_room, 0);
    for (int i = 0; i < 3; i++)
        draw_section(&m, figure_rect_cell(rect, 3, 1, i, 10), sections[i][0], sections[i][1]);
    draw_scale(d->page, colors, legend);
}

/* ---- the page ----------------------------------------------------------- */

lb_status lb_draw_workspace(const lb_model *model, const lb_workspace_drawing *what,
                            const char *path, lb_error *error)
{
    TRY(REQUIRE(error, {model, "model"}, {what, "drawing"},
                {what ? what->workspace : NULL, "workspace"}, {path, "path"}));
    if (!task_has_links(model, &what->task))
        return REFUSE_ARGUMENT(error, "the task is from link %d to link %d; the model has %d",
                               what->task.base, what->task.tip, lb_model_link_count(model));
    drawing d;
    lb_drawing rest = lb_drawing_default();
    bool flat = lb_workspace_get_grid(what->workspace)->planar;
    double width = flat ? map_width + scale_room : 3 * section_width + scale_room;
    double height = (flat ? map_height : section_width + 2 * margin + 24);
    lb_status status = drawing_start(&d, model, &rest, error);
    if (status == LB_OK)
        status = figure_open_dense(path, width, height + (what->title ? title_room : 0), 2, &d.page,
                                   error);
    if (status == LB_OK) {
        scale colors = find_scale(model, what);
        lb_state_update(d.state, d.poses[0].q);
        if (flat)
            draw_plane(&d, what, &colors);
        else
            draw_space(&d, what, &colors);
        status = figure_close(d.page, error);
    }
    drawing_stop(&d);
    return status;
}
