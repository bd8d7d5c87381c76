/*
 * figure.c - drawing: models in poses, their trees, and maps of what is reached, into files.
 */
#include "tables.h"

#include <limber/figures/draw.h>
#include <limber/figures/draw_reach.h>

/* width, height, azimuth, elevation */
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
    if (model != NULL && fields_read(dict, lb_drawing_fields, &drawing) &&
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

/* a ring of the model at rest, as figures of its workspace outline it; false: another arm */
static bool find_ring(const lb_model *model, const lb_task *task, lb_planar_reach *ring)
{
    lb_state *state = NULL;
    bool found =
        lb_state_create(model, NULL, &state) == LB_OK && lb_planar_reach_find(state, task, ring);
    lb_state_release(state);
    return found;
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
    lb_planar_reach ring;
    if (drawing.workspace != NULL && fields_read(dict, lb_task_fields, &drawing.task)) {
        const lb_model *model = handle_model((handle *)map);
        drawing.ring = find_ring(model, &drawing.task, &ring) ? &ring : NULL;
        result = none_or_error(lb_draw_workspace(model, &drawing, PyBytes_AsString(path), &error),
                               &error);
    }
    Py_DECREF(path);
    return result;
}

/* draw_reach(path, values, quantity, title or None, grid and options): values x fastest */
PyObject *figure_reach(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *path, *dict, *result = NULL;
    Py_buffer values;
    lb_reach_drawing drawing = lb_reach_drawing_default();
    if (!PyArg_ParseTuple(args, "O&y*szO!:draw_reach", PyUnicode_FSConverter, &path, &values,
                          &drawing.quantity, &drawing.title, &PyDict_Type, &dict))
        return NULL;
    if (fields_read(dict, lb_reach_drawing_fields, &drawing)) {
        size_t n = drawing.grid.count > 0 ? (size_t)drawing.grid.count : 0;
        lb_error error = {0};
        drawing.values = values.buf;
        if (buffer_is(&values, "values", product(product(n, n), n), sizeof(double)))
            result = none_or_error(lb_draw_reach(&drawing, PyBytes_AsString(path), &error), &error);
    }
    PyBuffer_Release(&values);
    Py_DECREF(path);
    return result;
}
