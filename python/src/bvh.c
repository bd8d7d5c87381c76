/*
 * bvh.c - _core.Bvh: the file of a capture.
 */
#include "tables.h"

#include <limber/formats/bvh.h>

static void release_bvh(void *bvh)
{
    lb_bvh_release(bvh);
}

const handle_kind bvh_kind = {"a capture", release_bvh};

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
    if (warnings != NULL && fields_read(dict, lb_bvh_options_fields, &options)) {
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

/* make(clip, options): a capture of any motion */
static PyObject *bvh_make(PyObject *type, PyObject *args)
{
    PyObject *given, *dict;
    lb_bvh_options options = lb_bvh_options_default();
    if (!PyArg_ParseTuple(args, "OO!:make", &given, &PyDict_Type, &dict))
        return NULL;
    const lb_clip *clip = handle_object(given, &clip_kind);
    lb_bvh *bvh = NULL;
    lb_error error = {0};
    if (clip == NULL || !fields_read(dict, lb_bvh_options_fields, &options))
        return NULL;
    lb_status status;
    Py_BEGIN_ALLOW_THREADS
        status = lb_bvh_make(clip, &options, &bvh, &error);
    Py_END_ALLOW_THREADS
    return status == LB_OK ? handle_make((PyTypeObject *)type, &bvh_kind, bvh, NULL)
                           : none_or_error(status, &error);
}

static PyObject *bvh_describe(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    lb_bvh_info info = lb_bvh_describe(((handle *)self)->object);
    return fields_dict(lb_bvh_info_fields, &info);
}

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
    lb_status status;
    Py_BEGIN_ALLOW_THREADS
        status = lb_bvh_write(((handle *)self)->object, clip, append_piece, pieces, NULL, &error);
    Py_END_ALLOW_THREADS
    if (status == LB_OK)
        return pieces;
    Py_DECREF(pieces);
    return PyErr_Occurred() ? NULL : none_or_error(status, &error);
}

static PyMethodDef bvh_methods[] = {
    {"load", bvh_load, METH_VARARGS | METH_CLASS, NULL},
    {"make", bvh_make, METH_VARARGS | METH_CLASS, NULL},
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
