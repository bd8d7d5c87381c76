/*
 * write.c - motion into files of any kind, each of which is one row of the table `writers`.
 */
#include <limber/formats/motion.h>

#include "base/error.h"
#include "base/memory.h"
#include "formats/motion/poses.h"
#include "formats/motion/robot.h"
#include "motion/clip.h"

#include <limber/formats/clip_json.h>
#include <limber/formats/robot_csv.h>

#include <string.h>

/* What is written, and where to. */
typedef struct writing {
    const lb_motion *of; /* NULL: none */
    const lb_clip *clip; /* NULL: there is no motion */
    const lb_motion_write_options *how;
    lb_sink *sink;
    void *user;
    lb_error *error;
} writing;

/* hands over all of a file that was made in memory; `bytes` are released */
static lb_status put_whole(const writing *w, lb_status status, void *bytes, size_t size)
{
    lb_allocator memory = memory_allocator(w->how->allocator);
    if (status == LB_OK && !w->sink(w->user, bytes, size))
        status = lb_error_set(w->error, LB_FILE_ERROR, 0, "the file cannot be written");
    memory_release(&memory, bytes);
    return status;
}

static lb_status check_even(const writing *w)
{
    if (lb_clip_count(w->clip) > 1 && lb_clip_rate(w->clip, CLIP_EVEN) == 0)
        return REFUSE_VALUE(w->error,
                            "the keys are not evenly spaced; --fps N resamples the motion "
                            "(lb_clip_resample)");
    return LB_OK;
}

/* the motion at keys that are evenly spaced, as some kinds want them; *own is to be released */
static lb_status make_even(const writing *w, lb_clip **own)
{
    *own = NULL;
    TRY(check_even(w));
    if (lb_clip_interpolation(w->clip) != LB_INTERPOLATION_LINEAR)
        return lb_clip_even(w->clip, CLIP_EVEN, w->how->allocator, own, w->error);
    // between keys that are near even times straight lines are the same at either
    *own = clip_evened(w->clip);
    return *own != NULL ? LB_OK : error_out_of_memory(w->error);
}

/* of a figure that is from no BVH file, one made of its motion */
static lb_status write_made_bvh(const writing *w)
{
    lb_bvh_options options = {.load.allocator = w->how->allocator};
    lb_bvh *made = NULL;
    lb_clip *even;
    lb_status status = make_even(w, &even);
    if (status == LB_OK)
        status = lb_bvh_make(even, &options, &made, w->error);
    if (status == LB_OK)
        status = lb_bvh_write(made, NULL, w->sink, w->user, w->how->allocator, w->error);
    lb_bvh_release(made);
    lb_clip_release(even);
    return status;
}

static lb_status write_bvh(const writing *w)
{
    if (w->of == NULL || w->of->bvh == NULL)
        return write_made_bvh(w);
    TRY(w->clip != NULL ? check_even(w) : LB_OK);
    return lb_bvh_write(w->of->bvh, w->clip, w->sink, w->user, w->how->allocator, w->error);
}

/* the figure with its animations, and with a clip that is not one of them as one more */
static lb_status write_gltf(const writing *w)
{
    const lb_gltf *gltf = w->of != NULL ? w->of->gltf : NULL;
    lb_gltf_write_options options = {.binary = w->how->kind == LB_MOTION_GLB,
                                     .allocator = w->how->allocator};
    if (gltf == NULL)
        return REFUSE_UNSUPPORTED(w->error,
                                  "only a glTF has the nodes and meshes that a glTF needs; limber "
                                  "retarget --to FIGURE.glb moves one");
    const char *own = lb_gltf_animation_name(gltf, w->of->animation);
    lb_gltf_animation animation = {own != NULL && *own != '\0' ? own : "motion", w->clip};
    if (w->how->name != NULL)
        animation.name = w->how->name;
    int count = w->clip != w->of->clip || w->how->name != NULL;
    return lb_gltf_write(gltf, &animation, count, &options, w->sink, w->user, w->error);
}

static lb_status write_json(const writing *w)
{
    char *text = NULL;
    lb_status status = lb_clip_json_write(w->clip, w->how->allocator, &text, w->error);
    return put_whole(w, status, text, status == LB_OK ? strlen(text) : 0);
}

static lb_status write_npz(const writing *w)
{
    void *bytes = NULL;
    size_t size = 0;
    lb_status status =
        lb_robot_npz_write(w->clip, w->how->order, w->how->allocator, &bytes, &size, w->error);
    return put_whole(w, status, bytes, size);
}

static lb_status write_pkl(const writing *w)
{
    return robot_pkl_write(w->clip, w->how->allocator, w->sink, w->user, w->error);
}

/* no file has what a capture's figure is, and not its joints */
static lb_status write_smpl(const writing *w)
{
    return REFUSE_UNSUPPORTED(w->error, "archives of SMPL are read, not written; write a BVH");
}

static lb_status write_robot_table(const writing *w)
{
    lb_robot_csv kind = w->how->kind == LB_MOTION_BONES ? LB_ROBOT_CSV_BONES : LB_ROBOT_CSV_LAFAN1;
    return lb_robot_csv_write(w->clip, kind, w->sink, w->user, w->error);
}

static lb_status write_poses(const writing *w)
{
    return pose_table_write(w->clip, w->how->degrees ? LB_PI / 180 : 1, w->how->allocator, w->sink,
                            w->user, w->error);
}

/* How a kind is written; its frames may have to be evenly spaced, as a robot's are. */
typedef struct kind_writer {
    lb_status (*write)(const writing *w);
    bool even;
} kind_writer;

static const kind_writer writers[LB_MOTION_COUNT] = {
    [LB_MOTION_BVH] = {write_bvh, false},          [LB_MOTION_GLTF] = {write_gltf, false},
    [LB_MOTION_GLB] = {write_gltf, false},         [LB_MOTION_JSON] = {write_json, false},
    [LB_MOTION_SMPL] = {write_smpl, false},        [LB_MOTION_PKL] = {write_pkl, true},
    [LB_MOTION_NPZ] = {write_npz, true},           [LB_MOTION_LAFAN1] = {write_robot_table, true},
    [LB_MOTION_BONES] = {write_robot_table, true}, [LB_MOTION_POSES] = {write_poses, false}};

/* whether a file of the kind can be written of a figure that does not move */
static bool can_rest(const writing *w)
{
    lb_motion_kind kind = w->how->kind;
    bool gltf = kind == LB_MOTION_GLTF || kind == LB_MOTION_GLB;
    return gltf || (kind == LB_MOTION_BVH && w->of != NULL && w->of->bvh != NULL);
}

lb_status lb_motion_write(const lb_motion *of, const lb_clip *clip,
                          const lb_motion_write_options *options, lb_sink *sink, void *user,
                          lb_error *error)
{
    TRY(REQUIRE(error, {options, "options"}, {sink == NULL ? NULL : "", "sink"}));
    writing w = {of, clip != NULL || of == NULL ? clip : of->as_read, options, sink, user, error};
    if (options->kind <= LB_MOTION_UNKNOWN || options->kind >= LB_MOTION_COUNT)
        return REFUSE_ARGUMENT(error, "no kind of file is given");
    if (options->order != NULL && options->kind != LB_MOTION_NPZ)
        return REFUSE_UNSUPPORTED(error, "order: an .npz has its joints in any order, %s has not",
                                  lb_motion_kind_text(options->kind));
    if (w.clip == NULL && !can_rest(&w))
        return REFUSE_UNSUPPORTED(error, "there is no motion to write; --keys FILE gives one");
    const kind_writer *writer = &writers[options->kind];
    lb_clip *even = NULL;
    lb_status status = LB_OK;
    if (writer->even) {
        status = make_even(&w, &even);
        w.clip = even;
    }
    if (status == LB_OK)
        status = writer->write(&w);
    lb_clip_release(even);
    return status;
}
