/*
 * test_draw_reach.c - figures of maps of what a tool reaches: each cell in its colour, at its
 * place.
 */
#include <limber/figures/draw_reach.h>

#include "picture.h"

/* five cells of 20 cm along each axis, about (0, 0, 0.5) */
enum { N = 5, CELLS = N * N * N };

static double values[CELLS];

static lb_reach_drawing empty_map(void)
{
    lb_reach_drawing made = lb_reach_drawing_default();
    made.grid = (lb_reach_grid){
        .center = {0, 0, 0.5}, .radius = 0.5, .cell = 0.2, .count = N, .orientations = 72};
    made.values = values;
    made.share = true;
    for (int i = 0; i < CELLS; i++)
        values[i] = NAN;
    return made;
}

static void set_value(int i, int j, int k, double value)
{
    values[i + N * (j + N * k)] = value;
}

static void draw(const lb_reach_drawing *what, const char *path)
{
    lb_error error = {0};
    assert_made(lb_draw_reach(what, path, &error), error);
    assert_true(figure_is_sound(path));
}

/* pixels of the colour of a whole share left of the scale of colours, and their middle */
static int find_dark(const char *path, double *x, double *y)
{
    cairo_surface_t *picture = picture_open(path);
    int right = cairo_image_surface_get_width(picture) - 2 * 130, count = 0;
    *x = *y = 0;
    for (int j = 0; j < cairo_image_surface_get_height(picture); j++)
        for (int i = 0; i < right; i++)
            if (pixel_is(picture_at(picture, i, j), 0.14, 0.20, 0.58, 0.02)) {
                count++;
                *x += i;
                *y += j;
            }
    cairo_surface_destroy(picture);
    *x /= count > 0 ? count : 1;
    *y /= count > 0 ? count : 1;
    return count;
}

/* a cell appears in the slices through it alone, and moves as its index does */
TEST(a_slice_has_its_cells)
{
    lb_reach_drawing what = empty_map();
    double x, y, other_x, other_y;
    set_value(3, 1, 2, 1);
    what.view = LB_REACH_SLICE;
    what.axis = 1;
    what.at = -0.2;
    draw(&what, "reach.png");
    int count = find_dark("reach.png", &x, &y);
    assert_true(count > 100);
    // beside that layer there is nothing
    what.at = 0;
    draw(&what, "reach.png");
    assert_int_equal(find_dark("reach.png", &other_x, &other_y), 0);
    // the next cell along x is as large, to its right
    set_value(3, 1, 2, NAN);
    set_value(4, 1, 2, 1);
    what.at = -0.2;
    draw(&what, "reach.png");
    assert_in_range(find_dark("reach.png", &other_x, &other_y), count * 9 / 10, count * 11 / 10);
    double edge = sqrt(count);
    assert_true(fabs(other_x - x - edge) < 0.1 * edge && fabs(other_y - y) < 0.1 * edge);
    // up is up
    set_value(4, 1, 2, NAN);
    set_value(3, 1, 3, 1);
    draw(&what, "reach.png");
    find_dark("reach.png", &other_x, &other_y);
    assert_true(fabs(other_y - y + edge) < 0.1 * edge && fabs(other_x - x) < 0.1 * edge);
    // seen along x it is left of the middle
    what.axis = 0;
    what.at = 0.2;
    draw(&what, "reach.png");
    assert_true(find_dark("reach.png", &other_x, &other_y) > 100);
    assert_true(other_x < x);
}

/* both slices of the usual figure pass through the middle; what is unknown is grey */
TEST(two_slices_meet_in_the_middle)
{
    lb_reach_drawing what = empty_map();
    double x, y;
    set_value(2, 2, 2, 1);
    draw(&what, "both.png");
    int both = find_dark("both.png", &x, &y);
    set_value(2, 2, 2, NAN);
    set_value(2, 2, 3, 1);
    draw(&what, "both.png");
    int upright = find_dark("both.png", &x, &y);
    assert_in_range(upright, both * 4 / 10, both * 6 / 10);
    cairo_surface_t *picture = picture_open("both.png");
    int before = picture_find(picture, 0.90, 0.92, 0.94, 0.005, &x, &y);
    cairo_surface_destroy(picture);
    set_value(1, 2, 3, -1);
    draw(&what, "both.png");
    picture = picture_open("both.png");
    assert_true(picture_find(picture, 0.90, 0.92, 0.94, 0.005, &x, &y) > before + upright / 2);
    cairo_surface_destroy(picture);
}

static double shell_ink(lb_reach_drawing *what, double least)
{
    what->least = least;
    draw(what, "shell.png");
    cairo_surface_t *picture = picture_open("shell.png");
    double ink = picture_ink(picture);
    cairo_surface_destroy(picture);
    return ink;
}

/* how many pixels of two pictures differ */
static int count_different(const char *a, const char *b)
{
    cairo_surface_t *first = picture_open(a), *second = picture_open(b);
    int width = cairo_image_surface_get_width(first), count = 0;
    int height = cairo_image_surface_get_height(first);
    assert_int_equal(cairo_image_surface_get_width(second), width);
    assert_int_equal(cairo_image_surface_get_height(second), height);
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            pixel p = picture_at(first, i, j), q = picture_at(second, i, j);
            count += p.r != q.r || p.g != q.g || p.b != q.b;
        }
    cairo_surface_destroy(second);
    cairo_surface_destroy(first);
    return count;
}

/* of two cells in a line with the eye the farther one does not show, from whichever side */
TEST(near_cells_hide_far_ones)
{
    const struct {
        double azimuth, elevation;
        int axis, near; /* and the index of the nearer cell along it */
    } views[] = {{0, 0, 0, 4},          {LB_PI, 0, 0, 0},     {LB_PI / 2, 0, 1, 4},
                 {-LB_PI / 2, 0, 1, 0}, {0, LB_PI / 2, 2, 4}, {0, -LB_PI / 2, 2, 0}};
    for (int i = 0; i < 6; i++) {
        lb_reach_drawing what = empty_map();
        what.view = LB_REACH_SHELL;
        what.azimuth = views[i].azimuth;
        what.elevation = views[i].elevation;
        int at[3] = {2, 2, 2};
        at[views[i].axis] = views[i].near;
        set_value(at[0], at[1], at[2], 0.2);
        draw(&what, "near.png");
        at[views[i].axis] = 4 - views[i].near;
        set_value(at[0], at[1], at[2], 1);
        draw(&what, "both.png");
        assert_int_equal(count_different("near.png", "both.png"), 0);
    }
}

/* less is drawn the more is wanted; the quarter toward the viewer is cut out */
TEST(a_shell_is_cut_open)
{
    lb_reach_drawing what = empty_map();
    what.view = LB_REACH_SHELL;
    what.azimuth = what.elevation = 0.5;
    double none = shell_ink(&what, 0);
    for (int i = 0; i < CELLS; i++)
        values[i] = i % N == 0 ? 0.2 : 0.8;
    double all = shell_ink(&what, 0.1), half = shell_ink(&what, 0.5);
    assert_true(all > half && half > none);
    assert_true(shell_ink(&what, 0.9) == none);
    // cells of that quarter alone are not drawn, from the other side they are
    for (int i = 0; i < CELLS; i++)
        values[i] = i % N > 2 && i / N % N > 2 ? 0.8 : NAN;
    assert_true(shell_ink(&what, 0.1) == none);
    what.azimuth += LB_PI;
    assert_true(shell_ink(&what, 0.1) > none);
}

TEST(a_drawing_is_the_same_every_time)
{
    lb_reach_drawing what = empty_map();
    what.title = "a map";
    what.quantity = "share";
    for (int i = 0; i < CELLS; i++)
        values[i] = (double)(i % 7) / 6;
    static const char *const paths[][2] = {
        {"one.svg", "two.svg"}, {"one.png", "two.png"}, {"one.pdf", "two.pdf"}};
    for (int i = 0; i < 3; i++) {
        draw(&what, paths[i][0]);
        draw(&what, paths[i][1]);
        assert_true(files_are_equal(paths[i][0], paths[i][1]));
    }
}

/* a number above a scale has the colour at its end */
TEST(large_numbers_are_drawn)
{
    lb_reach_drawing what = empty_map();
    set_value(2, 2, 2, 1e300);
    double x, y;
    for (int i = 0; i < 2; i++) {
        what.share = i == 0;
        draw(&what, "reach.png");
        assert_true(find_dark("reach.png", &x, &y) > 100);
    }
}

static void refuse(const lb_reach_drawing *what, const char *path, const char *word)
{
    lb_error error = {0};
    assert_int_not_equal(lb_draw_reach(what, path, &error), LB_OK);
    if (strstr(error.message, word) == NULL)
        fail_msg("'%s' does not name '%s'", error.message, word);
    assert_int_equal(error.line, 0);
}

TEST(what_cannot_be_drawn_is_refused)
{
    lb_reach_drawing what = empty_map();
    refuse(&what, "map.jpg", "svg");
    what.view = LB_REACH_SLICE;
    what.axis = 2;
    what.at = -0.1;
    refuse(&what, "refused.svg", "outside");
    what.at = NAN;
    refuse(&what, "refused.svg", "outside");
    what.at = 1e308;
    refuse(&what, "refused.svg", "outside");
    what.at = -1e308;
    refuse(&what, "refused.svg", "outside");
    what = empty_map();
    what.grid.center.y = INFINITY;
    refuse(&what, "refused.svg", "cells");
    what = empty_map();
    what.grid.cell = 1e308;
    refuse(&what, "refused.svg", "cells");
    what = empty_map();
    for (int i = 0; i < 2; i++) {
        set_value(1, 2, 3, i == 0 ? INFINITY : 1e307);
        refuse(&what, "refused.svg", "1e+300");
    }
    what = empty_map();
    what.azimuth = INFINITY;
    refuse(&what, "refused.svg", "azimuth");
    what = empty_map();
    what.values = NULL;
    refuse(&what, "refused.svg", "values");
    assert_false(file_is_there("refused.svg"));
}
