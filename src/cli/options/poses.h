/*
 * poses.h - the configurations a user gives.
 */
#ifndef CLI_OPTIONS_POSES_H
#define CLI_OPTIONS_POSES_H

#include <limber/model.h>

#include "cli/command.h"
#include "cli/options/values.h"
#include "formats/motion/poses.h"

/* ---- poses that look like mistakes ------------------------------------ */

enum { POSE_WARNING_SIZE = VALUE_NAME_SIZE + 160 };

/* What looked like a mistake in all poses so far; all zeros at first. */
typedef struct pose_warnings {
    int poses, outside; /* how many, and how many are outside the limits */
    char first_outside[POSE_WARNING_SIZE];
    double degrees; /* the first angle that looks like degrees, 0: none does */
    char degrees_name[VALUE_NAME_SIZE];
} pose_warnings;

/* Looks at `count` more poses, nq numbers each. */
void pose_warnings_add(pose_warnings *all, const lb_model *model, const value_slot *slots,
                       const double *q, int count);

/*
 * Remarks on poses that are outside the limits, and on angles that look like degrees
 * where radians are read; `what` is the option or the file they are from.
 */
void pose_warnings_print(const pose_warnings *all, const char *what);

/* ---- poses ------------------------------------------------------------ */

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

/* Where poses come from, a block at a time. Close with poses_close. */
typedef struct pose_source {
    bool in_file;
    pose_list single; /* not in a file: the only one, until it is read */
    pose_table table;
    pose_warnings warnings;
} pose_source;

/*
 * What --at or --poses say, one given pose, or a file as poses_from_file() reads it. The first and
 * the last print an error and return false when that is no pose or no file of poses; a failed
 * source needs no closing. poses_open_single takes the list over.
 */
bool poses_open(pose_source *source, const lb_model *model);
void poses_open_single(pose_source *source, const lb_model *model, pose_list *single);
bool poses_open_file(pose_source *source, const lb_model *model, const char *path);
/*
 * The next poses, at most `most` > 0 of them, in the place of those in the list; their number. At
 * the end 0: the list stays as it is, and what looked odd is remarked. -1 after an error is
 * printed.
 */
int poses_next(pose_source *source, int most, pose_list *poses);
/* Accepts a source of all zeros. */
void poses_close(pose_source *source);

/* One pose, each joint at its default. */
void poses_neutral(const lb_model *model, pose_list *poses);
/*
 * One pose from "joint=value ..." given with `option`, or no text (NULL); what is not named is at
 * its default.
 */
bool poses_from_text(const lb_model *model, const char *option, const char *text, pose_list *poses);
/*
 * Poses from a file, which formats/motion/poses.h describes.
 */
bool poses_from_file(const lb_model *model, const char *path, pose_list *poses);

void poses_release(pose_list *poses);

#endif
