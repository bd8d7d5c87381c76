/*
 * mjcf_body.c - the bodies, joints and sites of MJCF as links and joints.
 *
 * A body's joints move it one after the other, each about an anchor in the body's frame. A
 * link's frame is that of the joint that moves it, so a body with several joints, or with an
 * anchor away from its origin, gets links in between; the body's own link keeps its frame.
 */
#include "formats/mapping/mjcf.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"

#include <string.h>

static bool is_named(const tree_node *node, const char *name)
{
    return node->kind == LB_NODE_ELEMENT && strcmp(node->name, name) == 0;
}

static bool is_body(const tree_node *node)
{
    return is_named(node, "body") || is_named(node, "worldbody");
}

/* what a body is in, through frames */
static const tree_node *body_around(const tree_node *body)
{
    const tree_node *around = body->parent;
    while (is_named(around, "frame"))
        around = around->parent;
    return around;
}

static bool is_joint(const tree_node *node)
{
    return is_named(node, "joint") || is_named(node, "freejoint");
}

static bool is_free(const mjcf_names *names, const char *name, bool given)
{
    return name_table_find(&names->taken, name) < 0 &&
           (given || name_table_find(&names->given, name) < 0);
}

const char *mjcf_unique(mjcf_reader *reader, mjcf_names *names, const char *wanted,
                        const char *ending, bool given)
{
    char text[LB_ERROR_MESSAGE_SIZE];
    int index = reader->draft.joint_count > 0 ? reader->draft.joint_count - 1 : 0;
    const char *name = wanted;
    if (!is_free(names, wanted, given)) {
        // with the ending, then with numbers behind it; none is tried twice, so that names that
        // take them all cost each of these but once
        text_format(text, sizeof text, "%.200s%s", wanted, ending);
        while (!is_free(names, text, false)) {
            names->number = names->number > index ? names->number + 1 : index + 1;
            text_format(text, sizeof text, "%.200s%s_%d", wanted, ending, names->number);
        }
        name = tree_copy_text(reader->scratch, text);
    }
    if (name != NULL)
        name_table_add(&names->taken, name, index);
    return name;
}

void mjcf_keep_names(mjcf_reader *reader, const tree_node *top)
{
    for (const tree_node *node = top; node != NULL; node = tree_walk(node, top, true)) {
        const char *name = tree_attribute(node, "name");
        if (name == NULL || name[0] == '\0')
            continue;
        if (is_body(node))
            name_table_add(&reader->links.given, name, 0);
        if (is_joint(node))
            name_table_add(&reader->joints.given, name, 0);
    }
}

int mjcf_count_links(const tree_node *top)
{
    int count = 0;
    for (const tree_node *node = top; node != NULL; node = tree_walk(node, top, true))
        count += is_body(node) || is_joint(node) || is_named(node, "site");
    return count;
}

/* ---- joints --------------------------------------------------------------- */

/* A joint type of MJCF. */
typedef struct mjcf_joint_type {
    const char *name;
    lb_joint_kind limited, unlimited;
} mjcf_joint_type;

static const mjcf_joint_type joint_types[] = {
    {"hinge", LB_JOINT_REVOLUTE, LB_JOINT_CONTINUOUS},
    {"slide", LB_JOINT_PRISMATIC, LB_JOINT_PRISMATIC},
    {"ball", LB_JOINT_BALL, LB_JOINT_BALL},
    {"free", LB_JOINT_FLOATING, LB_JOINT_FLOATING},
};
enum { JOINT_TYPE_COUNT = sizeof joint_types / sizeof *joint_types };

/* The links and joints of one body while they are being made. */
typedef struct body_reading {
    const tree_node *body;
    const char *name;       /* of its link */
    const char *parent;     /* the link that the next joint hangs from */
    lb_transform placement; /* of the body where the next joint begins, seen from that link */
    lb_vec3 anchor;         /* of the last joint: where the origin of its link is in the body */
} body_reading;

static lb_status find_type(const mjcf_reader *reader, const element_place *place,
                           const tree_node *node, const mjcf_joint_type **type)
{
    const char *name = tree_attribute(mjcf_source(reader, node, "type"), "type");
    if (is_named(node, "freejoint"))
        name = "free";
    suggest nearest = suggest_start(name == NULL ? "hinge" : name);
    for (int i = 0; i < JOINT_TYPE_COUNT; i++) {
        *type = &joint_types[i];
        if (strcmp(nearest.name, (*type)->name) == 0)
            return LB_OK;
        suggest_consider(&nearest, (*type)->name);
    }
    return element_refuse(place, LB_BAD_MODEL, node, "no joint type '%.60s'%s", name,
                          suggest_phrase(&nearest));
}

/* the joint's range in radians or metres, and whether it counts */
static lb_status read_range(const mjcf_reader *reader, const element_place *place,
                            const tree_node *node, bool angles, double range[2], bool *limited)
{
    const tree_node *source = mjcf_source(reader, node, "range");
    int count, flag;
    range[0] = range[1] = 0;
    TRY(element_some_numbers(place, source, "range", 2, 2, range, &count));
    bool automatic = reader->compiler.autolimits && count == 2 && range[0] != range[1];
    TRY(mjcf_flag(place, mjcf_source(reader, node, "limited"), "limited", automatic, &flag));
    *limited = flag == 1;
    if (*limited && range[0] > range[1])
        return element_refuse(place, LB_BAD_VALUE, source, "range %g is above %g; exchange them",
                              range[0], range[1]);
    for (int i = 0; i < 2 && angles; i++)
        range[i] = mjcf_radians(reader, range[i]);
    return LB_OK;
}

/* limits in this library's terms: MuJoCo bounds the whole turn of a ball joint */
static void set_limits(const element_place *place, const tree_node *node, lb_joint *joint,
                       const double range[2])
{
    if (joint->kind == LB_JOINT_FLOATING)
        return;
    joint->lower[0] = range[0];
    joint->upper[0] = range[1];
    if (joint->kind != LB_JOINT_BALL)
        return;
    joint->lower[0] = -range[1];
    joint->upper[1] = range[1];
    element_warn(place, node,
                 "the limit %g of the ball's whole turn is read as limits of its twist and swing",
                 range[1]);
}

/* the value at which the joint leaves the body where the file has it, inside its limits or not */
static lb_status read_reference(const mjcf_reader *reader, const element_place *place,
                                const tree_node *node, lb_joint *joint)
{
    double reference = 0;
    if (lb_joint_kind_nq(joint->kind) != 1)
        return LB_OK;
    lb_status status =
        element_numbers(place, mjcf_source(reader, node, "ref"), "ref", 1, &reference);
    joint->value[0] = 0;
    if (status != LB_OK || reference == 0)
        return status;
    bool slides = joint->kind == LB_JOINT_PRISMATIC;
    lb_vec3 axis = lb_vec3_normalize(joint->axis, lb_vec3_make(0, 0, 1));
    lb_transform back = LB_TRANSFORM_IDENTITY;
    if (slides) {
        back.p = lb_vec3_scale(axis, -reference);
    } else {
        reference = mjcf_radians(reader, reference);
        back = lb_transform_from_quat(lb_quat_from_axis_angle(axis, -reference), back.p);
    }
    joint->placement = lb_transform_multiply(&joint->placement, &back);
    joint->value[0] = reference;
    return LB_OK;
}

static lb_status read_force(const mjcf_reader *reader, const element_place *place,
                            const tree_node *node, lb_joint *joint)
{
    double range[2] = {0, 0};
    int count;
    const tree_node *source = mjcf_source(reader, node, "actuatorfrcrange");
    TRY(element_some_numbers(place, source, "actuatorfrcrange", 2, 2, range, &count));
    if (count == 2 && range[0] < range[1])
        joint->effort = fmax(fabs(range[0]), fabs(range[1]));
    return LB_OK;
}

static lb_status read_motion(const mjcf_reader *reader, const element_place *place,
                             const tree_node *node, lb_joint *joint)
{
    const mjcf_joint_type *type;
    double axis[3] = {0, 0, 1}, range[2];
    bool limited;
    TRY(find_type(reader, place, node, &type));
    bool angles = type->limited == LB_JOINT_REVOLUTE || type->limited == LB_JOINT_BALL;
    TRY(read_range(reader, place, node, angles, range, &limited));
    TRY(element_numbers(place, mjcf_source(reader, node, "axis"), "axis", 3, axis));
    if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
        return element_refuse(place, LB_BAD_VALUE, node, "axis is zero; give it a direction");

    // a ball joint and a free one have no axis of their own
    joint->kind = limited ? type->limited : type->unlimited;
    if (lb_joint_kind_nq(joint->kind) == 1)
        joint->axis = lb_vec3_make(axis[0], axis[1], axis[2]);
    if (limited)
        set_limits(place, node, joint, range);
    draft_rest(joint);
    TRY(read_reference(reader, place, node, joint));
    double stiffness[3] = {0}; // and those of a spring that is not linear
    int count;
    TRY(element_some_numbers(place, mjcf_source(reader, node, "stiffness"), "stiffness", 1, 3,
                             stiffness, &count));
    joint->sprung = stiffness[0] > 0;
    return read_force(reader, place, node, joint);
}

/* a free joint's values are the body's place in the world */
static void release_body(lb_joint *joint, const lb_transform *placement)
{
    lb_quat q = lb_transform_quat(placement);
    double value[7] = {placement->p.x, placement->p.y, placement->p.z, q.w, q.x, q.y, q.z};
    memcpy(joint->value, value, sizeof value);
    joint->placement = LB_TRANSFORM_IDENTITY;
}

/* the next joint of a body, which moves the body's own link if it is the last */
static lb_joint *add_joint(mjcf_reader *reader, body_reading *b, int line, const char *given,
                           bool last)
{
    lb_joint *joint = draft_joint(&reader->draft, line);
    joint->name = mjcf_unique(reader, &reader->joints, given == NULL ? b->name : given, "_joint",
                              given != NULL);
    joint->parent = b->parent;
    joint->child = b->name;
    if (!last && joint->name != NULL) {
        joint->child = mjcf_unique(reader, &reader->links, joint->name, "_link", false);
        draft_link(&reader->draft, line)->name = joint->child;
    }
    b->parent = joint->child;
    joint->placement = b->placement;
    b->placement = LB_TRANSFORM_IDENTITY;
    return joint->name == NULL || joint->child == NULL ? NULL : joint;
}

/* one <joint> or <freejoint>; `last`: no other follows */
static lb_status read_joint(mjcf_reader *reader, body_reading *b, const tree_node *node, bool last)
{
    const char *given = tree_attribute(node, "name");
    element_place place = {"joint", given == NULL ? b->name : given, reader->error,
                           reader->warnings};
    const mjcf_joint_type *type;
    lb_transform own;
    TRY(find_type(reader, &place, node, &type));
    TRY(mjcf_frame_in_body(reader, &place, node, b->body, &own));

    // the joint's frame is at its anchor, a free joint at the body's own place
    bool floats = type->unlimited == LB_JOINT_FLOATING;
    lb_vec3 anchor = floats ? lb_vec3_make(0, 0, 0) : own.p;
    lb_vec3 shift = lb_vec3_sub(anchor, b->anchor);
    lb_transform step = lb_transform_translation(shift.x, shift.y, shift.z), body = b->placement;
    bool at_origin = anchor.x == 0 && anchor.y == 0 && anchor.z == 0;
    b->placement = lb_transform_multiply(&b->placement, &step);
    b->anchor = anchor;
    lb_joint *joint = add_joint(reader, b, node->line, given, last && at_origin);
    TRY(require_memory(reader->error, joint));
    lb_status status = read_motion(reader, &place, node, joint);
    joint->axis = lb_transform_direction(&own, joint->axis);
    if (status != LB_OK || joint->kind != LB_JOINT_FLOATING)
        return status;
    if (!is_named(body_around(b->body), "worldbody"))
        return element_refuse(&place, LB_BAD_MODEL, node,
                              "a free joint is for bodies of the world alone");
    release_body(joint, &body);
    return LB_OK;
}

/* of a body, after a node in it */
static const tree_node *next_joint(const tree_node *node, const tree_node *body)
{
    do
        node = mjcf_next_own(node, body);
    while (node != NULL && !is_joint(node));
    return node;
}

/* ---- sites ---------------------------------------------------------------- */

/* a named site is a link that is fixed to the body's */
static lb_status read_sites(mjcf_reader *reader, const tree_node *body, const char *link)
{
    const tree_node *node = mjcf_next_own(body, body);
    for (; node != NULL; node = mjcf_next_own(node, body)) {
        const char *name = tree_attribute(node, "name");
        if (!is_named(node, "site") || name == NULL || name[0] == '\0')
            continue;
        element_place place = {"site", name, reader->error, reader->warnings};
        name_table_add(&reader->sites, name, reader->draft.joint_count);
        lb_joint *joint = draft_joint(&reader->draft, node->line);
        lb_link *own = draft_link(&reader->draft, node->line);
        own->name = mjcf_unique(reader, &reader->links, name, "_site", false);
        joint->name = mjcf_unique(reader, &reader->joints, name, "_site", false);
        joint->parent = link;
        joint->child = own->name;
        TRY(require_memory(reader->error, own->name && joint->name));
        if (strcmp(own->name, name) != 0)
            element_warn(&place, node, "another link has this name; the site's link is '%.100s'",
                         own->name);
        TRY(mjcf_frame_in_body(reader, &place, node, body, &joint->placement));
    }
    return LB_OK;
}

/* ---- bodies --------------------------------------------------------------- */

/* all joints of a body, and the fixed one that leads back to its own frame where that is needed */
static lb_status read_joints(mjcf_reader *reader, body_reading *b)
{
    lb_status status = LB_OK;
    const tree_node *node = next_joint(b->body, b->body);
    bool moves = node != NULL;
    while (node != NULL && status == LB_OK) {
        const tree_node *next = next_joint(node, b->body);
        status = read_joint(reader, b, node, next == NULL);
        node = next;
    }
    bool at_origin = b->anchor.x == 0 && b->anchor.y == 0 && b->anchor.z == 0;
    if (status != LB_OK || (moves && at_origin))
        return status;
    if (moves)
        b->placement = lb_transform_translation(-b->anchor.x, -b->anchor.y, -b->anchor.z);
    lb_joint *fixed = add_joint(reader, b, b->body->line, NULL, true);
    return fixed == NULL ? error_out_of_memory(reader->error) : LB_OK;
}

static const char *name_body(mjcf_reader *reader, const tree_node *body)
{
    char text[32];
    const char *given = tree_attribute(body, "name");
    if (given != NULL && given[0] != '\0')
        return mjcf_unique(reader, &reader->links, given, "_body", true);
    text_format(text, sizeof text, "body_%d", reader->draft.link_count);
    const char *name = tree_copy_text(reader->scratch, text);
    return name == NULL ? NULL : mjcf_unique(reader, &reader->links, name, "_body", false);
}

static lb_status read_body(mjcf_reader *reader, const tree_node *body, const tree_node *around,
                           const char *parent, const char **name)
{
    body_reading b = {.body = body, .parent = parent, .placement = LB_TRANSFORM_IDENTITY};
    element_place place = {"body", tree_attribute(body, "name"), reader->error, reader->warnings};
    b.name = *name = name_body(reader, body);
    TRY(require_memory(reader->error, b.name));
    TRY(mjcf_frame_in_body(reader, &place, body, around, &b.placement));
    TRY(read_joints(reader, &b));
    lb_link *link = draft_link(&reader->draft, body->line);
    link->name = b.name;
    TRY(mjcf_read_geoms(reader, body, link));
    return read_sites(reader, body, b.name);
}

/* bodies that are open in document order, with the names of their links */
enum { MAX_DEPTH = 256 };

lb_status mjcf_read_bodies(mjcf_reader *reader, const tree_node *world, const char *world_name)
{
    struct {
        const tree_node *body;
        const char *name;
    } open[MAX_DEPTH] = {{world, world_name}};
    int depth = 1;
    lb_status status = LB_OK;
    const tree_node *node = tree_walk(world, world, true);
    for (; node != NULL && status == LB_OK; node = tree_walk(node, world, true)) {
        if (!is_named(node, "body"))
            continue;
        const tree_node *around = body_around(node);
        while (depth > 1 && open[depth - 1].body != around)
            depth--;
        if (open[depth - 1].body != around || depth == MAX_DEPTH)
            return lb_error_set(reader->error, LB_UNSUPPORTED, node->line,
                                "a <body> must be in another, at most %d deep, or in a <frame>",
                                MAX_DEPTH);
        status = read_body(reader, node, around, open[depth - 1].name, &open[depth].name);
        open[depth++].body = node;
    }
    return status == LB_OK ? read_sites(reader, world, world_name) : status;
}
