/*
 * cli/figure.h - poses drawn into a figure.
 */
#ifndef CLI_FIGURE_H
#define CLI_FIGURE_H

#include <limber/io/draw.h>

#include "cli/command.h"

/* --title, --size and --view */
extern const struct poptOption figure_options[];

/* What those options say, and no poses yet; complains and answers false when one is wrong. */
bool figure_given(lb_drawing *drawing);

/* A figure of more poses than this shows that many of them, evenly spaced. */
enum { FIGURE_POSES = 24 };

/* Which of `count` poses stands at place `i` of those shown; how many are shown. */
int figure_shown(int count);
int figure_pick(int count, int i);

/* Draws it to `path`; complains and answers false when that fails. */
bool figure_draw(const lb_model *model, const lb_drawing *drawing, const char *path);

#endif
