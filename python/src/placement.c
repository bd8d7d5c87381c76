/*
 * placement.c - _core.Placement: places of a robot, and how many of its targets it reaches there.
 */
#include "tables.h"

#include <limber/placement.h>

/* Placement(model, task, targets by columns, options) */
static PyObject *placement_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *task_dict, *dict, *made = NULL;
    Py_buffer targets;
    if (!PyArg_ParseTuple(args, "OO!y*O!:Placement", &owner, &PyDict_Type, &task_dict, &targets,
                          &PyDict_Type, &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    size_t n = (size_t)targets.len / sizeof(lb_transform);
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    lb_placement_options options = lb_placement_options_default();
    if (model != NULL && fields_read(task_dict, lb_task_fields, &task) &&
        fields_read(dict, lb_placement_options_fields, &options) &&
        range_is(0, (Py_ssize_t)n, INT_MAX) &&
        buffer_is(&targets, "targets", n, sizeof(lb_transform))) {
        lb_placement *placement = NULL;
        lb_error error = {0};
        lb_status status = lb_placement_create(model, &task, targets.buf, (int)n, &options, NULL,
                                               &placement, &error);
        made = status == LB_OK ? handle_make(type, &placement_kind, placement, owner)
                               : none_or_error(status, &error);
    }
    PyBuffer_Release(&targets);
    return made;
}

static PyObject *placement_count(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromSize_t(lb_placement_count(((handle *)self)->object));
}

/* solve(begin, places): from `begin` on, as many as there are records */
static PyObject *placement_solve(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_ssize_t begin;
    Py_buffer places;
    if (!PyArg_ParseTuple(args, "nw*:solve", &begin, &places))
        return NULL;
    size_t n = (size_t)places.len / sizeof(lb_place);
    bool ran = rows_are(begin, n, lb_placement_count(own->object)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            for (size_t i = 0; i < n; i++)
                ((lb_place *)places.buf)[i] = lb_placement_solve(own->object, (size_t)begin + i);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&places);
    return ran ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"count", placement_count, METH_NOARGS, NULL},
    {"solve", placement_solve, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type placement_type = {"limber._core.Placement", placement_new, methods, {0, NULL}};
