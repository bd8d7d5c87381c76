/*
 * mjcf_actuator.c - the joints that the actuators of MJCF move.
 *
 * An actuator names a joint, or a tendon. A fixed tendon pulls at several joints at once; of them
 * loops may leave any free, so all of them are driven: the passive joints follow first.
 */
#include "formats/mapping/mjcf.h"

#include <string.h>

static void drive(mjcf_reader *reader, const tree_node *node, const char *attribute)
{
    const char *name = tree_attribute(node, attribute);
    int joint = name == NULL ? -1 : name_table_find(&reader->joints.taken, name);
    element_place place = {node->name, tree_attribute(node, "name"), reader->error,
                           reader->warnings};
    if (joint >= 0)
        reader->draft.joints[joint].driven = true;
    else if (name != NULL)
        element_warn(&place, node, "no joint '%.60s', which it would move", name);
}

static void read_actuator(mjcf_reader *reader, const tree_node *node)
{
    const char *tendon = tree_attribute(node, "tendon");
    // a damper brakes and moves nothing
    if (strcmp(node->name, "damper") == 0)
        return;
    if (tendon != NULL)
        name_table_add(&reader->pulled, tendon, 0);
    drive(reader, node, "joint");
    drive(reader, node, "jointinparent");
}

static void read_tendon(mjcf_reader *reader, const tree_node *node)
{
    const char *name = tree_attribute(node, "name");
    if (strcmp(node->name, "fixed") != 0 || name == NULL ||
        name_table_find(&reader->pulled, name) < 0)
        return;
    const tree_node *joint = tree_child(node, "joint");
    for (; joint != NULL; joint = tree_next(joint))
        drive(reader, joint, "joint");
}

void mjcf_read_actuators(mjcf_reader *reader)
{
    const tree_node *top = tree_child(reader->root, "actuator"), *node;
    for (; top != NULL; top = tree_next(top))
        for (node = top->first; node != NULL; node = node->next)
            read_actuator(reader, node);
    for (top = tree_child(reader->root, "tendon"); top != NULL; top = tree_next(top))
        for (node = top->first; node != NULL; node = node->next)
            read_tendon(reader, node);
}
