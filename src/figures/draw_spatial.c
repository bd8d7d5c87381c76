/*
 * draw_spatial.c - a linkage in space: solids on the ground, goals and axes.
 *
 * Each pose becomes solids; those of equal strength share one order from back
 * to front, the faint ones stand behind the strong.
 */
#include "base/text.h"
#include "figures/spatial.h"

#include <stdlib.h>

/* how far the notes in the corners stand from the page's side */
static const double corner = 24;

/* ---- ground ------------------------------------------------------------- */

/* a length of 1, 2 or 5 times a power of ten, some five of which span the figure */
static double grid_step(double extent)
{
    double first, step;
    figure_ticks(0, extent, 4, &first, &step);
    return step;
}

/* a piece of a grid line, fainter the farther it is from the grid's middle: 1 there is nothing */
static void draw_grid_piece(figure *page, const camera *view, lb_vec3 a, lb_vec3 b, double away)
{
    figure_color c = figure_mix(FIGURE_FRAME, FIGURE_PAPER, 0.35 + 0.65 * away);
    figure_line(page, camera_project(view, a, NULL), camera_project(view, b, NULL),
                figure_pen(c, FIGURE_THIN));
}

/* a grid on the plane z = ground about the scene's middle, with lines at multiples of `step` */
static void draw_grid(figure *page, const camera *view, double ground, double step)
{
    double radius = 1.25 * camera_radius(view);
    int n = (int)ceil(radius / step);
    double x0 = step * floor(view->center.x / step + 0.5);
    double y0 = step * floor(view->center.y / step + 0.5);
    for (int i = -n; i <= n; i++)
        for (int k = -n; k < n; k++) {
            double across = i * step, from = k * step, to = from + step;
            double middle = from + 0.5 * step;
            double away = (across * across + middle * middle) / (radius * radius);
            if (away >= 1)
                continue;
            draw_grid_piece(page, view, lb_vec3_make(x0 + across, y0 + from, ground),
                            lb_vec3_make(x0 + across, y0 + to, ground), away);
            draw_grid_piece(page, view, lb_vec3_make(x0 + from, y0 + across, ground),
                            lb_vec3_make(x0 + to, y0 + across, ground), away);
        }
}

/* ---- goals and axes ----------------------------------------------------- */

static void draw_target(const spatial *s, lb_vec3 target)
{
    figure *page = s->drawing->page;
    const camera *view = &s->view;
    lb_vec3 foot = solid_on_ground(&s->ground, target);
    figure_point at = camera_project(view, target, NULL), down = camera_project(view, foot, NULL);
    figure_color faint = figure_mix(FIGURE_TARGET, FIGURE_PAPER, 0.45);
    figure_line(
        page, down, at,
        (figure_style){.stroke = faint, .width = FIGURE_THIN, .dash = 2.5, .butt_ended = true});
    figure_circle(page, down, 1.8, figure_brush(faint));
    figure_marker(page, at, FIGURE_MARK_TARGET, drawing_target_size, FIGURE_TARGET);
}

/* the world's axes in a corner of the page, the ones toward the viewer last */
static void draw_triad(figure *page, const camera *view, figure_point at, double length)
{
    static const struct {
        lb_vec3 axis;
        figure_color color;
        const char *name;
    } axes[] = {{{1, 0, 0}, {0.80, 0.20, 0.18, 1}, "x"},
                {{0, 1, 0}, {0.13, 0.55, 0.25, 1}, "y"},
                {{0, 0, 1}, {0.10, 0.36, 0.75, 1}, "z"}};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 3; i++) {
            if ((lb_vec3_dot(axes[i].axis, view->toward) > 0) != (pass == 1))
                continue;
            double x = lb_vec3_dot(axes[i].axis, view->right);
            double y = -lb_vec3_dot(axes[i].axis, view->up);
            figure_point tip = {at.x + length * x, at.y + length * y};
            figure_point label = {at.x + 1.32 * length * x, at.y + 1.32 * length * y};
            figure_arrow(page, at, tip, 6, figure_pen(axes[i].color, FIGURE_MEDIUM));
            figure_math(page, label, axes[i].name,
                        (figure_font){.size = FIGURE_TEXT_SMALL,
                                      .x_align = 0.5,
                                      .y_align = 0.5,
                                      .color = axes[i].color});
        }
}

static figure_point place_of(const void *view, lb_vec3 point)
{
    return camera_project(view, point, NULL);
}

/* ---- the picture -------------------------------------------------------- */

/* all solids, the targets and their feet fill the rectangle */
static bool frame_scene(spatial *s, const scene *list, figure_rect rect)
{
    const drawing *d = s->drawing;
    size_t room = (size_t)list->count * solid_max_balls + 2 * (size_t)d->what->target_count +
                  7 * (size_t)d->what->ellipsoid_count + 1;
    lb_vec3 *centers = malloc(room * sizeof *centers);
    double *radii = malloc(room * sizeof *radii);
    int n = 0;
    if (centers && radii) {
        for (int i = 0; i < list->count; i++)
            n += solid_balls(&list->at[i], centers + n, radii + n);
        for (int i = 0; i < d->what->target_count; i++) {
            lb_vec3 target = d->what->targets[i];
            centers[n] = target;
            radii[n++] = 0.02 * d->bones.extent;
            centers[n] = solid_on_ground(&s->ground, target);
            radii[n++] = 0;
        }
        for (int i = 0; i < d->what->ellipsoid_count; i++)
            for (int k = drawing_ellipsoid_points(d, i, &centers[n]); k > 0; k--)
                radii[n++] = 0;
        // a model with nothing to show is its origin
        if (n == 0) {
            centers[n] = lb_model_root(d->model).p;
            radii[n++] = d->bones.extent;
        }
        camera_frame(&s->view, centers, radii, n, rect);
    }
    free(centers);
    free(radii);
    return n > 0;
}

bool spatial_frame(spatial *s, const drawing *d, scene *list, figure_rect rect)
{
    return spatial_frame_above(s, d, lb_vec3_make(0, 0, 1), list, rect);
}

bool spatial_frame_above(spatial *s, const drawing *d, lb_vec3 ground_normal, scene *list,
                         figure_rect rect)
{
    lb_vec3 up = lb_vec3_normalize(ground_normal, lb_vec3_make(0, 0, 1));
    lb_vec3 root = lb_model_root(d->model).p;
    *s = (spatial){.drawing = d, .view = camera_make(d->azimuth, d->elevation)};
    s->ground.along_x = -up.x / up.z;
    s->ground.along_y = -up.y / up.z;
    s->ground.height = list->count ? scene_lowest(list, &s->ground) : root.z;
    scene_add_pedestal(list, d, solid_on_ground(&s->ground, root).z);
    if (list->out_of_memory || !frame_scene(s, list, rect))
        return false;
    s->step = grid_step(2 * camera_radius(&s->view));
    return true;
}

void spatial_paint(const spatial *s, const solid *solids, int n, double faded)
{
    figure *page = s->drawing->page;
    int *order = n > 0 ? figure_allocate(page, (size_t)n, sizeof *order) : NULL;
    if (!order)
        return;
    if (!solid_order(solids, n, &s->view, order))
        figure_fail(page);
    solid_shadow(page, solids, n, &s->view, &s->ground, (1 - faded) * (1 - faded));
    for (int i = 0; i < n; i++)
        solid_paint(page, &solids[order[i]], &s->view, faded);
    free(order);
}

/* poses from faint to strong; `first` takes the first solid of each, and their number at the end */
static void add_poses(const drawing *d, scene *list, const int *order, int *first)
{
    for (int i = 0; i < d->pose_count; i++) {
        first[i] = list->count;
        scene_add_pose(list, d, order[i]);
    }
    // with the poses that are drawn in full, so that what is in front hides what is behind
    scene_add_obstacles(list, d);
    first[d->pose_count] = list->count;
}

static void paint_poses(const spatial *s, const scene *list, const int *order, const int *first)
{
    const drawing *d = s->drawing;
    for (int i = 0, next; i < d->pose_count; i = next) {
        // all of one strength together
        double strength = d->poses[order[i]].strength;
        for (next = i; next < d->pose_count && d->poses[order[next]].strength == strength;)
            next++;
        spatial_paint(s, list->at + first[i], first[next] - first[i], drawing_fade(d, order[i]));
    }
}

/* how wide the squares are, in the lower right corner */
static void draw_grid_note(figure *page, double step)
{
    char text[32];
    text_format(text, sizeof text, "grid %g m", step);
    figure_text(page, (figure_point){figure_width(page) - corner, figure_height(page) - 14}, text,
                (figure_font){.size = FIGURE_TEXT_SMALL, .x_align = 1, .color = FIGURE_MUTED});
}

static void draw_notes(const spatial *s)
{
    figure *page = s->drawing->page;
    draw_grid_note(page, s->step);
    draw_triad(page, &s->view, (figure_point){corner + 18, figure_height(page) - 36}, 24);
}

void spatial_draw_ground(const spatial *s)
{
    draw_grid(s->drawing->page, &s->view, s->ground.height, s->step);
}

static void draw_scene(drawing *d, scene *list, int *order, int *first)
{
    // the solids, and the ground under the lowest of them
    spatial s;
    drawing_order(d, order);
    add_poses(d, list, order, first);
    if (!spatial_frame(&s, d, list, d->room)) {
        figure_fail(d->page);
        return;
    }
    first[d->pose_count] = list->count;

    spatial_draw_ground(&s);
    paint_poses(&s, list, order, first);
    drawing_paths(d, place_of, &s.view);
    for (int i = 0; i < d->what->target_count; i++)
        draw_target(&s, d->what->targets[i]);
    drawing_ellipsoids(d, place_of, &s.view);
    drawing_distances(d, place_of, &s.view);
    draw_notes(&s);
}

void drawing_spatial(drawing *d)
{
    scene list = {0};
    int *order = figure_allocate(d->page, 2 * (size_t)d->pose_count, sizeof *order);
    if (order)
        draw_scene(d, &list, order, order + d->pose_count);
    free(order);
    free(list.at);
}
