/*
 * mjcf_equality.c - the equality constraints of MJCF that a tree can have.
 *
 * joint: the first joint's distance from its reference is a polynomial of the second's. Of
 * first order, the first mimics the second; of order zero, it keeps its value. What closes a
 * loop is warned of: a model is a tree.
 */
#include "formats/mapping/mjcf.h"

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

/* what of a polynomial a mimicking joint can have */
static void set_mimic(const element_place *place, const tree_node *node, lb_joint *joint,
                      const lb_joint *other, const double polynomial[5])
{
    if (polynomial[2] != 0 || polynomial[3] != 0 || polynomial[4] != 0)
        element_warn(place, node, "polycoef is read up to its linear term");
    joint->mimic = other->name;
    joint->multiplier = polynomial[1];
    joint->offset = polynomial[0] + joint->value[0] - polynomial[1] * other->value[0];
}

static lb_status read_constraint(mjcf_reader *reader, const tree_node *node)
{
    element_place place = {"equality", tree_attribute(node, "name"), reader->error,
                           reader->warnings};
    double polynomial[5] = {0, 1, 0, 0, 0};
    lb_joint *joint, *other;
    int count, active;
    lb_status status = read_joint(reader, &place, node, "joint1", &joint);
    if (status == LB_OK)
        status = read_joint(reader, &place, node, "joint2", &other);
    if (status == LB_OK)
        status = element_some_numbers(&place, mjcf_source(reader, node, "polycoef"), "polycoef", 1,
                                      5, polynomial, &count);
    if (status == LB_OK)
        status = mjcf_flag(&place, mjcf_source(reader, node, "active"), "active", 1, &active);
    if (status != LB_OK || active == 0)
        return status;
    if (joint == NULL)
        return element_refuse(&place, LB_BAD_MODEL, node,
                              "<joint> needs the attribute joint1=\"...\"");
    if (other != NULL) {
        set_mimic(&place, node, joint, other, polynomial);
        return LB_OK;
    }
    joint->value[0] += polynomial[0];
    joint->locked = true;
    return LB_OK;
}

static void warn_of_loop(mjcf_reader *reader, const tree_node *node)
{
    element_place place = {"equality", tree_attribute(node, "name"), reader->error,
                           reader->warnings};
    const char *first = tree_attribute(node, "body1"), *second = tree_attribute(node, "body2");
    first = first == NULL ? tree_attribute(node, "site1") : first;
    second = second == NULL ? tree_attribute(node, "site2") : second;
    element_warn(&place, node,
                 "<%.20s> closes a loop between '%.80s' and '%.80s', which is not kept: a model is "
                 "a tree",
                 node->name, first == NULL ? "" : first, second == NULL ? "world" : second);
}

lb_status mjcf_read_equality(mjcf_reader *reader)
{
    lb_status status = LB_OK;
    const tree_node *top = tree_child(reader->root, "equality"), *node;
    for (; top != NULL; top = tree_next(top))
        for (node = top->first; node != NULL && status == LB_OK; node = node->next) {
            if (strcmp(node->name, "joint") == 0)
                status = read_constraint(reader, node);
            else
                warn_of_loop(reader, node);
        }
    return status;
}
