/*
 * test_loops.c - loops in files: MJCF's equality constraints, limber JSON, the built-in linkages.
 */
#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <limber/loops.h>
#include <unistd.h>

#include "refusals_mjcf.h"
#include "support.h"
#include "support_load.h"

static double distance(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_sub(a, b));
}

static lb_model *load_as(const char *name, const char *text)
{
    lb_model *model = NULL;
    assert_made(lb_load_memory(name, text, strlen(text), NULL, &model, &cause), cause);
    return model;
}

static void check_refused(const char *name, const char *text, int line, const char *words)
{
    lb_model *model = NULL;
    lb_error error;
    assert_int_not_equal(lb_load_memory(name, text, strlen(text), NULL, &model, &error), LB_OK);
    if (strstr(error.message, words) == NULL)
        fail_msg("'%s' does not say '%s'", error.message, words);
    assert_int_equal(error.line, line);
}

/* T_firstframe_secondframe of a loop at a configuration, by the oracle */
static lb_transform seen(const lb_model *model, int i, const double *q)
{
    lb_transform links[64];
    const lb_loop *loop = lb_model_loop(model, i);
    test_forward(model, q, links);
    lb_transform a =
        lb_transform_multiply(&links[lb_model_find_link(model, loop->first)], &loop->first_frame);
    lb_transform b =
        lb_transform_multiply(&links[lb_model_find_link(model, loop->second)], &loop->second_frame);
    return lb_transform_between(&a, &b);
}

/* ---- MJCF ----------------------------------------------------------------- */

#define ARMS                                                                                       \
    "<body name='a' pos='1 2 0' euler='0 0 30'><joint name='ja' axis='0 0 1' ref='20'/>"           \
    "<body name='b' pos='0.3 0 0.1' euler='10 20 0'><joint name='jb' axis='0 1 0'/>"               \
    "<site name='s' pos='0.1 0.2 0.3' euler='0 0 90'/></body></body>"                              \
    "<body name='c' pos='0 1 0' euler='40 0 0'><joint name='jc' type='slide' axis='0 0 1' "        \
    "ref='0.5'/><site name='t'/></body>"

TEST(connect_and_weld_hold_at_rest)
{
    owned_model *model = load_as(
        "m.xml", WITH_TOP("<equality><connect body1='b' body2='c' anchor='0.1 0.2 0.3'/>"
                          "<weld name='w' body1='c' body2='b'/><weld body1='b'/></equality>",
                          ARMS));
    owned double *q = calloc((size_t)lb_model_nq(model), sizeof *q);
    lb_configuration_neutral(model, q);
    assert_int_equal(lb_model_loop_count(model), 3);
    assert_int_equal(lb_model_loop(model, 0)->kind, LB_LOOP_BALL);
    assert_string_equal(lb_model_loop(model, 1)->name, "w");
    assert_int_equal(lb_model_loop(model, 1)->kind, LB_LOOP_WELD);
    assert_string_equal(lb_model_loop(model, 2)->second, lb_model_link(model, 0)->name);
    assert_near(distance(lb_model_loop(model, 0)->first_frame.p, lb_vec3_make(0.1, 0.2, 0.3)), 0,
                0);
    for (int i = 0; i < 3; i++) {
        lb_transform at = seen(model, i, q), none = LB_TRANSFORM_IDENTITY;
        assert_near(lb_vec3_length(at.p), 0, 1e-14);
        if (lb_model_loop(model, i)->kind == LB_LOOP_WELD)
            assert_transform_near(&at, &none, 1e-14);
    }
}

/* a range without the reference moves the value at rest, but no anchor and no coupling */
TEST(constraints_hold_at_the_reference_whatever_the_range)
{
    const char *arms = "<body name='a'><joint name='ja' axis='0 0 1' range='30 90'/>"
                       "<body name='b' pos='1 0 0'/></body>"
                       "<body name='c' pos='1 2 0'><joint name='jc' axis='0 0 1'/></body>";
    char text[2000];
    snprintf(text, sizeof text,
             WITH_TOP("<equality><connect body1='b' body2='c' anchor='0.5 0 0'/>"
                      "<joint joint1='jc' joint2='ja' polycoef='0 1 2'/></equality>",
                      "%s"),
             arms);
    owned_model *model = load_as("m.xml", text);
    const lb_loop *connect = lb_model_loop(model, 0), *coupling = lb_model_loop(model, 1);
    assert_near(distance(connect->second_frame.p, lb_vec3_make(0.5, -2, 0)), 0, 1e-15);
    for (int k = 0; k < LB_LOOP_TERMS; k++)
        assert_near(coupling->polynomial[k], k == 1 ? 1 : k == 2 ? 2 : 0, 1e-15);
    double q[2];
    lb_configuration_neutral(model, q);
    assert_near(q[lb_model_joint_q(model, lb_model_find_joint(model, "ja"))], LB_PI / 6, 1e-15);
}

TEST(sites_and_relpose_say_where)
{
    owned_model *model =
        load_as("m.xml", WITH_TOP("<equality><connect site1='s' site2='t'/>"
                                  "<weld body1='a' body2='c' relpose='1 2 3 0 1 0 0'/></equality>",
                                  ARMS));
    lb_transform none = LB_TRANSFORM_IDENTITY;
    assert_string_equal(lb_model_loop(model, 0)->first, "s");
    assert_transform_near(&lb_model_loop(model, 0)->first_frame, &none, 0);
    const lb_transform *relative = &lb_model_loop(model, 1)->first_frame;
    assert_near(distance(relative->p, lb_vec3_make(1, 2, 3)), 0, 0);
    assert_near(relative->y.y, -1, 1e-15);
}

/* a weld whose torques count nothing holds its anchor, a point of the second body, and no more */
TEST(a_weld_without_torque_is_a_ball)
{
    owned_model *model =
        load_as("m.xml", WITH_TOP("<equality><weld body1='b' body2='c' anchor='0.1 0.2 0.3' "
                                  "torquescale='0'/><weld body1='a' body2='c' anchor='0 0 1' "
                                  "torquescale='0' relpose='1 2 3 0 1 0 0'/>"
                                  "<weld site1='s' site2='t' torquescale='0'/></equality>",
                                  ARMS));
    double q[3];
    lb_configuration_neutral(model, q);
    for (int i = 0; i < 3; i++)
        assert_int_equal(lb_model_loop(model, i)->kind, LB_LOOP_BALL);
    const lb_loop *loop = lb_model_loop(model, 0);
    assert_near(distance(loop->second_frame.p, lb_vec3_make(0.1, 0.2, 0.3)), 0, 0);
    assert_near(lb_vec3_length(seen(model, 0, q).p), 0, 1e-14);
    // half a turn about x puts the anchor below
    assert_near(distance(lb_model_loop(model, 1)->first_frame.p, lb_vec3_make(1, 2, 2)), 0, 1e-15);
}

/* a site and a body may have one name, and the world has sites too, also in frames */
TEST(sites_are_found_whatever_their_links_are_called)
{
    owned_model *model = load_as(
        "m.xml", WITH_TOP("<equality><connect site1='w' site2='t'/><weld site1='b' site2='t'/>"
                          "<connect body1='b' body2='world'/></equality>",
                          ARMS "<frame pos='1 0 0'><site name='w' pos='0 2 0'/></frame>"
                               "<body name='d' pos='0 0 3'><site name='b' pos='0 0 1'/></body>"));
    owned_state *state = NULL;
    owned double *q = calloc((size_t)lb_model_nq(model), sizeof *q);
    lb_configuration_neutral(model, q);
    assert_ok(lb_state_create(model, NULL, &state));
    lb_state_update(state, q);
    static const lb_vec3 places[] = {{1, 2, 0}, {0, 0, 4}};
    for (int i = 0; i < 2; i++) {
        int link = lb_model_find_link(model, lb_model_loop(model, i)->first);
        lb_transform at = lb_state_transform(state, LB_WORLD, link);
        assert_near(distance(at.p, places[i]), 0, 1e-15);
    }
    assert_string_equal(lb_model_loop(model, 1)->first, "b_site");
    assert_string_equal(lb_model_loop(model, 2)->first, "b");
    assert_string_equal(lb_model_loop(model, 2)->second, "world");
}

/* y - y0 = P(x - x0), with the rest values 20 degrees and 0.5 */
TEST(a_polynomial_of_higher_order_couples)
{
    owned_model *model = load_as(
        "m.xml", WITH_TOP("<equality><joint joint1='jc' joint2='ja' polycoef='.1 .2 .3 .4 .5'/>"
                          "<joint joint1='jb' joint2='ja' polycoef='0 2'/></equality>",
                          ARMS));
    assert_int_equal(lb_model_loop_count(model), 1);
    const lb_loop *loop = lb_model_loop(model, 0);
    assert_int_equal(loop->kind, LB_LOOP_COUPLING);
    assert_string_equal(loop->first, "jc");
    assert_string_equal(loop->second, "ja");
    for (int i = -5; i <= 5; i++) {
        double x = 0.4 * i, d = x - 20 * LB_PI / 180, y = 0;
        for (int k = LB_LOOP_TERMS; k-- > 0;)
            y = y * x + loop->polynomial[k];
        assert_near(y, 0.5 + 0.1 + d * (0.2 + d * (0.3 + d * (0.4 + d * 0.5))), 1e-14);
    }
    assert_non_null(lb_model_joint(model, lb_model_find_joint(model, "jb"))->mimic);
}

/* four equal bars at right angles */
#define BARS                                                                                       \
    "<body name='a'><joint name='ja' axis='0 0 1'/><body name='b' pos='0 1 0'>"                    \
    "<joint name='jb' axis='0 0 1'/></body></body>"                                                \
    "<body name='c' pos='1 0 0'><joint name='jc' axis='0 0 1'/></body>"
#define BAR_LOOP "<equality><connect body1='b' body2='c' anchor='1 0 0'/></equality>"

static bool is_driven(const lb_model *model, const char *joint)
{
    return lb_model_joint(model, lb_model_find_joint(model, joint))->driven;
}

/* what a motor moves, by itself or by a tendon, stays independent */
TEST(mjcf_actuators_drive_joints)
{
    static const struct {
        const char *actuator;
        int independent;
    } cases[] = {
        {"", 0},
        {"<actuator><motor joint='jc'/></actuator>", 2},
        {"<actuator><general jointinparent='jc'/></actuator>", 2},
        {"<actuator><position joint='jb'/></actuator>", 1},
        {"<actuator><velocity tendon='t'/></actuator>", 2},
        {"<actuator><damper joint='jc'/></actuator>", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 WITH_TOP("<tendon><fixed name='u'><joint joint='jb' coef='1'/></fixed>"
                          "<fixed name='t'><joint joint='jd' coef='1'/>"
                          "<joint joint='jc' coef='2'/></fixed></tendon>" BAR_LOOP "%s",
                          BARS "<body name='d'><joint name='jd'/></body>"),
                 cases[i].actuator);
        owned_model *model = load_as("m.xml", text);
        owned_assembly *assembly = NULL;
        assert_ok(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL));
        int v[4], count = lb_assembly_dependent(assembly, v);
        assert_int_equal(count, 2);
        for (int k = 0; k < count; k++)
            assert_int_not_equal(v[k], cases[i].independent);
        assert_int_equal(is_driven(model, "jd"), i == 4);
    }
}

/* a joint with a spring follows after those that nothing holds, and before driven ones */
TEST(mjcf_springs_follow_after_passive_joints)
{
    static const struct {
        const char *a, *b, *c, *actuator;
        int independent;
    } cases[] = {
        {"", "", "", "", 0},
        {"", "class='s'", "", "", 1},
        {"", "", "stiffness='1 0 2'", "", 2},
        {"", "class='s' stiffness='0'", "", "", 0},
        {"", "class='s'", "class='s'", "", 1}, // of two the first, as of passive ones
        {"", "class='s'", "", "<motor joint='ja'/>", 0},
        {"class='s'", "", "", "<motor joint='jc'/>", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 WITH_TOP("<default><default class='s'><joint stiffness='3'/></default></default>"
                          "<actuator>%s</actuator>" BAR_LOOP,
                          "<body name='a'><joint name='ja' axis='0 0 1' %s/>"
                          "<body name='b' pos='0 1 0'><joint name='jb' axis='0 0 1' %s/></body>"
                          "</body><body name='c' pos='1 0 0'>"
                          "<joint name='jc' axis='0 0 1' %s/></body>"),
                 cases[i].actuator, cases[i].a, cases[i].b, cases[i].c);
        owned_model *model = load_as("m.xml", text);
        lb_assembly *assembly = NULL;
        assert_ok(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL));
        int v[4], count = lb_assembly_dependent(assembly, v);
        assert_int_equal(count, 2);
        for (int k = 0; k < count; k++)
            assert_int_not_equal(v[k], cases[i].independent);
        lb_assembly_release(assembly);

        // and so it is when it is written and read again
        owned char *written = NULL;
        lb_model *again = NULL;
        assert_ok(lb_json_write(model, NULL, &written, NULL));
        assert_ok(lb_load_memory("m.json", written, strlen(written), NULL, &again, NULL));
        for (int j = 0; j < lb_model_joint_count(model); j++)
            assert_int_equal(lb_model_joint(again, j)->sprung, lb_model_joint(model, j)->sprung);
        lb_model_release(again);
    }
}

TEST(mjcf_refuses_ends_that_do_not_exist)
{
    check_refused("m.xml", WITH_TOP("<equality><connect body1='b' body2='cc'/></equality>", ARMS),
                  2, "body2: no body 'cc'");
    check_refused("m.xml", WITH_TOP("<equality><weld body1='s' body2='b'/></equality>", ARMS), 2,
                  "body1: no body 's'");
    check_refused("m.xml", WITH_TOP("<equality><weld site1='s' site2='b'/></equality>", ARMS), 2,
                  "site2: no site 'b'");
    check_refused("m.xml", WITH_TOP("<equality><weld body2='b'/></equality>", ARMS), 2,
                  "needs body1");
    check_refused("m.xml", WITH_TOP("<equality><weld site1='s'/></equality>", ARMS), 2,
                  "needs body1");
    check_refused("m.xml", WITH_TOP("<equality><weld body1='a' body2='a'/></equality>", ARMS), 2,
                  "both ends are 'a'");
    owned_model *model = load_as(
        "m.xml", WITH_TOP("<equality><weld body1='a' body2='b' active='false'/></equality>", ARMS));
    assert_int_equal(lb_model_loop_count(model), 0);
}

/* ---- JSON ----------------------------------------------------------------- */

#define JSON_PARTS                                                                                 \
    "{\"limber\": 1, \"name\": \"m\", \"links\": [{\"name\": \"a\"}, {\"name\": \"b\"}, "          \
    "{\"name\": \"c\"}],\n\"joints\": [{\"name\": \"ja\", \"kind\": \"revolute\", "                \
    "\"parent\": \"a\", \"child\": \"b\"}, {\"name\": \"jb\", \"kind\": \"ball\", "                \
    "\"parent\": \"a\", \"child\": \"c\"}],\n\"loops\": [\n"

TEST(json_keeps_every_kind)
{
    lb_random random = test_seed(31);
    for (int kind = 0; kind < LB_LOOP_COUPLING; kind++) {
        char text[2048];
        lb_vec3 p = test_random_transform(&random).p, r = test_random_direction(&random);
        snprintf(text, sizeof text,
                 JSON_PARTS "{\"name\": \"l\", \"kind\": \"%s\", \"first\": \"b\", \"second\": "
                            "\"c\", \"first_frame\": {\"xyz\": [%.17g, %.17g, %.17g], \"rpy\": "
                            "[%.3f, %.3f, %.3f]}}]}",
                 lb_loop_kind_text((lb_loop_kind)kind), p.x, p.y, p.z, r.x, r.y, r.z);
        owned_model *model = load_as("m.json", text);
        const lb_loop *loop = lb_model_loop(model, 0);
        assert_int_equal(loop->kind, kind);
        assert_near(distance(loop->first_frame.p, p), 0, 0);
        owned char *written = NULL;
        assert_ok(lb_json_write(model, NULL, &written, NULL));
        owned_model *again = load_as("m.json", written);
        assert_memory_equal(&lb_model_loop(again, 0)->first_frame, &loop->first_frame,
                            sizeof loop->first_frame);
        assert_memory_equal(&lb_model_loop(again, 0)->second_frame, &loop->second_frame,
                            sizeof loop->second_frame);
        assert_int_equal(lb_model_loop(again, 0)->kind, kind);
        assert_string_equal(lb_model_loop(again, 0)->second, "c");
    }
}

TEST(json_refuses_wrong_loops_by_name)
{
    check_refused("m.json",
                  JSON_PARTS "{\"name\": \"l\", \"kind\": \"hing\", \"first\": \"b\", \"second\": "
                             "\"c\"}]}",
                  4, "did you mean 'hinge'");
    check_refused("m.json",
                  JSON_PARTS "{\"name\": \"l\", \"kind\": \"ball\", \"first\": \"b\", \"second\": "
                             "\"d\"}]}",
                  4, "loop 'l': there is no link 'd'");
    check_refused("m.json",
                  JSON_PARTS "{\"name\": \"l\", \"kind\": \"coupling\", \"first\": \"ja\", "
                             "\"second\": \"jb\"}]}",
                  4, "joint 'jb' does not have one value");
    check_refused("m.json",
                  JSON_PARTS "{\"name\": \"l\", \"kind\": \"ball\", \"first\": \"b\", \"second\": "
                             "\"a\"},\n{\"name\": \"l\", \"kind\": \"ball\", \"first\": \"b\", "
                             "\"second\": \"c\"}]}",
                  5, "two loops are named 'l'");
    check_refused("m.json",
                  JSON_PARTS "{\"name\": \"l\", \"kind\": \"coupling\", \"first\": \"ja\", "
                             "\"second\": \"jb\",\n\"polynomial\": [1, 2, 3, 4, 5, 6]}]}",
                  5, "expected 1 to 5");
}

/* ---- models and files ------------------------------------------------------ */

TEST(built_in_linkages_are_closed_at_rest)
{
    static const char *const names[] = {"four_bar", "slider_crank"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        owned_model *model = test_load(names[i]);
        double q[8];
        lb_configuration_neutral(model, q);
        assert_near(lb_vec3_length(seen(model, 0, q).p), 0, 1e-15);
        owned_assembly *assembly = NULL;
        assert_ok(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL));
        assert_int_equal(lb_assembly_mobility(assembly).found, 1);
        // a whole turn of the crank, which is independent
        double to[8];
        memcpy(to, q, sizeof to);
        to[lb_model_joint_q(model, lb_model_find_joint(model, "crank"))] = 2 * LB_PI;
        assert_int_equal(lb_assembly_follow(assembly, q, to, to, NULL), LB_ASSEMBLED);
        assert_near(lb_vec3_length(seen(model, 0, to).p), 0, 1e-12);
    }
}

/* a gripper whose springs and stops decide: of its loops alone, the mobility is 3; a walker's legs
 */
TEST(real_linkages_close)
{
    static const struct {
        const char *file;
        int loops, counted_less, rank;
    } cases[] = {{"robotiq_2f85/2f85.xml", 2, 6, 4}, {"agility_cassie/cassie.xml", 4, 12, 10}};
    if (access(LIMBER_DATA_DIR "/loops", R_OK) != 0) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/loops\n");
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[1024];
        lb_error error;
        owned_model *model = NULL;
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/loops/%s", cases[i].file);
        assert_made(lb_load(path, NULL, &model, &error), error);
        owned_assembly *assembly = NULL;
        assert_ok(lb_assembly_create(model, NULL, 0, NULL, &assembly, NULL));
        lb_loop_mobility m = lb_assembly_mobility(assembly);
        assert_true(m.closed);
        assert_int_equal(lb_model_loop_count(model), cases[i].loops);
        assert_int_equal(m.velocities - m.counted, cases[i].counted_less);
        assert_int_equal(m.rank, cases[i].rank);
    }
}
