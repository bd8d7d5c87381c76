/*
 * motions.h - motion from files and into them: captures, and tables over a model.
 */
#ifndef CLI_OPTIONS_MOTIONS_H
#define CLI_OPTIONS_MOTIONS_H

#include "cli/options/captures.h"

#include <limber/clip.h>
#include <limber/contacts.h>
#include <limber/formats/looks.h>

/* --source-fps and --source-degrees, for the option table of a command that reads tables of motion.
 */
extern const struct poptOption motion_options[];
/* What --source-fps says, else 0; false after a complaint. */
bool motion_source_rate(double *rate);

/*
 * The frames a second that an option of this name makes of a clip, LB_CLIP_KEYS_MAX in all at most;
 * where it is not given *rate stays. False after a complaint.
 */
bool motion_made_rate(const char *option, text_option given, const lb_clip *clip, double *rate);

/* --limits, for the option table of a command that has limits of joints in a file of their own. */
extern const struct poptOption limit_options[];

/* A motion that was read. */
typedef struct motion {
    const char *name; /* the file that the model is of, or what is built in */
    capture from;
    lb_model *moving;      /* the same model with a root that moves, where it has none; or NULL */
    lb_model *view;        /* the same with narrower limits, or NULL */
    double *accelerations; /* limits of each joint of the model, from --limits; NULL: none */
    lb_motion *table;      /* what moves that model; NULL: it has a motion of its own */
    const lb_model *model;
    const lb_clip *clip; /* without a rest pose before it */
    const double *rest;  /* the rest pose that the file has in a frame; NULL: none */
} motion;

/*
 * Reads a motion: without `model_name` a capture, with it a table that moves the model, which
 * `option` gives. Where it has no times `given` are its frames a second (0: not given), else
 * `known`, those of a motion that it belongs to, else those of its kind; what has times refuses
 * `given`. `limited`: --limits narrows the model, and is refused for a capture. False after a
 * complaint. Release in any case.
 */
bool motion_read(const char *path, const char *option, const char *model_name, double given,
                 double known, bool limited, motion *out);
void motion_release(motion *m);

/*
 * Opens a table that moves the model of the options, with --source-degrees, and remarks on what
 * was assumed and looks odd. False after a complaint.
 */
bool motion_open_table(const char *path, lb_motion_options *options, lb_motion **table);

/*
 * Whether --unit, --up, --clip and --rest-frame, where they are given, have an effect on a motion
 * that was read alone; false after a complaint.
 */
bool motion_uses_options(const motion *m);

/* A model whose root moves, as what something is moved to; the file of a capture will do. */
bool motion_open_target(const char *name, motion *out);

/* The tables that a .csv can be, by the names of --as. */
#define MOTION_TABLES "limber", "lafan1", "bones"
/* No table was chosen: of a robot with a free root lafan1, of anything else limber. */
enum { MOTION_TABLE_BY_MODEL = -1 };

/*
 * What a file is written as by its ending, of a .csv `table` of MOTION_TABLES; LB_MOTION_UNKNOWN: a
 * table that the model chooses. False after a complaint.
 */
bool motion_written_as(const char *option, const char *path, int table, lb_motion_kind *kind);
/* Whether --name, `name` or NULL, has an effect on such a file: glTF alone has animations with
 * names. False after a complaint. */
bool motion_check_name(const char *name, lb_motion_kind kind);
/*
 * Writes a file whole, or leaves it as it was and complains: a clip (NULL: there is no motion) of
 * `model`, whose figure is `of`; `name` is that of a glTF's animation, NULL: that of the file.
 */
bool motion_write(const char *path, lb_motion_kind kind, const capture *of, const lb_model *model,
                  const lb_clip *clip, const char *name);

/*
 * What a motion that was read from `path` is called: as the animation of a glTF that it is, else
 * as the file without folders and ending, or as the built-in motion. Release with free().
 */
char *motion_name(const char *path, const motion *m);

/* ---- feet ------------------------------------------------------------- */

typedef struct feet {
    const lb_contacts *contacts; /* NULL: there are no feet */
    const char *origin;          /* "given", "built in" or "detected" */
    bool assumed;                /* how high the soles are is not known */
    const char *missing;         /* why there are no feet, NULL: there are */
    lb_contacts *own;            /* to be released */
    char message[512];
} feet;

/*
 * What the links of a glTF draw, for soles: of anything else, and where it cannot be read, NULL.
 * Release with lb_looks_release.
 */
lb_looks *feet_looks(const motion *m);

/*
 * Those of the file `path` (NULL: of none), of a motion that is built in, or detected by
 * lb_rig_contacts above the ground. False after a complaint; a figure without feet is no reason for
 * one. Release in any case.
 */
bool feet_find(const motion *m, const char *path, double ground, lb_vec3 ground_normal, feet *out);
void feet_release(feet *f);

/* How many spans there are of all points; 0 without feet. */
int feet_spans(const lb_contacts *contacts);

#endif
