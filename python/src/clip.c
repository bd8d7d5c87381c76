/*
 * clip.c - _core.Clip: motion sampled in time, whose keys numpy sees in place.
 */
#include "tables.h"

#include <limber/clip.h>
#include <limber/formats/motion.h>
#include <limber/timing.h>

#include <stdlib.h>

/* ---- clips ------------------------------------------------------------------------------ */

/* a clip that `owner` must outlive, or the error */
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
    if (model != NULL &&
        read_text(lb_interpolation_texts, "interpolation", interpolation, &which) &&
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

/* time(model, path, task, options, settings, start) -> (clip or None, what came of it) */
static PyObject *clip_time(PyObject *type, PyObject *args)
{
    PyObject *owner, *path_owner, *task_dict, *dict, *list;
    Py_buffer start;
    if (!PyArg_ParseTuple(args, "OOO!O!O!y*:time", &owner, &path_owner, &PyDict_Type, &task_dict,
                          &PyDict_Type, &dict, &PyList_Type, &list, &start))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    const lb_path *path = model != NULL ? handle_object(path_owner, &path_kind) : NULL;
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    PyObject *made = NULL;
    if (path != NULL && fields_read(task_dict, lb_task_fields, &task) &&
        buffer_is(&start, "start", (size_t)lb_model_nq(model), sizeof(double))) {
        lb_timing how = lb_timing_default(task, path);
        lb_timing_result result = {.outcome = LB_INVALID};
        lb_clip *clip = NULL;
        lb_error error = {0};
        lb_joint_setting first = lb_joint_setting_make(0), *settings = NULL;
        lb_ik_options *options = &how.follow.options;
        if (fields_read(dict, lb_timing_fields, &how) &&
            (settings = fields_records(list, lb_joint_setting_fields, &first, sizeof first,
                                       &options->joint_count)) != NULL) {
            options->joints = settings;
            lb_status status;
            Py_BEGIN_ALLOW_THREADS
                status = lb_timing_make(model, &how, start.buf, NULL, &clip, &result, &error);
            Py_END_ALLOW_THREADS
            made = status != LB_OK ? none_or_error(status, &error)
                   : clip == NULL  ? Py_NewRef(Py_None)
                                   : handle_make((PyTypeObject *)type, &clip_kind, clip, owner);
        }
        PyMem_Free(settings);
        if (made != NULL)
            made = Py_BuildValue("NN", made, fields_dict(lb_timing_result_fields, &result));
    }
    PyBuffer_Release(&start);
    return made;
}

/* of_gltf(gltf, model, animation): an animation as a clip */
static PyObject *clip_of_gltf(PyObject *type, PyObject *args)
{
    PyObject *file, *model;
    int animation;
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "OOi:of_gltf", &file, &model, &animation))
        return NULL;
    const lb_gltf *gltf = handle_object(file, &gltf_kind);
    if (gltf == NULL || !is_of_file(model, file))
        return NULL;
    lb_status status;
    Py_BEGIN_ALLOW_THREADS
        status = lb_gltf_clip(gltf, animation, NULL, &clip, &error);
    Py_END_ALLOW_THREADS
    // the model keeps the file alive
    return made_clip((PyTypeObject *)type, status, clip, model, &error);
}

/* of_motion(motion): what a file holds; None: a figure without motion */
static PyObject *clip_of_motion(PyObject *type, PyObject *file)
{
    const lb_motion *motion = handle_object(file, &motion_kind);
    if (motion == NULL)
        return NULL;
    if (motion->clip == NULL)
        Py_RETURN_NONE;
    return handle_borrow((PyTypeObject *)type, &clip_kind, motion->clip, file);
}

/* ---- what a clip has ------------------------------------------------------------------- */

/* the share of a gap by which times of files are rounded, as the library's writers allow */
static const double even_tolerance = 1e-3;

/* describe() -> (count, interpolation, rate) */
static PyObject *clip_describe(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_clip *clip = ((handle *)self)->object;
    return Py_BuildValue("isd", lb_clip_count(clip),
                         lb_interpolation_text(lb_clip_interpolation(clip)),
                         lb_clip_rate(clip, even_tolerance));
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
    lb_status status;
    Py_BEGIN_ALLOW_THREADS
        status = lb_clip_resample(((handle *)self)->object, rate, NULL, &clip, &error);
    Py_END_ALLOW_THREADS
    return made_clip(Py_TYPE(self), status, clip, ((handle *)self)->owner, &error);
}

/* even(): the same keys at times that are exactly even */
static PyObject *clip_even(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    lb_clip *clip = NULL;
    lb_error error = {0};
    lb_status status = lb_clip_even(((handle *)self)->object, even_tolerance, NULL, &clip, &error);
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

static PyObject *clip_mirror(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    lb_clip *clip = NULL;
    lb_error error = {0};
    lb_status status = lb_clip_mirror(((handle *)self)->object, NULL, &clip, &error);
    return made_clip(Py_TYPE(self), status, clip, ((handle *)self)->owner, &error);
}

static PyObject *clip_loop(PyObject *self, PyObject *args)
{
    int count;
    double fade;
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "id:loop", &count, &fade))
        return NULL;
    lb_status status = lb_clip_loop(((handle *)self)->object, count, fade, NULL, &clip, &error);
    return made_clip(Py_TYPE(self), status, clip, ((handle *)self)->owner, &error);
}

/* ---- the type -------------------------------------------------------------------------------- */

static PyMethodDef clip_methods[] = {
    {"make", clip_make, METH_VARARGS | METH_CLASS, NULL},
    {"time", clip_time, METH_VARARGS | METH_CLASS, NULL},
    {"of_motion", clip_of_motion, METH_O | METH_CLASS, NULL},
    {"of_gltf", clip_of_gltf, METH_VARARGS | METH_CLASS, NULL},
    {"describe", clip_describe, METH_NOARGS, NULL},
    {"times", clip_times, METH_O, NULL},
    {"sample", clip_sample, METH_VARARGS, NULL},
    {"rates", clip_rates, METH_VARARGS, NULL},
    {"resample", clip_resample, METH_VARARGS, NULL},
    {"even", clip_even, METH_NOARGS, NULL},
    {"slice", clip_slice, METH_VARARGS, NULL},
    {"retime", clip_retime, METH_VARARGS, NULL},
    {"blend", clip_blend, METH_VARARGS, NULL},
    {"mirror", clip_mirror, METH_NOARGS, NULL},
    {"loop", clip_loop, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type clip_type = {
    "limber._core.Clip", NULL, clip_methods, {Py_bf_getbuffer, clip_buffer}};
