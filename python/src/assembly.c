/*
 * assembly.c - _core.Assembly: what closes the loops of a linkage.
 */
#include "tables.h"

#include <limber/loops.h>

#include <string.h>

/* Assembly(model, drives) */
static PyObject *assembly_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *drives;
    if (!PyArg_ParseTuple(args, "OO:Assembly", &owner, &drives))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    int count = 0, *indices = model == NULL ? NULL : read_indices(drives, &count);
    if (indices == NULL)
        return NULL;
    lb_assembly *assembly = NULL;
    lb_error error = {0};
    lb_status status = lb_assembly_create(model, indices, count, NULL, &assembly, &error);
    PyMem_Free(indices);
    return status == LB_OK ? handle_make(type, &assembly_kind, assembly, owner)
                           : none_or_error(status, &error);
}

/* the numbers that a call lists */
static PyObject *number_tuple(const lb_assembly *assembly, int list(const lb_assembly *, int *))
{
    int count = list(assembly, NULL), *numbers = PyMem_Calloc((size_t)count + 1, sizeof *numbers);
    PyObject *made = numbers == NULL ? PyErr_NoMemory() : PyTuple_New(count);
    if (made != NULL)
        list(assembly, numbers);
    for (int i = 0; made != NULL && i < count; i++) {
        PyObject *number = PyLong_FromLong(numbers[i]);
        if (number == NULL || PyTuple_SetItem(made, i, number) != 0)
            Py_CLEAR(made);
    }
    PyMem_Free(numbers);
    return made;
}

/* describe(rest) -> (mobility, dependent velocities, redundant constraints); fills rest */
static PyObject *assembly_describe(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer rest;
    if (!PyArg_ParseTuple(args, "w*:describe", &rest))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own));
    PyObject *made = NULL;
    if (buffer_is(&rest, "rest", nq, sizeof(double))) {
        lb_loop_mobility mobility = lb_assembly_mobility(own->object);
        memcpy(rest.buf, lb_assembly_rest(own->object), nq * sizeof(double));
        made = Py_BuildValue("NNN", fields_dict(lb_loop_mobility_fields, &mobility),
                             number_tuple(own->object, lb_assembly_dependent),
                             number_tuple(own->object, lb_assembly_redundant));
    }
    PyBuffer_Release(&rest);
    return made;
}

/* close(start, q, results): of each row */
static PyObject *assembly_close(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer b[3];
    if (!PyArg_ParseTuple(args, "y*w*w*:close", &b[0], &b[1], &b[2]))
        return NULL;
    size_t n = (size_t)b[2].len / sizeof(lb_assembly_result);
    size_t nq = (size_t)lb_model_nq(handle_model(own));
    bool ran = buffer_is(&b[0], "start", n * nq, sizeof(double)) &&
               buffer_is(&b[1], "q", n * nq, sizeof(double)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            for (size_t i = 0; i < n; i++)
                lb_assembly_close(own->object, (double *)b[0].buf + i * nq,
                                  (double *)b[1].buf + i * nq, (lb_assembly_result *)b[2].buf + i);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    buffers_release(b, 3);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* follow(start, to, q, results): row after row, each from where the last ended */
static PyObject *assembly_follow(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer b[4];
    if (!PyArg_ParseTuple(args, "y*y*w*w*:follow", &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    size_t n = (size_t)b[3].len / sizeof(lb_assembly_result);
    size_t nq = (size_t)lb_model_nq(handle_model(own));
    bool ran = buffer_is(&b[0], "start", nq, sizeof(double)) &&
               buffer_is(&b[1], "to", n * nq, sizeof(double)) &&
               buffer_is(&b[2], "q", n * nq, sizeof(double)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            const double *from = b[0].buf;
            for (size_t i = 0; i < n; i++) {
                double *q = (double *)b[2].buf + i * nq;
                lb_assembly_follow(own->object, from, (double *)b[1].buf + i * nq, q,
                                   (lb_assembly_result *)b[3].buf + i);
                from = q;
            }
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    buffers_release(b, 4);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* velocities(q, e): of each row, NaN where the dependent joints do not follow */
static PyObject *assembly_velocities(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer q, e;
    if (!PyArg_ParseTuple(args, "y*w*:velocities", &q, &e))
        return NULL;
    const lb_model *model = handle_model(own);
    size_t nq = (size_t)lb_model_nq(model), nv = (size_t)lb_model_nv(model);
    size_t n = nq == 0 ? 0 : (size_t)q.len / sizeof(double) / nq;
    size_t size = nv * (nv - (size_t)lb_assembly_dependent(own->object, NULL));
    bool ran = buffer_is(&q, "q", n * nq, sizeof(double)) &&
               buffer_is(&e, "e", n * size, sizeof(double)) && handle_enter(own);
    for (size_t i = 0; ran && i < n; i++) {
        double *row = (double *)e.buf + i * size;
        if (!lb_assembly_velocities(own->object, (double *)q.buf + i * nq, row))
            for (size_t k = 0; k < size; k++)
                row[k] = Py_NAN;
    }
    if (ran)
        handle_leave(own);
    PyBuffer_Release(&q);
    PyBuffer_Release(&e);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* all(q, rows): how many assemblies there are, of which `rows` takes some, and whether that is all;
   -1: the linkage is of another kind */
static PyObject *assembly_all(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer b[2];
    if (!PyArg_ParseTuple(args, "y*w*:all", &b[0], &b[1]))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own));
    size_t n = nq == 0 ? 0 : (size_t)b[1].len / sizeof(double) / nq;
    bool complete = false, ran = buffer_is(&b[0], "q", nq, sizeof(double)) &&
                                 buffer_is(&b[1], "rows", n * nq, sizeof(double)) &&
                                 handle_enter(own);
    int count = -1;
    if (ran) {
        count = lb_assembly_all(own->object, b[0].buf, b[1].buf, (int)n, &complete);
        handle_leave(own);
    }
    buffers_release(b, 2);
    return ran ? Py_BuildValue("iN", count, PyBool_FromLong(complete)) : NULL;
}

static PyMethodDef methods[] = {
    {"describe", assembly_describe, METH_VARARGS, NULL},
    {"close", assembly_close, METH_VARARGS, NULL},
    {"follow", assembly_follow, METH_VARARGS, NULL},
    {"velocities", assembly_velocities, METH_VARARGS, NULL},
    {"all", assembly_all, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type assembly_type = {"limber._core.Assembly", assembly_new, methods, {0, NULL}};
