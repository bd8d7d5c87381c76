/*
 * clip.c - _core.Clip: motion sampled in time, whose keys numpy sees in place; _core.Bvh: a
 * capture's file.
 */
#include "fields.h"

#include <limber/clip.h>
#include <limber/formats/bvh.h>
#include <limber/formats/robot_csv.h>
#include <limber/retarget.h>
#include <limber/timing.h>

/* ---- captures -------------------------------------------------------------------------- */

static void release_bvh(void *bvh)
{
    lb_bvh_release(bvh);
}

const handle_kind bvh_kind = {"a capture", release_bvh};

static const char *const up_texts[] = {LB_BVH_UP_LIST(TEXT_OF) NULL};

static const field info_fields[] = {
    FIELD(lb_bvh_info, joints, INT),
    FIELD(lb_bvh_info, channels, INT),
    FIELD(lb_bvh_info, frames, INT),
    FIELD(lb_bvh_info, frame_time, DOUBLE),
    FIELD(lb_bvh_info, unit, DOUBLE),
    FIELD(lb_bvh_info, unit_name, TEXT),
    FIELD_CHOICE(lb_bvh_info, up, up_texts),
    FIELD(lb_bvh_info, unit_recognised, BOOL),
    FIELD(lb_bvh_info, up_recognised, BOOL),
    FIELD(lb_bvh_info, rest_frame, BOOL),
    FIELD_END,
};

static const field option_fields[] = {
    FIELD(lb_bvh_options, unit, DOUBLE),
    FIELD_CHOICE(lb_bvh_options, up, up_texts),
    FIELD_END,
};

/* load(path, options) -> (Bvh, warnings) */
static PyObject *bvh_load(PyObject *type, PyObject *args)
{
    PyObject *path, *dict;
    lb_bvh_options options = lb_bvh_options_default();
    if (!PyArg_ParseTuple(args, "O&O!:load", PyUnicode_FSConverter, &path, &PyDict_Type, &dict))
        return NULL;
    PyObject *warnings = PyList_New(0);
    lb_bvh *bvh = NULL;
    lb_error error = {0};
    options.load.warn = collect_warning;
    options.load.user = warnings;
    const char *name = PyBytes_AsString(path);
    if (fields_read(dict, option_fields, &options)) {
        lb_status status;
        Py_BEGIN_ALLOW_THREADS
            status = lb_bvh_load(name, &options, &bvh, &error);
        Py_END_ALLOW_THREADS
        if (status != LB_OK)
            none_or_error(status, &error);
    }
    Py_DECREF(path);
    PyObject *made = bvh != NULL ? handle_make((PyTypeObject *)type, &bvh_kind, bvh, NULL) : NULL;
    if (made != NULL)
        return Py_BuildValue("NN", made, warnings);
    Py_XDECREF(warnings);
    return NULL;
}

static PyObject *bvh_describe(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    lb_bvh_info info = lb_bvh_describe(((handle *)self)->object);
    return fields_dict(info_fields, &info);
}

/* a piece of text that is written becomes a bytes object of a list */
static bool append_piece(void *list, const char *text, size_t size)
{
    PyObject *piece = PyBytes_FromStringAndSize(text, (Py_ssize_t)size);
    bool done = piece != NULL && PyList_Append(list, piece) == 0;
    Py_XDECREF(piece);
    return done;
}

static const handle_kind clip_kind;

/* write(clip or None) -> a list of bytes */
static PyObject *bvh_write(PyObject *self, PyObject *given)
{
    const lb_clip *clip = Py_IsNone(given) ? NULL : handle_object(given, &clip_kind);
    if (clip == NULL && !Py_IsNone(given))
        return NULL;
    lb_error error = {0};
    PyObject *pieces = PyList_New(0);
    if (pieces == NULL)
        return NULL;
    lb_status status =
        lb_bvh_write(((handle *)self)->object, clip, append_piece, pieces, NULL, &error);
    if (status == LB_OK)
        return pieces;
    Py_DECREF(pieces);
    return PyErr_Occurred() ? NULL : none_or_error(status, &error);
}

static PyMethodDef bvh_methods[] = {
    {"load", bvh_load, METH_VARARGS | METH_CLASS, NULL},
    {"describe", bvh_describe, METH_NOARGS, NULL},
    {"write", bvh_write, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot bvh_slots[] = {
    {Py_tp_dealloc, handle_dealloc},
    {Py_tp_methods, bvh_methods},
    {0, NULL},
};

PyType_Spec bvh_spec = {
    .name = "limber._core.Bvh",
    .basicsize = sizeof(handle),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = bvh_slots,
};

/* ---- clips ------------------------------------------------------------------------------ */

static void release_clip(void *clip)
{
    lb_clip_release(clip);
}

static const handle_kind clip_kind = {"a clip", release_clip};

static const char *const interpolations[] = {LB_INTERPOLATION_LIST(TEXT_OF) NULL};
static const char *const tables[] = {LB_ROBOT_CSV_LIST(TEXT_OF) NULL};

/* a clip, or the error */
static PyObject *made_clip(PyTypeObject *type, lb_status status, lb_clip *clip, PyObject *owner,
                           const lb_error *error)
{
    return status == LB_OK ? handle_make(type, &clip_kind, clip, owner)
                           : none_or_error(status, error);
}

static bool read_text(const char *const *texts, const char *name, PyObject *value, int *out)
{
    PyObject *dict = Py_BuildValue("{sO}", name, value);
    const field choice[] = {{name, FIELD_ENUM, 0, 1, texts}, FIELD_END};
    bool done = dict != NULL && fields_read(dict, choice, out);
    Py_XDECREF(dict);
    return done;
}

/* make(model, times, keys, interpolation) */
static PyObject *clip_make(PyObject *type, PyObject *args)
{
    PyObject *owner, *interpolation;
    Py_buffer times, keys;
    if (!PyArg_ParseTuple(args, "Oy*y*O:make", &owner, &times, &keys, &interpolation))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    size_t n = (size_t)times.len / sizeof(double);
    int which = 0;
    PyObject *made = NULL;
    if (model != NULL && read_text(interpolations, "interpolation", interpolation, &which) &&
        buffer_is(&keys, "keys", n * (size_t)lb_model_nq(model), sizeof(double))) {
        lb_clip *clip = NULL;
        lb_error error = {0};
        lb_status status = lb_clip_create(model, times.buf, keys.buf, (int)n,
                                          (lb_interpolation)which, NULL, &clip, &error);
        made = made_clip((PyTypeObject *)type, status, clip, owner, &error);
    }
    PyBuffer_Release(&times);
    PyBuffer_Release(&keys);
    return made;
}

static const field timing_fields[] = {
    FIELD_AS(lb_timing, any_start, follow.any_start, BOOL),
    FIELD(lb_timing, rate, DOUBLE),
    FIELD(lb_timing, speed, DOUBLE),
    FIELD(lb_timing, acceleration, DOUBLE),
    FIELD(lb_timing, jerk, DOUBLE),
    FIELD_END,
};

static const field timing_result_fields[] = {
    FIELD_CHOICE(lb_timing_result, outcome, outcome_texts),
    FIELD(lb_timing_result, duration, DOUBLE),
    FIELD(lb_timing_result, samples, INT),
    FIELD(lb_timing_result, stops, INT),
    FIELD(lb_timing_result, position_error, DOUBLE),
    FIELD(lb_timing_result, rotation_error, DOUBLE),
    FIELD(lb_timing_result, velocity, DOUBLE),
    FIELD(lb_timing_result, acceleration, DOUBLE),
    FIELD(lb_timing_result, jerk, DOUBLE),
    FIELD(lb_timing_result, share, DOUBLE),
    FIELD_END,
};

/* time(model, path, task, options, start) -> (clip or None, what came of it) */
static PyObject *clip_time(PyObject *type, PyObject *args)
{
    PyObject *owner, *path_owner, *task_dict, *dict;
    Py_buffer start;
    if (!PyArg_ParseTuple(args, "OOO!O!y*:time", &owner, &path_owner, &PyDict_Type, &task_dict,
                          &PyDict_Type, &dict, &start))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    const lb_path *path = model != NULL ? handle_object(path_owner, &path_kind) : NULL;
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    PyObject *made = NULL;
    if (path != NULL && fields_read(task_dict, task_fields, &task) &&
        buffer_is(&start, "start", (size_t)lb_model_nq(model), sizeof(double))) {
        lb_timing how = lb_timing_default(task, path);
        lb_timing_result result = {.outcome = LB_INVALID};
        lb_clip *clip = NULL;
        lb_error error = {0};
        if (fields_read(dict, timing_fields, &how)) {
            lb_status status;
            Py_BEGIN_ALLOW_THREADS
                status = lb_timing_make(model, &how, start.buf, NULL, &clip, &result, &error);
            Py_END_ALLOW_THREADS
            made = status != LB_OK ? none_or_error(status, &error)
                   : clip == NULL  ? Py_NewRef(Py_None)
                                   : handle_make((PyTypeObject *)type, &clip_kind, clip, owner);
        }
        if (made != NULL)
            made = Py_BuildValue("NN", made, fields_dict(timing_result_fields, &result));
    }
    PyBuffer_Release(&start);
    return made;
}

/* of_bvh(bvh, model): the clip that a capture owns; None where it has no frames */
static PyObject *clip_of_bvh(PyObject *type, PyObject *args)
{
    PyObject *capture, *model;
    if (!PyArg_ParseTuple(args, "OO:of_bvh", &capture, &model))
        return NULL;
    lb_bvh *bvh = handle_object(capture, &bvh_kind);
    if (bvh == NULL || MODEL_OF(model) == NULL)
        return NULL;
    lb_clip *clip = (lb_clip *)(uintptr_t)lb_bvh_clip(bvh);
    if (clip == NULL)
        Py_RETURN_NONE;
    // the model keeps the capture alive
    PyObject *made = handle_make((PyTypeObject *)type, &clip_kind, clip, model);
    if (made != NULL)
        ((handle *)made)->borrowed = true;
    return made;
}

/* load_csv(path, model, kind, rate) */
static PyObject *clip_load_csv(PyObject *type, PyObject *args)
{
    PyObject *path, *owner, *kind;
    lb_robot_csv_options options = lb_robot_csv_options_default();
    if (!PyArg_ParseTuple(args, "O&OOd:load_csv", PyUnicode_FSConverter, &path, &owner, &kind,
                          &options.rate))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    int which = 0;
    PyObject *made = NULL;
    if (model != NULL && read_text(tables, "table", kind, &which)) {
        lb_clip *clip = NULL;
        lb_error error = {0};
        options.kind = (lb_robot_csv)which;
        lb_status status =
            lb_robot_csv_load(PyBytes_AsString(path), model, &options, &clip, &error);
        made = made_clip((PyTypeObject *)type, status, clip, owner, &error);
    }
    Py_DECREF(path);
    return made;
}

/* write_csv(kind) -> a list of bytes */
static PyObject *clip_write_csv(PyObject *self, PyObject *kind)
{
    int which = 0;
    PyObject *pieces = PyList_New(0);
    if (pieces == NULL || !read_text(tables, "table", kind, &which)) {
        Py_XDECREF(pieces);
        return NULL;
    }
    lb_error error = {0};
    lb_status status = lb_robot_csv_write(((handle *)self)->object, (lb_robot_csv)which,
                                          append_piece, pieces, &error);
    if (status == LB_OK)
        return pieces;
    Py_DECREF(pieces);
    return PyErr_Occurred() ? NULL : none_or_error(status, &error);
}

/* ---- what a clip has ------------------------------------------------------------------- */

/* describe() -> (count, interpolation, rate) */
static PyObject *clip_describe(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_clip *clip = ((handle *)self)->object;
    return Py_BuildValue("isd", lb_clip_count(clip),
                         lb_interpolation_text(lb_clip_interpolation(clip)),
                         lb_clip_rate(clip, 1e-6));
}

/* times(out) */
static PyObject *clip_times(PyObject *self, PyObject *out)
{
    const lb_clip *clip = ((handle *)self)->object;
    size_t n = (size_t)lb_clip_count(clip);
    Py_buffer times;
    if (PyObject_GetBuffer(out, &times, PyBUF_WRITABLE) != 0)
        return NULL;
    bool fits = buffer_is(&times, "times", n, sizeof(double));
    for (size_t i = 0; fits && i < n; i++)
        ((double *)times.buf)[i] = lb_clip_times(clip)[i];
    PyBuffer_Release(&times);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* the keys, read only and in place: numpy.frombuffer(clip) */
static int clip_buffer(PyObject *self, Py_buffer *view, int flags)
{
    const lb_clip *clip = ((handle *)self)->object;
    size_t numbers = (size_t)lb_clip_count(clip) * (size_t)lb_model_nq(lb_clip_model(clip));
    void *keys = (void *)(uintptr_t)lb_clip_key(clip, 0);
    return PyBuffer_FillInfo(view, self, keys, (Py_ssize_t)(numbers * sizeof(double)), 1, flags);
}

/* sample(times, q): one row for each time */
static PyObject *clip_sample(PyObject *self, PyObject *args)
{
    const lb_clip *clip = ((handle *)self)->object;
    size_t nq = (size_t)lb_model_nq(lb_clip_model(clip));
    Py_buffer times, q;
    if (!PyArg_ParseTuple(args, "y*w*:sample", &times, &q))
        return NULL;
    size_t n = (size_t)times.len / sizeof(double);
    bool fits = buffer_is(&q, "q", n * nq, sizeof(double));
    Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; fits && i < n; i++)
            lb_clip_at(clip, ((const double *)times.buf)[i], (double *)q.buf + i * nq);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&times);
    PyBuffer_Release(&q);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* rates(times, velocities, accelerations) */
static PyObject *clip_rates(PyObject *self, PyObject *args)
{
    const lb_clip *clip = ((handle *)self)->object;
    size_t nv = (size_t)lb_model_nv(lb_clip_model(clip));
    Py_buffer times, velocities, accelerations;
    if (!PyArg_ParseTuple(args, "y*w*w*:rates", &times, &velocities, &accelerations))
        return NULL;
    size_t n = (size_t)times.len / sizeof(double);
    bool fits = buffer_is(&velocities, "velocities", n * nv, sizeof(double)) &&
                buffer_is(&accelerations, "accelerations", n * nv, sizeof(double));
    Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; fits && i < n; i++)
            lb_clip_rates(clip, ((const double *)times.buf)[i], (double *)velocities.buf + i * nv,
                          (double *)accelerations.buf + i * nv);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&times);
    PyBuffer_Release(&velocities);
    PyBuffer_Release(&accelerations);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* ---- clips from clips ---------------------------------------------------------------------- */

static PyObject *clip_resample(PyObject *self, PyObject *args)
{
    double rate;
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "d:resample", &rate))
        return NULL;
    lb_status status = lb_clip_resample(((handle *)self)->object, rate, NULL, &clip, &error);
    return made_clip(Py_TYPE(self), status, clip, ((handle *)self)->owner, &error);
}

static PyObject *clip_slice(PyObject *self, PyObject *args)
{
    double from, to;
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "dd:slice", &from, &to))
        return NULL;
    lb_status status = lb_clip_slice(((handle *)self)->object, from, to, NULL, &clip, &error);
    return made_clip(Py_TYPE(self), status, clip, ((handle *)self)->owner, &error);
}

static PyObject *clip_retime(PyObject *self, PyObject *args)
{
    double begin, speed;
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "dd:retime", &begin, &speed))
        return NULL;
    lb_status status = lb_clip_retime(((handle *)self)->object, begin, speed, NULL, &clip, &error);
    return made_clip(Py_TYPE(self), status, clip, ((handle *)self)->owner, &error);
}

static PyObject *clip_blend(PyObject *self, PyObject *args)
{
    PyObject *other;
    double from, to;
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "Odd:blend", &other, &from, &to))
        return NULL;
    const lb_clip *second = handle_object(other, &clip_kind);
    if (second == NULL)
        return NULL;
    lb_status status =
        lb_clip_blend(((handle *)self)->object, second, from, to, NULL, &clip, &error);
    return made_clip(Py_TYPE(self), status, clip, ((handle *)self)->owner, &error);
}

/* ---- on another figure ---------------------------------------------------------------- */

static const field retarget_fields[] = {
    FIELD(lb_retarget_options, scale, DOUBLE),   FIELD(lb_retarget_options, root_scale, DOUBLE),
    FIELD(lb_retarget_options, ground, DOUBLE),  FIELD(lb_retarget_options, rate, DOUBLE),
    FIELD(lb_retarget_options, any_speed, BOOL), FIELD(lb_retarget_options, unlocked, BOOL),
    FIELD(lb_retarget_options, blend, DOUBLE),   FIELD_END,
};

static const field report_fields[] = {
    FIELD(lb_retarget_report, scale, DOUBLE),
    FIELD(lb_retarget_report, root_scale, DOUBLE),
    FIELD(lb_retarget_report, frames, INT),
    FIELD(lb_retarget_report, solved, INT),
    FIELD(lb_retarget_report, iterations, INT),
    FIELD(lb_retarget_report, slowed, INT),
    FIELD(lb_retarget_report, moved, INT),
    FIELD(lb_retarget_report, worst_moved, DOUBLE),
    FIELD(lb_retarget_report, shortened, INT),
    FIELD(lb_retarget_report, worst_slide, DOUBLE),
    FIELD(lb_retarget_report, worst_penetration, DOUBLE),
    FIELD(lb_retarget_report, held, INT),
    FIELD_END,
};

/* retarget(model, options, rest or None) -> (Clip over that model, what was done) */
static PyObject *clip_retarget(PyObject *self, PyObject *args)
{
    const lb_clip *clip = ((handle *)self)->object;
    PyObject *owner, *dict;
    Py_buffer rest;
    lb_retarget_options options = lb_retarget_options_default();
    if (!PyArg_ParseTuple(args, "OO!z*:retarget", &owner, &PyDict_Type, &dict, &rest))
        return NULL;
    const lb_model *target = MODEL_OF(owner);
    PyObject *made = NULL;
    if (target != NULL && fields_read(dict, retarget_fields, &options) &&
        buffer_is(&rest, "rest", (size_t)lb_model_nq(lb_clip_model(clip)), sizeof(double))) {
        lb_clip *motion = NULL;
        lb_retarget_report report = {0};
        lb_error error = {0};
        lb_status status;
        options.rest = rest.buf;
        Py_BEGIN_ALLOW_THREADS
            status = lb_retarget(clip, target, &options, NULL, &motion, NULL, &report, &error);
        Py_END_ALLOW_THREADS
        made = made_clip(Py_TYPE(self), status, motion, owner, &error);
        if (made != NULL)
            made = Py_BuildValue("NN", made, fields_dict(report_fields, &report));
    }
    PyBuffer_Release(&rest);
    return made;
}

/* ---- the type -------------------------------------------------------------------------------- */

static PyMethodDef clip_methods[] = {
    {"make", clip_make, METH_VARARGS | METH_CLASS, NULL},
    {"time", clip_time, METH_VARARGS | METH_CLASS, NULL},
    {"of_bvh", clip_of_bvh, METH_VARARGS | METH_CLASS, NULL},
    {"load_csv", clip_load_csv, METH_VARARGS | METH_CLASS, NULL},
    {"write_csv", clip_write_csv, METH_O, NULL},
    {"describe", clip_describe, METH_NOARGS, NULL},
    {"times", clip_times, METH_O, NULL},
    {"sample", clip_sample, METH_VARARGS, NULL},
    {"rates", clip_rates, METH_VARARGS, NULL},
    {"resample", clip_resample, METH_VARARGS, NULL},
    {"slice", clip_slice, METH_VARARGS, NULL},
    {"retime", clip_retime, METH_VARARGS, NULL},
    {"blend", clip_blend, METH_VARARGS, NULL},
    {"retarget", clip_retarget, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot clip_slots[] = {
    {Py_tp_dealloc, handle_dealloc},
    {Py_tp_methods, clip_methods},
    {Py_bf_getbuffer, clip_buffer},
    {0, NULL},
};

PyType_Spec clip_spec = {
    .name = "limber._core.Clip",
    .basicsize = sizeof(handle),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = clip_slots,
};
