/*
 * poses.h - the configurations a user gives.
 */
#ifndef CLI_OPTIONS_POSES_H
#define CLI_OPTIONS_POSES_H

#include <limber/model.h>

#include "cli/command.h"

/* `count` configurations of nq numbers, one after the other; release with poses_release. */
typedef struct pose_list {
    double *q;
    double *times; /* of each, where a file has them; else NULL */
    int count;
} pose_list;

/* --at and --poses */
extern const struct poptOption pose_options[];

/* What --at or --poses say; one pose, the neutral one, when neither is given. */
bool poses_given(const lb_model *model, pose_list *poses);

/* One pose, each joint at its default. */
void poses_neutral(const lb_model *model, pose_list *poses);
/* One pose from "joint=value ..." given with `option`; what is not named is at its default. */
bool poses_from_text(const lb_model *model, const char *option, const char *text, pose_list *poses);
/*
 * Poses from a CSV file with a header of value names (see values.h) in any
 * order; what has no column is at its default. A column `time` are the poses'
 * times; the columns that limber ik and limber animate write besides are passed over.
 */
bool poses_from_csv(const lb_model *model, const char *path, pose_list *poses);

void poses_release(pose_list *poses);

#endif
