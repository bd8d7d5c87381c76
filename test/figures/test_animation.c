/*
 * test_animation.c - figures that move in an SVG: what goes through which values.
 *
 * The file is read as XML; animations are compared with the clip that they show.
 */
#include <math.h>

#include "drawn.h"
#include "support_load.h"

static const char svg[] = "test_animation.svg", again[] = "test_animation_again.svg";

enum { FRAMES = 31, MOST = 4096 };

static void start(walker *w)
{
    walker_start(w, lb_gait_default().rate, "a < b & c");
    w->strip.width = 300;
    w->strip.frames = FRAMES;
    w->strip.begin = 1.2;
    w->strip.end = 2.4;
}

static void stop(walker *w)
{
    walker_stop(w);
    remove(svg);
    remove(again);
}
#define owned_walker __attribute__((cleanup(stop))) walker

static void animate(const lb_strip *strip, const char *path)
{
    lb_error error = {0};
    assert_made(lb_draw_animation(strip, path, &error), error);
    assert_true(figure_is_sound(path));
}

/* ---- reading ------------------------------------------------------------------- */

/* All animations of attributes of a file. */
typedef struct animations {
    int count;
    char names[MOST][20];
    char values[MOST][400]; /* as text */
} animations;

static void collect(const xmlNode *node, animations *all)
{
    for (; node; node = node->next) {
        if (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, "animate") == 0) {
            xmlChar *name = xmlGetProp(node, (const xmlChar *)"attributeName");
            xmlChar *values = xmlGetProp(node, (const xmlChar *)"values");
            xmlChar *duration = xmlGetProp(node, (const xmlChar *)"dur");
            assert_string_equal((const char *)duration, "1.2s");
            assert_true(all->count < MOST);
            snprintf(all->names[all->count], sizeof all->names[0], "%s", (const char *)name);
            snprintf(all->values[all->count++], sizeof all->values[0], "%s", (const char *)values);
            xmlFree(duration);
            xmlFree(values);
            xmlFree(name);
        }
        collect(node->children, all);
    }
}

static animations *read_animations(const char *path)
{
    animations *all = calloc(1, sizeof *all);
    xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET);
    assert_non_null(all);
    assert_non_null(document);
    collect(xmlDocGetRootElement(document), all);
    xmlFreeDoc(document);
    return all;
}

/* fills the numbers of a list; returns how many */
static int read_values(const char *text, double values[FRAMES])
{
    int count = 0;
    for (char *end; *text; text = *end == ';' ? end + 1 : end) {
        assert_true(count < FRAMES);
        values[count++] = strtod(text, &end);
        assert_ptr_not_equal(end, text);
    }
    return count;
}

/* ---- tests ----------------------------------------------------------------------- */

/* lines have a value for each moment, and the last is the first: no seam shows */
TEST(whole_cycles_join)
{
    walker w;
    start(&w);
    animate(&w.strip, svg);
    animations *all = read_animations(svg);
    int lines = 0;
    for (int i = 0; i < all->count; i++) {
        double values[FRAMES];
        const char *name = all->names[i];
        if ((name[0] != 'x' && name[0] != 'y') || name[2] != '\0')
            continue;
        lines++;
        assert_int_equal(read_values(all->values[i], values), FRAMES);
        assert_near(values[FRAMES - 1], values[0], 0.11);
        for (int k = 0; k < FRAMES; k++)
            assert_true(values[k] > 0 && values[k] < 400);
    }
    assert_true(lines > 60);
    free(all);
    stop(&w);
}

/* dots are seen in the moments in which their points rest */
TEST(dots_are_seen_while_points_rest)
{
    walker w;
    start(&w);
    animate(&w.strip, svg);
    animations *all = read_animations(svg);
    int point = 0;
    for (int i = 0; i < all->count; i++) {
        double values[FRAMES];
        if (strcmp(all->names[i], "opacity") != 0)
            continue;
        assert_int_equal(read_values(all->values[i], values), FRAMES - 1);
        for (int k = 0; k < FRAMES - 1; k++) {
            double time = 1.2 + (2.4 - 1.2) * k / (FRAMES - 1);
            assert_int_equal((int)values[k], lb_contacts_at(w.contacts, point, time) != NULL);
        }
        point++;
    }
    assert_int_equal(point, 4);
    free(all);
    stop(&w);
}

/* the same bytes again; labels are text, whatever is in them */
TEST(files_are_equal_and_sound)
{
    owned_walker w;
    start(&w);
    animate(&w.strip, svg);
    animate(&w.strip, again);
    assert_true(files_are_equal(svg, again));
    size_t size;
    char *text = file_bytes(svg, &size);
    text[size] = '\0';
    assert_non_null(strstr(text, ">a &lt; b &amp; c</text>"));
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
    free(text);

    // letters, and bytes that no XML may have
    w.strip.title = "\xc3\xa9 \x1b[31m \xff \xc3";
    animate(&w.strip, svg);
    text = file_bytes(svg, &size);
    text[size] = '\0';
    assert_non_null(strstr(text, ">\xc3\xa9 ?[31m ? ?</text>"));
    free(text);
}

/* hinges that are seen along their axes: nothing has straight ends that are nearer than it is wide
 */
TEST(hinges_seen_along_their_axes_are_discs)
{
    const double keys[4] = {0, 0, 1, 1}, times[2] = {0, 1};
    owned_model *model = test_load("planar2");
    owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
    lb_strip_row row = {.clip = clip};
    lb_strip strip = lb_strip_default();
    strip.rows = &row;
    strip.row_count = 1;
    strip.frames = 3;
    strip.azimuth = 0;
    strip.elevation = LB_PI / 2;
    animate(&strip, svg);
    size_t size;
    char *text = file_bytes(svg, &size);
    text[size] = '\0';
    assert_null(strstr(text, "class=\"o b\""));
    assert_non_null(strstr(text, "<use "));
    free(text);
    remove(svg);
}

/* a label is below the figure, also where hands are below the ground */
TEST(labels_are_below_figures)
{
    owned_walker w;
    start(&w);
    double y[2];
    for (int i = 0; i < 2; i++) {
        // from above, feet in front are far below the line that is the ground
        w.strip.elevation = i == 0 ? 0 : 0.6;
        animate(&w.strip, svg);
        size_t size;
        owned char *text = file_bytes(svg, &size);
        text[size] = '\0';
        const char *label = strstr(text, "<text");
        assert_non_null(label);
        y[i] = strtod(strstr(label, " y=\"") + 4, NULL) -
               strtod(strstr(strstr(text, "<line class=\"g\""), " y1=\"") + 5, NULL);
    }
    assert_near(y[0], 24, 1);
    assert_true(y[1] > 30);
}

static void refuse(const lb_strip *strip, const char *path, lb_status status, const char *word)
{
    lb_error error = {0};
    assert_int_equal(lb_draw_animation(strip, path, &error), status);
    if (strstr(error.message, word) == NULL)
        fail_msg("'%s' does not have '%s'", error.message, word);
    assert_false(file_is_there(path));
}

/* a link without width has its outline, and no width below zero */
TEST(links_without_width_are_drawn)
{
    enum { LINKS = 8 };
    const double keys[4] = {0, 0, 1, 1}, times[2] = {0, 1};
    lb_link links[LINKS];
    owned_model *bare = test_load("planar2");
    lb_geometry thin = {.shape = LB_SHAPE_CAPSULE, .size = {0, 0, 1}};
    thin.origin = LB_TRANSFORM_IDENTITY;
    assert_true(lb_model_link_count(bare) <= LINKS);
    for (int i = 0; i < lb_model_link_count(bare); i++) {
        links[i] = *lb_model_link(bare, i);
        links[i].visuals = &thin;
        links[i].visual_count = 1;
    }
    owned_model *model = test_with_links(bare, links);
    owned_clip *clip = test_clip(model, times, keys, 2, LB_INTERPOLATION_LINEAR);
    lb_strip_row row = {.clip = clip};
    lb_strip strip = lb_strip_default();
    strip.rows = &row;
    strip.row_count = 1;
    strip.frames = 3;
    animate(&strip, svg);
    size_t size;
    char *text = file_bytes(svg, &size);
    text[size] = '\0';
    assert_non_null(strstr(text, "stroke-width=\"0\""));
    assert_null(strstr(text, "stroke-width=\"-"));
    free(text);
    remove(svg);
}

/* 30 moments a second of 1.2 s, on a page of 560 points; at most as many as there may be */
TEST(frames_and_width_are_chosen)
{
    owned_walker w;
    start(&w);
    w.strip.frames = 0;
    w.strip.width = 0;
    animate(&w.strip, svg);
    w.strip.frames = 37;
    w.strip.width = 560;
    animate(&w.strip, again);
    assert_true(files_are_equal(svg, again));
    // a longer one has as many as there may be
    w.strip.begin = -5;
    w.strip.frames = 0;
    animate(&w.strip, svg);
    w.strip.frames = LB_STRIP_FRAMES;
    animate(&w.strip, again);
    assert_true(files_are_equal(svg, again));
}

TEST(wrong_animations_are_refused)
{
    owned_walker w;
    start(&w);
    refuse(&w.strip, "test_animation.png", LB_UNSUPPORTED, ".svg");
    refuse(&w.strip, "nowhere/test_animation.svg", LB_FILE_ERROR, "");
    lb_strip bad = w.strip;
    bad.frames = 1;
    refuse(&bad, svg, LB_INVALID_ARGUMENT, "frames is 1");
    bad = w.strip;
    bad.end = bad.begin;
    refuse(&bad, svg, LB_BAD_VALUE, "above 0");
    bad.begin = -1e308;
    bad.end = 1e308;
    refuse(&bad, svg, LB_BAD_VALUE, "from begin -1e+308 to end 1e+308 is not finite");
    bad = w.strip;
    bad.row_count = 0;
    refuse(&bad, svg, LB_INVALID_ARGUMENT, "row_count");
    assert_int_equal(lb_draw_animation(NULL, svg, NULL), LB_INVALID_ARGUMENT);
}
