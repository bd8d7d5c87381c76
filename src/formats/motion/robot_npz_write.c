/*
 * robot_npz_write.c - a clip of a robot as NumPy's .npz: the places and velocities of all bodies.
 *
 * A frame is computed once, all its numbers in the order of the arrays; the arrays are written from
 * these rows one after the other.
 */
#include "formats/motion/robot.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/zip.h"

#include <limber/kinematics.h>

#include <string.h>

/* how far gaps between keys may be from the mean: times of long clips are rounded */
#define EVEN 1e-4

/* A clip that is being written. */
typedef struct writing {
    const lb_clip *clip;
    const lb_model *model;
    int root, joints, bodies;
    int *moved; /* the joints that move, whose links are the bodies */
    const char *order;
    double rate;
    size_t begins[ROBOT_NPZ_ARRAYS + 1]; /* of each array in a row */
    float *rows;                         /* of all frames */
    lb_state *state;
    double *jacobian, *velocity; /* 6 x nv, nv */
    lb_allocator memory;
    char name[32]; /* of the file that is being put together, its bytes and how many there are */
    unsigned char *bytes;
    size_t size;
    lb_robot_npz_sink *sink;
    void *user;
    lb_status status; /* the first failure */
    lb_error *error;
} writing;

/* ---- frames -------------------------------------------------------------- */

static void put_vector(float *out, lb_vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/* in single precision, within the limits that it is within */
static float put_value(const lb_joint *joint, double value)
{
    float rounded = (float)value;
    double low = joint->lower[0], high = joint->upper[0];
    if (value <= high && (double)rounded > high)
        rounded = (float)(high - 0x1p-23 * fabs(high));
    if (value >= low && (double)rounded < low)
        rounded = (float)(low + 0x1p-23 * fabs(low));
    return rounded;
}

static void put_joints(const writing *w, const double *q, float *row)
{
    int c = 0;
    for (int i = 0; i < w->bodies; i++) {
        int j = w->moved[i];
        if (!robot_joints_has(w->model, w->root, j))
            continue;
        row[w->begins[JOINT_POS] + (size_t)c] =
            put_value(lb_model_joint(w->model, j), q[lb_model_joint_q(w->model, j)]);
        row[w->begins[JOINT_VEL] + (size_t)c++] = (float)w->velocity[lb_model_joint_v(w->model, j)];
    }
}

/* a body's place and the velocity of its origin */
static void put_body(const writing *w, int body, float *row)
{
    int nv = lb_model_nv(w->model), link = w->moved[body] + 1;
    lb_transform t = lb_state_transform(w->state, LB_WORLD, link);
    lb_quat r = lb_transform_quat(&t);
    size_t b = (size_t)body;
    double rates[6] = {0};
    lb_state_jacobian(w->state, link, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, w->jacobian);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < nv; k++)
            rates[i] += w->jacobian[i * nv + k] * w->velocity[k];
    put_vector(row + w->begins[BODY_POS] + 3 * b, t.p);
    const float wxyz[] = {(float)r.w, (float)r.x, (float)r.y, (float)r.z};
    memcpy(row + w->begins[BODY_QUAT] + 4 * b, wxyz, sizeof wxyz);
    put_vector(row + w->begins[BODY_LIN_VEL] + 3 * b, lb_vec3_make(rates[0], rates[1], rates[2]));
    put_vector(row + w->begins[BODY_ANG_VEL] + 3 * b, lb_vec3_make(rates[3], rates[4], rates[5]));
}

static void compute_rows(const writing *w)
{
    size_t width = w->begins[ROBOT_NPZ_ARRAYS];
    for (int i = 0; i < lb_clip_count(w->clip); i++) {
        const double *q = lb_clip_key(w->clip, i);
        float *row = w->rows + (size_t)i * width;
        lb_clip_rates(w->clip, lb_clip_times(w->clip)[i], w->velocity, NULL);
        lb_state_update(w->state, q);
        put_joints(w, q, row);
        for (int b = 0; b < w->bodies; b++)
            put_body(w, b, row);
    }
}

/* ---- arrays -------------------------------------------------------------- */

/* begins a file of so many bytes behind its header; false: nothing more is written */
static bool open_array(writing *w, int which, const char *type, const int64_t *shape,
                       int dimensions, size_t size)
{
    if (w->status != LB_OK)
        return false;
    text_format(w->name, sizeof w->name, "%s.npy", robot_npz_arrays[which]);
    w->bytes = memory_take(&w->memory, NPY_HEADER_MOST + size, 1);
    if (w->bytes == NULL)
        w->status = error_out_of_memory(w->error);
    else
        w->size = npy_header(type, false, shape, dimensions, w->bytes);
    return w->bytes != NULL;
}

/* a number of `size` bytes, the lowest first */
static void put_bits(writing *w, uint64_t bits, size_t size)
{
    bytes_put(w->bytes + w->size, bits, size);
    w->size += size;
}

static void close_array(writing *w)
{
    const lb_robot_npz_file file = {w->name, w->bytes, w->size};
    if (!w->sink(w->user, &file))
        w->status = lb_error_set(w->error, LB_FILE_ERROR, 0, "%s was not written", w->name);
    memory_release(&w->memory, w->bytes);
    w->bytes = NULL;
}

/* a whole number of frames a second as such, which training code expects */
static void put_rate(writing *w)
{
    double whole = floor(w->rate + 0.5);
    bool is_whole = fabs(w->rate - whole) <= EVEN * w->rate;
    const int64_t one = 1;
    uint64_t bits = is_whole ? (uint64_t)whole : bytes_of_double(w->rate);
    if (!open_array(w, FPS, is_whole ? "'<i8'" : "'<f8'", &one, 1, sizeof bits))
        return;
    put_bits(w, bits, sizeof bits);
    close_array(w);
}

static void put_array(writing *w, int which, int columns, int components)
{
    int frames = lb_clip_count(w->clip);
    size_t width = w->begins[ROBOT_NPZ_ARRAYS], count = w->begins[which + 1] - w->begins[which];
    const int64_t shape[] = {frames, columns, components};
    if (!open_array(w, which, "'<f4'", shape, components > 1 ? 3 : 2, 4 * (size_t)frames * count))
        return;
    for (int i = 0; i < frames; i++) {
        const float *row = w->rows + (size_t)i * width + w->begins[which];
        for (size_t k = 0; k < count; k++)
            put_bits(w, bytes_of_float(row[k]), sizeof *row);
    }
    close_array(w);
}

/* one name as code points of four bytes; a byte that is no UTF-8 is itself */
static void put_name(writing *w, const char *name, size_t letters)
{
    const unsigned char *at = (const unsigned char *)name;
    for (size_t i = 0; i < letters; i++) {
        uint32_t code = *at;
        int more = *at >= 0xF0 ? 3 : *at >= 0xE0 ? 2 : *at >= 0xC0 ? 1 : 0;
        code = more > 0 ? code & (0x3Fu >> more) : code;
        at += *at != 0;
        for (; more > 0 && (*at & 0xC0) == 0x80; more--)
            code = code << 6 | (*at++ & 0x3F);
        put_bits(w, code, 4);
    }
}

/* the name of the body of that place, or of its joint; NULL: the joint has no column */
static const char *name_at(const writing *w, int which, int i)
{
    if (which == BODY_NAMES)
        return lb_model_link(w->model, w->moved[i] + 1)->name;
    bool has = robot_joints_has(w->model, w->root, w->moved[i]);
    return has ? lb_model_joint(w->model, w->moved[i])->name : NULL;
}

/* names of joints or of bodies, in as many letters as the longest has bytes */
static void put_names(writing *w, int which)
{
    size_t letters = 1;
    char type[24];
    int64_t count = which == JOINT_NAMES ? w->joints : w->bodies;
    for (int i = 0; i < w->bodies; i++) {
        const char *name = name_at(w, which, i);
        letters = name != NULL && strlen(name) > letters ? strlen(name) : letters;
    }
    text_format(type, sizeof type, "'<U%zu'", letters);
    if (!open_array(w, which, type, &count, 1, 4 * letters * (size_t)count))
        return;
    for (int i = 0; i < w->bodies; i++) {
        const char *name = name_at(w, which, i);
        if (name != NULL)
            put_name(w, name, letters);
    }
    close_array(w);
}

static lb_status put_arrays(writing *w)
{
    put_rate(w);
    put_array(w, JOINT_POS, w->joints, 1);
    put_array(w, JOINT_VEL, w->joints, 1);
    put_array(w, BODY_POS, w->bodies, 3);
    put_array(w, BODY_QUAT, w->bodies, 4);
    put_array(w, BODY_LIN_VEL, w->bodies, 3);
    put_array(w, BODY_ANG_VEL, w->bodies, 3);
    put_names(w, JOINT_NAMES);
    put_names(w, BODY_NAMES);
    return w->status;
}

/* ---- all ----------------------------------------------------------------- */

static void lay_out(writing *w)
{
    const int widths[ROBOT_NPZ_ARRAYS] = {
        [JOINT_POS] = w->joints,        [JOINT_VEL] = w->joints,
        [BODY_POS] = 3 * w->bodies,     [BODY_QUAT] = 4 * w->bodies,
        [BODY_LIN_VEL] = 3 * w->bodies, [BODY_ANG_VEL] = 3 * w->bodies};
    for (int i = 0; i < ROBOT_NPZ_ARRAYS; i++)
        w->begins[i + 1] = w->begins[i] + (size_t)widths[i];
}

static lb_status prepare(writing *w)
{
    size_t nv = (size_t)lb_model_nv(w->model), frames = (size_t)lb_clip_count(w->clip);
    w->moved =
        memory_take(&w->memory, 2 * (size_t)lb_model_joint_count(w->model), sizeof *w->moved);
    TRY(require_memory(w->error, w->moved));
    TRY(robot_joints_order(w->model, w->root, w->order, w->moved, &w->bodies, w->error));
    lay_out(w);
    w->jacobian = memory_take(&w->memory, 6 * nv, sizeof *w->jacobian);
    w->velocity = memory_take(&w->memory, nv, sizeof *w->velocity);
    w->rows = memory_take(&w->memory, frames * w->begins[ROBOT_NPZ_ARRAYS], sizeof *w->rows);
    lb_state_create(w->model, &w->memory, &w->state);
    return memory_pool_failed(&w->memory) ? error_out_of_memory(w->error) : LB_OK;
}

static lb_status write_all(writing *w)
{
    TRY(prepare(w));
    compute_rows(w);
    return put_arrays(w);
}

lb_status lb_robot_npz_write_files(const lb_clip *clip, const char *order,
                                   const lb_allocator *allocator, lb_robot_npz_sink *sink,
                                   void *user, lb_error *error)
{
    writing w = {.clip = clip, .order = order, .sink = sink, .user = user, .error = error};
    TRY(REQUIRE(error, {clip, "clip"}));
    if (sink == NULL)
        return REFUSE_ARGUMENT(error, "sink is NULL");
    w.model = lb_clip_model(clip);
    w.rate = lb_clip_rate(clip, EVEN);
    TRY(robot_joints_check(w.model, &w.root, &w.joints, error));
    if (w.rate == 0)
        return REFUSE_VALUE(error,
                            "the clip's keys are not evenly spaced: resample it; or there is one "
                            "alone, which has no rate: write it as .csv or .json");
    if (!(w.rate > 1e-9 && w.rate < 1e9))
        return REFUSE_VALUE(error,
                            "the clip has %g frames a second, which is not between 1e-9 and 1e9; "
                            "change its times",
                            w.rate);
    MEMORY_POOL(memory, allocator);
    w.memory = memory;
    return write_all(&w);
}

/* what fails is said at the end */
static bool put_zipped(void *zip, const lb_robot_npz_file *file)
{
    zip_open(zip, file->name);
    zip_put(zip, file->bytes, file->size);
    zip_close(zip);
    return true;
}

lb_status lb_robot_npz_write(const lb_clip *clip, const char *order, const lb_allocator *allocator,
                             void **bytes, size_t *size, lb_error *error)
{
    if (bytes != NULL)
        *bytes = NULL;
    TRY(REQUIRE(error, {clip, "clip"}, {bytes, "bytes"}, {size, "size"}));
    ENDS_BY(zip_release) zip_writer zip;
    zip_begin(&zip, allocator);
    TRY(lb_robot_npz_write_files(clip, order, allocator, put_zipped, &zip, error));
    TRY(zip_end(&zip, error));
    *bytes = zip.bytes;
    *size = zip.size;
    zip.bytes = NULL;
    return LB_OK;
}
