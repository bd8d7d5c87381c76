/*
 * solutions.h - every solution of many targets: found, timed and written.
 */
#ifndef CLI_WORK_SOLUTIONS_H
#define CLI_WORK_SOLUTIONS_H

#include <limber/solutions.h>
#include <stdio.h>

#include "cli/options/figure.h"
#include "cli/options/poses.h"
#include "cli/options/targets.h"
#include "cli/report/print_json.h"
#include "cli/report/rows.h"
#include "cli/work/missing.h"

/* All solutions of a block of targets, target after target. Release with solutions_release. */
typedef struct solutions {
    const lb_model *model;
    lb_task task;
    lb_solutions_solver *solver;
    avoidance *avoid; /* what its filter refuses by; NULL: no filter */
    int most;         /* rows for one target */

    /* the block */
    const target_list *targets;
    const pose_list *starts;
    double *q; /* rows of nq numbers, as many as `infos` */
    lb_solution *infos;
    size_t count, room;
    size_t *first; /* of each target: its first row; one more for the end */
    lb_solutions_summary *summaries;
    refusal *refusals; /* of each target, where something is avoided */
    int before;        /* targets of earlier blocks */

    /* all blocks up to this one */
    int target_count, reached; /* targets, and those with a solution that is inside the limits and
                                  not refused */
    size_t total;              /* solutions */
    bool complete, certified;  /* of every target */
    double seconds;            /* of solving alone */
    missing_targets missing;   /* those without a solution */
} solutions;

/*
 * Prepares for blocks of targets and their starts, one for each or one for all. The lists have the
 * first block, which is the largest, and are filled anew for each. Prints an error and returns
 * false when there is no solver for the task. Everything pointed to must outlive `all`. `avoid` and
 * `most` may be set after that; the options' filter is then avoidance_filter.
 */
bool solutions_create(solutions *all, const lb_model *model, const lb_task *task,
                      const lb_solutions_options *options, const target_list *targets,
                      const pose_list *starts);
/* Finds those of the block of a `solutions`, nearest to each start first. */
void solutions_find(void *all);
/* Accepts one of all zeros. */
void solutions_release(solutions *all);

/* Remarks on the targets that have no solution, if any. */
void solutions_remark(const void *all);

/* The forms of `solutions`: a row for each of the block; in JSON an element for each target, which
   lists them; and for people a line for each. */
extern const result_table solutions_rows;
void solutions_elements(void *all, row *to, json_list *list);
json_t *solutions_members(void *all);
bool solutions_write_words(void *all, FILE *stream);

/*
 * Draws them into one figure, what `drawing` says of it besides poses: the nearest of the first
 * target in full, the others as ghosts; those of one target are labelled by branch.
 */
bool solutions_draw(const solutions *all, lb_drawing *drawing, const char *path);

/*
 * Solves all targets as a command: writes every solution, or the nearest of each target alone;
 * `avoid`: of those that do not collide. `name` is what the model was loaded by. Returns the exit
 * status.
 */
int solutions_solve(const char *name, const lb_model *model, problem_source *problems,
                    const lb_solutions_options *options, bool avoid, bool every);

#endif
