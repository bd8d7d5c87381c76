/* test_srdf.c - SRDF: groups, end effectors, states and pairs of real and of untidy files. */
#include "loading.h"
#include "support_growth.h"

#include <limber/formats/srdf.h>
#include <unistd.h>

/* a trunk that carries two arms of two joints each */
static const char two_arms[] =
    "<robot name='r'><link name='base'/><link name='l1'/><link name='l2'/><link name='r1'/>"
    "<link name='r2'/>"
#define JOINT(name, parent, child)                                                                 \
    "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child      \
    "'/></joint>"
    JOINT("jl1", "base", "l1") JOINT("jl2", "l1", "l2") JOINT("jr1", "base", "r1")
        JOINT("jr2", "r1", "r2") "</robot>";

typedef struct loaded {
    lb_model *model;
    lb_srdf *srdf;
    lb_error error;
    char warnings[KEPT_WARNINGS];
} loaded;

/* reads this inside of a <robot> for the two arms */
static lb_status read_inside(loaded *l, const char *inside, bool strict,
                             const lb_allocator *allocator)
{
    FILE *file = fopen("two_arms.srdf", "w");
    assert_non_null(file);
    fprintf(file, "<robot name='r'>\n%s</robot>", inside);
    fclose(file);
    *l = (loaded){.model = load_text("r.urdf", two_arms)};
    lb_load_options options = {
        .allocator = allocator, .warn = add_warning, .user = l->warnings, .strict = strict};
    return lb_srdf_load("two_arms.srdf", l->model, &options, &l->srdf, &l->error);
}

static void release(loaded *l)
{
    lb_srdf_release(l->srdf);
    lb_model_release(l->model);
}
#define owned_loaded __attribute__((cleanup(release))) loaded

static void check_members(const loaded *l, const char *group, const char *expected)
{
    char names[256] = "";
    int index = lb_srdf_find_group(l->srdf, group);
    assert_true(index >= 0);
    for (int j = 0; j < lb_model_joint_count(l->model); j++)
        if (lb_srdf_group_has(l->srdf, index, j)) {
            strcat(names, lb_model_joint(l->model, j)->name);
            strcat(names, " ");
        }
    assert_string_equal(names, expected);
}

TEST(reads_groups)
{
    owned_loaded l;
    assert_ok(read_inside(&l,
                          "<group name='both'><group name='left'/><group name='right'/>"
                          "</group>\n"
                          "<group name='left'><chain base_link='base' tip_link='l2'/></group>"
                          "<group name='right'><joint name='jr1'/><link name='r2'/></group>"
                          "<group name='across'><chain base_link='l2' tip_link='r1'/></group>"
                          "<group name='two'><chain base_link='base' tip_link='l1'/>"
                          "<chain base_link='base' tip_link='r1'/></group>",
                          true, NULL));
    check_members(&l, "left", "jl1 jl2 ");
    check_members(&l, "right", "jr1 jr2 ");
    check_members(&l, "both", "jl1 jl2 jr1 jr2 ");
    check_members(&l, "across", "jl1 jl2 jr1 ");
    check_members(&l, "two", "jl1 jr1 ");
    const lb_srdf_group *left = lb_srdf_group_at(l.srdf, lb_srdf_find_group(l.srdf, "left"));
    assert_int_equal(left->base, lb_model_find_link(l.model, "base"));
    assert_int_equal(left->tip, lb_model_find_link(l.model, "l2"));
    assert_int_equal(lb_srdf_group_at(l.srdf, lb_srdf_find_group(l.srdf, "two"))->tip, -1);
    assert_int_equal(lb_srdf_find_group(l.srdf, "lfet"), -1);
    assert_null(lb_srdf_group_at(l.srdf, 5));
    assert_false(lb_srdf_group_has(l.srdf, 0, -1));
}

TEST(reads_states_and_pairs)
{
    owned_loaded l;
    assert_ok(
        read_inside(&l,
                    "<group name='left'><chain base_link='base' tip_link='l2'/></group>"
                    "<group name='hand'><link name='l2'/></group>"
                    "<end_effector name='grip' group='hand' parent_link='l1' parent_group='left'/>"
                    "<group_state name='up' group='left'><joint name='jl2' value='0.5'/>"
                    "<joint name='jl1' value='-1'/></group_state>"
                    "<disable_collisions link1='l1' link2='r1' reason='Never'/>"
                    "<disable_collisions link1='l2' link2='r2'/>",
                    true, NULL));
    double q[4] = {9, 9, 9, 9};
    int up = lb_srdf_find_state(l.srdf, "up", -1);
    assert_int_equal(up, lb_srdf_find_state(l.srdf, "up", 0));
    assert_int_equal(lb_srdf_find_state(l.srdf, "up", 1), -1);
    lb_srdf_apply_state(l.srdf, up, q);
    assert_near(q[0], -1, 0);
    assert_near(q[1], 0.5, 0);
    assert_near(q[2], 9, 0);
    const lb_srdf_end_effector *grip = lb_srdf_end_effector_at(l.srdf, 0);
    assert_string_equal(grip->name, "grip");
    assert_int_equal(grip->group, 1);
    assert_int_equal(grip->parent_group, 0);
    assert_int_equal(grip->parent_link, lb_model_find_link(l.model, "l1"));
    assert_int_equal(lb_srdf_pair_count(l.srdf), 2);
    assert_string_equal(lb_srdf_pair_at(l.srdf, 0)->reason, "Never");
    assert_string_equal(lb_srdf_pair_at(l.srdf, 1)->reason, "");
    assert_int_equal(lb_srdf_state_count(l.srdf), 1);
}

/* what does not exist is left out and warned of; with strict it is refused */
TEST(warns_of_unknown_names)
{
    static const struct {
        const char *inside, *warning;
    } cases[] = {
        {"<group name='g'><joint name='x'/></group>",
         "2: group 'g': <joint>: the model has no joint 'x'\n"},
        {"<group name='g'><chain base_link='base' tip_link='x'/></group>",
         "2: group 'g': <chain> tip_link: the model has no link 'x'\n"},
        {"<group name='g'><chain base_link='x' tip_link='l1'/></group>",
         "2: group 'g': <chain> base_link: the model has no link 'x'\n"},
        {"<group name='g'><passive_joint/></group>",
         "2: group 'g': <passive_joint>: the model has no joint ''\n"},
        {"<group name='g'><link/></group>",
         "2: group 'g': <link> name: the model has no link ''\n"},
        {"<group name='g'><group/></group>", "2: group 'g': <group> name: there is no group ''\n"},
        {"<group_state name='s' group='g'><joint name='jl1' value='1'/></group_state>",
         "2: group_state 's': <group_state> group: there is no group 'g'\n"},
        {"<group name='g'/>\n<group_state name='s' group='g'><joint name='x' value='1'/>"
         "</group_state>",
         "3: group_state 's': <joint>: the model has no joint 'x'\n"},
        {"<group name='g'/>\n<end_effector name='e' group='g' parent_link='x'/>",
         "3: end_effector 'e': <end_effector> parent_link: the model has no link 'x'\n"},
        {"<disable_collisions link1='x' link2='l1'/>",
         "2: disable_collisions: <disable_collisions> link1: the model has no link 'x'\n"},
        {"<group name='g'>\n<group name='h'/></group>",
         "3: group 'g': <group> name: there is no group 'h'\n"},
        {"<end_effector name='e' group='g' parent_link='l1'/>",
         "2: end_effector 'e': <end_effector> group: there is no group 'g'\n"},
        {"<disable_collisions link1='l1' link2='x'/>",
         "2: disable_collisions: <disable_collisions> link2: the model has no link 'x'\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        loaded l;
        assert_ok(read_inside(&l, cases[i].inside, false, NULL));
        assert_string_equal(l.warnings, cases[i].warning);
        assert_int_equal(lb_srdf_pair_count(l.srdf) + lb_srdf_end_effector_count(l.srdf), 0);
        release(&l);
        assert_int_equal(read_inside(&l, cases[i].inside, true, NULL), LB_BAD_MODEL);
        assert_null(l.srdf);
        release(&l);
    }
}

TEST(refuses)
{
    static const struct {
        const char *inside;
        lb_status status;
        int line;
        const char *message;
    } cases[] = {
        {"\n<group/>", LB_BAD_MODEL, 3, "group: <group> needs the attribute name="},
        {"<group name='g'/>\n<group name='g'/>", LB_BAD_MODEL, 3, "a second group of that name"},
        {"<group name='g'/><group_state name='s' group='g'>\n<joint name='jl1' value='x'/>"
         "</group_state>",
         LB_BAD_VALUE, 3, "'x' is not a number"},
        {"\n<end_effector group='g' parent_link='l1'/>", LB_BAD_MODEL, 3,
         "end_effector: <end_effector> needs the attribute name="},
        {"\n<group_state group='g'/>", LB_BAD_MODEL, 3,
         "group_state: <group_state> needs the attribute name="},
        {"<group", LB_SYNTAX_ERROR, 2, "well-formed XML"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        owned_loaded l;
        assert_int_equal(read_inside(&l, cases[i].inside, false, NULL), cases[i].status);
        assert_int_equal(l.error.line, cases[i].line);
        assert_string_equal(l.error.path, "two_arms.srdf");
        assert_non_null(strstr(l.error.message, cases[i].message));
    }
    lb_srdf *srdf;
    owned_model *model = load_text("r.urdf", two_arms);
    assert_int_equal(lb_srdf_load("absent.srdf", model, NULL, &srdf, &cause), LB_FILE_ERROR);
    assert_int_equal(lb_srdf_load(NULL, model, NULL, &srdf, &cause), LB_INVALID_ARGUMENT);
    assert_null(srdf);
    lb_srdf_release(NULL);
}

/* groups that contain each other end all the same, as one */
TEST(ends_circles_of_groups)
{
    owned_loaded l;
    assert_ok(read_inside(&l,
                          "<group name='a'><joint name='jl1'/><group name='b'/></group>"
                          "<group name='b'><joint name='jr1'/><group name='a'/></group>",
                          true, NULL));
    check_members(&l, "a", "jl1 jr1 ");
    check_members(&l, "b", "jl1 jr1 ");
}

/* 63 groups within each other, the outer ones first, are read; one more is refused */
TEST(nests_groups_so_deep)
{
    for (int depth = 63; depth <= 65; depth++) {
        static char inside[8192];
        size_t used = 0;
        owned_loaded l;
        for (int i = 0; i < depth; i++)
            used += (size_t)snprintf(inside + used, sizeof inside - used,
                                     "<group name='g%d'><group name='g%d'/></group>", i, i + 1);
        snprintf(inside + used, sizeof inside - used,
                 "<group name='g%d'><joint name='jl1'/></group>", depth);
        lb_status status = read_inside(&l, inside, true, NULL);
        if (depth < 64) {
            assert_ok(status);
            check_members(&l, "g0", "jl1 ");
        } else {
            assert_int_equal(status, LB_UNSUPPORTED);
            assert_non_null(strstr(l.error.message, "groups are nested deeper than 64"));
        }
    }
}

/* the root is a link of no joint; fixed joints have no value; a joint that mimics keeps its own */
TEST(reads_what_has_no_number)
{
    static const char model[] =
        "<robot name='r'><link name='base'/><link name='l1'/><link name='l2'/><link name='l3'/>"
        "<joint name='j1' type='continuous'><parent link='base'/><child link='l1'/></joint>"
        "<joint name='j2' type='continuous'><parent link='l1'/><child link='l2'/>"
        "<mimic joint='j1'/></joint>"
        "<joint name='j3' type='fixed'><parent link='l2'/><child link='l3'/></joint></robot>";
    static const char text[] =
        "<robot><group name='g'><link name='base'/><link name='l3'/></group>"
        "<group name='h'><passive_joint name='j1'/></group>"
        "<group_state name='s' group='g'><joint name='j3' value='5'/>"
        "<joint name='j2' value='0.25'/></group_state>"
        "<group_state name='s' group='h'><joint name='j1' value='0.5'/></group_state></robot>";
    owned_loaded l = {.model = load_text("r.urdf", model)};
    FILE *file = fopen("untidy.srdf", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_ok(lb_srdf_load("untidy.srdf", l.model, NULL, &l.srdf, &l.error));
    check_members(&l, "g", "j3 ");
    check_members(&l, "h", "j1 ");
    double q[1] = {9};
    lb_srdf_apply_state(l.srdf, 0, q);
    assert_near(q[0], 9, 0);
    assert_int_equal(lb_srdf_find_state(l.srdf, "s", 1), 1);
    lb_srdf_apply_state(l.srdf, 1, q);
    assert_near(q[0], 0.5, 0);
    // there is nothing before the first and behind the last
    static const int indices[] = {-1, 2};
    for (int i = 0; i < 2; i++) {
        assert_null(lb_srdf_group_at(l.srdf, indices[i]));
        assert_null(lb_srdf_state_at(l.srdf, indices[i]));
        assert_null(lb_srdf_end_effector_at(l.srdf, indices[i]));
        assert_null(lb_srdf_pair_at(l.srdf, indices[i]));
        assert_false(lb_srdf_group_has(l.srdf, indices[i], 0));
    }
    assert_int_equal(lb_srdf_state_at(l.srdf, 1)->group, 1);
    assert_false(lb_srdf_group_has(l.srdf, 0, 3));
}

/* of another robot is warned of; of another format is refused */
TEST(says_whose_a_file_is)
{
    static const struct {
        const char *text, *says;
        lb_status status;
    } cases[] = {
        {"<robot name='other'/>", "it is of the robot 'other', the model is 'r'", LB_OK},
        {"<mujoco/>", "this is not SRDF: the outermost element is not <robot>", LB_BAD_MODEL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        owned_loaded l = {.model = load_text("r.urdf", two_arms)};
        lb_load_options options = {.warn = add_warning, .user = l.warnings};
        FILE *file = fopen("other.srdf", "w");
        assert_non_null(file);
        fputs(cases[i].text, file);
        fclose(file);
        lb_status status = lb_srdf_load("other.srdf", l.model, &options, &l.srdf, &l.error);
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(status == LB_OK ? l.warnings : l.error.message, cases[i].says));
    }
}

/* each allocation fails in turn; nothing is left behind */
TEST(survives_without_memory)
{
    ALLOCATIONS_FAIL (run, 100) {
        owned_loaded l;
        run.status =
            read_inside(&l, "<group name='g'><joint name='jl1'/></group>", true, &run.allocator);
    }
}

/* the pairs of the shared data, whole and without a warning but for the passive finger */
TEST(reads_real_pairs)
{
    static const struct {
        const char *name, *group, *tip;
        int joints, end_effectors, states, pairs;
    } robots[] = {
        {"panda", "panda_arm", "panda_link8", 7, 1, 5, 34},
        {"fanuc", "manipulator", "tool0", 6, 0, 1, 10},
    };
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        char urdf[512], path[512];
        owned_loaded l = {.model = NULL};
        snprintf(urdf, sizeof urdf, LIMBER_DATA_DIR "/srdf/%s.urdf", robots[i].name);
        snprintf(path, sizeof path, LIMBER_DATA_DIR "/srdf/%s.srdf", robots[i].name);
        if (access(path, R_OK) != 0) {
            print_message("skipped: there is no %s\n", path);
            skip();
        }
        lb_load_options options = {.warn = add_warning, .user = l.warnings};
        assert_ok(lb_load(urdf, NULL, &l.model, &l.error));
        if (lb_srdf_load(path, l.model, &options, &l.srdf, &l.error) != LB_OK)
            fail_msg("%d: %s", l.error.line, l.error.message);
        int group = lb_srdf_find_group(l.srdf, robots[i].group), joints = 0;
        assert_true(group >= 0);
        for (int j = 0; j < lb_model_joint_count(l.model); j++)
            joints += lb_srdf_group_has(l.srdf, group, j) &&
                      lb_model_joint(l.model, j)->kind != LB_JOINT_FIXED;
        assert_int_equal(joints, robots[i].joints);
        assert_int_equal(lb_srdf_group_at(l.srdf, group)->tip,
                         lb_model_find_link(l.model, robots[i].tip));
        print_message("%s: %d end effectors, %d states, %d pairs, warnings: %s\n", robots[i].name,
                      lb_srdf_end_effector_count(l.srdf), lb_srdf_state_count(l.srdf),
                      lb_srdf_pair_count(l.srdf), l.warnings);
        assert_int_equal(lb_srdf_end_effector_count(l.srdf), robots[i].end_effectors);
        assert_int_equal(lb_srdf_state_count(l.srdf), robots[i].states);
        assert_int_equal(lb_srdf_pair_count(l.srdf), robots[i].pairs);
        assert_string_equal(l.warnings, "");
    }
}

/* ---- time ------------------------------------------------------------------ */

static clock_t time_of_groups(int count)
{
    loaded l;
    owned char *text =
        test_repeated("{<group name='g#'/>}{<group_state name='s' group='g#'/>}", count);
    clock_t before = clock();
    lb_status status = read_inside(&l, text, false, NULL);
    clock_t taken = clock() - before;
    assert_ok(status);
    assert_int_equal(lb_srdf_find_group(l.srdf, "g1"), 1);
    release(&l);
    return taken;
}

TEST(groups_take_time_by_their_number)
{
    assert_grows_linearly(time_of_groups, 16000);
}

/* more groups in groups, each of which might have any joint, than are looked at */
TEST(refuses_too_many_groups)
{
    enum { JOINTS = 9000 };
    char *text = malloc(128 * JOINTS), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<robot name='r'><link name='l0'/>");
    for (int i = 0; i < JOINTS; i++)
        at += sprintf(at,
                      "<link name='l%d'/><joint name='j%d' type='fixed'><parent link='l0'/>"
                      "<child link='l%d'/></joint>",
                      i + 1, i, i + 1);
    sprintf(at, "</robot>");
    owned_model *model = load_text("many.urdf", text);
    lb_srdf *srdf = NULL;
    FILE *file = fopen("many.srdf", "w");
    assert_non_null(file);
    fprintf(file, "<robot name='r'><group name='a'>");
    for (int i = 0; i < JOINTS; i++)
        fprintf(file, "<group name='a'/>");
    fprintf(file, "</group></robot>");
    fclose(file);
    assert_refused(lb_srdf_load("many.srdf", model, NULL, &srdf, &cause), LB_UNSUPPORTED, &cause,
                   "are too many");
    unlink("many.srdf");
    free(text);
}
