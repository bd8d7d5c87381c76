/*
 * tool.h - what is brought to a target, seen from where, and what of it is free.
 */
#ifndef CLI_OPTIONS_TOOL_H
#define CLI_OPTIONS_TOOL_H

#include "cli/command.h"

#include <limber/task.h>

/* --base and --tip; --tool, --free-axis and --free-position */
extern const struct poptOption tip_options[];
extern const struct poptOption tool_options[];

/* The task of targets of a kind as these options want it; false after a complaint. */
bool tool_task(const lb_model *model, lb_task_kind kind, lb_task *task);

/* What --tip was given, several times or not; what --base was, NULL: not. */
text_option tips_given(void);
const char *base_given(void);

#endif
