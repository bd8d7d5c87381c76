/*
 * workspace.c - _core.Workspace: where a tool can be, cell by cell.
 */
#include "tables.h"

#include <limber/workspace.h>

/* Workspace(model, task, options) */
static PyObject *workspace_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *task_dict, *dict;
    if (!PyArg_ParseTuple(args, "OO!O!:Workspace", &owner, &PyDict_Type, &task_dict, &PyDict_Type,
                          &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSITION);
    lb_workspace_options options = lb_workspace_options_default();
    lb_workspace *workspace = NULL;
    lb_error error = {0};
    if (model == NULL || !fields_read(task_dict, lb_task_fields, &task) ||
        !fields_read(dict, lb_workspace_options_fields, &options))
        return NULL;
    lb_status status = lb_workspace_create(model, &task, &options, NULL, &workspace, &error);
    if (status != LB_OK)
        return none_or_error(status, &error);
    return handle_make(type, &workspace_kind, workspace, owner);
}

/* solve(begin, end) */
static PyObject *workspace_solve(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int begin, end;
    if (!PyArg_ParseTuple(args, "ii:solve", &begin, &end) ||
        !range_is(begin, end, (size_t)lb_workspace_count(own->object)) || !handle_enter(own))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        lb_workspace_solve(own->object, begin, end);
    Py_END_ALLOW_THREADS
    handle_leave(own);
    Py_RETURN_NONE;
}

/* sample(count) */
static PyObject *workspace_sample(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int count;
    if (!PyArg_ParseTuple(args, "i:sample", &count) || !handle_enter(own))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        lb_workspace_sample(own->object, count);
    Py_END_ALLOW_THREADS
    handle_leave(own);
    Py_RETURN_NONE;
}

static PyObject *workspace_merge(PyObject *self, PyObject *other)
{
    const lb_workspace *from = handle_object(other, &workspace_kind);
    lb_workspace *into = from == NULL ? NULL : handle_to_change(self);
    if (into == NULL || handle_to_read(other) == NULL)
        return NULL;
    return none_or_status(lb_workspace_merge(into, from), "merge");
}

/* describe() -> (count, grid, size) */
static PyObject *workspace_describe(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_workspace *workspace = handle_to_read(self);
    if (workspace == NULL)
        return NULL;
    lb_workspace_size size = lb_workspace_measure(workspace);
    return Py_BuildValue("iNN", lb_workspace_count(workspace),
                         fields_dict(lb_workspace_grid_fields, lb_workspace_get_grid(workspace)),
                         fields_dict(lb_workspace_size_fields, &size));
}

/* cells(out): all, x fastest */
static PyObject *workspace_cells(PyObject *self, PyObject *out)
{
    const lb_workspace *workspace = ((handle *)self)->object;
    const lb_workspace_grid *grid = lb_workspace_get_grid(workspace);
    Py_buffer cells;
    if (PyObject_GetBuffer(out, &cells, PyBUF_WRITABLE) != 0)
        return NULL;
    bool fits = buffer_is(&cells, "cells", (size_t)lb_workspace_count(workspace),
                          sizeof(lb_workspace_cell)) &&
                handle_to_read(self) != NULL;
    lb_workspace_cell *next = cells.buf;
    for (int k = 0; fits && k < grid->count[2]; k++)
        for (int j = 0; j < grid->count[1]; j++)
            for (int i = 0; i < grid->count[0]; i++)
                *next++ = lb_workspace_at(workspace, i, j, k);
    PyBuffer_Release(&cells);
    return fits ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"solve", workspace_solve, METH_VARARGS, NULL},
    {"sample", workspace_sample, METH_VARARGS, NULL},
    {"merge", workspace_merge, METH_O, NULL},
    {"describe", workspace_describe, METH_NOARGS, NULL},
    {"cells", workspace_cells, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type workspace_type = {"limber._core.Workspace", workspace_new, methods, {0, NULL}};
