/*
 * convert.c - limber convert: a model as limber JSON, a capture as BVH or as a table of poses.
 *
 * What is written is one row of the table below, by the output's ending.
 */
#include "cli/command.h"
#include "cli/options/angles.h"
#include "cli/options/arguments.h"
#include "cli/options/captures.h"
#include "cli/options/poses.h"
#include "cli/options/select.h"
#include "cli/output/console.h"
#include "cli/output/joint_values.h"
#include "cli/output/report.h"
#include "formats/file.h"
#include "formats/robot_joints.h"

#include <limber/formats/json.h>
#include <limber/formats/robot_csv.h>
#include <limber/formats/robot_npz.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static text_option output_given, keys_file, kind_given, rate_given, name_given;

/* Writes a capture; on failure *error says why. */
typedef lb_status convert_write(const capture *from, FILE *stream, lb_error *error);

/* ---- formats ------------------------------------------------------------ */

static lb_status write_json(const capture *from, FILE *stream, lb_error *error)
{
    char *text = NULL;
    lb_status status = lb_json_write(from->model, NULL, &text, error);
    if (status == LB_OK)
        fputs(text, stream);
    free(text);
    return status;
}

static bool write_piece(void *user, const char *text, size_t size)
{
    return fwrite(text, 1, size, user) == size;
}

/* gaps between keys that differ by less are equal but for rounding: times of a glTF are floats */
#define EVEN 1e-3

/* the keys one after the other at equal gaps */
static bool set_even_key(void *user, int key, double *time, double *q)
{
    const lb_clip *clip = user;
    double begin = lb_clip_begin(clip), length = lb_clip_end(clip) - begin;
    *time = begin + key * (length / (lb_clip_count(clip) - 1));
    memcpy(q, lb_clip_key(clip, key), (size_t)lb_model_nq(lb_clip_model(clip)) * sizeof *q);
    return true;
}

/* the motion at keys that are evenly spaced, as some formats want them; *own is to be released */
static lb_status make_even(const lb_clip *clip, lb_clip **own, lb_error *error)
{
    *own = NULL;
    if (lb_clip_count(clip) > 1 && lb_clip_rate(clip, EVEN) == 0)
        return lb_error_set(error, LB_BAD_VALUE, 0,
                            "the keys are not evenly spaced; --fps N resamples the motion");
    // the callback only reads what it is given
    return lb_clip_count(clip) < 2
               ? lb_clip_slice(clip, lb_clip_begin(clip), lb_clip_end(clip), NULL, own, error)
               : lb_clip_generate(lb_clip_model(clip), lb_clip_count(clip), set_even_key,
                                  (void *)(uintptr_t)clip, LB_INTERPOLATION_LINEAR, NULL, own,
                                  error);
}

/* of a figure that is from no BVH file, one made of its motion */
static lb_status write_made_bvh(const lb_clip *clip, FILE *stream, lb_error *error)
{
    lb_bvh *made = NULL;
    lb_clip *even;
    lb_status status = make_even(clip, &even, error);
    if (status == LB_OK)
        status = lb_bvh_make(even, NULL, &made, error);
    if (status == LB_OK)
        status = lb_bvh_write(made, NULL, write_piece, stream, NULL, error);
    lb_bvh_release(made);
    lb_clip_release(even);
    return status;
}

static lb_status write_bvh(const capture *from, FILE *stream, lb_error *error)
{
    if (from->bvh != NULL)
        return lb_bvh_write(from->bvh, from->clip, write_piece, stream, NULL, error);
    if (from->clip == NULL)
        return lb_error_set(error, LB_UNSUPPORTED, 0, "there is no motion to write as BVH");
    return write_made_bvh(from->clip, stream, error);
}

static bool write_bytes(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

/* the name of the animation that poses of --keys become */
static const char *animation_name(const capture *from)
{
    const char *given = option_text(name_given);
    const char *own = lb_gltf_animation_name(from->gltf, from->animation);
    return given != NULL ? given : own != NULL && *own != '\0' ? own : "motion";
}

/* the figure with its animations, and with the poses of --keys as one more */
static lb_status write_gltf(const capture *from, FILE *stream, bool binary, lb_error *error)
{
    lb_gltf_write_options options = {.binary = binary};
    lb_gltf_animation animation = {.clip = from->clip};
    bool edited = from->clip != from->own_clip;
    if (from->gltf == NULL)
        return lb_error_set(error, LB_UNSUPPORTED, 0,
                            "only a glTF has the nodes and meshes that a glTF needs");
    if (edited)
        animation.name = animation_name(from);
    return lb_gltf_write(from->gltf, &animation, edited ? 1 : 0, &options, write_bytes, stream,
                         error);
}

static lb_status write_gltf_text(const capture *from, FILE *stream, lb_error *error)
{
    return write_gltf(from, stream, false, error);
}

static lb_status write_glb(const capture *from, FILE *stream, lb_error *error)
{
    return write_gltf(from, stream, true, error);
}

static lb_status write_csv(const capture *from, FILE *stream, lb_error *error)
{
    if (from->clip == NULL)
        return lb_error_set(error, LB_UNSUPPORTED, 0, "there is no motion to write as a table");
    joint_values values = joint_values_of(from->model);
    row fields = row_start(stream);
    row_text(&fields, "time");
    joint_values_names(&values, &fields);
    row_end(&fields);
    for (int i = 0; i < lb_clip_count(from->clip); i++) {
        row_number(&fields, lb_clip_times(from->clip)[i]);
        joint_values_row(&values, lb_clip_key(from->clip, i), &fields);
        row_end(&fields);
    }
    joint_values_release(&values);
    return LB_OK;
}

/* ---- robot tables ------------------------------------------------------- */

/* whether it is a robot: no captured figure, with a free root and joints of one value */
static bool is_robot(const capture *from)
{
    int root, joints;
    return from->bvh == NULL && from->gltf == NULL &&
           robot_joints_check(from->model, &root, &joints, NULL) == LB_OK && joints > 0;
}

/* the kind of --as, else of a robot lafan1; LB_ROBOT_CSV_RECOGNISE: limber's own table */
static bool read_kind(const capture *from, lb_robot_csv *kind)
{
    static const char *const names[] = {"limber", "lafan1", "bones"};
    int which = is_robot(from) ? LB_ROBOT_CSV_LAFAN1 : LB_ROBOT_CSV_RECOGNISE;
    if (kind_given != NULL && !argument_choice("--as", option_text(kind_given), names, 3, &which))
        return false;
    *kind = (lb_robot_csv)which;
    return true;
}

static lb_status write_table(const capture *from, FILE *stream, lb_error *error)
{
    lb_robot_csv kind = LB_ROBOT_CSV_RECOGNISE;
    if (!read_kind(from, &kind) || kind == LB_ROBOT_CSV_RECOGNISE)
        return write_csv(from, stream, error);
    if (from->clip == NULL)
        return lb_error_set(error, LB_UNSUPPORTED, 0, "there is no motion to write as a table");
    return lb_robot_csv_write(from->clip, kind, write_piece, stream, error);
}

static lb_status write_npz(const capture *from, FILE *stream, lb_error *error)
{
    void *bytes = NULL;
    size_t size;
    lb_clip *even;
    if (from->clip == NULL)
        return lb_error_set(error, LB_UNSUPPORTED, 0, "there is no motion to write");
    lb_status status = make_even(from->clip, &even, error);
    if (status == LB_OK)
        status = lb_robot_npz_write(even, NULL, &bytes, &size, error);
    if (status == LB_OK)
        fwrite(bytes, 1, size, stream);
    free(bytes);
    lb_clip_release(even);
    return status;
}

/* a robot whose root is fixed gets one that moves, as its tables have it */
static bool float_root(capture *from)
{
    lb_model *made = NULL;
    lb_error error = {0};
    for (int j = 0; j < lb_model_joint_count(from->model); j++)
        if (lb_model_joint(from->model, j)->kind == LB_JOINT_FLOATING)
            return true;
    if (lb_model_with_root(from->model, LB_JOINT_FLOATING, NULL, &made, &error) != LB_OK) {
        complain_error(&error);
        return false;
    }
    lb_model_release(from->own_model);
    from->model = from->own_model = made;
    return true;
}

/* Makes a clip over a model that can move, from a robot's file. */
typedef lb_status read_robot(const char *path, const char *text, size_t size, const lb_model *model,
                             double rate, lb_clip **made, lb_error *error);

static lb_status read_table(const char *path, const char *text, size_t size, const lb_model *model,
                            double rate, lb_clip **made, lb_error *error)
{
    lb_robot_csv_options options = {.rate = rate};
    return lb_robot_csv_load_memory(path, text, size, model, &options, made, error);
}

static void print_warning(void *user, const lb_error *warning)
{
    (void)user;
    remark_error(warning);
}

static lb_status read_npz(const char *path, const char *text, size_t size, const lb_model *model,
                          double rate, lb_clip **made, lb_error *error)
{
    lb_load_options options = {.warn = print_warning};
    if (rate > 0)
        return lb_error_set(error, LB_UNSUPPORTED, 0, "--fps: the archive has its own");
    return lb_robot_npz_load_memory(path, text, size, model, &options, made, error);
}

/* what a robot's file is read by, from its first bytes; NULL: it is none */
static read_robot *robot_reader(const char *text, size_t size)
{
    if (size >= 2 && memcmp(text, "PK", 2) == 0)
        return read_npz;
    return lb_robot_csv_recognise(text, size) != LB_ROBOT_CSV_RECOGNISE ? read_table : NULL;
}

/* a robot's file over the model, whose root moves from then on */
static bool read_motion(capture *from, read_robot *reader, const char *text, size_t size,
                        lb_clip **made)
{
    lb_error error = {0};
    double rate = 0;
    if ((rate_given != NULL && !argument_positive("--fps", option_text(rate_given), &rate)) ||
        !float_root(from))
        return false;
    const char *path = option_text(keys_file);
    if (reader(path, text, size, from->model, rate, made, &error) == LB_OK)
        return true;
    if (error.path[0] == '\0')
        snprintf(error.path, sizeof error.path, "%s", path);
    complain_error(&error);
    return false;
}

static const char *const endings[] = {".json", ".bvh", ".csv", ".npz", ".gltf", ".glb", ".vrm"};
static convert_write *const writers[] = {write_json,      write_bvh, write_table, write_npz,
                                         write_gltf_text, write_glb, write_glb};

enum { FORMATS = sizeof endings / sizeof *endings };

/* ---- the command -------------------------------------------------------- */

/* poses under a header of value names, as those of limber animate */
static bool read_poses(const capture *from, lb_clip **made)
{
    pose_list keys = {0};
    lb_error error = {0};
    const char *path = option_text(keys_file);
    if (!poses_from_file(from->model, path, &keys))
        return false;
    double *times = allocate_or_exit((size_t)keys.count, sizeof *times);
    // poses without times are the file's frames
    double gap = from->bvh != NULL ? lb_bvh_describe(from->bvh).frame_time : 1, rate = 0;
    bool fine = rate_given == NULL || argument_positive("--fps", option_text(rate_given), &rate);
    for (int i = 0; i < keys.count; i++)
        times[i] = keys.times != NULL ? keys.times[i] : rate > 0 ? i / rate : i * gap;
    if (fine && lb_clip_create(from->model, times, keys.q, keys.count, LB_INTERPOLATION_LINEAR,
                               NULL, made, &error) != LB_OK) {
        complain("%s: %s", path, error.message);
        fine = false;
    }
    free(times);
    poses_release(&keys);
    return fine;
}

/* the file's own motion at other keys, in `made`, where --fps is given */
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
    if (!argument_positive("--fps", option_text(rate_given), &rate))
        return false;
    if (lb_clip_resample(from->clip, rate, NULL, made, &error) != LB_OK) {
        complain("--fps: %s", error.message);
        return false;
    }
    from->clip = *made;
    return true;
}

/* the clip that --keys gives, in `made`, in place of the file's own; false after a complaint */
static bool read_keys(capture *from, lb_clip **made)
{
    const char *path = option_text(keys_file);
    char *text = NULL;
    size_t size = 0;
    if (path == NULL)
        return resample(from, made);
    // poses are read in blocks; what is a robot's own is read at once
    bool whole = strcmp(path, "-") != 0 && file_read(path, NULL, &text, &size, NULL) == LB_OK;
    read_robot *reader = whole ? robot_reader(text, size) : NULL;
    bool fine =
        reader != NULL ? read_motion(from, reader, text, size, made) : read_poses(from, made);
    free(text);
    from->clip = *made;
    return fine;
}

static bool write_to(const char *path, convert_write *write, const capture *from)
{
    file_writer writer = {0};
    lb_error error = {0};
    lb_status status = file_begin(&writer, path, &error);
    if (status == LB_OK)
        status = write(from, writer.stream, &error);
    if (status == LB_OK)
        status = file_commit(&writer, &error);
    file_discard(&writer);
    if (status != LB_OK)
        complain_error(&error);
    return status == LB_OK;
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

static int run(const char *const *operands)
{
    capture from = {0};
    lb_clip *keys = NULL;
    int which = 0;
    const char *path = find_output(operands[1]);
    bool done =
        path != NULL &&
        (strcmp(path, "-") == 0 || argument_ending("--output", path, endings, FORMATS, &which)) &&
        select_capture(operands[0], &from) && read_keys(&from, &keys) &&
        write_to(path, writers[which], &from);
    if (done && strcmp(path, "-") == 0 && console_is_terminal(stdout))
        remark("--output FILE.json writes this to a file");
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
                "motion as LAFAN1 (no header) or BONES-SEED have it, or as .npz"),
    OPTION_TEXT(
        "as", kind_given, "KIND",
        "the table that a .csv is: limber, lafan1 or bones; default: of a robot with a free root "
        "lafan1, else limber"),
    OPTION_TEXT("fps", rate_given, "N",
                "frames a second of --keys without times, default: 30 of lafan1, 120 of bones; "
                "without --keys the motion is resampled so"),
    OPTION_TEXT("name", name_given, "NAME",
                "the animation of a glTF that --keys become; one of this name is replaced; "
                "default: that of --clip"),
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
     "        limber convert planar2 --keys moves.csv --fps 50 --output bones.csv --as bones"},
    {NULL, NULL},
};

const command command_convert = {
    .name = "convert",
    .synopsis = "MODEL [FILE | --output FILE] [--keys K.csv] [--fps N]\n"
                "[--as KIND] [--degrees] [--unit UNIT] [--up AXIS] [--clip NAME] [--name NAME] "
                "[--root KIND] [--strict]",
    .summary = "write a model as limber JSON, a capture as BVH, glTF or as a table",
    .details = "The JSON has the same links, joints, limits, masses and shapes. What else the\n"
               "file has, as actuators or collision shapes, is left out.\n\n"
               "Of a capture (.bvh) the JSON is its skeleton, in metres with z up; the table has\n"
               "a row for each frame: its time and the values of the joints. As BVH it has the\n"
               "numbers of the file again, and those of other poses where --keys gives some. Of\n"
               "any other motion the BVH has each link as a joint, in centimetres with y up.\n\n"
               "Of a glTF the table has the animation that --clip names. Written as .gltf or\n"
               ".glb it has all that was in it, and poses of --keys as an animation.\n\n"
               "A robot's motion is a table without a header (lafan1: x y z, quaternion x y z w,\n"
               "joints; metres and radians) or with one (bones: centimetres and degrees), or an\n"
               "archive of NumPy (.npz: joints and bodies with their velocities). A root that is\n"
               "fixed in the model then moves. A .csv of a robot is the first kind, unless --as\n"
               "names another.",
    .examples = examples,
    .options = options,
    .operands = 1,
    .spare = 1,
    .run = run,
};
