/*
 * test_cli_pose.c - limber pose: tasks from a file, what is printed, and what is refused.
 */
#define _XOPEN_SOURCE 700

#include "support_program.h"

TEST(tasks_are_reached_and_said_to_be)
{
    program_write("t.json", "{\"tasks\": [{\"kind\": \"position\", \"link\": \"tip\","
                            " \"position\": [1, 0.8, 0]},"
                            " {\"kind\": \"joint\", \"joint\": \"joint_1\", \"value\": 0.4,"
                            " \"level\": 1}]}");
    program_prints("pose planar3 --task t.json --json", "\"outcome\":\"reached\"");
    assert_printed("\"kind\":\"joint\",\"reached\":true");
    program_prints("pose planar3 --task t.json --report", "position of 'tip' is reached");
    // rows are poses that other commands read
    program_must("pose planar3 --task t.json --output q.csv");
    program_prints("fk planar3 --frame tip --base world --poses q.csv", "0.8");
}

TEST(what_is_not_reached_has_a_reason)
{
    program_write("far.json", "{\"tasks\": [{\"kind\": \"position\", \"link\": \"tip\","
                              " \"position\": [50, 0, 0]}]}");
    program_exits(1, "pose planar3 --task far.json --json");
    assert_printed("\"reason\":\"reach\"");
}

/* turns as roll, pitch and yaw and as quaternions, a tool, lists of one value: the same pose */
TEST(every_way_to_say_a_target_is_read)
{
    program_write("a.json", "{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"position\":"
                            " [1, 0.8, 0], \"rpy\": [0, 0, 0], \"tool_rpy\": [0, 0, 0],"
                            " \"tool_position\": [0, 0, 0], \"weight\": 1}]}");
    program_write("b.json", "{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"position\":"
                            " [1, 0.8, 0], \"quaternion\": [2, 0, 0, 0], \"base\": \"world\"}]}");
    int status = program_run("pose planar3 --task a.json");
    owned char *first = strdup(program.out);
    assert_int_equal(program_run("pose planar3 --task b.json"), status);
    assert_string_equal(program.out, first);
    program_write("c.json", "{\"tasks\": [{\"kind\": \"joint\", \"joint\": \"joint_2\","
                            " \"value\": [0.25]}]}");
    program_prints("pose planar3 --task c.json --json", "\"joint_2\":0.25");
}

/* the figure's hand goes where a fixed pelvis would not allow it */
TEST(a_root_may_float)
{
    program_write("up.json", "{\"tasks\": [{\"kind\": \"position\", \"link\": \"right_hand\","
                             " \"position\": [2, 0, 3]}]}");
    program_exits(1, "pose human --task up.json --json");
    program_prints("pose human --root floating --task up.json --json", "\"root.x\"");
    program_must("info human --root planar");
    program_refuses("pose human --root flying --task up.json", "--root");
}

/* of the Panda's hand beside its own foot: without the task links come too near */
TEST(links_are_kept_apart)
{
#define HAND                                                                                       \
    "{\"kind\": \"position\", \"link\": \"panda_hand\", \"position\": [0.14, 0, 0.2],"             \
    " \"level\": 1}"
    program_write("near.json", "{\"tasks\": [" HAND "]}");
    program_write("apart.json",
                  "{\"tasks\": [{\"kind\": \"distance\", \"distance\": 0.015}, " HAND "]}");
    program_write("margin.json", "{\"tasks\": [{\"kind\": \"distance\"}, " HAND "]}");
#undef HAND
    program_must("pose panda --task near.json --output q.csv");
    program_exits(1, "collide panda --poses q.csv --margin 0.015");
    program_must("pose panda --task apart.json --output q.csv");
    program_must("collide panda --poses q.csv --margin 0.015");
    program_must("pose panda --task margin.json --margin 0.015 --output q.csv");
    program_must("collide panda --poses q.csv --margin 0.015");
    program_prints("pose panda --task apart.json --json", "\"nearest\":{\"a\":\"panda_");
    // a wall where the hand is to go: the words name it
    program_write("wall.json",
                  "{\"obstacles\": [{\"name\": \"wall\", \"shapes\": [{\"shape\": \"box\","
                  " \"size\": [0.2, 0.2, 0.2], \"placement\": {\"xyz\": [0.14, 0, 0.2]}}]}]}");
    program_exits(1, "pose panda --task apart.json --scene wall.json --report");
    assert_printed("'wall'");
}

TEST(options_of_collisions_need_a_distance)
{
    program_write("t.json", "{\"tasks\": [{\"kind\": \"pose\", \"link\": \"panda_hand\"}]}");
    program_refuses("pose panda --task t.json --margin 0.1", "--margin");
    program_write("t.json", "{\"tasks\": [{\"kind\": \"distance\", \"distance\": -1}]}");
    program_refuses("pose panda --task t.json", "distance must be at least 0");
    program_write("t.json", "{\"tasks\": [{\"kind\": \"distance\"}]}");
    program_refuses("pose panda --task t.json --margin -1", "--margin");
    program_refuses("pose panda --task t.json --scene missing.json", "missing.json");
}

/* a file of a single task, whose keys are given in single quotes */
static void write_task(const char *keys)
{
    char text[256];
    snprintf(text, sizeof text, "{'tasks': [{%s}]}", keys);
    for (char *quote = text; (quote = strchr(quote, '\'')) != NULL;)
        *quote = '"';
    program_write("bad.json", text);
}

TEST(what_is_no_task_is_refused_by_name)
{
    static const char *const files[][2] = {
        {"{\"tasks\": []}", "tasks: expected a list of tasks"},
        {"{\"tasks\": [1]}", "tasks[0]: expected an object"},
        {"{\"restart\": 1, \"tasks\": []}", "restart: there is no such key here"},
        {"{}", "the key \"tasks\" is missing"},
        {"{\"tasks\": [", "bad.json:1"},
    };
    static const char *const bad[][2] = {
        {"'kind': 'positon', 'link': 'tip'", ".kind: no kind 'positon'; did you mean 'position'"},
        {"'kind': 'pose', 'link': 'tipp'", ".link: no link 'tipp'; did you mean 'tip'"},
        {"'kind': 'pose', 'link': 'tip', 'wieght': 1", ".wieght: there is no such key here; did"},
        {"'kind': 'pose', 'link': 'tip', 'level': 4", ".level: expected 0, 1, 2 or 3"},
        {"'kind': 'pose', 'link': 'tip', 'position': [1, 2]", ".position: expected 3 elements"},
        {"'kind': 'joint', 'joint': 'j'", ".joint: no joint 'j'"},
        {"'kind': 'pose', 'link': 'base'", "no unlocked joint"},
        {"'kind': 'pose'", "tasks[0]: the key \"link\" is missing (pose)"},
        {"'kind': 'pose', 'link': 'tip', 'rpy': [0, 0, 0], 'quaternion': [1, 0, 0, 0]",
         ".quaternion: give one of"},
        {"'kind': 'joint', 'joint': 'joint_1', 'value': [1, 2]",
         ".value: it has 2 numbers, but joint 'joint_1' has 1"},
        {"'kind': 'pose', 'link': 'tip', 'rpy': [1, 2]", ".rpy: expected 3 elements"},
        {"'kind': 'pose', 'link': 'tip', 'rpy': [1, 2, 'x']", ".rpy[2]: expected a number"},
        {"'kind': 'pose', 'link': 'tip', 'quaternion': [1, 0, 0]", ".quaternion: expected 4"},
        {"'kind': 'pose', 'link': 'tip', 'quaternion': [0, 0, 0, 0]", "of length 0"},
        {"'kind': 'pose', 'link': 'tip', 'weight': 'heavy'", ".weight: expected a number"},
        {"'kind': 'pose', 'link': 3", ".link: expected a string"},
        {"'kind': 'joint', 'joint': 3", ".joint: expected a string"},
        {"'kind': 'joint', 'joint': 'joint_1', 'value': []", ".value: expected a number or"},
        {"'kind': 'joint', 'joint': 'joint_1', 'value': ['x']", ".value[0]: expected a number"},
        {"'kind': 'joint', 'joint': 'joint_1', 'value': true", ".value: expected a number or"},
        {"'kind': 'pose', 'link': 'tip', 'level': 'high'", ".level: expected a number"},
        {"'kind': 'pose', 'link': 'tip', 'level': -1", ".level: expected 0, 1"},
        {"'kind': 'pose', 'link': 'tip', 'axis': 3", ".axis: expected an array"},
        {"'kind': 'pose', 'link': 'tip', 'vertices': [[0, 0], [1, 0]]", ".vertices: expected"},
        {"'kind': 'pose', 'link': 'tip', 'vertices': [[0, 0], [1, 0], 3]", ".vertices[2]: exp"},
        {"'link': 'tip'", "the key \"kind\" is missing"},
        {"'kind': 3", ".kind: expected a string"},
    };
    program_refuses("pose planar3", "--task");
    program_refuses("pose planar3 --task missing.json", "missing.json");
    program_refuses("pose planar3 --task .", "Is a directory");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        program_write("bad.json", files[i][0]);
        program_refuses("pose planar3 --task bad.json", files[i][1]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_task(bad[i][0]);
        program_refuses("pose planar3 --task bad.json", bad[i][1]);
        assert_said("bad.json:");
    }
}

TEST_FIXTURE(program_start, program_stop)
