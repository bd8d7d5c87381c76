/*
 * select.h - models and links by name, with the nearest suggested for unknown ones.
 */
#ifndef CLI_OPTIONS_SELECT_H
#define CLI_OPTIONS_SELECT_H

#include "cli/command.h"

#include <limber/formats/document.h>
#include <limber/task.h>

/* --strict, for the option table of a command that loads a model. */
extern const struct poptOption model_options[];
/* --degrees, those that say how joints move, and --strict. */
extern const struct poptOption arm_options[];

/* Loads a file or an embedded model; NULL after a complaint. Release with lb_model_release. */
lb_model *select_model(const char *name);

/*
 * What --root and --strict say of loading a file; warnings are printed, the first ones, and counted
 * in *warnings. False after a complaint.
 */
bool load_given(int *warnings, lb_load_options *options);
/* Until it is undone, files keep their roots: --root is meant for another model. */
void select_leave_roots(bool leave);
/* Says what came of loading: the error, and how many warnings were not printed. */
void load_report(const char *name, lb_status status, const lb_error *error, int warnings);

/* The first of lb_model_default_tips(). */
int select_default_tip(const lb_model *model);
/* The link that `option` names, that tip where `name` is NULL. -1 after a complaint. */
int select_tip(const lb_model *model, const char *option, const char *name);
/*
 * Whether a name is that of the world, which no link but the root has: in captures the root's frame
 * is the file's, and the world's z is up all the same.
 */
bool select_is_world(const lb_model *model, const char *name);
/*
 * The link that --base names, the root where `name` is NULL; "world" is LB_WORLD unless another
 * link than the root is called so. False after a complaint.
 */
bool select_base(const lb_model *model, const char *name, int *base);
/* Remarks on a tip that was not named but could have been: once all the rest is well. */
void select_remark(void);

/* A task from what --base and --tip name (NULL: the default tip). False after a complaint. */
bool select_task(const lb_model *model, const char *base_name, const char *tip_name,
                 lb_task_kind kind, lb_task *task);

/*
 * --base, alone, with --tip, and with --tip as often as there are tips. What they say: a task, the
 * first tip's; every tip; the base, NULL where it is not given.
 */
extern const struct poptOption base_options[], link_options[], tip_options[];
bool select_given_task(const lb_model *model, lb_task_kind kind, lb_task *task);
text_option select_tips_given(void);
const char *select_base_given(void);

/* Joints between each link and the root; release with free(). */
int *select_depths(const lb_model *model);

#endif
