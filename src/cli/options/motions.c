/*
 * motions.c - motion from files and into them.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/options/motions.h"

#include "cli/options/arguments.h"
#include "cli/options/select.h"
#include "cli/options/values.h"
#include "cli/report/report.h"
#include "cli/work/clip_files.h"
#include "formats/file.h"
#include "motion/clip.h"

#include <limber/formats/joint_limits.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static text_option source_rate_given, limits_given;

const struct poptOption limit_options[] = {
    OPTION_TEXT("limits", limits_given, "FILE",
                "limits of joints as in MoveIt's joint_limits.yaml, or the same as JSON; they "
                "narrow those of the model"),
    OPTION_END,
};

const struct poptOption motion_options[] = {
    OPTION_TEXT("source-fps", source_rate_given, "N",
                "frames a second of a table that is read and has no times; default: 30 of lafan1 "
                "and of poses, 120 of bones"),
    OPTION_TABLE(source_angle_options),
    OPTION_END,
};

bool motion_source_rate(double *rate)
{
    const char *given = option_text(source_rate_given);
    *rate = 0;
    return given == NULL || argument_positive("--source-fps", given, rate);
}

bool motion_made_rate(const char *option, text_option given, const lb_clip *clip, double *rate)
{
    const char *text = option_text(given);
    if (text == NULL)
        return true;
    if (!argument_positive(option, text, rate))
        return false;
    // as many as the library makes
    double frames = floor((lb_clip_end(clip) - lb_clip_begin(clip)) * *rate + 1e-9) + 1;
    if (frames > LB_CLIP_KEYS_MAX)
        complain("%s: %s a second are %.9g frames of this motion; at most %d are made", option,
                 text, frames, LB_CLIP_KEYS_MAX);
    return !(frames > LB_CLIP_KEYS_MAX);
}

static bool has_ending(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ending) == 0;
}

/* ---- reading ------------------------------------------------------------ */

/* whether some joint at the root moves everything */
static bool root_moves(const lb_model *model)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        lb_joint_kind kind = lb_model_joint(model, j)->kind;
        if (kind == LB_JOINT_FLOATING || kind == LB_JOINT_PLANAR)
            return true;
        if (kind != LB_JOINT_FIXED)
            return false;
    }
    return false;
}

/* limits in a file of their own, as settings of the joints */
static bool narrow(motion *m, const lb_joint_limit *limits)
{
    lb_error error = {0};
    int count = lb_model_joint_count(m->model), used = 0;
    lb_joint_setting *settings = allocate_or_exit((size_t)count, sizeof *settings);
    m->accelerations = allocate_or_exit((size_t)count, sizeof *m->accelerations);
    for (int j = 0; j < count; j++) {
        m->accelerations[j] = limits[j].acceleration;
        if (lb_model_joint(m->model, j)->kind != LB_JOINT_FIXED)
            settings[used++] = lb_joint_limit_setting(limits, j);
    }
    bool fine =
        complain_unless(lb_model_view(m->model, settings, used, NULL, &m->view, &error), &error);
    free(settings);
    if (fine)
        m->model = m->view;
    return fine;
}

static bool motion_limit(motion *m)
{
    lb_error error = {0};
    int warnings = 0;
    lb_load_options options;
    const char *path = option_text(limits_given);
    if (path == NULL)
        return true;
    lb_joint_limit *limits =
        allocate_or_exit((size_t)lb_model_joint_count(m->model), sizeof *limits);
    bool fine =
        load_given(&warnings, &options) &&
        complain_unless(lb_joint_limits_load(path, m->model, &options, limits, &error), &error) &&
        narrow(m, limits);
    free(limits);
    return fine;
}

static bool make_moving(motion *m)
{
    lb_error error = {0};
    m->model = m->from.model;
    if (root_moves(m->model))
        return true;
    if (!complain_unless(lb_model_with_root(m->model, LB_JOINT_FLOATING, NULL, &m->moving, &error),
                         &error))
        return false;
    m->model = m->moving;
    return true;
}

/* a capture that has a rest pose before it begins with the next frame, at 0 as all that is written,
   so that times of the one are those of the other */
static bool leave_rest(motion *m)
{
    const lb_clip *all = m->from.clip;
    m->model = m->from.model;
    m->clip = all;
    if (all == NULL) {
        complain("the capture has no frames");
        return false;
    }
    lb_bvh_info info = m->from.bvh != NULL ? lb_bvh_describe(m->from.bvh) : (lb_bvh_info){0};
    if (!info.rest_frame)
        return true;
    m->rest = lb_clip_key(all, info.rest_index);
    m->own = clip_tail(all, info.rest_index + 1);
    m->clip = m->own;
    if (m->own == NULL)
        complain("out of memory");
    return m->own != NULL;
}

/* a file of motion without a skeleton of its own */
static bool is_table(const char *path)
{
    static const char *const endings[] = {".csv", ".npy", ".npz", ".json"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (has_ending(path, endings[i]))
            return true;
    return false;
}

/* standard input, a pipe or a device, which have no ending that says what is in them */
static bool is_stream(const char *path)
{
    struct stat about;
    return strcmp(path, "-") == 0 ||
           (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

/* a capture, which has a skeleton and times; what is given for a table is refused once it is known
   that this is none */
static bool read_capture(const char *path, const char *model_name, double given, bool limited,
                         motion *out)
{
    if (model_name != NULL && is_stream(path)) {
        complain("'%s': a table of motion must be a file that ends in .csv, .npy, .npz or .json",
                 path);
        return false;
    }
    if ((limited && !option_none_given(limit_options, "on what moves in a capture")) ||
        !select_capture(path, &out->from))
        return false;
    if (out->from.clip == NULL && out->from.bvh == NULL && out->from.gltf == NULL) {
        complain("'%s' has no motion; a .bvh, .glb, .gltf, .csv, .npz or .json has", path);
        return false;
    }
    if (model_name != NULL) {
        complain("'%s' has a figure of its own, so it does not move '%s'; limber retarget %s "
                 "--to %s makes that follow it",
                 path, model_name, path, model_name);
        return false;
    }
    if (given > 0 || angles_of_source_given()) {
        complain("%s has no effect: '%s' has its own %s",
                 given > 0 ? "--source-fps" : "--source-degrees", path,
                 given > 0 ? "times" : "unit of angles");
        return false;
    }
    return leave_rest(out);
}

/* frames a second of poses without times */
#define POSES_RATE 30

bool motion_read(const char *path, const char *option, const char *model_name, double given,
                 double known, bool limited, motion *out)
{
    table_rate rate = {given, known, POSES_RATE};
    *out = (motion){.name = is_table(path) ? model_name : path};
    if (!is_table(path))
        return read_capture(path, model_name, given, limited, out);
    if (model_name == NULL) {
        complain("'%s' is a table; %s MODEL names what it moves", path, option);
        return false;
    }
    if (!select_figure(model_name, true, &out->from) || !make_moving(out) ||
        (limited && !motion_limit(out)) || !clip_file_read(path, out->model, &rate, &out->own))
        return false;
    out->clip = out->own;
    return true;
}

bool motion_uses_options(const motion *m)
{
    return m->from.bvh != NULL || m->from.gltf != NULL ||
           option_none_given(capture_options, "with a model that is no file of motion");
}

bool motion_open_target(const char *name, motion *out)
{
    *out = (motion){.name = name};
    return select_figure(name, false, &out->from) && make_moving(out) && motion_limit(out);
}

void motion_release(motion *m)
{
    lb_clip_release(m->own);
    free(m->accelerations);
    lb_model_release(m->view);
    lb_model_release(m->moving);
    capture_release(&m->from);
}

/* ---- writing ------------------------------------------------------------ */

char *motion_name(const char *path, const motion *m)
{
    const capture *from = &m->from;
    const char *own =
        from->gltf != NULL ? lb_gltf_animation_name(from->gltf, from->animation) : NULL;
    bool is_named = own != NULL && *own != '\0';
    const char *text = is_named ? own : file_name(path), *dot = strrchr(text, '.');
    size_t length = is_named || dot == NULL || dot == text ? strlen(text) : (size_t)(dot - text);
    char *name = allocate_or_exit(length + 1, 1);
    memcpy(name, text, length);
    return name;
}

bool motion_write(const char *path, int table, const motion *target, const lb_clip *clip,
                  const char *name)
{
    clip_file file = {&target->from, target->model, clip, table, name};
    clip_file_writer *write = clip_file_find("--output", path, NULL);
    return write != NULL && clip_file_write(path, write, &file);
}
