/*
 * peer_mujoco.c - MuJoCo's kinematics: mj_kinematics, and mj_comPos with mj_jac.
 *
 * The chain becomes a model in MuJoCo's own language, one body a joint. MuJoCo has no
 * inverse kinematics.
 */
#include "peer.h"

#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* room for one body of the model's text */
enum { BODY_SIZE = 600 };

typedef struct arm {
    mjModel *model;
    mjData *data;
    int count, tip;
} arm;

/* ---- the model's text ----------------------------------------------------- */

typedef struct writer {
    char *text;
    size_t size, length;
} writer;

__attribute__((format(printf, 2, 3))) static void write_text(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->text + w->length, w->size - w->length, format, arguments);
    va_end(arguments);
    w->length += length > 0 ? (size_t)length : 0;
}

/* any mass will do: kinematics needs none, but a body must have one */
static void write_body(writer *w, const lb_transform *placement)
{
    lb_quat r = lb_transform_quat(placement);
    write_text(w,
               "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>"
               "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>",
               placement->p.x, placement->p.y, placement->p.z, r.w, r.x, r.y, r.z);
}

static void write_chain(writer *w, const chain *from)
{
    write_text(w, "<mujoco><compiler angle='radian'/><worldbody>");
    for (int i = 0; i < from->count; i++) {
        const chain_joint *joint = &from->joints[i];
        write_body(w, &joint->placement);
        write_text(w, "<joint type='%s' axis='%.17g %.17g %.17g'/>",
                   joint->slides ? "slide" : "hinge", joint->axis.x, joint->axis.y, joint->axis.z);
    }
    write_body(w, &from->tool);
    for (int i = 0; i <= from->count; i++)
        write_text(w, "</body>");
    write_text(w, "</worldbody></mujoco>");
}

/* ---- the peer ------------------------------------------------------------- */

static void release(void *self)
{
    arm *a = self;
    mj_deleteData(a->data);
    mj_deleteModel(a->model);
    free(a);
}

/* MuJoCo reads files; this one is in memory */
static mjModel *load(const char *text, size_t length)
{
    char error[200];
    mjModel *model = NULL;
    mjVFS *files = malloc(sizeof *files);
    if (!files)
        return NULL;
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "chain.xml", (int)length) == 0) {
        memcpy(files->filedata[mj_findFileVFS(files, "chain.xml")], text, length);
        model = mj_loadXML("chain.xml", files, error, sizeof error);
    }
    mj_deleteVFS(files);
    free(files);
    return model;
}

static void *create(const chain *from, double position_tolerance, double rotation_tolerance)
{
    (void)position_tolerance;
    (void)rotation_tolerance;
    writer w = {.size = BODY_SIZE * (size_t)(from->count + 2)};
    w.text = malloc(w.size);
    arm *a = calloc(1, sizeof *a);
    if (w.text && a) {
        write_chain(&w, from);
        a->model = load(w.text, w.length);
        a->data = a->model ? mj_makeData(a->model) : NULL;
    }
    free(w.text);
    if (!a || !a->data) {
        if (a)
            release(a);
        return NULL;
    }
    a->count = from->count;
    a->tip = a->model->nbody - 1;
    return a;
}

static void read_tip(const arm *a, lb_transform *tip)
{
    const mjtNum *m = a->data->xmat + 9 * a->tip, *p = a->data->xpos + 3 * a->tip;
    *tip = (lb_transform){
        {m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}, {p[0], p[1], p[2]}};
}

static void forward(void *self, const double *q, lb_transform *tip)
{
    arm *a = self;
    memcpy(a->data->qpos, q, sizeof *q * (size_t)a->count);
    mj_kinematics(a->model, a->data);
    read_tip(a, tip);
}

static void jacobian(void *self, const double *q, lb_transform *tip, double *numbers)
{
    arm *a = self;
    forward(self, q, tip);
    // its Jacobians are about the centres of mass, which must be known first
    mj_comPos(a->model, a->data);
    mj_jac(a->model, a->data, numbers, numbers + 3 * a->count, a->data->xpos + 3 * a->tip, a->tip);
}

const peer *limber_peer(void)
{
    static const peer mujoco = {.name = "MuJoCo",
                                .create = create,
                                .release = release,
                                .forward = forward,
                                .jacobian = jacobian};
    static peer result;
    result = mujoco;
    result.version = mj_versionString();
    return &result;
}
