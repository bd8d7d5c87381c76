/* joint_limits.h - limits of joints before a file was read. */
#ifndef FORMATS_MAPPING_JOINT_LIMITS_H
#define FORMATS_MAPPING_JOINT_LIMITS_H

#include <limber/formats/joint_limits.h>

/* A row without limits for each joint of the model. */
void joint_limits_clear(const lb_model *model, lb_joint_limit *limits);

#endif
