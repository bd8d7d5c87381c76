/*
 * ik.c - _core.Ik: inverse kinematics of many targets at once.
 */
#include "tables.h"

#include <string.h>

/* ---- tables -------------------------------------------------------------------- */

/* ---- creating -------------------------------------------------------------------- */

/* gains or desired values, NULL for None; false after an exception */
static bool optional_numbers(const Py_buffer *buffer, const char *what, int count,
                             const double **numbers)
{
    *numbers = buffer->buf;
    return buffer_is(buffer, what, (size_t)count, sizeof(double));
}

static bool read_method(const char *name, lb_ik_options *options)
{
    options->method = lb_method_find(name);
    if (options->method == NULL)
        PyErr_Format(PyExc_ValueError, "method: there is no '%s'; limber.methods() lists them",
                     name);
    return options->method != NULL;
}

/* what one row gives: q and a record */
static PyObject *row_results(const lb_model *model)
{
    PyObject *type = numpy_type(fields_dtype(lb_ik_result_fields, sizeof(lb_ik_result)));
    return type != NULL ? Py_BuildValue("(((i))(()N))", lb_model_nq(model), type) : NULL;
}

/* Ik(model, tasks, method, options, gains, desired) */
static PyObject *ik_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *list, *dict;
    const char *method;
    Py_buffer gains, desired;
    if (!PyArg_ParseTuple(args, "OO!sO!z*z*:Ik", &owner, &PyList_Type, &list, &method, &PyDict_Type,
                          &dict, &gains, &desired))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_ik_options options = lb_ik_options_default();
    lb_task start = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    lb_task *tasks = NULL;
    int count = 0;
    lb_ik *ik = NULL;
    lb_error error = {0};
    bool fine =
        model != NULL && read_method(method, &options) &&
        optional_numbers(&gains, "gains", lb_model_nv(model), &options.gains) &&
        optional_numbers(&desired, "desired", lb_model_nq(model), &options.desired) &&
        fields_read(dict, lb_ik_options_fields, &options) &&
        (tasks = fields_records(list, lb_task_fields, &start, sizeof start, &count)) != NULL;
    if (fine && lb_ik_create(model, tasks, count, &options, NULL, &ik, &error) != LB_OK)
        raise_error(&error);
    PyMem_Free(tasks);
    PyBuffer_Release(&gains);
    PyBuffer_Release(&desired);
    if (ik == NULL)
        return NULL;
    handle *made = (handle *)handle_make_counted(type, &ik_kind, ik, owner, (size_t)count);
    if (made != NULL && (made->results = row_results(model)) == NULL)
        Py_CLEAR(made);
    return (PyObject *)made;
}

/* ---- solving --------------------------------------------------------------------- */

/* Problems, and how their targets are laid out. */
typedef struct problems {
    lb_ik *ik;
    layout from;
    size_t count, tasks, numbers; /* problems; targets of each; numbers of a target */
    size_t nq;
    const double *targets;
    lb_batch batch; /* starts, q and results */
} problems;

/* targets in limber's own layout are read where they are */
static size_t solve_in_place(problems *p)
{
    p->batch.targets = (const lb_transform *)(const void *)p->targets;
    lb_batch_solve(p->ik, &p->batch, 0, p->count);
    return p->count;
}

/* others are converted a block at a time; returns the row of a matrix that is none, else the count
 */
static size_t solve_converted(const problems *p, lb_transform *block)
{
    const lb_batch *all = &p->batch;
    for (size_t row = 0; row < p->count; row += LAYOUT_BLOCK) {
        size_t rows = p->count - row < LAYOUT_BLOCK ? p->count - row : LAYOUT_BLOCK;
        size_t n = rows * p->tasks;
        size_t read = layout_read(p->from, p->targets + row * p->tasks * p->numbers, n, block);
        if (read < n)
            return row + read / p->tasks;
        lb_batch part = {.targets = block,
                         .starts = all->starts,
                         .q = all->q + row * p->nq,
                         .results = all->results + row};
        if (part.starts != NULL)
            part.starts += row * p->nq;
        lb_batch_solve(p->ik, &part, 0, rows);
    }
    return p->count;
}

static PyObject *solve_all(handle *self, problems *p)
{
    bool direct = p->from == LAYOUT_COLUMNS;
    lb_transform *block =
        direct ? NULL : PyMem_Malloc(LAYOUT_BLOCK * p->tasks * sizeof(lb_transform));
    if (!direct && block == NULL)
        return PyErr_NoMemory();
    size_t done = 0;
    bool entered = handle_enter(self);
    if (entered) {
        Py_BEGIN_ALLOW_THREADS
            done = direct ? solve_in_place(p) : solve_converted(p, block);
        Py_END_ALLOW_THREADS
        handle_leave(self);
    }
    PyMem_Free(block);
    if (entered && done < p->count)
        raise_matrix("target", done);
    return entered && done == p->count ? Py_NewRef(Py_None) : NULL;
}

/* solve(layout, targets, starts, q, results): as many problems as there are results */
static PyObject *ik_solve(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int from;
    Py_buffer targets, starts, q, results;
    if (!PyArg_ParseTuple(args, "iy*z*w*w*:solve", &from, &targets, &starts, &q, &results))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own)), numbers = layout_numbers(from);
    size_t n = (size_t)results.len / sizeof(lb_ik_result);
    problems p = {.ik = own->object,
                  .from = (layout)from,
                  .count = n,
                  .tasks = own->count,
                  .numbers = numbers,
                  .nq = nq,
                  .targets = targets.buf,
                  .batch = {.starts = starts.buf, .q = q.buf, .results = results.buf}};
    PyObject *result = NULL;
    if (numbers > 0 && buffer_is(&targets, "targets", n * p.tasks * numbers, sizeof(double)) &&
        buffer_is(&starts, "starts", n * nq, sizeof(double)) &&
        buffer_is(&q, "q", n * nq, sizeof(double)))
        result = solve_all(own, &p);
    PyBuffer_Release(&targets);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&q);
    PyBuffer_Release(&results);
    return result;
}

/* one target in any layout but points, which only some tasks take */
static bool row_target(PyObject *value, Py_buffer *target, layout *from)
{
    if (!row_view(value, target))
        return false;
    for (int which = 0; which < LAYOUT_POINT; which++) {
        Py_ssize_t sizes[2];
        *from = (layout)which;
        if (row_is(target, layout_shape(*from, sizes), sizes))
            return true;
    }
    PyBuffer_Release(target);
    return false;
}

/* row(target, start or None) -> (q, result, the target's transform as bytes); None: they are no
   rows of float64, or the target is one that solve() refuses */
static PyObject *ik_row(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    handle *own = (handle *)self;
    Py_ssize_t nq = lb_model_nq(handle_model(own));
    Py_buffer target, start = {0}, memory[2];
    lb_transform aim;
    layout from;
    if (count != 2 || own->count != 1 || !row_target(args[0], &target, &from))
        Py_RETURN_NONE;
    bool fits = layout_read(from, target.buf, 1, &aim) == 1;
    PyBuffer_Release(&target);
    if (!fits || (!Py_IsNone(args[1]) && !vector_view(args[1], nq, &start)))
        Py_RETURN_NONE;
    PyObject *made = new_arrays(own->results, memory);
    bool fine = made != NULL && handle_enter(own);
    if (fine) {
        const double *begin = start.buf;
        if (begin == NULL) {
            lb_configuration_neutral(handle_model(own), memory[0].buf);
            begin = memory[0].buf;
        }
        Py_BEGIN_ALLOW_THREADS
            lb_ik_solve(own->object, &aim, begin, memory[0].buf, memory[1].buf);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    if (made != NULL)
        buffers_release(memory, 2);
    PyBuffer_Release(&start);
    // the target as it was: its array may change before the result is explained
    PyObject *given = fine ? PyBytes_FromStringAndSize((char *)&aim, sizeof aim) : NULL;
    PyObject *found = NULL;
    if (given != NULL)
        found = PyTuple_Pack(3, PyTuple_GetItem(made, 0), PyTuple_GetItem(made, 1), given);
    Py_XDECREF(given);
    Py_XDECREF(made);
    return found;
}

/* the transforms of one problem, converted; false after an exception */
static bool read_targets(const Py_buffer *targets, int from, size_t tasks, lb_transform *block)
{
    size_t numbers = layout_numbers(from);
    if (numbers == 0 || !buffer_is(targets, "target", tasks * numbers, sizeof(double)))
        return false;
    if (layout_read((layout)from, targets->buf, tasks, block) == tasks)
        return true;
    return raise_matrix("target", 0) != NULL;
}

/* step(layout, targets, q, results, progress): one iteration of each row in place */
static PyObject *ik_step(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int from;
    Py_buffer b[4];
    if (!PyArg_ParseTuple(args, "iy*w*w*w*:step", &from, &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    size_t n = (size_t)b[3].len / sizeof(int), nq = (size_t)lb_model_nq(handle_model(own));
    lb_transform *block = PyMem_Calloc(n * own->count + 1, sizeof *block);
    bool ran = block != NULL && read_targets(&b[0], from, n * own->count, block) &&
               buffer_is(&b[1], "q", n * nq, sizeof(double)) &&
               buffer_is(&b[2], "results", n, sizeof(lb_ik_result)) && handle_enter(own);
    for (size_t i = 0; ran && i < n; i++)
        ((int *)b[3].buf)[i] =
            (int)lb_ik_step(own->object, block + i * own->count, (double *)b[1].buf + i * nq,
                            (lb_ik_result *)b[2].buf + i);
    if (ran)
        handle_leave(own);
    PyMem_Free(block);
    buffers_release(b, 4);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* derivative(layout, targets, q, damping, out): the derivative of each row, nv x 6 a task */
static PyObject *ik_derivative(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int from;
    double damping;
    Py_buffer b[3];
    if (!PyArg_ParseTuple(args, "iy*y*dw*:derivative", &from, &b[0], &b[1], &damping, &b[2]))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own)), nv = (size_t)lb_model_nv(handle_model(own));
    size_t size = nv * 6 * own->count, n = (size_t)b[2].len / sizeof(double) / size;
    lb_transform *block = PyMem_Calloc(n * own->count + 1, sizeof *block);
    bool ran = block != NULL && read_targets(&b[0], from, n * own->count, block) &&
               buffer_is(&b[1], "q", n * nq, sizeof(double)) && handle_enter(own);
    for (size_t i = 0; ran && i < n; i++)
        lb_ik_derivative(own->object, block + i * own->count, (double *)b[1].buf + i * nq, damping,
                         (double *)b[2].buf + i * size);
    if (ran)
        handle_leave(own);
    PyMem_Free(block);
    buffers_release(b, 3);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* explain(layout, targets, q, result) -> a sentence or two */
static PyObject *ik_explain(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int from;
    Py_buffer targets, q, result;
    if (!PyArg_ParseTuple(args, "iy*y*y*:explain", &from, &targets, &q, &result))
        return NULL;
    lb_transform *block = PyMem_Calloc(own->count + 1, sizeof *block);
    PyObject *said = NULL;
    if (block != NULL && read_targets(&targets, from, own->count, block) &&
        buffer_is(&q, "q", (size_t)lb_model_nq(handle_model(own)), sizeof(double)) &&
        buffer_is(&result, "result", 1, sizeof(lb_ik_result)) && handle_enter(own)) {
        char text[1024];
        lb_ik_explain(own->object, block, q.buf, result.buf, text, sizeof text);
        said = text_object(text);
        handle_leave(own);
    }
    PyMem_Free(block);
    PyBuffer_Release(&targets);
    PyBuffer_Release(&q);
    PyBuffer_Release(&result);
    return said;
}

/* the options as they were chosen, and the method's name */
static PyObject *ik_options(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_ik_options *options = lb_ik_get_options(((handle *)self)->object);
    return Py_BuildValue("sN", lb_method_name(options->method),
                         fields_dict(lb_ik_options_fields, options));
}

/* ---- the type -------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"row", (PyCFunction)(void (*)(void))ik_row, METH_FASTCALL, NULL},
    {"solve", ik_solve, METH_VARARGS, NULL},
    {"step", ik_step, METH_VARARGS, NULL},
    {"derivative", ik_derivative, METH_VARARGS, NULL},
    {"explain", ik_explain, METH_VARARGS, NULL},
    {"options", ik_options, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type ik_type = {"limber._core.Ik", ik_new, methods, {0, NULL}};
