/*
 * models.h - what a user gives of models: files by name, their joints, what they must not touch,
 * and what moves them.
 */
#ifndef CLI_OPTIONS_MODELS_H
#define CLI_OPTIONS_MODELS_H

#include "cli/command.h"

#include <limber/clip.h>
#include <limber/collision.h>
#include <limber/contacts.h>
#include <limber/formats/document.h>
#include <limber/formats/gltf.h>
#include <limber/formats/joint_limits.h>
#include <limber/formats/looks.h>
#include <limber/formats/motion.h>
#include <limber/formats/srdf.h>
#include <limber/task.h>

/* ---- models and links by name ------------------------------------------ */

/* --strict, --root and --loops, for the option table of a command that loads a model. */
extern const struct poptOption model_options[];
/* --degrees, those that say how joints move, and --strict. */
extern const struct poptOption arm_options[];

/* Loads a file or an embedded model. */
lb_model *select_model(const char *name);

/*
 * What --root, --loops and --strict say of loading a file; warnings are printed, the first ones,
 * and counted in *warnings.
 */
lb_load_options load_given(int *warnings);
/* Until it is undone, files keep their roots and loops: --root and --loops are meant for another
   model. */
void select_leave_roots(bool leave);
/* Says how many warnings were not printed, and refuses what could not be loaded. */
void load_report(const char *name, lb_status status, const lb_error *error, int warnings);

/* The first of lb_model_default_tips(). */
int select_default_tip(const lb_model *model);
/* The link that `option` names, that tip where `name` is NULL. */
int select_tip(const lb_model *model, const char *option, const char *name);
/*
 * Whether a name is that of the world, which no link but the root has: in captures the root's frame
 * is the file's, and the world's z is up all the same.
 */
bool select_is_world(const lb_model *model, const char *name);
/*
 * The link that --base names, without it the root; "world" is LB_WORLD unless another link than the
 * root is called so.
 */
int select_base(const lb_model *model);
/* Remarks on a tip that was not named but could have been: once all the rest is well. */
void select_remark(void);

/*
 * --base, alone, with --tip, and with --tip as often as there are tips. What they say: a task, the
 * first tip's; every tip.
 */
extern const struct poptOption base_options[], one_tip_options[], link_options[], tip_options[];
lb_task select_given_task(const lb_model *model, lb_task_kind kind);
text_option select_tips_given(void);

/* Joints between each link and the root. */
int *select_depths(const lb_model *model);

/* ---- joints: a group, locks, limits and weights ------------------------ */

/* What --limits says, of a model's joints and of what a motion moves. */
#define LIMITS_SAY                                                                                 \
    "limits of joints as in MoveIt's joint_limits.yaml, or the same as JSON; they narrow those "   \
    "of "                                                                                          \
    "the model"

/* --srdf, which is a part of the next table, too. */
extern const struct poptOption srdf_options[];

/* --srdf, --group, --lock, --limits and --weights */
extern const struct poptOption joint_options[];

/*
 * The model as these options want it, in the place of `model`. `name` is what that was loaded by:
 * an SRDF is looked for beside it.
 */
lb_model *joints_apply(const char *name, const lb_load_options *load, lb_model *model);

/*
 * The SRDF that --srdf names or that is beside the model's file; NULL: there is none. A command
 * that calls this says so first: without --group --srdf is refused otherwise.
 */
void joints_use_srdf(void);
lb_srdf *joints_srdf(const char *name, const lb_load_options *load, const lb_model *model);

/* The tips of the group that was chosen, the first in front; 0: no group was, or it has none. */
int joints_tips(int tips[LB_DEFAULT_TIPS]);

/* The accelerations and jerks of --limits as settings of joints. */
lb_joint_setting *joints_settings(const lb_model *model, int *count);

/* ---- what a model must not touch --------------------------------------- */

/* --scene and --margin */
extern const struct poptOption scene_options[];
/* the same, --samples and --skip-never */
extern const struct poptOption collision_options[];

/*
 * Distances of the model that was loaded by `name`: with the meshes of its shapes, the pairs that
 * its SRDF leaves out, and the scene. What cannot be measured is remarked.
 */
lb_collision *collisions_create(const char *name, const lb_model *model);

/*
 * Distances of a figure's links from each other, to be `distance` apart, for a model whose root
 * moves: by capsules around the meshes that they collide with, or, where no link has a shape to
 * collide with, around what they look like (*by_looks); of a glTF (NULL: it is none) that is what
 * its nodes draw. Pairs that are nearer at rest are left out, and those with what the root is fixed
 * to, such as a floor. A figure that has no shapes at all has no pairs.
 */
lb_collision *collisions_create_figure(const char *name, const lb_model *model, const lb_gltf *gltf,
                                       double distance, bool *by_looks);

/* The scene that --scene names, for a figure of it: NULL where none is given. */
lb_scene *collisions_scene(void);

/*
 * Distances as above for what is to be `distance` apart: pairs of links that are nearer in nearly
 * every sample are left out, with a remark that names them.
 */
lb_collision *collisions_create_apart(const char *name, const lb_model *model, double distance);

/* What --margin gives, else the usual one. */
double collisions_margin(double usual);

/* ---- files of motion --------------------------------------------------- */

/* --unit, --up and --clip, for the option table of a command that reads captures. */
extern const struct poptOption capture_options[];

/* A model and what moves it: of a file with a figure of its own, of a table, or nothing. */
typedef struct motion {
    const char *name; /* the file that the model is of, or what is built in */
    const lb_model *model;
    const lb_clip *clip;         /* without a rest pose before it; NULL: no motion */
    const double *rest;          /* the rest pose that the file has in a frame; NULL: none */
    const lb_bvh *bvh;           /* NULL: the figure is not from a BVH file */
    const lb_gltf *gltf;         /* NULL: nor from a glTF */
    const lb_contacts *contacts; /* when feet rest, of a built-in motion; NULL: not known */
    double *accelerations;       /* limits of each joint of the model, from --limits; NULL: none */
    lb_motion *file;             /* with a figure; NULL: a model, or built in */
} motion;

/* A motion that is built in: made, not recorded. */
typedef struct built_in_motion {
    const char *name, *summary, *source;
    void (*make)(motion *out);
} built_in_motion;

/* Ended by one without a name. */
extern const built_in_motion built_in_motions[];

/* Whether a name is that of a built-in motion, and no file has it. */
bool captures_built_in(const char *name);

/* A file of motion by its content, with --strict; its warnings are printed. */
lb_motion *capture_open(const char *name, lb_motion_options *options);

/*
 * A file of motion with a figure of its own, as --unit and its like say, or a built-in motion by
 * its name, unless a file has it.
 */
motion select_motion(const char *name);
/* The same, or else what select_model loads. */
motion select_capture(const char *name);
/*
 * What is to move, a figure of such a file or a model, no built-in motion. `as_given`: as --unit,
 * --up, --clip and --rest-frame say; else they are those of another file, and this is the figure
 * as its file describes it, without its motion.
 */
motion select_figure(const char *name, bool as_given);

/* ---- motion from files and into them ----------------------------------- */

/* --source-fps and --source-degrees, for the option table of a command that reads tables of motion.
 */
extern const struct poptOption motion_options[];
/* What --source-fps says, else 0. */
double motion_source_rate(void);

/*
 * The frames a second that an option of this name makes of a clip, LB_CLIP_KEYS_MAX in all at most;
 * where it is not given the usual.
 */
double motion_made_rate(const char *option, text_option given, const lb_clip *clip, double usual);

/* --limits, for the option table of a command that has limits of joints in a file of their own. */
extern const struct poptOption limit_options[];

/*
 * Reads a motion: without `model_name` a capture, with it a table that moves the model, which
 * `option` gives. Where it has no times `given` are its frames a second (0: those of its kind);
 * what has times refuses `given`. `limited`: --limits narrows the model, and is refused for a
 * capture.
 */
motion motion_read(const char *path, const char *option, const char *model_name, double given,
                   bool limited);
/* Reads a capture, whose motion tells of its figure, or a model without a motion (clip is NULL). */
motion motion_read_figure(const char *path, const char *option);

/*
 * Opens a table that moves the model of the options, with --source-degrees, and remarks on what
 * was assumed and looks odd.
 */
lb_motion *motion_open_table(const char *path, lb_motion_options *options);

/* Refuses --unit, --up, --clip and --rest-frame if they have no effect on a motion read alone. */
void motion_uses_options(const motion *m);

/* A model whose root moves, as what something is moved to; the file of a capture will do. */
motion motion_open_target(const char *name);

/* --order, for the option table of a command that writes motion. */
extern const struct poptOption order_options[];

/* The tables that a .csv can be, by the names of --as. */
#define MOTION_TABLES "limber", "lafan1", "bones"
/* No table was chosen: of a robot with a free root lafan1, of anything else limber. */
enum { MOTION_TABLE_BY_MODEL = -1 };

/*
 * What a file is written as by its ending, of a .csv `table` of MOTION_TABLES; LB_MOTION_UNKNOWN: a
 * table that the model chooses.
 */
lb_motion_kind motion_written_as(const char *option, const char *path, int table);
/* Refuses --name, `name` or NULL, for such a file: glTF alone has animations with names. */
void motion_check_name(const char *name, lb_motion_kind kind);
/*
 * Writes a file whole, or leaves it as it was: a clip of the figure `of` (NULL: there is no
 * motion); `name` is that of a glTF's animation, NULL: that of the file.
 */
void motion_write(const char *path, lb_motion_kind kind, const motion *of, const lb_clip *clip,
                  const char *name);

/*
 * What a motion that was read from `path` is called: as the animation of a glTF that it is, else
 * as the file without folders and ending, or as the built-in motion.
 */
char *motion_name(const char *path, const motion *m);

/* ---- feet ------------------------------------------------------------- */

typedef struct feet {
    const lb_contacts *contacts; /* NULL: there are no feet */
    const char *origin;          /* "given", "built in" or "detected" */
    bool assumed;                /* how high the soles are is not known */
    const char *missing;         /* why there are no feet, NULL: there are */
} feet;

/*
 * What the links of a glTF draw, for soles: of anything else, and where it cannot be read, NULL.
 */
lb_looks *feet_looks(const motion *m);

/*
 * Those of the file `path` (NULL: of none), of a motion that is built in, or detected by
 * lb_rig_contacts above the ground. A figure may have none.
 */
feet feet_find(const motion *m, const char *path, double ground, lb_vec3 ground_normal);

/* How many spans there are of all points; 0 without feet. */
int feet_spans(const lb_contacts *contacts);

#endif
