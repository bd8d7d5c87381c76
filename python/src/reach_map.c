/*
 * reach_map.c - _core.ReachMap: in how many orientations a tool reaches each place of a lattice.
 */
#include "fields.h"

#include <limber/reach_map.h>

static void release_map(void *map)
{
    lb_reach_map_release(map);
}

static const handle_kind map_kind = {"this map", release_map};

static const field option_fields[] = {
    FIELD(lb_reach_map_options, cell, DOUBLE),    FIELD(lb_reach_map_options, orientations, INT),
    FIELD(lb_reach_map_options, iterations, INT), FIELD(lb_reach_map_options, width, INT),
    FIELD(lb_reach_map_options, inverse, BOOL),   FIELD_END,
};

static const field grid_fields[] = {
    FIELD_VECTOR(lb_reach_grid, center),     FIELD(lb_reach_grid, radius, DOUBLE),
    FIELD(lb_reach_grid, cell, DOUBLE),      FIELD(lb_reach_grid, count, INT),
    FIELD(lb_reach_grid, orientations, INT), FIELD_END,
};

/* ReachMap(model, task, options) */
static PyObject *map_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *task_dict, *dict;
    if (!PyArg_ParseTuple(args, "OO!O!:ReachMap", &owner, &PyDict_Type, &task_dict, &PyDict_Type,
                          &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    lb_reach_map_options options = lb_reach_map_options_default();
    lb_reach_map *map = NULL;
    lb_error error = {0};
    if (model == NULL || !fields_read(task_dict, task_fields, &task) ||
        !fields_read(dict, option_fields, &options))
        return NULL;
    lb_status status = lb_reach_map_create(model, &task, &options, NULL, &map, &error);
    if (status != LB_OK)
        return none_or_error(status, &error);
    return handle_make(type, &map_kind, map, owner);
}

static PyObject *map_grid(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return fields_dict(grid_fields, lb_reach_map_grid(((handle *)self)->object));
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

/* solve(begin, counts, bits or None): cells from `begin` on, as many as there are counts */
static PyObject *map_solve(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_ssize_t begin;
    Py_buffer counts, bits;
    if (!PyArg_ParseTuple(args, "nw*z*:solve", &begin, &counts, &bits))
        return NULL;
    size_t n = (size_t)counts.len / sizeof(uint16_t);
    size_t bytes = ((size_t)lb_reach_map_grid(own->object)->orientations + 7) / 8;
    bool ran = range_is(begin, begin + (Py_ssize_t)n, lb_reach_map_count(own->object)) &&
               buffer_is(&bits, "bits", n * bytes, 1) && handle_enter(own);
    if (ran) {
        unsigned char *of_cell = bits.buf;
        Py_BEGIN_ALLOW_THREADS
            for (size_t i = 0; i < n; i++)
                ((uint16_t *)counts.buf)[i] =
                    (uint16_t)lb_reach_map_solve(own->object, (size_t)begin + i,
                                                 of_cell != NULL ? of_cell + i * bytes : NULL)
                        .reached;
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&counts);
    PyBuffer_Release(&bits);
    return ran ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"grid", map_grid, METH_NOARGS, NULL},
    {"orientations", map_orientations, METH_O, NULL},
    {"solve", map_solve, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, map_new},
    {Py_tp_dealloc, handle_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec reach_map_spec = {
    .name = "limber._core.ReachMap",
    .basicsize = sizeof(handle),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
