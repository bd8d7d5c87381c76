/*
 * figure.h - figures requested by options: size, view, and poses drawn into one.
 */
#ifndef CLI_OPTIONS_FIGURE_H
#define CLI_OPTIONS_FIGURE_H

#include <limber/figures/draw.h>

#include "cli/command.h"

/* --title, --size and --view, each alone and all of them */
extern const struct poptOption title_options[], size_options[], view_options[];
extern const struct poptOption figure_options[];

/*
 * What those options say, and no poses yet, of a figure that will be drawn to `path`, which must
 * have a figure's ending: call before what is drawn is computed.
 */
lb_drawing figure_given(const char *path);

/* What --title says, NULL: nothing. */
const char *figure_title(void);

/* A figure of more poses than this shows that many of them, evenly spaced. */
enum { FIGURE_POSES = 24 };

/* Which of `count` poses is the i-th of those shown; how many are shown. */
int figure_shown(int count);
int figure_pick(int count, int i);

/* ---- figures beside rows ----------------------------------------------- */

/* The value of --figure, for the table of a command that draws one besides. */
extern text_option figure_file;
/*
 * Reads the options of the figure that it asks for; without one refuses those of `looks`, which say
 * what it looks like. Call before anything is computed.
 */
void figure_prepare(const struct poptOption *looks);
/* Its file, and in *drawing what its options say; NULL: none is wanted. */
const char *figure_wanted(lb_drawing *drawing);

/* ---- poses ------------------------------------------------------------- */

/* Draws it to `path`. */
void figure_draw(const lb_model *model, const lb_drawing *drawing, const char *path);

/* Writes the label of the i-th of some poses. */
enum { FIGURE_LABEL_SIZE = 40 };
typedef void figure_label(const void *user, int i, char label[FIGURE_LABEL_SIZE]);

/* ---- strips of motion ------------------------------------------------- */

/* For the option table of the command that draws them. */
extern const struct poptOption strip_options[];

/* Whether a strip is wanted: an option for it is given, or the name is that of a built-in motion.
 */
bool strip_wanted(const char *name);

/* Draws the motion of a file or of a built-in name, or what --motion moves the model by, to `path`.
 */
void strip_draw(const char *name, const char *path);

#endif
