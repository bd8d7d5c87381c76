/*
 * mjcf_equality.c - the equality constraints of MJCF.
 *
 * joint: the first joint's distance from its reference is a polynomial of the second's. Of
 * first order, the first mimics the second; of order zero, it keeps its value; of a higher one, a
 * coupling. connect and weld close loops. Without sites and relpose they hold at the rest pose, as
 * MuJoCo defines them: so that of the tree is computed before joints constrain each other.
 */
#include "formats/mapping/mjcf.h"

#include "base/error.h"
#include "base/text.h"

#include <limber/kinematics.h>

#include <string.h>

static lb_joint *find_joint(mjcf_reader *reader, const char *name)
{
    int index = name_table_find(&reader->joints.taken, name);
    return index < 0 ? NULL : &reader->draft.joints[index];
}

/* the joint that an attribute names; only those of one value can be constrained */
static lb_status read_joint(mjcf_reader *reader, const element_place *place, const tree_node *node,
                            const char *attribute, lb_joint **joint)
{
    const char *name = tree_attribute(node, attribute);
    *joint = NULL;
    if (name == NULL)
        return LB_OK;
    *joint = find_joint(reader, name);
    if (*joint == NULL)
        return element_refuse(place, LB_BAD_MODEL, node, "%s: no joint '%.60s'", attribute, name);
    if (lb_joint_kind_nq((*joint)->kind) != 1)
        return element_refuse(place, LB_BAD_MODEL, node, "%s: '%.60s' is no hinge and no slide",
                              attribute, name);
    return LB_OK;
}

/* ---- joints --------------------------------------------------------------- */

/* the file's name of a constraint, which MuJoCo wants to be unique, or one with its number */
static const char *name_loop(mjcf_reader *reader, const tree_node *node)
{
    char text[64];
    const char *given = tree_attribute(node, "name");
    if (given != NULL && *given != '\0')
        return given;
    text_format(text, sizeof text, "%.20s_%d", node->name, reader->draft.loop_count);
    return tree_copy_text(reader->scratch, text);
}

/* value = y0 + P(x - x0) as a polynomial of x */
static void shift_polynomial(const double given[LB_LOOP_TERMS], double x0, double y0,
                             double shifted[LB_LOOP_TERMS])
{
    // Horner's scheme, of polynomials: shifted = shifted * (x - x0) + given[k]
    memset(shifted, 0, sizeof(double) * LB_LOOP_TERMS);
    for (int k = LB_LOOP_TERMS; k-- > 0;) {
        for (int i = LB_LOOP_TERMS - 1; i > 0; i--)
            shifted[i] = shifted[i - 1] - x0 * shifted[i];
        shifted[0] = given[k] - x0 * shifted[0];
    }
    shifted[0] += y0;
}

/* the first joint follows the second: as a mimic joint if it can */
static lb_status set_polynomial(mjcf_reader *reader, const tree_node *node, lb_joint *joint,
                                const lb_joint *other, const double polynomial[LB_LOOP_TERMS])
{
    if (polynomial[2] == 0 && polynomial[3] == 0 && polynomial[4] == 0) {
        joint->mimic = other->name;
        joint->multiplier = polynomial[1];
        joint->offset = polynomial[0] + joint->value[0] - polynomial[1] * other->value[0];
        return LB_OK;
    }
    lb_loop *loop = draft_loop(&reader->draft, node->line);
    loop->kind = LB_LOOP_COUPLING;
    loop->name = name_loop(reader, node);
    loop->first = joint->name;
    loop->second = other->name;
    shift_polynomial(polynomial, other->value[0], joint->value[0], loop->polynomial);
    TRY(require_memory(reader->error, loop->name));
    return LB_OK;
}

static lb_status read_constraint(mjcf_reader *reader, const tree_node *node)
{
    element_place place = {"equality", tree_attribute(node, "name"), reader->error,
                           reader->warnings};
    double polynomial[5] = {0, 1, 0, 0, 0};
    lb_joint *joint, *other;
    int count, active;
    TRY(read_joint(reader, &place, node, "joint1", &joint));
    TRY(read_joint(reader, &place, node, "joint2", &other));
    TRY(element_some_numbers(&place, mjcf_source(reader, node, "polycoef"), "polycoef", 1, 5,
                             polynomial, &count));
    TRY(mjcf_flag(&place, mjcf_source(reader, node, "active"), "active", 1, &active));
    if (active == 0)
        return LB_OK;
    if (joint == NULL)
        return element_refuse(&place, LB_BAD_MODEL, node,
                              "<joint> needs the attribute joint1=\"...\"");
    if (other != NULL)
        return set_polynomial(reader, node, joint, other, polynomial);
    joint->value[0] += polynomial[0];
    joint->locked = true;
    return LB_OK;
}

/* ---- loops ---------------------------------------------------------------- */

static bool is_loop(const tree_node *node)
{
    return strcmp(node->name, "connect") == 0 || strcmp(node->name, "weld") == 0;
}

/* the link of a body, or of a site: `what` is the attribute; *name NULL: it is absent */
static lb_status find_link(mjcf_reader *reader, const element_place *place, const tree_node *node,
                           const char *what, const char **name)
{
    const char *given = *name = tree_attribute(node, what);
    if (given == NULL)
        return LB_OK;
    bool site = strncmp(what, "site", 4) == 0;
    int joint = site ? name_table_find(&reader->sites, given) : -1;
    if (joint >= 0)
        *name = reader->draft.joints[joint].child;
    else if (site || (name_table_find(&reader->links.given, given) < 0 &&
                      strcmp(given, reader->draft.links[0].name) != 0))
        return element_refuse(place, LB_BAD_MODEL, node, "%s: no %s '%.60s'", what,
                              site ? "site" : "body", given);
    return LB_OK;
}

/* T_body1_body2 as the file gives it; false: it does not, so it is that of the rest pose */
static lb_status read_relpose(mjcf_reader *reader, const element_place *place,
                              const tree_node *node, lb_transform *relative, bool *given)
{
    double n[7];
    int count;
    TRY(element_some_numbers(place, mjcf_source(reader, node, "relpose"), "relpose", 7, 7, n,
                             &count));
    *given = count == 7 && (n[3] != 0 || n[4] != 0 || n[5] != 0 || n[6] != 0);
    if (*given)
        *relative = lb_transform_from_quat(lb_quat_normalize((lb_quat){n[3], n[4], n[5], n[6]}),
                                           lb_vec3_make(n[0], n[1], n[2]));
    return LB_OK;
}

/* the frames of a loop between bodies; `rest` is the tree at its rest pose */
static lb_status place_bodies(mjcf_reader *reader, const element_place *place,
                              const tree_node *node, const lb_state *rest, lb_loop *loop)
{
    const lb_model *tree = lb_state_model(rest);
    bool weld = strcmp(node->name, "weld") == 0, given = false;
    double anchor[3] = {0};
    int count;
    lb_transform relative = lb_state_transform(rest, lb_model_find_link(tree, loop->first),
                                               lb_model_find_link(tree, loop->second));
    TRY(element_some_numbers(place, mjcf_source(reader, node, "anchor"), "anchor", 3, 3, anchor,
                             &count));
    lb_vec3 point = lb_vec3_make(anchor[0], anchor[1], anchor[2]);
    if (weld)
        TRY(read_relpose(reader, place, node, &relative, &given));
    lb_transform back = lb_transform_inverse(&relative);
    if (loop->kind == LB_LOOP_WELD) {
        loop->first_frame = relative;
        return LB_OK;
    }
    // a weld's anchor is in the second body, a connection's in the first
    loop->first_frame.p = weld ? lb_transform_point(&relative, point) : point;
    loop->second_frame.p = weld ? point : lb_transform_point(&back, point);
    return LB_OK;
}

/* a weld without torque holds the point alone */
static lb_status read_kind(const mjcf_reader *reader, const element_place *place,
                           const tree_node *node, lb_loop *loop)
{
    double scale = 1;
    bool weld = strcmp(node->name, "weld") == 0;
    if (weld)
        TRY(element_numbers(place, mjcf_source(reader, node, "torquescale"), "torquescale", 1,
                            &scale));
    loop->kind = weld && scale != 0 ? LB_LOOP_WELD : LB_LOOP_BALL;
    return LB_OK;
}

/* whether an attribute names a body that MuJoCo's user moves; such bodies hang on the world */
static bool is_mocap(const mjcf_reader *reader, const tree_node *node, const char *what)
{
    const char *name = tree_attribute(node, what);
    const tree_node *top = tree_child(reader->root, "worldbody");
    for (; name != NULL && top != NULL; top = tree_next(top))
        for (const tree_node *body = tree_child(top, "body"); body != NULL;
             body = tree_next(body)) {
            const char *own = tree_attribute(body, "name"), *mocap = tree_attribute(body, "mocap");
            if (own != NULL && mocap != NULL && strcmp(own, name) == 0 &&
                strcmp(mocap, "true") == 0)
                return true;
        }
    return false;
}

static lb_status read_loop(mjcf_reader *reader, const tree_node *node, const lb_state *rest)
{
    element_place place = {"equality", tree_attribute(node, "name"), reader->error,
                           reader->warnings};
    bool sites = tree_attribute(node, "site1") != NULL;
    int active;
    TRY(mjcf_flag(&place, mjcf_source(reader, node, "active"), "active", 1, &active));
    if (active == 0)
        return LB_OK;
    if (is_mocap(reader, node, "body1") || is_mocap(reader, node, "body2")) {
        element_warn(&place, node,
                     "<%s> holds on to a mocap body, which MuJoCo's user moves: it is left out",
                     node->name);
        return LB_OK;
    }
    lb_loop *loop = draft_loop(&reader->draft, node->line);
    TRY(read_kind(reader, &place, node, loop));
    loop->name = name_loop(reader, node);
    TRY(require_memory(reader->error, loop->name));
    TRY(find_link(reader, &place, node, sites ? "site1" : "body1", &loop->first));
    TRY(find_link(reader, &place, node, sites ? "site2" : "body2", &loop->second));
    if (loop->first == NULL || (sites && loop->second == NULL))
        return element_refuse(&place, LB_BAD_MODEL, node, "<%s> needs body1 or site1 and site2",
                              node->name);
    loop->second = loop->second == NULL ? reader->draft.links[0].name : loop->second;
    return sites ? LB_OK : place_bodies(reader, &place, node, rest, loop);
}

/* the tree as it rests, before joints constrain each other */
static lb_status rest_tree(mjcf_reader *reader, lb_state **rest)
{
    const lb_allocator *pool = &reader->draft.allocator;
    lb_model *tree;
    load_warnings *warnings = reader->draft.warnings;
    // it is built again, and warned of then
    reader->draft.warnings = NULL;
    lb_status status = draft_build(&reader->draft, pool, &tree, reader->error);
    reader->draft.warnings = warnings;
    TRY(status);
    return require_memory(reader->error, lb_state_create(tree, pool, rest) == LB_OK);
}

static lb_status read_loops(mjcf_reader *reader, int count)
{
    lb_state *rest = NULL;
    TRY(count > 0 ? rest_tree(reader, &rest) : LB_OK);
    const tree_node *top = tree_child(reader->root, "equality"), *node;
    for (; top != NULL && count > 0; top = tree_next(top))
        for (node = top->first; node != NULL; node = node->next)
            if (is_loop(node))
                TRY(read_loop(reader, node, rest));
    return LB_OK;
}

static void warn_of_kind(mjcf_reader *reader, const tree_node *node)
{
    element_place place = {"equality", tree_attribute(node, "name"), reader->error,
                           reader->warnings};
    element_warn(&place, node,
                 "<%.20s> is not read: of equality constraints, <connect>, <weld> and <joint> are",
                 node->name);
}

lb_status mjcf_read_equality(mjcf_reader *reader)
{
    int loops = 0, all = 0;
    const tree_node *top = tree_child(reader->root, "equality"), *first = top, *node;
    for (; top != NULL; top = tree_next(top))
        for (node = top->first; node != NULL; node = node->next, all++)
            loops += is_loop(node);
    TRY(draft_loops(&reader->draft, all, reader->error));
    TRY(read_loops(reader, loops));
    for (top = first; top != NULL; top = tree_next(top))
        for (node = top->first; node != NULL; node = node->next) {
            if (strcmp(node->name, "joint") == 0)
                TRY(read_constraint(reader, node));
            else if (!is_loop(node))
                warn_of_kind(reader, node);
        }
    return LB_OK;
}
