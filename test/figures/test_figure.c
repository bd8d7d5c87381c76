/*
 * test_figure.c - the toolbox of figures: files, shapes, text, panels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figure.h"

#include "picture.h"
#include "support.h"

static const char *const formats[] = {"svg", "png", "pdf"};
enum { format_count = 3 };

static figure *open_or_fail(const char *path, double width, double height)
{
    figure *page;
    lb_error error = {0};
    if (figure_open(path, width, height, &page, &error) != LB_OK)
        fail_msg("%s: %s", error.path, error.message);
    return page;
}

static void close_or_fail(figure *page)
{
    lb_error error = {0};
    if (figure_close(page, &error) != LB_OK)
        fail_msg("%s: %s", error.path, error.message);
}

/* ---- files -------------------------------------------------------------- */

/* one of everything */
static void draw_all(figure *page)
{
    figure_style outline = {.stroke = FIGURE_INK, .width = FIGURE_MEDIUM};
    figure_point a = {40, 60}, b = {120, 90};
    figure_line(page, a, b, outline);
    figure_bar(page, a, 8, b, 5, (figure_style){.fill = figure_series(0)});
    figure_arc(page, a, 20, 0, 2, outline);
    figure_turn(page, a, 30, 0, -2, 6, outline);
    figure_arrow(page, a, b, 8, outline);
    figure_annulus(page, b, 10, 20, (figure_style){.fill = figure_series(1)});
    figure_ground(page, a, b, 6, FIGURE_INK);
    figure_rectangle(page, (figure_rect){10, 10, 50, 20}, 4, outline);
    for (int i = FIGURE_MARK_DOT; i <= FIGURE_MARK_TARGET; i++)
        figure_marker(page, (figure_point){20.0 + 15 * i, 150}, (figure_mark)i, 10,
                      figure_series(i));
    figure_soft(page);
    figure_circle(page, b, 15, (figure_style){.fill = FIGURE_INK});
    figure_unsoft(page, (figure_color){0, 0, 0, 0.3}, 10);
    figure_math(page, (figure_point){20, 190}, "\xce\xb8_1 = 10^{-3} L_{1,2}", (figure_font){0});
    figure_panel p =
        figure_panel_plot((figure_rect){160, 30, 120, 120}, 0, 10, 1e-6, 1, false, true);
    figure_panel_axes(page, &p, (figure_axes){"x", "y", NULL});
    const double x[] = {0, 5, 10}, y[] = {1, 1e-3, 1e-6};
    figure_panel_curve(page, &p, x, y, 3, outline);
    const figure_entry entries[] = {{.label = "line", .color = figure_series(0)},
                                    {.label = "bar", .sample = FIGURE_SAMPLE_BAR}};
    figure_legend(page, (figure_rect){20, 200, 200, 20}, entries, 2, true);
}

/* the names that an SVG gives, each followed by a newline; to be freed */
static char *names_of(const char *path)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    enum { ROOM = 1 << 20 };
    char *text = malloc(ROOM), *names = calloc(ROOM, 1);
    text[fread(text, 1, ROOM - 1, stream)] = '\0';
    assert_true(feof(stream) || strlen(text) < ROOM - 1);
    fclose(stream);
    for (char *at = text; (at = strstr(at, " id=\"")) != NULL;) {
        at += strlen(" id=\"");
        strncat(names, at, strcspn(at, "\""));
        strcat(names, "\n");
    }
    // what is referred to is there
    for (char *at = text; (at = strchr(at, '#')) != NULL; at++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s\n", (int)strcspn(at + 1, "\")"), at + 1);
        assert_non_null(strstr(names, name));
    }
    free(text);
    return names;
}

TEST(two_figures_in_one_page_have_no_name_in_common)
{
    const char *const paths[] = {"test_figure_1.svg", "test_figure_2.svg"};
    char *names[2];
    for (int k = 0; k < 2; k++) {
        figure *page = open_or_fail(paths[k], 300, 220);
        draw_all(page);
        figure_circle(page, (figure_point){50.0 + k, 50}, 10, (figure_style){.fill = FIGURE_INK});
        close_or_fail(page);
        names[k] = names_of(paths[k]);
        remove(paths[k]);
    }
    int count = 0;
    for (char *name = strtok(names[0], "\n"); name != NULL; name = strtok(NULL, "\n"), count++) {
        char line[64];
        snprintf(line, sizeof line, "%s\n", name);
        assert_null(strstr(names[1], line));
    }
    assert_true(count > 20);
    free(names[0]);
    free(names[1]);
}

TEST(every_format_is_sound_and_repeatable)
{
    for (int i = 0; i < format_count; i++) {
        char first[64], second[64];
        snprintf(first, sizeof first, "test_figure_1.%s", formats[i]);
        snprintf(second, sizeof second, "test_figure_2.%s", formats[i]);
        const char *const paths[] = {first, second};
        for (int k = 0; k < 2; k++) {
            figure *page = open_or_fail(paths[k], 300, 220);
            draw_all(page);
            close_or_fail(page);
            assert_true(figure_is_sound(paths[k]));
        }
        assert_true(files_are_equal(first, second));
        remove(first);
        remove(second);
    }
}

TEST(endings_are_read_in_any_case)
{
    close_or_fail(open_or_fail("test_figure.PnG", 10, 10));
    assert_true(file_is_there("test_figure.PnG"));
    cairo_surface_t *picture = picture_open("test_figure.PnG");
    assert_int_equal(cairo_image_surface_get_width(picture), 10);
    cairo_surface_destroy(picture);
    remove("test_figure.PnG");
}

TEST(unknown_endings_are_refused)
{
    static const char *const paths[] = {
        "test_figure.bmp", "test_picture", "test_figure.svg.gz", ".svg", "", "png"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        figure *page = NULL;
        lb_error error = {0};
        assert_int_equal(figure_open(paths[i], 10, 10, &page, &error), LB_UNSUPPORTED);
        assert_null(page);
        assert_string_equal(error.path, paths[i]);
        assert_non_null(strstr(error.message, ".svg, .png or .pdf"));
        assert_false(paths[i][0] && file_is_there(paths[i]));
    }
}

TEST(sizes_are_checked)
{
    const double sizes[] = {0, -5, 0.5, NAN, INFINITY, figure_max_size + 1.0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        figure *page;
        assert_int_equal(figure_open("test_figure.svg", sizes[i], 10, &page, NULL), LB_BAD_VALUE);
        assert_int_equal(figure_open("test_figure.svg", 10, sizes[i], &page, NULL), LB_BAD_VALUE);
    }
    assert_false(file_is_there("test_figure.svg"));
}

TEST(unwritable_paths_are_named)
{
    for (int i = 0; i < format_count; i++) {
        char path[64];
        figure *page;
        lb_error error = {0};
        snprintf(path, sizeof path, "no_such_folder/figure.%s", formats[i]);
        assert_int_equal(figure_open(path, 10, 10, &page, &error), LB_FILE_ERROR);
        assert_string_equal(error.path, path);
        assert_true(strlen(error.message) > 0);
    }
}

TEST(a_page_given_up_leaves_what_was_there)
{
    for (int i = 0; i < format_count; i++) {
        char path[64];
        snprintf(path, sizeof path, "test_figure.%s", formats[i]);
        figure *page = open_or_fail(path, 100, 100);
        draw_all(page);
        figure_discard(page);
        assert_false(file_is_there(path));

        // an older file stays as it was
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs("older", file);
        fclose(file);
        page = open_or_fail(path, 100, 100);
        draw_all(page);
        figure_discard(page);
        size_t size;
        char *bytes = file_bytes(path, &size);
        assert_int_equal(size, 5);
        assert_memory_equal(bytes, "older", 5);
        free(bytes);
        remove(path);
    }
    figure_discard(NULL);
}

/* ---- shapes ------------------------------------------------------------- */

static const char png[] = "test_figure.png";

TEST(shapes_are_where_they_should_be)
{
    figure *page = open_or_fail(png, 200, 100);
    figure_style red = {.fill = {1, 0, 0, 1}};
    figure_circle(page, (figure_point){30, 30}, 10, red);
    figure_annulus(page, (figure_point){80, 30}, 8, 20, red);
    figure_bar(page, (figure_point){130, 20}, 6, (figure_point){180, 70}, 3, red);
    // a quarter from straight right, anticlockwise: up
    figure_arc(page, (figure_point){40, 80}, 15, 0, LB_PI / 2,
               (figure_style){.stroke = {0, 0, 1, 1}, .width = 4});
    figure_clip(page, (figure_rect){100, 80, 10, 10});
    figure_rectangle(page, (figure_rect){90, 70, 60, 60}, 0, red);
    figure_unclip(page);
    close_or_fail(page);

    static const struct {
        int x, y;
        double r, g, b;
    } expected[] = {
        {30, 30, 1, 0, 0},  {30, 45, 1, 1, 1},  {80, 30, 1, 1, 1},  {94, 30, 1, 0, 0},
        {130, 20, 1, 0, 0}, {155, 45, 1, 0, 0}, {180, 70, 1, 0, 0}, {155, 60, 1, 1, 1},
        {50, 69, 0, 0, 1},  {29, 69, 1, 1, 1},  {105, 85, 1, 0, 0}, {95, 75, 1, 1, 1},
        {115, 85, 1, 1, 1}, {50, 91, 1, 1, 1},
    };
    cairo_surface_t *picture = picture_open(png);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!pixel_is(picture_at(picture, expected[i].x, expected[i].y), expected[i].r,
                      expected[i].g, expected[i].b, 0.02))
            fail_msg("wrong colour at %d, %d", expected[i].x, expected[i].y);
    cairo_surface_destroy(picture);
    remove(png);
}

TEST(a_stain_fades)
{
    figure *page = open_or_fail(png, 200, 100);
    figure_soft(page);
    figure_circle(page, (figure_point){50, 50}, 20, (figure_style){.fill = FIGURE_PAPER});
    figure_unsoft(page, (figure_color){0, 0, 0, 0.5}, 15);
    close_or_fail(page);

    // dark in the middle, lighter outwards, nothing far away
    cairo_surface_t *picture = picture_open(png);
    int last = 0;
    for (int x = 50; x < 95; x += 5) {
        int value = picture_at(picture, x, 50).r;
        assert_true(value >= last);
        last = value;
    }
    assert_true(pixel_is(picture_at(picture, 50, 50), 0.5, 0.5, 0.5, 0.05));
    assert_true(pixel_is(picture_at(picture, 98, 50), 1, 1, 1, 0.001));
    cairo_surface_destroy(picture);
    remove(png);
}

/* ---- text --------------------------------------------------------------- */

TEST(text_has_the_width_that_is_drawn)
{
    figure *page = open_or_fail(png, 300, 60);
    figure_font font = {.size = 20};
    double width = figure_text_width(page, "linkage", font);
    assert_near(figure_text(page, (figure_point){10, 40}, "linkage", font), width, 1e-9);
    assert_true(figure_text_width(page, "linkages", font) > width);
    assert_near(figure_text_width(page, "", font), 0, 0);

    // a script is narrower than a letter on the line, and braces take no room
    assert_true(figure_math_width(page, "x_1", font) < figure_math_width(page, "x1", font));
    assert_near(figure_math_width(page, "x_{1}", font), figure_math_width(page, "x_1", font), 1e-9);
    close_or_fail(page);

    cairo_surface_t *picture = picture_open(png);
    int first = 300, last = 0;
    for (int x = 0; x < 300; x++)
        for (int y = 0; y < 60; y++)
            if (picture_at(picture, x, y).r < 128) {
                first = x < first ? x : first;
                last = x > last ? x : last;
            }
    assert_in_range(first, 10, 14);
    assert_in_range(last, (uintmax_t)(10 + width - 5), (uintmax_t)(10 + width));
    cairo_surface_destroy(picture);
    remove(png);
}

/* whatever a label is, the figure is made */
TEST(text_that_is_none_is_drawn_all_the_same)
{
    lb_random random = test_seed(11);
    figure *page = open_or_fail("test_figure.svg", 300, 300);
    for (int i = 0; i < 2000; i++) {
        char text[24];
        int n = test_random_index(&random, (int)sizeof text);
        for (int k = 0; k < n; k++)
            text[k] = (char)(1 + test_random_index(&random, 255));
        text[n] = '\0';
        figure_text(page, (figure_point){10, 20}, text, (figure_font){0});
        figure_math(page, (figure_point){10, 40}, text, (figure_font){0});
    }
    char long_text[5000];
    memset(long_text, 'm', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    figure_text(page, (figure_point){10, 60}, long_text, (figure_font){0});
    close_or_fail(page);
    assert_true(figure_is_sound("test_figure.svg"));
    remove("test_figure.svg");
}

/* ---- panels ------------------------------------------------------------- */

TEST(ticks_are_round_and_within)
{
    lb_random random = test_seed(12);
    for (int i = 0; i < 20000; i++) {
        double from =
            lb_random_between(&random, -1, 1) * pow(10, test_random_index(&random, 13) - 6);
        double length = pow(10, lb_random_between(&random, -6, 6));
        int wanted = 2 + test_random_index(&random, 9);
        double first, step;
        int n = figure_ticks(from, from + length, wanted, &first, &step);
        double slack = 2e-9 * step;
        assert_true(first >= from - slack && first + (n - 1) * step <= from + length + slack);
        assert_true(first - step < from && first + n * step > from + length - slack);
        assert_true(length / step <= 2.01 * wanted && length / step >= 0.49 * wanted);

        // 1, 2 or 5 times a power of ten, and the ticks are its multiples
        double digit = step / pow(10, floor(log10(step) + 1e-9));
        assert_true(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
        assert_near(first / step, round(first / step), 1e-9 * fmax(1, fabs(first / step)));
    }
}

TEST(drawings_keep_their_proportions)
{
    lb_random random = test_seed(13);
    for (int i = 0; i < 1000; i++) {
        figure_rect rect = {10, 20, lb_random_between(&random, 50, 500),
                            lb_random_between(&random, 50, 500)};
        double x0 = lb_random_between(&random, -5, 5), x1 = x0 + lb_random_between(&random, 0.1, 9);
        double y0 = lb_random_between(&random, -5, 5), y1 = y0 + lb_random_between(&random, 0.1, 9);
        figure_panel p = figure_panel_drawing(rect, x0, x1, y0, y1);
        figure_point a = figure_panel_at(&p, x0, y0), b = figure_panel_at(&p, x0 + 0.1, y0 + 0.1);

        // one scale, y upward, all of the range inside, its middle in the middle
        assert_near(b.x - a.x, 0.1 * figure_panel_scale(&p), 1e-9);
        assert_near(a.y - b.y, 0.1 * figure_panel_scale(&p), 1e-9);
        figure_point c = figure_panel_at(&p, x1, y1);
        assert_true(a.x > rect.x - 1e-9 && c.x < rect.x + rect.width + 1e-9);
        assert_true(c.y > rect.y - 1e-9 && a.y < rect.y + rect.height + 1e-9);
        assert_near(a.x + c.x, 2 * rect.x + rect.width, 1e-6);
        assert_near(a.y + c.y, 2 * rect.y + rect.height, 1e-6);
    }
}

TEST(logarithmic_axes_are_even_in_powers)
{
    figure_rect rect = {0, 0, 100, 200};
    figure_panel p = figure_panel_plot(rect, 0, 7, 3e-5, 0.2, false, true);
    assert_near(p.y0, 1e-5, 1e-17);
    assert_near(p.y1, 1, 1e-12);
    for (int e = -5; e <= 0; e++)
        assert_near(figure_panel_at(&p, 0, pow(10, e)).y, -40.0 * e, 1e-9);
    assert_near(figure_panel_at(&p, 0, 0).y, 200, 1e-9);
    assert_near(figure_panel_at(&p, 0, -1).y, 200, 1e-9);

    // the range is widened to whole ticks
    assert_near(p.x0, 0, 0);
    assert_true(p.x1 >= 7);

    // and one without extent gets one
    figure_panel flat = figure_panel_plot(rect, 3, 3, 1, 1, false, true);
    assert_true(flat.x0 < 3 && flat.x1 > 3 && flat.y1 > flat.y0);
}

TEST(a_curve_runs_through_its_points_and_has_gaps)
{
    enum { n = 601 };
    double x[n], y[n];
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = i > 290 && i < 310 ? NAN : 0.5;
    }
    figure *page = open_or_fail(png, 640, 100);
    figure_panel p = {{20, 20, 600, 60}, 0, 600, 0, 1, false, false};
    figure_panel_curve(page, &p, x, y, n, (figure_style){.stroke = {0, 0, 0, 1}, .width = 4});
    close_or_fail(page);
    cairo_surface_t *picture = picture_open(png);
    for (int i = 5; i < 596; i++) {
        bool gap = i > 285 && i < 315;
        if (i < 286 || i > 314 || (i > 294 && i < 306))
            assert_int_equal(picture_at(picture, 20 + i, 50).r, gap ? 255 : 0);
    }
    cairo_surface_destroy(picture);
    remove(png);
}

/* ---- legends ------------------------------------------------------------ */

TEST(a_legend_stays_in_its_rectangle)
{
    enum { n = 40 };
    figure_entry entries[n];
    for (int i = 0; i < n; i++)
        entries[i] = (figure_entry){.label = "a method of some length", .color = figure_series(i)};
    figure *page = open_or_fail(png, 400, 200);
    double one = figure_legend(page, (figure_rect){20, 20, 360, 60}, entries, 1, false);
    double all = figure_legend(page, (figure_rect){20, 20, 360, 60}, entries, n, true);
    assert_true(one > 0 && all > one && all <= 60);
    assert_near(figure_legend(page, (figure_rect){20, 20, 360, 60}, entries, 0, true), 0, 0);
    close_or_fail(page);

    // nothing is drawn beside it
    cairo_surface_t *picture = picture_open(png);
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 400; x++)
            if (x < 19 || x > 381 || y < 19 || y > 81)
                assert_int_equal(picture_at(picture, x, y).r, 255);
    cairo_surface_destroy(picture);
    remove(png);
}
