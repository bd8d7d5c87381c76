/*
 * servo.c - _core.Servo: a target that is followed frame by frame.
 */
#include "tables.h"

#include <limber/servo.h>

/* Servo(model, task or None, options, settings of joints) */
static PyObject *servo_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *task_dict, *dict, *list;
    if (!PyArg_ParseTuple(args, "OOO!O!:Servo", &owner, &task_dict, &PyDict_Type, &dict,
                          &PyList_Type, &list))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    const bool tasked = task_dict != Py_None;
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    lb_servo_options options = lb_servo_options_default();
    lb_joint_setting first = lb_joint_setting_make(0), *settings;
    lb_servo *servo = NULL;
    lb_error error = {0};
    if (model == NULL || (tasked && !fields_read(task_dict, lb_task_fields, &task)) ||
        !fields_read(dict, lb_servo_options_fields, &options))
        return NULL;
    settings =
        fields_records(list, lb_joint_setting_fields, &first, sizeof first, &options.joint_count);
    if (settings == NULL)
        return NULL;
    options.joints = settings;
    lb_status status =
        lb_servo_create(model, tasked ? &task : NULL, &options, NULL, &servo, &error);
    PyMem_Free(settings);
    return status == LB_OK ? handle_make(type, &servo_kind, servo, owner)
                           : none_or_error(status, &error);
}

static size_t count_q(const handle *own)
{
    return (size_t)lb_model_nq(handle_model(own));
}

/* reset(q) */
static PyObject *servo_reset(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer q;
    lb_status status = LB_OK;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "y*:reset", &q))
        return NULL;
    bool ran = buffer_is(&q, "q", count_q(own), sizeof(double)) && handle_enter(own);
    if (ran) {
        status = lb_servo_reset(own->object, q.buf, &error);
        handle_leave(own);
    }
    PyBuffer_Release(&q);
    return ran ? none_or_error(status, &error) : NULL;
}

/* aim(target by columns, velocity or None) */
static PyObject *servo_aim(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer buffers[2];
    if (!PyArg_ParseTuple(args, "y*z*:aim", &buffers[0], &buffers[1]))
        return NULL;
    bool ran = buffer_is(&buffers[0], "target", 1, sizeof(lb_transform)) &&
               buffer_is(&buffers[1], "velocity", 6, sizeof(double)) && handle_enter(own);
    if (ran) {
        lb_servo_aim(own->object, buffers[0].buf, buffers[1].buf);
        handle_leave(own);
    }
    buffers_release(buffers, 2);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* what takes one row of numbers */
static PyObject *give_row(PyObject *self, PyObject *args, size_t count,
                          void (*give)(lb_servo *servo, const double *row))
{
    handle *own = (handle *)self;
    Py_buffer row;
    if (!PyArg_ParseTuple(args, "y*", &row))
        return NULL;
    bool ran = buffer_is(&row, "numbers", count, sizeof(double)) && handle_enter(own);
    if (ran) {
        give(own->object, row.buf);
        handle_leave(own);
    }
    PyBuffer_Release(&row);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* twist(six numbers) */
static PyObject *servo_twist(PyObject *self, PyObject *args)
{
    return give_row(self, args, 6, lb_servo_twist);
}

/* move(q) */
static PyObject *servo_move(PyObject *self, PyObject *args)
{
    return give_row(self, args, count_q((handle *)self), lb_servo_move);
}

static PyObject *servo_stop(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    handle *own = (handle *)self;
    if (!handle_enter(own))
        return NULL;
    lb_servo_stop(own->object);
    handle_leave(own);
    return Py_NewRef(Py_None);
}

/* step(q, v, a to be filled) -> what the frame did */
static PyObject *servo_step(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer b[3];
    lb_servo_frame frame;
    if (!PyArg_ParseTuple(args, "w*w*w*:step", &b[0], &b[1], &b[2]))
        return NULL;
    size_t nv = (size_t)lb_model_nv(handle_model(own));
    bool ran = buffer_is(&b[0], "q", count_q(own), sizeof(double)) &&
               buffer_is(&b[1], "v", nv, sizeof(double)) &&
               buffer_is(&b[2], "a", nv, sizeof(double)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            lb_servo_step(own->object, b[0].buf, b[1].buf, b[2].buf, &frame);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    buffers_release(b, 3);
    return ran ? fields_dict(lb_servo_frame_fields, &frame) : NULL;
}

static PyMethodDef servo_methods[] = {
    {"reset", servo_reset, METH_VARARGS, NULL},
    {"aim", servo_aim, METH_VARARGS, NULL},
    {"twist", servo_twist, METH_VARARGS, NULL},
    {"move", servo_move, METH_VARARGS, NULL},
    {"stop", servo_stop, METH_NOARGS, NULL},
    {"step", servo_step, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type servo_type = {"limber._core.Servo", servo_new, servo_methods, {0, NULL}};
