/* support_arm.c - a small arm to build from and to spoil. */
#include "support_arm.h"

void test_arm_make(test_arm *arm)
{
    static const char *const links[] = {"base", "upper", "lower", "hand"};
    static const char *const joints[] = {"shoulder", "elbow", "wrist"};
    memset(arm, 0, sizeof *arm);
    for (int i = 0; i < 4; i++) {
        arm->links[i] = lb_link_default();
        arm->links[i].name = links[i];
    }
    for (int i = 0; i < 3; i++) {
        arm->joints[i] = lb_joint_default();
        arm->joints[i].name = joints[i];
        arm->joints[i].parent = links[i];
        arm->joints[i].child = links[i + 1];
        arm->joints[i].kind = LB_JOINT_REVOLUTE;
        arm->joints[i].lower[0] = -2;
        arm->joints[i].upper[0] = 2;
        arm->lines[i] = 11 + i;
    }
    arm->source = (lb_model_source){.name = "arm",
                                    .root = LB_TRANSFORM_IDENTITY,
                                    .links = arm->links,
                                    .link_count = 4,
                                    .joints = arm->joints,
                                    .joint_count = 3,
                                    .joint_lines = arm->lines};
}
