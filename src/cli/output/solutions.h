/*
 * solutions.h - every solution of many targets: found, timed and written.
 */
#ifndef CLI_OUTPUT_SOLUTIONS_H
#define CLI_OUTPUT_SOLUTIONS_H

#include <limber/solutions.h>
#include <stdio.h>

#include "cli/options/figure.h"
#include "cli/options/poses.h"
#include "cli/options/targets.h"

/* All solutions of all targets, target after target. Release with solutions_release. */
typedef struct solutions {
    const lb_model *model;
    lb_task task;
    lb_solutions_solver *solver;
    const target_list *targets;
    double *q; /* rows of nq numbers, as many as `infos` */
    lb_solution *infos;
    size_t count, room;
    size_t *first; /* of each target: its first row; one more for the end */
    lb_solutions_summary *summaries;
    double seconds; /* of solving alone */
} solutions;

/*
 * Finds them, nearest to each start (one for each target, or one for all) first. Prints an error
 * and returns false when there is no solver for the task. Everything pointed to must outlive `all`.
 */
bool solutions_find(solutions *all, const lb_model *model, const lb_task *task,
                    const lb_solutions_options *options, const target_list *targets,
                    const pose_list *starts);
/* Accepts one of all zeros. */
void solutions_release(solutions *all);

/* How many targets have a solution inside the limits. */
int solutions_reached(const solutions *all);

/*
 * Write `solutions`, as destination_writer says: a row for each, and on standard error the targets
 * that have none; one JSON object, which lists them unless rows go to a file; and for people, a
 * line for each.
 */
bool solutions_write_rows(void *all, FILE *stream);
bool solutions_write_json(void *all, FILE *stream);
bool solutions_write_words(void *all, FILE *stream);

/*
 * Draws them into one figure, what `drawing` says of it besides poses: the nearest of the first
 * target in full, the others as ghosts; those of one target are labelled by branch.
 */
bool solutions_draw(const solutions *all, lb_drawing *drawing, const char *path);

#endif
