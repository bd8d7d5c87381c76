/*
 * motion.c - _core.Motion: files of motion of any kind, opened and written by one door.
 */
#include "tables.h"

#include <limber/formats/motion.h>

static const lb_motion *motion_of(PyObject *self)
{
    return ((handle *)self)->object;
}

/* open(path, model or None, animation or None, body or None, options) -> (Motion, warnings) */
static PyObject *motion_open(PyObject *type, PyObject *args)
{
    PyObject *path, *owner, *dict, *made = NULL;
    lb_motion_options options = lb_motion_options_default();
    if (!PyArg_ParseTuple(args, "O&OzzO!:open", PyUnicode_FSConverter, &path, &owner,
                          &options.animation, &options.body, &PyDict_Type, &dict))
        return NULL;
    PyObject *warnings = PyList_New(0);
    bool over = !Py_IsNone(owner);
    options.model = over ? MODEL_OF(owner) : NULL;
    if (warnings != NULL && (options.model != NULL || !over) &&
        fields_read(dict, lb_motion_options_fields, &options)) {
        lb_motion *motion = NULL;
        lb_error error = {0};
        options.load.warn = collect_warning;
        options.load.user = warnings;
        lb_status status;
        const char *name = PyBytes_AsString(path);
        Py_BEGIN_ALLOW_THREADS
            status = lb_motion_open(name, &options, &motion, &error);
        Py_END_ALLOW_THREADS
        // a table's model outlives it
        made = status == LB_OK
                   ? handle_make((PyTypeObject *)type, &motion_kind, motion, over ? owner : NULL)
                   : none_or_error(status, &error);
    }
    Py_DECREF(path);
    if (made != NULL)
        return Py_BuildValue("NN", made, warnings);
    Py_XDECREF(warnings);
    return NULL;
}

static PyObject *motion_describe(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return fields_dict(lb_motion_fields, motion_of(self));
}

/* info(): what a BVH or a glTF is; None: it is another file */
static PyObject *motion_info(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_motion *motion = motion_of(self);
    if (motion->gltf != NULL) {
        lb_gltf_info info = lb_gltf_describe(motion->gltf);
        return fields_dict(lb_gltf_info_fields, &info);
    }
    if (motion->bvh == NULL)
        Py_RETURN_NONE;
    lb_bvh_info info = lb_bvh_describe(motion->bvh);
    return fields_dict(lb_bvh_info_fields, &info);
}

/* rest() -> bytes of nq numbers, None: there is no rest pose */
static PyObject *motion_rest(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_motion *motion = motion_of(self);
    if (motion->rest == NULL)
        Py_RETURN_NONE;
    size_t size = (size_t)lb_model_nq(motion->model) * sizeof *motion->rest;
    return PyBytes_FromStringAndSize((const char *)motion->rest, (Py_ssize_t)size);
}

/* write(of or None, clip or None, kind, name or None, order or None) -> a list of bytes */
static PyObject *motion_write(PyObject *type, PyObject *args)
{
    PyObject *file, *given, *kind;
    lb_motion_write_options how = {.kind = LB_MOTION_UNKNOWN};
    (void)type;
    if (!PyArg_ParseTuple(args, "OOOzz:write", &file, &given, &kind, &how.name, &how.order))
        return NULL;
    const lb_motion *of = Py_IsNone(file) ? NULL : handle_object(file, &motion_kind);
    const lb_clip *clip = Py_IsNone(given) ? NULL : handle_object(given, &clip_kind);
    PyObject *dict = PyErr_Occurred() ? NULL : Py_BuildValue("{sO}", "kind", kind);
    bool known = dict != NULL && fields_read(dict, lb_motion_write_options_fields, &how);
    Py_XDECREF(dict);
    PyObject *pieces = known ? PyList_New(0) : NULL;
    lb_error error = {0};
    lb_status status = LB_OK;
    if (pieces == NULL)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = lb_motion_write(of, clip, &how, append_piece, pieces, &error);
    Py_END_ALLOW_THREADS
    if (status == LB_OK)
        return pieces;
    Py_DECREF(pieces);
    return PyErr_Occurred() ? NULL : none_or_error(status, &error);
}

/* kind_for(path): what a file is written as by its ending, "poses" of any table */
static PyObject *motion_kind_for(PyObject *type, PyObject *path)
{
    PyObject *bytes;
    (void)type;
    if (!PyUnicode_FSConverter(path, &bytes))
        return NULL;
    lb_motion_kind kind = lb_motion_kind_for(PyBytes_AsString(bytes), NULL);
    Py_DECREF(bytes);
    return text_object(lb_motion_kind_text(kind));
}

static PyMethodDef methods[] = {
    {"open", motion_open, METH_VARARGS | METH_CLASS, NULL},
    {"describe", motion_describe, METH_NOARGS, NULL},
    {"info", motion_info, METH_NOARGS, NULL},
    {"rest", motion_rest, METH_NOARGS, NULL},
    {"write", motion_write, METH_VARARGS | METH_CLASS, NULL},
    {"kind_for", motion_kind_for, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type motion_type = {"limber._core.Motion", NULL, methods, {0, NULL}};
