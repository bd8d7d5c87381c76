/*
 * write.c - a BVH file from an lb_bvh, with its own poses or those of a clip.
 *
 * A piece is collected in a block of some kilobytes and handed to the sink when that is full, so
 * that the length of a motion does not matter.
 */
#include "formats/block.h"
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "motion/clip.h"

#include <string.h>

typedef struct writing {
    const lb_bvh *bvh;
    const lb_clip *clip; /* NULL: the file's own poses */
    lb_error *error;
    double *row, *own; /* channels: of this frame and those before; nq: a pose of the file */
    int *places;       /* of each joint in the clip's configuration */
    int first;         /* the frame of the file that the clip begins with */
    text_block out;
} writing;

/* ---- text --------------------------------------------------------------- */

static void put(writing *w, const char *text)
{
    block_put(&w->out, text, strlen(text));
}

static void put_number(writing *w, double number)
{
    char text[NUMBER_TEXT_SIZE];
    put(w, number_write_shortest(number, text));
}

static void put_whole(writing *w, int number)
{
    char text[16];
    text_format(text, sizeof text, "%d", number);
    put(w, text);
}

/* deeper than figures are, the indentation stays: a long chain is not written in its square */
enum { MOST_INDENT = 64 };

static void put_indent(writing *w, int depth)
{
    for (int i = 0; i < depth && i < MOST_INDENT; i++)
        put(w, "\t");
}

/* ---- the hierarchy ------------------------------------------------------ */

static void put_joint(writing *w, const bvh_joint *joint)
{
    put_indent(w, joint->depth);
    put(w, joint->is_end ? "End Site" : joint->parent < 0 ? "ROOT " : "JOINT ");
    put(w, joint->is_end ? "" : joint->name);
    put(w, "\n");
    put_indent(w, joint->depth);
    put(w, "{\n");
    put_indent(w, joint->depth + 1);
    put(w, "OFFSET ");
    put_number(w, joint->offset.x);
    put(w, " ");
    put_number(w, joint->offset.y);
    put(w, " ");
    put_number(w, joint->offset.z);
    put(w, "\n");
    if (joint->is_end)
        return;
    put_indent(w, joint->depth + 1);
    put(w, "CHANNELS ");
    put_whole(w, joint->channels);
    for (int i = 0; i < joint->channels; i++) {
        put(w, " ");
        put(w, lb_bvh_channel_text((lb_bvh_channel)w->bvh->kinds[joint->channel + i]));
    }
    put(w, "\n");
}

/* closes all joints that are at least so deep */
static void put_braces(writing *w, int from, int to)
{
    for (int depth = from; depth >= to; depth--) {
        put_indent(w, depth);
        put(w, "}\n");
    }
}

static void put_hierarchy(writing *w)
{
    const lb_bvh *bvh = w->bvh;
    put(w, "HIERARCHY\n");
    for (int i = 0; i < bvh->joint_count; i++) {
        const bvh_joint *joint = &bvh->joints[i];
        if (i > 0)
            put_braces(w, joint[-1].depth, joint->depth);
        put_joint(w, joint);
    }
    put_braces(w, bvh->joints[bvh->joint_count - 1].depth, 0);
}

/* ---- the motion --------------------------------------------------------- */

/* values that differ by at most this are those of the file: see lb_bvh_write */
#define SAME 1e-9

/* whether `count` values are the same, of a quaternion or its negative */
static bool is_same(const double *a, const double *b, int count, double sign)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(a[i] - sign * b[i]) <= SAME))
            return false;
    return true;
}

/* whether a joint of the clip has the values that the file's row gives, which are at own[q] */
static bool is_unedited(const bvh_joint *joint, const double *values, const double *own)
{
    int turned = joint->kind == LB_JOINT_FLOATING ? 3 : 0;
    int count = lb_joint_kind_nq(joint->kind);
    const double *mine = own + joint->q;
    if (joint->kind != LB_JOINT_FLOATING && joint->kind != LB_JOINT_BALL)
        return is_same(values, mine, count, 1);
    return is_same(values, mine, turned, 1) && (is_same(values + turned, mine + turned, 4, 1) ||
                                                is_same(values + turned, mine + turned, 4, -1));
}

/* the joint's channels of a frame as the file's row has them; false: it has others, or is none */
static bool keep_joint(writing *w, const bvh_joint *joint, int frame, const double *values)
{
    const double *row = lb_bvh_row(w->bvh, frame);
    if (row == NULL)
        return false;
    bvh_pose(w->bvh, joint, row, w->own);
    if (!is_unedited(joint, values, w->own))
        return false;
    memcpy(&w->row[joint->channel], &row[joint->channel], (size_t)joint->channels * sizeof *row);
    return true;
}

/* the joint's channels of a frame, in w->row */
static bool set_joint(writing *w, const bvh_joint *joint, int frame, const double *q)
{
    const double *values = &q[w->places[joint - w->bvh->joints]];
    if (keep_joint(w, joint, w->first + frame, values))
        return true;
    bvh_joint moved = *joint;
    moved.q = 0;
    return bvh_channels(w->bvh, &moved, values, w->row);
}

/* whether a frame of the file has all the values of a key */
static bool is_frame(writing *w, int frame, const double *q)
{
    bool same = true;
    for (int i = 0; i < w->bvh->joint_count && same; i++)
        same =
            w->bvh->joints[i].q < 0 || keep_joint(w, &w->bvh->joints[i], frame, &q[w->places[i]]);
    return same;
}

/* the frame of the file that a clip begins with: where it has fewer, some may have been cut off */
static int first_frame(writing *w)
{
    const double *q = lb_clip_key(w->clip, 0);
    int cut = w->bvh->frames - lb_clip_count(w->clip);
    return cut > 0 && !is_frame(w, 0, q) && is_frame(w, cut, q) ? cut : 0;
}

static lb_status set_row(writing *w, int frame)
{
    const lb_bvh *bvh = w->bvh;
    if (w->clip == NULL) {
        memcpy(w->row, lb_bvh_row(bvh, frame), (size_t)bvh->channels * sizeof *w->row);
        return LB_OK;
    }
    const double *q = lb_clip_key(w->clip, frame);
    for (int i = 0; i < bvh->joint_count; i++)
        if (bvh->joints[i].q >= 0 && !set_joint(w, &bvh->joints[i], frame, q))
            return REFUSE_VALUE(w->error,
                                "frame %d: the channels of joint '%.100s' cannot express its pose; "
                                "give it three rotations about different axes",
                                frame, bvh->joints[i].name);
    return LB_OK;
}

static double frame_time(const writing *w)
{
    int count = w->clip == NULL ? 1 : lb_clip_count(w->clip);
    if (count < 2)
        return w->bvh->frame_time;
    double mean = (lb_clip_end(w->clip) - lb_clip_begin(w->clip)) / (count - 1);
    // an unedited time keeps its digits
    return fabs(mean - w->bvh->frame_time) <= SAME * mean ? w->bvh->frame_time : mean;
}

static lb_status put_motion(writing *w)
{
    int frames = w->clip == NULL ? w->bvh->frames : lb_clip_count(w->clip);
    put(w, "MOTION\nFrames: ");
    put_whole(w, frames);
    put(w, "\nFrame Time: ");
    put_number(w, frame_time(w));
    put(w, "\n");
    for (int frame = 0; frame < frames && !w->out.failed; frame++) {
        TRY(set_row(w, frame));
        for (int i = 0; i < w->bvh->channels; i++) {
            put(w, i > 0 ? " " : "");
            put_number(w, w->row[i]);
        }
        put(w, "\n");
    }
    return LB_OK;
}

/* ---- all ---------------------------------------------------------------- */

/* the places of the joints in the clip's configuration */
static lb_status find_places(const writing *w)
{
    const lb_model *model = lb_clip_model(w->clip);
    for (int i = 0; i < w->bvh->joint_count; i++) {
        const bvh_joint *joint = &w->bvh->joints[i];
        if (joint->q < 0)
            continue;
        int found = lb_model_find_joint(model, joint->unique);
        if (found < 0 || lb_model_joint(model, found)->kind != joint->kind)
            return REFUSE_MODEL(w->error,
                                "the clip's model has no %s joint '%.100s' as the file has",
                                lb_joint_kind_text(joint->kind), joint->unique);
        w->places[i] = lb_model_joint_q(model, found);
    }
    if (lb_clip_count(w->clip) > 1 && lb_clip_rate(w->clip, CLIP_EVEN) == 0)
        return REFUSE_VALUE(w->error, "the clip's keys are not evenly spaced; resample it");
    return LB_OK;
}

static lb_status write_all(writing *w)
{
    TRY(w->clip == NULL ? LB_OK : find_places(w));
    w->first = w->clip == NULL ? 0 : first_frame(w);
    put_hierarchy(w);
    TRY(put_motion(w));
    block_flush(&w->out);
    if (w->out.failed)
        return lb_error_set(w->error, LB_FILE_ERROR, 0, "the file cannot be written");
    return LB_OK;
}

lb_status lb_bvh_write(const lb_bvh *bvh, const lb_clip *clip, lb_sink *sink, void *user,
                       const lb_allocator *allocator, lb_error *error)
{
    TRY(REQUIRE(error, {bvh, "bvh"}, {sink == NULL ? NULL : "", "sink"}));
    MEMORY_POOL(memory, allocator);
    writing *w = memory_take(&memory, 1, sizeof *w);
    double *row = memory_take(&memory, (size_t)bvh->channels, sizeof *row);
    double *own = memory_take(&memory, (size_t)lb_model_nq(bvh->model), sizeof *own);
    int *places = memory_take(&memory, (size_t)bvh->joint_count, sizeof *places);
    TRY(require_memory(error, w && row && own && places));
    *w = (writing){bvh, clip, error, row, own, places, 0, {.sink = sink, .user = user}};
    return write_all(w);
}
