/*
 * robot_npz_write.c - a clip of a robot as NumPy's .npz: the places and velocities of all bodies.
 *
 * A frame is computed once, all its numbers in the order of the arrays; the arrays are written from
 * these rows one after the other.
 */
#include "formats/robot_npz.h"

#include "base/memory.h"
#include "base/require.h"
#include "formats/npy.h"
#include "formats/robot_joints.h"
#include "formats/zip.h"

#include <limber/kinematics.h>

#include <stdio.h>
#include <string.h>

/* how far gaps between keys may be from the mean: times of long clips are rounded */
#define EVEN 1e-4

/* A clip that is being written. */
typedef struct writing {
    const lb_clip *clip;
    const lb_model *model;
    int root, joints, bodies;
    int *links; /* of the bodies */
    double rate;
    size_t begins[ROBOT_NPZ_ARRAYS + 1]; /* of each array in a row */
    float *rows;                         /* of all frames */
    lb_state *state;
    double *jacobian, *velocity; /* 6 x nv, nv */
    lb_allocator memory;
    zip_writer zip;
    lb_error *error;
} writing;

/* ---- frames -------------------------------------------------------------- */

static void put_vector(float *out, lb_vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static void put_joints(const writing *w, const double *q, float *row)
{
    int c = 0;
    for (int j = 0; j < lb_model_joint_count(w->model); j++) {
        if (!robot_joints_has(w->model, w->root, j))
            continue;
        row[w->begins[JOINT_POS] + (size_t)c] = (float)q[lb_model_joint_q(w->model, j)];
        row[w->begins[JOINT_VEL] + (size_t)c++] = (float)w->velocity[lb_model_joint_v(w->model, j)];
    }
}

/* a body's place and the velocity of its origin */
static void put_body(const writing *w, int body, float *row)
{
    int nv = lb_model_nv(w->model), link = w->links[body];
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

static void open_array(writing *w, int which, const char *type, const int64_t *shape,
                       int dimensions)
{
    char name[32];
    unsigned char head[NPY_HEADER_SIZE];
    snprintf(name, sizeof name, "%s.npy", robot_npz_arrays[which]);
    npy_header(type, shape, dimensions, head);
    zip_open(&w->zip, name);
    zip_put(&w->zip, head, sizeof head);
}

/* a whole number of frames a second as such, which training code expects */
static void put_rate(writing *w)
{
    double whole = floor(w->rate + 0.5);
    bool is_whole = fabs(w->rate - whole) <= EVEN * w->rate;
    int64_t number = (int64_t)whole, one = 1;
    uint64_t bits;
    unsigned char bytes[8];
    memcpy(&bits, is_whole ? (const void *)&number : (const void *)&w->rate, sizeof bits);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> (8 * i));
    open_array(w, FPS, is_whole ? "<i8" : "<f8", &one, 1);
    zip_put(&w->zip, bytes, sizeof bytes);
    zip_close(&w->zip);
}

static void put_array(writing *w, int which, int columns, int components)
{
    int frames = lb_clip_count(w->clip);
    size_t width = w->begins[ROBOT_NPZ_ARRAYS], count = w->begins[which + 1] - w->begins[which];
    const int64_t shape[] = {frames, columns, components};
    open_array(w, which, "<f4", shape, components > 1 ? 3 : 2);
    for (int i = 0; i < frames; i++) {
        const float *row = w->rows + (size_t)i * width + w->begins[which];
        for (size_t k = 0; k < count; k++) {
            uint32_t bits;
            unsigned char bytes[4];
            memcpy(&bits, &row[k], sizeof bits);
            for (int b = 0; b < 4; b++)
                bytes[b] = (unsigned char)(bits >> (8 * b));
            zip_put(&w->zip, bytes, sizeof bytes);
        }
    }
    zip_close(&w->zip);
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
        const unsigned char bytes[] = {(unsigned char)code, (unsigned char)(code >> 8),
                                       (unsigned char)(code >> 16), 0};
        zip_put(&w->zip, bytes, sizeof bytes);
    }
}

/* names of joints or of bodies, in as many letters as the longest has bytes */
static void put_names(writing *w, int which)
{
    size_t letters = 1;
    char type[24];
    int64_t count = which == JOINT_NAMES ? w->joints : w->bodies;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            snprintf(type, sizeof type, "<U%zu", letters);
            open_array(w, which, type, &count, 1);
        }
        int items = which == JOINT_NAMES ? lb_model_joint_count(w->model) : w->bodies;
        for (int i = 0; i < items; i++) {
            if (which == JOINT_NAMES && !robot_joints_has(w->model, w->root, i))
                continue;
            const char *name = which == JOINT_NAMES ? lb_model_joint(w->model, i)->name
                                                    : lb_model_link(w->model, w->links[i])->name;
            size_t size = strlen(name);
            if (pass == 1)
                put_name(w, name, letters);
            else
                letters = size > letters ? size : letters;
        }
    }
    zip_close(&w->zip);
}

static lb_status put_archive(writing *w)
{
    zip_begin(&w->zip, &w->memory);
    put_rate(w);
    put_array(w, JOINT_POS, w->joints, 1);
    put_array(w, JOINT_VEL, w->joints, 1);
    put_array(w, BODY_POS, w->bodies, 3);
    put_array(w, BODY_QUAT, w->bodies, 4);
    put_array(w, BODY_LIN_VEL, w->bodies, 3);
    put_array(w, BODY_ANG_VEL, w->bodies, 3);
    put_names(w, JOINT_NAMES);
    put_names(w, BODY_NAMES);
    return zip_end(&w->zip, w->error);
}

/* ---- all ----------------------------------------------------------------- */

/* the links that joints move, the root's first */
static void find_bodies(writing *w)
{
    for (int j = 0; j < lb_model_joint_count(w->model); j++) {
        const lb_joint *joint = lb_model_joint(w->model, j);
        if (joint->kind != LB_JOINT_FIXED)
            w->links[w->bodies++] = lb_model_find_link(w->model, joint->child);
    }
}

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
    w->links = memory_take(&w->memory, (size_t)lb_model_joint_count(w->model), sizeof *w->links);
    if (w->links == NULL)
        return LB_OUT_OF_MEMORY;
    find_bodies(w);
    lay_out(w);
    w->jacobian = memory_take(&w->memory, 6 * nv, sizeof *w->jacobian);
    w->velocity = memory_take(&w->memory, nv, sizeof *w->velocity);
    w->rows = memory_take(&w->memory, frames * w->begins[ROBOT_NPZ_ARRAYS], sizeof *w->rows);
    bool fine = w->jacobian != NULL && w->velocity != NULL && w->rows != NULL;
    return fine ? lb_state_create(w->model, &w->memory, &w->state) : LB_OUT_OF_MEMORY;
}

static lb_status write_all(writing *w)
{
    if (prepare(w) != LB_OK)
        return lb_error_set(w->error, LB_OUT_OF_MEMORY, 0, "out of memory");
    compute_rows(w);
    return put_archive(w);
}

lb_status lb_robot_npz_write(const lb_clip *clip, const lb_allocator *allocator, void **bytes,
                             size_t *size, lb_error *error)
{
    writing w = {.clip = clip, .memory = memory_allocator(allocator), .error = error};
    if (bytes != NULL)
        *bytes = NULL;
    lb_status status = REQUIRE(error, {clip, "clip"}, {bytes, "bytes"}, {size, "size"});
    if (status != LB_OK)
        return status;
    w.model = lb_clip_model(clip);
    w.rate = lb_clip_rate(clip, EVEN);
    status = robot_joints_check(w.model, &w.root, &w.joints, error);
    if (status == LB_OK && w.rate == 0)
        status = lb_error_set(error, LB_BAD_VALUE, 0,
                              "the clip's keys are not evenly spaced, or there is one alone; "
                              "resample it");
    if (status != LB_OK)
        return status;
    status = write_all(&w);
    if (status == LB_OK) {
        *bytes = w.zip.bytes;
        *size = w.zip.size;
        w.zip.bytes = NULL;
    }
    if (w.zip.allocator.release != NULL)
        zip_release(&w.zip);
    lb_state_release(w.state);
    memory_release(&w.memory, w.links);
    memory_release(&w.memory, w.jacobian);
    memory_release(&w.memory, w.velocity);
    memory_release(&w.memory, w.rows);
    return status;
}
