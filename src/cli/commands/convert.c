/*
 * convert.c - limber convert: a model as limber JSON, a capture as BVH or as a table of poses.
 *
 * What is written is one row of the table below, by the output's ending.
 */
#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/motions.h"
#include "cli/options/select.h"
#include "cli/options/values.h"
#include "cli/report/console.h"
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/work/clip_files.h"
#include "motion/clip.h"

#include <limber/formats/json.h>

#include <stdlib.h>
#include <string.h>

static text_option output_given, keys_file, rate_given, name_given;
static name_option table_given = {.names = (const char *const[]){CLIP_TABLE_NAMES, "motion", NULL}};

/* ---- models ------------------------------------------------------------- */

static lb_status write_model(const clip_file *file, FILE *stream, lb_error *error)
{
    char *text = NULL;
    lb_status status = lb_json_write(file->of->model, NULL, &text, error);
    if (status == LB_OK)
        fputs(text, stream);
    free(text);
    return status;
}

/* beside the formats of motion; JSON is the model's unless --as says else */
static const clip_file_format formats[] = {{".json", write_model}, {NULL, NULL}};

/* ---- motion ------------------------------------------------------------- */

/* a robot whose root is fixed gets one that moves, as its tables have it */
static bool float_root(capture *from)
{
    lb_model *made = NULL;
    lb_error error = {0};
    for (int j = 0; j < lb_model_joint_count(from->model); j++)
        if (lb_model_joint(from->model, j)->kind == LB_JOINT_FLOATING)
            return true;
    if (!complain_unless(lb_model_with_root(from->model, LB_JOINT_FLOATING, NULL, &made, &error),
                         &error))
        return false;
    lb_model_release(from->own_model);
    from->model = from->own_model = made;
    return true;
}

/* the clip that --keys gives, in `made`, in place of the file's own; false after a complaint */
static bool read_keys(capture *from, lb_clip **made)
{
    const char *path = option_text(keys_file);
    table_rate rate = {.poses = 1};
    if (path == NULL)
        return option_none_given(motion_options, "without --keys");
    if (from->bvh != NULL)
        rate.poses = 1 / lb_bvh_describe(from->bvh).frame_time;
    bool fine = motion_source_rate(&rate.given) &&
                (!clip_file_moves_root(path) || float_root(from)) &&
                clip_file_read(path, from->model, &rate, made);
    from->clip = *made;
    return fine;
}

/*
 * the motion after the rest pose that --rest-frame names, from 0 on, in `made`; one that was only
 * recognised stays, so that a file that is written again has all of its frames
 */
static bool leave_rest(capture *from, clip_file_writer *write, lb_clip **made)
{
    lb_bvh_info info = from->bvh != NULL ? lb_bvh_describe(from->bvh) : (lb_bvh_info){0};
    if (!info.rest_given || !info.rest_frame)
        return true;
    if (keys_file != NULL || write == write_model) {
        complain("--rest-frame has no effect %s",
                 keys_file != NULL ? "with --keys: their first row begins the motion"
                                   : "on a skeleton; FILE.csv, FILE.bvh or --as motion has frames");
        return false;
    }
    *made = clip_tail(from->clip, info.rest_index + 1);
    if (*made == NULL) {
        complain("out of memory");
        return false;
    }
    from->clip = *made;
    return true;
}

/* the motion at other keys, in `made`, where --fps is given */
static bool resample(capture *from, lb_clip **made)
{
    lb_error error = {0};
    double rate;
    if (rate_given == NULL)
        return true;
    if (from->clip == NULL) {
        complain("--fps has no effect: there is no motion");
        return false;
    }
    if (!motion_made_rate("--fps", rate_given, from->clip, &rate))
        return false;
    if (lb_clip_resample(from->clip, rate, NULL, made, &error) != LB_OK) {
        complain("--fps: %s", error.message);
        return false;
    }
    from->clip = *made;
    return true;
}

/* the output by --output or as the second operand; NULL after a complaint */
static const char *find_output(const char *operand)
{
    const char *given = option_text(output_given);
    if (given != NULL && operand != NULL)
        complain("the output is given twice: '%s' and --output %s", operand, given);
    else
        return given != NULL ? given : operand != NULL ? operand : "-";
    return NULL;
}

/* how the output is written, and which table it is; NULL after a complaint */
static clip_file_writer *find_writer(const char *path, int *table)
{
    // the last name is no table
    int which = CLIP_TABLE_BY_MODEL;
    if (!argument_name("--as", &table_given, &which))
        return NULL;
    bool as_motion = which >= 0 && table_given.names[which + 1] == NULL;
    *table = as_motion ? CLIP_TABLE_BY_MODEL : which;
    // standard output is JSON
    const char *name = strcmp(path, "-") == 0 ? "-.json" : path, *dot = strrchr(name, '.');
    clip_file_writer *write = clip_file_find("--output", name, as_motion ? NULL : formats);
    if (write == NULL || which < 0 || strcmp(dot, as_motion ? ".json" : ".csv") == 0)
        return write;
    complain("--as %s has no effect without --output FILE%s", table_given.names[which],
             as_motion ? ".json" : ".csv");
    return NULL;
}

/* whether the first operand has a model, which tables of motion have not */
static bool has_model(const char *const *operands)
{
    if (!describe_file_is(operands[0]))
        return true;
    complain("'%s' has no model that moves; limber convert MODEL --keys %s%s%s", operands[0],
             operands[0], operands[1] != NULL ? " " : "", operands[1] != NULL ? operands[1] : "");
    return false;
}

/* --name is that of what becomes an animation; those of the file keep theirs */
static bool is_name_used(const capture *from, clip_file_writer *write)
{
    const char *name = option_text(name_given);
    bool keeps = name != NULL && from->clip == from->own_clip;
    if (!clip_file_check_name(name, write))
        return false;
    if (keeps)
        complain("--name has no effect without --keys or --fps: the animations of the file keep "
                 "their names");
    return !keeps;
}

static int run(const char *const *operands)
{
    capture from = {0};
    lb_clip *keys = NULL, *moving = NULL, *even = NULL;
    const char *path = find_output(operands[1]);
    int table;
    clip_file_writer *write = path == NULL ? NULL : find_writer(path, &table);
    bool done = write != NULL && has_model(operands) && select_capture(operands[0], &from) &&
                read_keys(&from, &keys) && leave_rest(&from, write, &moving) &&
                resample(&from, &even) && is_name_used(&from, write);
    if (done) {
        clip_file file = {&from, from.model, from.clip, table, option_text(name_given)};
        done = clip_file_write(path, write, &file);
    }
    if (done && strcmp(path, "-") == 0 && console_is_terminal(stdout))
        remark("--output FILE.json writes this to a file");
    lb_clip_release(even);
    lb_clip_release(moving);
    lb_clip_release(keys);
    capture_release(&from);
    return done ? EXIT_DONE : EXIT_BAD_INPUT;
}

static const struct poptOption options[] = {
    OPTION_TEXT("output", output_given, "FILE",
                "write it there, as .json, .bvh, .csv, .npz, .gltf or .glb; default: JSON on "
                "standard output"),
    OPTION_TEXT("keys", keys_file, "K.csv",
                "these poses in place of the file's: as those of limber animate, or a robot's "
                "motion as LAFAN1 (no header) or BONES-SEED have it, as .npz, or a motion as JSON"),
    OPTION_NAME(
        "as", table_given, "KIND",
        "the table that a .csv is: limber, lafan1 or bones; default: of a robot with a free root "
        "lafan1, else limber; motion: a .json is the motion, not the model"),
    OPTION_TEXT(
        "fps", rate_given, "N",
        "frames a second that are written, at most ten million in all: the motion is resampled; "
        "default: as it is"),
    OPTION_TEXT("name", name_given, "NAME",
                "the animation of a glTF that --keys or --fps make; one of this name is replaced; "
                "default: that of --clip"),
    OPTION_TABLE(motion_options),
    OPTION_TABLE(angle_options),
    OPTION_TABLE(model_options),
    OPTION_TABLE(capture_options),
    OPTION_END,
};

static const example examples[] = {
    {"a built-in model as the file that it could be", "limber convert ur5 --output ur5.json"},
    {"a model from another program, and what of it is read",
     "printf '<mujoco><worldbody><body name=\"arm\"><joint/></body></worldbody></mujoco>' |\n"
     "        limber convert -"},
    {"a capture as a table, and the table as a capture",
     "printf 'HIERARCHY\\nROOT hips { OFFSET 0 0 0 CHANNELS 1 Xrotation }\\n"
     "MOTION\\nFrames: 2\\nFrame Time: 0.04\\n10\\n20\\n' >swing.bvh &&\n"
     "        limber convert swing.bvh swing.csv &&\n"
     "        limber convert swing.bvh --keys swing.csv --output again.bvh"},
    {"a robot's motion from one kind of table to the other",
     "printf '0,0,1,0,0,0,1,0.1,0.2\\n0,0,1,0,0,0,1,0.2,0.3\\n' >moves.csv &&\n"
     "        limber convert planar2 --keys moves.csv --output bones.csv --as bones --fps 120"},
    {"from 30 to 50 frames a second, with velocities, as training code does",
     "printf '0,0,1,0,0,0,1,0.1,0.2\\n0,0,1,0,0,0,1,0.2,0.3\\n' >moves.csv &&\n"
     "        limber convert planar2 --keys moves.csv --source-fps 30 --fps 50 moves.npz"},
    {NULL, NULL},
};

const command command_convert = {
    .name = "convert",
    .synopsis = "MODEL [FILE | --output FILE] [--keys K.csv] [OPTION ...]",
    .summary = "write a model as limber JSON, motion as BVH, tables, archives or JSON",
    .details = "The JSON has the same links, joints, limits, masses and shapes. What else the\n"
               "file has, as actuators or collision shapes, is left out.\n\n"
               "Of a capture (.bvh) the JSON is its skeleton, in metres with z up; the table has\n"
               "a row for each frame: its time and the values of the joints. As BVH it has the\n"
               "numbers of the file again, and those of other poses where --keys gives some. Of\n"
               "any other motion the BVH has each link as a joint, in centimetres with y up.\n"
               "With --rest-frame the motion begins after the rest pose that it names; a rest\n"
               "pose that is only recognised stays in it.\n\n"
               "Of a glTF the table has the animation that --clip names. Written as .gltf or\n"
               ".glb it has all that was in it, and poses of --keys as an animation; what is no\n"
               "glTF cannot become one, for want of meshes (limber retarget moves a glTF).\n\n"
               "A robot's motion is a table without a header (lafan1: x y z, quaternion x y z w,\n"
               "joints; metres and radians) or with one (bones: centimetres and degrees), or an\n"
               "archive of NumPy (.npz: joints and bodies with their velocities). A root that is\n"
               "fixed in the model then moves, as for poses with a column root.z. A .csv of a\n"
               "robot is the first kind, unless --as names another. --degrees is for the table\n"
               "that is written, --source-degrees for the one that is read.",
    .examples = examples,
    .options = options,
    .operands = 1,
    .spare = 1,
    .run = run,
};
