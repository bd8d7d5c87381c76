/*
 * body.c - _core.Body: many tasks on one tree, with priorities, limits and speeds.
 */
#include "tables.h"

#include <limber/body.h>

#include <string.h>

/* ---- tables ------------------------------------------------------------------------ */

/* ---- creating ------------------------------------------------------------------------ */

/* the polygon of each task: a list of buffers or None, pinned while the body is made */
static bool pin_vertices(PyObject *list, lb_body_task *tasks, int n, Py_buffer *pins)
{
    for (int i = 0; i < n; i++) {
        PyObject *polygon = PyList_GetItem(list, i);
        if (polygon == NULL)
            return false;
        if (Py_IsNone(polygon))
            continue;
        if (PyObject_GetBuffer(polygon, &pins[i], PyBUF_SIMPLE) != 0)
            return false;
        tasks[i].vertices = (const double(*)[2])pins[i].buf;
        tasks[i].vertex_count = (int)((size_t)pins[i].len / (2 * sizeof(double)));
    }
    return true;
}

/* what each task keeps apart: a tuple of collision checks or None; returns each of them once */
static PyObject *take_collisions(PyObject *given, lb_body_task *tasks, int n)
{
    PyObject *distinct = PyList_New(0);
    for (int i = 0; distinct != NULL && i < n; i++) {
        PyObject *collision = PyTuple_GetItem(given, i);
        void *held = NULL;
        if (collision == NULL || !optional_object(collision, &collision_kind, &held))
            Py_CLEAR(distinct);
        else if (held != NULL && PySequence_Contains(distinct, collision) == 0 &&
                 PyList_Append(distinct, collision) != 0)
            Py_CLEAR(distinct);
        tasks[i].collision = held;
    }
    PyObject *made = distinct == NULL ? NULL : PyList_AsTuple(distinct);
    Py_XDECREF(distinct);
    return made;
}

/* the body alone, of tasks that were read */
static lb_body *create(const lb_model *model, lb_body_task *tasks, int n, PyObject *polygons,
                       const lb_body_options *options)
{
    lb_body *body = NULL;
    lb_error error = {0};
    Py_buffer *pins = PyMem_Calloc((size_t)n + 1, sizeof *pins);
    if (pins == NULL)
        PyErr_NoMemory();
    else if (pin_vertices(polygons, tasks, n, pins) &&
             lb_body_create(model, tasks, n, options, NULL, &body, &error) != LB_OK)
        raise_error(&error);
    for (int i = 0; pins != NULL && i < n; i++)
        PyBuffer_Release(&pins[i]);
    PyMem_Free(pins);
    return body;
}

/* Body(model, tasks, polygons, collisions, options) */
static PyObject *body_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *list, *polygons, *collisions, *dict;
    if (!PyArg_ParseTuple(args, "OO!O!O!O!:Body", &owner, &PyList_Type, &list, &PyList_Type,
                          &polygons, &PyList_Type, &collisions, &PyDict_Type, &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_body_options options = lb_body_options_default();
    lb_body_task start = lb_body_task_make(LB_BODY_POSE, 0);
    int n = 0;
    lb_body_task *tasks = NULL;
    if (model == NULL || !fields_read(dict, lb_body_options_fields, &options) ||
        (tasks = fields_records(list, lb_body_task_fields, &start, sizeof start, &n)) == NULL)
        return NULL;
    // copies, which no conversion of a value can change
    PyObject *given = PyList_AsTuple(collisions);
    PyObject *others = given != NULL ? take_collisions(given, tasks, n) : NULL;
    lb_body *body = others != NULL ? create(model, tasks, n, polygons, &options) : NULL;
    Py_XDECREF(given);
    PyMem_Free(tasks);
    if (body != NULL)
        return handle_with(handle_make_counted(type, &body_kind, body, owner, (size_t)n), others);
    Py_XDECREF(others);
    return NULL;
}

/* ---- changing it ------------------------------------------------------------------------ */

/* set_target(task, transform by columns) */
static PyObject *body_set_target(PyObject *self, PyObject *args)
{
    int task;
    PyObject *target_object;
    lb_transform target;
    if (!PyArg_ParseTuple(args, "iO:set_target", &task, &target_object) ||
        !read_doubles(target_object, &target.x.x, 12))
        return NULL;
    lb_body *body = handle_to_change(self);
    return body == NULL ? NULL : none_or_status(lb_body_set_target(body, task, &target), "target");
}

static PyObject *body_target(PyObject *self, PyObject *args)
{
    int task;
    if (!PyArg_ParseTuple(args, "i:target", &task) || handle_to_read(self) == NULL)
        return NULL;
    static const field target_field[] = {{"target", FIELD_TRANSFORM, 0, 1, NULL}, FIELD_END};
    lb_transform target = lb_body_target(((handle *)self)->object, task);
    return fields_dict(target_field, &target);
}

static PyObject *body_set_point(PyObject *self, PyObject *args)
{
    int task;
    lb_vec3 point;
    if (!PyArg_ParseTuple(args, "i(ddd):set_point", &task, &point.x, &point.y, &point.z))
        return NULL;
    lb_body *body = handle_to_change(self);
    return body == NULL ? NULL : none_or_status(lb_body_set_point(body, task, point), "point");
}

/* set_value(task, numbers): at least as many as a joint may have, the rest unused */
static PyObject *body_set_value(PyObject *self, PyObject *args)
{
    int task;
    PyObject *numbers;
    double value[LB_JOINT_MAX_NQ] = {0};
    if (!PyArg_ParseTuple(args, "iO:set_value", &task, &numbers) ||
        !read_doubles(numbers, value, LB_JOINT_MAX_NQ))
        return NULL;
    lb_body *body = handle_to_change(self);
    return body == NULL ? NULL : none_or_status(lb_body_set_value(body, task, value), "value");
}

static PyObject *body_set_weight(PyObject *self, PyObject *args)
{
    int task;
    double weight;
    if (!PyArg_ParseTuple(args, "id:set_weight", &task, &weight))
        return NULL;
    lb_body *body = handle_to_change(self);
    return body == NULL ? NULL : none_or_status(lb_body_set_weight(body, task, weight), "weight");
}

static PyObject *body_set_limits(PyObject *self, PyObject *args)
{
    int joint, value;
    double lower, upper;
    if (!PyArg_ParseTuple(args, "iidd:set_limits", &joint, &value, &lower, &upper))
        return NULL;
    lb_body *body = handle_to_change(self);
    return body == NULL
               ? NULL
               : none_or_status(lb_body_set_limits(body, joint, value, lower, upper), "limits");
}

static PyObject *body_set_speed(PyObject *self, PyObject *args)
{
    int joint;
    double speed, acceleration;
    if (!PyArg_ParseTuple(args, "idd:set_speed", &joint, &speed, &acceleration))
        return NULL;
    lb_body *body = handle_to_change(self);
    return body == NULL
               ? NULL
               : none_or_status(lb_body_set_speed(body, joint, speed, acceleration), "speed");
}

/* hold(task, q) */
static PyObject *body_hold(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int task;
    Py_buffer q;
    if (!PyArg_ParseTuple(args, "iy*:hold", &task, &q))
        return NULL;
    PyObject *result = NULL;
    if (buffer_is(&q, "q", (size_t)lb_model_nq(handle_model(own)), sizeof(double)) &&
        handle_to_change(self) != NULL)
        result = none_or_status(lb_body_hold(own->object, task, q.buf), "hold");
    PyBuffer_Release(&q);
    return result;
}

/* set_posture(q or None) */
static PyObject *body_set_posture(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer q;
    if (!PyArg_ParseTuple(args, "z*:set_posture", &q))
        return NULL;
    PyObject *result = NULL;
    if (buffer_is(&q, "q", (size_t)lb_model_nq(handle_model(own)), sizeof(double)) &&
        handle_to_change(self) != NULL)
        result = none_or_status(lb_body_set_posture(own->object, q.buf), "posture");
    PyBuffer_Release(&q);
    return result;
}

/* ---- solving ------------------------------------------------------------------------------ */

/*
 * solve(start, velocity, time, q, result, outcomes): one frame of `time` seconds where time is not
 * 0; velocity may be None
 */
static PyObject *body_solve(PyObject *self, PyObject *args)
{
    enum { START, VELOCITY, Q, RESULT, OUTCOMES, BUFFERS };
    handle *own = (handle *)self;
    Py_buffer b[BUFFERS];
    double time;
    if (!PyArg_ParseTuple(args, "y*z*dw*w*w*:solve", &b[START], &b[VELOCITY], &time, &b[Q],
                          &b[RESULT], &b[OUTCOMES]))
        return NULL;
    const lb_model *model = handle_model(own);
    size_t nq = (size_t)lb_model_nq(model);
    bool ran = buffer_is(&b[START], "start", nq, sizeof(double)) &&
               buffer_is(&b[VELOCITY], "velocity", (size_t)lb_model_nv(model), sizeof(double)) &&
               buffer_is(&b[Q], "q", nq, sizeof(double)) &&
               buffer_is(&b[RESULT], "result", 1, sizeof(lb_body_result)) &&
               buffer_is(&b[OUTCOMES], "outcomes", own->count, sizeof(lb_body_outcome)) &&
               handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            if (time != 0)
                lb_body_advance(own->object, b[START].buf, b[VELOCITY].buf, time, b[Q].buf,
                                b[RESULT].buf);
            else
                lb_body_solve(own->object, b[START].buf, b[Q].buf, b[RESULT].buf);
            memcpy(b[OUTCOMES].buf, lb_body_outcomes(own->object),
                   own->count * sizeof(lb_body_outcome));
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    buffers_release(b, BUFFERS);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* batch(targets by columns or None, starts, q, results) */
static PyObject *body_batch(PyObject *self, PyObject *args)
{
    enum { TARGETS, STARTS, Q, RESULTS, BUFFERS };
    handle *own = (handle *)self;
    Py_buffer b[BUFFERS];
    if (!PyArg_ParseTuple(args, "z*y*w*w*:batch", &b[TARGETS], &b[STARTS], &b[Q], &b[RESULTS]))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own));
    size_t n = (size_t)b[RESULTS].len / sizeof(lb_body_result);
    bool ran = buffer_is(&b[TARGETS], "targets", n * own->count, sizeof(lb_transform)) &&
               buffer_is(&b[STARTS], "starts", n * nq, sizeof(double)) &&
               buffer_is(&b[Q], "q", n * nq, sizeof(double)) && handle_enter(own);
    if (ran) {
        lb_body_batch batch = {.targets = b[TARGETS].buf,
                               .starts = b[STARTS].buf,
                               .q = b[Q].buf,
                               .results = b[RESULTS].buf};
        Py_BEGIN_ALLOW_THREADS
            lb_body_batch_solve(own->object, &batch, 0, n);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    buffers_release(b, BUFFERS);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* explain(task) -> (reason, sentence) */
static PyObject *body_explain(PyObject *self, PyObject *args)
{
    int task;
    char text[512];
    if (!PyArg_ParseTuple(args, "i:explain", &task) || handle_to_change(self) == NULL)
        return NULL;
    lb_body_reason reason = lb_body_explain(((handle *)self)->object, task, text, sizeof text);
    return Py_BuildValue("sN", lb_body_reason_text(reason), text_object(text));
}

/* nearest(task, record): fills a proximity -> its distance */
static PyObject *body_nearest(PyObject *self, PyObject *args)
{
    int task;
    Py_buffer record;
    if (!PyArg_ParseTuple(args, "iw*:nearest", &task, &record))
        return NULL;
    PyObject *made = NULL;
    if (buffer_is(&record, "record", 1, sizeof(lb_proximity)) && handle_to_change(self) != NULL)
        made = PyFloat_FromDouble(lb_body_nearest(((handle *)self)->object, task, record.buf));
    PyBuffer_Release(&record);
    return made;
}

/* ---- the type -------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"set_target", body_set_target, METH_VARARGS, NULL},
    {"target", body_target, METH_VARARGS, NULL},
    {"set_point", body_set_point, METH_VARARGS, NULL},
    {"set_value", body_set_value, METH_VARARGS, NULL},
    {"set_weight", body_set_weight, METH_VARARGS, NULL},
    {"set_limits", body_set_limits, METH_VARARGS, NULL},
    {"set_speed", body_set_speed, METH_VARARGS, NULL},
    {"hold", body_hold, METH_VARARGS, NULL},
    {"set_posture", body_set_posture, METH_VARARGS, NULL},
    {"solve", body_solve, METH_VARARGS, NULL},
    {"batch", body_batch, METH_VARARGS, NULL},
    {"explain", body_explain, METH_VARARGS, NULL},
    {"nearest", body_nearest, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type body_type = {"limber._core.Body", body_new, methods, {0, NULL}};
