/*
 * describe.h - a model in words for people, and as JSON for programs.
 */
#ifndef CLI_REPORT_DESCRIBE_H
#define CLI_REPORT_DESCRIBE_H

#include "cli/options/captures.h"

#include <jansson.h>
#include <limber/task.h>
#include <stdbool.h>
#include <stdio.h>

/* Counts, the table of joints, the tips. */
void describe_model(const lb_model *model, FILE *stream);

/*
 * The tree: a line for each link. A link listed right below another in the
 * same column hangs from it; where several hang from one, each begins a branch.
 */
void describe_tree(const lb_model *model, FILE *stream);

/*
 * What is in a file of motion: frames, unit, up axis and what of it was recognised of a BVH;
 * animations and humanoid bones of a glTF. False, and nothing, where there is no such file.
 */
bool describe_motion(const capture *c, FILE *stream);
/* The same as a JSON object; NULL where there is no such file. */
json_t *motion_json(const capture *c);

/* All of it as one JSON object, angles in radians. */
void describe_json(const capture *c, FILE *stream);

/* "ur5: tool0 from base_link": the model, and which link is brought to its target. */
void describe_task(const lb_model *model, const lb_task *task, FILE *stream);

/*
 * "3 joints, 2 constraints: underconstrained by 1 (redundant)", into `size` bytes. Degrees of
 * freedom are counted instead where joints have several.
 */
void describe_mobility(lb_mobility mobility, char *text, size_t size);

/* The value's limits in the user's unit, "-2.8973 .. 2.8973", "none" without; for `size` bytes. */
void describe_limits(const lb_joint *joint, char *text, size_t size);

/* ---- files without a model -------------------------------------------- */

/* Whether a file is one, by its content: a table, an array, an archive or such a JSON. */
bool describe_file_is(const char *path);

/* What is in it: its kind, rows and columns or arrays; in words or as one JSON object. False after
 * a complaint. */
bool describe_file(const char *path, bool as_json, FILE *stream);

#endif
