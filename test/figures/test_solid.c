/*
 * test_solid.c - the camera, rays against an oracle, the painter's order, shadows.
 */
#include "figures/solid.h"

#include "picture.h"
#include "support.h"

static const char png[] = "test_solid.png";

static lb_vec3 random_point(lb_random *random, double size)
{
    return lb_vec3_make(lb_random_between(random, -size, size),
                        lb_random_between(random, -size, size),
                        lb_random_between(random, -size, size));
}

static solid random_solid(lb_random *random, double size)
{
    solid body = {.kind = (solid_kind)test_random_index(random, 3)};
    body.a = random_point(random, size);
    body.b = lb_vec3_add(body.a, lb_vec3_scale(test_random_direction(random),
                                               lb_random_between(random, 0.25, 0.8) * size));
    body.radius_a = lb_random_between(random, 0.05, 0.2) * size;
    body.radius_b = body.radius_a;
    body.flat_a = test_random_chance(random, 0.5);
    body.flat_b = test_random_chance(random, 0.5);
    body.frame = test_random_transform(random);
    body.frame.p = body.a;
    body.size = lb_vec3_make(lb_random_between(random, 0.1, 0.5) * size,
                             lb_random_between(random, 0.1, 0.5) * size,
                             lb_random_between(random, 0.1, 0.5) * size);
    body.color = figure_series(test_random_index(random, figure_series_count));
    return body;
}

/* a camera that shows everything within `radius` of the origin on a page of 400 x 300 */
static camera random_camera(lb_random *random, double radius)
{
    camera view =
        camera_make(lb_random_between(random, -LB_PI, LB_PI), lb_random_between(random, -1.5, 1.5));
    camera_frame(&view, &(lb_vec3){0, 0, 0}, &radius, 1, (figure_rect){0, 0, 400, 300});
    return view;
}

/* ---- camera ------------------------------------------------------------- */

TEST(the_camera_frames_what_it_is_given)
{
    lb_random random = test_seed(21);
    for (int i = 0; i < 2000; i++) {
        enum { n = 7 };
        lb_vec3 centers[n];
        double radii[n], size = pow(10, lb_random_between(&random, -2, 3));
        for (int k = 0; k < n; k++) {
            centers[k] = lb_vec3_add(random_point(&random, size), lb_vec3_make(size, 0, 0));
            radii[k] = lb_random_between(&random, 0, 0.3) * size;
        }
        figure_rect rect = {30, 40, 300, 200};
        camera view =
            camera_make(lb_random_between(&random, -4, 4), lb_random_between(&random, -1.5, 1.5));
        camera_frame(&view, centers, radii, n, rect);

        // all inside, touching two opposite sides
        double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
        for (int k = 0; k < n; k++) {
            figure_point p = camera_project(&view, centers[k], NULL);
            double r = radii[k] * camera_scale_at(&view, centers[k]);
            x0 = fmin(x0, p.x - r);
            x1 = fmax(x1, p.x + r);
            y0 = fmin(y0, p.y - r);
            y1 = fmax(y1, p.y + r);
        }
        assert_true(x0 > 30 - 1e-6 && x1 < 330 + 1e-6 && y0 > 40 - 1e-6 && y1 < 240 + 1e-6);
        assert_near(fmax((x1 - x0) / 300, (y1 - y0) / 200), 1, 1e-6);
        assert_near(x0 + x1, 360, 1e-6);
        assert_near(y0 + y1, 280, 1e-6);
    }
}

TEST(the_camera_looks_from_where_it_stands)
{
    // from the front, level: y to the right, z up, x toward the viewer
    camera view = camera_make(0, 0);
    double radius = 1, near_depth, far_depth;
    camera_frame(&view, &(lb_vec3){0, 0, 0}, &radius, 1, (figure_rect){0, 0, 200, 200});
    figure_point middle = camera_project(&view, (lb_vec3){0, 0, 0}, NULL);
    figure_point right = camera_project(&view, (lb_vec3){0, 1, 0}, NULL);
    figure_point up = camera_project(&view, (lb_vec3){0, 0, 1}, NULL);
    camera_project(&view, (lb_vec3){1, 0, 0}, &near_depth);
    camera_project(&view, (lb_vec3){-1, 0, 0}, &far_depth);
    assert_near(middle.x, 100, 1e-9);
    assert_near(middle.y, 100, 1e-9);
    assert_true(right.x > 190 && fabs(right.y - 100) < 1e-9);
    assert_true(up.y < 10 && fabs(up.x - 100) < 1e-9);
    assert_true(near_depth > far_depth);

    // nearer is larger
    assert_true(camera_scale_at(&view, (lb_vec3){1, 0, 0}) >
                camera_scale_at(&view, (lb_vec3){-1, 0, 0}));
}

/* ---- rays --------------------------------------------------------------- */

/* true inside the solid: the oracle, which knows nothing of rays */
static bool is_inside(const solid *body, lb_vec3 p)
{
    lb_vec3 d = lb_vec3_sub(p, body->kind == SOLID_BOX ? body->frame.p : body->a);
    if (body->kind == SOLID_BOX)
        return fabs(lb_vec3_dot(d, body->frame.x)) <= 0.5 * body->size.x &&
               fabs(lb_vec3_dot(d, body->frame.y)) <= 0.5 * body->size.y &&
               fabs(lb_vec3_dot(d, body->frame.z)) <= 0.5 * body->size.z;
    if (body->kind == SOLID_BALL)
        return lb_vec3_length(d) <= body->radius_a;
    lb_vec3 axis = lb_vec3_sub(body->b, body->a);
    double s = lb_vec3_dot(d, axis) / lb_vec3_dot(axis, axis);
    if ((s < 0 && body->flat_a) || (s > 1 && body->flat_b))
        return false;
    s = fmin(fmax(s, 0), 1);
    return lb_vec3_length(lb_vec3_sub(d, lb_vec3_scale(axis, s))) <= body->radius_a;
}

/* walks from the eye along the ray through a page point; where it enters */
static bool march(const solid *body, const camera *view, figure_point at, double step,
                  double *depth)
{
    lb_vec3 eye = lb_vec3_add(view->center, lb_vec3_scale(view->toward, view->distance));
    double x = (at.x - view->middle.x) / view->scale, y = (view->middle.y - at.y) / view->scale;
    lb_vec3 on_page = lb_vec3_add(
        view->center, lb_vec3_add(lb_vec3_scale(view->right, x), lb_vec3_scale(view->up, y)));
    lb_vec3 u = lb_vec3_normalize(lb_vec3_sub(on_page, eye), view->toward);
    for (double t = 0.6 * view->distance; t < 1.4 * view->distance; t += step) {
        lb_vec3 p = lb_vec3_add(eye, lb_vec3_scale(u, t));
        if (is_inside(body, p)) {
            *depth = lb_vec3_dot(lb_vec3_sub(p, view->center), view->toward);
            return true;
        }
    }
    return false;
}

TEST(rays_meet_solids_where_they_are)
{
    lb_random random = test_seed(22);
    int met = 0;
    for (int i = 0; i < 3000; i++) {
        solid body = random_solid(&random, 1);
        camera view = random_camera(&random, 2);
        figure_point at =
            camera_project(&view, body.kind == SOLID_BOX ? body.frame.p : body.a, NULL);
        at.x += lb_random_between(&random, -15, 15);
        at.y += lb_random_between(&random, -15, 15);
        const double step = 2e-3;
        double found, expected;
        bool hit = march(&body, &view, at, step, &expected);
        bool result = solid_depth(&body, &view, at, &found);

        // the oracle enters up to a step late; rays that graze may pass through it
        if (!hit)
            continue;
        assert_true(result);
        assert_true(found >= expected - 1e-9 && found <= expected + 1.01 * step);
        met++;
    }
    assert_true(met > 1000);
}

/* ---- order -------------------------------------------------------------- */

/* balls that do not touch have a right order for every eye: nearer to it later */
TEST(balls_are_ordered_for_the_eye)
{
    lb_random random = test_seed(23);
    for (int round = 0; round < 60; round++) {
        enum { n = 60 };
        solid bodies[n];
        int order[n], place[n], count = 0;
        while (count < n) {
            solid ball = {.kind = SOLID_BALL, .a = random_point(&random, 1)};
            ball.radius_a = lb_random_between(&random, 0.02, 0.2);
            bool apart = true;
            for (int k = 0; k < count && apart; k++)
                apart = lb_vec3_length(lb_vec3_sub(ball.a, bodies[k].a)) >
                        ball.radius_a + bodies[k].radius_a;
            if (apart)
                bodies[count++] = ball;
        }
        camera view = random_camera(&random, 2);
        assert_true(solid_order(bodies, n, &view, order));
        for (int i = 0; i < n; i++)
            place[order[i]] = i;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                // both on the ray through the middle of their common lens
                figure_point p = camera_project(&view, bodies[i].a, NULL);
                double near_i, near_k;
                if (i != k && solid_depth(&bodies[i], &view, p, &near_i) &&
                    solid_depth(&bodies[k], &view, p, &near_k))
                    assert_true((near_i > near_k) == (place[i] > place[k]));
            }
    }
}

/* whatever the solids do to each other, each is painted once */
TEST(every_solid_is_painted_once)
{
    lb_random random = test_seed(24);
    static const int counts[] = {0, 1, 2, 17, 300, 5000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        int n = counts[c];
        owned solid *bodies = malloc(((size_t)n + 1) * sizeof *bodies);
        owned int *order = malloc(((size_t)n + 1) * sizeof *order);
        owned bool *seen = calloc((size_t)n + 1, sizeof *seen);
        for (int i = 0; i < n; i++)
            bodies[i] = random_solid(&random, 1);
        camera view = random_camera(&random, 2);
        assert_true(solid_order(bodies, n, &view, order));
        for (int i = 0; i < n; i++) {
            assert_in_range(order[i], 0, n - 1);
            assert_false(seen[order[i]]);
            seen[order[i]] = true;
        }
    }
}

/* a rod through a ring of three that each hide the next: no order is right, one is found */
/* a limb in the body that it hangs from: however little either sticks out, the later one is in
   front; where it is clearly behind it stays there */
TEST(limbs_are_before_what_they_are_in)
{
    camera view = camera_make(0, 0);
    double radius = 2;
    camera_frame(&view, &(lb_vec3){0, 0, 0}, &radius, 1, (figure_rect){0, 0, 200, 200});
    for (int i = -20; i <= 20; i++) {
        double x = 0.02 * i;
        // across as a pelvis is, and down from it as a thigh; x is toward the viewer
        solid bodies[] = {
            {.kind = SOLID_ROD, .a = {0, -0.5, 0}, .b = {0, 0.5, 0}, .radius_a = 0.2},
            {.kind = SOLID_ROD, .a = {x, 0.1, 0.1}, .b = {x, 0.1, -1}, .radius_a = 0.2}};
        int order[2];
        for (int k = 0; k < 2; k++)
            bodies[k].radius_b = bodies[k].radius_a;
        assert_true(solid_order(bodies, 2, &view, order));
        if (fabs(x) < 0.04 || x > 0.1)
            assert_int_equal(order[1], 1);
        else if (x < -0.1)
            assert_int_equal(order[1], 0);
    }
}

TEST(a_cycle_is_broken)
{
    solid bodies[3];
    for (int i = 0; i < 3; i++) {
        double a = 2 * LB_PI * i / 3, b = a + 2.0;
        bodies[i] = (solid){.kind = SOLID_ROD,
                            .a = {-0.5, lb_cos(a), lb_sin(a)},
                            .b = {0.5, lb_cos(b), lb_sin(b)},
                            .radius_a = 0.05,
                            .radius_b = 0.05};
    }
    camera view = camera_make(0, 0);
    double radius = 2;
    int order[3];
    camera_frame(&view, &(lb_vec3){0, 0, 0}, &radius, 1, (figure_rect){0, 0, 400, 300});
    assert_true(solid_order(bodies, 3, &view, order));
    assert_int_equal((1 << order[0]) | (1 << order[1]) | (1 << order[2]), 7);
}

/* ---- painting ----------------------------------------------------------- */

enum { page_width = 400, page_height = 300 };

/* which pixels' rays meet the solid */
static void cast(const solid *body, const camera *view, bool met[page_height][page_width])
{
    double depth;
    for (int y = 0; y < page_height; y++)
        for (int x = 0; x < page_width; x++)
            met[y][x] = solid_depth(body, view, (figure_point){x + 0.5, y + 0.5}, &depth);
}

/* true when all pixels of a square about (x, y) say the same */
static bool is_certain(bool met[page_height][page_width], int x, int y)
{
    enum { reach = 2 };
    if (x < reach || x >= page_width - reach || y < reach || y >= page_height - reach)
        return false;
    for (int v = y - reach; v <= y + reach; v++)
        for (int u = x - reach; u <= x + reach; u++)
            if (met[v][u] != met[y][x])
                return false;
    return true;
}

/* the page shows a solid where rays meet it and nothing elsewhere, but for its outline */
TEST(paint_covers_what_rays_meet)
{
    lb_random random = test_seed(25);
    for (int i = 0; i < 40; i++) {
        solid body = random_solid(&random, 1);
        body.color = (figure_color){0.1, 0.3, 0.6, 1};
        camera view = random_camera(&random, 2);
        figure *page;
        assert_int_equal(figure_open(png, 400, 300, &page, NULL), LB_OK);
        solid_paint(page, &body, &view, 0);
        assert_int_equal(figure_close(page, NULL), LB_OK);
        cairo_surface_t *picture = picture_open(png);
        static bool met[page_height][page_width];
        int covered = 0;
        cast(&body, &view, met);
        for (int y = 0; y < page_height; y++)
            for (int x = 0; x < page_width; x++) {
                if (!is_certain(met, x, y))
                    continue;
                covered += met[y][x];
                if (met[y][x] == pixel_is(picture_at(picture, x, y), 1, 1, 1, 0.01))
                    fail_msg("solid %d of kind %d at %d, %d", i, body.kind, x, y);
            }
        cairo_surface_destroy(picture);
        assert_true(covered > 0);
    }
    remove(png);
}

TEST(fading_goes_to_paper)
{
    solid ball = {.kind = SOLID_BALL, .radius_a = 0.8, .color = {0.1, 0.2, 0.7, 1}};
    camera view = camera_make(0, 0);
    double radius = 1, last = INFINITY;
    camera_frame(&view, &ball.a, &radius, 1, (figure_rect){0, 0, 100, 100});
    for (int i = 0; i <= 4; i++) {
        figure *page;
        assert_int_equal(figure_open(png, 100, 100, &page, NULL), LB_OK);
        solid_paint(page, &ball, &view, i / 4.0);
        assert_int_equal(figure_close(page, NULL), LB_OK);
        cairo_surface_t *picture = picture_open(png);
        double ink = picture_ink(picture);
        cairo_surface_destroy(picture);
        assert_true(ink < last);
        last = ink;
    }
    assert_near(last, 0, 0);
    remove(png);
}

TEST(a_shadow_lies_under_its_solid)
{
    // seen from straight above, the shadow of a ball in the air is about its foot
    solid ball = {.kind = SOLID_BALL, .a = {0.3, -0.2, 0.5}, .radius_a = 0.3};
    camera view = camera_make(0, LB_PI / 2);
    double radius = 2, x, y;
    camera_frame(&view, &(lb_vec3){0, 0, 0}, &radius, 1, (figure_rect){0, 0, 300, 300});
    figure *page;
    assert_int_equal(figure_open(png, 300, 300, &page, NULL), LB_OK);
    solid_shadow(page, &ball, 1, &view, &(solid_ground){0}, 1);
    assert_int_equal(figure_close(page, NULL), LB_OK);
    cairo_surface_t *picture = picture_open(png);
    pixel dark = picture_at(picture, 150, 150);
    for (int v = 0; v < 300; v++)
        for (int u = 0; u < 300; u++) {
            pixel p = picture_at(picture, u, v);
            dark = p.r < dark.r ? p : dark;
        }
    int found = picture_find(picture, dark.r / 255.0, dark.g / 255.0, dark.b / 255.0, 0.01, &x, &y);
    cairo_surface_destroy(picture);
    figure_point foot = camera_project(&view, (lb_vec3){0.3, -0.2, 0}, NULL);
    assert_true(found > 20 && dark.r < 235);
    assert_near(x, foot.x, 3);
    assert_near(y, foot.y, 3);
    remove(png);
}

TEST(the_lowest_point_is_that_of_the_surface)
{
    lb_random random = test_seed(26);
    for (int i = 0; i < 2000; i++) {
        solid body = random_solid(&random, 1);
        double low = solid_lowest(&body, &(solid_ground){0});

        // no inner point is lower, and some come near
        double least = INFINITY;
        lb_vec3 centers[solid_max_balls];
        double radii[solid_max_balls];
        int n = solid_balls(&body, centers, radii);
        for (int k = 0; k < 400; k++) {
            int c = test_random_index(&random, n);
            double r = body.kind == SOLID_BOX ? 0.02 : radii[c];
            lb_vec3 p = lb_vec3_add(centers[c], lb_vec3_scale(test_random_direction(&random), r));
            if (is_inside(&body,
                          lb_vec3_add(lb_vec3_scale(p, 1 - 1e-9), lb_vec3_scale(centers[c], 1e-9))))
                least = fmin(least, p.z);
        }
        assert_true(least >= low - 1e-9);
        if (body.kind == SOLID_BALL)
            assert_true(least < low + 0.1);
    }
}
