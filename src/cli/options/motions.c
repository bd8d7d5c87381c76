/*
 * motions.c - motion from files and into them.
 */
#include "cli/options/motions.h"

#include "cli/options/arguments.h"
#include "cli/options/poses.h"
#include "cli/options/select.h"
#include "cli/output/joint_values.h"
#include "cli/output/report.h"
#include "formats/file.h"

#include <limber/formats/robot_csv.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static bool make_moving(motion *m)
{
    lb_error error = {0};
    m->model = m->from.model;
    if (root_moves(m->model))
        return true;
    if (lb_model_with_root(m->model, LB_JOINT_FLOATING, NULL, &m->moving, &error) != LB_OK) {
        complain_error(&error);
        return false;
    }
    m->model = m->moving;
    return true;
}

/* rows under a header of value names */
static bool read_poses(const char *path, double rate, motion *m)
{
    pose_list keys = {0};
    if (!poses_from_file(m->model, path, &keys))
        return false;
    double *times = allocate_or_exit((size_t)keys.count + 1, sizeof *times);
    for (int i = 0; i < keys.count; i++)
        times[i] = keys.times != NULL && rate == 0 ? keys.times[i] : i / (rate > 0 ? rate : 30);
    lb_error error = {0};
    bool fine = complain_unless(lb_clip_create(m->model, times, keys.q, keys.count,
                                               LB_INTERPOLATION_LINEAR, NULL, &m->own, &error),
                                &error);
    free(times);
    poses_release(&keys);
    return fine;
}

static bool read_table(const char *path, double rate, motion *m)
{
    char *text = NULL;
    size_t size = 0;
    lb_error error = {0};
    lb_robot_csv_options options = {.rate = rate};
    if (!complain_unless(file_read(path, NULL, &text, &size, &error), &error))
        return false;
    bool robot = lb_robot_csv_recognise(text, size) != LB_ROBOT_CSV_RECOGNISE;
    bool fine = !robot || complain_unless(lb_robot_csv_load_memory(path, text, size, m->model,
                                                                   &options, &m->own, &error),
                                          &error);
    free(text);
    return robot ? fine : read_poses(path, rate, m);
}

/* a capture whose first frame is a rest pose begins with the next one */
static bool leave_rest(motion *m)
{
    lb_error error = {0};
    const lb_clip *all = m->from.clip;
    m->model = m->from.model;
    m->clip = all;
    if (all == NULL) {
        complain("the capture has no frames");
        return false;
    }
    if (m->from.bvh == NULL || !lb_bvh_describe(m->from.bvh).rest_frame || lb_clip_count(all) < 3)
        return true;
    m->rest = lb_clip_key(all, 0);
    if (!complain_unless(
            lb_clip_slice(all, lb_clip_times(all)[1], lb_clip_end(all), NULL, &m->own, &error),
            &error))
        return false;
    m->clip = m->own;
    return true;
}

/* a capture's skeleton, or a model; --unit, --up and --clip are the captures' alone */
static bool open_model(const char *name, motion *m)
{
    static const char *const endings[] = {".bvh", ".gltf", ".glb", ".vrm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (has_ending(name, endings[i]))
            return select_capture(name, &m->from);
    m->from.model = m->from.own_model = select_model(name);
    return m->from.model != NULL;
}

bool motion_read(const char *path, const char *option, const char *model_name, double rate,
                 motion *out)
{
    *out = (motion){.rest = NULL};
    if (!has_ending(path, ".csv")) {
        if (!select_capture(path, &out->from))
            return false;
        if (out->from.clip != NULL || out->from.bvh != NULL || out->from.gltf != NULL)
            return leave_rest(out);
        complain("'%s' has no motion; a .bvh, .glb, .gltf or .csv has", path);
        return false;
    }
    if (model_name == NULL) {
        complain("'%s' is a table; %s MODEL names what it moves", path, option);
        return false;
    }
    if (!open_model(model_name, out) || !make_moving(out) || !read_table(path, rate, out))
        return false;
    out->clip = out->own;
    return true;
}

bool motion_open_target(const char *name, motion *out)
{
    *out = (motion){.rest = NULL};
    return open_model(name, out) && make_moving(out);
}

void motion_release(motion *m)
{
    lb_clip_release(m->own);
    lb_model_release(m->moving);
    capture_release(&m->from);
}

/* ---- writing ------------------------------------------------------------ */

static bool write_piece(void *user, const char *text, size_t size)
{
    return fwrite(text, 1, size, user) == size;
}

static void write_values(const lb_clip *clip, FILE *stream)
{
    joint_values values = joint_values_of(lb_clip_model(clip));
    row fields = row_start(stream);
    row_text(&fields, "time");
    joint_values_names(&values, &fields);
    row_end(&fields);
    for (int i = 0; i < lb_clip_count(clip); i++) {
        row_number(&fields, lb_clip_times(clip)[i]);
        joint_values_row(&values, lb_clip_key(clip, i), &fields);
        row_end(&fields);
    }
    joint_values_release(&values);
}

/* whether a robot's table can hold a model: its root floats, all else has one value */
static bool fits_robot(const lb_model *model)
{
    int floating = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        lb_joint_kind kind = lb_model_joint(model, j)->kind;
        floating += kind == LB_JOINT_FLOATING;
        if (kind != LB_JOINT_FLOATING && lb_joint_kind_nq(kind) > 1)
            return false;
    }
    return floating == 1;
}

static bool choose_kind(const char *given, const lb_model *model, lb_robot_csv *kind)
{
    static const char *const names[] = {"limber", "lafan1", "bones"};
    int which = fits_robot(model) ? 1 : 0;
    if (given != NULL && !argument_choice("--as", given, names, 3, &which))
        return false;
    *kind = (lb_robot_csv)which;
    return true;
}

static lb_status write_stream(const motion *target, const lb_clip *clip, bool bvh,
                              lb_robot_csv kind, FILE *stream, lb_error *error)
{
    if (bvh)
        return lb_bvh_write(target->from.bvh, clip, write_piece, stream, NULL, error);
    if (kind != LB_ROBOT_CSV_RECOGNISE)
        return lb_robot_csv_write(clip, kind, write_piece, stream, error);
    write_values(clip, stream);
    return LB_OK;
}

bool motion_write(const char *path, const char *kind_given, const motion *target,
                  const lb_clip *clip)
{
    static const char *const endings[] = {".csv", ".bvh"};
    int ending = 0;
    lb_robot_csv kind = LB_ROBOT_CSV_RECOGNISE;
    if (!argument_ending("--output", path, endings, 2, &ending) ||
        !choose_kind(kind_given, target->model, &kind))
        return false;
    if (ending == 1 && target->from.bvh == NULL) {
        complain("--output %s: only a target that is a BVH file has the channels of one; "
                 "write a .csv",
                 path);
        return false;
    }
    file_writer writer = {0};
    lb_error error = {0};
    lb_status status = file_begin(&writer, path, &error);
    if (status == LB_OK)
        status = write_stream(target, clip, ending == 1, kind, writer.stream, &error);
    if (status == LB_OK)
        status = file_commit(&writer, &error);
    file_discard(&writer);
    return complain_unless(status, &error);
}
