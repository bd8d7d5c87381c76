/* map_figure.h - limber draw MAP.npy: a figure of what a tool reaches. */
#ifndef CLI_REPORT_MAP_FIGURE_H
#define CLI_REPORT_MAP_FIGURE_H

#include "cli/command.h"

#include <limber/figures/draw.h>

/* --slice, --shell and --field */
extern const struct poptOption map_figure_options[];

/* Whether a name is that of a map's file. */
bool map_figure_is_map(const char *name);
/* Draws the map of that name as the options and `given` (title and view) say; false after a
 * complaint. */
bool map_figure_draw(const char *name, const lb_drawing *given, const char *path);

#endif
