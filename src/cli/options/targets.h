/*
 * targets.h - the targets of inverse kinematics that a user gives.
 */
#ifndef CLI_OPTIONS_TARGETS_H
#define CLI_OPTIONS_TARGETS_H

#include <limber/task.h>

#include "cli/command.h"
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

#endif
