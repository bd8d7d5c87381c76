/*
 * urdf.c - the Unified Robot Description Format (URDF) of ROS.
 *
 * Source: http://wiki.ros.org/urdf/XML, and urdfdom 4 where that page is silent.
 * docs/format.md lists what is read, what is ignored and what is refused.
 */
#include "formats/urdf.h"

#include "base/suggest.h"
#include "formats/format.h"

#include <string.h>

/* ---- the whole robot ---------------------------------------------------- */

/* the next element in document order below `top`, without recursion; NULL at the end */
static const xmlNode *next_in_order(const xmlNode *node, const xmlNode *top)
{
    if (node->children != NULL)
        return node->children;
    while (node != top && node->next == NULL)
        node = node->parent;
    return node == top ? NULL : node->next;
}

/* a file with macros in it is a recipe for a robot, not yet one */
static lb_status refuse_macros(const xmlNode *robot, lb_error *error)
{
    xml_place place = {"robot", NULL, error};
    for (const xmlNode *node = robot; node != NULL; node = next_in_order(node, robot)) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        bool macro = node->ns != NULL && node->ns->prefix != NULL &&
                     strcmp((const char *)node->ns->prefix, "xacro") == 0;
        if (macro || strncmp(xml_name(node), "xacro:", 6) == 0)
            return xml_refuse(&place, LB_UNSUPPORTED, node,
                              "<xacro:%s> must be expanded first: xacro FILE > robot.urdf",
                              macro ? xml_name(node) : xml_name(node) + 6);
    }
    return LB_OK;
}

static lb_status check_root(const xmlNode *robot, lb_error *error)
{
    if (robot == NULL || strcmp(xml_name(robot), "robot") != 0)
        return lb_error_set(error, LB_BAD_MODEL, robot == NULL ? 0 : xml_line(robot),
                            "this is not URDF: the outermost element is <%.60s>, not <robot>",
                            robot == NULL ? "" : xml_name(robot));

    // 1.0, 1.1 and 1.2 differ in nothing but what is added
    const char *version = xml_attribute(robot, "version");
    if (version != NULL && strcmp(version, "1") != 0 && strncmp(version, "1.", 2) != 0)
        return lb_error_set(error, LB_UNSUPPORTED, xml_line(robot),
                            "robot: version \"%.20s\" of URDF is not known; 1.0 to 1.2 are",
                            version);
    return refuse_macros(robot, error);
}

static int count_visuals(const xmlNode *robot)
{
    int count = 0;
    for (const xmlNode *link = xml_child(robot, "link"); link != NULL; link = xml_next(link))
        count += xml_count(link, "visual");
    return count;
}

static lb_status read_parts(model_draft *draft, const urdf_colors *colors, const xmlNode *robot,
                            lb_error *error)
{
    lb_status status = LB_OK;
    const xmlNode *node;
    for (node = xml_child(robot, "link"); node != NULL && status == LB_OK; node = xml_next(node))
        status = urdf_link(draft, colors, node, error);
    for (node = xml_child(robot, "joint"); node != NULL && status == LB_OK; node = xml_next(node))
        status = urdf_joint(draft, node, error);
    return status;
}

static lb_status read_robot(const xmlNode *robot, const load_notes *notes,
                            const lb_allocator *allocator, lb_model **model, lb_error *error)
{
    model_draft draft;
    xml_place place = {"robot", NULL, error};
    const char *name;
    lb_status status = check_root(robot, error);
    if (status == LB_OK)
        urdf_notes(notes, robot);
    if (status == LB_OK)
        status = xml_text(&place, robot, "name", &name);
    if (status != LB_OK)
        return status;

    // count, so that every array is allocated once
    int links = xml_count(robot, "link"), joints = xml_count(robot, "joint");
    if (links == 0)
        return xml_refuse(&place, LB_BAD_MODEL, robot, "it has no <link>");
    status = draft_create(&draft, links, joints, count_visuals(robot), allocator, error);
    if (status != LB_OK)
        return status;
    draft.source.name = name;
    draft.notes = notes;

    // read and build
    urdf_colors colors;
    status = urdf_colors_create(&colors, robot, &draft.allocator)
                 ? read_parts(&draft, &colors, robot, error)
                 : lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory for materials");
    if (status == LB_OK)
        status = draft_build(&draft, model, error);
    memory_release(&draft.allocator, colors.block);
    draft_release(&draft);
    return status;
}

lb_status model_from_urdf(const char *text, size_t size, const load_notes *notes,
                          const lb_allocator *allocator, lb_model **model, lb_error *error)
{
    xmlDoc *doc;
    *model = NULL;
    lb_status status = xml_parse(text, size, &doc, error);
    if (status == LB_OK)
        status = read_robot(xmlDocGetRootElement(doc), notes, allocator, model, error);
    xmlFreeDoc(doc);
    return status;
}

lb_status urdf_origin(const xml_place *place, const xmlNode *parent, lb_transform *origin)
{
    const xmlNode *node;
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0}, quat[4] = {0, 0, 0, 1};
    *origin = LB_TRANSFORM_IDENTITY;
    lb_status status = xml_only_child(place, parent, "origin", &node);
    if (status != LB_OK || node == NULL)
        return status;

    // a rotation is given in one way or not at all
    bool has_quat = xml_attribute(node, "quat_xyzw") != NULL;
    if (has_quat && xml_attribute(node, "rpy") != NULL)
        return xml_refuse(place, LB_BAD_MODEL, node,
                          "<origin> has both rpy and quat_xyzw; leave one of them");
    status = xml_numbers(place, node, "xyz", 3, xyz);
    if (status == LB_OK)
        status = xml_numbers(place, node, "rpy", 3, rpy);
    if (status == LB_OK)
        status = xml_numbers(place, node, "quat_xyzw", 4, quat);
    if (status != LB_OK)
        return status;

    // quaternions are written with few digits, but one far from unit length is a slip
    lb_quat rotation = {quat[3], quat[0], quat[1], quat[2]};
    double square = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
    if (fabs(square - 1) > 0.02)
        return xml_refuse(place, LB_BAD_VALUE, node, "quat_xyzw must have length 1, not %g",
                          sqrt(square));
    rotation = has_quat ? lb_quat_normalize(rotation) : lb_quat_from_rpy(rpy[0], rpy[1], rpy[2]);
    *origin = lb_transform_from_quat(rotation, lb_vec3_make(xyz[0], xyz[1], xyz[2]));
    return LB_OK;
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
};

static lb_status read_type(const xml_place *place, const xmlNode *node, const joint_type **type)
{
    const char *name;
    lb_status status = xml_text(place, node, "type", &name);
    if (status != LB_OK)
        return status;
    suggest nearest = suggest_start(name);
    for (size_t i = 0; i < sizeof joint_types / sizeof *joint_types; i++) {
        *type = &joint_types[i];
        if (strcmp(name, (*type)->name) == 0)
            return LB_OK;
        suggest_offer(&nearest, (*type)->name);
    }
    return xml_refuse(place, LB_BAD_MODEL, node, "no joint type '%.60s'%s", name,
                      suggest_phrase(&nearest));
}

/* <parent link="..."/> or <child link="..."/> */
static lb_status read_end(const xml_place *place, const xmlNode *joint, const char *which,
                          const char **link)
{
    const xmlNode *node;
    lb_status status = xml_only_child(place, joint, which, &node);
    if (status != LB_OK)
        return status;
    if (node == NULL)
        return xml_refuse(place, LB_BAD_MODEL, joint, "it needs <%s link=\"...\"/>", which);
    return xml_text(place, node, "link", link);
}

/* the first of a planar joint's two ways: x, or y where the plane's normal is nearer to x */
static lb_vec3 plane_axis(lb_vec3 normal)
{
    bool along_x = fabs(normal.x) > fabs(normal.y) && fabs(normal.x) > fabs(normal.z);
    return along_x ? lb_vec3_make(0, 1, 0) : lb_vec3_make(1, 0, 0);
}

static lb_status read_axis(const xml_place *place, const xmlNode *node, lb_joint *joint)
{
    const xmlNode *axis;
    double xyz[3] = {1, 0, 0};
    lb_status status = xml_only_child(place, node, "axis", &axis);
    if (status == LB_OK && axis != NULL)
        status = xml_numbers(place, axis, "xyz", 3, xyz);
    if (status != LB_OK)
        return status;
    if (xyz[0] == 0 && xyz[1] == 0 && xyz[2] == 0)
        return xml_refuse(place, LB_BAD_VALUE, axis, "axis is zero; give it a direction");
    joint->axis = lb_vec3_make(xyz[0], xyz[1], xyz[2]);
    joint->axis2 = plane_axis(joint->axis);
    return LB_OK;
}

static lb_status read_limit(const xml_place *place, const xmlNode *node, bool has_limits,
                            lb_joint *joint)
{
    const xmlNode *limit;
    lb_status status = xml_only_child(place, node, "limit", &limit);
    if (status != LB_OK)
        return status;
    if (limit == NULL && has_limits)
        return xml_refuse(place, LB_BAD_MODEL, node,
                          "a %s joint needs <limit lower=\"...\" upper=\"...\"/>",
                          lb_joint_kind_text(joint->kind));
    if (limit == NULL)
        return LB_OK;

    // what is left out of lower and upper is zero: so says the format
    double lower = 0, upper = 0;
    status = xml_numbers(place, limit, "lower", 1, &lower);
    if (status == LB_OK)
        status = xml_numbers(place, limit, "upper", 1, &upper);
    if (status == LB_OK)
        status = xml_numbers(place, limit, "velocity", 1, &joint->velocity);
    if (status == LB_OK)
        status = xml_numbers(place, limit, "effort", 1, &joint->effort);
    if (status != LB_OK || !has_limits)
        return status;
    if (lower > upper)
        return xml_refuse(place, LB_BAD_VALUE, limit, "limit lower %g is above upper %g", lower,
                          upper);
    joint->lower[0] = lower;
    joint->upper[0] = upper;
    return LB_OK;
}

static lb_status read_mimic(const xml_place *place, const xmlNode *node, lb_joint *joint)
{
    const xmlNode *mimic;
    lb_status status = xml_only_child(place, node, "mimic", &mimic);
    if (status != LB_OK || mimic == NULL)
        return status;
    status = xml_text(place, mimic, "joint", &joint->mimic);
    if (status == LB_OK)
        status = xml_numbers(place, mimic, "multiplier", 1, &joint->multiplier);
    if (status == LB_OK)
        status = xml_numbers(place, mimic, "offset", 1, &joint->offset);
    return status;
}

lb_status urdf_joint(model_draft *draft, const xmlNode *node, lb_error *error)
{
    lb_joint *joint = draft_joint(draft, xml_line(node));
    xml_place place = {"joint", NULL, error};
    const joint_type *type;
    lb_status status = xml_text(&place, node, "name", &joint->name);
    if (status != LB_OK)
        return status;
    place.name = joint->name;

    // what it joins, and where
    status = read_type(&place, node, &type);
    if (status != LB_OK)
        return status;
    joint->kind = type->kind;
    status = read_end(&place, node, "parent", &joint->parent);
    if (status == LB_OK)
        status = read_end(&place, node, "child", &joint->child);
    if (status == LB_OK)
        status = urdf_origin(&place, node, &joint->placement);

    // how it moves
    if (status == LB_OK && type->has_axis)
        status = read_axis(&place, node, joint);
    if (status == LB_OK)
        status = read_limit(&place, node, type->has_limits, joint);
    if (status == LB_OK)
        status = read_mimic(&place, node, joint);
    draft_rest(joint);
    return status;
}
