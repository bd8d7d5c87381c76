/*
 * urdf.c - the Unified Robot Description Format (URDF) of ROS.
 *
 * Source: http://wiki.ros.org/urdf/XML, and urdfdom 4 where that page is silent.
 * docs/format.md lists what is read, what is ignored and what is refused.
 */
#include "formats/mapping/urdf.h"

#include "base/error.h"
#include "base/suggest.h"

#include <string.h>

/* ---- the whole robot ---------------------------------------------------- */

static lb_status check_root(const element_place *place, const tree_node *robot)
{
    // 1.0, 1.1 and 1.2 differ in nothing but what is added
    const char *version = tree_attribute(robot, "version");
    if (version != NULL && strcmp(version, "1") != 0 && strncmp(version, "1.", 2) != 0)
        return element_refuse(place, LB_UNSUPPORTED, robot,
                              "version \"%.20s\" of URDF is not known; 1.0 to 1.2 are", version);
    return urdf_check_macros(place, robot);
}

static int count_shapes(const tree_node *robot)
{
    int count = 0;
    for (const tree_node *link = tree_child(robot, "link"); link != NULL; link = tree_next(link))
        count += tree_count(link, "visual") + tree_count(link, "collision");
    return count;
}

static lb_status read_parts(model_draft *draft, const urdf_colors *colors, const tree_node *robot,
                            lb_error *error)
{
    const tree_node *node;
    for (node = tree_child(robot, "link"); node != NULL; node = tree_next(node))
        TRY(urdf_link(draft, colors, node, error));
    for (node = tree_child(robot, "joint"); node != NULL; node = tree_next(node))
        TRY(urdf_joint(draft, node, error));
    return LB_OK;
}

lb_status mapping_urdf(const tree_node *robot, load_warnings *warnings,
                       const lb_allocator *allocator, lb_model **model, lb_error *error)
{
    model_draft draft;
    MEMORY_POOL(memory, allocator);
    element_place place = {"robot", NULL, error, warnings};
    TRY(check_root(&place, robot));
    urdf_check(warnings, robot);
    const char *name = tree_attribute(robot, "name");
    if (name == NULL || *name == '\0') {
        element_warn(&place, robot, "it has no name=\"...\" and is called 'robot'");
        name = "robot";
    }

    // count, so that every array is allocated once
    int links = tree_count(robot, "link"), joints = tree_count(robot, "joint");
    if (links == 0 &&
        (tree_child(robot, "group") != NULL || tree_child(robot, "disable_collisions") != NULL))
        return element_refuse(&place, LB_BAD_MODEL, robot,
                              "it has no <link>: this is an SRDF, which is read beside its URDF");
    if (links == 0)
        return element_refuse(&place, LB_BAD_MODEL, robot, "it has no <link>");
    TRY(draft_create(&draft, links, joints, count_shapes(robot), &memory, error));
    draft.source.name = name;
    draft.warnings = warnings;

    // read and build
    urdf_colors colors;
    if (!urdf_colors_create(&colors, robot, &memory))
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory for materials");
    TRY(read_parts(&draft, &colors, robot, error));
    TRY(draft_check_mimics(&draft, error));
    return draft_build(&draft, allocator, model, error);
}

/* ---- joints ------------------------------------------------------------- */

/* A joint type of URDF: what kind it is here, and what its element must have. */
typedef struct joint_type {
    const char *name;
    lb_joint_kind kind;
    bool has_axis;
    bool has_limits;
} joint_type;

static const joint_type joint_types[] = {
    {"revolute", LB_JOINT_REVOLUTE, true, true},   {"continuous", LB_JOINT_CONTINUOUS, true, false},
    {"prismatic", LB_JOINT_PRISMATIC, true, true}, {"fixed", LB_JOINT_FIXED, false, false},
    {"planar", LB_JOINT_PLANAR, true, false},      {"floating", LB_JOINT_FLOATING, false, false},
    {"spherical", LB_JOINT_BALL, false, false}, // of PyBullet
};

static lb_status read_type(const element_place *place, const tree_node *node,
                           const joint_type **type)
{
    const char *name;
    TRY(element_text(place, node, "type", &name));
    suggest nearest = suggest_start(name);
    for (size_t i = 0; i < sizeof joint_types / sizeof *joint_types; i++) {
        *type = &joint_types[i];
        if (strcmp(name, (*type)->name) == 0)
            return LB_OK;
        suggest_consider(&nearest, (*type)->name);
    }
    return element_refuse(place, LB_BAD_MODEL, node, "no joint type '%.60s'%s", name,
                          suggest_phrase(&nearest));
}

/* <parent link="..."/> or <child link="..."/> */
static lb_status read_end(const element_place *place, const tree_node *joint, const char *which,
                          const char **link)
{
    const tree_node *node;
    TRY(element_only_child(place, joint, which, &node));
    if (node == NULL)
        return element_refuse(place, LB_BAD_MODEL, joint, "it needs <%s link=\"...\"/>", which);
    return element_text(place, node, "link", link);
}

/* the first axis of a planar joint: x, or y where the plane's normal is nearer to x */
static lb_vec3 plane_axis(lb_vec3 normal)
{
    bool along_x = fabs(normal.x) > fabs(normal.y) && fabs(normal.x) > fabs(normal.z);
    return along_x ? lb_vec3_make(0, 1, 0) : lb_vec3_make(1, 0, 0);
}

static lb_status read_axis(const element_place *place, const tree_node *node, lb_joint *joint)
{
    const tree_node *axis;
    double xyz[3] = {1, 0, 0};
    TRY(element_only_child(place, node, "axis", &axis));
    if (axis != NULL)
        TRY(element_numbers(place, axis, "xyz", 3, xyz));
    if (xyz[0] == 0 && xyz[1] == 0 && xyz[2] == 0)
        return element_refuse(place, LB_BAD_VALUE, axis, "axis is zero; give it a direction");
    joint->axis = lb_vec3_make(xyz[0], xyz[1], xyz[2]);
    joint->axis2 = plane_axis(joint->axis);
    return LB_OK;
}

/* whether there are limits: of lower and upper one that is left out is zero, so says the format,
   but a joint without both, which could not move, has none, as Drake and Bullet read it */
static bool has_bounds(const element_place *place, const tree_node *limit)
{
    bool lower = tree_attribute(limit, "lower") != NULL;
    bool upper = tree_attribute(limit, "upper") != NULL;
    if (!lower && !upper)
        element_warn(place, limit, "<limit> has no lower and no upper; none are assumed");
    else if (!lower || !upper)
        element_warn(place, limit, "<limit> has no %s, which is taken as 0",
                     lower ? "upper" : "lower");
    return lower || upper;
}

/* exporters write 0 for a speed that they do not know, and some -1 */
static lb_status read_speed(const element_place *place, const tree_node *limit, lb_joint *joint)
{
    lb_status status = element_numbers(place, limit, "velocity", 1, &joint->velocity);
    if (status != LB_OK || joint->velocity > 0)
        return status;
    if (joint->velocity < 0)
        element_warn(place, limit, "velocity %g is taken as no limit", joint->velocity);
    joint->velocity = INFINITY;
    return LB_OK;
}

static lb_status read_limit(const element_place *place, const tree_node *node, bool has_limits,
                            lb_joint *joint)
{
    const tree_node *limit;
    TRY(element_only_child(place, node, "limit", &limit));
    if (limit == NULL && has_limits)
        element_warn(place, node,
                     "a %s joint without <limit lower=\"...\" upper=\"...\"/>; no "
                     "limits are assumed",
                     lb_joint_kind_text(joint->kind));
    if (limit == NULL)
        return LB_OK;

    double lower = 0, upper = 0;
    has_limits = has_limits && has_bounds(place, limit);
    TRY(element_numbers(place, limit, "lower", 1, &lower));
    TRY(element_numbers(place, limit, "upper", 1, &upper));
    TRY(read_speed(place, limit, joint));
    TRY(element_numbers(place, limit, "effort", 1, &joint->effort));
    if (!has_limits)
        return LB_OK;
    if (lower > upper)
        return element_refuse(place, LB_BAD_VALUE, limit,
                              "limit lower %g is above upper %g; exchange them, or leave both out "
                              "if there is no limit",
                              lower, upper);
    // simulators write such numbers for no limit
    bool unlimited = lower < -LB_LENGTH_MAX || upper > LB_LENGTH_MAX;
    if (unlimited)
        element_warn(place, limit, "limits %g .. %g beyond %g are taken as none", lower, upper,
                     LB_LENGTH_MAX);
    joint->lower[0] = lower < -LB_LENGTH_MAX ? -INFINITY : lower;
    joint->upper[0] = upper > LB_LENGTH_MAX ? INFINITY : upper;
    return LB_OK;
}

static lb_status read_mimic(const element_place *place, const tree_node *node, lb_joint *joint)
{
    const tree_node *mimic;
    TRY(element_only_child(place, node, "mimic", &mimic));
    if (mimic == NULL)
        return LB_OK;
    TRY(element_text(place, mimic, "joint", &joint->mimic));
    TRY(element_numbers(place, mimic, "multiplier", 1, &joint->multiplier));
    return element_numbers(place, mimic, "offset", 1, &joint->offset);
}

lb_status urdf_joint(model_draft *draft, const tree_node *node, lb_error *error)
{
    lb_joint *joint = draft_joint(draft, node->line);
    element_place place = {"joint", NULL, error, draft->warnings};
    const joint_type *type;
    TRY(element_text(&place, node, "name", &joint->name));
    place.name = joint->name;

    // what it joins, and where
    TRY(read_type(&place, node, &type));
    joint->kind = type->kind;
    TRY(read_end(&place, node, "parent", &joint->parent));
    TRY(read_end(&place, node, "child", &joint->child));
    TRY(urdf_origin(&place, node, &joint->placement));

    // how it moves
    if (type->has_axis)
        TRY(read_axis(&place, node, joint));
    TRY(read_limit(&place, node, type->has_limits, joint));
    TRY(read_mimic(&place, node, joint));
    draft_rest(joint);
    return LB_OK;
}
