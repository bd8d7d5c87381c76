/*
 * strip.c - drawing motion: strips of moments, and pictures that move.
 */
#include "tables.h"

#include <limber/figures/strip.h>

#include <string.h>

static bool read_paths(PyObject *given, lb_strip_row *row)
{
    int *links = read_indices(given, &row->path_count);
    bool fits = links != NULL && row->path_count <= LB_STRIP_PATHS;
    if (fits && row->path_count > 0)
        memcpy(row->paths, links, (size_t)row->path_count * sizeof *links);
    else if (links != NULL && !fits)
        PyErr_Format(PyExc_ValueError, "paths: %d links; %d at most", row->path_count,
                     LB_STRIP_PATHS);
    PyMem_Free(links);
    return fits;
}

/* (clip, contacts or None, label or None, normal of the ground, links of paths) */
static bool read_row(PyObject *given, lb_strip_row *row)
{
    PyObject *clip, *contacts, *paths;
    void *held = NULL;
    lb_vec3 *n = &row->ground_normal;
    if (!PyArg_ParseTuple(given, "OOz(ddd)O:row", &clip, &contacts, &row->label, &n->x, &n->y,
                          &n->z, &paths))
        return false;
    row->clip = handle_object(clip, &clip_kind);
    if (row->clip == NULL || !optional_object(contacts, &contacts_kind, &held))
        return false;
    row->contacts = held;
    return (held == NULL || handle_to_read(contacts) != NULL) && read_paths(paths, row);
}

/* draw_strip(rows, path, title or None, options, animated): rows is a list */
PyObject *strip_draw(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *list, *path, *dict;
    int animated;
    lb_strip strip = lb_strip_default();
    lb_strip_row rows[LB_STRIP_ROWS] = {0};
    if (!PyArg_ParseTuple(args, "O!O&zO!p:draw_strip", &PyList_Type, &list, PyUnicode_FSConverter,
                          &path, &strip.title, &PyDict_Type, &dict, &animated))
        return NULL;
    // a copy, which no conversion of a value can change
    list = PyList_AsTuple(list);
    Py_ssize_t count = list == NULL ? 0 : PyTuple_Size(list);
    bool read =
        list != NULL && count <= LB_STRIP_ROWS && fields_read(dict, lb_strip_fields, &strip);
    if (count > LB_STRIP_ROWS)
        PyErr_Format(PyExc_ValueError, "below: %zd motions; %d at most", count - 1,
                     LB_STRIP_ROWS - 1);
    for (Py_ssize_t i = 0; read && i < count; i++)
        read = read_row(PyTuple_GetItem(list, i), &rows[i]);
    PyObject *result = NULL;
    if (read) {
        lb_error error = {0};
        strip.rows = rows;
        strip.row_count = (int)count;
        const char *name = PyBytes_AsString(path);
        lb_status status = animated ? lb_draw_animation(&strip, name, &error)
                                    : lb_draw_strip(&strip, name, &error);
        result = none_or_error(status, &error);
    }
    Py_DECREF(path);
    Py_XDECREF(list);
    return result;
}
