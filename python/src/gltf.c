/*
 * gltf.c - _core.Gltf: a glTF file with its figure, animations and map of bones.
 */
#include "tables.h"

#include <limber/formats/gltf.h>

/* load(path, options) -> (Gltf, warnings) */
static PyObject *gltf_load(PyObject *type, PyObject *args)
{
    PyObject *path, *dict, *made = NULL;
    lb_gltf_options options = lb_gltf_options_default();
    if (!PyArg_ParseTuple(args, "O&O!:load", PyUnicode_FSConverter, &path, &PyDict_Type, &dict))
        return NULL;
    PyObject *warnings = PyList_New(0);
    if (warnings != NULL && fields_read(dict, lb_gltf_options_fields, &options)) {
        lb_gltf *gltf = NULL;
        lb_error error = {0};
        options.load.warn = collect_warning;
        options.load.user = warnings;
        lb_status status;
        const char *name = PyBytes_AsString(path);
        Py_BEGIN_ALLOW_THREADS
            status = lb_gltf_load(name, &options, &gltf, &error);
        Py_END_ALLOW_THREADS
        made = status == LB_OK ? handle_make((PyTypeObject *)type, &gltf_kind, gltf, NULL)
                               : none_or_error(status, &error);
    }
    Py_DECREF(path);
    if (made != NULL)
        return Py_BuildValue("NN", made, warnings);
    Py_XDECREF(warnings);
    return NULL;
}

static PyObject *gltf_info(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    lb_gltf_info info = lb_gltf_describe(((handle *)self)->object);
    return fields_dict(lb_gltf_info_fields, &info);
}

/* animations() -> ((name, begin, end), ...) */
static PyObject *gltf_animations(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_gltf *gltf = ((handle *)self)->object;
    int n = lb_gltf_describe(gltf).animations;
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple != NULL && i < n; i++) {
        double begin, end;
        lb_gltf_animation_times(gltf, i, &begin, &end);
        PyTuple_SetItem(
            tuple, i,
            Py_BuildValue("Ndd", text_object(lb_gltf_animation_name(gltf, i)), begin, end));
    }
    return tuple;
}

/* bones() -> ((name, link), ...) */
static PyObject *gltf_bones(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_gltf *gltf = ((handle *)self)->object;
    int n = lb_gltf_describe(gltf).bones;
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple != NULL && i < n; i++) {
        lb_gltf_bone bone = lb_gltf_bone_at(gltf, i);
        PyTuple_SetItem(tuple, i, Py_BuildValue("Ni", text_object(bone.name), bone.link));
    }
    return tuple;
}

/* sample(animation, times, q): one row for each time, by the curves themselves */
static PyObject *gltf_sample(PyObject *self, PyObject *args)
{
    const lb_gltf *gltf = ((handle *)self)->object;
    int animation;
    Py_buffer times, q;
    if (!PyArg_ParseTuple(args, "iy*w*:sample", &animation, &times, &q))
        return NULL;
    size_t n = (size_t)times.len / sizeof(double), nq = (size_t)lb_model_nq(lb_gltf_model(gltf));
    bool fits = rows_are(animation, 1, (size_t)lb_gltf_describe(gltf).animations) &&
                buffer_is(&q, "q", n * nq, sizeof(double));
    for (size_t i = 0; fits && i < n; i++)
        lb_gltf_at(gltf, animation, ((const double *)times.buf)[i], (double *)q.buf + i * nq);
    PyBuffer_Release(&times);
    PyBuffer_Release(&q);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* ---- writing ------------------------------------------------------------------------- */

/* a tuple of (name, clip), which outlives the memory returned */
static lb_gltf_animation *read_animations(PyObject *list, int *count)
{
    Py_ssize_t n = PyTuple_Size(list);
    lb_gltf_animation *animations = PyMem_Calloc((size_t)n + 1, sizeof *animations);
    if (animations == NULL)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); i++) {
        PyObject *clip;
        if (PyArg_ParseTuple(PyTuple_GetItem(list, i), "sO", &animations[i].name, &clip))
            animations[i].clip = handle_object(clip, &clip_kind);
    }
    *count = (int)n;
    if (!PyErr_Occurred())
        return animations;
    PyMem_Free(animations);
    return NULL;
}

/* write(animations, binary, only_these) -> a list of bytes */
static PyObject *gltf_write(PyObject *self, PyObject *args)
{
    PyObject *list;
    int binary, only_these, count = 0;
    if (!PyArg_ParseTuple(args, "O!pp:write", &PyList_Type, &list, &binary, &only_these))
        return NULL;
    // a copy, which no other thread changes
    list = PyList_AsTuple(list);
    if (list == NULL)
        return NULL;
    lb_gltf_animation *animations = read_animations(list, &count);
    PyObject *pieces = animations == NULL ? NULL : PyList_New(0);
    lb_error error = {0};
    lb_status status = LB_OK;
    if (pieces != NULL) {
        lb_gltf_write_options options = {.binary = binary, .only_these = only_these};
        Py_BEGIN_ALLOW_THREADS
            status = lb_gltf_write(((handle *)self)->object, animations, count, &options,
                                   append_piece, pieces, &error);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(animations);
    Py_DECREF(list);
    if (status == LB_OK)
        return pieces;
    Py_DECREF(pieces);
    return PyErr_Occurred() ? NULL : none_or_error(status, &error);
}

static PyMethodDef methods[] = {
    {"load", gltf_load, METH_VARARGS | METH_CLASS, NULL},
    {"info", gltf_info, METH_NOARGS, NULL},
    {"animations", gltf_animations, METH_NOARGS, NULL},
    {"bones", gltf_bones, METH_NOARGS, NULL},
    {"sample", gltf_sample, METH_VARARGS, NULL},
    {"write", gltf_write, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type gltf_type = {"limber._core.Gltf", NULL, methods, {0, NULL}};
