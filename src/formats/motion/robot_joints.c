/* robot_joints.c - which joints of a model are the columns of a robot's motion. */
#include "formats/motion/robot.h"

/* the floating joint; -1: there is none */
static int find_root(const lb_model *model)
{
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->kind == LB_JOINT_FLOATING)
            return j;
    return -1;
}

bool robot_joints_has(const lb_model *model, int root, int joint)
{
    return joint != root && lb_model_joint(model, joint)->mimic == NULL &&
           lb_model_joint_q(model, joint) >= 0;
}

lb_status robot_joints_check(const lb_model *model, int *root, int *joints, lb_error *error)
{
    *joints = 0;
    *root = find_root(model);
    if (*root < 0)
        return lb_error_set(error, LB_BAD_MODEL, 0,
                            "the model has no floating joint; give its root one by "
                            "lb_model_with_root or --root floating");
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (!robot_joints_has(model, *root, j))
            continue;
        if (lb_joint_kind_nq(joint->kind) != 1)
            return lb_error_set(error, LB_BAD_MODEL, 0,
                                "joint '%.100s' is %s; a column holds one value, of a hinge or a "
                                "slide: BVH and JSON hold any joint",
                                joint->name, lb_joint_kind_text(joint->kind));
        ++*joints;
    }
    return LB_OK;
}
