/*
 * urdf.c - loading a robot file, reading its joints, and the message for a file with a mistake.
 *
 * The file is in memory here; lb_load takes a path, and recognises the format by
 * the ending and the content.
 *
 * Prints:
 *     hinge: revolute, moves leaf, 0 to 1.9
 *     door.urdf:4: joint 'hinge': no link is named 'laef', its child; did you mean 'leaf'?
 */
#include <limber/formats/load.h>
#include <stdio.h>
#include <string.h>

/* A door of one hinge; %s is the link that the hinge moves. */
static const char door[] = "<robot name='door'>\n"
                           "  <link name='frame'/>\n"
                           "  <link name='leaf'/>\n"
                           "  <joint name='hinge' type='revolute'>\n"
                           "    <parent link='frame'/> <child link='%s'/>\n"
                           "    <axis xyz='0 0 1'/>\n"
                           "    <limit lower='0' upper='1.9' effort='10' velocity='1'/>\n"
                           "  </joint>\n"
                           "</robot>\n";

/* Loads the door with this link at its hinge and prints its joints, or why it cannot be. */
static bool print_door(const char *link)
{
    char text[1000];
    snprintf(text, sizeof text, door, link);
    lb_model *model;
    lb_error error;
    if (lb_load_memory("door.urdf", text, strlen(text), NULL, &model, &error) != LB_OK) {
        printf("%s:%d: %s\n", error.path, error.line, error.message);
        return false;
    }

    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        printf("%s: %s, moves %s, %g to %g\n", joint->name, lb_joint_kind_text(joint->kind),
               joint->child, joint->lower[0], joint->upper[0]);
    }
    lb_model_release(model);
    return true;
}

int main(void)
{
    bool right = print_door("leaf");
    bool wrong = print_door("laef");
    return right && !wrong ? 0 : 1;
}
