/*
 * test_cli_compare.c - limber compare: a row for each method, and its numbers are true.
 */
#define _XOPEN_SOURCE 700

#include <limber/ik.h>

#include <math.h>

#include "picture.h"
#include "results.h"

static int column_of(const csv_table *table, const char *name)
{
    int column = csv_column(table, name);
    if (column < 0)
        fail_msg("there is no column '%s'", name);
    return column;
}

/* the row of a method, -1 when it was left out */
static int row_of(const csv_table *table, const char *method)
{
    for (int i = 0; i < table->rows; i++)
        if (strcmp(csv_text(table, i, column_of(table, "method")), method) == 0)
            return i;
    return -1;
}

static double value_of(const csv_table *table, const char *method, const char *column)
{
    int row = row_of(table, method);
    if (row < 0)
        fail_msg("there is no row '%s'", method);
    return number_at(table, row, column_of(table, column));
}

/* every method has its row, or a note that says why not */
TEST(each_method_has_a_row_or_a_reason)
{
    static const char *const models[] = {"planar2", "planar3", "panda", "human", "stanford"};
    for (int m = 0; m < 5; m++) {
        owned_table table = program_table("compare %s --random 5 --output -", models[m]);
        for (int i = 0; i < lb_method_count(); i++) {
            const char *name = lb_method_name(lb_method_at(i));
            char note[64];
            snprintf(note, sizeof note, "note: left out: method '%s': ", name);
            bool left_out = strstr(program.err, note) != NULL;
            assert_int_equal(left_out, row_of(&table, name) < 0);
        }
    }
}

/* the table for people has the same methods, in the same order */
TEST(people_get_a_table)
{
    program_must("compare planar2 --position '0.5 1.2 0' --report");
    const char *at = program.out;
    for (int i = 0; i < lb_method_count(); i++) {
        char line[64];
        snprintf(line, sizeof line, "\n  %s ", lb_method_name(lb_method_at(i)));
        at = strstr(at, line);
        assert_non_null(at);
    }
    assert_printed("100.0 %");
    program_must("compare planar2 --position '0.5 1.2 0' --json");
    assert_true(program_begins(program.out, "{\"methods\":[{\"method\":\""));
    assert_printed("}],\"model\":\"planar2\",\"targets\":1}");
}

/* a single turn ends at the target: its path strays by the arc's height, as a share of the chord */
TEST(paths_are_measured_between_steps)
{
    program_must("compare planar2 --lock elbow=0 --start 'shoulder=0' --position "
                 "'-0.83229367309428481 1.8185948536513634 0' --output rows.csv");
    owned_table table = table_of_file("rows.csv");
    assert_near(value_of(&table, "ccd", "iterations"), 1, 0);
    assert_near(value_of(&table, "ccd", "path_deviation"), tan(0.5) / 2, 1e-12);
}

/* what limber ik finds with the same method from the same start */
TEST(numbers_are_those_of_solving)
{
    program_must("compare ur5 --random 60 --pose --seed 3 --output rows.csv");
    owned_table table = table_of_file("rows.csv");

    // the same targets: drawn from the limits with that seed
    owned_model *model = load_or_fail("ur5");
    int nq = lb_model_nq(model), tip = default_tip(model);
    lb_random random = lb_random_seed(3);
    FILE *file = fopen("targets.csv", "w");
    fprintf(file, "x,y,z,qw,qx,qy,qz\n");
    for (int i = 0; i < 60; i++) {
        double q[MAX_NQ];
        lb_transform links[MAX_LINKS];
        lb_configuration_random(model, &random, q);
        test_forward(model, q, links);
        lb_transform target = lb_transform_between(&links[0], &links[tip]);
        lb_quat r = lb_transform_quat(&target);
        fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", target.p.x, target.p.y,
                target.p.z, r.w, r.x, r.y, r.z);
    }
    fclose(file);
    assert_true(nq == 6);

    static const char *const methods[] = {"lm", "damped", "pseudoinverse", "ccd"};
    for (int m = 0; m < 4; m++) {
        program_run("ik ur5 --targets targets.csv --method %s --protocol given "
                    "--output results.csv",
                    methods[m]);
        owned_table results = table_of_file("results.csv");
        int reached = 0;
        double iterations = 0, worst = 0;
        for (int i = 0; i < 60; i++) {
            reached += strcmp(csv_text(&results, i, 0), "reached") == 0;
            iterations += number_at(&results, i, 1) / 60;
            worst = fmax(worst, number_at(&results, i, 2));
        }
        // targets rounded otherwise may tip a single one over the edge
        assert_near(value_of(&table, methods[m], "reached"), reached, 1);
        assert_near(value_of(&table, methods[m], "iterations") / iterations, 1, 0.1);
        if (m == 0)
            assert_near(value_of(&table, methods[m], "worst_position_error") / worst, 1, 0.2);
    }
}

/* with restarts the default method reaches all that can be reached, and no limit is broken */
TEST(limits_hold_for_all)
{
    enum { TARGETS = FEWER(40, 8) };
    program_must("compare iiwa14 --random %d --pose --protocol any --output rows.csv", TARGETS);
    owned_table table = table_of_file("rows.csv");
    for (int i = 0; i < table.rows; i++) {
        assert_true(number_at(&table, i, column_of(&table, "limit_violations")) == 0);
        assert_true(number_at(&table, i, column_of(&table, "microseconds")) > 0);
        assert_true(number_at(&table, i, column_of(&table, "joint_travel")) > 0);
        assert_true(number_at(&table, i, column_of(&table, "targets")) == TARGETS);
    }
    assert_true(value_of(&table, "lm", "reached") == TARGETS);
}

/* Parent 2012, chapter 5, about paths: small steps along the line against free optimisation */
TEST(the_way_of_the_tip_is_measured)
{
    program_must("compare planar3 --position '-20 5 0' --step-limit 0.02 --steps 400 "
                 "--output rows.csv");
    owned_table small = table_of_file("rows.csv");
    program_must("compare planar3 --position '-20 5 0' --output rows.csv");
    owned_table large = table_of_file("rows.csv");
    assert_true(value_of(&small, "pseudoinverse", "path_deviation") < 0.02);
    assert_true(value_of(&large, "pseudoinverse", "path_deviation") > 0.05);
}

TEST(convergence_is_drawn)
{
    static const char *const files[] = {"c.svg", "c.png", "c.pdf"};
    for (int i = 0; i < 3; i++) {
        program_must("compare planar3 --position '-20 5 0' --figure %s --title Convergence",
                     files[i]);
        assert_true(figure_is_sound(files[i]));
    }
    program_must("compare panda --random 10 --figure many.png");
    assert_true(figure_is_sound("many.png"));
}

/* how often a text is in a file */
static int count_in(const char *path, const char *text)
{
    owned char *all = program_read(path);
    int count = 0;
    for (const char *at = all; (at = strstr(at, text)) != NULL; at += strlen(text))
        count++;
    return count;
}

/* a pose has a panel beside that of the position, as wide a page as both need */
TEST(rotations_have_a_panel)
{
    program_must("compare panda --random 3 --figure one.svg");
    program_must("compare panda --random 3 --pose --figure two.svg");
    assert_int_equal(count_in("one.svg", "width=\"720pt\""), 1);
    assert_int_equal(count_in("two.svg", "width=\"1080pt\""), 1);
}

/* a text that follows another in `from`; NULL where it is not there */
static const char *after(const char *from, const char *text)
{
    const char *at = strstr(from, text);
    return at ? at + strlen(text) : NULL;
}

/* the page's colour of a method: its number in looks.ts, and that number's value in base.css */
static bool read_page_color(const char *looks, const char *style, const char *method, double rgb[3])
{
    char text[64];
    int number;
    unsigned value;
    snprintf(text, sizeof text, "  %s: row('", method);
    const char *at = after(looks, text);
    if (!at) {
        snprintf(text, sizeof text, "  '%s': row('", method);
        at = after(looks, text);
    }
    if (!at || sscanf(at, "%*[^']', %d", &number) != 1)
        return false;
    snprintf(text, sizeof text, "--method-%d: #", number);
    at = after(style, text);
    if (!at || sscanf(at, "%6x", &value) != 1)
        return false;
    for (int k = 0; k < 3; k++)
        rgb[k] = (value >> (16 - 8 * k) & 255) / 255.0;
    return true;
}

/* every method is drawn in the colour that it has on the page, whichever others are left out */
TEST(methods_have_the_colours_of_the_page)
{
    owned char *looks = program_read(LIMBER_SOURCE_DIR "/web/page/src/board/looks.ts");
    owned char *style = program_read(LIMBER_SOURCE_DIR "/web/page/src/style/base.css");
    program_must("compare planar2 --position '1 1 0' --steps 8 --figure a.png");
    program_must("compare panda --random 1 --steps 8 --figure b.png");
    cairo_surface_t *a = picture_open("a.png"), *b = picture_open("b.png");
    for (int i = 0; i < lb_method_count(); i++) {
        const char *name = lb_method_name(lb_method_at(i));
        double c[3] = {0}, x, y;
        if (!read_page_color(looks, style, name, c))
            fail_msg("looks.ts or base.css has no colour of %s", name);
        bool left_out = strcmp(name, "inverse") == 0 || strcmp(name, "analytic") == 0;
        assert_true(picture_find(a, c[0], c[1], c[2], 0.005, &x, &y) > 50);
        assert_true((picture_find(b, c[0], c[1], c[2], 0.005, &x, &y) > 50) == !left_out);
    }
    cairo_surface_destroy(b);
    cairo_surface_destroy(a);
}

/* the errors of a table are those of the curves: the least of a descent, and after the steps */
TEST(the_table_agrees_with_single_steps)
{
    static const char *const targets[] = {"-35 5 0", "-20 5 0"};
    for (int k = 0; k < 2; k++) {
        program_must("compare planar3 --position '%s' --output all.csv --steps 40", targets[k]);
        owned_table all = table_of_file("all.csv");
        for (int i = 0; i < all.rows; i++) {
            const char *name = csv_text(&all, i, column_of(&all, "method"));
            int iterations = (int)value_of(&all, name, "iterations");
            program_run("ik planar3 --position '%s' --method %s --trace --iterations %d "
                        "--output trace.csv",
                        targets[k], name, iterations > 40 ? iterations : 40);
            owned_table trace = table_of_file("trace.csv");
            double least = INFINITY, last = 0;
            int column = column_of(&trace, "position_error");
            for (int n = 0; n < trace.rows; n++) {
                if (n <= iterations)
                    least = fmin(least, number_at(&trace, n, column));
                if (n <= 40)
                    last = number_at(&trace, n, column);
            }
            // where it is reached, any error within the tolerance
            double error = value_of(&all, name, "worst_position_error");
            assert_near(error, least, k == 0 ? 1e-3 : 1e-6);
            assert_near(value_of(&all, name, "error_after_steps"), last, 1e-9);
        }
    }
    // undamped steps oscillate at the rim, and both numbers are in the table for people
    program_prints("compare planar3 --position '-35 5 0' --steps 40 --report", "after 40 steps");
    assert_printed("5.52 m          6.05 m");
}

TEST(bad_input_is_refused)
{
    program_write("two.csv", "x,y\n1,2\n");
    static const struct {
        const char *arguments, *says;
    } cases[] = {
        {"compare nomodel", "nomodel"},
        {"compare planar3 --random 0", "--random"},
        {"compare planar3 --steps 0", "--steps"},
        {"compare planar3 --steps 1.5", "--steps"},
        {"compare planar3 --position '1 2'", "--position"},
        {"compare planar3 --position '1 2 0' --random 5", "--random has no effect"},
        {"compare planar3 --position '1 2 0' --pose", "--pose has no effect"},
        {"compare planar3 --targets two.csv", "column 'z' is missing"},
        {"compare planar3 --method lm", "no option '--method'"},
        {"compare planar3 --protocol all", "no 'all'"},
        {"compare planar3 --tip base", "no method can do this"},
        {"compare planar3 --random 2 --figure c.gif", "must end in .svg"},
        {"compare planar3 --random 2 --output no/where.csv", "no/where.csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].says, "no method can do this") == 0) {
            // a note for each method comes before
            program_exits(2, "%s", cases[i].arguments);
            assert_said(cases[i].says);
        } else if (strstr(cases[i].arguments, "--random 2") != NULL) {
            program_exits(2, "%s", cases[i].arguments);
            assert_said(cases[i].says);
            assert_int_equal(program.out_size, 0);
        } else {
            program_refuses(cases[i].arguments, cases[i].says);
        }
    }
}

TEST_FIXTURE(program_start, program_stop)
