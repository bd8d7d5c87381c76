/*
 * solid_paint.c - solids as smooth shapes: outlines, gradients, soft shadows.
 *
 * The light is fixed to the viewer, above the left shoulder. A surface that
 * faces it goes towards a warm light, one that faces away towards a cool dark,
 * as in hand-made technical drawings (Gooch et al. 1998), with a small highlight.
 */
#include "figures/solid.h"

/* the light's direction in the camera's axes: right, up, toward */
static const lb_vec3 light_in_view = {-0.42, 0.66, 0.62};

static const figure_color dark_tone = {0.16, 0.20, 0.34, 1}, light_tone = {1.00, 0.99, 0.97, 1};

/* ---- light -------------------------------------------------------------- */

static lb_vec3 light_direction(const camera *view)
{
    lb_vec3 l = lb_vec3_add(lb_vec3_scale(view->right, light_in_view.x),
                            lb_vec3_add(lb_vec3_scale(view->up, light_in_view.y),
                                        lb_vec3_scale(view->toward, light_in_view.z)));
    return lb_vec3_normalize(l, view->toward);
}

/* the colour of a surface at which the light comes in under this cosine */
static figure_color tone(figure_color base, double cosine, double faded)
{
    figure_color dark = figure_mix(base, dark_tone, 0.52),
                 light = figure_mix(base, light_tone, 0.55);
    double half = 0.5 + 0.5 * cosine;
    figure_color c = half < 0.6 ? figure_mix(dark, base, half / 0.6)
                                : figure_mix(base, light, (half - 0.6) / 0.4);
    double shine = cosine > 0 ? cosine * cosine : 0;
    shine *= shine * shine;
    c = figure_mix(c, light_tone, 0.22 * shine * shine);
    return figure_mix(c, FIGURE_PAPER, faded);
}

static figure_color shade(const camera *view, figure_color base, lb_vec3 normal, double faded)
{
    return tone(base, lb_vec3_dot(normal, light_direction(view)), faded);
}

/* outlines are the darkest tone of their own colour */
static figure_color outline_color(figure_color base, double faded)
{
    figure_color c = figure_mix(base, dark_tone, 0.78);
    return figure_mix(c, FIGURE_PAPER, faded);
}

static figure_style outlined(figure_color base, double faded)
{
    return figure_pen(outline_color(base, faded), FIGURE_THIN);
}

/* ---- balls -------------------------------------------------------------- */

/*
 * Rings about the point that faces the light: the angle between normal and
 * light grows evenly to about a right angle and a bit at the rim.
 */
static void paint_ball(figure *page, const solid *body, const camera *view, double faded)
{
    figure_point center = camera_project(view, body->a, NULL);
    double radius = body->radius_a * camera_scale_at(view, body->a);
    lb_vec3 light = light_direction(view);
    figure_gradient g = {.b = center, .radius = radius, .count = figure_max_stops};
    g.a.x = center.x + 0.8 * radius * lb_vec3_dot(light, view->right);
    g.a.y = center.y - 0.8 * radius * lb_vec3_dot(light, view->up);
    for (int i = 0; i < g.count; i++)
        g.colors[i] = tone(body->color, lb_cos(1.9 * i / (g.count - 1)), faded);
    figure_style style = outlined(body->color, faded);
    style.gradient = &g;
    figure_circle(page, center, radius, style);
}

/* ---- round walls -------------------------------------------------------- */

/* the directions across an axis: along the page, and toward the viewer */
typedef struct across {
    lb_vec3 side, face;
} across;

static across across_axis(const camera *view, lb_vec3 a, lb_vec3 b)
{
    lb_vec3 axis = lb_vec3_normalize(lb_vec3_sub(b, a), view->up);
    lb_vec3 middle = lb_vec3_scale(lb_vec3_add(a, b), 0.5);
    lb_vec3 look = camera_direction(view, middle);
    across c;
    c.side = lb_vec3_normalize(lb_vec3_cross(axis, look), view->right);
    c.face = lb_vec3_cross(c.side, axis);
    return c;
}

/* the shades from one side of a round wall to the other, over half a turn */
static figure_gradient wall_gradient(const camera *view, const across *c, lb_vec3 middle,
                                     double radius, figure_color base, double faded)
{
    figure_gradient g = {.count = figure_max_stops};
    g.a = camera_project(view, lb_vec3_sub(middle, lb_vec3_scale(c->side, radius)), NULL);
    g.b = camera_project(view, lb_vec3_add(middle, lb_vec3_scale(c->side, radius)), NULL);
    for (int i = 0; i < g.count; i++) {
        double s = 2.0 * i / (g.count - 1) - 1;
        lb_vec3 normal = lb_vec3_add(lb_vec3_scale(c->side, s),
                                     lb_vec3_scale(c->face, sqrt(fmax(0, 1 - s * s))));
        g.colors[i] = shade(view, base, normal, faded);
    }
    return g;
}

enum { rim_points = 32, max_outline = 2 * rim_points };

/* points about one end of a rod as they stand on the page: a disc's rim, or a ball's outline */
static int end_outline(const camera *view, const across *c, lb_vec3 center, double radius,
                       bool flat, figure_point points[rim_points])
{
    figure_point middle = camera_project(view, center, NULL);
    double on_page = radius * camera_scale_at(view, center);
    for (int i = 0; i < rim_points; i++) {
        double sine, cosine;
        lb_sincos(2 * LB_PI * i / rim_points, &sine, &cosine);
        lb_vec3 p = lb_vec3_add(lb_vec3_scale(c->side, radius * cosine),
                                lb_vec3_scale(c->face, radius * sine));
        points[i] = flat ? camera_project(view, lb_vec3_add(center, p), NULL)
                         : (figure_point){middle.x + on_page * cosine, middle.y + on_page * sine};
    }
    return rim_points;
}

/* a flat end that looks toward the viewer */
static void paint_cap(figure *page, const solid *body, const camera *view, const across *c,
                      bool at_b, double faded)
{
    lb_vec3 center = at_b ? body->b : body->a;
    lb_vec3 out = lb_vec3_cross(c->face, c->side);
    out = lb_vec3_scale(out, at_b ? 1 : -1);
    if (!(at_b ? body->flat_b : body->flat_a) ||
        lb_vec3_dot(out, camera_direction(view, center)) <= 0)
        return;
    figure_point points[rim_points];
    figure_color base = body->cap.a > 0 ? body->cap : body->color;
    figure_style style = outlined(base, faded);
    style.fill = shade(view, base, out, faded);
    int n = end_outline(view, c, center, at_b ? body->radius_b : body->radius_a, true, points);
    figure_polygon(page, points, n, style);
}

/* a rod's outline is the hull of its ends' */
static void paint_rod(figure *page, const solid *body, const camera *view, double faded)
{
    lb_vec3 middle = lb_vec3_scale(lb_vec3_add(body->a, body->b), 0.5);
    double radius = fmax(body->radius_a, body->radius_b);
    across c = across_axis(view, body->a, body->b);
    figure_gradient g = wall_gradient(view, &c, middle, radius, body->color, faded);
    figure_style style = outlined(body->color, faded);
    style.gradient = &g;
    if (!body->flat_a && !body->flat_b) {
        figure_bar(page, camera_project(view, body->a, NULL),
                   body->radius_a * camera_scale_at(view, body->a),
                   camera_project(view, body->b, NULL),
                   body->radius_b * camera_scale_at(view, body->b), style);
        return;
    }
    figure_point points[max_outline], hull[2 * max_outline];
    int n = end_outline(view, &c, body->a, body->radius_a, body->flat_a, points);
    n += end_outline(view, &c, body->b, body->radius_b, body->flat_b, points + n);
    figure_polygon(page, hull, figure_hull(points, n, hull), style);
    paint_cap(page, body, view, &c, false, faded);
    paint_cap(page, body, view, &c, true, faded);
}

/* ---- boxes -------------------------------------------------------------- */

static lb_vec3 box_corner(const solid *body, double x, double y, double z)
{
    lb_vec3 half = {0.5 * x * body->size.x, 0.5 * y * body->size.y, 0.5 * z * body->size.z};
    return lb_transform_point(&body->frame, half);
}

static void paint_box(figure *page, const solid *body, const camera *view, double faded)
{
    const lb_vec3 axes[] = {body->frame.x, body->frame.y, body->frame.z};
    for (int face = 0; face < 6; face++) {
        int k = face / 2;
        double sign = face % 2 ? 1 : -1;
        lb_vec3 normal = lb_vec3_scale(axes[k], sign);
        figure_point points[4];
        lb_vec3 corner = {0, 0, 0};
        for (int i = 0; i < 4; i++) {
            double u = i == 0 || i == 3 ? -1 : 1, v = i < 2 ? -1 : 1;
            corner = k == 0   ? box_corner(body, sign, u, v)
                     : k == 1 ? box_corner(body, u, sign, v)
                              : box_corner(body, u, v, sign);
            points[i] = camera_project(view, corner, NULL);
        }

        // faces that look away are hidden by the others
        if (lb_vec3_dot(normal, camera_direction(view, corner)) <= 0)
            continue;
        figure_style style = outlined(body->color, faded);
        style.fill = shade(view, body->color, normal, faded);
        figure_polygon(page, points, 4, style);
    }
}

void solid_paint(figure *page, const solid *body, const camera *view, double faded)
{
    switch (body->kind) {
    case SOLID_BALL:
        paint_ball(page, body, view, faded);
        break;
    case SOLID_ROD:
        paint_rod(page, body, view, faded);
        break;
    case SOLID_BOX:
        paint_box(page, body, view, faded);
        break;
    }
}

/* ---- shadows ------------------------------------------------------------ */

enum { shadow_sides = 12, max_shadow = 2 * shadow_sides };

/* the solid's outline as seen from straight above, on the ground */
static int shadow_outline(const solid *body, const camera *view, const solid_ground *ground,
                          figure_point hull[2 * max_shadow])
{
    figure_point points[max_shadow];
    lb_vec3 centers[solid_max_balls];
    double radii[solid_max_balls];
    int balls = solid_balls(body, centers, radii), n = 0;
    int sides = body->kind == SOLID_BOX ? 1 : shadow_sides;
    for (int i = 0; i < balls; i++)
        for (int k = 0; k < sides; k++) {
            double sine, cosine;
            lb_sincos(2 * LB_PI * k / sides, &sine, &cosine);
            lb_vec3 p = {centers[i].x + radii[i] * cosine, centers[i].y + radii[i] * sine, 0};
            points[n++] = camera_project(view, solid_on_ground(ground, p), NULL);
        }
    return figure_hull(points, n, hull);
}

void solid_shadow(figure *page, const solid *bodies, int n, const camera *view,
                  const solid_ground *ground, double strength)
{
    const figure_color shade_color = {0.10, 0.13, 0.20, 0.24 * strength};
    const double blur = 14;
    const figure_style filled = {.fill = FIGURE_INK};
    figure_soft(page);
    for (int i = 0; i < n; i++) {
        figure_point hull[2 * max_shadow];
        int count = shadow_outline(&bodies[i], view, ground, hull);
        if (count >= 3)
            figure_polygon(page, hull, count, filled);
    }
    figure_unsoft(page, shade_color, blur);
}
