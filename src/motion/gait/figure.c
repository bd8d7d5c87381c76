/*
 * figure.c - the parts of a figure that walks, and where they are at rest.
 */
#include "base/error.h"
#include "motion/gait/gait.h"

#include <limber/kinematics.h>

/* the ends of a sole, as lb_rig_soles lists them: left heel, left toe, right heel, right toe */
enum { SOLE_POINTS = 4 };

/* What is known of a model at rest. */
typedef struct gait_rest {
    const lb_model *model;
    const lb_transform *links; /* in the world */
    lb_rig rig;
    const lb_contact_point *soles;
} gait_rest;

static int role_link(const gait_rest *rest, lb_role role)
{
    return rest->rig.links[role];
}

static gait_part *add_part(gait_figure *f, const gait_rest *rest, gait_move move, int side,
                           int link)
{
    gait_part *part = &f->parts[f->count++];
    *part = (gait_part){.move = move, .link = link, .side = side};
    part->rest = lb_transform_between(&f->frame, &rest->links[link]);
    return part;
}

/* ---- the frame of the walk ----------------------------------------------------- */

static lb_vec3 sole_point(const gait_rest *rest, int point)
{
    return lb_transform_point(&rest->links[rest->soles[point].link], rest->soles[point].at);
}

/* on the ground below the pelvis, x from the heels to the toes */
static void find_frame(gait_figure *f, const gait_rest *rest, double ground)
{
    lb_vec3 forward = {0, 0, 0}, up = lb_vec3_make(0, 0, 1), at;
    at = rest->links[role_link(rest, LB_ROLE_PELVIS)].p;
    at.z = ground;
    for (int i = 0; i < SOLE_POINTS; i++)
        forward = lb_vec3_add(forward, lb_vec3_scale(sole_point(rest, i), i % 2 == 0 ? -1 : 1));
    forward.z = 0;
    forward = lb_vec3_normalize(forward, lb_vec3_make(1, 0, 0));
    f->frame = (lb_transform){forward, lb_vec3_cross(up, forward), up, at};
}

/* the legs' length and heights, by the left one */
static void measure_leg(gait_figure *f, const gait_rest *rest)
{
    lb_vec3 hip = rest->links[role_link(rest, LB_ROLE_LEFT_THIGH)].p;
    lb_vec3 knee = rest->links[role_link(rest, LB_ROLE_LEFT_SHANK)].p;
    lb_vec3 ankle = rest->links[role_link(rest, LB_ROLE_LEFT_FOOT)].p;
    f->leg = lb_vec3_length(lb_vec3_sub(hip, knee)) + lb_vec3_length(lb_vec3_sub(knee, ankle));
    f->hips = rest->links[role_link(rest, LB_ROLE_PELVIS)].p.z - hip.z;
    f->ankles = ankle.z - sole_point(rest, 0).z;
}

/* ---- parts ----------------------------------------------------------------------- */

/* every link from below the pelvis to the chest, so that nothing of the trunk is left to choice */
static lb_status add_trunk(gait_figure *f, const gait_rest *rest, lb_error *error)
{
    int pelvis = role_link(rest, LB_ROLE_PELVIS), chest = role_link(rest, LB_ROLE_CHEST), n = 0;
    for (int link = chest; link != LB_NO_LINK && link > pelvis;
         link = lb_model_parent(rest->model, link))
        n++;
    if (n > GAIT_TRUNK_LINKS)
        return REFUSE_MODEL(error, "%d links are between pelvis and chest; %d at most", n,
                            GAIT_TRUNK_LINKS);
    for (int i = n, link = chest; i > 0; i--, link = lb_model_parent(rest->model, link))
        if (lb_model_joint(rest->model, link - 1)->kind != LB_JOINT_FIXED)
            add_part(f, rest, GAIT_TRUNK, 0, link)->share = (double)i / n;
    return LB_OK;
}

/* the axis of an elbow that is a hinge, the way round in which the hand comes forward */
static lb_vec3 find_elbow(const gait_figure *f, const gait_rest *rest, int side)
{
    int forearm = role_link(rest, side > 0 ? LB_ROLE_LEFT_FOREARM : LB_ROLE_RIGHT_FOREARM);
    lb_vec3 axis = lb_vec3_make(0, -1, 0);
    if (forearm <= 0 || lb_model_joint(rest->model, forearm - 1)->kind != LB_JOINT_REVOLUTE)
        return axis;
    lb_transform at = lb_transform_between(&f->frame, &rest->links[forearm]);
    axis = lb_transform_direction(&at, lb_model_joint(rest->model, forearm - 1)->axis);
    return axis.y > 0 ? lb_vec3_scale(axis, -1) : axis;
}

static void add_limbs(gait_figure *f, const gait_rest *rest)
{
    static const struct {
        lb_role role;
        gait_move move;
        int side;
    } rows[] = {{LB_ROLE_HEAD, GAIT_HEAD, 0},
                {LB_ROLE_LEFT_UPPER_ARM, GAIT_UPPER_ARM, 1},
                {LB_ROLE_LEFT_FOREARM, GAIT_FOREARM, 1},
                {LB_ROLE_LEFT_HAND, GAIT_FOREARM, 1},
                {LB_ROLE_RIGHT_UPPER_ARM, GAIT_UPPER_ARM, -1},
                {LB_ROLE_RIGHT_FOREARM, GAIT_FOREARM, -1},
                {LB_ROLE_RIGHT_HAND, GAIT_FOREARM, -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int link = role_link(rest, rows[i].role);
        if (link != LB_NO_LINK)
            add_part(f, rest, rows[i].move, rows[i].side, link)->elbow =
                find_elbow(f, rest, rows[i].side);
    }
}

static void add_feet(gait_figure *f, const gait_rest *rest)
{
    for (int foot = 0; foot < 2; foot++) {
        const lb_contact_point *heel = &rest->soles[2 * foot];
        gait_part *part = add_part(f, rest, GAIT_FOOT, foot == 0 ? 1 : -1, heel->link);
        part->heel = heel->at;
        part->toe = heel[1].at;
    }
}

static lb_status find_parts(gait_figure *f, const gait_rest *rest, double ground, lb_error *error)
{
    *f = (gait_figure){.count = 0};
    find_frame(f, rest, ground);
    measure_leg(f, rest);
    add_part(f, rest, GAIT_PELVIS, 0, role_link(rest, LB_ROLE_PELVIS));
    add_feet(f, rest);
    add_limbs(f, rest);
    return add_trunk(f, rest, error);
}

lb_status gait_find(const lb_model *model, double ground, const lb_allocator *pool,
                    gait_figure *figure, lb_error *error)
{
    lb_state *state;
    lb_contacts *soles;
    gait_rest rest = {.model = model};
    TRY(lb_rig_find(model, pool, &rest.rig, error));
    TRY(lb_rig_soles(model, NULL, pool, &soles, error));
    TRY(require_memory(error, lb_state_create(model, pool, &state) == LB_OK));
    // a new state is that of the neutral configuration
    rest.links = lb_state_transforms(state);
    rest.soles = lb_contacts_points(soles);
    return find_parts(figure, &rest, ground, error);
}
