/*
 * strip_row.c - one clip of a strip: where its figures are, the view, marks and paths.
 *
 * Figures that are shown side by side are moved so that the mean of their links is above one place;
 * all are seen by one camera, whose picture is shown again in each place.
 */
#include "figures/strip_row.h"

#include "model/kinds.h"

#include <stdlib.h>

/* points; so high a row is at most */
static const double highest = 300;
/* how strongly the first of several figures in one picture is drawn */
static const double faintest = 0.22;
/* a displacement longer than this share of the figure's size is seen from the side */
static const double travels = 0.6;
/* above the horizon: from the side, from the front; and how far from straight ahead that is */
static const double side_elevation = 0.05, front_elevation = 0.16, front_turn = 0.55;

double strip_time(const strip_layout *layout, int frame)
{
    int gaps = layout->what->frames - 1;
    return gaps > 0 ? layout->begin + (layout->end - layout->begin) * frame / gaps : layout->begin;
}

/* ---- places ---------------------------------------------------------------- */

static const double *frame_q(const strip_row *row, int frame)
{
    return &row->q[(size_t)frame * (size_t)lb_model_nq(row->model)];
}

/* the mean of the links that bones lead to, in the drawing's state */
static lb_vec3 middle_of(const strip_row *row)
{
    const drawing *d = &row->drawing;
    const lb_transform *links = lb_state_transforms(d->state);
    lb_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < d->bones.link_count; i++) {
        if (!d->bones.bone[i] && d->bones.link_count > 1)
            continue;
        sum = lb_vec3_add(sum, links[i].p);
        count++;
    }
    return count > 0 ? lb_vec3_scale(sum, 1.0 / count) : links[0].p;
}

/* how a figure at a place is moved to the middle of its own, along the ground: that is the same
   plane then */
static lb_vec3 move_along(const strip_row *row, lb_vec3 at)
{
    lb_vec3 up = lb_vec3_normalize(row->what->ground_normal, lb_vec3_make(0, 0, 1));
    return lb_vec3_make(-at.x, -at.y, (up.x * at.x + up.y * at.y) / up.z);
}

/* where figures are along the ground, and from where they come to the middle of their places */
static void find_moves(strip_row *row)
{
    bool moved = !row->layout->what->overlaid && kinds_root_moves(row->model);
    for (int i = 0; i < row->layout->what->frames; i++) {
        lb_state_update(row->drawing.state, frame_q(row, i));
        lb_vec3 at = middle_of(row);
        row->moves[i] = moved ? move_along(row, at) : lb_vec3_make(0, 0, 0);
    }
    int last = row->layout->what->frames - 1;
    lb_vec3 from = row->moves[0], shift = lb_vec3_sub(row->moves[last], from);
    for (int i = 1; row->layout->steady && i < last; i++)
        row->moves[i] = lb_vec3_add(from, lb_vec3_scale(shift, (double)i / last));
}

/* ---- the view -------------------------------------------------------------- */

/* from the first to the last moment, along the ground */
static lb_vec3 find_displacement(const strip_row *row)
{
    lb_state *state = row->drawing.state;
    lb_state_update(state, frame_q(row, row->layout->what->frames - 1));
    lb_vec3 to = middle_of(row);
    lb_state_update(state, frame_q(row, 0));
    lb_vec3 shift = lb_vec3_sub(to, middle_of(row));
    shift.z = 0;
    return shift;
}

/* from heels to toes, of contacts with two points on a link; in the drawing's state */
static lb_vec3 find_facing(const strip_row *row)
{
    const lb_contacts *contacts = row->what->contacts;
    const lb_transform *links = lb_state_transforms(row->drawing.state);
    lb_vec3 facing = {0, 0, 0};
    int n = contacts ? lb_contacts_count(contacts) : 0;
    for (int i = 1; i < n; i++) {
        const lb_contact_point *heel = &lb_contacts_points(contacts)[i - 1], *toe = heel + 1;
        if (heel->link == toe->link)
            facing = lb_vec3_add(
                facing, lb_transform_direction(&links[toe->link], lb_vec3_sub(toe->at, heel->at)));
    }
    facing.z = 0;
    return lb_vec3_normalize(facing, lb_vec3_make(1, 0, 0));
}

static void choose_view(strip_row *row)
{
    const lb_strip *strip = row->layout->what;
    drawing *d = &row->drawing;
    lb_vec3 shift = find_displacement(row), facing = find_facing(row);
    bool side = lb_vec3_length(shift) > travels * d->bones.extent;
    d->azimuth =
        side ? lb_atan2(shift.y, shift.x) - 0.5 * LB_PI : lb_atan2(facing.y, facing.x) - front_turn;
    d->elevation = side ? side_elevation : front_elevation;
    if (!isnan(strip->azimuth))
        d->azimuth = strip->azimuth;
    if (!isnan(strip->elevation))
        d->elevation = strip->elevation;
}

/* ---- solids ------------------------------------------------------------------ */

static void move_solids(scene *list, int from, lb_vec3 by)
{
    for (int i = from; i < list->count; i++) {
        solid *body = &list->at[i];
        body->a = lb_vec3_add(body->a, by);
        body->b = lb_vec3_add(body->b, by);
        body->frame.p = lb_vec3_add(body->frame.p, by);
    }
}

static void add_solids(strip_row *row)
{
    int frames = row->layout->what->frames;
    for (int i = 0; i < frames; i++) {
        row->first[i] = row->solids.count;
        scene_add_pose(&row->solids, &row->drawing, i);
        move_solids(&row->solids, row->first[i], row->moves[i]);
    }
    row->first[frames] = row->solids.count;
}

static lb_vec3 middle_of_ground(const strip_row *row)
{
    return solid_on_ground(&row->space.ground, row->space.view.center);
}

double strip_row_slope(const strip_row *row)
{
    const camera *view = &row->space.view;
    lb_vec3 middle = middle_of_ground(row), side = lb_vec3_add(middle, view->right);
    side = solid_on_ground(&row->space.ground, side);
    figure_point a = camera_project(view, middle, NULL), b = camera_project(view, side, NULL);
    return b.x > a.x ? (b.y - a.y) / (b.x - a.x) : 0;
}

/* the upper edge of what is seen at 0, and how far down it and the ground are */
static void measure(strip_row *row)
{
    camera *view = &row->space.view;
    double top = INFINITY, bottom = -INFINITY;
    for (int i = 0; i < row->solids.count; i++) {
        lb_vec3 centers[solid_max_balls];
        double radii[solid_max_balls];
        int n = solid_balls(&row->solids.at[i], centers, radii);
        for (int k = 0; k < n; k++) {
            double y = camera_project(view, centers[k], NULL).y;
            double r = radii[k] * camera_scale_at(view, centers[k]);
            top = fmin(top, y - r);
            bottom = fmax(bottom, y + r);
        }
    }
    double low = camera_project(view, middle_of_ground(row), NULL).y;
    double aside = fabs(strip_row_slope(row)) * 0.5 * row->layout->cell;
    top = fmin(top, low - aside);
    bottom = fmax(bottom, low + aside);
    view->middle.y -= top;
    row->low = low - top;
    row->height = fmax(bottom, low) - top;
}

double strip_row_scale(const strip_row *row)
{
    return row->space.view.scale;
}

void strip_row_rescale(strip_row *row, double scale)
{
    row->space.view.scale = scale;
    measure(row);
}

/* ---- starting ---------------------------------------------------------------- */

static bool take_memory(strip_row *row)
{
    size_t frames = (size_t)row->layout->what->frames, nq = (size_t)lb_model_nq(row->model);
    row->q = calloc((frames + 1) * (nq + 1), sizeof *row->q);
    row->poses = calloc(frames, sizeof *row->poses);
    row->moves = calloc(frames, sizeof *row->moves);
    row->first = calloc(frames + 1, sizeof *row->first);
    return row->q && row->poses && row->moves && row->first;
}

static void sample(strip_row *row)
{
    const lb_strip *strip = row->layout->what;
    size_t nq = (size_t)lb_model_nq(row->model);
    for (int i = 0; i < strip->frames; i++) {
        double *q = &row->q[(size_t)i * nq];
        lb_clip_at(row->what->clip, strip_time(row->layout, i), q);
        double share = strip->frames > 1 ? (double)i / (strip->frames - 1) : 1;
        double strength = strip->overlaid ? faintest + (1 - faintest) * share : 1;
        row->poses[i] = (lb_drawing_pose){.q = q, .strength = strength};
    }
}

static lb_status no_memory(const strip_row *row, lb_error *error)
{
    return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to draw '%s'",
                        lb_model_name(row->model));
}

lb_status strip_row_start(strip_row *row, const strip_layout *layout, const lb_strip_row *what,
                          lb_error *error)
{
    *row = (strip_row){.layout = layout, .what = what, .model = lb_clip_model(what->clip)};
    if (!take_memory(row))
        return no_memory(row, error);
    sample(row);
    row->drawn = lb_drawing_default();
    row->drawn.azimuth = row->drawn.elevation = 0;
    row->drawn.poses = row->poses;
    row->drawn.pose_count = layout->what->frames;
    row->started = true;
    lb_status status = drawing_start(&row->drawing, row->model, &row->drawn, error);
    if (status)
        return status;
    find_moves(row);
    choose_view(row);
    add_solids(row);

    // one picture fills its row, figures side by side their places and a little more
    bool apart = !layout->what->overlaid && !layout->steady;
    double width = layout->cell + (apart ? 2 * layout->spill : 0);
    figure_rect rect = {-0.5 * width, 0, width, highest};
    if (!spatial_frame_above(&row->space, &row->drawing, what->ground_normal, &row->solids, rect))
        return no_memory(row, error);
    measure(row);
    return LB_OK;
}

void strip_row_release(strip_row *row)
{
    if (row->started)
        drawing_stop(&row->drawing);
    free(row->solids.at);
    free(row->first);
    free(row->moves);
    free(row->poses);
    free(row->q);
    *row = (strip_row){.q = NULL};
}

/* ---- contacts ---------------------------------------------------------------- */

int strip_contact_links(const lb_contacts *contacts, int links[STRIP_LINKS])
{
    int count = 0, n = contacts ? lb_contacts_count(contacts) : 0;
    for (int i = 0; i < n; i++) {
        int k = 0, link = lb_contacts_points(contacts)[i].link;
        while (k < count && links[k] != link)
            k++;
        if (k == count && count < STRIP_LINKS)
            links[count++] = link;
    }
    return count;
}

figure_color strip_contact_color(int index)
{
    return figure_series(index);
}

static figure_color color_of(const strip_row *row, int link)
{
    int links[STRIP_LINKS], k = 0, n = strip_contact_links(row->what->contacts, links);
    while (k < n - 1 && links[k] != link)
        k++;
    return strip_contact_color(k);
}

/* where a contact's point is at a time, on the ground; the state is moved */
static figure_point mark_at(strip_row *row, const camera *view, const lb_contact_point *point,
                            double time, lb_vec3 move)
{
    double *q = &row->q[(size_t)row->layout->what->frames * (size_t)lb_model_nq(row->model)];
    lb_clip_at(row->what->clip, time, q);
    lb_state_update(row->drawing.state, q);
    lb_transform link = lb_state_transforms(row->drawing.state)[point->link];
    lb_vec3 at = lb_vec3_add(lb_transform_point(&link, point->at), move);
    return camera_project(view, solid_on_ground(&row->space.ground, at), NULL);
}

/* below the points that are held at a moment */
static void mark_frame(strip_row *row, figure *page, const camera *view, int frame)
{
    const lb_contacts *contacts = row->what->contacts;
    double time = strip_time(row->layout, frame);
    for (int i = 0; contacts && i < lb_contacts_count(contacts); i++) {
        const lb_contact_point *point = &lb_contacts_points(contacts)[i];
        if (!lb_contacts_at(contacts, i, time))
            continue;
        figure_point at = mark_at(row, view, point, time, row->moves[frame]);
        figure_marker(page, at, FIGURE_MARK_DOT, 6, color_of(row, point->link));
    }
}

/* wherever a point is held within the time that is shown */
static void mark_spans(strip_row *row, figure *page)
{
    const lb_contacts *contacts = row->what->contacts;
    const strip_layout *layout = row->layout;
    for (int i = 0; contacts && i < lb_contacts_count(contacts); i++) {
        const lb_contact_point *point = &lb_contacts_points(contacts)[i];
        int n;
        const lb_contact_span *spans = lb_contacts_spans(contacts, i, &n);
        for (int k = 0; k < n; k++) {
            double from = fmax(spans[k].begin, layout->begin);
            double to = fmin(spans[k].end, layout->end);
            if (from > to)
                continue;
            figure_point at =
                mark_at(row, &row->space.view, point, 0.5 * (from + to), lb_vec3_make(0, 0, 0));
            figure_marker(page, at, FIGURE_MARK_DOT, 7, color_of(row, point->link));
        }
    }
}

/* ---- paths --------------------------------------------------------------------- */

figure_color strip_path_color(int index)
{
    return figure_series(index + 2);
}

/* a link's path through the whole time */
static void draw_path(strip_row *row, figure *page, int index)
{
    enum { POINTS = 400 };
    const strip_layout *layout = row->layout;
    int link = row->what->paths[index];
    double *q = &row->q[(size_t)layout->what->frames * (size_t)lb_model_nq(row->model)];
    figure_point points[POINTS];
    figure_color color = strip_path_color(index);
    for (int i = 0; i < POINTS; i++) {
        double share = (double)i / (POINTS - 1);
        lb_clip_at(row->what->clip, layout->begin + share * (layout->end - layout->begin), q);
        lb_state_update(row->drawing.state, q);
        lb_vec3 at = lb_state_transforms(row->drawing.state)[link].p;
        points[i] = camera_project(&row->space.view, at, NULL);
    }
    figure_polyline(page, points, POINTS, figure_pen(color, FIGURE_MEDIUM));
    figure_circle(page, points[POINTS - 1], 2.4, figure_brush(color));
}

/* ---- painting ------------------------------------------------------------------ */

/* the line of the ground through the middle of a place of some width */
static void draw_ground_piece(const strip_row *row, figure *page, double left, double y,
                              double width)
{
    double rise = 0.5 * width * strip_row_slope(row);
    figure_line(page, (figure_point){left, y + row->low - rise},
                (figure_point){left + width, y + row->low + rise},
                (figure_style){.stroke = FIGURE_FRAME, .width = FIGURE_THIN, .butt_ended = true});
}

/* a slope has a piece in each place, with gaps between them */
static void draw_ground(const strip_row *row, figure *page, double y)
{
    const double piece = 0.9;
    const strip_layout *layout = row->layout;
    int places = layout->what->overlaid ? 1 : layout->what->frames;
    double cell = layout->cell;
    if (places == 1 || strip_row_slope(row) == 0) {
        draw_ground_piece(row, page, layout->left, y, cell * places);
        return;
    }
    for (int i = 0; i < places; i++)
        draw_ground_piece(row, page, layout->left + (i + 0.5 * (1 - piece)) * cell, y,
                          piece * cell);
}

/* one moment's solids, and what the figure stands on */
static void paint_frame(const strip_row *row, const spatial *view, int frame)
{
    int frames = row->layout->what->frames, from = row->first[frame], to = row->first[frame + 1];
    scene list = {0};
    for (int i = from; i < to; i++)
        scene_add(&list, row->solids.at[i]);
    for (int i = row->first[frames]; i < row->solids.count; i++)
        scene_add(&list, row->solids.at[i]);
    if (list.out_of_memory)
        figure_fail(row->drawing.page);
    spatial_paint(view, list.at, list.count, drawing_fade(&row->drawing, frame));
    free(list.at);
}

void strip_row_paint(strip_row *row, figure *page, double y)
{
    const strip_layout *layout = row->layout;
    bool together = layout->what->overlaid;
    camera *view = &row->space.view;
    row->drawing.page = page;
    view->middle.y += y;
    view->middle.x += layout->left + 0.5 * layout->cell;
    draw_ground(row, page, y);
    for (int i = 0; i < layout->what->frames; i++) {
        spatial here = row->space;
        here.view.middle.x += together ? 0 : i * layout->cell;
        paint_frame(row, &here, i);
        if (!together)
            mark_frame(row, page, &here.view, i);
    }
    if (together)
        mark_spans(row, page);
    for (int i = 0; together && i < row->what->path_count; i++)
        draw_path(row, page, i);
}
