/*
 * test_strip.c - strips of motion: what rests is marked, rows share times and scale.
 *
 * Marks are counted in the SVG: bars have straight edges, dots are round, and each link has its
 * colour.
 */
#include <math.h>

#include "drawn.h"
#include "figures/strip_row.h"
#include "support_load.h"

static const char svg[] = "test_strip.svg", again[] = "test_strip_again.svg";
static const char png[] = "test_strip.png", pdf[] = "test_strip.pdf";

/* the colours of the first and of the second link with contacts, as an SVG has them */
static const char left_fill[] = "fill:rgb(0%,44.7", right_fill[] = "fill:rgb(83.5%,36.9";

static void stop(walker *w)
{
    walker_stop(w);
    remove(svg);
    remove(again);
    remove(png);
    remove(pdf);
}
#define owned_walker __attribute__((cleanup(stop))) walker

static void draw(const lb_strip *strip, const char *path)
{
    lb_error error = {0};
    assert_made(lb_draw_strip(strip, path, &error), error);
    assert_true(figure_is_sound(path));
}

/* points of contacts `first` and the next one that are held at a strip's moments */
static int count_held(const walker *w, int first)
{
    int held = 0, gaps = w->strip.frames - 1;
    double begin = lb_clip_begin(w->clip), length = lb_clip_end(w->clip) - begin;
    for (int frame = 0; frame <= gaps; frame++)
        for (int i = first; i < first + 2; i++)
            held += lb_contacts_at(w->contacts, i, begin + length * frame / gaps) != NULL;
    return held;
}

static int count_spans(const walker *w, int first)
{
    int a, b;
    lb_contacts_spans(w->contacts, first, &a);
    lb_contacts_spans(w->contacts, first + 1, &b);
    return a + b;
}

TEST(what_rests_is_marked)
{
    owned_walker w;
    walker_start(&w, 30, "walk");
    for (int frames = 7; frames <= 13; frames += 6) {
        w.strip.frames = frames;
        draw(&w.strip, svg);
        assert_int_equal(svg_count(svg, left_fill, true), count_held(&w, 0));
        assert_int_equal(svg_count(svg, right_fill, true), count_held(&w, 2));
        assert_int_equal(svg_count(svg, left_fill, false), count_spans(&w, 0));
        assert_int_equal(svg_count(svg, right_fill, false), count_spans(&w, 2));
    }
    // without contacts there are no marks
    w.row.contacts = NULL;
    draw(&w.strip, svg);
    assert_int_equal(svg_count(svg, left_fill, true) + svg_count(svg, left_fill, false), 0);
}

/* in one picture there is a dot wherever a point rests, and no bar */
TEST(one_picture_has_all_places)
{
    owned_walker w;
    walker_start(&w, 30, "walk");
    w.strip.overlaid = true;
    w.strip.frames = 4;
    w.row.paths[w.row.path_count++] = lb_model_find_link(w.model, "left_toe");
    draw(&w.strip, svg);
    // one more is in the note that says what the colour means
    assert_int_equal(svg_count(svg, left_fill, true), count_spans(&w, 0) + 1);
    assert_int_equal(svg_count(svg, right_fill, true), count_spans(&w, 2) + 1);
    assert_int_equal(svg_count(svg, left_fill, false), 0);
    // only those of the time that is shown
    w.strip.begin = 0.2;
    w.strip.end = 0.3;
    draw(&w.strip, svg);
    assert_int_equal(svg_count(svg, left_fill, true), 2 + 1);
    assert_int_equal(svg_count(svg, right_fill, true), 0 + 1);
}

/* what is 0 is chosen: ten moments on a page of 1000 points */
TEST(frames_and_width_are_chosen)
{
    owned_walker w;
    walker_start(&w, 30, "walk");
    draw(&w.strip, svg);
    w.strip.frames = 10;
    w.strip.width = 1000;
    draw(&w.strip, again);
    assert_true(files_are_equal(svg, again));
    w.strip.frames = 11;
    draw(&w.strip, again);
    assert_false(files_are_equal(svg, again));
}

/* no figure is cut off at the sides, and the same bytes come again */
TEST(figures_stay_on_the_page)
{
    owned_walker w;
    walker_start(&w, 30, "walk");
    draw(&w.strip, svg);
    draw(&w.strip, again);
    assert_true(files_are_equal(svg, again));
    draw(&w.strip, png);
    draw(&w.strip, pdf);
    cairo_surface_t *picture = picture_open(png);
    int width = cairo_image_surface_get_width(picture);
    assert_int_equal(width, 2000);
    for (int y = 0; y < cairo_image_surface_get_height(picture); y++)
        for (int x = 0; x < 4; x++) {
            assert_true(pixel_is(picture_at(picture, x, y), 1, 1, 1, 0.1));
            assert_true(pixel_is(picture_at(picture, width - 1 - x, y), 1, 1, 1, 0.1));
        }
    cairo_surface_destroy(picture);
}

/* a single moment has its own time below it, whatever the motion's length */
TEST(one_moment_has_one_time)
{
    owned_walker w;
    walker_start(&w, 30, "walk");
    w.strip.frames = 1;
    draw(&w.strip, svg);
    w.strip.begin = w.strip.end = lb_clip_begin(w.clip);
    draw(&w.strip, again);
    assert_true(files_are_equal(svg, again));
}

/* what does not move is the same at any time, but for the times that are written */
TEST(near_times_are_written_apart)
{
    const double spans[][4] = {{1000, 1000, 1004, 1004}, {100.1, 100.4, 100.2, 100.4}};
    double keys[2 * 16] = {0}, times[2] = {0, 2000};
    owned_model *model = test_load("panda");
    lb_configuration_neutral(model, keys);
    lb_configuration_neutral(model, keys + lb_model_nq(model));
    owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
    lb_strip_row row = {.clip = clip};
    lb_strip strip = lb_strip_default();
    strip.rows = &row;
    strip.row_count = 1;
    // below one moment, and below one picture of several
    for (int several = 0; several < 2; several++) {
        strip.overlaid = several;
        strip.frames = 1 + several;
        strip.begin = spans[several][0];
        strip.end = spans[several][1];
        draw(&strip, svg);
        strip.begin = spans[several][2];
        strip.end = spans[several][3];
        draw(&strip, again);
        assert_false(files_are_equal(svg, again));
    }
    remove(svg);
    remove(again);
}

/* an arm does not move away: its strip has a base in each place */
TEST(arms_have_strips)
{
    double keys[2 * 16] = {0}, times[2] = {0, 1};
    owned_model *model = test_load("panda");
    int nq = lb_model_nq(model);
    lb_configuration_neutral(model, keys);
    lb_configuration_neutral(model, keys + nq);
    keys[nq] = 1;
    owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
    lb_strip_row rows[2] = {{.clip = clip}, {.clip = clip, .label = "again"}};
    lb_strip strip = lb_strip_default();
    strip.rows = rows;
    strip.row_count = 2;
    strip.title = "two rows";
    strip.frames = 3;
    draw(&strip, svg);
    strip.overlaid = true;
    draw(&strip, svg);
    strip.frames = 1;
    draw(&strip, svg);
    remove(svg);
}

/* ---- slopes ----------------------------------------------------------------- */

/* a walker that is turned as a whole about where its root's joint is */
static lb_clip *turn_clip(const walker *w, lb_quat turn)
{
    int count = lb_clip_count(w->clip), nq = lb_model_nq(w->model);
    owned double *keys = calloc((size_t)count * (size_t)nq, sizeof *keys);
    for (int i = 0; i < count; i++) {
        double *q = &keys[i * nq];
        memcpy(q, lb_clip_key(w->clip, i), (size_t)nq * sizeof *q);
        lb_vec3 at = lb_quat_rotate(turn, lb_vec3_make(q[0], q[1], q[2]));
        lb_quat r = lb_quat_multiply(turn, (lb_quat){q[3], q[4], q[5], q[6]});
        memcpy(q, (double[]){at.x, at.y, at.z, r.w, r.x, r.y, r.z}, 7 * sizeof *q);
    }
    lb_clip *clip =
        test_clip(w->model, lb_clip_times(w->clip), keys, count, LB_INTERPOLATION_LINEAR);
    return clip;
}

/* one row of a strip, as it is before it is painted */
static void start_row(strip_row *row, const strip_layout *layout, const lb_strip_row *what)
{
    lb_error error = {0};
    assert_made(strip_row_start(row, layout, what, &error), error);
}

/* the ground below a figure that is turned with it is the one below the figure, turned; on the page
   it falls as it does in the world, seen from the side */
TEST(ground_slopes_with_figures)
{
    const double angles[] = {-0.3, 0.1, 0.25};
    owned_walker w;
    walker_start(&w, 30, "walk");
    w.strip.frames = 10;
    for (int overlaid = 0; overlaid < 2; overlaid++)
        for (int i = 0; i < 3; i++) {
            lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), angles[i]);
            owned_clip *clip = turn_clip(&w, turn);
            lb_strip_row turned = w.row;
            strip_row level, sloped;
            w.strip.overlaid = overlaid;
            w.strip.elevation = 0;
            strip_layout layout = {.what = &w.strip, .end = lb_clip_end(w.clip), .cell = 400};
            turned.clip = clip;
            turned.ground_normal = lb_vec3_scale(lb_quat_rotate(turn, lb_vec3_make(0, 0, 1)), 3);
            start_row(&level, &layout, &w.row);
            start_row(&sloped, &layout, &turned);
            const solid_ground *ground = &sloped.space.ground;
            assert_true(strip_row_slope(&level) == 0);
            assert_near(strip_row_slope(&sloped), lb_sin(angles[i]) / lb_cos(angles[i]), 1e-9);
            assert_near(ground->along_x, -lb_sin(angles[i]) / lb_cos(angles[i]), 1e-12);
            // a point of the level ground, turned, is on the sloping one
            lb_vec3 center = lb_model_joint(w.model, 0)->placement.p;
            lb_vec3 below = lb_vec3_make(0, 0, level.space.ground.height - center.z);
            lb_vec3 at = lb_vec3_add(center, lb_quat_rotate(turn, below));
            assert_near(solid_on_ground(ground, at).z, at.z, 1e-9);
            strip_row_release(&sloped);
            strip_row_release(&level);
        }
}

/* ---- refused ---------------------------------------------------------------- */

static void refuse(const lb_strip *strip, const char *path, lb_status status, const char *word)
{
    lb_error error = {0};
    assert_int_equal(lb_draw_strip(strip, path, &error), status);
    if (strstr(error.message, word) == NULL)
        fail_msg("'%s' does not have '%s'", error.message, word);
    assert_false(file_is_there(path));
}

TEST(wrong_strips_are_refused)
{
    owned_walker w;
    walker_start(&w, 30, "walk");
    lb_strip bad = w.strip;
    bad.frames = -1;
    refuse(&bad, svg, LB_INVALID_ARGUMENT, "frames");
    bad.frames = LB_STRIP_FRAMES + 1;
    refuse(&bad, svg, LB_INVALID_ARGUMENT, "frames");
    bad = w.strip;
    bad.row_count = 0;
    refuse(&bad, svg, LB_INVALID_ARGUMENT, "row_count");
    bad = w.strip;
    bad.width = NAN;
    refuse(&bad, svg, LB_BAD_VALUE, "width");
    bad = w.strip;
    bad.end = INFINITY;
    refuse(&bad, svg, LB_BAD_VALUE, "finite");
    refuse(&w.strip, "test_strip.gif", LB_UNSUPPORTED, "svg");
    lb_strip_row row = w.row;
    bad = w.strip;
    bad.rows = &row;
    row.clip = NULL;
    refuse(&bad, svg, LB_INVALID_ARGUMENT, "clip");
    row = w.row;
    row.ground_normal = lb_vec3_make(1, 0, 0.1);
    refuse(&bad, svg, LB_BAD_VALUE, "ground_normal");
    row.ground_normal = lb_vec3_make(0, NAN, 1);
    refuse(&bad, svg, LB_BAD_VALUE, "ground_normal");
    row = w.row;
    row.path_count = 1;
    row.paths[0] = 99;
    refuse(&bad, svg, LB_INVALID_ARGUMENT, "paths[0]");
    lb_contact_point point = {.link = 99};
    row = w.row;
    lb_contacts *contacts = NULL;
    assert_int_equal(lb_contacts_create(&point, 1, NULL, &contacts, NULL), LB_OK);
    row.contacts = contacts;
    refuse(&bad, svg, LB_INVALID_ARGUMENT, "contact 0");
    lb_contacts_release(contacts);
    assert_int_equal(lb_draw_strip(NULL, svg, NULL), LB_INVALID_ARGUMENT);
}
