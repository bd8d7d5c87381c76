/*
 * test_cli_sketches.c - the textbook's sketches and trees: what they show is so, in their data.
 */
#define _XOPEN_SOURCE 700

#include <limber/limber.h>

#include <math.h>
#include <sys/stat.h>

#include "picture.h"
#include "results.h"

static int column_of(const csv_table *table, const char *name)
{
    int column = csv_column(table, name);
    if (column < 0)
        fail_msg("there is no column '%s'", name);
    return column;
}

/* ---- sketches and trees -------------------------------------------------------- */

/* where a link or a mark of a sketch is */
static lb_vec3 place_of(const char *figure, const char *what, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "f/%s.csv", figure);
    csv_table table = table_of_file(path);
    for (int row = 0; row < table.rows; row++)
        if (strcmp(csv_text(&table, row, 0), what) == 0 &&
            strcmp(csv_text(&table, row, 1), name) == 0) {
            lb_vec3 p = {number_at(&table, row, 2), number_at(&table, row, 3), 0};
            csv_release(&table);
            return p;
        }
    fail_msg("%s has no %s '%s'", path, what, name);
    return lb_vec3_make(0, 0, 0);
}

static double apart(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_sub(a, b));
}

/* the value in the last column of a named mark, or -1 */
static double angle_of(const char *figure, const char *name)
{
    char path[64];
    double angle = -1;
    snprintf(path, sizeof path, "f/%s.csv", figure);
    owned_table table = table_of_file(path);
    for (int row = 0; row < table.rows; row++)
        if (strcmp(csv_text(&table, row, 1), name) == 0)
            angle = number_at(&table, row, column_of(&table, "angle"));
    return angle;
}

TEST(angles_of_two_links_obey_the_law_of_cosines)
{
    const double x = 2.4, y = 3.1, a = 3, b = 2, square = x * x + y * y;
    double first = angle_of("figure-5.15", "\xce\xb8_1");
    double whole = angle_of("figure-5.15", "\xce\xb8_T");
    double inner = angle_of("figure-5.15", "\xcf\x86");
    double elbow = angle_of("figure-5.15", "\xcf\x88");
    assert_near(whole, atan2(y, x), 1e-12);
    assert_near(cos(inner), (square + a * a - b * b) / (2 * a * sqrt(square)), 1e-12);
    assert_near(cos(elbow), (a * a + b * b - square) / (2 * a * b), 1e-12);
    assert_near(first, whole - inner, 1e-12);
    assert_near(angle_of("figure-5.15", "\xce\xb8_2"), LB_PI - elbow, 1e-12);
}

/* both ends of a named vector: how far and in which direction it goes */
static lb_vec3 vector_of(const char *figure, const char *name)
{
    char path[64];
    lb_vec3 vector = {0, 0, 0};
    snprintf(path, sizeof path, "f/%s.csv", figure);
    owned_table table = table_of_file(path);
    for (int row = 0; row < table.rows; row++)
        if (strcmp(csv_text(&table, row, 0), "vector") == 0 &&
            strcmp(csv_text(&table, row, 1), name) == 0)
            vector = lb_vec3_make(number_at(&table, row, 4) - number_at(&table, row, 2),
                                  number_at(&table, row, 5) - number_at(&table, row, 3), 0);
    return vector;
}

/* of a turn at right angles to the way from the joint, of a slide along it */
TEST(velocities_are_those_of_the_joints)
{
    lb_vec3 line =
        lb_vec3_sub(place_of("figure-5.16", "link", "end1"), place_of("figure-5.16", "link", "1"));
    lb_vec3 v = vector_of("figure-5.16", "Z_1 \xc3\x97 (E_1 \xe2\x88\x92 P_1)");
    assert_near(v.x, -0.5 * line.y, 1e-12);
    assert_near(v.y, 0.5 * line.x, 1e-12);
    lb_vec3 slide = vector_of("figure-5.16", "Z_2");
    lb_vec3 rail =
        lb_vec3_sub(place_of("figure-5.16", "link", "end2"), place_of("figure-5.16", "link", "2"));
    assert_true(lb_vec3_length(slide) > 1);
    assert_near(lb_vec3_length(lb_vec3_cross(slide, rail)), 0, 1e-12);
}

/* all joints push the tip at right angles to the way it has to go */
TEST(figure_5_19_is_singular)
{
    static const char *const pushes[] = {"g_0", "g_1", "g_2"};
    lb_vec3 line = vector_of("figure-5.19b", "V");
    assert_true(lb_vec3_length(line) > 1);
    for (int i = 0; i < 3; i++) {
        lb_vec3 g = vector_of("figure-5.19b", pushes[i]);
        assert_true(lb_vec3_length(g) > 0.5);
        assert_near(lb_vec3_dot(g, line), 0, 1e-10);
    }
    // the goal is on the arm, so well within its reach
    lb_vec3 g = place_of("figure-5.19a", "mark", "G"),
            p = place_of("figure-5.19a", "link", "link_1");
    lb_vec3 e = place_of("figure-5.19a", "link", "tip");
    assert_near(apart(p, g) + apart(g, e), 30, 1e-9);
}

/* following the numbers on the arcs, what is popped was pushed last, by the arc's parent */
TEST(traversal_keeps_a_stack)
{
    enum { STEPS = 8, MOST = 4 };
    int stack[MOST], depth = 0;
    owned_table table = table_of_file("f/figure-5.13.csv");
    for (int step = 1; step <= STEPS; step++) {
        int found = 0;
        for (int row = 0; row < table.rows; row++) {
            const char *arc = csv_text(&table, row, 2), *parent = csv_text(&table, row, 1);
            int down, up;
            char pushed[16], popped[16];
            if (sscanf(arc, "%d push %15[^,], %d pop %15s", &down, pushed, &up, popped) != 4)
                continue;
            assert_string_equal(pushed, popped);
            assert_true(program_begins(parent, pushed));
            if (down == step)
                stack[depth++] = row;
            else if (up == step)
                assert_int_equal(stack[--depth], row);
            found += down == step || up == step;
        }
        assert_int_equal(found, 1);
        assert_true(depth < MOST);
    }
    assert_int_equal(depth, 0);
}

/* rows of a tree's data with a text in a column */
static int count_rows(const char *figure, const char *column, const char *text)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "f/%s.csv", figure);
    owned_table table = table_of_file(path);
    for (int row = 0; row < table.rows; row++)
        count += strcmp(csv_text(&table, row, column_of(&table, column)), text) == 0;
    return count;
}

/* the best that joint j can do lies on its circle, on the way to t */
TEST(nearest_point_of_a_joint)
{
    lb_vec3 j = place_of("ccd-1", "mark", "j"), t = place_of("ccd-1", "mark", "t");
    lb_vec3 e = place_of("ccd-1", "mark", "e"), nearest = place_of("ccd-1", "mark", "nearest");
    assert_near(apart(j, nearest), apart(j, e), 1e-12);
    assert_near(apart(j, nearest) + apart(nearest, t), apart(j, t), 1e-12);
}

/* n freedoms are n joints with n - 1 links of length zero between them; a body has two of a side */
TEST(trees_have_the_parts_they_show)
{
    assert_int_equal(count_rows("figure-5.4", "node", "length 0"), 2 * (3 - 1));
    assert_int_equal(count_rows("figure-5.4", "arc", "z"), 2);
    // each beside the joint itself
    assert_int_equal(count_rows("figure-5.4", "parent", "link 0"), 4);
    assert_int_equal(count_rows("figure-5.4", "node", "link 1, ball joint"), 1);
    assert_int_equal(count_rows("figure-5.4", "node", "link 2, planar joint"), 1);
    assert_int_equal(count_rows("figure-5.5", "parent", ""), 1);
    assert_int_equal(count_rows("figure-5.5", "parent", "hips"), 3);
    assert_int_equal(count_rows("figure-5.5", "parent", "torso"), 3);
    assert_int_equal(count_rows("figure-5.6", "arc", "T_1 R_1(\xce\xb8_1)"), 1);
}

/* a link is where its joint has taken it: turned by theta, slid by d */
TEST(figure_5_3_turns_and_slides)
{
    lb_vec3 turned =
        lb_vec3_sub(place_of("figure-5.3", "link", "end1"), place_of("figure-5.3", "link", "1"));
    lb_vec3 slid = lb_vec3_sub(place_of("figure-5.3", "link", "2"), lb_vec3_make(3, 0, 0));
    double theta = angle_of("figure-5.3", "\xce\xb8");
    assert_near(theta, 0.7, 1e-12);
    assert_near(atan2(turned.y, turned.x), 25 * LB_PI / 180 + theta, 1e-12);
    // the arrow has the length that was slid, but for the digits of its ends
    assert_near(lb_vec3_length(vector_of("figure-5.3", "d")), lb_vec3_length(slid), 1e-2);
}

/* after its turn the joint, the tip and the target lie on a line, and the tip is nearer */
TEST(a_sweep_goes_bone_by_bone)
{
    static const char *const figures[] = {"ccd-2a", "ccd-2b", "ccd-2c", "ccd-2d"};
    static const char *const links[] = {NULL, "link_3", "link_2", "link_1"};
    double before = INFINITY;
    for (int i = 0; i < 4; i++) {
        lb_vec3 e = place_of(figures[i], "link", "tip"), t = place_of(figures[i], "mark", "t");
        assert_true(apart(e, t) < before);
        before = apart(e, t);
        if (links[i] == NULL)
            continue;
        lb_vec3 j = place_of(figures[i], "link", links[i]);
        assert_near(apart(j, e) + apart(e, t) - apart(j, t), 0, i < 3 ? 1e-9 : 2 * apart(e, t));
        lb_vec3 cross = lb_vec3_cross(lb_vec3_sub(e, j), lb_vec3_sub(t, j));
        assert_near(lb_vec3_length(cross) / apart(j, t), 0, 1e-9);
    }
}

TEST(descent_locks_where_a_solution_exists)
{
    lb_vec3 t = place_of("ccd-3b", "mark", "t");
    assert_near(apart(place_of("ccd-3b", "link", "tip"), t), 0, 1e-12);
    lb_vec3 stuck = place_of("ccd-3c", "link", "tip");
    assert_true(apart(stuck, t) > 0.5);

    // and is stuck: no joint of the pose moves any more, until it is nudged
    lb_bone bones[3] = {{0, 0, 0}, {3, 0, LB_PI}, {2, 0, 0}};
    lb_bones_options plain = lb_bones_options_default();
    plain.nudge = 0;
    assert_near(stuck.x, 1, 1e-12);
    assert_int_equal(lb_bones_step(bones, 3, t.x, t.y, 1e-6, &plain), LB_FAILURE);
    lb_progress progress = LB_PROCESSING;
    for (int i = 0; i < 1000 && progress == LB_PROCESSING; i++)
        progress = lb_bones_step(bones, 3, t.x, t.y, 1e-3, NULL);
    assert_int_equal(progress, LB_SUCCESS);
}

TEST_FIXTURE(program_start_figures, program_stop_figures)
