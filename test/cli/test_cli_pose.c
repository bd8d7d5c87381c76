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

TEST(what_is_no_task_is_refused_by_name)
{
    static const char *const bad[][2] = {
        {"{\"tasks\": []}", "a list of \"tasks\""},
        {"{\"tasks\": [1]}", "task 0 is not an object"},
        {"{\"tasks\": [{\"kind\": \"positon\", \"link\": \"tip\"}]}", "no kind 'positon'"},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tipp\"}]}", "no link 'tipp'"},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"wieght\": 1}]}", "\"wieght\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"level\": 4}]}", "\"level\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"position\": [1, 2]}]}",
         "\"position\""},
        {"{\"tasks\": [{\"kind\": \"joint\", \"joint\": \"j\"}]}", "no joint 'j'"},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"base\"}]}", "no unlocked joint"},
        {"{\"tasks\": [{\"kind\": \"pose\"}]}", "\"link\" is missing"},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"rpy\": [0, 0, 0], "
         "\"quaternion\": [1, 0, 0, 0]}]}",
         "left out"},
        {"{\"tasks\": [{\"kind\": \"joint\", \"joint\": \"joint_1\", \"value\": [1, 2]}]}",
         "has 2 numbers, but joint 'joint_1' has 1"},
        {"{\"restart\": 1, \"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\"}]}", "\"restart\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"rpy\": [1, 2]}]}", "\"rpy\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"rpy\": [1, 2, \"x\"]}]}",
         "\"rpy\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"quaternion\": [1, 0, 0]}]}",
         "\"quaternion\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"quaternion\": [0, 0, 0, 0]}]}",
         "not zero"},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"weight\": \"heavy\"}]}",
         "\"weight\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": 3}]}", "\"link\""},
        {"{\"tasks\": [{\"kind\": \"joint\", \"joint\": 3}]}", "\"joint\""},
        {"{\"tasks\": [{\"kind\": \"joint\", \"joint\": \"joint_1\", \"value\": []}]}",
         "\"value\""},
        {"{\"tasks\": [{\"kind\": \"joint\", \"joint\": \"joint_1\", \"value\": [\"x\"]}]}",
         "\"value\""},
        {"{\"tasks\": [{\"kind\": \"joint\", \"joint\": \"joint_1\", \"value\": true}]}",
         "\"value\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"level\": \"high\"}]}",
         "\"level\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"level\": -1}]}", "\"level\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"axis\": 3}]}", "\"axis\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"vertices\": [[0, 0], [1, 0]]}]}",
         "\"vertices\""},
        {"{\"tasks\": [{\"kind\": \"pose\", \"link\": \"tip\", \"vertices\": [[0, 0], [1, 0], "
         "3]}]}",
         "\"vertices\""},
        {"{\"tasks\": [{\"link\": \"tip\"}]}", "\"kind\""},
        {"{\"tasks\": [{\"kind\": 3}]}", "\"kind\""},
        {"{\"tasks\": [", "bad.json:1"},
    };
    program_refuses("pose planar3", "--task");
    program_refuses("pose planar3 --task missing.json", "missing.json");
    program_refuses("pose planar3 --task .", "Is a directory");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        program_write("bad.json", bad[i][0]);
        program_refuses("pose planar3 --task bad.json", bad[i][1]);
    }
}

TEST_FIXTURE(program_start, program_stop)
