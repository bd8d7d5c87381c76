/*
 * convert.c - limber convert: a model as limber JSON, a capture as BVH or as a table of poses.
 */
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/report/results.h"

#include <limber/formats/json.h>

#include <stdlib.h>
#include <string.h>

static text_option output_given, keys_file, rate_given, name_given;
static name_option table_given = {.names = (const char *const[]){MOTION_TABLES, "motion", NULL}};

/* ---- models ------------------------------------------------------------- */

static void write_model(const lb_model *model, const char *path)
{
    char *text = NULL;
    require(lb_json_write(model, &program_memory, &text, why()));
    destination_save_text(path, text);
}

/* ---- motion ------------------------------------------------------------- */

/* the motion that --keys gives in place of the file's own */
static void read_keys(motion *from)
{
    lb_motion_options options = lb_motion_options_default();
    options.model = from->model;
    if (keys_file == NULL) {
        option_none_given(motion_options, "without --keys");
        return;
    }
    if (from->bvh != NULL)
        options.usual_rate = 1 / lb_bvh_describe(from->bvh).frame_time;
    options.rate = motion_source_rate();
    const lb_motion *keys = motion_open_table(option_text(keys_file), &options);
    from->model = keys->model;
    from->clip = keys->clip;
}

/* a rest pose is left out where --rest-frame names one; one that was only recognised stays, so that
   a file that is written again has all of its frames */
static void choose_frames(motion *from, bool as_model)
{
    bool keyed = keys_file != NULL;
    lb_bvh_info info = from->bvh != NULL ? lb_bvh_describe(from->bvh) : (lb_bvh_info){0};
    if (info.rest_given && info.rest_frame && (keyed || as_model))
        refuse("--rest-frame has no effect %s",
               keyed ? "with --keys: their first row begins the motion"
                     : "on a skeleton; FILE.csv, FILE.bvh or --as motion has frames");
    if (from->file != NULL && !keyed)
        from->clip = from->file->as_read;
}

/* the motion at other keys, where --fps is given */
static void resample(motion *from)
{
    lb_clip *made = NULL;
    if (rate_given == NULL)
        return;
    if (from->clip == NULL)
        refuse("--fps has no effect: there is no motion");
    double rate = motion_made_rate("--fps", rate_given, from->clip, 0);
    require_for("--fps", lb_clip_resample(from->clip, rate, &program_memory, &made, why()));
    from->clip = made;
}

/* the output by --output or as the second operand */
static const char *find_output(const char *operand)
{
    const char *given = option_text(output_given);
    if (given != NULL && operand != NULL)
        refuse("the output is given twice: '%s' and --output %s", operand, given);
    return given != NULL ? given : operand != NULL ? operand : "-";
}

/* What is written: a model, or motion of a kind. */
typedef struct output {
    const char *path;
    bool model;
    lb_motion_kind kind;
} output;

/* JSON is the model unless --as says else */
static void choose_output(output *to)
{
    // the last name is no table
    int which = argument_name("--as", &table_given, MOTION_TABLE_BY_MODEL);
    bool as_motion = which >= 0 && table_given.names[which + 1] == NULL;
    // standard output is JSON
    const char *name = strcmp(to->path, "-") == 0 ? "-.json" : to->path, *dot = strrchr(name, '.');
    to->kind = motion_written_as("--output", name, as_motion ? MOTION_TABLE_BY_MODEL : which);
    to->model = to->kind == LB_MOTION_JSON && !as_motion;
    if (which >= 0 && strcmp(dot, as_motion ? ".json" : ".csv") != 0)
        refuse("--as %s has no effect without --output FILE%s", table_given.names[which],
               as_motion ? ".json" : ".csv");
}

/* --name is that of what becomes an animation; those of the file keep theirs */
static void check_name(const motion *from, const output *to)
{
    const char *name = option_text(name_given);
    bool keeps = name != NULL && from->file != NULL && from->clip == from->file->clip;
    motion_check_name(name, to->kind);
    if (keeps)
        refuse("--name has no effect without --keys or --fps: the animations of the file keep "
               "their names");
}

static int run(const char *const *operands)
{
    output to = {.path = find_output(operands[1])};
    choose_output(&to);
    // tables of motion have no model
    if (describe_file_is(operands[0]))
        refuse("'%s' has no model that moves; limber convert MODEL --keys %s%s%s", operands[0],
               operands[0], operands[1] != NULL ? " " : "", operands[1] != NULL ? operands[1] : "");
    motion from = select_capture(operands[0]);
    read_keys(&from);
    choose_frames(&from, to.model);
    resample(&from);
    check_name(&from, &to);
    if (to.model)
        write_model(from.model, to.path);
    else
        motion_write(to.path, to.kind, &from, from.clip, option_text(name_given));
    if (strcmp(to.path, "-") == 0 && console_is_terminal(stdout))
        remark("--output FILE.json writes this to a file");
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_TEXT("output", output_given, "FILE",
                "write it there, as .json, .bvh, .csv, .npz, .pkl, .gltf or .glb; default: JSON on "
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
    OPTION_TABLE(order_options),
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
    COMMAND(convert),
    .synopsis = "MODEL [FILE | --output FILE] [--keys K.csv] [OPTION ...]",
    .summary = "write a model as limber JSON, motion as BVH, tables, archives or JSON",
    .details = "The JSON has the same links, joints, limits, masses and shapes. What else the\n"
               "file has, as actuators or sensors, is left out.\n\n"
               "Of a capture (.bvh) the JSON is its skeleton, in metres with z up; the table has\n"
               "a row for each frame: its time and the values of the joints. As BVH it has the\n"
               "numbers of the file again, and those of other poses where --keys gives some. Of\n"
               "any other motion the BVH has each link as a joint, in centimetres with y up.\n"
               "Poses of SMPL (.npz or .pkl, as AMASS has them) are a capture, too; --body FILE\n"
               "has the places of their joints.\n"
               "With --rest-frame the motion begins after the rest pose that it names; a rest\n"
               "pose that is only recognised stays in it.\n\n"
               "Of a glTF the table has the animation that --clip names. Written as .gltf or\n"
               ".glb it has all that was in it, and poses of --keys as an animation; what is no\n"
               "glTF cannot become one, for want of meshes (limber retarget moves a glTF).\n\n"
               "A robot's motion is a table without a header (lafan1: x y z, quaternion x y z w,\n"
               "joints; metres and radians) or with one (bones: centimetres and degrees), or an\n"
               "archive of NumPy (.npz: joints and bodies with their velocities), or a pickle of\n"
               "GMR (.pkl: root_pos, root_rot, dof_pos), never executed. A root that is\n"
               "fixed in the model then moves, as for poses with a column root.z. A .csv of a\n"
               "robot is the first kind, unless --as names another. --degrees is for the table\n"
               "that is written, --source-degrees for the one that is read.",
    .operands = 1,
    .spare = 1,
};
