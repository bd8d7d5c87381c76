/*
 * test_joint_limits.c - limits of joints in files of their own: YAML, JSON, and what is refused.
 */
#include "loading.h"
#include "support_growth.h"
#include "support_load.h"

#include <limber/formats/joint_limits.h>

enum { JOINTS = 16 };

static char warned[KEPT_WARNINGS];

static lb_status read_bytes(const char *text, size_t size, const lb_allocator *allocator,
                            bool strict, lb_joint_limit *limits, lb_error *error)
{
    owned_model *model = test_load("panda");
    assert_true(lb_model_joint_count(model) <= JOINTS);
    // exactly so many bytes, so that a sanitizer sees what is read behind them
    owned char *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    warned[0] = '\0';
    lb_load_options options = {
        .allocator = allocator, .warn = add_warning, .user = warned, .strict = strict};
    lb_status status =
        lb_joint_limits_load_memory("limits.yaml", exact, size, model, &options, limits, error);
    return status;
}

static lb_status read_text(const char *text, lb_joint_limit *limits, lb_error *error)
{
    return read_bytes(text, strlen(text), NULL, false, limits, error);
}

static const char yaml[] = "# as MoveIt's assistant writes it\n"
                           "default_velocity_scaling_factor: 0.1\n"
                           "joint_limits:\n"
                           "  panda_joint1:\n"
                           "    has_velocity_limits: true\n"
                           "    max_velocity: 2.175\n"
                           "    has_acceleration_limits: yes\n"
                           "    max_acceleration: 3.75\n"
                           "    has_jerk_limits: false\n"
                           "    max_jerk: 0\n"
                           "  panda_joint2: {max_position: !degrees 90, min_position: -1,\n"
                           "                 max_jerk: 1e3}\n"
                           "  panda_joint3:\n"
                           "    has_position_limits: false\n"
                           "    max_position: 1\n";

static const char json[] =
    "{\"joint_limits\": {\n"
    "\"panda_joint1\": {\"max_velocity\": 2.175, \"max_acceleration\": 3.75},\n"
    "\"panda_joint2\": {\"max_position\": 1.5707963267948966,\n"
    "\"min_position\": -1, \"max_jerk\": 1000}}}";

static void check_rows(const lb_joint_limit *limits)
{
    assert_true(limits[0].velocity == 2.175 && limits[0].acceleration == 3.75);
    assert_true(isinf(limits[0].jerk) && isinf(limits[0].lower) && isinf(limits[0].upper));
    assert_true(limits[1].lower == -1 && limits[1].jerk == 1000 && isinf(limits[1].velocity));
    assert_near(limits[1].upper, LB_PI / 2, 1e-15);
    for (int j = 2; j < 7; j++)
        assert_true(isinf(limits[j].lower) && isinf(limits[j].upper) && isinf(limits[j].velocity) &&
                    isinf(limits[j].acceleration));
    lb_joint_setting setting = lb_joint_limit_setting(limits, 1);
    assert_true(setting.joint == 1 && setting.lower[0] == -1 && !setting.locked);
}

TEST(reads_both_syntaxes)
{
    lb_joint_limit limits[JOINTS];
    assert_made(read_text(json, limits, &cause), cause);
    check_rows(limits);
    lb_status status = read_text(yaml, limits, &cause);
    if (status == LB_UNSUPPORTED && strstr(cause.message, "without libyaml")) {
        print_message("skipped: YAML, as there was no libyaml\n");
        skip();
    }
    assert_made(status, cause);
    check_rows(limits);
    assert_string_equal(warned, "");

    // the names that ROS puts around it
    assert_ok(read_text("robot_description_planning:\n  joint_limits:\n    panda_joint4:\n"
                        "      max_velocity: 1\n",
                        limits, &cause));
    assert_true(limits[3].velocity == 1);
    assert_ok(read_text("/**:\n  ros__parameters:\n    joint_limits:\n"
                        "      panda_joint4: {max_velocity: 2}\n",
                        limits, &cause));
    assert_true(limits[3].velocity == 2);
}

/* a joint that is not there is warned of; strictly it is refused */
TEST(warns_of_unknown_joints)
{
    static const char text[] = "{\"joint_limits\":\n{\"panda_jont1\": {\"max_velocity\": 1}}}";
    lb_joint_limit limits[JOINTS];
    assert_ok(read_text(text, limits, &cause));
    assert_string_equal(warned, "2: the model has no joint 'panda_jont1', so its limits are left "
                                "out; did you mean 'panda_joint1'?\n");
    assert_refused(read_bytes(text, strlen(text), NULL, true, limits, &cause), LB_BAD_MODEL, &cause,
                   "(refused as strict)");
}

TEST(refuses)
{
    static const struct {
        const char *text;
        int line;
        const char *says;
        bool yaml;
    } cases[] = {
        {"{\"joint_limit\": {}}", 1, "the key \"joint_limits\" is missing", false},
        {"{\"joint_limits\": []}", 1, "expected the limits of joints by their names", false},
        {"{\"joint_limits\":\n{\"panda_joint1\": {\"max_speed\": 1}}}", 2,
         "joint_limits.panda_joint1.max_speed: there is no such key here", false},
        {"{\"joint_limits\":\n{\"panda_joint1\": {\"max_velocity\": \"fast\"}}}", 2,
         "joint_limits.panda_joint1.max_velocity: expected a number, not a string", false},
        {"{\"joint_limits\":\n{\"panda_joint1\": {\"max_velocity\": -1}}}", 2, "-1 is below 0",
         false},
        {"{\"joint_limits\":\n{\"panda_joint1\": {\"max_jerk\": 0}}}", 2,
         "max_jerk is 0: the joint would never move; lock it instead", false},
        {"{\"joint_limits\":\n{\"panda_joint1\": {\"min_position\": 2, \"max_position\": 1}}}", 2,
         "min_position 2 is above max_position 1; exchange them", false},
        {"joint_limits:\n  panda_joint1:\n    max_position: 1e16\n", 3,
         "joint_limits.panda_joint1: max_position 1e+16 is beyond 1e15", true},
        {"{\"joint_limits\":\n{\"panda_joint1\": {\"min_position\": -1e16}}}", 2,
         "min_position -1e+16 is beyond 1e15", false},
        {"joint_limits:\n  panda_joint1:\n    max_velocity: 1\n    max_velocity: 2\n", 4,
         "the key is there twice", true},
        {"joint_limits:\n  panda_joint1: &a\n    max_velocity: 1\n  panda_joint2: *a\n", 4,
         "aliases are not read", true},
        {"joint_limits:\n\t- a\n", 2, "this is not well-formed YAML", true},
        {"joint_limits:\n  ? [a, b]\n  : c\n", 2, "a key must be a word", true},
        {"", 0, "", true},
    };
    lb_joint_limit limits[JOINTS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lb_error error = {0};
        assert_int_not_equal(read_text(cases[i].text, limits, &error), LB_OK);
        if (cases[i].yaml && strstr(error.message, "without libyaml"))
            continue;
        if (!strstr(error.message, cases[i].says) || error.line != cases[i].line)
            fail_msg("case %zu: line %d: %s", i, error.line, error.message);
        assert_true(isinf(limits[0].velocity) && isinf(limits[0].jerk));
    }
}

/* a file is read as its text is */
TEST(reads_files)
{
    lb_joint_limit limits[JOINTS];
    FILE *file = fopen("limits.json", "wb");
    assert_non_null(file);
    fputs(json, file);
    fclose(file);
    lb_model *model = test_load("panda");
    assert_ok(lb_joint_limits_load("limits.json", model, NULL, limits, &cause));
    check_rows(limits);
    assert_int_equal(lb_joint_limits_load("none.json", model, NULL, limits, &cause), LB_FILE_ERROR);
    assert_string_equal(cause.path, "none.json");
    assert_true(isinf(limits[0].velocity));
    lb_model_release(model);
    remove("limits.json");
}

/* cut at every byte and with each byte changed it is read or refused with a message */
TEST(survives_hostile_text)
{
    static const char *const texts[] = {yaml, json};
    static const char patches[] = {'\0', '\n', ' ', '"', '{', '}', '[', ':', '-', '!', '&', '9'};
    lb_joint_limit limits[JOINTS];
    for (int t = 0; t < 2; t++) {
        size_t size = strlen(texts[t]);
        char copy[1024];
        for (size_t at = 0; at < size; at++) {
            lb_error error = {0};
            memcpy(copy, texts[t], size);
            copy[at] = patches[at % sizeof patches];
            lb_status status = read_bytes(copy, size, NULL, false, limits, &error);
            assert_true(status == LB_OK || error.message[0] != '\0');
            status = read_bytes(texts[t], at, NULL, false, limits, &error);
            assert_true(status == LB_OK || error.message[0] != '\0');
        }
    }
}

TEST(survives_without_memory)
{
    lb_joint_limit limits[JOINTS];
    ALLOCATIONS_FAIL (run, 200) {
        lb_error error = {0};
        run.status = read_bytes(json, strlen(json), &run.allocator, false, limits, &error);
    }
}

/* of a parser that is not ours, as JavaScript's: silently they would be no limit */
TEST(refuses_numbers_that_are_not_finite)
{
    static const char *const keys[] = {"max_velocity", "min_position"};
    owned_model *model = test_load("panda");
    for (int i = 0; i < 2; i++) {
        owned_document *document = NULL;
        lb_joint_limit limits[JOINTS];
        lb_error error;
        assert_ok(lb_document_create(NULL, &document));
        lb_document_add(document, LB_NODE_OBJECT, NULL, NULL, 0, 1);
        lb_document_add(document, LB_NODE_OBJECT, "joint_limits", NULL, 0, 1);
        lb_document_add(document, LB_NODE_OBJECT, "panda_joint1", NULL, 0, 1);
        lb_document_add(document, LB_NODE_NUMBER, keys[i], NULL, i == 0 ? NAN : INFINITY, 3);
        for (int k = 0; k < 3; k++)
            lb_document_close(document);
        assert_refused(lb_document_joint_limits(document, "a", model, NULL, limits, &error),
                       LB_BAD_VALUE, &error, keys[i]);
        assert_non_null(strstr(error.message, "expected a finite number, not "));
    }
}

/* ---- time ------------------------------------------------------------------ */

static clock_t time_of_unknown(int count)
{
    char *text = malloc(32 * (size_t)count + 64), *at = text;
    lb_joint_limit limits[JOINTS];
    assert_non_null(text);
    at += sprintf(at, "{\"joint_limits\": {\"a\": {}");
    for (int i = 0; i < count; i++)
        at += sprintf(at, ",\n\"joint_of_another_%d\": {}", i);
    sprintf(at, "}}");
    owned_model *model = test_load("panda");
    clock_t before = clock();
    lb_status status =
        lb_joint_limits_load_memory("l.json", text, strlen(text), model, NULL, limits, &cause);
    clock_t taken = clock() - before;
    assert_ok(status);
    free(text);
    return taken;
}

TEST(joints_take_time_by_their_number)
{
    assert_grows_linearly(time_of_unknown, 32000);
}

/* libyaml would compare each with all before it */
TEST(refuses_many_directives)
{
    enum { DIRECTIVES = 1001 };
    char text[32 * DIRECTIVES + 64], *at = text;
    lb_joint_limit limits[JOINTS];
    for (int i = 0; i < DIRECTIVES; i++)
        at += sprintf(at, "%%TAG !a%d! b\n", i);
    sprintf(at, "---\njoint_limits: {}\n");
    assert_int_equal(read_text(text, limits, &cause), LB_UNSUPPORTED);
    if (strstr(cause.message, "without libyaml") == NULL)
        assert_non_null(strstr(cause.message, "more than 1000 '%'"));
}
