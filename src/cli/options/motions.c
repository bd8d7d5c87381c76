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

bool motion_made_rate(const char *option, text_option given, const lb_clip *clip, double *rate)
{
    const char *text = option_text(given);
    if (text == NULL)
        return true;
    if (!argument_positive(option, text, rate))
        return false;
    // as many as the library makes
    double duration = lb_clip_end(clip) - lb_clip_begin(clip);
    double frames = floor(duration * clip_own_rate(clip, *rate) + 1e-9) + 1;
    if (frames > LB_CLIP_KEYS_MAX)
        complain("%s: %s a second are %.9g frames of this motion; at most %d are made", option,
                 text, frames, LB_CLIP_KEYS_MAX);
    return !(frames > LB_CLIP_KEYS_MAX);
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
static bool narrow_target(motion *m)
{
    int warnings = 0;
    lb_load_options options;
    const char *path = option_text(limits_given);
    if (path == NULL)
        return true;
    lb_joint_limit *limits =
        allocate_or_exit((size_t)lb_model_joint_count(m->model), sizeof *limits);
    bool fine = load_given(&warnings, &options) &&
                succeeds(lb_joint_limits_load(path, m->model, &options, limits, why())) &&
                succeeds(lb_model_with_limits(m->model, limits, NULL, &m->view, why()));
    if (fine) {
        m->model = m->view;
        take_accelerations(m, limits);
    }
    free(limits);
    return fine;
}

static bool make_moving(motion *m)
{
    if (kinds_root_moves(m->model))
        return true;
    if (!succeeds(lb_model_with_root(m->model, LB_JOINT_FLOATING, NULL, &m->moving, why())))
        return false;
    m->model = m->moving;
    return true;
}

/* a capture, which has a figure and times */
static bool read_capture(const char *path, double given, bool limited, motion *out)
{
    if ((limited && !option_none_given(limit_options, "on what moves in a capture")) ||
        !select_motion(path, out))
        return false;
    out->rest = out->file != NULL ? out->file->rest : NULL;
    bool smpl = out->file != NULL && out->file->kind == LB_MOTION_SMPL;
    bool timed = given > 0 && !smpl;
    if (out->clip == NULL)
        complain("%s: there is a figure, but no motion of it", path);
    else if (timed || angles_of_source_given())
        complain("%s has no effect: '%s' has its own %s",
                 timed ? "--source-fps" : "--source-degrees", path,
                 timed ? "times" : "unit of angles");
    else
        return true;
    return false;
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
    free(slots);
}

bool motion_open_table(const char *path, lb_motion_options *options, lb_motion **table)
{
    options->degrees = angles_of_source_given();
    if (!capture_open(path, options, table))
        return false;
    if ((*table)->kind == LB_MOTION_POSES)
        remark_poses(path, *table);
    return true;
}

/* whether a file has a figure of its own, which a model is not moved by */
static bool has_figure(const char *path)
{
    return captures_built_in(path) || lb_motion_has_figure(lb_motion_find(path));
}

bool motion_read(const char *path, const char *option, const char *model_name, double given,
                 bool limited, motion *out)
{
    lb_motion_options options = lb_motion_options_default();
    *out = (motion){.name = model_name != NULL ? model_name : path};
    if (model_name == NULL && !has_figure(path) && lb_motion_find(path) != LB_MOTION_UNKNOWN)
        return complain("'%s' is a table; %s MODEL names what it moves", path, option);
    if (model_name == NULL)
        return read_capture(path, given, limited, out);
    if (has_figure(path))
        return complain(
            "'%s' has a figure of its own, so it does not move '%s'; limber retarget %s "
            "--to %s makes that follow it",
            path, model_name, path, model_name);
    if (!select_figure(model_name, true, out) || !make_moving(out))
        return false;
    options.model = out->model;
    options.limits = limited ? option_text(limits_given) : NULL;
    options.rate = given;
    if (!motion_open_table(path, &options, &out->table))
        return false;
    out->model = out->table->model;
    out->clip = out->table->clip;
    take_accelerations(out, out->table->limits);
    return true;
}

bool motion_read_figure(const char *path, const char *option, motion *out)
{
    if (has_figure(path))
        return motion_read(path, option, NULL, 0, false, out);
    return select_figure(path, true, out) && make_moving(out);
}

bool motion_uses_options(const motion *m)
{
    return m->file != NULL ||
           option_none_given(capture_options, "with a model that is no file of motion");
}

bool motion_open_target(const char *name, motion *out)
{
    return select_figure(name, false, out) && make_moving(out) && narrow_target(out);
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

bool motion_written_as(const char *option, const char *path, int table, lb_motion_kind *kind)
{
    static const char *const endings[] = {".json", ".csv",  ".bvh", ".npz",
                                          ".pkl",  ".gltf", ".glb", ".vrm"};
    static const lb_motion_kind tables[] = {LB_MOTION_POSES, LB_MOTION_LAFAN1, LB_MOTION_BONES};
    int which;
    if (!argument_ending(option, path, endings, sizeof endings / sizeof *endings, &which))
        return false;
    *kind = lb_motion_kind_for(path, NULL);
    if (*kind == LB_MOTION_POSES)
        *kind = table < 0 ? LB_MOTION_UNKNOWN : tables[table];
    return order_given == NULL || *kind == LB_MOTION_NPZ ||
           complain("--order has no effect without %s FILE.npz: other files have one order",
                    option);
}

bool motion_check_name(const char *name, lb_motion_kind kind)
{
    bool named = name == NULL || kind == LB_MOTION_GLTF || kind == LB_MOTION_GLB;
    return named ||
           complain("--name has no effect without --output FILE.glb or .gltf: other files have no "
                    "animations with names");
}

/* the order that --order says, names from a file if it is none; `text` is to be released */
static bool read_order(const char **order, char **text)
{
    *order = option_text(order_given);
    *text = NULL;
    if (*order == NULL || strchr(*order, ',') != NULL || strcmp(*order, "depth-first") == 0 ||
        strcmp(*order, "breadth-first") == 0)
        return true;
    size_t size;
    if (!succeeds(file_read(*order, NULL, text, &size, why())))
        return false;
    *order = *text;
    return true;
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

bool motion_write(const char *path, lb_motion_kind kind, const motion *of, const lb_clip *clip,
                  const char *name)
{
    file_writer writer = {0};
    if (kind == LB_MOTION_UNKNOWN)
        kind = lb_motion_kind_for(".csv", of->file == NULL ? of->model : NULL);
    lb_motion_write_options options = {.kind = kind, .name = name, .degrees = angle_unit() < 1};
    char *names = NULL;
    if (!read_order(&options.order, &names))
        return false;
    lb_status status = file_begin(&writer, path, why());
    if (status == LB_OK)
        status = lb_motion_write(of->file, clip, &options, file_sink, writer.stream, why());
    // it is the commit that says why the system took no more
    if (status == LB_OK || (writer.stream != NULL && ferror(writer.stream)))
        status = file_commit(&writer, why());
    file_discard(&writer);
    free(names);
    if (status == LB_OK && clip != NULL)
        note_written_rate(clip, kind);
    return succeeds(status);
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
    if (lb_looks_load(m->name, m->model, gltf, NULL, &looks, &error) != LB_OK)
        remark_error(&error);
    return looks;
}

bool feet_find(const motion *m, const char *path, double ground, lb_vec3 ground_normal, feet *out)
{
    lb_error error = {0};
    *out = (feet){.origin = path != NULL ? "given" : "detected"};
    if (path != NULL) {
        lb_status status = lb_contacts_load(path, m->model, NULL, &out->own, &error);
        out->contacts = out->own;
        return complain_unless(status, &error);
    }
    if (m->contacts != NULL) {
        out->contacts = m->contacts;
        out->origin = "built in";
        return true;
    }
    lb_looks *looks = feet_looks(m);
    lb_status status = lb_rig_contacts_by_looks(m->clip, m->rest, looks, ground, ground_normal,
                                                NULL, &out->own, &out->assumed, &error);
    lb_looks_release(looks);
    exit_if_out_of_memory(status);
    out->contacts = out->own;
    if (status == LB_OK)
        return true;
    snprintf(out->message, sizeof out->message, "%s", error.message);
    out->missing = out->message;
    return status == LB_BAD_MODEL || complain_unless(status, &error);
}

void feet_release(feet *f)
{
    lb_contacts_release(f->own);
    f->own = NULL;
    f->contacts = NULL;
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
