/*
 * cli/select.h - models and links by name, with the nearest suggested for unknown ones.
 */
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include <limber/model.h>

/* Loads a file or an embedded model; NULL after a complaint. Release with lb_model_release. */
lb_model *select_model(const char *name);

/*
 * The link that `option` names; where `name` is NULL the tip that most joints
 * move, the first of equals, and a remark when there are several tips. -1 after
 * a complaint.
 */
int select_tip(const lb_model *model, const char *option, const char *name);

/* The link that `option` names, the root where `name` is NULL. -1 after a complaint. */
int select_base(const lb_model *model, const char *option, const char *name);

/* Joints between each link and the root; release with free(). */
int *select_depths(const lb_model *model);

#endif
