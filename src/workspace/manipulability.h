/* manipulability.h - how freely a tool moves in a configuration. */
#ifndef WORKSPACE_MANIPULABILITY_H
#define WORKSPACE_MANIPULABILITY_H

#include <limber/task.h>

/* How many numbers the map's `measuring` has room for. */
size_t manipulability_work(const lb_model *model);

#endif
