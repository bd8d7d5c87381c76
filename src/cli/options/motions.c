/*
 * motions.c - motion from files and into them.
 */
#include "cli/options/models.h"

#include "cli/options/targets.h"
#include "cli/report/report.h"
#include "formats/file.h"
#include "model/kinds.h"
#include "motion/clip.h"

#include <limber/formats/motion_json.h>
#include <limber/formats/robot_csv.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_option limits_given, order_given;

const struct poptOption limit_options[] = {
    OPTION_TEXT("limits", limits_given, "FILE", LIMITS_SAY),
    OPTION_END,
};

const struct poptOption order_options[] = {
    OPTION_TEXT("order", order_given, "ORDER",
                "joints and bodies of an .npz: depth-first, breadth-first as Isaac's simulators "
                "number them, names of all joints separated by commas, or a file with a name on "
                "each line; default: depth-first"),
    OPTION_END,
};

double motion_made_rate(const char *option, text_option given, const lb_clip *clip, double usual)
{
    const char *text = option_text(given);
    double rate = argument_positive(option, text, usual);
    if (text == NULL)
        return rate;
    // as many as the library makes
    double duration = lb_clip_end(clip) - lb_clip_begin(clip);
    double frames = floor(duration * clip_own_rate(clip, rate) + 1e-9) + 1;
    if (frames > LB_CLIP_KEYS_MAX)
        refuse("%s: %s a second are %.9g frames of this motion; at most %d are made", option, text,
               frames, LB_CLIP_KEYS_MAX);
    return rate;
}

/* ---- reading ------------------------------------------------------------ */

/* limits of accelerations; NULL: none are given */
static void take_accelerations(motion *m, const lb_joint_limit *limits)
{
    int count = limits != NULL ? lb_model_joint_count(m->model) : 0;
    if (count > 0)
        m->accelerations = allocate_or_exit((size_t)count, sizeof *m->accelerations);
    for (int j = 0; j < count; j++)
        m->accelerations[j] = limits[j].acceleration;
}

/* the target by --limits */
static void narrow_target(motion *m)
{
    int warnings = 0;
    lb_model *view = NULL;
    const char *path = option_text(limits_given);
    if (path == NULL)
        return;
    lb_joint_limit *limits =
        allocate_or_exit((size_t)lb_model_joint_count(m->model), sizeof *limits);
    lb_load_options options = load_given(&warnings);
    require(lb_joint_limits_load(path, m->model, &options, limits, why()));
    require(lb_model_with_limits(m->model, limits, &program_memory, &view, why()));
    m->model = view;
    take_accelerations(m, limits);
}

static void make_moving(motion *m)
{
    lb_model *moving = NULL;
    if (kinds_root_moves(m->model))
        return;
    require(lb_model_with_root(m->model, LB_JOINT_FLOATING, &program_memory, &moving, why()));
    m->model = moving;
}

/* a capture, which has a figure and times */
static motion read_capture(const char *path, double given, bool limited)
{
    if (limited)
        option_none_given(limit_options, "on what moves in a capture");
    motion out = select_motion(path);
    out.rest = out.file != NULL ? out.file->rest : NULL;
    bool smpl = out.file != NULL && out.file->kind == LB_MOTION_SMPL;
    bool timed = given > 0 && !smpl;
    if (out.clip == NULL)
        refuse("%s: there is a figure, but no motion of it", path);
    if (timed || angles_of_source_given())
        refuse("%s has no effect: '%s' has its own %s", timed ? "--source-fps" : "--source-degrees",
               path, timed ? "times" : "unit of angles");
    return out;
}

/* poses may be outside of limits, or in degrees */
static void remark_poses(const char *path, const lb_motion *table)
{
    pose_warnings warnings = {.poses = 0};
    value_slot *slots = values_slots(table->model);
    angles_of_source(true);
    pose_warnings_add(&warnings, table->model, slots, lb_clip_key(table->clip, 0),
                      lb_clip_count(table->clip));
    pose_warnings_print(&warnings, path);
    angles_of_source(false);
}

lb_motion *motion_open_table(const char *path, lb_motion_options *options)
{
    options->degrees = angles_of_source_given();
    lb_motion *table = capture_open(path, options);
    if (table->kind == LB_MOTION_POSES)
        remark_poses(path, table);
    return table;
}

/* whether a file has a figure of its own, which a model is not moved by */
static bool has_figure(const char *path)
{
    return captures_built_in(path) || lb_motion_has_figure(lb_motion_find(path));
}

motion motion_read(const char *path, const char *option, const char *model_name, double given,
                   bool limited)
{
    lb_motion_options options = lb_motion_options_default();
    if (model_name == NULL && !has_figure(path) && lb_motion_find(path) != LB_MOTION_UNKNOWN)
        refuse("'%s' is a table; %s MODEL names what it moves", path, option);
    if (model_name == NULL)
        return read_capture(path, given, limited);
    if (has_figure(path))
        refuse("'%s' has a figure of its own, so it does not move '%s'; limber retarget %s --to %s "
               "makes that follow it",
               path, model_name, path, model_name);
    motion out = select_figure(model_name, true);
    make_moving(&out);
    options.model = out.model;
    options.limits = limited ? option_text(limits_given) : NULL;
    options.rate = given;
    const lb_motion *table = motion_open_table(path, &options);
    out.model = table->model;
    out.clip = table->clip;
    take_accelerations(&out, table->limits);
    return out;
}

motion motion_read_figure(const char *path, const char *option)
{
    if (has_figure(path))
        return motion_read(path, option, NULL, 0, false);
    motion out = select_figure(path, true);
    make_moving(&out);
    return out;
}

void motion_uses_options(const motion *m)
{
    if (m->file == NULL)
        option_none_given(capture_options, "with a model that is no file of motion");
}

motion motion_open_target(const char *name)
{
    motion out = select_figure(name, false);
    make_moving(&out);
    narrow_target(&out);
    return out;
}

/* ---- writing ------------------------------------------------------------ */

char *motion_name(const char *path, const motion *m)
{
    const char *own = m->gltf != NULL ? lb_gltf_animation_name(m->gltf, m->file->animation) : NULL;
    bool is_named = own != NULL && *own != '\0';
    const char *text = is_named ? own : file_name(path), *dot = strrchr(text, '.');
    size_t length = is_named || dot == NULL || dot == text ? strlen(text) : (size_t)(dot - text);
    char *name = allocate_or_exit(length + 1, 1);
    memcpy(name, text, length);
    return name;
}

lb_motion_kind motion_written_as(const char *option, const char *path, int table)
{
    static const char *const endings[] = {".json", ".csv",  ".bvh", ".npz",
                                          ".pkl",  ".gltf", ".glb", ".vrm"};
    static const lb_motion_kind tables[] = {LB_MOTION_POSES, LB_MOTION_LAFAN1, LB_MOTION_BONES};
    argument_ending(option, path, endings, sizeof endings / sizeof *endings);
    lb_motion_kind kind = lb_motion_kind_for(path, NULL);
    if (kind == LB_MOTION_POSES)
        kind = table < 0 ? LB_MOTION_UNKNOWN : tables[table];
    if (order_given != NULL && kind != LB_MOTION_NPZ)
        refuse("--order has no effect without %s FILE.npz: other files have one order", option);
    return kind;
}

void motion_check_name(const char *name, lb_motion_kind kind)
{
    if (name != NULL && kind != LB_MOTION_GLTF && kind != LB_MOTION_GLB)
        refuse("--name has no effect without --output FILE.glb or .gltf: other files have no "
               "animations with names");
}

/* the order that --order says, names from a file if it is none */
static const char *read_order(void)
{
    const char *order = option_text(order_given);
    char *text = NULL;
    size_t size;
    if (order == NULL || strchr(order, ',') != NULL || strcmp(order, "depth-first") == 0 ||
        strcmp(order, "breadth-first") == 0)
        return order;
    require(file_read(order, &program_memory, &text, &size, why()));
    return text;
}

/* a table is read at the rate of its kind: another one must be known */
static void note_written_rate(const lb_clip *clip, lb_motion_kind kind)
{
    bool bones = kind == LB_MOTION_BONES;
    double rate = lb_clip_rate(clip, CLIP_EVEN), usual;
    if (!bones && kind != LB_MOTION_LAFAN1)
        return;
    usual = lb_robot_csv_rate(bones ? LB_ROBOT_CSV_BONES : LB_ROBOT_CSV_LAFAN1);
    if (rate > 0 && fabs(rate / usual - 1) > CLIP_EVEN)
        remark("%.6g frames a second are written into a table without times, and %s is read as "
               "%g: add --fps %g to resample it here, or --source-fps %.6g to the command that "
               "reads it",
               rate, lb_motion_kind_text(kind), usual, usual, rate);
}

void motion_write(const char *path, lb_motion_kind kind, const motion *of, const lb_clip *clip,
                  const char *name)
{
    file_writer writer = {0};
    if (kind == LB_MOTION_UNKNOWN)
        kind = lb_motion_kind_for(".csv", of->file == NULL ? of->model : NULL);
    lb_motion_write_options options = {
        .kind = kind, .name = name, .degrees = angle_unit() < 1, .order = read_order()};
    lb_status status = file_begin(&writer, path, why());
    if (status == LB_OK)
        status = lb_motion_write(of->file, clip, &options, file_sink, writer.stream, why());
    // it is the commit that says why the system took no more
    if (status == LB_OK || (writer.stream != NULL && ferror(writer.stream)))
        status = file_commit(&writer, why());
    file_discard(&writer);
    require(status);
    if (clip != NULL)
        note_written_rate(clip, kind);
}

/* ---- feet ---------------------------------------------------------------- */

lb_looks *feet_looks(const motion *m)
{
    lb_looks *looks = NULL;
    lb_error error = {0};
    const lb_gltf *gltf = m->gltf;
    // what draws is known by the links of the file's own model
    if (gltf == NULL || lb_model_link_count(m->model) != lb_model_link_count(lb_gltf_model(gltf)))
        return NULL;
    lb_load_options options = lb_load_options_default();
    options.allocator = &program_memory;
    if (lb_looks_load(m->name, m->model, gltf, &options, &looks, &error) != LB_OK)
        remark_error(&error);
    return looks;
}

feet feet_find(const motion *m, const char *path, double ground, lb_vec3 ground_normal)
{
    lb_contacts *own = NULL;
    if (path != NULL) {
        require(lb_contacts_load(path, m->model, &program_memory, &own, why()));
        return (feet){.contacts = own, .origin = "given"};
    }
    if (m->contacts != NULL)
        return (feet){.contacts = m->contacts, .origin = "built in"};
    feet out = {.origin = "detected"};
    lb_error *error = why();
    lb_status status =
        lb_rig_contacts_by_looks(m->clip, m->rest, feet_looks(m), ground, ground_normal,
                                 &program_memory, &own, &out.assumed, error);
    exit_if_out_of_memory(status);
    if (status != LB_BAD_MODEL)
        require(status);
    else
        out.missing = copy_or_exit(error->message);
    out.contacts = own;
    return out;
}

int feet_spans(const lb_contacts *contacts)
{
    int spans = 0, n;
    for (int i = 0; contacts != NULL && i < lb_contacts_count(contacts); i++) {
        lb_contacts_spans(contacts, i, &n);
        spans += n;
    }
    return spans;
}
