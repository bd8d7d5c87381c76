/*
 * select.h - models and links by name, with the nearest suggested for unknown ones.
 */
#ifndef CLI_OPTIONS_SELECT_H
#define CLI_OPTIONS_SELECT_H

#include "cli/command.h"

#include <limber/formats/bvh.h>
#include <limber/task.h>

/* --strict, for the option table of a command that loads a model. */
extern const struct poptOption model_options[];

/* Loads a file or an embedded model; NULL after a complaint. Release with lb_model_release. */
lb_model *select_model(const char *name);

/* --unit and --up, for the option table of a command that reads captures. */
extern const struct poptOption capture_options[];

/* A model and, from a file of motion, what moves it. */
typedef struct capture {
    const lb_model *model;
    const lb_clip *clip; /* NULL: no motion */
    const lb_bvh *bvh;   /* NULL: not from a BVH file */
    lb_model *own_model; /* what capture_release releases */
    lb_bvh *own_bvh;
} capture;

/* A BVH file, by its ending, or else what select_model loads; false after a complaint. */
bool select_capture(const char *name, capture *out);
void capture_release(capture *c);

/* The first of lb_model_default_tips(). */
int select_default_tip(const lb_model *model);
/* The link that `option` names, that tip where `name` is NULL. -1 after a complaint. */
int select_tip(const lb_model *model, const char *option, const char *name);
/*
 * The link that --base names, the root where `name` is NULL; "world" is LB_WORLD unless there is a
 * link of that name. False after a complaint.
 */
bool select_base(const lb_model *model, const char *name, int *base);
/* Remarks on a tip that was not named but could have been: once all the rest is well. */
void select_remark(void);

/* A task from what --base and --tip name (NULL: the default tip). False after a complaint. */
bool select_task(const lb_model *model, const char *base_name, const char *tip_name,
                 lb_task_kind kind, lb_task *task);

/* Joints between each link and the root; release with free(). */
int *select_depths(const lb_model *model);

#endif
