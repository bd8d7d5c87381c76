/*
 * reach_map.c - _core.ReachMap: in how many orientations a tool reaches each place of a lattice.
 */
#include "tables.h"

#include <limber/collision.h>
#include <limber/reach_map.h>

#include <string.h>

static void release_map(void *map)
{
    lb_reach_map_release(map);
}

static const handle_kind map_kind = {"this map", release_map};

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
        !optional_object(filter, &collision_kind, &options.user))
        return NULL;
    options.filter = options.user != NULL ? lb_collision_filter : NULL;
    lb_status status = lb_reach_map_create(model, &task, &options, NULL, &map, &error);
    if (status != LB_OK)
        return none_or_error(status, &error);
    PyObject *made = handle_make(type, &map_kind, map, owner);
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

/* Where the fields of a cell are in its record, as limber workspace --grid writes them; -1: it has
   none. */
typedef struct record_layout {
    int size, bits, solutions, manipulability, limit_margin, reached;
} record_layout;

static bool has_room(int offset, size_t bytes, int size)
{
    return offset < 0 || (size_t)offset + bytes <= (size_t)size;
}

/* whether all fields are inside the record */
static bool layout_fits(const record_layout *l, size_t bits)
{
    if (l->size > 0 && has_room(l->bits, bits, l->size) && has_room(l->solutions, 4, l->size) &&
        has_room(l->manipulability, 4, l->size) && has_room(l->limit_margin, 4, l->size) &&
        l->reached >= 0 && has_room(l->reached, 2, l->size))
        return true;
    PyErr_SetString(PyExc_ValueError, "records: fields are beyond their end");
    return false;
}

static void put_real(unsigned char *record, int offset, double value)
{
    float number = (float)value;
    if (offset >= 0)
        memcpy(record + offset, &number, sizeof number);
}

static void solve_cell(lb_reach_map *map, size_t cell, const record_layout *l,
                       unsigned char *record)
{
    lb_reach_cell found = lb_reach_map_solve(map, cell, l->bits >= 0 ? record + l->bits : NULL);
    uint32_t solutions = (uint32_t)found.solutions;
    uint16_t reached = (uint16_t)found.reached;
    if (l->solutions >= 0)
        memcpy(record + l->solutions, &solutions, sizeof solutions);
    put_real(record, l->manipulability, found.manipulability);
    put_real(record, l->limit_margin, found.limit_margin);
    memcpy(record + l->reached, &reached, sizeof reached);
}

/* solve(begin, records, (size, bits, solutions, manipulability, limit_margin, reached)): cells from
   `begin` on, as many as there are records */
static PyObject *map_solve(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_ssize_t begin;
    Py_buffer records;
    record_layout l;
    if (!PyArg_ParseTuple(args, "nw*(iiiiii):solve", &begin, &records, &l.size, &l.bits,
                          &l.solutions, &l.manipulability, &l.limit_margin, &l.reached))
        return NULL;
    size_t bits = ((size_t)lb_reach_map_grid(own->object)->orientations + 7) / 8;
    size_t n = l.size > 0 ? (size_t)records.len / (size_t)l.size : 0;
    bool ran = layout_fits(&l, bits) && rows_are(begin, n, lb_reach_map_count(own->object)) &&
               handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            for (size_t i = 0; i < n; i++)
                solve_cell(own->object, (size_t)begin + i, &l,
                           (unsigned char *)records.buf + i * (size_t)l.size);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&records);
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
