/*
 * reach_map.c - _core.ReachMap: in how many orientations a tool reaches each place of a lattice;
 * and such maps in files.
 */
#include "tables.h"

#include <limber/collision.h>
#include <limber/formats/reach_file.h>

#include <stdlib.h>

/* ReachMap(model, task, options, collision or None): what touches something does not count */
static PyObject *map_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *task_dict, *dict, *filter;
    if (!PyArg_ParseTuple(args, "OO!O!O:ReachMap", &owner, &PyDict_Type, &task_dict, &PyDict_Type,
                          &dict, &filter))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    lb_reach_map *map = NULL;
    lb_error error = {0};
    if (model == NULL || !fields_read(task_dict, lb_task_fields, &task) ||
        !fields_read(dict, lb_reach_map_options_fields, &options) ||
        !read_filter(filter, model, &options.filter, &options.user))
        return NULL;
    lb_status status = lb_reach_map_create(model, &task, &options, NULL, &map, &error);
    if (status != LB_OK)
        return none_or_error(status, &error);
    PyObject *made = handle_make(type, &reach_map_kind, map, owner);
    return options.user == NULL ? made : handle_with(made, PyTuple_Pack(1, filter));
}

static PyObject *map_grid(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return fields_dict(lb_reach_grid_fields, lb_reach_map_grid(((handle *)self)->object));
}

/* orientations(out): quaternions w x y z */
static PyObject *map_orientations(PyObject *self, PyObject *out)
{
    const lb_reach_map *map = ((handle *)self)->object;
    int n = lb_reach_map_grid(map)->orientations;
    Py_buffer quaternions;
    if (PyObject_GetBuffer(out, &quaternions, PyBUF_WRITABLE) != 0)
        return NULL;
    bool fits = buffer_is(&quaternions, "orientations", (size_t)n, sizeof(lb_quat));
    for (int k = 0; fits && k < n; k++)
        ((lb_quat *)quaternions.buf)[k] = lb_reach_map_orientation(map, k);
    PyBuffer_Release(&quaternions);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* header(): the bytes in front of the records of a file, which say what a record is */
static PyObject *map_header(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    unsigned char header[LB_REACH_HEADER_MAX];
    size_t size = lb_reach_record_header(((handle *)self)->object, header);
    return PyBytes_FromStringAndSize((const char *)header, (Py_ssize_t)size);
}

/* solve(begin, records): cells from `begin` on, as many as there are records */
static PyObject *map_solve(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_ssize_t begin;
    Py_buffer records;
    if (!PyArg_ParseTuple(args, "nw*:solve", &begin, &records))
        return NULL;
    size_t size = lb_reach_record_size(own->object), n = (size_t)records.len / size;
    bool ran = rows_are(begin, n, lb_reach_map_count(own->object)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            for (size_t i = 0; i < n; i++)
                lb_reach_record_solve(own->object, (size_t)begin + i,
                                      (unsigned char *)records.buf + i * size);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&records);
    return ran ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"grid", map_grid, METH_NOARGS, NULL},
    {"orientations", map_orientations, METH_O, NULL},
    {"header", map_header, METH_NOARGS, NULL},
    {"solve", map_solve, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type reach_map_type = {"limber._core.ReachMap", map_new, methods, {0, NULL}};

/* ---- files ---------------------------------------------------------------- */

/* ReachFile(path, map, part, parts, replace) */
static PyObject *file_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *path, *owner;
    Py_ssize_t part, parts;
    int replace;
    if (!PyArg_ParseTuple(args, "O&Onnp:ReachFile", PyUnicode_FSConverter, &path, &owner, &part,
                          &parts, &replace))
        return NULL;
    lb_reach_file *file = NULL;
    lb_error error = {0};
    const lb_reach_map *map = handle_object(owner, &reach_map_kind);
    lb_status status = LB_OK;
    if (map != NULL)
        status = lb_reach_file_open(PyBytes_AsString(path), map, (size_t)part, (size_t)parts,
                                    replace != 0, &file, &error);
    Py_DECREF(path);
    if (map == NULL)
        return NULL;
    return status == LB_OK ? handle_make(type, &reach_file_kind, file, NULL)
                           : none_or_error(status, &error);
}

/* NULL and an exception once the file is closed */
static const lb_reach_file *open_file(PyObject *self)
{
    const lb_reach_file *file = ((handle *)self)->object;
    if (file == NULL)
        PyErr_SetString(PyExc_ValueError, "the file is closed");
    return file;
}

static PyObject *file_tiles(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_reach_file *file = open_file(self);
    return file == NULL ? NULL : PyLong_FromSize_t(lb_reach_file_tiles(file));
}

/* decide(map, begin, end): these tiles; the map is one that equals the file's */
static PyObject *file_decide(PyObject *self, PyObject *args)
{
    PyObject *solver;
    Py_ssize_t begin, end;
    if (!PyArg_ParseTuple(args, "Onn:decide", &solver, &begin, &end))
        return NULL;
    lb_reach_map *map = handle_object(solver, &reach_map_kind);
    const lb_reach_file *file = open_file(self);
    if (map == NULL || file == NULL || !handle_share((handle *)self))
        return NULL;
    if (!handle_enter((handle *)solver)) {
        handle_unshare((handle *)self);
        return NULL;
    }
    lb_error error = {0};
    lb_status status = LB_OK;
    Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = begin; i < end && status == LB_OK; i++)
            status = lb_reach_file_decide(file, map, (size_t)i, &error);
    Py_END_ALLOW_THREADS
    handle_leave((handle *)solver);
    handle_unshare((handle *)self);
    return none_or_error(status, &error);
}

/* close(): raises what the system could not write; nothing can be done with the file any more */
static PyObject *file_close(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    handle *own = (handle *)self;
    lb_error error = {0};
    if (!handle_enter(own))
        return NULL;
    lb_reach_file *file = own->object;
    own->object = NULL;
    lb_status status = file == NULL ? LB_OK : lb_reach_file_close(file, &error);
    handle_leave(own);
    return none_or_error(status, &error);
}

/* reach_join(paths, output) */
PyObject *reach_join(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *list, *output;
    if (!PyArg_ParseTuple(args, "O!S:reach_join", &PyTuple_Type, &list, &output))
        return NULL;
    Py_ssize_t count = PyTuple_Size(list);
    const char **paths = calloc((size_t)count + 1, sizeof *paths);
    if (paths == NULL)
        return PyErr_NoMemory();
    lb_error error = {0};
    lb_status status = LB_OK;
    bool fine = true;
    for (Py_ssize_t i = 0; i < count && fine; i++) {
        paths[i] = PyBytes_AsString(PyTuple_GetItem(list, i));
        fine = paths[i] != NULL;
    }
    if (fine) {
        const char *to = PyBytes_AsString(output);
        Py_BEGIN_ALLOW_THREADS
            status = lb_reach_file_join(paths, (int)count, to, &error);
        Py_END_ALLOW_THREADS
    }
    free(paths);
    return fine ? none_or_error(status, &error) : NULL;
}

static PyMethodDef file_methods[] = {
    {"tiles", file_tiles, METH_NOARGS, NULL},
    {"decide", file_decide, METH_VARARGS, NULL},
    {"close", file_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type reach_file_type = {"limber._core.ReachFile", file_new, file_methods, {0, NULL}};
