/*
 * problems.c - targets of inverse kinematics, each with its start.
 *
 * Two files are read in step. That they have different numbers of rows is found where one of them
 * ends; the other is then read to its end as well, for the message.
 */
#include "cli/options/targets.h"

#include "cli/report/report.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

bool problems_open(problem_source *source, const lb_model *model, const char *text,
                   const char *path)
{
    if (text != NULL && path != NULL) {
        complain("--start and --starts cannot both be given");
        return false;
    }
    source->shared = path == NULL;
    if (text != NULL)
        return poses_from_text(model, "--start", text, &source->block_starts);
    if (path == NULL) {
        poses_neutral(model, &source->block_starts);
        return true;
    }
    if (strcmp(path, "-") == 0 && table_is_standard_input(&source->targets.table)) {
        complain("--targets - and --starts - cannot both have standard input");
        return false;
    }
    return poses_open_file(&source->starts, model, path);
}

/* how many there are of each, when that is not the same number */
static int refuse_counts(problem_source *source)
{
    int targets, starts;
    do
        targets = targets_next(&source->targets, CSV_BLOCK, &source->block);
    while (targets > 0);
    if (targets < 0)
        return -1;
    do
        starts = poses_next(&source->starts, CSV_BLOCK, &source->block_starts);
    while (starts > 0);
    if (starts == 0)
        complain("%s: %d starts for %d target%s; one for each is wanted, or one for all",
                 source->starts.table.rows.path, source->starts.table.count, source->targets.count,
                 source->targets.count == 1 ? "" : "s");
    return -1;
}

int problems_next(problem_source *source, int most)
{
    bool first = source->targets.count == 0;
    int targets = targets_next(&source->targets, most, &source->block);
    if (targets < 0 || source->shared)
        return targets;
    int starts = poses_next(&source->starts, most, &source->block_starts);
    if (starts < 0)
        return -1;

    /* a block of one row is all of the file; its end has the remarks */
    source->shared = first && starts == 1;
    if (source->shared)
        return poses_next(&source->starts, 1, &source->block_starts) < 0 ? -1 : targets;
    return starts == targets ? targets : refuse_counts(source);
}

bool problems_read_all(problem_source *source)
{
    return problems_next(source, INT_MAX) >= 0 && problems_next(source, INT_MAX) >= 0;
}

void problems_close(problem_source *source)
{
    targets_close(&source->targets);
    poses_close(&source->starts);
    targets_release(&source->block);
    poses_release(&source->block_starts);
}
