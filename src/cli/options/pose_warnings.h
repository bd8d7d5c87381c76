/*
 * pose_warnings.h - warnings about poses that look like mistakes.
 */
#ifndef CLI_OPTIONS_POSE_WARNINGS_H
#define CLI_OPTIONS_POSE_WARNINGS_H

#include "cli/options/poses.h"

/*
 * Remarks on poses that are outside the limits, and on angles that look like degrees
 * where radians are read; `what` is the option or the file they are from.
 */
void pose_warnings_print(const lb_model *model, const char *what, const pose_list *poses);

#endif
