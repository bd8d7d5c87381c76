/*
 * describe.h - accounts of models, motions and files.
 */
#ifndef CLI_REPORT_DESCRIBE_H
#define CLI_REPORT_DESCRIBE_H

#include "cli/options/models.h"

#include <jansson.h>
#include <limber/check.h>
#include <limber/fidelity.h>
#include <limber/kinematics.h>
#include <limber/retarget.h>
#include <limber/task.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- models ------------------------------------------------------------ */

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
bool describe_motion(const motion *c, FILE *stream);
/* The same as a JSON object; NULL where there is no such file. */
json_t *motion_json(const motion *c);

/* All of it as one JSON object, angles in radians. */
void describe_json(const motion *c, FILE *stream);

/* Loops, mobility, independent and dependent joints; nothing of a model without loops. */
void describe_loops(const lb_model *model, FILE *stream);
/* The same as an object; NULL of a model without loops. */
json_t *describe_loops_json(const lb_model *model);

/* The name of a link, "the world" of LB_WORLD. */
const char *describe_link(const lb_model *model, int link);
/* {"model": .., "base": .., "frame": ..}: in which frame a link is seen. */
json_t *describe_frames(const lb_model *model, int base, int link);

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

/* What is in it: its kind, rows and columns or arrays; in words or as one JSON object. */
void describe_file(const char *path, bool as_json, FILE *stream);

/* ---- what is wrong with a motion --------------------------------------- */

/* How near links come to each other over a clip. */
typedef struct check_links {
    lb_collision *collision;
    const lb_check_pair *pairs; /* of lb_clip_check_pairs */
    double margin;              /* that they were made with */
    bool by_looks;              /* by what links look like, for want of shapes that collide */
} check_links;

/* Of which motion a report is, and what is known of it. */
typedef struct check_facts {
    const lb_clip *clip;
    const lb_contacts *contacts; /* NULL: nothing is known about feet */
    const char *origin;          /* how they are known: "given", "built in", "detected" ... */
    bool soles_assumed;          /* how high the soles are is not known, nor is floating */
    const check_links *links;    /* NULL: not measured */
    const lb_fidelity_report *fidelity; /* beside its source; NULL: there is none */
} check_facts;

/* Whether any pair of links is checked: a figure without shapes is not free of overlaps. */
bool check_links_measured(const check_links *links);
/* How many pairs are as near as the margin in some key. */
int check_links_near(const check_links *links);

/*
 * One line for each item: its worst value, where and when, and how many frames are beyond; then the
 * pairs of links that come near, and how like its source it is. Of what was not measured it says
 * why.
 */
void check_report_words(const check_facts *facts, const lb_check_report *report, FILE *stream);
/* An object with a member for each item, null for what was not measured. */
json_t *check_report_json(const check_facts *facts, const lb_check_report *report);
/* Whether anything that was measured is beyond its threshold. */
bool check_report_is_bad(const check_facts *facts, const lb_check_report *report);
/* The pairs of links that are as near as the margin in one key. */
json_t *check_key_json(const lb_clip *clip, const check_links *links, int key);

/* ---- what a joint does to a link --------------------------------------- */

/*
 * Writes that of `link` against `base` (a link or LB_WORLD) in the state's configuration, along the
 * base's axes: rows vx vy vz wx wy wz, a column for each velocity that moves the link; in words
 * with rank, condition and manipulability.
 */
void jacobian_write(const lb_state *state, int base, int link);

/* ---- factors ---------------------------------------------------------- */

/*
 * Writes every arc from `base` (LB_WORLD, or a link between the root and `link`) to `link`, in the
 * order of the product: its constant placement T and, unless its joint is fixed, what the joint
 * does in the state's configuration, R. The last row is the product.
 */
void factors_write(const lb_state *state, int base, int link);

/* ---- a retargeting that is not as its source -------------------------- */

/* Faults that a source has itself, as limber check measures them. */
void remark_source(const lb_clip *clip, const double *rest);
/* Which roles of a source have no pair, once. */
void remark_left_out(const lb_retarget_map *map, const lb_model *source);
/* The slope of the source's ground that was found. */
void remark_slope(const lb_retarget_report *report);
/* Legs that are too slow for the motion, and what helps; `retime`: it was slowed down already. */
void remark_slow_legs(const lb_retarget_report *report, bool retime);
/* Accelerations that are not kept, and feet that give way to those that are. */
void remark_accelerations(const lb_retarget_report *report);

#endif
