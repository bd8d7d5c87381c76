/*
 * strips.h - strips of motion that options describe.
 */
#ifndef CLI_OPTIONS_STRIPS_H
#define CLI_OPTIONS_STRIPS_H

#include "cli/command.h"

/* For the option table of the command that draws them. */
extern const struct poptOption strip_options[];

/* Whether a strip is wanted: an option for it is given, or the name is that of a built-in motion.
 */
bool strip_wanted(const char *name);

/*
 * Draws the motion of a file or of a built-in name, or what --motion moves the model by, to `path`.
 * False after a complaint.
 */
bool strip_draw(const char *name, const char *path);

#endif
