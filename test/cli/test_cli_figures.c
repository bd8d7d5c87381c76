/*
 * test_cli_figures.c - the textbook's figures: all there, and what they are to show is so.
 *
 * The facts are read from the figures' own data.
 */
#define _XOPEN_SOURCE 700

#include <limber/limber.h>

#include <math.h>
#include <sys/stat.h>

#include "picture.h"
#include "results.h"

enum { FRAMES = 21, JOINTS = 3 };

/* One followed movement: 21 frames of the arm 15-10-5. */
typedef struct run {
    lb_vec3 tools[FRAMES], goals[FRAMES];
    double q[FRAMES][JOINTS];
    double errors[FRAMES];
    bool reached[FRAMES];
} run;

static int column_of(const csv_table *table, const char *name)
{
    int column = csv_column(table, name);
    if (column < 0)
        fail_msg("there is no column '%s'", name);
    return column;
}

static lb_vec3 vector_at(const csv_table *table, int row, const char *first)
{
    int column = column_of(table, first);
    return lb_vec3_make(number_at(table, row, column), number_at(table, row, column + 1),
                        number_at(table, row, column + 2));
}

/* rows from..from + 20 of a figure's data */
static run read_run(const char *name, int from)
{
    char path[64];
    run made;
    snprintf(path, sizeof path, "f/%s.csv", name);
    owned_table table = table_of_file(path);
    assert_true(table.rows >= from + FRAMES);
    for (int i = 0; i < FRAMES; i++) {
        int row = from + i;
        assert_int_equal((int)number_at(&table, row, column_of(&table, "frame")), i);
        made.tools[i] = vector_at(&table, row, "tool_x");
        made.goals[i] = vector_at(&table, row, "goal_x");
        made.errors[i] = number_at(&table, row, column_of(&table, "position_error"));
        made.reached[i] =
            strcmp(csv_text(&table, row, column_of(&table, "status")), "reached") == 0;
        for (int k = 0; k < JOINTS; k++)
            made.q[i][k] = number_at(&table, row, column_of(&table, "joint_1") + k);
    }
    return made;
}

/* how far the tip strays from the straight line to the goal, by the line's length */
static double stray(const run *r)
{
    lb_vec3 line = lb_vec3_sub(r->goals[FRAMES - 1], r->goals[0]);
    double length = lb_vec3_length(line), most = 0;
    for (int i = 0; i < FRAMES; i++) {
        lb_vec3 offset = lb_vec3_sub(r->tools[i], r->goals[0]);
        most = fmax(most, lb_vec3_length(lb_vec3_cross(offset, line)) / length);
    }
    return most / length;
}

/* the largest turn of a joint from frame i to the next */
static double largest_step(const run *r, int i)
{
    double most = 0;
    for (int k = 0; k < JOINTS; k++)
        most = fmax(most, fabs(r->q[i + 1][k] - r->q[i][k]));
    return most;
}

/* ---- all figures -------------------------------------------------------- */

static const char *const names[] = {
    "figure-5.1",   "figure-5.2",   "figure-5.3",       "figure-5.4",      "figure-5.5",
    "figure-5.6",   "figure-5.13",  "figure-5.15",      "figure-5.16",     "joint-interpolation",
    "figure-5.7",   "figure-5.8",   "figure-5.9",       "figure-5.10",     "figure-5.11",
    "figure-5.12",  "figure-5.14",  "figure-5.17",      "figure-5.18",     "figure-5.19a",
    "figure-5.19b", "figure-5.20a", "figure-5.20b",     "figure-5.21a",    "figure-5.21b",
    "figure-5.22",  "figure-5.23",  "figure-5.24",      "figure-5.25",     "ccd-1",
    "ccd-2a",       "ccd-2b",       "ccd-2c",           "ccd-2d",          "ccd-3a",
    "ccd-3b",       "ccd-3c",       "figure-5.1-human", "figure-5.2-human"};
enum { NAMES = sizeof names / sizeof *names };

TEST(all_are_there_and_sound)
{
    owned char *page = program_read("f/index.html");
    for (int i = 0; i < NAMES; i++) {
        char path[64], place[96];
        snprintf(path, sizeof path, "f/%s.svg", names[i]);
        assert_true(figure_is_sound(path));
        snprintf(path, sizeof path, "f/%s.png", names[i]);
        assert_true(figure_is_sound(path));
        cairo_surface_t *picture = picture_open(path);
        assert_true(picture_ink(picture) > 1e5);
        cairo_surface_destroy(picture);
        snprintf(path, sizeof path, "f/%s.csv", names[i]);
        owned_table table = table_of_file(path);
        assert_true(table.rows > 0);
        snprintf(place, sizeof place, "<img src=\"%s.svg\"", names[i]);
        assert_non_null(strstr(page, place));
    }
}

/* a page of its own: nothing in it is fetched from anywhere */
TEST(the_page_is_well_formed_and_stands_alone)
{
    owned char *page = program_read("f/index.html");
    assert_true(program_begins(page, "<!DOCTYPE html>"));
    assert_null(strstr(page, "http"));
    assert_non_null(strstr(page, "</html>"));
    // as many captions as figures
    int captions = 0;
    for (const char *at = page; (at = strstr(at, "<figcaption>")) != NULL; at++)
        captions++;
    assert_int_equal(captions, NAMES);
}

TEST(the_same_call_gives_the_same_bytes)
{
    program_must("figures --output g");
    for (int i = 0; i < NAMES; i++) {
        static const char *const endings[] = {"svg", "png", "csv"};
        for (int k = 0; k < 3; k++) {
            char a[64], b[64];
            snprintf(a, sizeof a, "f/%s.%s", names[i], endings[k]);
            snprintf(b, sizeof b, "g/%s.%s", names[i], endings[k]);
            assert_true(files_are_equal(a, b));
        }
    }
}

/* ---- commands --------------------------------------------------------------- */

/* the frames that an animate command prints, each line after `number` and a comma */
static void append_frames(char *all, size_t size, const char *command, int number)
{
    if (program_shell("%s", command) > 1)
        fail_msg("'%s': %s", command, program.err);
    for (const char *line = program.out; *line != '\0';) {
        const char *end = strchr(line, '\n') + 1;
        size_t used = strlen(all);
        bool head = line == program.out;
        if (!head || number <= 1)
            snprintf(all + used, size - used, number == 0 ? "%s%.*s" : "%s,%.*s",
                     number == 0   ? ""
                     : head        ? "row"
                     : number == 1 ? "1"
                                   : "2",
                     (int)(end - line), line);
        line = end;
    }
}

/* the commands on one figure's part of the page, one a line; their data must be the figure's */
static void check_commands(const char *name, char *commands)
{
    enum { SIZE = 1 << 16 };
    char path[64], *frames = calloc(SIZE, 1), *animate[2], *only = NULL;
    int count = 0;
    snprintf(path, sizeof path, "f/%s.csv", name);
    for (char *line = strtok(commands, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strstr(line, "limber animate") != NULL)
            animate[count++] = line;
        else
            only = line;
    for (int i = 0; i < count; i++)
        append_frames(frames, SIZE, animate[i], count > 1 ? i + 1 : 0);
    owned char *data = program_read(path);
    if (count > 0)
        assert_string_equal(frames, data);
    program_shell_exits(0, "%s", only);
    snprintf(path, sizeof path, "figures/%s.csv", name);
    owned char *again = program_read(path);
    assert_string_equal(again, data);
    free(frames);
}

/* what the page prints beside a figure computes that figure's data, to the last digit */
TEST(printed_commands_give_the_data)
{
    char *page = program_read("f/index.html"), *at = page;
    for (int i = 0; i < NAMES; i += FEWER(1, 3)) {
        char id[64];
        snprintf(id, sizeof id, "<figure id=\"%s\">", names[i]);
        at = strstr(page, id);
        assert_non_null(at);
        char *begin = strstr(at, "<pre>") + 5, *end = strstr(begin, "</pre>");
        owned char *commands = strndup(begin, (size_t)(end - begin));
        check_commands(names[i], commands);
    }
    program_shell("rm -r figures");
    free(page);
    program_refuses("figures --only figure-5.99 --output h", "no figure 'figure-5.99'");
    program_refuses("figures --only nosuch --output h", "; there are figure-5.1, figure-5.2,");
}

/* ---- methods of Parent 2012, chapter 5 ---------------------------------- */

TEST(frames_follow_the_chapter)
{
    static const char *const runs[] = {"figure-5.20a", "figure-5.20b", "figure-5.22",
                                       "figure-5.23",  "figure-5.24",  "figure-5.25"};
    const double start[] = {LB_PI / 8, LB_PI / 4, LB_PI / 4};
    for (int i = 0; i < 6; i++) {
        run r = read_run(runs[i], 0);
        for (int k = 0; k < JOINTS; k++)
            assert_near(r.q[0][k], start[k], 1e-15);
        assert_near(r.goals[20].x, -20, 0);
        assert_near(r.goals[20].y, 5, 0);
        // evenly interpolated goals
        lb_vec3 middle = lb_vec3_scale(lb_vec3_add(r.goals[0], r.goals[20]), 0.5);
        assert_near(lb_vec3_length(lb_vec3_sub(r.goals[10], middle)), 0, 1e-12);
    }
}

TEST(figure_5_20_keeps_to_the_line)
{
    run plain = read_run("figure-5.20a", 0), damped = read_run("figure-5.20b", 0);
    assert_true(stray(&plain) < 0.05);
    assert_true(stray(&damped) < 0.05);
    // both come near the goal, the damped one less so
    assert_true(plain.errors[20] < 0.2);
    assert_true(damped.errors[20] > plain.errors[20] && damped.errors[20] < 1);
}

/* one step from a pose towards a goal; returns the largest turn */
static double step_from(const lb_model *model, const char *method, double damping, const double *q,
                        lb_vec3 goal)
{
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    lb_ik_options options = lb_ik_options_default();
    double next[JOINTS], most = 0;
    options.method = lb_method_find(method);
    options.damping = damping;
    options.step_limit = 1e6;
    options.no_nudge = true;
    owned_ik *ik = test_solver(model, &task, 1, &options);
    lb_transform target = lb_transform_translation(goal.x, goal.y, goal.z);
    memcpy(next, q, sizeof next);
    lb_ik_step(ik, &target, next, NULL);
    for (int k = 0; k < JOINTS; k++)
        most = fmax(most, fabs(next[k] - q[k]));
    return most;
}

/*
 * Near the limit of reach, within a hundredth of it, the undamped step is at least ten
 * times the damped one from the same pose towards the same goal.
 */
TEST(figure_5_21_leaps_without_damping)
{
    run plain = read_run("figure-5.21a", 0), damped = read_run("figure-5.21b", 0);
    owned_model *model = load_or_fail("planar3");
    int near = 0;
    double leap = 0, calm = 0;
    for (int i = 0; i < FRAMES; i++) {
        if (lb_vec3_length(plain.tools[i]) < 0.99 * 30)
            continue;
        lb_vec3 goal = plain.goals[i < 20 ? i + 1 : 20];
        double with = step_from(model, "damped", 6, plain.q[i], goal);
        double without = step_from(model, "pseudoinverse", 0, plain.q[i], goal);
        assert_true(without >= 10 * with);
        near++;
    }
    assert_true(near >= 2);

    // in the sequences each goes its own way, and the damped one never leaps
    for (int i = 0; i < 20; i++) {
        leap = fmax(leap, largest_step(&plain, i));
        calm = fmax(calm, largest_step(&damped, i));
    }
    assert_true(leap > 1);
    assert_true(calm < 0.3);
    assert_true(damped.errors[20] < 5.4 + 0.3);
}

TEST(figure_5_22_keeps_the_stiffer_joint_straighter)
{
    run second = read_run("figure-5.22", 0), third = read_run("figure-5.22", FRAMES);
    assert_true(fabs(lb_wrap_angle(second.q[20][1])) < fabs(lb_wrap_angle(third.q[20][1])) - 0.3);
    assert_true(fabs(lb_wrap_angle(third.q[20][2])) < fabs(lb_wrap_angle(second.q[20][2])) - 0.3);
    // and straighter than without control
    run plain = read_run("figure-5.20a", 0);
    assert_true(fabs(second.q[20][1]) < fabs(plain.q[20][1]));
    assert_true(fabs(third.q[20][2]) < fabs(plain.q[20][2]));
    // the control term hardly moves the tip
    assert_true(second.errors[20] < 0.2 && third.errors[20] < 0.2);
    assert_true(stray(&second) < 0.05 && stray(&third) < 0.05);
}

TEST(figure_5_23_resembles_the_standard_method)
{
    run plain = read_run("figure-5.20a", 0), pulled = read_run("figure-5.23", 0);
    for (int i = 0; i < FRAMES; i++)
        assert_true(lb_vec3_length(lb_vec3_sub(plain.tools[i], pulled.tools[i])) < 1);
    assert_true(stray(&pulled) < 0.05);
    assert_true(pulled.errors[20] < 0.5);
}

TEST(figures_5_24_and_5_25_arrive)
{
    run transposed = read_run("figure-5.24", 0), descended = read_run("figure-5.25", 0);
    // a slow method may stop just before a frame's goal: its steps have become trivial
    for (int i = 0; i < FRAMES; i++)
        assert_true(transposed.errors[i] <= 0.025 && descended.errors[i] <= 0.025);
    assert_true(transposed.reached[20] && descended.reached[20]);
    assert_true(transposed.errors[20] <= 0.02 && descended.errors[20] <= 0.02);
    // the last joint ends elsewhere than with the inverse
    run plain = read_run("figure-5.20a", 0);
    assert_true(fabs(descended.q[20][2] - plain.q[20][2]) > 0.5);
    assert_true(fabs(transposed.q[20][2] - plain.q[20][2]) < 0.1);
}

/* ---- structure ---------------------------------------------------------- */

/* rows of a movement that was played: tools and joints */
static run read_played(const char *name)
{
    char path[64];
    run made = {.reached = {false}};
    snprintf(path, sizeof path, "f/%s.csv", name);
    owned_table table = table_of_file(path);
    assert_int_equal(table.rows, FRAMES);
    for (int i = 0; i < FRAMES; i++) {
        made.tools[i] = vector_at(&table, i, "tool_x");
        for (int k = 0; k < JOINTS; k++)
            made.q[i][k] = number_at(&table, i, column_of(&table, "joint_1") + k);
    }
    return made;
}

/* forward: a joint turns at a time; inverse: the tip keeps to its line in every frame */
TEST(figures_5_1_and_5_2_are_opposites)
{
    run given = read_played("figure-5.1"), solved = read_run("figure-5.2", 0);
    static const int turning[] = {0, 1, 2, 0};
    for (int i = 1; i < FRAMES; i++)
        for (int k = 0; k < JOINTS; k++) {
            double change = fabs(given.q[i][k] - given.q[i - 1][k]);
            assert_true(k == turning[(i - 1) / 5] ? change > 0.1 : change < 1e-15);
        }
    assert_true(stray(&solved) < 1e-6);
    for (int i = 0; i < FRAMES; i++)
        assert_true(solved.errors[i] <= 1e-6);
}

/* joints at constant rates take the tip off the line that figure 5.20a keeps to */
TEST(joint_interpolation_leaves_the_line)
{
    run joints = read_played("joint-interpolation"), line = read_run("figure-5.20a", 0);
    for (int k = 0; k < JOINTS; k++) {
        assert_near(joints.q[0][k], line.q[0][k], 1e-4);
        assert_near(joints.q[20][k], line.q[20][k], 1e-4);
        assert_near(joints.q[10][k], 0.5 * (joints.q[0][k] + joints.q[20][k]), 1e-12);
    }
    for (int i = 0; i < FRAMES; i++)
        joints.goals[i] =
            lb_vec3_add(joints.tools[0],
                        lb_vec3_scale(lb_vec3_sub(joints.tools[20], joints.tools[0]), i / 20.0));
    assert_true(stray(&line) < 0.01 && stray(&joints) > 0.1);
}

/* ---- refusals ----------------------------------------------------------- */

TEST(bad_folders_are_refused)
{
    program_write("file", "in the way");
    program_refuses("figures", "--output is missing");
    program_refuses("figures --output file", "the folder 'file' cannot be made");
    program_refuses("figures --output no/where", "the folder 'no/where' cannot be made");
    program_refuses("figures planar3 --output x", "planar3");
}

TEST_FIXTURE(program_start_figures, program_stop_figures)
