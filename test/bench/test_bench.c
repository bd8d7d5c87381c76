/*
 * test_bench.c - what measurements are made with: chains, questions, the clock's numbers.
 *
 * That two ways to compute a frame agree, the chain's and the whole model's, and that
 * robots_bench measures, verifies and writes what it says.
 */
#include "bench/bench.h"
#include "bench/clock.h"
#include "bench/golden.h"
#include "bench/oracle.h"
#include "bench/questions.h"

#include <jansson.h>
#include <limber/formats/load.h>

#include "support_load.h"
#include "support_program.h"

enum { TREES = 300, MOST_JOINTS = 10, MOST = LB_JOINT_MAX_NQ * MOST_JOINTS };

/* ---- chains --------------------------------------------------------------- */

/* a random tree and a tip of it; kinds that a chain has no place for now and then */
static lb_model *random_tree(lb_random *random, int *tip)
{
    test_tree wanted = test_tree_default();
    wanted.joints = 1 + test_random_index(random, MOST_JOINTS);
    wanted.kinds = TEST_KIND(LB_JOINT_FIXED) | TEST_KIND(LB_JOINT_REVOLUTE) |
                   TEST_KIND(LB_JOINT_CONTINUOUS) | TEST_KIND(LB_JOINT_PRISMATIC);
    if (test_random_chance(random, 0.2))
        wanted.kinds = TEST_ALL_KINDS;
    wanted.mimic = wanted.locked = 0.02;
    lb_model *model = test_tree_build(&wanted, random);
    *tip = test_random_index(random, lb_model_link_count(model));
    return model;
}

TEST(chains_have_the_tip_where_the_model_has_it)
{
    int found = 0;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        int tip;
        owned_model *model = random_tree(&random, &tip);
        chain path;
        const char *reason = NULL;
        bool is_chain = chain_find(model, tip, &path, &reason);
        assert_int_equal(is_chain, reason == NULL);
        found += is_chain;
        for (int n = 0; is_chain && n < 10; n++) {
            double q[MOST], local[MOST], back[MOST];
            lb_transform links[MOST_JOINTS + 2];
            lb_configuration_random(model, &random, q);
            chain_gather(&path, q, local);

            // seen from the root
            oracle_forward(model, q, links);
            lb_transform expected = lb_transform_between(&links[0], &links[tip]);
            lb_transform actual = chain_forward(&path, local);
            assert_transform_near(&actual, &expected, 1e-12);

            // and as a model of its own
            lb_model *alone = chain_model(&path);
            assert_int_equal(lb_model_nq(alone), path.count);
            oracle_forward(alone, local, links);
            assert_transform_near(&links[path.count + 1], &expected, 1e-12);
            lb_model_release(alone);

            memcpy(back, q, sizeof back);
            chain_scatter(&path, local, back);
            assert_memory_equal(back, q, sizeof(double) * (size_t)lb_model_nq(model));
        }
    }
    assert_true(found > TREES / 3);
}

TEST(what_is_no_chain_is_said_why)
{
    const struct {
        const char *model, *tip, *reason;
    } cases[] = {{"human", "left_hand", "several axes"},
                 {"panda", "panda_rightfinger", "follows"},
                 {"ur5", "base_link", "nothing moves"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        owned_model *model = test_load(cases[i].model);
        chain path;
        const char *reason = NULL;
        assert_false(chain_find(model, lb_model_find_link(model, cases[i].tip), &path, &reason));
        assert_non_null(strstr(reason, cases[i].reason));
    }
}

/* whole turns off, an angle is brought back where the limits allow; a length is not */
TEST(angles_are_unwound_into_their_limits)
{
    const double turn = 2 * LB_PI;
    chain path = {.count = 3};
    path.joints[0] = (chain_joint){.lower = -1, .upper = 1};
    path.joints[1] = (chain_joint){.lower = -INFINITY, .upper = INFINITY};
    path.joints[2] = (chain_joint){.slides = true, .lower = 0, .upper = 1};
    double q[3] = {0.5 + 3 * turn, 100, 0.5};
    assert_true(chain_unwind(&path, q));
    assert_near(q[0], 0.5, 1e-14);
    assert_true(q[1] == 100 && q[2] == 0.5);
    q[0] = -0.75 - 2 * turn;
    assert_true(chain_unwind(&path, q));
    assert_near(q[0], -0.75, 1e-14);

    // between two turns there is nothing within
    q[0] = 2;
    assert_false(chain_unwind(&path, q));
    q[0] = 0;
    q[2] = 1 + turn;
    assert_false(chain_unwind(&path, q));
}

/* ---- questions ------------------------------------------------------------ */

/* starts are within limits, near ones are near, and what is beyond is beyond */
TEST(questions_are_what_they_say)
{
    owned_model *model = test_load("iiwa14");
    lb_task task = lb_task_make(lb_model_find_link(model, "flange"), 0, LB_TASK_POSE);
    lb_transform links[16];
    for (int kind = 0; kind < QUESTION_KINDS; kind++) {
        questions all;
        assert_true(questions_make(&all, model, &task, (question_kind)kind, 200, 5));
        for (int i = 0; i < all.count; i++) {
            double position, rotation;
            const double *start = questions_start(&all, i);
            assert_true(oracle_limit_excess(model, start) == 0);
            assert_true(lb_transform_is_rigid(&all.targets[i], 1e-12));
            oracle_errors(model, &task, 1, start, &all.targets[i], links, &position, &rotation);
            // seven joints, a reach of 1.3 m
            if (kind == QUESTION_NEAR)
                assert_true(rotation < 7 * 0.02 && position < 7 * 0.02 * 1.3);
            if (kind == QUESTION_WARM)
                assert_true(rotation < 7 * 0.1 && position < 7 * 0.1 * 1.3);
            if (kind == QUESTION_BEYOND)
                assert_true(lb_vec3_length(all.targets[i].p) > 2 * 1.3);
        }
        questions_release(&all);
    }
}

/* ---- the clock ------------------------------------------------------------ */

TEST(numbers_of_many_times_are_right)
{
    double times[200];
    for (int i = 0; i < 200; i++)
        times[i] = (i * 77) % 200;
    assert_near(clock_mean(times, 200), 99.5, 1e-12);
    clock_sort(times, 200);
    for (int i = 0; i < 200; i++)
        assert_true(times[i] == i);
    assert_true(clock_percentile(times, 200, 0) == 0);
    assert_true(clock_percentile(times, 200, 0.5) == 100);
    assert_true(clock_percentile(times, 200, 0.99) == 198);
    assert_true(clock_percentile(times, 200, 1) == 199);
    assert_true(clock_percentile(times, 1, 0.99) == 0);
    assert_true(clock_cost() >= 0 && clock_cost() < 1e6);
}

/* ---- the program ---------------------------------------------------------- */

/* the benchmark beside the program */
#define LIMBER_ROBOTS_BENCH "\"$(dirname " LIMBER_PROGRAM ")\"/bench/robots_bench"

static int measure(const char *arguments)
{
    return program_shell("%s %s", LIMBER_ROBOTS_BENCH, arguments);
}

static json_t *read_report(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return root;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

/* every solve of ours is verified, and no success is false */
static void check_row(const json_t *row)
{
    assert_int_equal(json_integer_value(json_object_get(row, "targets")), 50);
    if (strcmp(text_of(row, "who"), "limber") != 0)
        return;
    assert_int_equal(json_integer_value(json_object_get(row, "false_successes")), 0);
    assert_true(json_is_true(json_object_get(row, "repeatable")));
    assert_true(json_real_value(json_object_get(row, "batch_solves_per_second")) > 0);
    bool beyond = strcmp(text_of(row, "protocol"), "target out of reach") == 0;
    bool once = strcmp(text_of(row, "protocol"), "random start, that alone") == 0 ||
                strcmp(text_of(row, "protocol"), "random start, one descent") == 0;
    int reached = (int)json_integer_value(json_object_get(row, "reached"));
    int reported = (int)json_integer_value(json_object_get(row, "reported"));
    bool turned = strcmp(text_of(row, "protocol"), "rotation out of reach") == 0;
    assert_int_equal(reached, beyond ? 0 : reported);
    if (!once && !turned)
        assert_int_equal(reported, 50);
}

TEST(the_program_measures_and_writes_it_down)
{
    assert_int_equal(measure("ur5 --alone --targets 50 --repetitions 2 --json ur5.json"), 0);
    assert_non_null(strstr(program.out, "random start, nearest"));
    json_t *root = read_report("ur5.json"), *row;
    static const char *const keys[] = {"limber", "date", "cpu", "compiler", "flags"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        text_of(root, keys[i]);
    const json_t *model = json_array_get(json_object_get(root, "models"), 0);
    assert_string_equal(text_of(model, "model"), "ur5");
    assert_string_equal(text_of(model, "tip"), "tool0");
    assert_int_equal(strlen(text_of(model, "golden_hash")), 16);
    size_t i;
    json_array_foreach(json_object_get(model, "kinematics"), i, row)
        assert_true(json_real_value(json_object_get(row, "least_ns")) > 0);
    assert_true(i >= 4);
    json_array_foreach(json_object_get(model, "inverse"), i, row) check_row(row);
    assert_int_equal(i, 8);
    json_decref(root);
}

/* the same problems have the same results at every width */
TEST(widths_have_one_hash)
{
    char first[8][20];
    for (int width = 1; width <= 8; width *= 2) {
        assert_int_equal(program_shell("%s panda --alone --targets 50 --repetitions 1 --width %d "
                                       "--json w.json",
                                       LIMBER_ROBOTS_BENCH, width),
                         0);
        json_t *root = read_report("w.json"), *row;
        size_t i;
        const json_t *model = json_array_get(json_object_get(root, "models"), 0);
        json_array_foreach(json_object_get(model, "inverse"), i, row)
        {
            assert_true(i < 8);
            if (width == 1)
                snprintf(first[i], sizeof first[i], "%s", text_of(row, "hash"));
            assert_string_equal(text_of(row, "hash"), first[i]);
        }
        json_decref(root);
    }
}

/* a copy of the program that expects other results of a robot: its hash has one bit changed */
static void spoil_program(const golden_robot *robot)
{
    assert_int_equal(program_shell("cp %s spoiled", LIMBER_ROBOTS_BENCH), 0);
    FILE *file = fopen("spoiled", "r+b");
    assert_non_null(file);
    uint64_t seen;
    long at = 0, found = -1;
    for (; found < 0 && fread(&seen, sizeof seen, 1, file) == 1; at += (long)sizeof seen)
        found = seen == robot->hash ? at : -1;
    assert_true(found >= 0);
    seen = robot->hash ^ 1;
    assert_int_equal(fseek(file, found, SEEK_SET), 0);
    assert_int_equal(fwrite(&seen, sizeof seen, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

/* a robot whose results have wrong bits is not measured */
TEST(a_wrong_hash_fails)
{
    spoil_program(golden_find("ur5"));
    assert_int_equal(program_shell("./spoiled ur5 --alone --targets 10"), 1);
    assert_non_null(strstr(program.err, "the results have hash"));
    assert_null(strstr(program.out, "inverse kinematics"));
    assert_int_equal(program_shell("./spoiled panda --alone --targets 10 --repetitions 1"), 0);
    assert_int_equal(program_shell("rm spoiled"), 0);
}

TEST(bad_words_are_refused)
{
    const struct {
        const char *arguments, *says;
    } cases[] = {
        {"nothing_of_that_name --alone", "nothing_of_that_name"},
        {"ur5 --targets 0", "--targets"},
        {"ur5 --width 9", "--width"},
        {"ur5 --targets ten", "ten"},
        {"ur5 panda", "panda"},
        {"planar3 --targets 5 --repetitions 1 --alone --json no/such/folder.json", "no/such"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(measure(cases[i].arguments), 2);
        assert_non_null(strstr(program.err, cases[i].says));
    }
}

/* a folder without modules: each is said to be left out, and the rest goes on */
TEST(missing_peers_are_named)
{
    assert_int_equal(measure("ur5 --peers no/such/folder --targets 10 --repetitions 1"), 0);
    assert_non_null(strstr(program.err, "kdl is left out"));
    assert_non_null(strstr(program.err, "mujoco is left out"));
}

TEST_FIXTURE(program_start, program_stop)
