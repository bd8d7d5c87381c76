/*
 * robot_joints.h - which joints of a model are the columns of a robot's motion, whatever its file.
 */
#ifndef FORMATS_MOTION_ROBOT_JOINTS_H
#define FORMATS_MOTION_ROBOT_JOINTS_H

#include <limber/model.h>

/*
 * The floating joint that is the robot's root, and how many others have a column: those of one
 * value that mimic none. Refused: a model without such a root, joints of several values.
 */
lb_status robot_joints_check(const lb_model *model, int *root, int *joints, lb_error *error);
/* Whether a joint has a column. */
bool robot_joints_has(const lb_model *model, int root, int joint);

#endif
