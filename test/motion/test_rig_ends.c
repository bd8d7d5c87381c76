/*
 * test_rig_ends.c - arms that end in their forearm: where that points to is known by its mass, else
 * by its shapes; and arms that begin at the pelvis.
 */
#include <limber/fidelity.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support_load.h"

#include <limber/kinematics.h>

enum { MOST = 40 };

/* How a forearm says where it ends, whether it points ahead at rest, whether names say less, and
   whether marks are fixed to it, the first of them near the elbow. */
typedef struct arms {
    bool by_mass, ahead, plain, marked;
} arms;

static const lb_geometry ball = {.shape = LB_SHAPE_SPHERE,
                                 .size = {0.05, 0, 0},
                                 .origin = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -0.2}}};

static void end_arm(const arms *how, lb_link *link, lb_joint *joint)
{
    double turn = how->ahead ? LB_PI / 2 : 0;
    link->mass = how->by_mass ? 0.5 : 0;
    link->center = lb_vec3_make(0, 0, how->by_mass ? -0.1 : 0);
    link->visuals = &ball;
    link->visual_count = !how->by_mass;
    joint->placement = lb_transform_from_quat(lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), -turn),
                                              joint->placement.p);
    joint->lower[0] += turn;
    joint->upper[0] += turn;
    joint->value[0] = 0;
}

/* what is fixed to a forearm so far down along it */
static void add_mark(const char *forearm, double down, char name[32], lb_link *link,
                     lb_joint *joint)
{
    snprintf(name, 32, "%s%s", forearm, down < 0.1 ? "near" : "far");
    *link = lb_link_default();
    link->name = name;
    *joint = lb_joint_default();
    joint->name = joint->child = name;
    joint->parent = forearm;
    joint->placement.p = lb_vec3_make(0, 0, -down);
}

/* the biped with a free root, without hands and head */
static lb_model *robot_without_hands(arms how)
{
    static char names[MOST][32], marks[MOST][32];
    owned_model *biped = test_load_moving("biped");
    lb_link links[MOST];
    lb_joint joints[MOST];
    int count = 0;
    assert_true(lb_model_link_count(biped) <= MOST);
    for (int i = 0; i < lb_model_link_count(biped); i++) {
        const char *name = lb_model_link(biped, i)->name;
        if (how.plain)
            snprintf(names[i], sizeof names[i], "q%d", i);
        else
            snprintf(names[i], sizeof names[i], "%s", name);
        if (strstr(name, "_hand") != NULL || strcmp(name, "head") == 0)
            continue;
        links[count] = *lb_model_link(biped, i);
        joints[count] = i > 0 ? *lb_model_joint(biped, i - 1) : lb_joint_default();
        if (strstr(name, "forearm") != NULL)
            end_arm(&how, &links[count], &joints[count]);
        links[count].name = joints[count].child = names[i];
        if (i > 0)
            joints[count].parent = names[lb_model_parent(biped, i)];
        count++;
        for (int k = 0; k < 2 && how.marked && strstr(name, "forearm") != NULL; k++, count++)
            add_mark(names[i], k == 0 ? 0.02 : 0.25, marks[count], &links[count], &joints[count]);
    }
    return test_build(&(lb_model_source){.name = "robot",
                                         .root = lb_model_root(biped),
                                         .links = links,
                                         .link_count = count,
                                         .joints = joints + 1,
                                         .joint_count = count - 1});
}

static const arms ways[] = {
    {.by_mass = true},
    {.by_mass = true, .ahead = true},
    {.by_mass = false},
    {.ahead = true},
    {.by_mass = true, .plain = true},
    {.by_mass = true, .ahead = true, .plain = true},
    {.ahead = true, .plain = true},
    {.by_mass = true, .plain = true, .marked = true},
    {.ahead = true, .plain = true, .marked = true},
};

/* from a link's origin to a point of it, of length 1, in the world */
static lb_vec3 direction(const lb_clip *clip, double time, int link, int to, lb_vec3 at)
{
    double q[256];
    lb_state *state = NULL;
    lb_clip_at(clip, time, q);
    assert_ok(lb_state_create(lb_clip_model(clip), NULL, &state));
    lb_state_update(state, q);
    lb_vec3 along = lb_vec3_sub(lb_state_point(state, to, LB_WORLD, at),
                                lb_state_point(state, link, LB_WORLD, lb_vec3_make(0, 0, 0)));
    lb_state_release(state);
    return lb_vec3_normalize(along, lb_vec3_make(0, 0, 0));
}

/* the biped whose chest has no name, and whose upper arms' last joints are at the elbows */
static lb_model *robot_without_chest(void)
{
    owned_model *biped = test_load_moving("biped");
    lb_link links[MOST];
    lb_joint joints[MOST];
    int count = lb_model_link_count(biped);
    assert_true(count <= MOST);
    for (int i = 0; i < count; i++) {
        links[i] = *lb_model_link(biped, i);
        joints[i] = i > 0 ? *lb_model_joint(biped, i - 1) : lb_joint_default();
        if (strcmp(links[i].name, "chest") == 0)
            links[i].name = joints[i].child = "trunk";
        if (i > 0 && strcmp(joints[i].parent, "chest") == 0)
            joints[i].parent = "trunk";
        // about the bone a joint turns alike wherever along it
        if (strstr(links[i].name, "upper_arm") != NULL)
            joints[i].placement.p = lb_vec3_make(0, 0, -0.22);
        if (strstr(links[i].name, "forearm") != NULL)
            joints[i].placement.p = lb_vec3_make(0, 0, 0);
    }
    return test_build(&(lb_model_source){.name = "robot",
                                         .root = lb_model_root(biped),
                                         .links = links,
                                         .link_count = count,
                                         .joints = joints + 1,
                                         .joint_count = count - 1});
}

TEST(arms_without_a_chest_begin_at_their_shoulders)
{
    owned_model *figure = walker_model(WALKER_T), *robot = robot_without_chest();
    owned_clip *walk = walker_clip(figure, WALKER_T, 2, 30);
    owned_retargeted r = retarget(walk, robot, NULL);
    lb_fidelity_options options = lb_fidelity_options_default();
    lb_fidelity_report report;
    lb_rig rig;
    assert_ok(lb_rig_find(robot, NULL, &rig, NULL));
    assert_true(rig.links[LB_ROLE_CHEST] < 0);
    assert_ok(lb_clip_fidelity(r.clip, walk, &options, NULL, NULL, &report, NULL));
    assert_true(report.items[LB_FIDELITY_LEFT_ARM].known);
    assert_true(report.items[LB_FIDELITY_LEFT_ARM].mean < 0.1);
    assert_true(report.items[LB_FIDELITY_TRUNK].mean < 0.2);
}

TEST(forearms_without_hands_point_as_the_sources)
{
    owned_model *figure = walker_model(WALKER_T);
    owned_clip *walk = walker_clip(figure, WALKER_T, 2, 30);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        owned_model *robot = robot_without_hands(ways[i]);
        lb_rig rig, source;
        assert_ok(lb_rig_find(robot, NULL, &rig, NULL));
        assert_ok(lb_rig_find(figure, NULL, &source, NULL));
        assert_string_equal(rig.convention, ways[i].plain ? "shape" : "limber");
        int forearm = rig.links[LB_ROLE_LEFT_FOREARM];
        int hand = rig.links[LB_ROLE_LEFT_HAND];
        assert_true(forearm > 0 && (hand < 0 || ways[i].marked));
        if (ways[i].marked)
            assert_non_null(strstr(lb_model_link(robot, hand)->name, "far"));
        assert_near(lb_model_joint(robot, forearm - 1)->axis.y, 1, 1e-12);
        owned_retargeted r = retarget(walk, robot, NULL);
        for (double time = 0; time < lb_clip_end(walk); time += 0.25) {
            lb_vec3 wanted = direction(walk, time, source.links[LB_ROLE_LEFT_FOREARM],
                                       source.links[LB_ROLE_LEFT_HAND], lb_vec3_make(0, 0, 0));
            lb_vec3 made = direction(r.clip, time, forearm, forearm, lb_vec3_make(0, 0, -1));
            if (!(lb_vec3_dot(wanted, made) > 0.97))
                fail_msg("way %zu at %g s: %g", i, time, lb_vec3_dot(wanted, made));
        }
    }
}
