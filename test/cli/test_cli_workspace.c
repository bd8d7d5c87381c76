/*
 * test_cli_workspace.c - limber workspace and limber draw --tree, as a user calls them.
 */
#define _XOPEN_SOURCE 700

#include <limber/figures/draw.h>

#include <math.h>

#include "picture.h"
#include "results.h"

/* ---- workspaces --------------------------------------------------------- */

/* planar2 has two links of a metre: all within two metres, and hardly anything missing */
TEST(rows_are_the_cells_that_are_reached)
{
    program_must("workspace planar2 --samples 200000 --cells 50 --output cells.csv");
    owned_table table = table_of_file("cells.csv");
    static const char *const names[] = {"x", "y", "z", "samples", "share", "dexterous"};
    assert_int_equal(table.columns, 6);
    for (int k = 0; k < 6; k++)
        assert_string_equal(csv_name(&table, k), names[k]);
    double area = table.rows * 0.08 * 0.08, samples = 0;
    for (int i = 0; i < table.rows; i++) {
        double x = number_at(&table, i, 0), y = number_at(&table, i, 1);
        assert_true(hypot(x, y) <= 2 + 0.06);
        assert_true(number_at(&table, i, 2) == 0);
        assert_in_range((int)(1000 * number_at(&table, i, 4)), 1, 1000);
        samples += number_at(&table, i, 3);
    }
    assert_true(area > 4 * LB_PI && area < 4 * LB_PI * 1.08);
    assert_true(samples <= 200000 && samples > 199000);

    // rows are printed when no file is named, and the same call finds the same
    program_must("workspace planar2 --samples 200000 --cells 50");
    owned char *file = program_read("cells.csv");
    assert_string_equal(program.out, file);
}

TEST(points_are_a_point_cloud)
{
    program_must("workspace panda --tip panda_hand --samples 20000 --cells 12 --output a.csv");
    program_must("workspace panda --tip panda_hand --samples 20000 --cells 12 --output a.ply");
    owned_table table = table_of_file("a.csv");
    owned char *text = program_read("a.ply");
    int vertices = 0, lines = 0;
    assert_true(program_begins(text, "ply\nformat ascii 1.0\n"));
    assert_int_equal(sscanf(strstr(text, "element vertex"), "element vertex %d", &vertices), 1);
    assert_int_equal(vertices, table.rows);
    const char *body = strstr(text, "end_header\n") + strlen("end_header\n");
    for (const char *c = body; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, vertices);
    double x, y, z;
    assert_int_equal(sscanf(body, "%lf %lf %lf", &x, &y, &z), 3);
    assert_near(x, number_at(&table, 0, 0), 1e-6);
    assert_near(z, number_at(&table, 0, 2), 1e-6);
}

/* the map of a planar arm shows its base's stand and most of the scale's colours */
TEST(figures_are_drawn)
{
    static const char *const files[] = {"w.svg", "w.png", "w.pdf"};
    for (int i = 0; i < 3; i++) {
        program_must("workspace planar3 --samples 100000 --cells 30 --output %s --title Reach",
                     files[i]);
        assert_true(figure_is_sound(files[i]));
    }
    cairo_surface_t *map = picture_open("w.png");
    double x, y;
    // dark blue, reached in all orientations, lies around the base
    int dark = picture_find(map, 0.14, 0.20, 0.58, 0.04, &x, &y);
    assert_true(dark > 20000);
    cairo_surface_destroy(map);

    program_must("workspace panda --tip panda_hand --samples 20000 --output p.png");
    program_must("workspace scara --samples 20000 --output s.png");
    program_must("workspace human --tip right_hand --samples 5000 --output h.png");
    assert_true(figure_is_sound("p.png"));
    assert_true(figure_is_sound("s.png"));
    assert_true(figure_is_sound("h.png"));
}

/* with --manipulability rows, points, words and figures have it: sin of planar2's elbow */
TEST(manipulability_is_mapped)
{
    program_prints("workspace planar2 --cells 20 --manipulability --output m.csv --report",
                   "manipulability at most ");
    owned_table table = table_of_file("m.csv");
    assert_int_equal(table.columns, 7);
    assert_string_equal(csv_name(&table, 6), "manipulability");
    for (int i = 0; i < table.rows; i++) {
        double r = hypot(number_at(&table, i, 0), number_at(&table, i, 1)), c = 0.5 * r * r - 1;
        assert_near(number_at(&table, i, 6), sqrt(fmax(0, 1 - c * c)), r < 1.99 ? 1e-3 : 0.02);
    }
    program_must("workspace planar2 --cells 20 --manipulability --output m.ply");
    assert_in_file("m.ply", "property float manipulability\n");
    // the darkest colour is in the map; where an arm has too few joints for every orientation,
    // neither the map nor the scale has it
    static const char *const calls[] = {"workspace planar2 --cells 20 --manipulability",
                                        "workspace planar2 --cells 20"};
    for (int i = 0; i < 2; i++) {
        program_must("%s --output m.png", calls[i]);
        assert_true(figure_is_sound("m.png"));
        cairo_surface_t *map = picture_open("m.png");
        double x, y;
        int dark = picture_find(map, 0.14, 0.20, 0.58, 0.1, &x, &y);
        assert_true(i == 0 ? dark > 10000 : dark == 0);
        cairo_surface_destroy(map);
    }
    // sections go through the middle of what is reached, also without any orientation
    program_must("workspace scara --cells 16 --output m.png");
    cairo_surface_t *map = picture_open("m.png");
    double x, y;
    assert_true(picture_find(map, 0.63, 0.85, 0.72, 0.02, &x, &y) > 10000);
    cairo_surface_destroy(map);
}

/* a ring with limits is outlined, on an arm that stands upright */
TEST(rings_are_outlined)
{
    program_write(
        "arm.json",
        "{\"limber\": 1, \"name\": \"arm\", \"angles\": \"degrees\",\n"
        " \"links\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"},\n"
        "           {\"name\": \"d\"}],\n"
        " \"joints\": [{\"name\": \"p\", \"kind\": \"revolute\", \"parent\": \"a\",\n"
        "   \"child\": \"b\", \"axis\": [0, 1, 0], \"limits\": [-60, 60]},\n"
        "  {\"name\": \"q\", \"kind\": \"revolute\", \"parent\": \"b\", \"child\": \"c\",\n"
        "   \"axis\": [0, 1, 0], \"limits\": [-30, 120],\n"
        "   \"placement\": {\"xyz\": [0, 0, 1]}},\n"
        "  {\"name\": \"r\", \"parent\": \"c\", \"child\": \"d\",\n"
        "   \"placement\": {\"xyz\": [0, 0, 0.7]}}]}\n");
    program_must("workspace arm.json --samples 100000 --output ring.png");
    program_must("workspace arm.json --samples 100000 --output ring.svg");
    assert_true(figure_is_sound("ring.png"));
}

/* sizes in words, by solving; the same on any number of threads; unsettled samples are said */
TEST(sizes_are_reported)
{
    program_must("workspace planar3 --cells 50 --report");
    double reachable = 0, dexterous = 0;
    assert_int_equal(sscanf(program.out, "reachable %lf m2", &reachable), 1);
    assert_int_equal(sscanf(strstr(program.out, "dexterous"), "dexterous %lf m2", &dexterous), 1);
    assert_near(reachable, 900 * LB_PI, 9 * LB_PI);
    assert_near(dexterous, 300 * LB_PI, 5 * LB_PI);
    assert_string_equal(program.err, "");
    program_must("workspace ur5 --cells 8 --threads 1 --output one.csv");
    program_must("workspace ur5 --cells 8 --threads 3 --output three.csv");
    assert_same_files("one.csv", "three.csv");
    program_must("workspace planar3 --samples 20000 --report");
    assert_said("have not settled");
    // what samples found is no bound from above, and has no error yet
    assert_printed("m2 by the cells found so far, no bound");
    assert_true(strstr(program.out, "at most") == NULL && strstr(program.out, "give") == NULL);
    program_must("workspace klann --samples 2000 --report");
    assert_not_said("solved for");
    program_must("workspace planar3 --samples 20000 --report");
    // few samples have a first half, too
    assert_not_said("added 100 %");
    program_must("workspace planar2 --cells 2 --samples 30000 --report");
    assert_string_equal(program.err, "");
    program_refuses("workspace planar3 --samples 10 --iterations 5", "no effect with --samples");
}

/* ---- trees -------------------------------------------------------------- */

/* each link of a small model has its box, and all forms are sound files */
TEST(trees_have_a_box_for_each_link)
{
    static const char *const models[] = {"planar3", "panda", "human"};
    for (int i = 0; i < 3; i++) {
        owned_model *model = load_or_fail(models[i]);
        program_must("draw %s --tree --output tree.svg", models[i]);
        // boxes have rounded corners; all but the root's are filled with pale blue
        int boxes = svg_count("tree.svg", "fill:rgb(72%,84.5", true);
        assert_int_equal(boxes, lb_model_link_count(model) - 1);
    }
    program_must("draw panda --tree --title 'A tree' --output tree.png");
    program_must("draw panda --tree --output tree.pdf");
    assert_true(figure_is_sound("tree.png"));
    assert_true(figure_is_sound("tree.pdf"));
}

/* a robot of more than a hundred links still fits a page */
TEST(large_trees_fit_a_page)
{
    test_tree wanted = test_tree_default();
    lb_random random = test_seed(1);
    wanted.joints = 130;
    owned_model *model = test_tree_build(&wanted, &random);
    lb_error error = {0};
    assert_made(lb_draw_tree(model, "130 joints", "large.png", &error), error);
    cairo_surface_t *page = picture_open("large.png");
    assert_true(cairo_image_surface_get_width(page) < 4000);
    assert_true(cairo_image_surface_get_height(page) < 3000);
    cairo_surface_destroy(page);

    assert_int_equal(lb_draw_tree(model, NULL, "tree.gif", &error), LB_UNSUPPORTED);
    assert_int_equal(lb_draw_tree(model, NULL, "no/where.svg", &error), LB_FILE_ERROR);
}

/* ---- refusals ----------------------------------------------------------- */

TEST(bad_input_is_refused)
{
    static const struct {
        const char *arguments, *says;
    } cases[] = {
        {"workspace planar2 --cells 0", "--cells"},
        {"workspace planar2 --cells 257", "--cells"},
        {"workspace planar2 --samples 0", "--samples"},
        {"workspace planar2 --samples many", "'many' is not a number"},
        {"workspace planar2 --seed -1", "--seed"},
        {"workspace planar2 --output w.obj", "must end in .csv"},
        {"workspace planar2 --samples 10 --output no/where.csv", "no/where.csv"},
        {"workspace planar2 --samples 10 --output no/where.svg", "no/where.svg"},
        {"workspace planar2 --tip hnd", "no link 'hnd'"},
        {"workspace planar2 --tip base", "no joint moves link 'base'"},
        {"draw planar2 --tree", "--output is missing"},
        {"draw planar2 --tree --output tree.txt", "must end in .svg"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        program_refuses(cases[i].arguments, cases[i].says);
}

TEST_FIXTURE(program_start, program_stop)
