/* test_urdf.c - URDF: everything it says is read, everything that is wrong is refused. */
#include "formats/refusals_urdf.h"
#include "formats/sample_urdf.h"
#include "loading.h"

#include <limber/formats/load.h>

#include <dirent.h>
#include <libxml/parser.h>

/* ---- what is read ------------------------------------------------------- */

TEST(reads_joints)
{
    owned_model *model = load_text("all.urdf", everything);
    assert_string_equal(lb_model_name(model), "all");
    assert_int_equal(lb_model_link_count(model), 8);
    assert_int_equal(lb_model_joint_count(model), 7);
    assert_int_equal(lb_model_nq(model), 1 + 1 + 1 + 3 + 7);

    const lb_joint *joint = joint_named(model, "shoulder");
    assert_int_equal(joint->kind, LB_JOINT_REVOLUTE);
    assert_string_equal(joint->parent, "base");
    assert_string_equal(joint->child, "arm");
    lb_transform placement = lb_transform_translation(1, -2, 3.5);
    assert_transform_near(&joint->placement, &placement, 0);
    assert_near(joint->axis.z, 1, 0);
    assert_near(joint->lower[0], 0.5, 0);
    assert_near(joint->upper[0], 2, 0);
    assert_near(joint->velocity, 3, 0);
    assert_near(joint->effort, 4, 0);

    // rests as near to zero as its limits allow
    assert_near(joint->value[0], 0.5, 0);
}

TEST(reads_every_type)
{
    owned_model *model = load_text("all.urdf", everything);
    assert_int_equal(joint_named(model, "fix")->kind, LB_JOINT_FIXED);
    assert_int_equal(joint_named(model, "glide")->kind, LB_JOINT_PLANAR);
    assert_int_equal(joint_named(model, "fly")->kind, LB_JOINT_FLOATING);

    // the axis is x unless it is given, a missing limit zero, a velocity of 0 none
    const lb_joint *joint = joint_named(model, "slide");
    assert_int_equal(joint->kind, LB_JOINT_PRISMATIC);
    assert_near(joint->axis.x, 1, 0);
    assert_near(joint->lower[0], 0, 0);
    assert_near(joint->upper[0], 0.1, 0);
    assert_true(isinf(joint->velocity) && isinf(joint->effort));

    // continuous joints have no limits, whatever the file gives them
    joint = joint_named(model, "spin");
    assert_int_equal(joint->kind, LB_JOINT_CONTINUOUS);
    assert_true(isinf(joint->lower[0]) && isinf(joint->upper[0]));
    assert_near(joint->velocity, 7, 0);

    // a planar joint's axis is the normal of its plane
    joint = joint_named(model, "glide");
    assert_near(joint->axis.x, 1, 0);
    assert_near(joint->axis2.y, 1, 0);

    joint = joint_named(model, "follow");
    assert_string_equal(joint->mimic, "slide");
    assert_near(joint->multiplier, -2, 0);
    assert_near(joint->offset, 0.01, 0);
}

TEST(reads_masses)
{
    owned_model *model = load_text("all.urdf", everything);
    const lb_link *link = lb_model_link(model, lb_model_find_link(model, "arm"));
    assert_near(link->mass, 2.5, 0);
    assert_near(link->center.x, 0.1, 0);
    assert_near(link->center.z, 0.3, 0);

    // a quarter turn about z: x and y change places, xy changes its sign, xz and yz mix
    const double expected[6] = {2, 1, 3, -0.1, -0.3, 0.2};
    for (int i = 0; i < 6; i++)
        assert_near(link->inertia[i], expected[i], 1e-15);
}

static void check_visual(const lb_geometry *visual, lb_shape shape, double x, double y, double z,
                         const double color[4])
{
    assert_int_equal(visual->shape, shape);
    assert_near(visual->size.x, x, 0);
    if (shape == LB_SHAPE_BOX || shape == LB_SHAPE_MESH)
        assert_near(visual->size.y, y, 0);
    if (shape != LB_SHAPE_SPHERE)
        assert_near(visual->size.z, z, 0);
    for (int i = 0; i < 4; i++)
        assert_near(visual->color[i], color[i], 0);
}

/* what links collide with: of its own, never taken from the visuals */
TEST(reads_collisions)
{
    static const double none[4];
    owned_model *model = load_text("all.urdf", everything);
    const lb_link *link = lb_model_link(model, lb_model_find_link(model, "arm"));
    assert_int_equal(link->collision_count, 2);
    check_visual(&link->collisions[0], LB_SHAPE_CAPSULE, 0.3, 0, 2, none);
    check_visual(&link->collisions[1], LB_SHAPE_MESH, 2, 2, 2, none);
    assert_near(link->collisions[0].origin.p.x, 1, 0);
    assert_string_equal(link->collisions[1].mesh, "d.obj");
    assert_int_equal(lb_model_link(model, 0)->collision_count, 0);
    assert_null(lb_model_link(model, 0)->collisions);
}

TEST(reads_visuals)
{
    static const double red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 0.5}, none[4] = {0};
    owned_model *model = load_text("all.urdf", everything);
    const lb_link *link = lb_model_link(model, lb_model_find_link(model, "arm"));
    assert_int_equal(link->visual_count, 6);
    check_visual(&link->visuals[0], LB_SHAPE_BOX, 1, 2, 3, red);
    check_visual(&link->visuals[1], LB_SHAPE_CYLINDER, 0.5, 0, 2, green);
    check_visual(&link->visuals[2], LB_SHAPE_SPHERE, 0.25, 0, 0, none);
    check_visual(&link->visuals[3], LB_SHAPE_CAPSULE, 0.1, 0, 1, none);
    check_visual(&link->visuals[4], LB_SHAPE_MESH, 1, -1, 2, none);
    check_visual(&link->visuals[5], LB_SHAPE_MESH, 1, 1, 1, none);
    assert_near(link->visuals[0].origin.p.z, 0.5, 0);
    assert_string_equal(link->visuals[4].mesh, "package://a/b.stl");
    assert_null(link->visuals[3].mesh);
}

TEST(reads_origins)
{
    // fixed axes x, y, z in this order: R = Rz(yaw) Ry(pitch) Rx(roll)
    owned_model *model = load_text(
        "r.urdf", "<robot name='r' version='1.1'><link name='a'/><link name='b'/><link name='c'/>"
                  "<joint name='j' type='fixed'><parent link='a'/><child link='b'/>"
                  "<origin rpy='0.1 0.2 0.3'/></joint>"
                  "<joint name='k' type='fixed'><parent link='b'/><child link='c'/>"
                  "<origin xyz='1 2 3' quat_xyzw='0 0 0.6 0.8'/></joint></robot>");
    double cr = cos(0.1), sr = sin(0.1), cp = cos(0.2), sp = sin(0.2), cy = cos(0.3), sy = sin(0.3);
    lb_transform expected = {.x = {cy * cp, sy * cp, -sp},
                             .y = {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
                             .z = {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}};
    assert_transform_near(&joint_named(model, "j")->placement, &expected, 1e-15);

    lb_transform turned = {{0.28, 0.96, 0}, {-0.96, 0.28, 0}, {0, 0, 1}, {1, 2, 3}};
    assert_transform_near(&joint_named(model, "k")->placement, &turned, 1e-15);
}

/* ---- what is refused ---------------------------------------------------- */

TEST(refuses)
{
    for (size_t i = 0; i < sizeof urdf_refusals / sizeof *urdf_refusals; i++)
        check_refusal("robot.urdf", &urdf_refusals[i]);
}

/* a million nested elements, and entities that would grow to gigabytes */
TEST(survives_bombs)
{
    enum { DEPTH = 1000000 };
    char *text = malloc(DEPTH * 4 + 64);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "<robot name='r'>");
    for (int i = 0; i < DEPTH; i++, used += 3)
        memcpy(text + used, "<a>", 3);
    assert_int_equal(load_hostile("deep.urdf", text, used, NULL), LB_SYNTAX_ERROR);
    free(text);

    static const char laughs[] =
        "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
        "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]><robot name='&c;'><link name='a'/></robot>";
    assert_int_equal(load_hostile("laughs.urdf", laughs, sizeof laughs - 1, NULL), LB_UNSUPPORTED);
}

TEST(survives_truncation)
{
    load_truncated("all.urdf", everything);
}

TEST(survives_patches)
{
    load_patched("all.urdf", everything);
}

TEST(survives_without_memory)
{
    load_without_memory("all.urdf", everything);
}

/* ---- the parser's own memory -------------------------------------------- */

static void *parser_realloc(void *memory, size_t size)
{
    return parser_has_memory() ? realloc(memory, size) : NULL;
}

static char *parser_strdup(const char *text)
{
    char *copy = parser_malloc(strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

TEST(survives_without_parser_memory)
{
    load_without_parser_memory("all.urdf", everything);
}

/* ---- real robots -------------------------------------------------------- */

static bool is_urdf(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".urdf") == 0;
}

/* ---- what is warned of ------------------------------------------------------ */

/* The warnings about a file, one line each. */
typedef struct warnings {
    char text[4096];
    int count;
} warnings;

static void keep_warning(void *user, const lb_error *warning)
{
    warnings *kept = user;
    size_t used = strlen(kept->text);
    assert_ok(warning->status);
    snprintf(kept->text + used, sizeof kept->text - used, "%s:%d: %s\n", warning->path,
             warning->line, warning->message);
    kept->count++;
}

/* loads a file with these lines in a link and in a joint; returns how that ended */
static lb_status load_untidy(const char *link, const char *joint, warnings *kept)
{
    char text[2048];
    owned_model *model = NULL;
    snprintf(text, sizeof text,
             "<robot name=\"r\">\n<link name=\"a\">\n%s</link><link name=\"b\"/>\n"
             "<joint name=\"j\" type=\"revolute\">\n<parent link=\"a\"/><child link=\"b\"/>\n"
             "%s</joint>\n</robot>\n",
             link, joint);
    *kept = (warnings){.count = 0};
    lb_load_options options = {.warn = keep_warning, .user = kept};
    lb_status status =
        lb_load_memory_with_options("r.urdf", text, strlen(text), &options, &model, &cause);
    return status;
}

TEST(warns_of_untidy_files)
{
    static const struct {
        const char *link, *joint, *says;
    } cases[] = {
        {"", "<orgin xyz=\"1 0 0\"/>" LIMIT,
         "r.urdf:6: joint 'j': <orgin> is passed over; did you mean <origin>?\n"},
        {"", LIMIT "<Axis xyz=\"0 0 1\"/>",
         "r.urdf:6: joint 'j': <Axis> is passed over; did you mean <axis>?\n"},
        {"", LIMIT "\n<origin xyz=\"1 0 0\" ryp=\"0 0 1\"/>",
         "r.urdf:7: joint 'j': <origin> has no attribute 'ryp', which is passed over; did you mean "
         "'rpy'?\n"},
        {"", "<limit lowr=\"-1\" upper=\"1\"/>",
         "r.urdf:6: joint 'j': <limit> has no attribute 'lowr', which is passed over; did you mean "
         "'lower'?\nr.urdf:6: joint 'j': <limit> has no lower, which is taken as 0\n"},
        {"<inertail><mass value=\"1\"/></inertail>", LIMIT,
         "r.urdf:3: link 'a': <inertail> is passed over; did you mean <inertial>?\n"},
        {"<visual><geometry><box size=\"1 1 1\"/></geometry>\n<matrial name=\"m\"/></visual>",
         LIMIT, "r.urdf:4: link 'a': <matrial> is passed over; did you mean <material>?\n"},
        {"<visual><geometry><box size=\"1 1 1\" sise=\"2 2 2\"/></geometry></visual>", LIMIT,
         "r.urdf:3: link 'a': <box> has no attribute 'sise', which is passed over; did you mean "
         "'size'?\n"},
        {"", "<limits lower=\"0\" upper=\"1\"/>",
         "r.urdf:6: joint 'j': <limits> is passed over; did you mean <limit>?\nr.urdf:4: joint "
         "'j': "
         "a revolute joint without <limit lower=\"...\" upper=\"...\"/>; no limits are assumed\n"},
        {"", "<limit lower=\"-180\" upper=\"180\"/>",
         "r.urdf:4: joint 'j': limits -180 .. 180 are read in radians but look like degrees, which "
         "would be -3.14159 .. 3.14159\n"},
        {"", "<limit upper=\"37.5\" lower=\"0\"/>",
         "r.urdf:4: joint 'j': limits 0 .. 37.5 are read in radians but look like degrees, which "
         "would be 0 .. 0.654498\n"},
        {"", "<limit lower=\"-1\" upper=\"1\" velocity=\"0\"/>", ""},
        {"", "<limit lower=\"-1\" upper=\"1\" velocity=\"-1\"/>",
         "r.urdf:6: joint 'j': velocity -1 is taken as no limit\n"},
        {"", "<limit lower=\"-1e16\" upper=\"3\"/>",
         "r.urdf:6: joint 'j': limits -1e+16 .. 3 beyond 1e+15 are taken as none\n"},
        {"", "<origin rpy=\"0 0 90\"/>" LIMIT,
         "r.urdf:6: joint 'j': rpy=\"0 0 90\" is read in radians but looks like degrees\n"},
        {"<visual><origin rpy=\"-180 0 0\"/><geometry><box size=\"1 1 1\"/></geometry></visual>",
         LIMIT, "r.urdf:3: link 'a': rpy=\"-180 0 0\" is read in radians but looks like degrees\n"},
        {"<visual><geometry><box size=\"1 1 1\"/></geometry>\n"
         "<material name=\"m\"><color rgba=\"2 0 0 1\"/></material></visual>",
         LIMIT,
         "r.urdf:4: link 'a': rgba=\"2 0 0 1\" goes beyond 0 to 1; the nearest in it is taken\n"},
        {"", "<origin rpy=\"6.2832 0 -6.3\"/>" LIMIT, ""},
        // extensions, and limits that are none, are no mistake
        {"<contact><lateral_friction value=\"1\"/></contact><gravity/><sensor type=\"x\"/>", LIMIT,
         ""},
        {"<m:visul xmlns:m=\"http://m\"/><!-- <orgin/> -->", LIMIT "<hardwareInterface/>", ""},
        {"<collision><verbose value=\"1\"/><geometry><box size=\"1 1 1\"/></geometry></collision>",
         LIMIT "<joint_properties damping=\"1\" friction=\"0\"/>", ""},
        {"", "<limit lower=\"-999999\" upper=\"999999\"/>", ""},
        {"", "<limit lower=\"-9.42\" upper=\"9.42\"/>", ""},
        {"", "<limit lower=\"-31.416\" upper=\"31.416\"/>", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        warnings kept;
        assert_ok(load_untidy(cases[i].link, cases[i].joint, &kept));
        assert_string_equal(kept.text, cases[i].says);
    }
}

TEST(colours_without_an_opacity_are_opaque)
{
    warnings kept;
    static const char link[] = "<visual><geometry><box size=\"1 1 1\"/></geometry>"
                               "<material><color rgba=\"1 0 0\"/></material></visual>";
    assert_ok(load_untidy(link, LIMIT, &kept));
    assert_string_equal(kept.text,
                        "r.urdf:3: link 'a': rgba=\"1 0 0\" has no opacity; 1 is taken\n");
}

/* what is refused for want of what is misspelt says so first */
TEST(warns_of_mistakes_that_are_refused)
{
    warnings kept;
    assert_int_equal(load_untidy("", LIMIT "</joint><jont/><joint>", &kept), LB_BAD_MODEL);
    assert_string_equal(kept.text, "r.urdf:6: <jont> is passed over; did you mean <joint>?\n");
}

/* a declaration of XML says nothing of the robot, wherever it is and whatever its version is */
TEST(passes_over_the_declaration)
{
    static const char *const starts[] = {"",
                                         "<?xml version='1.0'?>",
                                         "\n \t<?xml version='1.0'?>",
                                         "<?xml version='0.0' ?>\r\n",
                                         "<?xml version='0.0' encoding='utf-8'?>",
                                         "\xEF\xBB\xBF\n<?xml version='0.0'?>",
                                         "\n\n",
                                         "  <?xml version='1.0' encoding='ISO-8859-1'?>"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        char text[256];
        owned_model *model = NULL;
        lb_error error;
        snprintf(text, sizeof text,
                 "%s<robot name='r'><link name='a'/><link name='b'/><joint name='ball' "
                 "type='spherical'><parent link='a'/><child link='b'/></joint></robot>",
                 starts[i]);
        if (lb_load_memory_with_options("r.urdf", text, strlen(text), NULL, &model, &error) !=
            LB_OK)
            fail_msg("%d:%d: %s", error.line, error.column, error.message);
        assert_int_equal(lb_model_joint(model, lb_model_find_joint(model, "ball"))->kind,
                         LB_JOINT_BALL);
    }
}

/* ---- what is mended ------------------------------------------------------- */

/* a file with one joint, and what is warned of it */
static void check_mended(const char *text, const char *warning)
{
    lb_model *model;
    lb_error error;
    warnings kept = {.count = 0};
    lb_load_options options = {.warn = keep_warning, .user = &kept};
    if (lb_load_memory_with_options("r.urdf", text, strlen(text), &options, &model, &error) !=
        LB_OK)
        fail_msg("%d: %s\n%s", error.line, error.message, text);
    assert_string_equal(kept.text, warning);
    lb_model_release(model);

    // read strictly it is refused, with the same words
    options = (lb_load_options){.strict = true};
    lb_status status =
        lb_load_memory_with_options("r.urdf", text, strlen(text), &options, &model, &error);
    assert_int_equal(status, LB_BAD_MODEL);
    assert_null(model);
    char expected[1024];
    snprintf(expected, sizeof expected, "r.urdf:%d: %s", error.line, error.message);
    char *strict = strstr(expected, " (refused as strict)");
    assert_non_null(strict);
    *strict = '\0';
    assert_memory_equal(kept.text, expected, strlen(expected));
}

/* what the readers of ROS accept loads, and what was assumed is said */
TEST(mends_untidy_files)
{
    check_mended(
        URDF_LINK("<visual><geometry><box size='1 1 1'/></geometry>\n<material name='a'/>\n"
                  "<material name='b'/></visual>"),
        "r.urdf:4: link 'arm': a second <material> in one visual is passed over\n");
    check_mended(URDF_LINK("<collision><geometry><plane/></geometry></collision>"),
                 "r.urdf:2: link 'arm': a <collision> of the unknown shape <plane> is left out\n");
    check_mended(URDF_LINK("<collision/>"),
                 "r.urdf:2: link 'arm': a <collision> without a shape is left out\n");
    check_mended(
        "<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'>" ENDS
        "<mimic joint='k'/></joint></robot>",
        "r.urdf:2: joint 'j': it is fixed and mimics 'k', which has no effect\n");
    check_mended(ROBOT(ENDS LIMIT "<mimic joint='elbwo'/>"),
                 "r.urdf:3: joint 'elbow': it mimics 'elbwo', but no joint has that name; it is "
                 "read as a joint of its own; did you mean 'elbow'?\n");
    check_mended("<robot name='r' xmlns:xacro='x'><link name='a'/>\n<xacro:property name='p'/>\n"
                 "<xacro:wheel/></robot>",
                 "r.urdf:2: robot: <xacro:property> is left over from xacro and passed over; if "
                 "something is missing, expand it: xacro FILE > robot.urdf\n");
    check_mended(ROBOT(ENDS "<limit effort='1'/>"),
                 "r.urdf:3: joint 'elbow': <limit> has no lower and no upper; none are assumed\n");
    check_mended("<robot>\n<link name='a'/></robot>",
                 "r.urdf:1: robot: it has no name=\"...\" and is called 'robot'\n");
    check_mended(URDF_LINK("<inertial><mass value='1'/></inertial>\n<inertial/>"),
                 "r.urdf:3: link 'arm': a second <inertial> is passed over, as by other readers; "
                 "the first is in line 2\n");
    check_mended(
        ROBOT("<axis xyz='0 1 0'/>" ENDS LIMIT "\n<axis xyz='0 1 0'/>"),
        "r.urdf:4: joint 'elbow': a second <axis>, the same as in line 3, is passed over\n");
    check_mended(ROBOT(ENDS LIMIT "<origin xyz='1, 2e1,\t3'/>"),
                 "r.urdf:3: joint 'elbow': origin xyz=\"1, 2e1, 3\" has commas, which are passed "
                 "over\n");
    check_mended(ROBOT(ENDS), "r.urdf:3: joint 'elbow': a revolute joint without <limit "
                              "lower=\"...\" upper=\"...\"/>; no limits are assumed\n");
    check_mended(ROBOT(ENDS "<limit lower='-1'/>"),
                 "r.urdf:3: joint 'elbow': <limit> has no upper, which is taken as 0\n");
}

/* two joints, the second mimicking the first with these limits; returns what the first keeps */
static lb_joint load_mimic(const char *limit, const char *mimic, warnings *kept)
{
    char text[1024];
    owned_model *model = NULL;
    lb_load_options options = {.warn = keep_warning, .user = kept};
    *kept = (warnings){.count = 0};
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
             "<joint name='knuckle' type='revolute'>" ENDS
             "<limit lower='0' upper='0.8'/></joint>\n"
             "<joint name='finger' type='revolute'><parent link='b'/><child link='c'/>%s"
             "<mimic joint='knuckle' %s/></joint></robot>",
             limit, mimic);
    assert_ok(lb_load_memory_with_options("r.urdf", text, strlen(text), &options, &model, NULL));
    lb_joint joint = *lb_model_joint(model, lb_model_find_joint(model, "knuckle"));
    return joint;
}

/* the limits of a joint that mimics never freeze the mimicked one */
TEST(keeps_the_mimicked_range)
{
    static const struct {
        const char *limit, *mimic, *warning;
    } cases[] = {
        {"<limit lower='0' upper='0'/>", "multiplier='-1'",
         "r.urdf:3: joint 'finger': its limits 0 .. 0 would narrow 'knuckle', which it mimics, "
         "from "
         "0 .. 0.8 to 0 .. 0; they are not applied\n"},
        {"<limit lower='0' upper='0.8'/>", "multiplier='-1'",
         "r.urdf:3: joint 'finger': its limits 0 .. 0.8 would narrow 'knuckle', which it mimics, "
         "from 0 .. 0.8 to 0 .. 0; they are not applied\n"},
        {"<limit lower='0' upper='0'/>", "multiplier='0'", ""},
        {"<limit lower='0' upper='0.799999999'/>", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        warnings kept;
        lb_joint joint = load_mimic(cases[i].limit, cases[i].mimic, &kept);
        assert_string_equal(kept.text, cases[i].warning);
        assert_true(joint.lower[0] == 0 && !signbit(joint.lower[0]));
        assert_near(joint.upper[0], 0.8, 1e-8);
    }
}

/* behind a joint that mimics in turn, which keeps its own limits, the range of the last one counts:
   the joints come in any order, and 0.25 .. 0.75 = 2 (0.25 - x) + 0.25 for x from 0 to 0.25 */
TEST(keeps_limits_along_chains_of_mimics)
{
    static const struct {
        const char *limit, *warning;
        double lower;
    } cases[] = {
        {"lower='0.25' upper='0.75'", "", 0.25},
        {"lower='0.5' upper='0.75'",
         "r.urdf:2: joint 'far': its limits 0.5 .. 0.75 would narrow 'lead', which it mimics, from "
         "0 "
         ".. 0.25 to 0 .. 0.125; they are not applied\n",
         -INFINITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        owned_model *model = NULL;
        warnings kept = {.count = 0};
        lb_load_options options = {.warn = keep_warning, .user = &kept};
        snprintf(
            text, sizeof text,
            "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
            "\n<joint name='far' type='prismatic'><parent link='c'/><child link='d'/><limit "
            "%s/><mimic joint='mid' multiplier='2' offset='0.25'/></joint>\n"
            "<joint name='mid' type='prismatic'><parent link='b'/><child link='c'/><limit "
            "lower='0' upper='0.25'/><mimic joint='lead' multiplier='-1' offset='0.25'/></joint>"
            "\n<joint name='lead' type='prismatic'>" ENDS
            "<limit lower='0' upper='0.25'/></joint></robot>",
            cases[i].limit);
        assert_ok(
            lb_load_memory_with_options("r.urdf", text, strlen(text), &options, &model, NULL));
        assert_string_equal(kept.text, cases[i].warning);
        assert_near(lb_model_joint(model, lb_model_find_joint(model, "mid"))->upper[0], 0.25, 0);
        double lower = lb_model_joint(model, lb_model_find_joint(model, "far"))->lower[0];
        assert_true(lower == cases[i].lower);
        const lb_joint *lead = lb_model_joint(model, lb_model_find_joint(model, "lead"));
        assert_near(lead->lower[0], 0, 0);
        assert_near(lead->upper[0], 0.25, 0);
    }
}

/* the robots that are mended, and by how many warnings */
static const struct {
    const char *name;
    int count;
} mended[] = {{"bullet_bike.urdf", 2}, {"erd_pr2.urdf", 2}};

static int count_mended(const char *name)
{
    for (size_t i = 0; i < sizeof mended / sizeof *mended; i++)
        if (strcmp(mended[i].name, name) == 0)
            return mended[i].count;
    return 0;
}

/* every one loads and rests within its limits */
TEST(loads_real_robots)
{
    DIR *folder = opendir(LIMBER_DATA_DIR "/urdf");
    if (folder == NULL) {
        print_message("skipped: there is no " LIMBER_DATA_DIR "/urdf\n");
        skip();
    }
    int loaded = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!is_urdf(entry->d_name))
            continue;
        char path[1024];
        lb_model *model;
        lb_error error;
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/urdf/%s", entry->d_name);
        warnings kept = {.count = 0};
        lb_load_options options = {.warn = keep_warning, .user = &kept};
        if (lb_load_with_options(path, &options, &model, &error) != LB_OK)
            fail_msg("%s:%d: %s", error.path, error.line, error.message);
        if (kept.count != count_mended(entry->d_name))
            fail_msg("%s", kept.text);
        double *q = malloc(sizeof *q * (size_t)lb_model_nq(model));
        assert_non_null(q);
        lb_configuration_neutral(model, q);
        assert_ok(lb_configuration_validate(model, q, 0, NULL));
        free(q);
        lb_model_release(model);
        loaded++;
    }
    closedir(folder);
    print_message("%d robots loaded\n", loaded);
    assert_true(loaded > 0);
}

/* before libxml2 allocates for the first time */
static int count_requests(void)
{
    xmlMemSetup(free, parser_malloc, parser_realloc, parser_strdup);
    xmlInitParser();
    return 0;
}

static int clean_up(void)
{
    xmlCleanupParser();
    return 0;
}

TEST_FIXTURE(count_requests, clean_up)
