/*
 * test_cli_loops.c - linkages that close, in info and fk: against closed forms.
 */
#define _XOPEN_SOURCE 700

#include <math.h>
#include <unistd.h>

#include "results.h"

/* three bars of 2 m on a ground of 3 m, a symmetric trapezium at rest: cos(drive) = 1/4 */
static const char double_rocker[] =
    "{\"limber\": 1, \"name\": \"rockers\", \"links\": [{\"name\": \"g\"}, {\"name\": \"a\"}, "
    "{\"name\": \"b\"}, {\"name\": \"c\"}], \"joints\": [{\"name\": \"drive\", \"kind\": "
    "\"continuous\", \"parent\": \"g\", \"child\": \"a\", \"value\": 1.318116071652818}, "
    "{\"name\": \"pin\", "
    "\"kind\": \"continuous\", \"parent\": \"a\", \"child\": \"b\", \"placement\": {\"xyz\": [2, "
    "0, 0]}, \"value\": -1.318116071652818}, {\"name\": \"pivot\", \"kind\": \"continuous\", "
    "\"parent\": \"g\", "
    "\"child\": \"c\", \"placement\": {\"xyz\": [3, 0, 0]}, \"value\": 1.823476581936975}], "
    "\"loops\": "
    "[{\"name\": \"l\", \"kind\": \"ball\", \"first\": \"b\", \"second\": \"c\", \"first_frame\": "
    "{\"xyz\": [2, 0, 0]}, \"second_frame\": {\"xyz\": [2, 0, 0]}}]}";

TEST(info_says_what_the_loops_leave)
{
    program_prints("info four_bar", "loop elbow: hinge, coupler and rocker\n");
    assert_printed("mobility 1: 3 velocities, 2 independent constraints\n");
    assert_printed("independent: crank\ndependent: pin, pivot\n");
    assert_printed("follow from others: elbow z, elbow rx, elbow ry\n");
    program_prints("info four_bar --json", "\"counted\":-2");
    assert_printed("\"mobility\":1");
    assert_printed("\"assemblies\":{\"complete\":true,\"q\":[[");
    program_prints("info four_bar", "assemblies at the default values: 2, and no others\n");
    program_prints("info gripper", "assemblies at the default values: 4, and no others\n");
    program_prints("info stewart", "assemblies at the default values: 8, and no others\n");
    assert_printed("independent: length_1, length_2,");
    program_prints("info delta", "assemblies at the default values: 16, and no others\n");
    program_must("info scissors");
    program_must("info planar2");
    assert_not_printed("mobility ");
}

/* of a rocker that the default values tear off its coupler, the values that close are meant */
TEST(info_names_the_values_of_assemblies)
{
    program_write(
        "torn.json",
        "{\"limber\": 1, \"name\": \"torn\", \"links\": [{\"name\": \"g\"}, {\"name\": \"a\"}, "
        "{\"name\": \"b\"}, {\"name\": \"c\"}],"
        "\"joints\": [{\"name\": \"ja\", \"kind\": \"continuous\", \"parent\": \"g\","
        " \"child\": \"a\", \"value\": 3}, {\"name\": \"jb\", \"kind\": \"continuous\","
        " \"parent\": \"a\", \"child\": \"b\", \"placement\": {\"xyz\": [1, 0, 0]}},"
        " {\"name\": \"jc\", \"kind\": \"continuous\", \"parent\": \"g\", \"child\": \"c\","
        " \"placement\": {\"xyz\": [2, 0, 0]}}], \"loops\": [{\"name\": \"l\","
        " \"kind\": \"hinge\", \"first\": \"b\", \"second\": \"c\","
        " \"first_frame\": {\"xyz\": [1, 0, 0]}, \"second_frame\": {\"xyz\": [0.5, 0, 0]}}]}");
    program_prints("info torn.json",
                   "assemblies at the values where the loops were found to close: ");
    program_says(1, "fk torn.json --assemblies", "no assembly has these values");
}

/* beside a URDF, by its name or with --loops; what is wrong with it is refused with its line */
TEST(loops_are_read_beside_a_urdf)
{
    program_write("beside.urdf",
                  "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
                  "<joint name='ab' type='continuous'><parent link='a'/><child link='b'/></joint>"
                  "<joint name='ac' type='continuous'><parent link='a'/><child link='c'/></joint>"
                  "</robot>");
    program_must("info beside.urdf");
    assert_not_printed("mobility ");
    program_write("beside.yaml", "closed_loop: [[b, c]]\nname_mot: [ac]\n");
    program_run("info beside.urdf");
    if (strstr(program.err, "without libyaml")) {
        remove("beside.yaml");
        return;
    }
    assert_printed("mobility 1: 2 velocities, 1 independent constraint");
    assert_printed("independent: ac\ndependent: ab\n");
    program_write("other.yaml", "closed_loop: [[b, c]]\ntype:\n- 4d\n");
    program_refuses("info beside.urdf --loops other.yaml",
                    "other.yaml:3: type[0]: no type of loop '4d'");
    program_refuses("fk beside.urdf --loops none.yaml", "none.yaml: cannot be opened");
    remove("beside.yaml");
}

/* the slider is where the rod puts it, the crank however often it went round */
TEST(fk_closes_the_loops)
{
    char poses[4096] = "crank\n";
    for (int i = 0; i < 40; i++)
        snprintf(poses + strlen(poses), sizeof poses - strlen(poses), "%.17g\n", 0.7 * i - 9);
    program_write("cranks.csv", poses);
    program_must("fk slider_crank --frame slider --poses cranks.csv");
    const char *row = strchr(program.out, '\n');
    for (int i = 0; i < 40; i++, row = strchr(row + 1, '\n')) {
        double u = 0.7 * i - 9, rise = 0.5 * sin(u);
        assert_near(strtod(row + 1, NULL), 0.5 * cos(u) + sqrt(2.25 - rise * rise), 1e-11);
    }
}

/* both elbows of a four-bar, at any crank; none where the bars are too short; one in line */
TEST(fk_lists_all_assemblies)
{
    program_write("cranks.csv", "crank\n1\n4\n");
    program_must("fk four_bar --frame rocker --poses cranks.csv --assemblies");
    const char *row = strchr(program.out, '\n');
    int takes = 0;
    for (int i = 0; i < 4; i++, row = strchr(row + 1, '\n')) {
        double n[10];
        int inside, taken;
        assert_int_equal(sscanf(row, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d,%d,%lf,%lf,%lf", n, n + 1,
                                n + 2, n + 3, n + 4, n + 5, n + 6, &inside, &taken, n + 7, n + 8,
                                n + 9),
                         12);
        assert_true(inside == 1);
        takes += taken;
        double u = n[7], pin = u + n[8], pivot = n[9];
        assert_near(u, i < 2 ? 1 : 4, 0);
        assert_near(cos(u) + 3 * cos(pin), 3 + 2.5 * cos(pivot), 1e-11);
        assert_near(sin(u) + 3 * sin(pin), 2.5 * sin(pivot), 1e-11);
    }
    assert_string_equal(row, "\n");
    assert_int_equal(takes, 2);
    // in words, what a row says can be given
    program_prints("fk four_bar --frame rocker --at crank=1 --assemblies --report",
                   "pose 1, assembly 1\n  crank=1 pin=4.0383 pivot=4.06929\n");
    assert_printed("\n\npose 1, assembly 2, taken without --assemblies\n");
    program_prints("fk four_bar --frame rocker --at 'crank=1 pin=4.0383' --assemblies --report",
                   "assembly 1, taken");
    program_write("rockers.json", double_rocker);
    program_says(1, "fk rockers.json --frame c --at drive=2.5 --assemblies",
                 "pose 1: no assembly has these values");
    program_says(
        2, "fk scissors --assemblies",
        "scissors is neither a planar linkage made of groups of two, four or six links nor");
    program_says(2, "fk planar2 --assemblies", "planar2 has no loops");
}

/* all poses for the lengths of its legs, the first of which is longer */
TEST(fk_lists_all_poses_of_a_platform)
{
    program_must("fk stewart --at length_1=0.62 --assemblies");
    const char *row = strchr(program.out, '\n');
    int count = 0;
    for (; row[1] != '\0'; row = strchr(row + 1, '\n'), count++) {
        lb_vec3 p, base = {0.489074, 0.103956, 0}, top = {0.200739, 0.222943, 0};
        lb_quat turn;
        assert_int_equal(sscanf(row, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &p.x, &p.y, &p.z, &turn.w,
                                &turn.x, &turn.y, &turn.z),
                         7);
        lb_vec3 leg = lb_vec3_sub(lb_vec3_add(p, lb_quat_rotate(turn, top)), base);
        assert_near(lb_vec3_length(leg), 0.62, 1e-9);
    }
    assert_int_equal(count, 8);
    assert_not_printed("there may be more");
}

/* a plate on three legs, one of which stands on a cart: four links that only follow together */
static const char plate_on_legs[] =
    "{\"limber\": 1, \"name\": \"plate\", \"links\": [{\"name\": \"ground\"}, {\"name\": "
    "\"cart\"}, "
    "{\"name\": \"left\"}, {\"name\": \"plate\"}, {\"name\": \"right\"}, {\"name\": \"top\"}], "
    "\"joints\": [{\"name\": \"drive\", \"kind\": \"prismatic\", \"parent\": \"ground\", "
    "\"child\": "
    "\"cart\", \"axis\": [1, 0, 0], \"limits\": [-1, 1], \"driven\": true}, "
    "{\"name\": \"a\", \"kind\": \"continuous\", \"parent\": \"cart\", \"child\": \"left\", "
    "\"value\": 1}, "
    "{\"name\": \"b\", \"kind\": \"continuous\", \"parent\": \"left\", \"child\": \"plate\", "
    "\"placement\": {\"xyz\": [1.5, 0, 0]}, \"value\": -0.8}, "
    "{\"name\": \"c\", \"kind\": \"continuous\", \"parent\": \"ground\", \"child\": \"right\", "
    "\"placement\": {\"xyz\": [2.5, 0.2, 0]}, \"value\": 2}, "
    "{\"name\": \"d\", \"kind\": \"continuous\", \"parent\": \"ground\", \"child\": \"top\", "
    "\"placement\": {\"xyz\": [1, 3, 0]}, \"value\": -1}], \"loops\": "
    "[{\"name\": \"e\", \"kind\": \"hinge\", \"first\": \"plate\", \"second\": \"right\", "
    "\"first_frame\": {\"xyz\": [1, 0, 0]}, \"second_frame\": {\"xyz\": [1.4, 0, 0]}}, "
    "{\"name\": \"f\", \"kind\": \"hinge\", \"first\": \"plate\", \"second\": \"top\", "
    "\"first_frame\": {\"xyz\": [0.4, 0.9, 0]}, \"second_frame\": {\"xyz\": [1.2, 0, 0]}}]}";

/* the plate's corners are where the legs end; both lists of the same pose are the same */
TEST(fk_lists_all_assemblies_of_a_plate_on_legs)
{
    program_write("plate.json", plate_on_legs);
    program_must("fk plate.json --frame plate --at drive=0.1 --assemblies");
    const char *row = strchr(program.out, '\n');
    int count = 0;
    for (; row[1] != '\0'; row = strchr(row + 1, '\n'), count++) {
        double n[12];
        assert_int_equal(sscanf(row, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", n, n + 1,
                                n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10,
                                n + 11),
                         12);
        double turn = 2 * atan2(n[6], n[3]), x = n[0] + cos(turn), y = n[1] + sin(turn);
        assert_near(hypot(n[0] - 0.1, n[1]), 1.5, 1e-11);
        assert_near(hypot(x - 2.5, y - 0.2), 1.4, 1e-11);
        x = n[0] + 0.4 * cos(turn) - 0.9 * sin(turn);
        y = n[1] + 0.4 * sin(turn) + 0.9 * cos(turn);
        assert_near(hypot(x - 1, y - 3), 1.2, 1e-11);
    }
    assert_true(count >= 2 && count <= 6 && count % 2 == 0);
    assert_not_printed("there may be more");
    char line[80];
    snprintf(line, sizeof line, "loops were found to close: %d, and no others\n", count);
    program_prints("info plate.json", line);
}

/* drawn is what closes: poses of the crank alone */
TEST(poses_that_are_drawn_are_closed)
{
    program_must("fk four_bar --frame coupler --at crank=2");
    program_must("draw four_bar --at crank=2 --output closed.svg");
    program_must("draw four_bar --at \"crank=2 pin=-1.4915\" --output again.svg");
    program_shell_exits(0, "cmp closed.svg again.svg");
    program_says(1, "draw four_bar --at \"crank=2 pin=0.5\" --output again.svg",
                 "'pin' follows from the loops and is ");
    unlink("closed.svg");
    unlink("again.svg");
    program_write("rockers.json", double_rocker);
    program_exits(1, "draw rockers.json --at drive=2.5 --output open.svg");
    assert_int_equal(access("open.svg", F_OK), -1);
}

/* the given value of a dependent joint says which assembly is meant, or is refused with what to
   give in its place; none is passed over */
TEST(values_of_dependent_joints_count)
{
    static const char bars[] =
        "<mujoco model='bars'><worldbody><body name='a'><joint name='ja'/><geom size='.1'/><body "
        "name='b' pos='.3 0 0'><joint name='jb'/><geom size='.1'/></body></body><body name='c' "
        "pos='1 0 0'><joint name='jc'/><geom size='.1'/></body></worldbody><equality><connect "
        "body1='b' body2='c' anchor='.5 .4 0'/></equality>%s</mujoco>";
    char text[1024];
    snprintf(text, sizeof text, bars, "");
    program_write("bars.xml", text);
    program_says(1, "fk bars.xml --frame c --at jc=0.2",
                 "bars: pose 1: 'jc' follows from the loops and is 0 there, not 0.2: give 'ja'");
    program_says(1, "collide bars.xml --at jc=0.2", "give 'ja'");
    program_write("jc.csv", "jc\n0\n0.2\n");
    program_says(1, "fk bars.xml --frame c --poses jc.csv",
                 "pose 2: 'jc' follows from the loops and is 0 there, not 0.2: give 'ja'");
    program_says(1, "fk bars.xml --frame c --at \"ja=0.1 jc=11.459\" --degrees --assemblies",
                 "not 11.459: give 'ja'");

    program_exits(2, "animate bars.xml --tip c --keys jc.csv --frames 3");
    assert_said("pose 2: 'jc' follows from the loops");

    // with a motor it is the joint to give, and the crank is not
    snprintf(text, sizeof text, bars, "<actuator><motor joint='jc'/></actuator>");
    program_write("bars.xml", text);
    program_prints("fk bars.xml --frame c --at jc=0.2", "\n1,0,0,0.995004165");
    program_says(1, "fk bars.xml --frame c --at ja=0.1", "give 'jc'");

    // each assembly of a list is what its row says, also where its values are rounded
    program_must("fk four_bar --frame rocker --at crank=1 --assemblies --output both.csv");
    program_shell_exits(0, "cut -d, -f10-12 both.csv > joints.csv");
    program_must("fk four_bar --frame rocker --poses joints.csv --assemblies");
    program_must("fk four_bar --frame rocker --poses joints.csv --output again.csv");
    program_shell_exits(0, "cut -d, -f1-3 both.csv > a.csv; cut -d, -f1-3 again.csv | cmp - a.csv");
    // which the keys of a motion from the default values are not
    program_says(
        2, "animate four_bar --keys joints.csv --frames 3",
        "pose 1: 'pin' follows from the loops and is -0.414358 there, not 4.0383: give 'cra");
    program_prints("fk four_bar --frame rocker --at \"crank=1 pivot=-2.214\"", "\n3,0,0,0.4473952");
}

TEST(fk_names_what_ends_the_way)
{
    program_write("rockers.json", double_rocker);
    program_must("fk rockers.json --frame c --at drive=1");
    // coupler and rocker are in line where the pin is 4 m from the pivot: cos = (4 + 9 - 16) / 12
    double rest = 1.318116071652818, dead = LB_PI - rest;
    program_says(1, "fk rockers.json --frame c --at drive=2.5",
                 "rockers: pose 1: the path from where the loops close by default ends");
    assert_said("% of the way: dead point");
    assert_near(strtod(strstr(program.err, "after ") + 6, NULL), 100 * (dead - rest) / (2.5 - rest),
                0.006);
}

/* the rows of the program that have a four-bar's joints are closed; returns how many there are */
static int check_bars(void)
{
    static const char *const names[] = {"crank", "pin", "pivot"};
    int columns[3] = {-1, -1, -1}, rows = 0;
    char *row = program.out;
    for (bool head = true; *row != '\0'; head = false) {
        double values[3] = {0};
        size_t length = strcspn(row, "\n");
        char *cell = row;
        for (int column = 0; cell <= row + length; column++) {
            size_t width = strcspn(cell, ",\n");
            for (int i = 0; i < 3; i++) {
                if (head && strlen(names[i]) == width && strncmp(cell, names[i], width) == 0)
                    columns[i] = column;
                if (!head && columns[i] == column)
                    values[i] = strtod(cell, NULL);
            }
            cell += width + 1;
        }
        row += length + (row[length] == '\n');
        if (head || columns[0] < 0 || columns[1] < 0 || columns[2] < 0)
            continue;
        double u = values[0], pin = u + values[1], pivot = values[2];
        assert_near(cos(u) + 3 * cos(pin), 3 + 2.5 * cos(pivot), 1e-6);
        assert_near(sin(u) + 3 * sin(pin), 2.5 * sin(pivot), 1e-6);
        rows++;
    }
    return rows;
}

/* What a subcommand does with a four-bar. */
typedef struct bar_run {
    const char *command, *arguments;
    int status;
    const char *says; /* on standard error, NULL: nothing of loops */
    int rows;         /* at least, of joint values that close */
} bar_run;

static const bar_run bar_runs[] = {
    {"models", "", 0, NULL, 0},
    {"info", "four_bar", 0, NULL, 0},
    {"convert", "four_bar", 0, NULL, 0},
    {"fk", "four_bar --frame coupler --at crank=2 --assemblies", 0, NULL, 2},
    {"fk", "four_bar --frame rocker --point \"1 0 0\" --at crank=2 --manipulability", 0, NULL, 0},
    {"ik", "four_bar --position \"2 1.8 0\"", 1, NULL, 1},
    {"ik", "four_bar --position \"2 1.8 0\" --all", 2, "loop 'elbow'", 0},
    {"solutions", "four_bar --position \"2 1.8 0\"", 2, "loop 'elbow'", 0},
    {"elbow", "four_bar --position \"2 1.8 0\" --rpy \"0 0 0\"", 2, "loop 'elbow'", 0},
    {"collide", "four_bar --at \"crank=2 pin=-1.4915\"", 0, NULL, 0},
    {"pose", "four_bar --task bars_task.json", 0, NULL, 1},
    {"draw", "four_bar --at \"crank=2\" --output bars.svg", 0, NULL, 0},
    {"draw", "four_bar --all --output bars.svg", 2, "loop 'elbow'", 0},
    {"draw", "four_bar --ellipse --output bars.svg", 2, "four_bar has loops", 0},
    {"follow", "four_bar --path bars_arc.csv --shape arc --start crank=1", 0, NULL, 100},
    {"servo", "four_bar --position \"2 1.8 0\"", 2, "loop 'elbow'", 0},
    {"animate", "four_bar --keys bars_keys.csv --frames 9", 0, NULL, 9},
    {"retarget", "walk --to four_bar --output bars.csv", 2, "no pelvis", 0},
    {"check", "bars_motion.csv --model four_bar", 1, NULL, 0},
    {"workspace", "four_bar --cells 8 --samples 100", 0, NULL, 0},
    {"workspace", "four_bar --grid 1 --output bars.npy", 2, "hardly any orientation", 0},
    {"merge", "bars.npy --output all.npy", 2, NULL, 0},
    {"place", "four_bar --tip rocker --position \"3 0 0\"", 0, NULL, 0},
    {"synthesize", "--points bars_poses.csv --output bars_new.json", 0, NULL, 0},
    {"explain", "four_bar --position \"2 1.8 0\"", 2, "four_bar has loops", 0},
    {"compare", "klann --random 20 --iterations 4000", 0, "it keeps no loop closed, 'lm' does", 0},
    {"figures", "--output bars_figures --only figure-5.7", 0, NULL, 0},
    {"view", "four_bar --port 70000", 2, NULL, 0},
};
enum { BAR_RUNS = sizeof bar_runs / sizeof *bar_runs };

/* every subcommand keeps a four-bar closed, refuses it, or has nothing to do with its loop */
TEST(no_subcommand_takes_an_open_tree)
{
    program_write("bars_task.json",
                  "{\"tasks\": [{\"kind\": \"joint\", \"joint\": \"crank\", \"value\": 2}]}");
    program_write("bars_keys.csv", "crank\n0\n4\n");
    program_write("bars_poses.csv", "x,y,angle\n0,0,0\n1,0.5,0.5\n1.5,1.5,1.2\n");
    program_write("bars_motion.csv", "time,crank,pin,pivot\n0,0,0.9733899,1.6961242\n1,0,1,1.7\n");
    // places of the crank's end
    program_write("cranks.csv", "crank\n1\n1.6\n2.2\n");
    program_must("fk four_bar --point \"0 0 0\" --poses cranks.csv --output bars_arc.csv");
    for (int i = 0; i < BAR_RUNS; i++) {
        const bar_run *run = &bar_runs[i];
        program_exits(run->status, "%s %s", run->command, run->arguments);
        if (run->says != NULL)
            assert_said(run->says);
        int rows = check_bars();
        if (rows < run->rows)
            fail_msg("%s: %d rows of joints, wanted %d", run->command, rows, run->rows);
    }
    program_exits(1, "check bars_motion.csv --model four_bar");
    assert_printed("open");
    // random targets of a linkage are reachable
    program_prints("compare klann --random 5 --protocol any --iterations 4000", "lm,5,5,");
    // a new one needs a line above
    program_must("--help");
    *strstr(program.out, "Begin with:") = '\0';
    for (char *at = strstr(program.out, "Commands:\n"); (at = strstr(at, "\n  ")) != NULL;
         at += 3) {
        char name[32];
        bool listed = false;
        if (at[3] == ' ' || at[3] == '-' || sscanf(at, " %31s", name) != 1)
            continue;
        for (int i = 0; i < BAR_RUNS; i++)
            listed = listed || strcmp(bar_runs[i].command, name) == 0;
        if (!listed)
            fail_msg("what does limber %s with a model that has loops?", name);
    }
    program_prints("info four_bar", "in the tree without its loops:");
}

/* the slider is as far as crank and rod allow, and the rest follows */
TEST(ik_keeps_loops_closed)
{
    program_prints("ik slider_crank --tip slider --position \"1.7 0 0\" --report", "mobility 1");
    assert_printed("reached");
    assert_not_said("not kept");
    assert_printed("motion    the independent joints lead there on a straight line");
    // the rod folded back, which takes the linkage apart
    program_prints("ik slider_crank --tip slider --position \"-1.5 0 0\" --report", "reached");
    assert_printed("another assembly");
    program_must("ik slider_crank --tip slider --position \"1.7 0 0\"");
    const char *row = strrchr(program.out, ',');
    double slide = strtod(row + 1, NULL), crank, pin;
    assert_near(slide, 1.7, 1e-6);
    assert_int_equal(
        sscanf(strchr(program.out, '\n') + 1, "reached,%*d,%*f,%*f,%lf,%lf", &crank, &pin), 2);
    assert_near(0.5 * cos(crank) + 1.5 * cos(crank + pin), slide, 1e-11);
    assert_near(0.5 * sin(crank) + 1.5 * sin(crank + pin), 0, 1e-11);
    program_exits(1, "ik slider_crank --tip slider --position \"2.5 0 0\" --report");
    assert_printed("stalled");
    assert_printed("is 0.5 m off: here no joint");
    program_says(2, "ik slider_crank --position \"1.7 0 0\" --trace", "slider_crank has loops");
}

/* of a row of scissors: slide and lift are cosine and twice the sine of the tilt */
static void check_scissors(const char *row, double tolerance)
{
    double lift, tilt, elbow, slide;
    assert_int_equal(sscanf(row, "%lf,%lf,%lf,%lf", &lift, &tilt, &elbow, &slide), 4);
    assert_near(slide, cos(tilt), tolerance);
    assert_near(lift, 2 * sin(tilt), tolerance);
    assert_near(elbow, -2 * tilt, tolerance);
}

/* along a path, from key to key, and with speeds */
TEST(motions_keep_loops_closed)
{
    program_must("animate scissors --tip platform --to \"0 1.7 0\" --frames 5");
    assert_not_said("not kept");
    const char *row = strchr(program.out, '\n');
    for (int i = 0; i < 5; i++, row = strchr(row + 1, '\n')) {
        const char *cell = row;
        for (int comma = 0; comma < 14; comma++)
            cell = strchr(cell + 1, ',');
        check_scissors(cell + 1, 1e-11);
    }
    program_write("keys.csv", "lift\n0.6\n1.7\n");
    program_must("animate scissors --tip platform --keys keys.csv --frames 7");
    row = strchr(program.out, '\n');
    for (int i = 0; i < 7; i++, row = strchr(row + 1, '\n')) {
        const char *cell = row;
        for (int comma = 0; comma < 6; comma++)
            cell = strchr(cell + 1, ',');
        check_scissors(cell + 1, 1e-11);
    }
    program_write("rockers.json", double_rocker);
    program_write("far.csv", "drive\n1\n2.5\n");
    program_says(2, "animate rockers.json --keys far.csv --frames 7", "dead point");
    program_must("follow scissors --tip platform --to \"0 1.7 0\"");
    row = strchr(program.out, '\n');
    for (; row[1] != '\0'; row = strchr(row + 1, '\n'))
        check_scissors(strchr(row, ',') + 1, 1e-6);
    program_says(2, "animate scissors --tip platform --to \"0 1.7 0\" --rate 10",
                 "the model has loops");
}

/* what is said of linkages whose random configurations hardly close, whose tips move on a line */
TEST(platforms_and_slides_are_measured)
{
    program_must("animate delta --to '0.1 0.05 -.5' --frames 2 --output a.csv");
    owned char *frames = program_read("a.csv");
    // by the formula of its closed Jacobian
    assert_non_null(strstr(frames, "0,reached,0,0,0,1.8509"));
    program_prints("workspace slider_crank --tip slider --report --output w.csv",
                   "reachable  0.04 m2");
    program_prints("follow delta --to '0.1 0.05 -.5' --output m.csv --report",
                   "0 stops on the way");
    // samples are about the default pose whatever the seed
    for (int seed = 1; seed < 4; seed++) {
        program_must("workspace stewart --cells 10 --samples 3000 --seed %d --output s.csv", seed);
        owned char *rows = program_read("s.csv");
        int above = 0;
        for (const char *row = rows; (row = strchr(row, '\n')) != NULL && row[1] != '\0'; row++)
            above += strtod(strchr(strchr(row, ',') + 1, ',') + 1, NULL) > 0.4;
        assert_true(above > 10);
    }
}

/* a crank that turns once from key to key stays, which is said */
TEST(more_than_half_a_turn_between_keys_is_said)
{
    program_write("k.csv", "time,crank\n0,0\n1,6.283185307\n");
    program_must("animate four_bar --tip coupler --keys k.csv --frames 3");
    assert_said("'crank' has no limits and turns the shorter way: from key 1 to 2");
    program_write("k.csv", "time,crank\n0,0\n1,3\n2,6\n");
    program_must("animate four_bar --tip coupler --keys k.csv --frames 3");
    assert_int_equal(program.err_size, 0);
}

/* MuJoCo's equality of joints sets the first by the second */
TEST(a_coupling_sets_its_first_joint)
{
    program_write("set.xml", "<mujoco><compiler angle='radian'/><worldbody>"
                             "<body name='a'><joint name='set' axis='0 0 1'/></body>"
                             "<body name='b'><joint name='read' axis='0 0 1'/></body></worldbody>"
                             "<equality><joint joint1='set' joint2='read' polycoef='0.1 2 0.5'/>"
                             "</equality></mujoco>");
    program_must("fk set.xml --frame a --at 'read=0.4'");
    // half of 0.1 + 2 * 0.4 + 0.5 * 0.4^2
    assert_near(program_number_behind(program.out, "0,0,0,"), cos(0.49), 1e-9);
}

/* a start that names independent joints alone is closed, as --at of limber fk is */
TEST(starts_are_closed_as_poses_are)
{
    program_must("follow slider_crank --tip slider --to '1.2 0 0' --start crank=0.3 --rate 10");
    assert_near(program_number_behind(program.out, "slide\n0,"), 0.3, 1e-12);
    program_must("ik slider_crank --tip slider --position '1.9 0 0' --start crank=0.3 --report");
    assert_null(strstr(program.out, "open"));
    program_write("t.json", "{\"tasks\":[{\"kind\":\"position\",\"link\":\"platform\"}]}");
    program_must(
        "pose delta --task t.json --at 'drive_1=0.1 drive_2=0.9 drive_3=0.4' --output p.csv");
    program_must("fk delta --frame platform --poses p.csv");
    // three spheres about the elbows
    assert_printed("0.1117");
    program_refuses("follow four_bar --tip coupler --to '1 1 0' --start 'crank=0.3 pivot=3'",
                    "pivot");
}

/* each built-in linkage closes at rest, and its mobility is known */
TEST(built_in_linkages_close)
{
    static const struct {
        const char *name;
        int mobility;
    } linkages[] = {{"four_bar", 1}, {"slider_crank", 1}, {"scissors", 1}, {"gripper", 1},
                    {"klann", 1},    {"stewart", 6},      {"delta", 3}};
    for (size_t i = 0; i < sizeof linkages / sizeof *linkages; i++) {
        char text[80];
        snprintf(text, sizeof text, "info %s", linkages[i].name);
        program_must(text);
        snprintf(text, sizeof text, "mobility %d", linkages[i].mobility);
        assert_printed(text);
        assert_not_printed("do not close");
    }
    // a walker's foot is near the ground for half a turn of the crank: 4 cm at a step of 64 cm
    char cranks[2048] = "crank\n";
    for (int i = 0; i < 100; i++)
        snprintf(cranks + strlen(cranks), sizeof cranks - strlen(cranks), "%g\n", i * LB_PI / 50);
    program_write("cranks.csv", cranks);
    program_must("fk klann --frame foot --poses cranks.csv");
    const char *row = strchr(program.out, '\n');
    int low = 0;
    for (int i = 0; i < 100; i++, row = strchr(row + 1, '\n'))
        low += strtod(strchr(row, ',') + 1, NULL) < -0.458 + 0.04;
    assert_true(low >= 49);
    // the platform of a delta robot keeps its orientation, that of a Stewart platform takes any
    program_must("fk delta --frame platform --at \"drive_1=0.2 drive_2=0.4 drive_3=0.6\"");
    double x, y, z, w;
    assert_int_equal(sscanf(strchr(program.out, '\n') + 1, "%lf,%lf,%lf,%lf", &x, &y, &z, &w), 4);
    assert_near(w, 1, 1e-12);
    program_must("ik stewart --tip platform --position \"0.1 0.05 0.55\" --rpy \"0.1 0.2 0.1\"");
    program_exits(1, "ik gripper --tip left_finger --position \"0.1 0 0\"");
    // random targets are those of configurations that close within the limits
    program_prints("compare stewart --tip platform --random 20 --pose --protocol any", "lm,20,20,");
}

TEST_FIXTURE(program_start, program_stop)
