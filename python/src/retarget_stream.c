/*
 * retarget_stream.c - _core.RetargetStream: a target that follows its source frame by frame.
 */
#include "tables.h"

#include <limber/formats/motion_json.h>
#include <limber/retarget.h>

#include <string.h>

/* a stream keeps both its models: they are its owner, as a tuple */
static const lb_model *model_at(const handle *self, Py_ssize_t place)
{
    return MODEL_OF(PyTuple_GetItem(self->owner, place));
}

/* What a stream is made of. */
typedef struct stream_parts {
    PyObject *source, *clip, *target, *options; /* clip: None, or the calibration */
    PyObject *seen;                             /* None, or the target's looks */
    Py_buffer rest, start;
    const char *map_name, *map_text; /* text: NULL, it is found */
} stream_parts;

static lb_status make_stream(const stream_parts *p, const lb_clip *clip, const lb_looks *looks,
                             lb_retarget_options *o, lb_retarget_map *map,
                             lb_retarget_stream **stream, lb_error *error)
{
    const lb_model *source = MODEL_OF(p->source), *target = MODEL_OF(p->target);
    const char *text = p->map_text;
    o->map = map;
    o->rest = p->rest.buf;
    o->start = p->start.buf;
    lb_status status = text != NULL ? lb_retarget_map_load_memory(p->map_name, text, strlen(text),
                                                                  source, target, NULL, map, error)
                                    : find_map(source, o->rest, target, looks, map, error);
    return status == LB_OK ? lb_retarget_stream_create(source, clip, target, o, NULL, stream, error)
                           : status;
}

static PyObject *own_stream(PyTypeObject *type, lb_retarget_stream *stream, const stream_parts *p)
{
    PyObject *both = PyTuple_Pack(2, p->source, p->target);
    if (both == NULL) {
        lb_retarget_stream_release(stream);
        return NULL;
    }
    PyObject *made = handle_make(type, &retarget_stream_kind, stream, both);
    Py_DECREF(both);
    return made;
}

static PyObject *new_of_parts(PyTypeObject *type, const stream_parts *p)
{
    void *clip = NULL, *looks = NULL;
    const lb_model *source = MODEL_OF(p->source);
    const lb_model *target = source != NULL ? MODEL_OF(p->target) : NULL;
    lb_retarget_options options = lb_retarget_options_default();
    lb_retarget_stream *stream = NULL;
    lb_error error = {0};
    if (target == NULL || !optional_object(p->clip, &clip_kind, &clip) ||
        !optional_object(p->seen, &looks_kind, &looks) ||
        !buffer_is(&p->rest, "rest", (size_t)lb_model_nq(source), sizeof(double)) ||
        !buffer_is(&p->start, "start", (size_t)lb_model_nq(target), sizeof(double)) ||
        !fields_read(p->options, lb_retarget_options_fields, &options))
        return NULL;
    lb_retarget_map *map = PyMem_Calloc(1, sizeof *map);
    if (map == NULL)
        return PyErr_NoMemory();
    lb_status status = make_stream(p, clip, looks, &options, map, &stream, &error);
    PyMem_Free(map);
    return status == LB_OK ? own_stream(type, stream, p) : none_or_error(status, &error);
}

/* RetargetStream(source, calibration or None, target, options, rest or None, start or None, name of
   the map, its text or None, looks or None) */
static PyObject *stream_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    stream_parts p;
    if (!PyArg_ParseTuple(args, "OOOO!z*z*szO:RetargetStream", &p.source, &p.clip, &p.target,
                          &PyDict_Type, &p.options, &p.rest, &p.start, &p.map_name, &p.map_text,
                          &p.seen))
        return NULL;
    PyObject *made = new_of_parts(type, &p);
    PyBuffer_Release(&p.rest);
    PyBuffer_Release(&p.start);
    return made;
}

/* next(time, q of the source, q of the target to be filled) -> what the frame came to */
static PyObject *stream_next(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    double time;
    Py_buffer from, to;
    lb_retarget_frame frame;
    if (!PyArg_ParseTuple(args, "dy*w*:next", &time, &from, &to))
        return NULL;
    bool ran = buffer_is(&from, "q", (size_t)lb_model_nq(model_at(own, 0)), sizeof(double)) &&
               buffer_is(&to, "target", (size_t)lb_model_nq(model_at(own, 1)), sizeof(double)) &&
               handle_enter(own);
    lb_status status = LB_OK;
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            status = lb_retarget_stream_next(own->object, time, from.buf, to.buf, &frame);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&from);
    PyBuffer_Release(&to);
    if (!ran)
        return NULL;
    return status == LB_OK ? fields_dict(lb_retarget_frame_fields, &frame)
                           : none_or_status(status, "a time that goes back, or q");
}

/* reset(q of the target or None) */
static PyObject *stream_reset(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer q;
    if (!PyArg_ParseTuple(args, "z*:reset", &q))
        return NULL;
    bool ran = buffer_is(&q, "q", (size_t)lb_model_nq(model_at(own, 1)), sizeof(double)) &&
               handle_enter(own);
    lb_status status = LB_OK;
    if (ran) {
        status = lb_retarget_stream_reset(own->object, q.buf);
        handle_leave(own);
    }
    PyBuffer_Release(&q);
    return ran ? none_or_status(status, "q") : NULL;
}

/* set_acceleration(joint, acceleration) */
static PyObject *stream_set_acceleration(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int joint;
    double most;
    if (!PyArg_ParseTuple(args, "id:set_acceleration", &joint, &most) || !handle_enter(own))
        return NULL;
    lb_status status = lb_retarget_stream_set_acceleration(own->object, joint, most);
    handle_leave(own);
    return none_or_status(status, "acceleration");
}

/* points() -> a dict for each point that may be held */
static PyObject *stream_points(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    int count;
    const lb_contact_point *points = lb_retarget_stream_points(((handle *)self)->object, &count);
    PyObject *list = PyList_New(count);
    for (int i = 0; list != NULL && i < count; i++) {
        PyObject *fields = fields_dict(lb_contact_point_fields, &points[i]);
        if (fields == NULL)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, fields);
    }
    return list;
}

static PyMethodDef stream_methods[] = {
    {"next", stream_next, METH_VARARGS, NULL},
    {"reset", stream_reset, METH_VARARGS, NULL},
    {"set_acceleration", stream_set_acceleration, METH_VARARGS, NULL},
    {"points", stream_points, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type retarget_stream_type = {
    "limber._core.RetargetStream", stream_new, stream_methods, {0, NULL}};
