/*
 * elbows.h - the elbow of arms of seven joints, for many targets: the arcs that it can be on, or
 * where it is best.
 */
#ifndef CLI_WORK_ELBOWS_H
#define CLI_WORK_ELBOWS_H

#include <limber/elbow.h>
#include <stdio.h>

#include "cli/options/figure.h"
#include "cli/options/poses.h"
#include "cli/options/targets.h"
#include "cli/report/print_json.h"
#include "cli/report/rows.h"
#include "cli/work/missing.h"

/* One arc of a target, or its best elbow. */
typedef struct elbow_row {
    int branch;
    double begin, end;      /* of an arc */
    lb_elbow_choice choice; /* the best; the branch of one that is not reached is 0 */
} elbow_row;

/* Arcs or best elbows of a block of targets, target after target. Release with elbows_release. */
typedef struct elbows {
    const lb_model *model;
    lb_task task;
    lb_elbow *elbow;
    bool best; /* else arcs */
    lb_elbow_goal goal;

    /* the block */
    const target_list *targets;
    const pose_list *starts;
    elbow_row *rows;
    double *q; /* nq numbers of each row: in the middle of the arc, or at the best elbow */
    size_t count, room;
    size_t *first;        /* of each target: its first row; one more for the end */
    lb_outcome *outcomes; /* of each target */
    int before;           /* targets of earlier blocks */

    /* all blocks up to this one */
    int target_count, reached;
    size_t total;   /* arcs */
    double seconds; /* of solving alone */
    missing_targets missing;
} elbows;

/* The names of lb_elbow_goal, in its order: what --elbow takes. */
enum { ELBOW_GOALS = 3 };
extern const char *const elbow_goals[ELBOW_GOALS + 1];

/*
 * Prepares for blocks of targets and their starts, one for each or one for all; `goal` is an
 * lb_elbow_goal, or -1 for arcs. The lists have the first block, which is the largest, and are
 * filled anew for each. Prints an error and returns false for an arm without an elbow's circle.
 * Everything pointed to must outlive `all`.
 */
bool elbows_create(elbows *all, const lb_model *model, const lb_task *task, int goal,
                   const target_list *targets, const pose_list *starts);
/* Finds those of the block of an `elbows`. */
void elbows_find(void *all);
/* Accepts one of all zeros. */
void elbows_release(elbows *all);

/* Remarks on the targets that have none, if any. */
void elbows_remark(const void *all);

/* The forms of an `elbows`: a row for each arc, or for each target; in JSON an element for each
   target; and for people. */
extern const result_table elbows_rows;
void elbows_elements(void *all, row *to, json_list *list);
json_t *elbows_members(void *all);
bool elbows_write_words(void *all, FILE *stream);

/* Draws them into one figure, what `drawing` says of it besides poses: the first in full. */
bool elbows_draw(const elbows *all, lb_drawing *drawing, const char *path);

#endif
