/*
 * targets.h - the numbers a user gives: angles, poses, targets, paths, tasks and how they are
 * solved.
 */
#ifndef CLI_OPTIONS_TARGETS_H
#define CLI_OPTIONS_TARGETS_H

#include "cli/command.h"
#include "formats/motion/poses.h"
#include "formats/table.h"

#include <limber/body.h>
#include <limber/ik.h>
#include <limber/loops.h>
#include <limber/model.h>
#include <limber/motion.h>
#include <limber/task.h>

/* ---- angles ----------------------------------------------------------- */

/* --degrees */
extern const struct poptOption angle_options[];
/*
 * --source-degrees: a table of motion that is read has a unit of its own, which need not be that of
 * what is typed and written.
 */
extern const struct poptOption source_angle_options[];
bool angles_of_source_given(void);
/* From true to false angles are those of such a table. */
void angles_of_source(bool read);

/* Radians in one unit of the user's angles: 1, or pi / 180 with --degrees. */
double angle_unit(void);
/* The name of that unit: "rad" or "degrees". */
const char *angle_unit_name(void);

/* Read in radians, and more than a turn. */
bool angle_is_doubtful(double given);
/* Remarks on the first of an option's angles, as they were given, that is doubtful. */
void angles_remark(const char *option, const double *given, int count);

/* ---- values ----------------------------------------------------------- */

/*
 * Names are those of formats/motion/poses.h. A configuration is a row of a CSV file, or a text of
 * "joint=value" pairs, in which a joint with several values takes them at once:
 * "hip=1,0,0,0" or, in place of a quaternion, roll, pitch and yaw: "hip=0.1,0,0".
 */

/* The slots of a model's configuration, nq of them. */
value_slot *values_slots(const lb_model *model);
/* What a user's number is multiplied by to be the configuration's. */
double value_unit(const value_slot *slot);

/* Receives each "name=value" of the text of an option. They are separated by blanks, of which
   values have none; names may have some. */
typedef void assignment_visit(void *user, const char *option, const char *name, const char *value);
void assignments_each(const char *option, const char *text, assignment_visit *visit, void *user);

/* Sets the values that `text` ("joint=value ...") of an option names. */
void values_from_text(const lb_model *model, const value_slot *slots, const char *option,
                      const char *text, double *q);

/* ---- poses that look like mistakes ------------------------------------ */

enum { POSE_WARNING_SIZE = VALUE_NAME_SIZE + 160 };

/* What looked like a mistake in all poses so far; all zeros at first. */
typedef struct pose_warnings {
    int poses, outside; /* how many, and how many are outside the limits */
    char first_outside[POSE_WARNING_SIZE];
    double degrees; /* the first angle that looks like degrees, 0: none does */
    char degrees_name[VALUE_NAME_SIZE];
} pose_warnings;

/* Looks at `count` more poses, nq numbers each. */
void pose_warnings_add(pose_warnings *all, const lb_model *model, const value_slot *slots,
                       const double *q, int count);

/*
 * Remarks on poses that are outside the limits, and on angles that look like degrees
 * where radians are read; `what` is the option or the file they are from.
 */
void pose_warnings_print(const pose_warnings *all, const char *what);

/* ---- poses ------------------------------------------------------------ */

/* `count` configurations of nq numbers, one after the other. */
typedef struct pose_list {
    double *q;
    double *times; /* of each, where a file has them; else NULL */
    bool *given;   /* which of the nq numbers a user gave; NULL: none of them */
    int count;
} pose_list;

/* --at and --poses */
extern const struct poptOption pose_options[];

/* What --at or --poses say; one pose, the neutral one, when neither is given. */
pose_list poses_given(const lb_model *model);

/* Where poses come from, a block at a time. */
typedef struct pose_source {
    bool in_file;
    pose_list single; /* not in a file: the only one, until it is read */
    pose_table table;
    pose_warnings warnings;
} pose_source;

/* What --at or --poses say, or a file as poses_from_file() reads it. */
void poses_open(pose_source *source, const lb_model *model);
void poses_open_file(pose_source *source, const lb_model *model, const char *path);
/*
 * The next poses, at most `most` > 0 of them, in the place of those in the list; their number. At
 * the end 0: the list stays as it is, and what looked odd is remarked.
 */
int poses_next(pose_source *source, int most, pose_list *poses);

/* One pose, each joint at its default. */
pose_list poses_neutral(const lb_model *model);
/*
 * One pose from "joint=value ..." given with `option`, or no text (NULL); what is not named is at
 * its default.
 */
pose_list poses_from_text(const lb_model *model, const char *option, const char *text);
/*
 * Poses from a file, which formats/motion/poses.h describes.
 */
pose_list poses_from_file(const lb_model *model, const char *path);

/* Makes a list that is replaced empty. */
void poses_release(pose_list *poses);

/* ---- poses whose loops close (loops.c) ---------------------------------- */

/* An assembly of the model, NULL: it has no loops. */
lb_assembly *loops_or_exit(const lb_model *model);
/* Which velocities follow from the others; nv. */
bool *loops_dependent(const lb_model *model, const lb_assembly *assembly);
/*
 * Closes the loops of poses, in place: each is followed from the closed default configuration to
 * the values of its independent joints. Where values of dependent joints are given and are others,
 * and `any` assembly will do, the loops are closed from all values of the pose; so it stays what it
 * is. Complains of the first that does not close, or whose dependent joints have other values than
 * those given, and returns false; `before` is how many poses came before these.
 */
bool loops_close(lb_assembly *assembly, const lb_model *model, pose_list *poses, int before,
                 bool any);
/* The same of all poses that there are; true of a model without loops. */
bool loops_close_all(const lb_model *model, pose_list *poses, bool any);
/* The same if a user gave any of their numbers, and refuses those that do not close: a start that
   nobody gave stays what it is. */
void loops_close_given(const lb_model *model, pose_list *poses);
/* The pose that --start names, closed. */
pose_list start_from_text(const lb_model *model, const char *text);
/*
 * Whether one of `count` assemblies of the i-th pose has the values of dependent joints that are
 * given, or there are none; complains if not. *taken: which of them loops_close makes of the pose,
 * if any will do; -1: none.
 */
bool loops_pick(lb_assembly *assembly, const lb_model *model, const pose_list *poses, int i,
                const double *rows, int count, int before, int *taken);

/* ---- targets of inverse kinematics ------------------------------------- */

/* Targets T_base_goal and what of them counts. */
typedef struct target_list {
    lb_transform *targets; /* of several tips one for each, and then those of the next row */
    int count;             /* rows */
    lb_task_kind kind;
} target_list;

/* --position, --rpy, --quaternion and --targets */
extern const struct poptOption target_options[];

/* --rpy and --quaternion alone */
extern const struct poptOption rotation_options[];

/* The columns that a file of targets can have, in three groups: where, and how turned in two ways.
 */
enum { TARGET_PLACE = 0, TARGET_QUATERNION = 3, TARGET_ANGLES = 7, TARGET_COLUMNS = 10 };

/* The targets of one tip. */
typedef struct target_columns {
    lb_task_kind kind;
    lb_transform given;         /* not in a file: the only one */
    int places[TARGET_COLUMNS]; /* of the columns in the file, -1: not there */
    int changed;                /* quaternions that were not of length 1 */
    double doubtful;            /* the first angle that looks like degrees, 0: none does */
} target_columns;

/* Where targets come from, a block at a time. */
typedef struct target_source {
    lb_task_kind kind; /* of the first tip */
    bool in_file;
    row_table table;
    bool matrices; /* a row has the four rows of T_base_goal, and no columns of those names */
    bool timed;    /* a column of times is allowed */
    double time;   /* of the row whose time was asked for last */
    int count;     /* rows that were read */
    target_columns *tips;
    int tip_count;
    const char *const *names; /* of several tips, whose columns are "tip.x" ...; NULL: of one */
} target_source;

/* Whether some of them are given more than once. */
bool targets_are_several(void);
/*
 * The targets of several tips: from as many of --position and of --rpy or --quaternion as there are
 * tips, or columns of a file that are named "tip.x" and so on. The names must outlive the source.
 */
void targets_open_tips(target_source *source, const char *const *names, int count);
/* Whether any of those options is given. */
bool targets_are_given(void);

/* What those options say, or a file as --targets takes it. */
void targets_open(target_source *source);
/* The same where a file may have a column "time", and is standard input if nothing is given. */
void targets_open_timed(target_source *source);
/* Seconds between two targets at most, all of which become rows of frames. */
#define TARGETS_APART 3600
/* Whether there are times; then that of a row that was read last, not before that of the row above
   nor more than TARGETS_APART after it. */
bool targets_time(target_source *source, int row, double *time);
/*
 * The next targets, at most `most` > 0 of them, in the place of those in the list; their number.
 * At the end 0: the list stays as it is, and what looked odd is remarked.
 */
int targets_next(target_source *source, int most, target_list *targets);

/* All of them at once. */
target_list targets_given(void);
target_list targets_from_file(const char *path);
/* Whether the options say a rotation, and which. */
bool rotation_given(lb_quat *rotation);

/* ---- what is brought to a target -------------------------------------- */

/* --tool, --free-axis and --free-position; the last two alone */
extern const struct poptOption tool_options[];
extern const struct poptOption free_options[];

/* The task of targets of a kind as these options want it. */
lb_task tool_task(const lb_model *model, lb_task_kind kind);

/* ---- targets and their starts ----------------------------------------- */

/* Open `targets`, then call problems_open. */
struct problem_source {
    target_source targets;
    pose_source starts;
    bool shared; /* one start for all */
    int most;    /* targets of a block */
    /* the block that was read last; its starts one for each target, or one for all */
    target_list block;
    pose_list block_starts;
};
typedef struct problem_source problem_source;

/*
 * The starts of targets that are open: `text` as of --start, the file at `path` as of --starts, or
 * the neutral pose where both are NULL.
 */
void problems_open(problem_source *source, const lb_model *model, const char *text,
                   const char *path);
/*
 * The next targets and their starts, at most source->most > 1 of them; their number. At the end 0:
 * the block stays as it is.
 */
int problems_next(problem_source *source);
/* All of them in one block. */
void problems_read_all(problem_source *source);

/* ---- paths ------------------------------------------------------------ */

/* --to, --rpy, --quaternion and --path; --shape, --closed and --start */
extern const struct poptOption path_goal_options[];
extern const struct poptOption path_options[];

/* How many of --to and --path are given. */
int paths_given(void);
/* Refuse what has no effect. */
void paths_check(void);
void paths_check_free_rotation(void);

/* A path and where its motion begins. */
typedef struct path_choice {
    lb_path *path;
    pose_list start; /* one pose */
    bool any_start;  /* --start was not given, and the path says where it begins */
} path_choice;

/*
 * What these options say, and those of tip, base and tool, which are the task. Its kind is a pose
 * where there are rotations, or where `keeps_rotation` has the tip keep that of the start on its
 * way to --to and the arm has joints enough for it; else a position.
 */
path_choice path_given(const lb_model *model, bool keeps_rotation, lb_task *task);

/* ---- the tasks of limber pose ------------------------------------------ */

/* A target: what a file says of it. */
typedef struct task_target {
    bool placed, turned; /* it has a position; axes */
    lb_transform at;
    double value[LB_JOINT_MAX_NQ]; /* of a joint task */
    int values;                    /* how many of them are given */
} task_target;

typedef struct task_list {
    lb_body_task *tasks;
    task_target *targets;
    double (*vertices)[LB_BODY_VERTICES][2]; /* of each task; the tasks point there */
    int count;
    double usual_distance; /* of distance tasks that give none */
} task_list;

/* What is wrong is refused with file, task and key. */
task_list tasks_read(const lb_model *model, const char *path, double usual_distance);

/* Whether any task keeps a distance, and the largest of these distances; 0 where there is none. */
bool tasks_have_distance(const task_list *list, double *most);
/* What distance tasks measure. */
void tasks_keep_apart(task_list *list, lb_collision *collision);

/* A body's targets as the file has them; what it does not say is where things are at `start`. */
void tasks_aim(const task_list *list, const char *path, lb_body *body, const double *start);

/* ---- how inverse kinematics is done ------------------------------------ */

/* the tolerances, --iterations, --protocol, --seed, --width and the methods' parameters */
extern const struct poptOption tuning_options[];
/* --method and those */
extern const struct poptOption solver_options[];

/* what --method chooses from */
extern const choice_list method_choices;

/* What those options say, and where --width is not given the environment variable LIMBER_WIDTH. */
lb_ik_options solver_given(const lb_model *model);
/* The same for those without --method: changes what is given, and leaves the rest as it is. */
void tuning_given(const lb_model *model, lb_ik_options *options);

#endif
