/*
 * film.c - strips of panels: the page, and panels of planar and of spatial linkages.
 */
#include "figures/film.h"

#include "base/error.h"
#include "base/text.h"
#include "figures/planar.h"
#include "figures/spatial.h"

#include <stdlib.h>

enum { most_columns = 6 };

/* the page, in points; panels share its width, but none is wider than a good picture needs */
static const double page_width = 900, widest = 300, margin = 18, gap = 12;
static const double title_room = 30, label_room = 24, caption_room = 20;
/* dashes of the wanted path, and dots of the one that was gone */
static const double goal_dash = 4, dot_size = 2.2;
/* what the stand of a planar figure takes at most */
static const double stand_half = 24, stand_height = 24;

/* what all panels share */
typedef struct showing {
    const film *what;
    drawing drawing; /* its poses are those of all panels in turn */
    int columns;
    double panel_width, panel_height;
    planar_bounds piece; /* planar: the piece of the plane that panels show */
    spatial space;       /* else: the view, framed in the rectangle at the origin */
} showing;

/* ---- what is to be seen ------------------------------------------------- */

static int panel_count(const film *what)
{
    int count = 0;
    for (int i = 0; i < what->strip_count; i++)
        count += what->strips[i].shown_count;
    return count;
}

static int target_count(const film *what)
{
    int count = 0;
    for (int i = 0; i < what->strip_count; i++)
        count += what->strips[i].frames * (what->strips[i].goals ? 2 : 1);
    return count;
}

/* the poses of all panels, and as targets all places that must be on the page */
static lb_drawing make_drawing(const film *what, lb_drawing_pose *poses, lb_vec3 *places)
{
    int nq = lb_model_nq(what->model);
    lb_drawing drawn = lb_drawing_default();
    drawn.poses = poses;
    drawn.targets = places;
    drawn.azimuth = what->azimuth;
    drawn.elevation = what->elevation;
    for (int s = 0; s < what->strip_count; s++) {
        const film_strip *strip = &what->strips[s];
        for (int i = 0; i < strip->shown_count; i++)
            poses[drawn.pose_count++] = (lb_drawing_pose){
                .q = strip->q + (size_t)strip->shown[i] * (size_t)nq, .strength = 1};
        for (int i = 0; i < strip->frames; i++) {
            places[drawn.target_count++] = strip->tools[i];
            if (strip->goals)
                places[drawn.target_count++] = strip->goals[i];
        }
    }
    return drawn;
}

/* ---- planar panels ------------------------------------------------------ */

/* the piece of the plane that holds all poses, paths and goals, with some room */
static void find_piece(showing *show)
{
    drawing *d = &show->drawing;
    show->piece.x0 = show->piece.y0 = INFINITY;
    show->piece.x1 = show->piece.y1 = -INFINITY;
    for (int i = 0; i < d->pose_count; i++) {
        lb_state_update(d->state, d->poses[i].q);
        const lb_transform *links = lb_state_transforms(d->state);
        planar_include_shapes(&show->piece, d->model, links, &d->plane);
        for (int k = 0; k < d->bones.link_count; k++)
            if (k == 0 || d->bones.bone[k])
                planar_include(&show->piece, &d->plane, links[k].p);
    }
    for (int i = 0; i < d->what->target_count; i++)
        planar_include(&show->piece, &d->plane, d->what->targets[i]);
    double farthest =
        fmax(fmax(-show->piece.x0, show->piece.x1), fmax(-show->piece.y0, show->piece.y1));
    double extent = fmax(fmax(show->piece.x1 - show->piece.x0, show->piece.y1 - show->piece.y0),
                         d->bones.extent);
    double room = 0.08 * fmax(extent, fmax(1e-12 * farthest, 1e-12));
    show->piece.x0 -= room;
    show->piece.x1 += room;
    show->piece.y0 -= room;
    show->piece.y1 += room;

    // the stand under the root is as large on every page
    lb_vec3 root = lb_model_root(d->model).p;
    double point = (show->piece.x1 - show->piece.x0) / show->panel_width;
    lb_vec3 left = lb_vec3_scale(d->plane.x, -stand_half * point);
    lb_vec3 down = lb_vec3_scale(d->plane.y, -stand_height * point);
    planar_include(&show->piece, &d->plane, lb_vec3_add(lb_vec3_add(root, left), down));
    planar_include(&show->piece, &d->plane, lb_vec3_sub(root, left));
}

/* paths are drawn in the plane and in space alike: this says where a point is on the page */
typedef struct place {
    const planar *flat; /* NULL: in space */
    const camera *view;
} place;

static figure_point place_of(const place *p, lb_vec3 point)
{
    return p->flat ? planar_at(p->flat, point) : camera_project(p->view, point, NULL);
}

/* ---- paths --------------------------------------------------------------- */

/* through all points, in pieces that meet */
static void draw_line(figure *page, const place *p, const lb_vec3 *points, int n,
                      figure_style style)
{
    enum { PIECE = 256 };
    figure_point at[PIECE];
    int count = 0;
    for (int i = 0; i < n; i++) {
        at[count++] = place_of(p, points[i]);
        if (count < PIECE && i < n - 1)
            continue;
        if (count > 1)
            figure_polyline(page, at, count, style);
        at[0] = at[count - 1];
        count = 1;
    }
}

/* where the tool is to go, under everything */
static void draw_goals(figure *page, const place *p, const film_strip *strip)
{
    figure_style style = {.stroke = figure_mix(FIGURE_TARGET, FIGURE_PAPER, 0.45),
                          .width = FIGURE_THIN,
                          .dash = goal_dash,
                          .butt_ended = true};
    if (strip->goals)
        draw_line(page, p, strip->goals, strip->frames, style);
}

/* the path so far, a dot for each frame, and the goal, over everything */
static void draw_path(figure *page, const place *p, const film_strip *strip, int frame)
{
    figure_color color = figure_series(1);
    draw_line(page, p, strip->tools, frame + 1, figure_pen(color, FIGURE_MEDIUM));
    // dots as long as they do not crowd, and in any case where the tool is
    figure_point last = {-INFINITY, -INFINITY};
    for (int i = 0; i <= frame; i++) {
        figure_point at = place_of(p, strip->tools[i]);
        if (i < frame && hypot(at.x - last.x, at.y - last.y) < 2.2 * dot_size)
            continue;
        last = at;
        figure_circle(page, at, dot_size, figure_outlined(color, FIGURE_PAPER, FIGURE_HAIR));
    }
    if (strip->goals)
        figure_marker(page, place_of(p, strip->goals[strip->frames - 1]), FIGURE_MARK_TARGET, 13,
                      FIGURE_TARGET);
}

/* ---- panels ------------------------------------------------------------- */

static void draw_planar_panel(showing *show, figure_rect rect, const film_strip *strip, int frame,
                              int pose)
{
    drawing *d = &show->drawing;
    planar p = {.page = d->page,
                .panel = figure_panel_drawing(rect, show->piece.x0, show->piece.x1, show->piece.y0,
                                              show->piece.y1),
                .plane = d->plane,
                .model = d->model,
                .bones = &d->bones,
                .links = lb_state_transforms(d->state),
                .color = drawing_color(d, pose),
                .shaped = true};
    place where = {.flat = &p};
    planar_draw_base(&p);
    draw_goals(d->page, &where, strip);
    lb_state_update(d->state, d->poses[pose].q);
    planar_draw_pose(&p);
    draw_path(d->page, &where, strip, frame);
}

static void draw_spatial_panel(showing *show, figure_rect rect, const film_strip *strip, int frame,
                               int pose)
{
    drawing *d = &show->drawing;
    scene list = {0};
    spatial view = show->space;
    view.view.middle.x += rect.x;
    view.view.middle.y += rect.y;
    place where = {.view = &view.view};
    scene_add_pose(&list, d, pose);
    scene_add_pedestal(&list, d, view.ground.height);
    spatial_draw_ground(&view);
    draw_goals(d->page, &where, strip);
    if (list.out_of_memory)
        figure_fail(d->page);
    spatial_paint(&view, list.at, list.count, 0);
    draw_path(d->page, &where, strip, frame);
    free(list.at);
}

static void draw_panel(showing *show, figure_rect rect, const film_strip *strip, int frame,
                       int pose)
{
    figure *page = show->drawing.page;
    char text[32];
    text_format(text, sizeof text, "frame %d", frame);
    figure_clip(page, rect);
    if (show->drawing.in_space)
        draw_spatial_panel(show, rect, strip, frame, pose);
    else
        draw_planar_panel(show, rect, strip, frame, pose);
    figure_unclip(page);
    figure_rectangle(page, rect, 2, figure_pen(FIGURE_FRAME, FIGURE_THIN));
    figure_text(page, (figure_point){rect.x + 0.5 * rect.width, rect.y + rect.height + 14}, text,
                (figure_font){.size = FIGURE_TEXT_SMALL, .x_align = 0.5, .color = FIGURE_MUTED});
}

/* ---- the page ----------------------------------------------------------- */

static int rows_of(const showing *show, const film_strip *strip)
{
    return (strip->shown_count + show->columns - 1) / show->columns;
}

/* panels in a row, and how large they are */
static bool lay_out(showing *show)
{
    const film *what = show->what;
    int most = 1;
    for (int i = 0; i < what->strip_count; i++)
        most = what->strips[i].shown_count > most ? what->strips[i].shown_count : most;
    show->columns = most < most_columns ? most : most_columns;
    double width = (page_width - 2 * margin - (show->columns - 1) * gap) / show->columns;
    show->panel_width = fmin(width, widest);
    show->panel_height = show->panel_width;
    if (show->drawing.in_space) {
        scene list = {0};
        for (int i = 0; i < show->drawing.pose_count; i++)
            scene_add_pose(&list, &show->drawing, i);
        figure_rect rect = {0, 0, show->panel_width, show->panel_height};
        bool done =
            spatial_frame(&show->space, &show->drawing, &list, figure_rect_inset(rect, 6, 6, 6, 6));
        free(list.at);
        return done;
    }
    // as high as what is seen, but neither a ribbon nor a tower
    find_piece(show);
    double ratio = (show->piece.y1 - show->piece.y0) / (show->piece.x1 - show->piece.x0);
    show->panel_height = show->panel_width * fmax(0.5, fmin(ratio, 1.6));
    return true;
}

static double page_height(const showing *show)
{
    double height = 2 * margin + (show->what->title ? title_room : 0);
    for (int i = 0; i < show->what->strip_count; i++) {
        const film_strip *strip = &show->what->strips[i];
        height += rows_of(show, strip) * (show->panel_height + caption_room);
        height += strip->label ? label_room : 0;
    }
    return height;
}

static void draw_strips(showing *show)
{
    const film *what = show->what;
    figure *page = show->drawing.page;
    double y = figure_page_title(page, (figure_rect){margin, margin, 1, 1}, what->title).y;
    int pose = 0;
    for (int s = 0; s < what->strip_count; s++) {
        const film_strip *strip = &what->strips[s];
        if (strip->label) {
            figure_text(page, (figure_point){margin, y + 0.5 * label_room}, strip->label,
                        (figure_font){.y_align = 0.5});
            y += label_room;
        }
        for (int i = 0; i < strip->shown_count; i++, pose++) {
            double x = margin + (i % show->columns) * (show->panel_width + gap);
            double top = y + i / show->columns * (show->panel_height + caption_room);
            figure_rect rect = {x, top, show->panel_width, show->panel_height};
            draw_panel(show, rect, strip, strip->shown[i], pose);
        }
        y += rows_of(show, strip) * (show->panel_height + caption_room);
    }
}

/* with everything measured: the page */
static lb_status draw_page(showing *show, const char *path, lb_error *error)
{
    drawing *d = &show->drawing;
    if (!lay_out(show))
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to draw '%s'",
                            lb_model_name(d->model));
    double width = 2 * margin + show->columns * (show->panel_width + gap) - gap;
    TRY(figure_open_dense(path, width, page_height(show), 2, &d->page, error));
    draw_strips(show);
    return figure_close(d->page, error);
}

lb_status film_draw(const film *what, const char *path, lb_error *error)
{
    showing show = {.what = what};
    size_t panels = (size_t)panel_count(what), places = (size_t)target_count(what);
    lb_drawing_pose *poses = malloc((panels + 1) * sizeof *poses);
    lb_vec3 *targets = malloc((places + 1) * sizeof *targets);
    lb_status status = LB_OUT_OF_MEMORY;
    if (poses && targets) {
        lb_drawing drawn = make_drawing(what, poses, targets);
        status = drawing_start(&show.drawing, what->model, &drawn, error);
        if (status == LB_OK)
            status = draw_page(&show, path, error);
        drawing_stop(&show.drawing);
    } else {
        lb_error_set(error, status, 0, "no memory to draw '%s'", lb_model_name(what->model));
    }
    free(targets);
    free(poses);
    return status;
}
