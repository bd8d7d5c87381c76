/*
 * robot_npz.c - robot motion as NumPy's .npz.
 *
 * Source: what whole-body tracking in simulators reads (BeyondMimic's motion files). Reading keeps
 * the arrays that count, one after the other as the archive has them, and makes the clip at the
 * end.
 */
#include <limber/formats/robot_npz.h>

#include "base/error.h"
#include "base/memory.h"
#include "formats/mapping/mapping.h"
#include "formats/motion/robot.h"

#include <limits.h>
#include <string.h>

const char *const robot_npz_arrays[ROBOT_NPZ_ARRAYS] = {
    "fps",         "joint_pos",      "joint_vel",      "body_pos_w",
    "body_quat_w", "body_lin_vel_w", "body_ang_vel_w", "joint_names",
    "body_names"};

/* ---- reading ------------------------------------------------------------ */

/* velocities follow from places */
static const char *const kept[ROBOT_NPZ_ARRAYS] = {
    [FPS] = "fps",
    [JOINT_POS] = "joint_pos",
    [BODY_POS] = "body_pos_w",
    [BODY_QUAT] = "body_quat_w",
    [JOINT_NAMES] = "joint_names",
    [BODY_NAMES] = "body_names",
};

static lb_status refuse(const robot_frames *r, int array, const char *message)
{
    return arrays_refuse(&r->set, array, LB_BAD_VALUE, message, r->error);
}

/* Keeps the arrays of what `from` is. */
typedef lb_status keep_source(robot_frames *r, const void *from);

/* Bytes of an archive. */
typedef struct npz_archive {
    const void *bytes;
    size_t size;
} npz_archive;

static lb_status keep_archive(robot_frames *r, const void *from)
{
    const npz_archive *archive = from;
    return arrays_unzip(&r->set, archive->bytes, archive->size, r->error);
}

/* Files that are taken out already. */
typedef struct npz_files {
    const lb_robot_npz_file *list;
    int count;
} npz_files;

static lb_status keep_files(robot_frames *r, const void *from)
{
    const npz_files *files = from;
    for (int i = 0; i < files->count; i++) {
        const lb_robot_npz_file *file = &files->list[i];
        TRY(arrays_keep_file(&r->set, file->name, file->bytes, file->size, r->error));
    }
    return LB_OK;
}

/* a row for each frame, of this shape; `bodies` is 0 where the second number counts joints */
static lb_status check_shape(const robot_frames *r, int which, int64_t second, int64_t third)
{
    const npy_array *array = &r->set.arrays[which];
    TRY(arrays_check(&r->set, which, true, r->error));
    if (array->dimensions != (third > 0 ? 3 : 2) || array->shape[0] != r->frames ||
        (second > 0 && array->shape[1] != second) || (third > 0 && array->shape[2] != third))
        return REFUSE_VALUE(
            r->error, "%s: its shape is (%lld, %lld, %lld), where %d frames%s are wanted",
            robot_npz_arrays[which], (long long)array->shape[0], (long long)array->shape[1],
            (long long)array->shape[2], r->frames, third > 0 ? " of bodies" : "");
    return LB_OK;
}

static lb_status check_arrays(robot_frames *r)
{
    TRY(arrays_rate(&r->set, FPS, &r->rate, r->error));
    TRY(arrays_check(&r->set, JOINT_POS, true, r->error));
    const npy_array *places = &r->set.arrays[JOINT_POS];
    if (places->dimensions != 2 || places->shape[0] < 1 || places->shape[0] > INT_MAX ||
        places->shape[1] != r->joints)
        return REFUSE_VALUE(r->error,
                            "joint_pos: its shape is (%lld, %lld), where the model has %d joints",
                            (long long)places->shape[0], (long long)places->shape[1], r->joints);
    r->frames = (int)places->shape[0];
    TRY(check_shape(r, BODY_POS, 0, 3));
    return check_shape(r, BODY_QUAT, r->set.arrays[BODY_POS].shape[1], 4);
}

/* which column each joint has, by the names */
static lb_status order_joints(robot_frames *r)
{
    const npy_array *names = &r->set.arrays[JOINT_NAMES];
    int count = lb_model_joint_count(r->model);
    lb_status status = arrays_check(&r->set, JOINT_NAMES, false, r->error);
    if (status == LB_OK && names->count != (size_t)r->joints)
        return refuse(r, JOINT_NAMES, "it has another number than joint_pos");
    for (int j = 0; j < count; j++)
        r->columns[j] = -1;
    for (int c = 0; c < r->joints && status == LB_OK; c++) {
        char name[256];
        npy_text(names, (size_t)c, name, sizeof name);
        int joint = lb_model_find_joint(r->model, name);
        if (joint < 0 || !robot_joints_has(r->model, r->root, joint))
            return robot_joints_refuse(r->model, r->root, 0, "joint_names: ", name, r->error);
        if (r->columns[joint] >= 0)
            return REFUSE_VALUE(r->error, "joint_names: '%.80s' is there twice", name);
        r->columns[joint] = c;
    }
    return status;
}

/* the root among the bodies: by its name, else the first one */
static lb_status find_root_body(robot_frames *r)
{
    const char *wanted = lb_model_joint(r->model, r->root)->child;
    const npy_array *names = &r->set.arrays[BODY_NAMES];
    r->body = 0;
    if (!arrays_has(&r->set, BODY_NAMES))
        return r->set.arrays[BODY_POS].shape[1] > 0 ? LB_OK
                                                    : refuse(r, BODY_POS, "it has no bodies");
    TRY(arrays_check(&r->set, BODY_NAMES, false, r->error));
    if ((int64_t)names->count != r->set.arrays[BODY_POS].shape[1])
        return refuse(r, BODY_NAMES, "it has another number than body_pos_w");
    for (size_t b = 0; b < names->count; b++) {
        char name[256];
        npy_text(names, b, name, sizeof name);
        if (strcmp(name, wanted) == 0) {
            r->body = b;
            return LB_OK;
        }
    }
    return lb_error_set(r->error, LB_NOT_FOUND, 0,
                        "body_names: the robot's root '%.80s' is not among them", wanted);
}

static lb_status make_clip(robot_frames *r, load_warnings *warnings, const lb_allocator *allocator,
                           lb_clip **clip)
{
    TRY(check_arrays(r));
    if (arrays_has(&r->set, JOINT_NAMES)) {
        TRY(order_joints(r));
    } else {
        // the model's own order, which may be another than the file's
        r->columns = NULL;
        warnings_add(warnings, 0,
                     "there are no joint_names in it; columns are taken in the model's order, "
                     "depth first");
    }
    TRY(find_root_body(r));
    TRY(warnings_refuse_strict(warnings, r->error));
    return robot_frames_clip(r, allocator, clip);
}

static lb_status read_source(const char *name, keep_source *keep, const void *from,
                             const lb_model *model, const lb_load_options *options, lb_clip **clip,
                             lb_error *error)
{
    lb_load_options given = options == NULL ? lb_load_options_default() : *options;
    load_warnings warnings = {.options = &given, .path = name};
    MEMORY_POOL(memory, given.allocator);
    robot_frames r = {.model = model,
                      .set = {.names = kept, .count = ROBOT_NPZ_ARRAYS, .memory = memory},
                      .place = BODY_POS,
                      .turn = BODY_QUAT,
                      .values = JOINT_POS,
                      .error = error};
    TRY(robot_joints_check(model, &r.root, &r.joints, error));
    r.columns = memory_take(&memory, (size_t)lb_model_joint_count(model), sizeof *r.columns);
    TRY(require_memory(error, r.columns));
    TRY(keep(&r, from));
    return make_clip(&r, &warnings, given.allocator, clip);
}

lb_status lb_robot_npz_load_memory(const char *name, const void *bytes, size_t size,
                                   const lb_model *model, const lb_load_options *options,
                                   lb_clip **clip, lb_error *error)
{
    const npz_archive archive = {bytes, size};
    error_begin(error, name);
    TRY(REQUIRE_TO_MAKE(clip, error, {name, "name"}, {bytes, "bytes"}, {model, "model"}));
    return read_source(name, keep_archive, &archive, model, options, clip, error);
}

lb_status lb_robot_npz_load_files(const char *name, const lb_robot_npz_file *files, int count,
                                  const lb_model *model, const lb_load_options *options,
                                  lb_clip **clip, lb_error *error)
{
    const npz_files given = {files, count};
    error_begin(error, name);
    TRY(REQUIRE_TO_MAKE(clip, error, {name, "name"}, {files, "files"}, {model, "model"}));
    return read_source(name, keep_files, &given, model, options, clip, error);
}
