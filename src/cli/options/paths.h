/*
 * paths.h - the path that a user gives for a tool: straight to a place, or through many.
 */
#ifndef CLI_OPTIONS_PATHS_H
#define CLI_OPTIONS_PATHS_H

#include "cli/command.h"
#include "cli/options/poses.h"

#include <limber/motion.h>

/* --to, --rpy, --quaternion and --path; --shape, --closed and --start */
extern const struct poptOption path_goal_options[];
extern const struct poptOption path_options[];

/* How many of --to and --path are given. */
int paths_given(void);
/* Complains of what has no effect, and returns false then. */
bool paths_check(void);
bool paths_check_free_rotation(void);

/* A path and where its motion begins; release with path_choice_release. */
typedef struct path_choice {
    lb_path *path;
    pose_list start; /* one pose */
    bool any_start;  /* --start was not given, and the path says where it begins */
} path_choice;

/*
 * What these options say, for the tip and base of a task, whose kind is set: a pose where there are
 * rotations, or where `keeps_rotation` has the tip keep that of the start on its way to --to and
 * the arm has joints enough for it; else a position. False after a complaint; release in either
 * case.
 */
bool path_given(const lb_model *model, bool keeps_rotation, lb_task *task, path_choice *choice);
void path_choice_release(path_choice *choice);

#endif
