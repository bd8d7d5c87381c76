/*
 * figure.c - drawing: models in poses, their trees, and workspaces, into files.
 */
#include "fields.h"

#include <limber/figures/draw.h>
#include <limber/figures/strip.h>

/* width, height, azimuth, elevation */
static const field drawing_fields[] = {
    FIELD(lb_drawing, width, DOUBLE),
    FIELD(lb_drawing, height, DOUBLE),
    FIELD(lb_drawing, azimuth, DOUBLE),
    FIELD(lb_drawing, elevation, DOUBLE),
    FIELD_END,
};

/* rows of q as poses, the last in full and those before it fainter; NULL without memory */
static lb_drawing_pose *make_poses(const Py_buffer *q, size_t nq, int *count)
{
    size_t n = nq > 0 ? (size_t)q->len / (nq * sizeof(double)) : 0;
    lb_drawing_pose *poses = PyMem_Calloc(n + 1, sizeof *poses);
    if (poses == NULL)
        PyErr_NoMemory();
    for (size_t i = 0; poses != NULL && i < n; i++) {
        poses[i].q = (const double *)q->buf + i * nq;
        poses[i].strength = i + 1 == n ? 1 : 0.35;
    }
    *count = (int)n;
    return poses;
}

/* draw(model, path, q rows, target points, title or None, options) */
PyObject *figure_draw(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *owner, *path, *dict;
    Py_buffer q, targets;
    lb_drawing drawing = lb_drawing_default();
    if (!PyArg_ParseTuple(args, "OO&y*y*zO!:draw", &owner, PyUnicode_FSConverter, &path, &q,
                          &targets, &drawing.title, &PyDict_Type, &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_drawing_pose *poses = NULL;
    PyObject *result = NULL;
    if (model != NULL && fields_read(dict, drawing_fields, &drawing) &&
        (poses = make_poses(&q, (size_t)lb_model_nq(model), &drawing.pose_count)) != NULL) {
        lb_error error = {0};
        drawing.poses = poses;
        drawing.targets = targets.buf;
        drawing.target_count = (int)((size_t)targets.len / sizeof(lb_vec3));
        result = none_or_error(lb_draw(model, &drawing, PyBytes_AsString(path), &error), &error);
    }
    PyMem_Free(poses);
    Py_DECREF(path);
    PyBuffer_Release(&q);
    PyBuffer_Release(&targets);
    return result;
}

/* frames, width, begin, end, azimuth, elevation, overlaid */
static const field strip_fields[] = {
    FIELD(lb_strip, frames, INT),       FIELD(lb_strip, begin, DOUBLE),
    FIELD(lb_strip, end, DOUBLE),       FIELD(lb_strip, overlaid, BOOL),
    FIELD(lb_strip, width, DOUBLE),     FIELD(lb_strip, azimuth, DOUBLE),
    FIELD(lb_strip, elevation, DOUBLE), FIELD_END,
};

/* draw_strip(clip, path, contacts or None, title or None, options) */
PyObject *figure_strip(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *clip, *path, *contacts, *dict;
    lb_strip strip = lb_strip_default();
    if (!PyArg_ParseTuple(args, "OO&OzO!:draw_strip", &clip, PyUnicode_FSConverter, &path,
                          &contacts, &strip.title, &PyDict_Type, &dict))
        return NULL;
    lb_strip_row row = {.clip = handle_object(clip, &clip_kind)};
    if (row.clip != NULL && !Py_IsNone(contacts))
        row.contacts = handle_object(contacts, &contacts_kind);
    PyObject *result = NULL;
    if (!PyErr_Occurred() && fields_read(dict, strip_fields, &strip)) {
        lb_error error = {0};
        strip.rows = &row;
        strip.row_count = 1;
        result = none_or_error(lb_draw_strip(&strip, PyBytes_AsString(path), &error), &error);
    }
    Py_DECREF(path);
    return result;
}

/* draw_tree(model, path, title or None) */
PyObject *figure_tree(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *owner, *path;
    const char *title;
    if (!PyArg_ParseTuple(args, "OO&z:draw_tree", &owner, PyUnicode_FSConverter, &path, &title))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    PyObject *result = NULL;
    lb_error error = {0};
    if (model != NULL)
        result = none_or_error(lb_draw_tree(model, title, PyBytes_AsString(path), &error), &error);
    Py_DECREF(path);
    return result;
}

/* draw_workspace(workspace, path, task, title or None, manipulability) */
PyObject *figure_workspace(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *map, *path, *dict;
    int manipulability;
    lb_workspace_drawing drawing = {.task = lb_task_make(0, LB_WORLD, LB_TASK_POSITION)};
    if (!PyArg_ParseTuple(args, "OO&O!zp:draw_workspace", &map, PyUnicode_FSConverter, &path,
                          &PyDict_Type, &dict, &drawing.title, &manipulability))
        return NULL;
    drawing.workspace = handle_object(map, &workspace_kind);
    drawing.quantity = manipulability ? LB_WORKSPACE_MANIPULABILITY : LB_WORKSPACE_ORIENTATIONS;
    PyObject *result = NULL;
    lb_error error = {0};
    if (drawing.workspace != NULL && fields_read(dict, task_fields, &drawing.task))
        result = none_or_error(lb_draw_workspace(handle_model((handle *)map), &drawing,
                                                 PyBytes_AsString(path), &error),
                               &error);
    Py_DECREF(path);
    return result;
}
