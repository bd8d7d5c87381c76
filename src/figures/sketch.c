/*
 * sketch.c - linkages with labels, vectors and angles.
 */
#include "figures/sketch.h"

#include "figures/drawing.h"
#include "figures/planar.h"

static const double page_width = 460, margin = 10;
static const double axes_length = 30, arrow_head = 9, angle_radius = 26;

/* One sketch being drawn. */
typedef struct sketching {
    const sketch *what;
    drawing *d;
    planar view;
} sketching;

/* ---- places ------------------------------------------------------------- */

lb_vec3 sketch_at(const lb_state *state, sketch_place place)
{
    lb_vec3 point = lb_vec3_make(place.x, place.y, 0);
    return place.link == LB_WORLD ? point : lb_state_point(state, place.link, LB_WORLD, point);
}

static figure_point on_page(const sketching *s, sketch_place place)
{
    return planar_at(&s->view, sketch_at(s->d->state, place));
}

/* a mark's second place, which may be of the first pose */
static figure_point second_on_page(const sketching *s, const sketch_mark *m)
{
    const sketch *what = s->what;
    if (!m->before || what->pose_count == 0)
        return on_page(s, m->b);
    lb_state_update(s->d->state, what->poses[0].q);
    figure_point at = on_page(s, m->b);
    lb_state_update(s->d->state, what->poses[what->pose_count - 1].q);
    return at;
}

static double distance(figure_point a, figure_point b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

/* anticlockwise as seen */
static double direction(figure_point from, figure_point to)
{
    return lb_atan2(from.y - to.y, to.x - from.x);
}

static figure_point between(figure_point a, figure_point b, double t)
{
    return (figure_point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* ---- marks -------------------------------------------------------------- */

static figure_color color_of(const sketch_mark *m, figure_color usual)
{
    return m->color > 0 ? figure_series(m->color - 1) : usual;
}

static void draw_text(const sketching *s, const sketch_mark *m, figure_point at)
{
    if (m->text)
        figure_math(s->d->page, (figure_point){at.x + m->dx, at.y + m->dy}, m->text,
                    (figure_font){.size = FIGURE_TEXT_BODY + 2,
                                  .x_align = 0.5,
                                  .y_align = 0.5,
                                  .color = color_of(m, FIGURE_INK)});
}

static void draw_ring(const sketching *s, const sketch_mark *m)
{
    figure_point center = on_page(s, m->a);
    double inner = distance(center, second_on_page(s, m)),
           outer = distance(center, on_page(s, m->c));
    figure_annulus(s->d->page, center, inner, outer,
                   (figure_style){.fill = figure_mix(figure_series(5), FIGURE_PAPER, 0.78),
                                  .stroke = FIGURE_MUTED,
                                  .width = FIGURE_THIN,
                                  .dash = 4});
    draw_text(s, m, center);
}

static void draw_circle(const sketching *s, const sketch_mark *m)
{
    figure_point center = on_page(s, m->a);
    figure_circle(
        s->d->page, center, distance(center, second_on_page(s, m)),
        (figure_style){.stroke = color_of(m, FIGURE_MUTED), .width = FIGURE_THIN, .dash = 4});
    draw_text(s, m, center);
}

static void draw_line(const sketching *s, const sketch_mark *m)
{
    figure_point a = on_page(s, m->a), b = second_on_page(s, m);
    figure_line(s->d->page, a, b,
                (figure_style){.stroke = color_of(m, FIGURE_MUTED),
                               .width = FIGURE_MEDIUM,
                               .dash = 4,
                               .butt_ended = true});
    draw_text(s, m, between(a, b, 0.5));
}

static void draw_angle(const sketching *s, const sketch_mark *m)
{
    figure_point center = on_page(s, m->a);
    double from = direction(center, second_on_page(s, m)), to = direction(center, on_page(s, m->c));
    double sweep = lb_wrap_angle(to - from), radius = m->size > 0 ? m->size : angle_radius;
    figure_turn(s->d->page, center, radius, from, from + sweep, 7,
                figure_pen(color_of(m, FIGURE_INK), FIGURE_MEDIUM));
    double middle = from + 0.5 * sweep, away = radius + 12;
    draw_text(s, m,
              (figure_point){center.x + away * lb_cos(middle), center.y - away * lb_sin(middle)});
}

static void draw_axes(const sketching *s, const sketch_mark *m)
{
    static const char *const names[] = {"x", "y"};
    figure_point origin = on_page(s, m->a);
    for (int k = 0; k < 2; k++) {
        sketch_place ahead = {m->a.link, m->a.x + (k == 0), m->a.y + (k == 1)};
        double angle = direction(origin, on_page(s, ahead));
        figure_point tip = {origin.x + axes_length * lb_cos(angle),
                            origin.y - axes_length * lb_sin(angle)};
        figure_arrow(s->d->page, origin, tip, 7,
                     figure_pen(color_of(m, FIGURE_INK), FIGURE_MEDIUM));
        figure_math(s->d->page, between(origin, tip, 1.28), names[k],
                    (figure_font){.size = FIGURE_TEXT_SMALL,
                                  .x_align = 0.5,
                                  .y_align = 0.5,
                                  .color = color_of(m, FIGURE_INK)});
    }
    draw_text(s, m, origin);
}

static void draw_vector(const sketching *s, const sketch_mark *m, figure_point a, figure_point b)
{
    figure_arrow(s->d->page, a, b, arrow_head, figure_pen(color_of(m, FIGURE_INK), FIGURE_BOLD));
    draw_text(s, m, between(a, b, 0.5));
}

/* a parabola from a to b that bends to the left by a part of their distance */
static void draw_bow(const sketching *s, const sketch_mark *m)
{
    enum { POINTS = 25 };
    figure_point a = on_page(s, m->a), b = second_on_page(s, m), curve[POINTS];
    double nx = b.y - a.y, ny = a.x - b.x;
    for (int i = 0; i < POINTS; i++) {
        double t = (double)i / (POINTS - 1), bend = 4 * t * (1 - t) * m->size;
        curve[i] = between(a, b, t);
        curve[i].x += bend * nx;
        curve[i].y += bend * ny;
    }
    figure_style style = {.stroke = color_of(m, FIGURE_MUTED), .width = FIGURE_MEDIUM};
    figure_polyline(s->d->page, curve, POINTS - 2, style);
    figure_arrow(s->d->page, curve[POINTS - 4], curve[POINTS - 1], arrow_head, style);
    draw_text(s, m, curve[POINTS / 2]);
}

/* z x (b - a): the instantaneous change of b */
static void draw_velocity(const sketching *s, const sketch_mark *m)
{
    lb_vec3 a = sketch_at(s->d->state, m->a), b = sketch_at(s->d->state, m->b);
    lb_vec3 displacement = lb_vec3_sub(b, a);
    lb_vec3 change = lb_vec3_scale(lb_vec3_make(-displacement.y, displacement.x, 0), m->size);
    draw_vector(s, m, planar_at(&s->view, b), planar_at(&s->view, lb_vec3_add(b, change)));
}

static void draw_mark(const sketching *s, const sketch_mark *m)
{
    figure_point a = on_page(s, m->a);
    switch (m->kind) {
    case SKETCH_RING:
        draw_ring(s, m);
        break;
    case SKETCH_CIRCLE:
        draw_circle(s, m);
        break;
    case SKETCH_LINE:
    case SKETCH_OVERLINE:
        draw_line(s, m);
        break;
    case SKETCH_ANGLE:
        draw_angle(s, m);
        break;
    case SKETCH_AXES:
        draw_axes(s, m);
        break;
    case SKETCH_VECTOR:
        draw_vector(s, m, a, second_on_page(s, m));
        break;
    case SKETCH_BOW:
        draw_bow(s, m);
        break;
    case SKETCH_VELOCITY:
        draw_velocity(s, m);
        break;
    case SKETCH_DOT:
        figure_marker(s->d->page, a, FIGURE_MARK_DOT, 9, color_of(m, FIGURE_INK));
        draw_text(s, m, a);
        break;
    case SKETCH_TARGET:
        figure_marker(s->d->page, a, FIGURE_MARK_TARGET, 16, FIGURE_TARGET);
        draw_text(s, m, a);
        break;
    case SKETCH_TEXT:
        draw_text(s, m, a);
        break;
    case SKETCH_OVER:
        break;
    }
}

/* ---- the page ----------------------------------------------------------- */

static void draw_marks(const sketching *s, bool over)
{
    for (int i = 0; i < s->what->mark_count; i++)
        if ((s->what->marks[i].kind > SKETCH_OVER) == over)
            draw_mark(s, &s->what->marks[i]);
}

static void draw_page(drawing *d, const sketch *what)
{
    figure_rect page = {0, 0, figure_width(d->page), figure_height(d->page)};
    sketching s = {.what = what, .d = d};
    figure_rect rect = figure_rect_inset(page, margin, margin, margin, margin);
    s.view = (planar){.page = d->page,
                      .panel = figure_panel_drawing(rect, what->x0, what->x1, what->y0, what->y1),
                      .plane = LB_TRANSFORM_IDENTITY,
                      .model = d->model,
                      .bones = &d->bones,
                      .links = lb_state_transforms(d->state),
                      .color = figure_series(0)};
    if (what->pose_count > 0)
        lb_state_update(d->state, what->poses[what->pose_count - 1].q);
    draw_marks(&s, false);
    if (what->grounded)
        planar_draw_base(&s.view);
    for (int i = 0; i < what->pose_count; i++) {
        lb_state_update(d->state, what->poses[i].q);
        s.view.faded = what->poses[i].faded;
        planar_draw_pose(&s.view);
    }
    draw_marks(&s, true);
}

lb_status sketch_draw(const sketch *what, const char *path, lb_error *error)
{
    drawing d;
    lb_drawing rest = lb_drawing_default();
    double height = (page_width - 2 * margin) * (what->y1 - what->y0) / (what->x1 - what->x0);
    lb_status status = drawing_start(&d, what->model, &rest, error);
    if (status == LB_OK)
        status = figure_open_dense(path, page_width, height + 2 * margin, 2, &d.page, error);
    if (status == LB_OK) {
        draw_page(&d, what);
        status = figure_close(d.page, error);
    }
    drawing_stop(&d);
    return status;
}
