/*
 * solutions.c - _core.Solutions: every configuration that reaches a target; _core.Elbow: the
 * elbow's circle of an arm of seven joints.
 */
#include "tables.h"

#include <limber/elbow.h>

/* ---- every solution ---------------------------------------------------------------- */

/* Solutions(model, task, options, collision or None): without those that touch something */
static PyObject *solutions_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *task_dict, *dict, *filter;
    if (!PyArg_ParseTuple(args, "OO!O!O:Solutions", &owner, &PyDict_Type, &task_dict, &PyDict_Type,
                          &dict, &filter))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    lb_solutions_options options = lb_solutions_options_default();
    lb_solutions_solver *solver = NULL;
    lb_error error = {0};
    if (model == NULL || !fields_read(task_dict, lb_task_fields, &task) ||
        !fields_read(dict, lb_solutions_options_fields, &options) ||
        !read_filter(filter, model, &options.filter, &options.user))
        return NULL;
    lb_status status = lb_solutions_create(model, &task, &options, NULL, &solver, &error);
    if (status != LB_OK)
        return none_or_error(status, &error);
    PyObject *made = handle_make(type, &solutions_kind, solver, owner);
    return options.user == NULL ? made : handle_with(made, PyTuple_Pack(1, filter));
}

/* Where all arrays of a batch of targets are; `rows` solutions of each at most. */
typedef struct listing {
    const double *targets, *start;
    double *q;
    lb_solution *solutions;
    lb_solutions_summary *summaries;
    int rows;
} listing;

/* one target at a time: its conversion is nothing beside its solutions */
static size_t list_all(lb_solutions_solver *solver, const listing *all, layout from, size_t nq,
                       size_t n)
{
    size_t numbers = layout_numbers((int)from), rows = (size_t)all->rows;
    for (size_t i = 0; i < n; i++) {
        lb_transform target;
        if (layout_read(from, all->targets + i * numbers, 1, &target) < 1)
            return i;
        lb_solutions(solver, &target, all->start, all->rows, all->q + i * rows * nq,
                     all->solutions + i * rows, all->summaries + i);
    }
    return n;
}

/* list(layout, targets, start, rows, q, solutions, summaries) */
static PyObject *solutions_list(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int from, rows;
    Py_buffer targets, start, q, solutions, summaries;
    if (!PyArg_ParseTuple(args, "iy*z*iw*w*w*:list", &from, &targets, &start, &rows, &q, &solutions,
                          &summaries))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own)), numbers = layout_numbers(from);
    size_t n = (size_t)summaries.len / sizeof(lb_solutions_summary),
           total = product(n, (size_t)rows);
    listing all = {targets.buf, start.buf, q.buf, solutions.buf, summaries.buf, rows};
    size_t done = 0;
    bool ran = numbers > 0 && rows >= 0 &&
               buffer_is(&targets, "targets", n * numbers, sizeof(double)) &&
               buffer_is(&start, "start", nq, sizeof(double)) &&
               buffer_is(&q, "q", product(total, nq), sizeof(double)) &&
               buffer_is(&solutions, "solutions", total, sizeof(lb_solution)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            done = list_all(own->object, &all, (layout)from, nq, n);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    if (ran && done < n)
        raise_matrix("target", done);
    PyBuffer_Release(&targets);
    PyBuffer_Release(&start);
    PyBuffer_Release(&q);
    PyBuffer_Release(&solutions);
    PyBuffer_Release(&summaries);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* describe() -> (class, why) */
static PyObject *solutions_describe(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_solutions_solver *solver = ((handle *)self)->object;
    char text[512];
    lb_solutions_describe(solver, text, sizeof text);
    return Py_BuildValue("sN", lb_arm_class_text(lb_solutions_class(solver)), text_object(text));
}

static PyMethodDef solutions_methods[] = {
    {"list", solutions_list, METH_VARARGS, NULL},
    {"describe", solutions_describe, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type solutions_type = {
    "limber._core.Solutions", solutions_new, solutions_methods, {0, NULL}};

/* ---- the elbow's circle --------------------------------------------------------------- */

/* Elbow(model, task) */
static PyObject *elbow_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *dict;
    if (!PyArg_ParseTuple(args, "OO!:Elbow", &owner, &PyDict_Type, &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    lb_elbow *elbow = NULL;
    lb_error error = {0};
    if (model == NULL || !fields_read(dict, lb_task_fields, &task))
        return NULL;
    lb_status status = lb_elbow_create(model, &task, NULL, &elbow, &error);
    if (status != LB_OK)
        return none_or_error(status, &error);
    return handle_make(type, &elbow_kind, elbow, owner);
}

/* arcs(target, start, arcs) -> how many, -1: target or start is invalid; target is a transform by
   columns */
static PyObject *elbow_arcs(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    PyObject *target_object;
    Py_buffer start, arcs;
    lb_transform target;
    if (!PyArg_ParseTuple(args, "Oz*w*:arcs", &target_object, &start, &arcs))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own));
    PyObject *count = NULL;
    if (read_doubles(target_object, &target.x.x, 12) &&
        buffer_is(&start, "start", nq, sizeof(double)) && handle_enter(own)) {
        int room = (int)((size_t)arcs.len / sizeof(lb_elbow_arc));
        count = PyLong_FromLong(lb_elbow_arcs(own->object, &target, start.buf, room, arcs.buf));
        handle_leave(own);
    }
    PyBuffer_Release(&start);
    PyBuffer_Release(&arcs);
    return count;
}

/* at(target, branch, angle, start, q) -> the outcome */
static PyObject *elbow_at(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    PyObject *target_object;
    int branch;
    double angle;
    Py_buffer start, q;
    lb_transform target;
    if (!PyArg_ParseTuple(args, "Oidz*w*:at", &target_object, &branch, &angle, &start, &q))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own));
    PyObject *outcome = NULL;
    if (read_doubles(target_object, &target.x.x, 12) &&
        buffer_is(&start, "start", nq, sizeof(double)) && buffer_is(&q, "q", nq, sizeof(double)) &&
        handle_enter(own)) {
        outcome = PyLong_FromLong(
            (long)lb_elbow_at(own->object, &target, branch, angle, start.buf, q.buf));
        handle_leave(own);
    }
    PyBuffer_Release(&start);
    PyBuffer_Release(&q);
    return outcome;
}

static bool read_goal(PyObject *dict, int *goal)
{
    static const field goal_fields[] = {{"goal", FIELD_ENUM, 0, 1, lb_elbow_goal_texts}, FIELD_END};
    return fields_read(dict, goal_fields, goal);
}

/* best(target, {"goal": ...}, start, q) -> dict */
static PyObject *elbow_best(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    PyObject *target_object, *dict;
    int goal = 0;
    Py_buffer start, q;
    lb_transform target;
    if (!PyArg_ParseTuple(args, "OO!z*w*:best", &target_object, &PyDict_Type, &dict, &start, &q))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own));
    PyObject *made = NULL;
    if (read_doubles(target_object, &target.x.x, 12) && read_goal(dict, &goal) &&
        buffer_is(&start, "start", nq, sizeof(double)) && buffer_is(&q, "q", nq, sizeof(double)) &&
        handle_enter(own)) {
        lb_elbow_choice choice;
        lb_elbow_best(own->object, &target, (lb_elbow_goal)goal, start.buf, q.buf, &choice);
        handle_leave(own);
        made = fields_dict(lb_elbow_choice_fields, &choice);
    }
    PyBuffer_Release(&start);
    PyBuffer_Release(&q);
    return made;
}

static PyObject *elbow_joint(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(lb_elbow_joint(((handle *)self)->object));
}

static PyGetSetDef elbow_properties[] = {
    {"joint", elbow_joint, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef elbow_methods[] = {
    {"arcs", elbow_arcs, METH_VARARGS, NULL},
    {"at", elbow_at, METH_VARARGS, NULL},
    {"best", elbow_best, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type elbow_type = {
    "limber._core.Elbow", elbow_new, elbow_methods, {Py_tp_getset, elbow_properties}};
