/*
 * captures.h - files of motion: a model and what moves it.
 */
#ifndef CLI_OPTIONS_CAPTURES_H
#define CLI_OPTIONS_CAPTURES_H

#include "cli/command.h"

#include <limber/contacts.h>
#include <limber/formats/motion.h>

/* --unit, --up and --clip, for the option table of a command that reads captures. */
extern const struct poptOption capture_options[];

/* A model and, from a file of motion, what moves it. */
typedef struct capture {
    const lb_model *model;
    const lb_clip *clip; /* NULL: no motion */
    lb_motion *file;     /* NULL: a model, or built in */
    const lb_bvh *bvh;   /* NULL: not from a BVH file */
    const lb_gltf *gltf; /* NULL: not from a glTF */
    lb_model *own_model; /* what capture_release releases besides */
    lb_clip *own_clip;
    lb_contacts *contacts; /* when feet rest, of a motion that is built in; NULL: not known */
} capture;

/* A motion that is built in: made, not recorded. */
typedef struct built_in_motion {
    const char *name, *summary, *source;
    bool (*make)(capture *out); /* false after a complaint */
} built_in_motion;

/* Ended by one without a name. */
extern const built_in_motion built_in_motions[];

/* Whether a name is that of a built-in motion, and no file has it. */
bool captures_built_in(const char *name);

/* A file of motion by its content, with --strict; its warnings are printed. False after a
 * complaint.
 */
bool capture_open(const char *name, lb_motion_options *options, lb_motion **made);

/*
 * A file of motion with a figure of its own, as --unit and its like say, or a built-in motion by
 * its name, unless a file has it; false after a complaint.
 */
bool select_motion(const char *name, capture *out);
/* The same, or else what select_model loads. */
bool select_capture(const char *name, capture *out);
/*
 * What is to move, a figure of such a file or a model, no built-in motion. `as_given`: as --unit,
 * --up, --clip and --rest-frame say; else they are those of another file, and this is the figure
 * as its file describes it, without its motion.
 */
bool select_figure(const char *name, bool as_given, capture *out);
void capture_release(capture *c);

#endif
