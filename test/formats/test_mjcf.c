/* test_mjcf.c - MJCF: what of it is read, warned of and refused. */
#include "formats/refusals_mjcf.h"
#include "loading.h"
#include "support_growth.h"
#include "support_load.h"

#include <limber/collision.h>

/* one of everything that is read */
static const char everything[] =
    "<?xml version='1.0'?>\n"
    "<mujoco model='all'>\n"
    "<compiler angle='degree' meshdir='meshes/'/>\n"
    "<default><geom rgba='1 0 0 1'/>\n"
    "<default class='c'><joint range='-90 45' type='hinge'/><geom type='box' size='1 2 3'/>\n"
    "</default></default>\n"
    "<asset><mesh name='m' file='a.stl' scale='1 2 3'/><mesh file='dir/b.obj'/>\n"
    "<material name='blue' rgba='0 0 1 1'/></asset>\n"
    "<worldbody>\n"
    "<geom type='plane' size='1 1 1'/>\n"
    "<body name='base' pos='0 0 1' childclass='c'>\n"
    "<inertial pos='0.1 0 0' mass='2' diaginertia='1 2 3' quat='1 0 0 1'/>\n"
    "<joint name='turn' actuatorfrcrange='-5 7'/>\n"
    "<geom/><geom class='main' size='0.5' pos='0 0 2' group='3'/>\n"
    "<geom type='capsule' fromto='0 0 0 0 0 2' size='0.1' rgba='0 1 0 0.5'/>\n"
    "<frame pos='1 0 0'><geom type='mesh' mesh='m' pos='0 1 0' material='blue'/>\n"
    "<site name='tip' pos='0 0 1'/></frame>\n"
    "<geom type='cylinder' size='0.1 0.2' rgba='0 0 0 0'/>\n"
    "<geom type='mesh' mesh='b' contype='0' conaffinity='0'/>\n"
    "<body><joint type='slide' range='0 1' limited='false'/><joint name='s' type='slide' "
    "range='0.5 1'/></body>\n"
    "<body name='fixed' pos='0 1 0'/>\n"
    "</body>\n"
    "<body name='free'><freejoint name='f'/></body>\n"
    "</worldbody>\n"
    "<equality><joint joint1='s' joint2='turn' polycoef='0.1 2 0 0 0'/></equality>\n"
    "</mujoco>\n";

/* a plane is a box below it, whatever its size and wherever it looks */
TEST(planes_are_boxes_below_them)
{
    owned_model *model = load_text(
        "floor.mjcf", "<mujoco><worldbody><geom type='plane' size='0 0 1' pos='0 0 0.5'/>"
                      "<geom type='plane' size='1 1 1' zaxis='1 0 0' contype='0' conaffinity='0'/>"
                      "<geom type='plane' size='1 1 1' zaxis='1 0 0' pos='-2 0 0'/>"
                      "<body name='ball' pos='0 0 2'><freejoint/><geom size='0.25'/></body>"
                      "</worldbody></mujoco>");
    const lb_link *world = lb_model_link(model, 0);
    assert_int_equal(world->visual_count, 0);
    assert_int_equal(world->collision_count, 2);
    // the floor's top, the wall's face, and the ball in the air above the one, beside the other
    lb_proximity p;
    const lb_geometry *floor = &world->collisions[0], *wall = &world->collisions[1];
    lb_geometry ball = lb_model_link(model, 1)->collisions[0];
    ball.origin.p = lb_vec3_make(20, 30, 2);
    assert_near(lb_geometry_distance(floor, NULL, &ball, NULL, &p), 1.25, 1e-12);
    ball.origin.p.x = 1;
    assert_near(lb_geometry_distance(wall, NULL, &ball, NULL, &p), 2.75, 1e-12);
    // what floats is not left out as a neighbour of the floor
    owned_collision *collision = NULL;
    double q[7];
    assert_ok(lb_collision_create(model, NULL, NULL, NULL, &collision, NULL));
    lb_configuration_neutral(model, q);
    assert_near(lb_collision_distance(collision, q, NULL), 1.25, 1e-12);
}

/* a free joint is at its body, also where a default has a place for joints */
TEST(places_of_free_joints_do_not_count)
{
    owned_model *model = load_text(
        "free.mjcf", "<mujoco><default><joint pos='0 0 1'/></default><worldbody>"
                     "<body name='b' pos='0 0 2'><joint type='free' pos='3 0 0'/><geom size='1'/>"
                     "<body name='c'><joint name='h'/><geom size='1'/></body></body>"
                     "<body name='d' pos='1 0 0'><freejoint/><geom size='1'/></body>"
                     "</worldbody></mujoco>");
    static const double places[][3] = {{0, 0, 2}, {0, 0, 2}, {1, 0, 0}};
    owned_state *state = NULL;
    double q[15];
    assert_ok(lb_state_create(model, NULL, &state));
    lb_configuration_neutral(model, q);
    lb_state_update(state, q);
    for (int i = 0; i < 3; i++) {
        int link = lb_model_find_link(model, (const char *const[]){"b", "c", "d"}[i]);
        lb_vec3 at = lb_state_transform(state, LB_WORLD, link).p;
        // the hinge is above its body, which it leaves in place
        assert_near(at.x, places[i][0], 1e-12);
        assert_near(at.z, places[i][2], 1e-12);
    }
}

/* what is fitted to a mesh has no size of its own, and one that is given does not count */
TEST(shapes_fitted_to_meshes_are_these_meshes)
{
    owned_model *model =
        load_text("fitted.mjcf", "<mujoco><asset><mesh name='m' file='a.stl'/></asset>"
                                 "<worldbody><body name='b'><geom type='capsule' mesh='m'/>"
                                 "<geom type='box' mesh='m' size='1 2 3'/></body></worldbody>"
                                 "</mujoco>");
    const lb_link *link = lb_model_link(model, 1);
    assert_int_equal(link->collision_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(link->collisions[i].shape, LB_SHAPE_MESH);
        assert_string_equal(link->collisions[i].mesh, "a.stl");
    }
}

TEST(reads_joints)
{
    owned_model *model = load_text("all.mjcf", everything);
    assert_string_equal(lb_model_name(model), "all");
    assert_string_equal(lb_model_link(model, 0)->name, "world");
    const lb_joint *joint = joint_named(model, "turn");
    assert_int_equal(joint->kind, LB_JOINT_REVOLUTE);
    assert_near(joint->lower[0], -LB_PI / 2, 0);
    assert_near(joint->upper[0], LB_PI / 4, 0);
    assert_near(joint->effort, 7, 0);
    assert_string_equal(joint->parent, "world");
    assert_string_equal(joint->child, "base");
    assert_near(joint->placement.p.z, 1, 0);

    // a body without a name, whose second joint moves its link
    joint = joint_named(model, "s");
    assert_int_equal(joint->kind, LB_JOINT_PRISMATIC);
    assert_string_equal(joint->mimic, "turn");
    assert_near(joint->multiplier, 2, 0);
    // of both from their references, 0, which the range of s leaves out
    assert_near(joint->offset, 0.1, 1e-15);
    assert_int_equal(joint_named(model, "f")->kind, LB_JOINT_FLOATING);
    assert_int_equal(joint_named(model, "fixed")->kind, LB_JOINT_FIXED);
    assert_near(joint_named(model, "tip")->placement.p.x, 1, 0);
}

TEST(reads_looks_and_masses)
{
    owned_model *model = load_text("all.mjcf", everything);
    const lb_link *link = lb_model_link(model, lb_model_find_link(model, "base"));
    assert_near(link->mass, 2, 0);
    assert_near(link->center.x, 0.1, 0);
    // a quarter turn about z swaps x and y
    assert_near(link->inertia[0], 2, 1e-12);
    assert_near(link->inertia[1], 1, 1e-12);

    // of groups above 2 and of what is transparent nothing is seen
    assert_int_equal(link->visual_count, 4);
    const lb_geometry *visual = link->visuals;
    assert_int_equal(visual[0].shape, LB_SHAPE_BOX);
    assert_near(visual[0].size.y, 4, 0);
    assert_near(visual[0].color[0], 1, 0);
    assert_int_equal(visual[1].shape, LB_SHAPE_CAPSULE);
    assert_near(visual[1].size.x, 0.1, 0);
    assert_near(visual[1].size.z, 2, 0);
    assert_near(visual[1].origin.p.z, 1, 0);
    assert_string_equal(visual[2].mesh, "meshes/a.stl");
    assert_near(visual[2].origin.p.x, 1, 0);
    assert_near(visual[2].origin.p.y, 1, 0);
    assert_string_equal(visual[3].mesh, "meshes/dir/b.obj");

    // all that collides does, seen or not
    assert_int_equal(link->collision_count, 5);
    static const lb_shape shapes[5] = {LB_SHAPE_BOX, LB_SHAPE_SPHERE, LB_SHAPE_CAPSULE,
                                       LB_SHAPE_MESH, LB_SHAPE_CYLINDER};
    for (int i = 0; i < 5; i++)
        assert_int_equal(link->collisions[i].shape, shapes[i]);
    assert_near(link->collisions[4].size.z, 0.4, 0);
    // of the world its plane
    assert_int_equal(lb_model_link(model, 0)->collision_count, 1);
    assert_int_equal(lb_model_link(model, 0)->visual_count, 0);
}

/* ---- warnings ------------------------------------------------------------- */

static void check_warned(const char *text, const char *expected)
{
    char kept[KEPT_WARNINGS] = "";
    owned_model *model = NULL;
    lb_load_options options = {.warn = add_warning, .user = kept};
    assert_made(lb_load_memory_with_options("m.xml", text, strlen(text), &options, &model, &cause),
                cause);
    assert_string_equal(kept, expected);
}

/* MuJoCo keeps the names of bodies, sites and joints apart: a body and a joint keep theirs */
TEST(bodies_and_joints_keep_their_names)
{
    static const char text[] = "<mujoco><worldbody><site name='hand'/><body name='arm' pos='1 0 0'>"
                               "<joint/><joint name='swing' axis='1 0 0' pos='0 0 1'/>"
                               "<site name='hand'/><body name='hand' pos='0 2 0'/>"
                               "<body name='swing' pos='0 0 3'/>"
                               "<body name='b'><joint name='hand'/><joint name='arm'/></body>"
                               "</body></worldbody></mujoco>";
    lb_model *model = load_text("m.xml", text);
    lb_state *s = test_state(model);
    double q[8];
    lb_configuration_neutral(model, q);
    lb_state_update(s, q);
    const lb_vec3 hand = lb_state_transforms(s)[lb_model_find_link(model, "hand")].p;
    assert_near(hand.x, 1, 1e-15);
    assert_near(hand.y, 2, 1e-15);
    const int swung = lb_model_find_link(model, "swing");
    assert_near(lb_state_transforms(s)[swung].p.z, 3, 1e-15);
    assert_int_equal(joint_named(model, "hand")->kind, LB_JOINT_CONTINUOUS);
    assert_int_equal(joint_named(model, "arm")->kind, LB_JOINT_CONTINUOUS);
    assert_string_equal(joint_named(model, "arm")->child, "b");
    lb_state_release(s);
    lb_model_release(model);
    check_warned(text, "1: site 'hand': another link has this name; the site's link is "
                       "'hand_site'\n1: site 'hand': another link has this name; the site's link "
                       "is 'hand_site_9'\n");
}

TEST(warns_of_what_a_tree_cannot_keep)
{
    check_warned(WITH_TOP("<equality><tendon tendon1='t'/></equality>", TWO_BODIES),
                 "2: equality: <tendon> is not read: of equality constraints, <connect>, <weld> "
                 "and <joint> are\n");
    check_warned(
        WITH_TOP("<equality><connect body1='a' body2='b' anchor='0 0 0'/></equality>", TWO_BODIES),
        "");
    check_warned(WITH_TOP("<actuator><motor name='m' joint='jc'/><motor/></actuator>", TWO_BODIES),
                 "2: motor 'm': no joint 'jc', which it would move\n");
    check_warned(BODY("<joint type='ball' range='0 90'/>"),
                 "3: joint 'arm': the limit 1.5708 of the ball's whole turn is read as limits of "
                 "its twist and swing\n");
    check_warned(WITH_TOP("<equality><joint joint1='jb' active='false'/></equality>", TWO_BODIES),
                 "");
}

/* what MuJoCo's user moves by hand ties no arm to its place */
TEST(welds_to_mocap_bodies_are_left_out)
{
    static const char text[] =
        WITH_TOP("<equality><weld body1='target' body2='b'/></equality>",
                 "<body name='target' mocap='true' pos='1 0 0'/>" TWO_BODIES);
    check_warned(text, "2: equality: <weld> holds on to a mocap body, which MuJoCo's user moves: "
                       "it is left out\n");
    owned_model *model = NULL;
    assert_ok(lb_load_memory("m.xml", text, strlen(text), NULL, &model, NULL));
    assert_int_equal(lb_model_loop_count(model), 0);
}

/* a colour is no reason to refuse an arm */
TEST(colours_beyond_theirs_are_the_nearest)
{
    static const char text[] = "<mujoco><worldbody><geom name='g' size='1' rgba='11 .5 -1 1'/>"
                               "<geom name='h' size='1' rgba='0 1 0'/></worldbody></mujoco>";
    check_warned(text,
                 "1: body 'world': rgba=\"11 .5 -1 1\" goes beyond 0 to 1; the nearest in it is "
                 "taken\n1: body 'world': rgba=\"0 1 0\" has no opacity; 1 is taken\n");
    owned_model *model = load_text("m.xml", text);
    const double *color = lb_model_link(model, 0)->visuals[0].color;
    assert_near(color[0], 1, 0);
    assert_near(color[1], 0.5, 0);
    assert_near(color[2], 0, 0);
    assert_near(lb_model_link(model, 0)->visuals[1].color[3], 1, 0);
}

/* ---- included files ------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST(includes_files)
{
    write_file("mjcf_main.xml", "<mujoco>\n<worldbody><include file='mjcf_part.xml'/></worldbody>\n"
                                "<include file='mjcf_end.xml'/></mujoco>");
    write_file("mjcf_part.xml", "<any><body name='a'/><!-- --><body name='b'/></any>");
    write_file("mjcf_end.xml", "<mujoco><compiler angle='radian'/></mujoco>");
    lb_model *model = test_load("mjcf_main.xml");
    assert_int_equal(lb_model_link_count(model), 3);
    lb_model_release(model);

    // one that is absent or broken is named, one that includes itself ends
    write_file("mjcf_part.xml", "<any>\n<body></any>");
    assert_int_equal(lb_load("mjcf_main.xml", NULL, &model, &cause), LB_SYNTAX_ERROR);
    assert_string_equal(cause.path, "mjcf_part.xml");
    assert_int_equal(cause.line, 2);
    write_file("mjcf_part.xml", "<any><include file='mjcf_absent.xml'/></any>");
    assert_refused(lb_load("mjcf_main.xml", NULL, &model, &cause), LB_FILE_ERROR, &cause,
                   "<include file=\"mjcf_absent.xml\">: ");
    assert_string_equal(cause.path, "mjcf_part.xml");
    assert_int_equal(cause.line, 1);
    write_file("mjcf_part.xml", "<any><include file='mjcf&#x9b;&#x7f;.xml'/></any>");
    assert_refused(lb_load("mjcf_main.xml", NULL, &model, &cause), LB_FILE_ERROR, &cause,
                   "mjcf???.xml");
    write_file("mjcf_part.xml", "<any><include file='mjcf_part.xml'/></any>");
    assert_refused(lb_load("mjcf_main.xml", NULL, &model, &cause), LB_UNSUPPORTED, &cause,
                   "mjcf_part.xml");
}

/* ---- what is refused ------------------------------------------------------ */

TEST(refuses)
{
    for (size_t i = 0; i < sizeof mjcf_refusals / sizeof *mjcf_refusals; i++)
        check_refusal("m.xml", &mjcf_refusals[i]);
}

TEST(survives_anything)
{
    load_truncated("all.mjcf", everything);
    load_patched("all.mjcf", everything);
    load_without_memory("all.mjcf", everything);
}

/* ---- time ------------------------------------------------------------------ */

static clock_t time_of_loading(const char *pattern, int count)
{
    owned char *text = test_repeated(pattern, count);
    clock_t before = clock();
    owned_model *model = load_text("many.mjcf", text);
    clock_t taken = clock() - before;
    return taken;
}

/* half of the bodies have the names that the others, which are all called alike, would get */
static clock_t time_of_taken_names(int count)
{
    return time_of_loading(
        "<mujoco><worldbody>{<body name='x_body_$'/>}{<body name='x'/>}</worldbody></mujoco>",
        count);
}

/* as many classes, elements in one class and elements at the top as there are geoms */
static clock_t time_of_defaults(int count)
{
    return time_of_loading(
        "<mujoco>{<default/><option/>}<default><default class='a'>{<geom density='1'/>}"
        "</default></default><worldbody><body childclass='a'>{<geom size='1'/>}</body></worldbody>"
        "</mujoco>",
        count);
}

/* comments in front of the outermost element */
static clock_t time_of_comments(int count)
{
    return time_of_loading("{<!-- -->}<mujoco><worldbody>{<body/>}</worldbody></mujoco>", count);
}

TEST(takes_time_by_its_length)
{
    assert_grows_linearly(time_of_taken_names, 8000);
    assert_grows_linearly(time_of_defaults, 8000);
    assert_grows_linearly(time_of_comments, 16000);
}

/* frames in frames, which are what one frame is that has all of their turns and shifts */
TEST(frames_may_be_nested)
{
    char text[64 * 70 + 512];
    static const int depths[] = {1, 2, 3, 64, 65};
    for (size_t k = 0; k < sizeof depths / sizeof *depths; k++) {
        int depth = depths[k];
        char *at = text + sprintf(text, "<mujoco><worldbody><body name='b'>");
        for (int i = 0; i < depth; i++)
            at += sprintf(at, "<frame pos='1 0 0' euler='0 0 90'>");
        at += sprintf(at, "<site name='s' pos='0 0 2'/><site name='t'/>");
        for (int i = 0; i < depth; i++)
            at += sprintf(at, "</frame>");
        sprintf(at, "<frame pos='0 0 3'><site name='u'/></frame></body></worldbody></mujoco>");
        owned_model *model = NULL;
        lb_error error = {0};
        lb_status status = lb_load_memory("f.mjcf", text, strlen(text), NULL, &model, &error);
        assert_int_equal(status, depth <= 64 ? LB_OK : LB_UNSUPPORTED);
        if (status != LB_OK) {
            assert_non_null(strstr(error.message, "nested deeper than 64"));
            continue;
        }
        // a quarter turn and a step, as often: along x, y, -x, -y
        lb_vec3 s = joint_named(model, "s")->placement.p, t = joint_named(model, "t")->placement.p;
        assert_near(t.x, depth % 4 == 1 || depth % 4 == 2 ? 1 : 0, 1e-12);
        assert_near(t.y, depth % 4 == 2 || depth % 4 == 3 ? 1 : 0, 1e-12);
        assert_near(s.z - t.z, 2, 1e-12);
        assert_near(joint_named(model, "u")->placement.p.z, 3, 0);
    }
}

/* that two models are the same, where their joints are and what hangs on their links, but for turns
   about z, which fromto leaves open */
static void check_same(const lb_model *a, const lb_model *b)
{
    assert_int_equal(lb_model_joint_count(a), lb_model_joint_count(b));
    for (int j = 0; j < lb_model_joint_count(a); j++) {
        const lb_joint *x = lb_model_joint(a, j), *y = lb_model_joint(b, j);
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->kind, y->kind);
        assert_near(lb_transform_distance(&x->placement, &y->placement), 0, 1e-12);
        assert_near(lb_vec3_dot(x->placement.z, y->placement.z), 1, 1e-12);
        if (lb_joint_kind_nq(x->kind) == 1)
            assert_near(lb_vec3_dot(x->axis, y->axis), 1, 1e-12);
        const lb_link *own = lb_model_link(a, j + 1), *other = lb_model_link(b, j + 1);
        assert_near(own->mass, other->mass, 0);
        assert_near(lb_vec3_length(lb_vec3_sub(own->center, other->center)), 0, 1e-12);
        assert_int_equal(own->collision_count, other->collision_count);
        for (int i = 0; i < own->collision_count; i++) {
            const lb_transform *at = &own->collisions[i].origin, *to = &other->collisions[i].origin;
            assert_near(lb_transform_distance(at, to), 0, 1e-12);
            assert_near(lb_vec3_dot(at->z, to->z), 1, 1e-12);
        }
    }
}

/* whatever a frame holds is where it would be if it were written in the body */
TEST(frames_move_all_that_they_hold)
{
    owned_model *framed = load_text(
        "framed.mjcf",
        "<mujoco><worldbody><frame pos='0 0 5'><body name='a' pos='0 0 1'><freejoint name='f'/>"
        "<geom size='1'/><body name='b'><frame pos='1 0 0' euler='0 0 90'>"
        "<joint name='h' pos='1 0 0' axis='1 0 0'/><frame pos='0 0 2'><joint name='s' "
        "type='slide' axis='0 1 0'/></frame><inertial pos='0 1 0' mass='3' diaginertia='1 1 1'/>"
        "<geom type='capsule' size='.1' fromto='0 0 0 2 0 0'/>"
        "<site name='t' type='capsule' size='.1' fromto='0 0 1 0 2 1'/></frame></body></body>"
        "</frame></worldbody></mujoco>");
    owned_model *plain = load_text(
        "plain.mjcf",
        "<mujoco><worldbody><body name='a' pos='0 0 6'><freejoint name='f'/><geom size='1'/>"
        "<body name='b'><joint name='h' pos='1 1 0' axis='0 1 0'/>"
        "<joint name='s' type='slide' pos='1 0 2' axis='-1 0 0'/>"
        "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>"
        "<geom type='capsule' size='.1' fromto='1 0 0 1 2 0'/>"
        "<site name='t' pos='0 0 1' zaxis='1 0 0'/></body></body></worldbody></mujoco>");
    const lb_joint *site = joint_named(framed, "t");
    assert_near(lb_vec3_dot(site->placement.z, lb_vec3_make(1, 0, 0)), 1, 1e-12);
    check_same(framed, plain);
}

/* a class of equalities, which are one element in the defaults */
TEST(equalities_have_defaults)
{
    owned_model *model = load_text(
        "off.mjcf", "<mujoco><default><default class='off'><equality active='false'/></default>"
                    "</default><worldbody><body name='a'><joint name='x'/><geom size='1'/></body>"
                    "<body name='b'><joint name='y'/><geom size='1'/></body>"
                    "<body name='c'><joint name='z'/><geom size='1'/></body></worldbody>"
                    "<equality><joint joint1='x' joint2='y'/>"
                    "<joint joint1='z' joint2='y' class='off'/></equality></mujoco>");
    assert_string_equal(joint_named(model, "x")->mimic, "y");
    assert_null(joint_named(model, "z")->mimic);
}

/* a file that is included twice, by another path as well, as MuJoCo has it */
TEST(includes_files_once)
{
    lb_model *model;
    write_file("mjcf_main.xml", "<mujoco><worldbody><include file='mjcf_part.xml'/>"
                                "<include file='./mjcf_part.xml'/></worldbody></mujoco>");
    write_file("mjcf_part.xml", "<any><body/></any>");
    assert_refused(lb_load("mjcf_main.xml", NULL, &model, &cause), LB_UNSUPPORTED, &cause,
                   "./mjcf_part.xml\">: this file is read already");

    // the first one counts as well
    write_file("mjcf_part.xml", "<any>\n<include file='mjcf_main.xml'/></any>");
    assert_refused(lb_load("mjcf_main.xml", NULL, &model, &cause), LB_UNSUPPORTED, &cause,
                   "\"mjcf_main.xml\">: this file is read already");
    assert_string_equal(cause.path, "mjcf_part.xml");
    assert_int_equal(cause.line, 2);
}
