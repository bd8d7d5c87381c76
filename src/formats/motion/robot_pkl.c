/*
 * robot_pkl.c - robot motion as the pickles of GMR.
 *
 * They are written in protocol 4, without frames and without a memo: every array is the call of
 * NumPy's _reconstruct and its state, which any version of NumPy reads.
 */
#include "formats/motion/robot.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "formats/block.h"
#include "motion/clip.h"

#include <limber/kinematics.h>

#include <limits.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------ */

enum { RATE, ROOT_POS, ROOT_ROT, DOF_POS, ARRAYS };

static const char *const names[ARRAYS] = {"fps", "root_pos", "root_rot", "dof_pos"};

lb_status robot_pkl_read(const void *bytes, size_t size, const lb_model *model,
                         const lb_allocator *allocator, lb_clip **clip, lb_error *error)
{
    MEMORY_POOL(memory, allocator);
    robot_frames r = {.model = model,
                      .set = {.names = names, .count = ARRAYS, .memory = memory},
                      .place = ROOT_POS,
                      .turn = ROOT_ROT,
                      .values = DOF_POS,
                      .scalar_last = true,
                      .error = error};
    TRY(robot_joints_check(model, &r.root, &r.joints, error));
    const size_t columns[ARRAYS] = {[ROOT_POS] = 3, [ROOT_ROT] = 4, [DOF_POS] = (size_t)r.joints};
    TRY(pickle_read(bytes, size, &r.set, error));
    TRY(arrays_rate(&r.set, RATE, &r.rate, error));
    for (int i = ROOT_POS; i <= DOF_POS; i++)
        TRY(arrays_check_frames(&r.set, i, 2, columns[i], columns[i], &r.frames, error));
    return robot_frames_clip(&r, allocator, clip);
}

/* ---- writing ------------------------------------------------------------ */

typedef struct writing {
    const lb_clip *clip;
    const lb_model *model;
    int root, joints, bodies; /* bodies: links from the root's on */
    lb_state *state;
    text_block block;
} writing;

static void put(writing *w, const char *text)
{
    block_put(&w->block, text, strlen(text));
}

/* a number of so many bytes, the lowest first */
static void put_whole(writing *w, uint64_t whole, size_t size)
{
    char bytes[sizeof whole];
    bytes_put(bytes, whole, size);
    block_put(&w->block, bytes, size);
}

static void put_real(writing *w, double number)
{
    put_whole(w, bytes_of_double(number), sizeof number);
}

static void put_text(writing *w, const char *text)
{
    put(w, "X");
    put_whole(w, strlen(text), 4);
    put(w, text);
}

/* a whole number of frames as such */
static void put_rate(writing *w, double rate)
{
    double whole = floor(rate + 0.5);
    if (fabs(rate - whole) <= CLIP_ROUNDED * rate && whole < INT_MAX) {
        put(w, "J");
        put_whole(w, (uint64_t)whole, 4);
        return;
    }
    put(w, "G");
    for (int i = 7; i >= 0; i--)
        put_whole(w, bytes_of_double(rate) >> (8 * i), 1);
}

/* what comes before the elements of an array: rows of `columns`, or of `columns` x `depth` */
static void begin_array(writing *w, const char *name, int columns, int depth)
{
    uint64_t rows = (uint64_t)lb_clip_count(w->clip);
    put_text(w, name);
    put(w, "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK");
    put_whole(w, 0, 1);
    put(w, "\x85"
           "C\1b\x87R(K\1J");
    put_whole(w, rows, 4);
    put(w, "J");
    put_whole(w, (uint64_t)columns, 4);
    if (depth > 1) {
        put(w, "J");
        put_whole(w, (uint64_t)depth, 4);
    }
    put(w, depth > 1 ? "\x87" : "\x86");
    put(w, "cnumpy\ndtype\n");
    put_text(w, "f8");
    put(w, "\x89\x88\x87R(K\3");
    put_text(w, "<");
    put(w, "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK");
    put_whole(w, 0, 1);
    put(w, "tb\x89\x8e");
    put_whole(w, 8 * rows * (uint64_t)columns * (uint64_t)depth, 8);
}

/* an array of the root's place in the world, its numbers in some order */
static void put_root(writing *w, int which, const int *order, int count)
{
    begin_array(w, names[which], count, 1);
    for (int i = 0; i < lb_clip_count(w->clip); i++) {
        double place[7];
        robot_joints_place(w->model, w->root, lb_clip_key(w->clip, i), place);
        for (int k = 0; k < count; k++)
            put_real(w, place[order[k]]);
    }
    put(w, "tb");
}

static void put_joints(writing *w)
{
    begin_array(w, names[DOF_POS], w->joints, 1);
    for (int i = 0; i < lb_clip_count(w->clip); i++)
        for (int j = -1; (j = robot_joints_next(w->model, w->root, j)) >= 0;)
            put_real(w, lb_clip_key(w->clip, i)[lb_model_joint_q(w->model, j)]);
    put(w, "tb");
}

/* the links' places in the root's axes, and their names */
static void put_bodies(writing *w)
{
    int link = w->root + 1;
    begin_array(w, "local_body_pos", w->bodies, 3);
    for (int i = 0; i < lb_clip_count(w->clip); i++) {
        lb_state_update(w->state, lb_clip_key(w->clip, i));
        for (int b = 0; b < w->bodies; b++) {
            lb_vec3 p = lb_state_transform(w->state, link, link + b).p;
            put_real(w, p.x), put_real(w, p.y), put_real(w, p.z);
        }
    }
    put(w, "tb");
    put_text(w, "link_body_list");
    put(w, "](");
    for (int b = 0; b < w->bodies; b++)
        put_text(w, lb_model_link(w->model, link + b)->name);
    put(w, "e");
}

lb_status robot_pkl_write(const lb_clip *clip, const lb_allocator *allocator, lb_sink *sink,
                          void *user, lb_error *error)
{
    writing w = {.clip = clip, .model = lb_clip_model(clip), .block = {.sink = sink, .user = user}};
    TRY(robot_joints_check(w.model, &w.root, &w.joints, error));
    double rate = lb_clip_rate(clip, CLIP_EVEN);
    if (!(rate > 1e-9 && rate < 1e9))
        return REFUSE_VALUE(error,
                            "the clip's keys are not evenly spaced: resample it; or there is one "
                            "alone, which has no rate: write it as .csv or .json");
    if (lb_state_create(w.model, allocator, &w.state) != LB_OK)
        return error_out_of_memory(error);
    w.bodies = lb_model_link_count(w.model) - w.root - 1;
    put(&w, "\x80\4}(");
    put_text(&w, names[RATE]);
    put_rate(&w, rate);
    put_root(&w, ROOT_POS, (const int[]){0, 1, 2}, 3);
    put_root(&w, ROOT_ROT, (const int[]){4, 5, 6, 3}, 4);
    put_joints(&w);
    put_bodies(&w);
    put(&w, "u.");
    block_flush(&w.block);
    lb_state_release(w.state);
    return !w.block.failed ? LB_OK
                           : lb_error_set(error, LB_FILE_ERROR, 0, "the file cannot be written");
}
