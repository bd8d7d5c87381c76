/*
 * follow.c - _core.Path: where a tool goes; _core.Follower: motion along it, frame by frame.
 */
#include "tables.h"

#include <limber/motion.h>

/* ---- paths ------------------------------------------------------------------------------ */

/* Path(points by columns, options) */
static PyObject *path_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    Py_buffer points;
    PyObject *dict;
    if (!PyArg_ParseTuple(args, "y*O!:Path", &points, &PyDict_Type, &dict))
        return NULL;
    lb_path_source source = {.points = points.buf,
                             .count = (int)((size_t)points.len / sizeof(lb_transform))};
    lb_path *path = NULL;
    lb_error error = {0};
    if (fields_read(dict, lb_path_source_fields, &source) &&
        lb_path_create(&source, NULL, &path, &error) != LB_OK)
        raise_error(&error);
    PyBuffer_Release(&points);
    return path != NULL ? handle_make(type, &path_kind, path, NULL) : NULL;
}

static PyObject *path_length(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyFloat_FromDouble(lb_path_length(((handle *)self)->object));
}

/* at(shares, transforms by columns) */
static PyObject *path_at(PyObject *self, PyObject *args)
{
    Py_buffer shares, transforms;
    if (!PyArg_ParseTuple(args, "y*w*:at", &shares, &transforms))
        return NULL;
    size_t n = (size_t)shares.len / sizeof(double);
    bool fits = buffer_is(&transforms, "transforms", n, sizeof(lb_transform));
    for (size_t i = 0; fits && i < n; i++)
        ((lb_transform *)transforms.buf)[i] =
            lb_path_at(((handle *)self)->object, ((const double *)shares.buf)[i]);
    PyBuffer_Release(&shares);
    PyBuffer_Release(&transforms);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* share(point): when it passes that one */
static PyObject *path_share(PyObject *self, PyObject *args)
{
    int point;
    if (!PyArg_ParseTuple(args, "i:share", &point))
        return NULL;
    return PyFloat_FromDouble(lb_path_share(((handle *)self)->object, point));
}

static PyMethodDef path_methods[] = {
    {"share", path_share, METH_VARARGS, NULL},
    {"length", path_length, METH_NOARGS, NULL},
    {"at", path_at, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type path_type = {"limber._core.Path", path_new, path_methods, {0, NULL}};

/* ---- followers ---------------------------------------------------------------------------- */

/* a follower keeps its model and its path: both are its owner, as a tuple */
static PyObject *own_both(PyTypeObject *type, lb_follower *follower, PyObject *model,
                          PyObject *path)
{
    PyObject *both = PyTuple_Pack(2, model, path);
    if (both == NULL) {
        lb_follower_release(follower);
        return NULL;
    }
    PyObject *made = handle_make(type, &follower_kind, follower, both);
    Py_DECREF(both);
    return made;
}

/* Follower(model, path, task, options) */
static PyObject *follower_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *path_owner, *task_dict, *dict;
    if (!PyArg_ParseTuple(args, "OOO!O!:Follower", &owner, &path_owner, &PyDict_Type, &task_dict,
                          &PyDict_Type, &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    const lb_path *path = model != NULL ? handle_object(path_owner, &path_kind) : NULL;
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    if (path == NULL || !fields_read(task_dict, lb_task_fields, &task))
        return NULL;
    lb_follow how = lb_follow_default(task, path, 1);
    lb_follower *follower = NULL;
    lb_error error = {0};
    if (!fields_read(dict, lb_follow_fields, &how))
        return NULL;
    lb_status status = lb_follower_create(model, &how, NULL, &follower, &error);
    return status == LB_OK ? own_both(type, follower, owner, path_owner)
                           : none_or_error(status, &error);
}

/* run(start, q, frames) -> how many frames were made; arrays of all frames */
static PyObject *follower_run(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer start, q, frames;
    if (!PyArg_ParseTuple(args, "y*w*w*:run", &start, &q, &frames))
        return NULL;
    const lb_model *model = MODEL_OF(PyTuple_GetItem(own->owner, 0));
    size_t nq = (size_t)lb_model_nq(model), n = (size_t)frames.len / sizeof(lb_frame), done = 0;
    bool ran = buffer_is(&start, "start", nq, sizeof(double)) &&
               buffer_is(&q, "q", n * nq, sizeof(double)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            lb_follower_rewind(own->object);
            const double *before = start.buf;
            for (; done < n; done++) {
                // a frame begins where the one before ended
                double *row = (double *)q.buf + done * nq;
                for (size_t k = 0; k < nq; k++)
                    row[k] = before[k];
                if (!lb_follower_next(own->object, row, (lb_frame *)frames.buf + done))
                    break;
                before = row;
            }
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&start);
    PyBuffer_Release(&q);
    PyBuffer_Release(&frames);
    return ran ? PyLong_FromSize_t(done) : NULL;
}

/* planned_jumps(): of the motion that was run last */
static PyObject *follower_planned_jumps(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromLong(lb_follower_planned_jumps(((handle *)self)->object));
}

static PyMethodDef follower_methods[] = {
    {"planned_jumps", follower_planned_jumps, METH_NOARGS, NULL},
    {"run", follower_run, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type follower_type = {
    "limber._core.Follower", follower_new, follower_methods, {0, NULL}};
