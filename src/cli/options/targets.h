/*
 * targets.h - the targets of inverse kinematics that a user gives, and the paths of a tool.
 */
#ifndef CLI_OPTIONS_TARGETS_H
#define CLI_OPTIONS_TARGETS_H

#include <limber/motion.h>
#include <limber/task.h>

#include "cli/command.h"
#include "cli/options/poses.h"
#include "formats/table.h"

/* Targets T_base_goal and what of them counts; release with targets_release. */
typedef struct target_list {
    lb_transform *targets;
    int count;
    lb_task_kind kind;
} target_list;

/* --position, --rpy, --quaternion and --targets */
extern const struct poptOption target_options[];

/* --rpy and --quaternion alone */
extern const struct poptOption rotation_options[];

/* The columns that a file of targets can have, in three groups: where, and how turned in two ways.
 */
enum { TARGET_PLACE = 0, TARGET_QUATERNION = 3, TARGET_ANGLES = 7, TARGET_COLUMNS = 10 };

/* Where targets come from, a block at a time. Close with targets_close. */
typedef struct target_source {
    lb_task_kind kind;
    bool in_file;
    lb_transform single; /* not in a file: the only one */
    row_table table;
    int places[TARGET_COLUMNS]; /* of the columns in the file, -1: not there */
    bool matrices;              /* instead: a row has the four rows of T_base_goal */
    int count;                  /* that were read */
    int changed;                /* quaternions that were not of length 1 */
    double doubtful;            /* the first angle that looks like degrees, 0: none does */
    /* of several tips: whose columns are read, "tip.x" ..., and which others there may be */
    const char *tip, *const *tips;
    int tip_count;
} target_source;

/*
 * The targets of several tips, from as many of --position and of --rpy or --quaternion as there are
 * tips. False after a complaint; else release with targets_release.
 */
bool targets_of_tips(int tips, target_list *targets);

/* Whether some of them are given more than once. */
bool targets_are_several(void);
/* Whether --targets alone is given: the targets of several tips are columns of a file. */
bool targets_are_in_file(void);
/* Opens that file for the columns of one of several tips, named "tip.x" and so on. */
bool targets_open_tip(target_source *source, int tip, const char *const *tips, int count);
/* Whether any of those options is given. */
bool targets_are_given(void);

/*
 * What those options say, or a file as --targets takes it. Prints an error and returns false
 * when that is no target, or no file of targets. A failed source needs no closing.
 */
bool targets_open(target_source *source);
/*
 * The next targets, at most `most` > 0 of them, in the place of those in the list; their number.
 * At the end 0: the list stays as it is, and what looked odd is remarked. -1 after an error is
 * printed.
 */
int targets_next(target_source *source, int most, target_list *targets);
/* Accepts a source of all zeros. */
void targets_close(target_source *source);

/* All of them at once. */
bool targets_given(target_list *targets);
bool targets_from_file(const char *path, target_list *targets);
/* The rotation that the options say, if any: then *given. False after a complaint. */
bool rotation_given(bool *given, lb_quat *rotation);
void targets_release(target_list *targets);

/* ---- what is brought to a target -------------------------------------- */

/* --tool, --free-axis and --free-position */
extern const struct poptOption tool_options[];

/* The task of targets of a kind as these options want it; false after a complaint. */
bool tool_task(const lb_model *model, lb_task_kind kind, lb_task *task);

/* ---- targets and their starts ----------------------------------------- */

/* Open `targets`, then call problems_open. Close with problems_close. */
struct problem_source {
    target_source targets;
    pose_source starts;
    bool shared; /* one start for all */
    /* the block that was read last; its starts one for each target, or one for all */
    target_list block;
    pose_list block_starts;
};
typedef struct problem_source problem_source;

/*
 * The starts of targets that are open: `text` as of --start, the file at `path` as of --starts, or
 * the neutral pose where both are NULL. Prints an error and returns false when they are none.
 */
bool problems_open(problem_source *source, const lb_model *model, const char *text,
                   const char *path);
/*
 * The next targets and their starts, at most `most` > 1 of them; their number. At the end 0: the
 * block stays as it is. -1 after an error is printed.
 */
int problems_next(problem_source *source, int most);
/* All of them in one block; false after an error is printed. */
bool problems_read_all(problem_source *source);
/* Accepts a source of all zeros. */
void problems_close(problem_source *source);

/* ---- paths ------------------------------------------------------------ */

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
