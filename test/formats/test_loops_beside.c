/*
 * test_loops_beside.c - loops in a YAML file beside a URDF: found, named, refused.
 */
#include "loading.h"
#include "support_growth.h"

#include <limber/formats/json.h>
#include <limber/loops.h>
#include <unistd.h>

/* ---- a four-bar, and files of it ------------------------------------------ */

#define BAR(name, parent, child, xyz)                                                              \
    "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child        \
    "'/><origin xyz='" xyz "'/><axis xyz='0 0 1'/><limit lower='-3' upper='3'/></joint>\n"

static const char urdf[] =
    "<robot name='bars'><link name='base'/><link name='a'/><link name='b'/><link name='c'/>"
    "<link name='end_b'/><link name='end_c'/>\n" BAR("crank", "base", "a", "0 0 0")
        BAR("knee", "a", "b", "0 1 0") BAR("rocker", "base", "c", "2 0 0")
            BAR("pin", "b", "end_b",
                "2 0 0") "<joint name='tip_c' type='fixed'><parent link='c'/><child link='end_c'/>"
                         "<origin xyz='0 1 0'/></joint></robot>";

static const char yaml[] = "# closes the bars\n"
                           "closed_loop: [['end_b', \"tip_c\"]]\n"
                           "type: ['6d']\n"
                           "name_mot: ['rocker']\n";

static char warned[KEPT_WARNINGS];

static void write_text(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

/* the URDF from memory, with the loops of a file that is named */
static lb_status load_with(const char *text, size_t size, const lb_allocator *allocator,
                           bool strict, lb_model **model, lb_error *error)
{
    write_text("named_loops.yaml", text, size);
    warned[0] = '\0';
    lb_load_options options = {.allocator = allocator,
                               .warn = add_warning,
                               .user = warned,
                               .strict = strict,
                               .loops = "named_loops.yaml"};
    lb_status status =
        lb_load_memory_with_options("bars.urdf", urdf, sizeof urdf - 1, &options, model, error);
    remove("named_loops.yaml");
    return status;
}

/* the model, or a skipped test */
static lb_model *load_closed(const char *text)
{
    lb_model *model;
    lb_error error = {0};
    lb_status status = load_with(text, strlen(text), NULL, false, &model, &error);
    if (status == LB_UNSUPPORTED && strstr(error.message, "without libyaml")) {
        print_message("skipped: there was no libyaml\n");
        skip();
    }
    assert_made(status, error);
    return model;
}

/* ---- what is read ----------------------------------------------------------- */

TEST(a_pair_of_frames_is_a_loop)
{
    owned_model *model = load_closed(yaml);
    assert_int_equal(lb_model_loop_count(model), 1);
    const lb_loop *loop = lb_model_loop(model, 0);
    assert_int_equal(loop->kind, LB_LOOP_WELD);
    assert_string_equal(loop->name, "closed_loop_1");
    assert_string_equal(loop->first, "end_b");
    assert_string_equal(loop->second, "end_c");
    assert_string_equal(warned, "");
    owned_model *ball = load_closed("closed_loop: [[end_b, end_c]]\ntype: [3D]\n");
    assert_int_equal(lb_model_loop(ball, 0)->kind, LB_LOOP_BALL);
}

/* the motor stays independent, whichever joint it is, also of the model as JSON */
TEST(motors_are_independent)
{
    static const char *const motors[] = {"crank", "rocker", "pin"};
    for (int i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text, "closed_loop: [[end_b, tip_c]]\nname_mot: [%s]\n", motors[i]);
        owned_model *model = load_closed(text);
        char *json;
        assert_ok(lb_json_write(model, NULL, &json, NULL));
        owned_model *again = load_text("again.json", json);
        free(json);
        const lb_model *both[] = {model, again};
        for (int k = 0; k < 2; k++) {
            owned_assembly *assembly = NULL;
            int v[8], motor = lb_model_joint_v(both[k], lb_model_find_joint(both[k], motors[i]));
            assert_ok(lb_assembly_create(both[k], NULL, 0, NULL, &assembly, NULL));
            assert_true(joint_named(both[k], motors[i])->driven);
            assert_int_equal(lb_assembly_mobility(assembly).found, 1);
            assert_int_equal(lb_assembly_dependent(assembly, v), 3);
            for (int d = 0; d < 3; d++)
                assert_int_not_equal(v[d], motor);
        }
    }
}

TEST(joints_change_their_kind)
{
    owned_model *model = load_closed("closed_loop: [[end_b, end_c]]\n"
                                     "joint_name: [pin, knee, rocker]\n"
                                     "joint_type: [SPHERICAL, UJOINT_ZX, FIXED]\n");
    const lb_joint *pin = joint_named(model, "pin"), *knee = joint_named(model, "knee");
    assert_int_equal(pin->kind, LB_JOINT_BALL);
    assert_true(pin->placement.p.x == 2 && pin->value[0] == 1 && isinf(pin->upper[0]));
    assert_int_equal(knee->kind, LB_JOINT_UNIVERSAL);
    assert_true(knee->axis.z == 1 && knee->axis2.x == 1 && isinf(knee->lower[1]));
    assert_int_equal(joint_named(model, "rocker")->kind, LB_JOINT_FIXED);
    assert_int_equal(joint_named(model, "crank")->kind, LB_JOINT_REVOLUTE);
    assert_true(joint_named(model, "crank")->upper[0] == 3);
}

/* three hinges on one point, passive and without limits, about axes at right angles, with nothing
   between them */
TEST(three_hinges_in_place_of_a_ball_are_one)
{
    static const struct {
        const char *inside, *first, *second, *keys;
        lb_joint_kind kind;
    } cases[] = {
        {"", "", "", "", LB_JOINT_BALL},
        {"<inertial><mass value='1e-9'/></inertial>", "", "", "", LB_JOINT_BALL},
        {"<inertial><mass value='1'/></inertial>", "", "", "", LB_JOINT_CONTINUOUS},
        {"<visual><geometry><sphere radius='1'/></geometry></visual>", "", "", "",
         LB_JOINT_CONTINUOUS},
        {"", "<limit lower='-1' upper='1'/>", "", "", LB_JOINT_CONTINUOUS},
        {"", "", "<origin xyz='0 0 0.001'/>", "", LB_JOINT_CONTINUOUS},
        {"", "", "<origin rpy='0 0 0.5'/>", "", LB_JOINT_CONTINUOUS},
        {"", "", "", "name_mot: [j1]\n", LB_JOINT_CONTINUOUS},
        {"", "", "", "name_mot: [j0]\n", LB_JOINT_BALL},
    };
    lb_model_release(load_closed(yaml));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000], keys[200];
        bool limited = cases[i].first[0] != '\0';
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='a'/><link name='b'/><link name='x'>%s</link>"
                 "<link name='y'/><link name='c'/>"
                 "<joint name='j0' type='continuous'><parent link='a'/><child link='b'/></joint>"
                 "<joint name='j1' type='%s'><parent link='b'/><child link='x'/>%s"
                 "<axis xyz='1 0 0'/><origin xyz='1 2 3'/></joint>"
                 "<joint name='j2' type='continuous'><parent link='x'/><child link='y'/>%s"
                 "<axis xyz='0 1 0'/></joint>"
                 "<joint name='j3' type='continuous'><parent link='y'/><child link='c'/>"
                 "<axis xyz='0 0 1'/></joint></robot>",
                 cases[i].inside, limited ? "revolute" : "continuous", cases[i].first,
                 cases[i].second);
        snprintf(keys, sizeof keys, "closed_loop: [[a, c]]\ntype: [3d]\n%s", cases[i].keys);
        write_text("named_loops.yaml", keys, strlen(keys));
        lb_load_options options = {.loops = "named_loops.yaml"};
        owned_model *model = NULL;
        lb_error error = {0};
        assert_made(
            lb_load_memory_with_options("r.urdf", text, strlen(text), &options, &model, &error),
            error);
        remove("named_loops.yaml");
        bool ball = cases[i].kind == LB_JOINT_BALL;
        assert_int_equal(joint_named(model, "j3")->kind, cases[i].kind);
        assert_int_equal(joint_named(model, "j2")->kind, ball ? LB_JOINT_FIXED : cases[i].kind);
        assert_int_equal(joint_named(model, "j0")->kind, LB_JOINT_CONTINUOUS);
        assert_int_equal(lb_model_nv(model), 4);
    }
}

TEST(unknown_joints_are_passed_over_with_a_warning)
{
    static const char text[] = "closed_loop: [[end_b, end_c]]\nname_mot: [cranc]\n"
                               "joint_name: [x]\njoint_type: [FIXED]\n";
    owned_model *model = load_closed(text);
    assert_string_equal(warned, "2: the model has no joint 'cranc', which is passed over\n"
                                "3: the model has no joint 'x', which is passed over\n");
    lb_model *none;
    assert_refused(load_with(text, sizeof text - 1, NULL, true, &none, &cause), LB_BAD_MODEL,
                   &cause, "(refused as strict)");
    assert_null(none);
}

/* ---- where it is found ---------------------------------------------------- */

static int count_loops(const char *beside)
{
    lb_model *model;
    lb_error error = {0};
    write_text("found_bars.yaml", beside, strlen(beside));
    lb_status status = lb_load("found_bars.urdf", NULL, &model, &error);
    int count = status == LB_OK ? lb_model_loop_count(model) : -1;
    if (count < 0)
        assert_string_equal(error.path, "found_bars.yaml");
    lb_model_release(model);
    return count;
}

TEST(is_found_beside_a_urdf_by_its_key)
{
    lb_model *model = load_closed(yaml);
    lb_model_release(model);
    write_text("found_bars.urdf", urdf, sizeof urdf - 1);
    assert_int_equal(count_loops(yaml), 1);
    assert_int_equal(count_loops("joint_limits:\n  a: *b\n"), 0);
    assert_int_equal(count_loops("\tno YAML\n x: closed_loop: []\n"), 0);
    assert_int_equal(count_loops("closed_loop: [[end_b, nobody]]\n"), -1);
    remove("found_bars.yaml");
    owned_model *alone = NULL;
    assert_ok(lb_load("found_bars.urdf", NULL, &alone, NULL));
    assert_int_equal(lb_model_loop_count(alone), 0);
    remove("found_bars.urdf");
}

/* ---- what is refused -------------------------------------------------------- */

TEST(refuses_with_line_and_key)
{
    static const struct {
        const char *text;
        int line;
        const char *says;
    } cases[] = {
        {"type: ['6d']\n", 1, "the key \"closed_loop\" is missing"},
        {"closed_loop: 3\n", 1, "closed_loop: expected an array [...], not a number"},
        {"closed_loop:\n- [end_b]\n", 2, "closed_loop[0]: expected 2 elements, not 1"},
        {"closed_loop:\n- [end_b, edn_c]\n", 2,
         "closed_loop[0][1]: the model has no link and no joint 'edn_c'; did you mean 'end_c'?"},
        {"closed_loop:\n- [end_b, rokcer]\n", 2,
         "closed_loop[0][1]: the model has no link and no joint 'rokcer'; did you mean 'rocker'?"},
        {"closed_loop:\n- [end_c, tip_c]\n", 2, "closed_loop_1"},
        {"closed_loop:\n- [end_b, end_c]\ntype: []\n", 3, "type: expected 1 elements, not 0"},
        {"closed_loop:\n- [end_b, end_c]\ntype: [4d]\n", 3, "type[0]: no type of loop '4d'"},
        {"closed_loop: []\nname_mot: [[a]]\n", 2, "name_mot[0]: expected a string, not an array"},
        {"closed_loop: []\njoint_name: [pin]\n", 2, "joint_name: expected 0 elements, not 1"},
        {"closed_loop: []\njoint_type: [FIXED]\n", 2, "joint_type: expected 0 elements, not 1"},
        {"closed_loop: []\njoint_name: [pin]\njoint_type: [BALL]\n", 3,
         "joint_type[0]: no type of joint 'BALL'"},
        {"closed_loop: []\nclosed_loops: []\n", 2,
         "closed_loops: there is no such key here; did you mean 'closed_loop'?"},
        {"closed_loop: []\ntype: []\ntype: []\n", 3, "type: the key is there twice"},
        {"closed_loop: [*a]\n", 1, "aliases are not read"},
        {"", 0, ""},
        {"- 1\n", 1, "expected an object {...}, not an array"},
    };
    lb_model_release(load_closed(yaml));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lb_model *model;
        lb_error error = {0};
        lb_status status =
            load_with(cases[i].text, strlen(cases[i].text), NULL, false, &model, &error);
        assert_null(model);
        assert_int_not_equal(status, LB_OK);
        assert_string_equal(error.path, "named_loops.yaml");
        if (!strstr(error.message, cases[i].says) || error.line != cases[i].line)
            fail_msg("case %zu: line %d: %s", i, error.line, error.message);
    }
}

static void check_hostile(const char *text, size_t size)
{
    owned_model *model = NULL;
    lb_error error = {0};
    lb_status status = load_with(text, size, NULL, false, &model, &error);
    assert_true((status == LB_OK) == (model != NULL));
    assert_true(status == LB_OK || error.message[0] != '\0');
}

/* cut at every byte and with each byte changed it is read or refused with a message */
TEST(survives_hostile_text)
{
    static const char text[] = "closed_loop: [[end_b, \"end_c\"]]\ntype: [6d]\nname_mot: [pin]\n"
                               "joint_name: [pin]\njoint_type: [UJOINT_XY]\n";
    static const char patches[] = {'\0', '\n', ' ', '"', '{', '}', '[', ']', ':', '-', '&', '\xff'};
    char copy[sizeof text];
    for (size_t at = 0; at < sizeof text; at++) {
        memcpy(copy, text, sizeof text);
        copy[at] = patches[at % sizeof patches];
        check_hostile(copy, sizeof text - 1);
        check_hostile(text, at);
    }
}

TEST(survives_without_memory)
{
    ALLOCATIONS_FAIL (run, 200) {
        lb_error error = {0};
        owned_model *model = NULL;
        run.status = load_with(yaml, sizeof yaml - 1, &run.allocator, false, &model, &error);
    }
}

/* ---- real ones ------------------------------------------------------------ */

/* mobility as their builders have it: a motor for each, and for a loop with both ends on hinges of
   one axis the rod's own turn */
TEST(real_robots_close)
{
    static const struct {
        const char *name;
        int loops, mobility, motors;
    } cases[] = {{"5bar_linkage", 1, 3, 2},
                 {"cassie_like", 2, 7, 5},
                 {"digit_like", 3, 9, 6},
                 {"disney_like", 3, 9, 6},
                 {"robot_delta", 3, 5, 2}};
    lb_model_release(load_closed(yaml));
    if (access(LIMBER_DATA_DIR "/loops", R_OK) != 0) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/loops\n");
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[1024];
        lb_error error;
        owned_model *model = NULL;
        owned_assembly *assembly = NULL;
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/loops/%s/robot.urdf", cases[i].name);
        assert_made(lb_load(path, NULL, &model, &error), error);
        assert_ok(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL));
        lb_loop_mobility m = lb_assembly_mobility(assembly);
        assert_true(m.closed);
        assert_int_equal(lb_model_loop_count(model), cases[i].loops);
        assert_int_equal(m.found, cases[i].mobility);
        int motors = 0, dependent[64], count = lb_assembly_dependent(assembly, dependent);
        for (int j = 0; j < lb_model_joint_count(model); j++) {
            motors += lb_model_joint(model, j)->driven;
            for (int d = 0; d < count && lb_model_joint(model, j)->driven; d++)
                assert_int_not_equal(dependent[d], lb_model_joint_v(model, j));
        }
        assert_int_equal(motors, cases[i].motors);
    }
}
