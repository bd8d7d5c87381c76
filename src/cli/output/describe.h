/*
 * describe.h - a model in words for people, and as JSON for programs.
 */
#ifndef CLI_OUTPUT_DESCRIBE_H
#define CLI_OUTPUT_DESCRIBE_H

#include <limber/formats/bvh.h>
#include <limber/task.h>
#include <stdio.h>

/* Counts, the table of joints, the tips. */
void describe_model(const lb_model *model, FILE *stream);

/*
 * The tree: a line for each link. A link listed right below another in the
 * same column hangs from it; where several hang from one, each begins a branch.
 */
void describe_tree(const lb_model *model, FILE *stream);

/* The motion of a BVH file: its frames, unit, up axis, and what of it was recognised. */
void describe_bvh(const lb_bvh *bvh, FILE *stream);

/* All of it as one JSON object, angles in radians. `bvh` may be NULL. */
void describe_json(const lb_model *model, const lb_bvh *bvh, FILE *stream);

/* "ur5: tool0 from base_link": the model, and which link is brought to its target. */
void describe_task(const lb_model *model, const lb_task *task, FILE *stream);

/*
 * "3 joints, 2 constraints: underconstrained by 1 (redundant)", into `size` bytes. Degrees of
 * freedom are counted instead where joints have several.
 */
void describe_mobility(lb_mobility mobility, char *text, size_t size);

/* The value's limits in the user's unit, "-2.8973 .. 2.8973", "none" without; for `size` bytes. */
void describe_limits(const lb_joint *joint, char *text, size_t size);

#endif
