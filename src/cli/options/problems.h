/*
 * problems.h - targets of inverse kinematics, each with its start, a block at a time.
 */
#ifndef CLI_OPTIONS_PROBLEMS_H
#define CLI_OPTIONS_PROBLEMS_H

#include "cli/options/poses.h"
#include "cli/options/targets.h"

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

#endif
