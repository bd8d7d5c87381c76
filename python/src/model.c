/*
 * model.c - _core.Model: models from files and tables, what they consist of, and their
 * configurations.
 */
#include "tables.h"

#include <limber/formats/json.h>
#include <limber/formats/load.h>
#include <limber/formats/motion.h>

#include <stdlib.h>
#include <string.h>

/* ---- made from files and tables -------------------------------------------- */

/* the model and the warnings of its file, as a tuple */
static PyObject *loaded(PyTypeObject *type, lb_model *model, const lb_error *error,
                        PyObject *warnings)
{
    PyObject *made =
        model != NULL ? handle_make(type, &model_kind, model, NULL) : raise_error(error);
    if (made != NULL)
        return Py_BuildValue("NN", made, warnings);
    Py_XDECREF(warnings);
    return NULL;
}

/* load(path, strict, loops or None) -> (Model, warnings) */
static PyObject *model_load(PyObject *type, PyObject *args)
{
    PyObject *path;
    int strict;
    const char *loops;
    if (!PyArg_ParseTuple(args, "O&pz:load", PyUnicode_FSConverter, &path, &strict, &loops))
        return NULL;
    PyObject *warnings = PyList_New(0);
    lb_model *model = NULL;
    lb_error error = {.status = LB_OUT_OF_MEMORY};
    lb_load_options options = {
        .warn = collect_warning, .user = warnings, .strict = strict != 0, .loops = loops};
    const char *name = PyBytes_AsString(path);
    if (warnings != NULL) {
        Py_BEGIN_ALLOW_THREADS
            lb_load_with_options(name, &options, &model, &error);
        Py_END_ALLOW_THREADS
    }
    Py_DECREF(path);
    return loaded((PyTypeObject *)type, model, &error, warnings);
}

/* parse(name, text, strict) -> (Model, warnings) */
static PyObject *model_parse(PyObject *type, PyObject *args)
{
    const char *name;
    Py_buffer text;
    int strict;
    if (!PyArg_ParseTuple(args, "sy*p:parse", &name, &text, &strict))
        return NULL;
    PyObject *warnings = PyList_New(0);
    lb_model *model = NULL;
    lb_error error = {.status = LB_OUT_OF_MEMORY};
    lb_load_options options = {.warn = collect_warning, .user = warnings, .strict = strict != 0};
    if (warnings != NULL) {
        Py_BEGIN_ALLOW_THREADS
            lb_load_memory_with_options(name, text.buf, (size_t)text.len, &options, &model, &error);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&text);
    return loaded((PyTypeObject *)type, model, &error, warnings);
}

/* theta, d, a, alpha, lower, upper, kind: a row of from_dh */
enum { DH_NUMBERS = 7 };

static lb_dh_row dh_row(const double *n)
{
    static const lb_joint_kind kinds[] = {LB_JOINT_REVOLUTE, LB_JOINT_PRISMATIC,
                                          LB_JOINT_CONTINUOUS};
    int kind = n[6] == 1 ? 1 : n[6] == 2 ? 2 : 0;
    return (lb_dh_row){kinds[kind], n[0], n[1], n[2], n[3], n[4], n[5]};
}

/* from_dh(name, rows, modified) */
static PyObject *model_from_dh(PyObject *type, PyObject *args)
{
    const char *name;
    Py_buffer rows;
    int modified;
    if (!PyArg_ParseTuple(args, "sy*p:from_dh", &name, &rows, &modified))
        return NULL;
    size_t n = (size_t)rows.len / (DH_NUMBERS * sizeof(double));
    lb_dh_row *table = PyMem_Calloc(n + 1, sizeof *table);
    lb_model *model = NULL;
    lb_error error = {.status = LB_OUT_OF_MEMORY};
    for (size_t i = 0; table != NULL && i < n; i++)
        table[i] = dh_row((const double *)rows.buf + DH_NUMBERS * i);
    if (table != NULL)
        error.status = lb_model_from_dh(name, table, (int)n, modified != 0, NULL, &model, &error);
    PyMem_Free(table);
    PyBuffer_Release(&rows);
    return model != NULL ? handle_make((PyTypeObject *)type, &model_kind, model, NULL)
                         : raise_error(&error);
}

/* a model that a file owns: the library gives it out to be read, and handles only read */
static PyObject *borrowed_model(PyTypeObject *type, const lb_model *model, PyObject *file)
{
    return handle_borrow(type, &model_kind, model, file);
}

/* of_motion(motion): the model that moves */
static PyObject *model_of_motion(PyObject *type, PyObject *file)
{
    const lb_motion *motion = handle_object(file, &motion_kind);
    return motion != NULL ? borrowed_model((PyTypeObject *)type, motion->model, file) : NULL;
}

/* of_gltf(gltf): the model of its nodes */
static PyObject *model_of_gltf(PyObject *type, PyObject *file)
{
    lb_gltf *gltf = handle_object(file, &gltf_kind);
    if (gltf == NULL)
        return NULL;
    return borrowed_model((PyTypeObject *)type, lb_gltf_model(gltf), file);
}

PyObject *file_of(PyObject *model)
{
    PyObject *file = model;
    while (file != NULL && ((handle *)file)->kind == &model_kind)
        file = ((handle *)file)->owner;
    return file;
}

bool is_of_file(PyObject *model, PyObject *file)
{
    bool is = MODEL_OF(model) != NULL && file_of(model) == file;
    if (!is && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "the model is not of this file");
    return is;
}

/* with_root(kind) */
static PyObject *model_with_root(PyObject *self, PyObject *args)
{
    int kind;
    lb_model *made = NULL;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "i:with_root", &kind))
        return NULL;
    lb_status status = lb_model_with_root(MODEL_OF(self), (lb_joint_kind)kind, NULL, &made, &error);
    if (status != LB_OK)
        return none_or_error(status, &error);
    // the file that it is of, if any, and not this one: the next ones would keep all before them
    PyObject *file = file_of(self);
    return handle_make(Py_TYPE(self), &model_kind, made, file);
}

/* ---- the same model with other joints ---------------------------------------- */

/* view(settings): a list of dicts; shares all but the joints with this model, which it keeps, or,
   where that is a view itself, with the one that it is of */
static PyObject *model_view(PyObject *self, PyObject *list)
{
    lb_joint_setting start = lb_joint_setting_make(0);
    int count = 0;
    lb_joint_setting *settings =
        fields_records(list, lb_joint_setting_fields, &start, sizeof start, &count);
    lb_model *view = NULL;
    lb_error error = {0};
    if (settings == NULL)
        return NULL;
    lb_status status = lb_model_view(MODEL_OF(self), settings, count, NULL, &view, &error);
    PyMem_Free(settings);
    enum { VIEW = 1 };
    PyObject *whole = ((handle *)self)->count == VIEW ? ((handle *)self)->owner : self;
    return status == LB_OK ? handle_make_counted(Py_TYPE(self), &model_kind, view, whole, VIEW)
                           : none_or_error(status, &error);
}

/* ---- what it consists of ------------------------------------------------------ */

static bool set_whole(PyObject *dict, const char *name, int value)
{
    PyObject *number = dict != NULL ? PyLong_FromLong(value) : NULL;
    bool done = number != NULL && PyDict_SetItemString(dict, name, number) == 0;
    Py_XDECREF(number);
    return done;
}

static PyObject *joint_dict(const lb_model *model, int i)
{
    const lb_joint *joint = lb_model_joint(model, i);
    PyObject *dict = fields_dict(lb_joint_fields, joint);
    bool mimics = joint->mimic != NULL;
    if (set_whole(dict, "q_index", lb_model_joint_q(model, i)) &&
        set_whole(dict, "v_index", lb_model_joint_v(model, i)) &&
        set_whole(dict, "nq", mimics ? 0 : lb_joint_kind_nq(joint->kind)) &&
        set_whole(dict, "nv", mimics ? 0 : lb_joint_kind_nv(joint->kind)))
        return dict;
    Py_XDECREF(dict);
    return NULL;
}

static PyObject *link_dict(const lb_model *model, int i)
{
    PyObject *dict = fields_dict(lb_link_fields, lb_model_link(model, i));
    if (set_whole(dict, "parent", lb_model_parent(model, i)))
        return dict;
    Py_XDECREF(dict);
    return NULL;
}

/* the dicts of all `count` parts */
static PyObject *part_list(const lb_model *model, int count,
                           PyObject *part(const lb_model *model, int i))
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < count; i++) {
        PyObject *dict = part(model, i);
        if (dict == NULL || PyList_Append(list, dict) != 0)
            Py_CLEAR(list);
        Py_XDECREF(dict);
    }
    return list;
}

static PyObject *model_joints(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return part_list(MODEL_OF(self), lb_model_joint_count(MODEL_OF(self)), joint_dict);
}

static PyObject *model_links(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return part_list(MODEL_OF(self), lb_model_link_count(MODEL_OF(self)), link_dict);
}

static PyObject *loop_dict(const lb_model *model, int i)
{
    return fields_dict(lb_loop_fields, lb_model_loop(model, i));
}

static PyObject *model_loops(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return part_list(MODEL_OF(self), lb_model_loop_count(MODEL_OF(self)), loop_dict);
}

/* describe() -> (name, nq, nv, root) */
static PyObject *model_describe(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_model *model = MODEL_OF(self);
    lb_transform root = lb_model_root(model);
    static const field root_field[] = {{"root", FIELD_TRANSFORM, 0, 1, NULL}, FIELD_END};
    return Py_BuildValue("NiiN", text_object(lb_model_name(model)), lb_model_nq(model),
                         lb_model_nv(model), fields_dict(root_field, &root));
}

/* find_link(name): an index, LB_NO_LINK for none */
static PyObject *model_find_link(PyObject *self, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s:find_link", &name))
        return NULL;
    return PyLong_FromLong(lb_model_find_link(MODEL_OF(self), name));
}

static PyObject *model_find_joint(PyObject *self, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s:find_joint", &name))
        return NULL;
    return PyLong_FromLong(lb_model_find_joint(MODEL_OF(self), name));
}

static PyObject *model_tips(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    int tips[LB_DEFAULT_TIPS], count = 0;
    lb_status status = lb_model_default_tips(MODEL_OF(self), NULL, tips, &count);
    if (status != LB_OK)
        return none_or_status(status, "tips");
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple != NULL && i < count; i++)
        PyTuple_SetItem(tuple, i, PyLong_FromLong(tips[i]));
    return tuple;
}

static PyObject *model_json(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    char *text = NULL;
    lb_error error = {0};
    lb_status status = lb_json_write(MODEL_OF(self), NULL, &text, &error);
    if (status != LB_OK)
        return none_or_error(status, &error);
    PyObject *made = text_object(text);
    free(text);
    return made;
}

/* ---- configurations ------------------------------------------------------------ */

/* random(state, q): fills rows; returns the generator's next state */
static PyObject *model_random(PyObject *self, PyObject *args)
{
    const lb_model *model = MODEL_OF(self);
    unsigned long long state;
    Py_buffer q;
    if (!PyArg_ParseTuple(args, "Kw*:random", &state, &q))
        return NULL;
    lb_random random = {state};
    size_t nq = (size_t)lb_model_nq(model),
           rows = nq > 0 ? (size_t)q.len / (nq * sizeof(double)) : 0;
    for (size_t i = 0; i < rows; i++)
        lb_configuration_random(model, &random, (double *)q.buf + i * nq);
    PyBuffer_Release(&q);
    return PyLong_FromUnsignedLongLong(random.state);
}

static PyObject *model_neutral(PyObject *self, PyObject *q)
{
    const lb_model *model = MODEL_OF(self);
    Py_buffer out;
    if (PyObject_GetBuffer(q, &out, PyBUF_WRITABLE) != 0)
        return NULL;
    bool fits = buffer_is(&out, "q", (size_t)lb_model_nq(model), sizeof(double));
    if (fits)
        lb_configuration_neutral(model, out.buf);
    PyBuffer_Release(&out);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* validate(q, tolerance): raises LimberError, naming the joint */
static PyObject *model_validate(PyObject *self, PyObject *args)
{
    const lb_model *model = MODEL_OF(self);
    Py_buffer q;
    double tolerance;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "y*d:validate", &q, &tolerance))
        return NULL;
    PyObject *result = NULL;
    if (buffer_is(&q, "q", (size_t)lb_model_nq(model), sizeof(double)))
        result = none_or_error(lb_configuration_validate(model, q.buf, tolerance, &error), &error);
    PyBuffer_Release(&q);
    return result;
}

/* What is done with rows of two arrays, a and b, into a third: numbers of b and of the result. */
typedef enum row_work { INTEGRATE, DIFFERENCE, INTERPOLATE, CLAMP } row_work;

static void do_row(const lb_model *model, row_work work, const double *a, const double *b, double t,
                   double *out)
{
    switch (work) {
    case INTEGRATE:
        lb_configuration_integrate(model, a, b, out);
        break;
    case DIFFERENCE:
        lb_configuration_difference(model, a, b, out);
        break;
    case INTERPOLATE:
        lb_configuration_interpolate(model, a, b, t, out);
        break;
    case CLAMP:
        lb_configuration_clamp(model, a, out);
        break;
    }
}

/* combine(work, rows, a, b, t, out): row by row; t has a number for each row or is None */
static PyObject *model_combine(PyObject *self, PyObject *args)
{
    const lb_model *model = MODEL_OF(self);
    size_t nq = (size_t)lb_model_nq(model), nv = (size_t)lb_model_nv(model);
    int work;
    Py_ssize_t rows;
    Py_buffer a, b, t, out;
    if (!PyArg_ParseTuple(args, "iny*y*z*w*:combine", &work, &rows, &a, &b, &t, &out))
        return NULL;
    size_t n = (size_t)rows, b_numbers = work == INTEGRATE ? nv : nq;
    size_t out_numbers = work == DIFFERENCE ? nv : nq;
    bool fits = range_is(0, rows, SIZE_MAX) && buffer_is(&a, "a", product(n, nq), sizeof(double)) &&
                buffer_is(&b, "b", product(n, b_numbers), sizeof(double)) &&
                buffer_is(&t, "t", n, sizeof(double)) &&
                buffer_is(&out, "out", product(n, out_numbers), sizeof(double));
    const double *times = t.buf;
    Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; fits && i < n; i++)
            do_row(model, (row_work)work, (const double *)a.buf + i * nq,
                   (const double *)b.buf + i * b_numbers, times != NULL ? times[i] : 0,
                   (double *)out.buf + i * out_numbers);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    PyBuffer_Release(&t);
    PyBuffer_Release(&out);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* ---- the type -------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"load", model_load, METH_VARARGS | METH_CLASS, NULL},
    {"parse", model_parse, METH_VARARGS | METH_CLASS, NULL},
    {"from_dh", model_from_dh, METH_VARARGS | METH_CLASS, NULL},
    {"of_motion", model_of_motion, METH_O | METH_CLASS, NULL},
    {"of_gltf", model_of_gltf, METH_O | METH_CLASS, NULL},
    {"with_root", model_with_root, METH_VARARGS, NULL},
    {"view", model_view, METH_O, NULL},
    {"describe", model_describe, METH_NOARGS, NULL},
    {"joints", model_joints, METH_NOARGS, NULL},
    {"links", model_links, METH_NOARGS, NULL},
    {"loops", model_loops, METH_NOARGS, NULL},
    {"find_link", model_find_link, METH_VARARGS, NULL},
    {"find_joint", model_find_joint, METH_VARARGS, NULL},
    {"tips", model_tips, METH_NOARGS, NULL},
    {"json", model_json, METH_NOARGS, NULL},
    {"random", model_random, METH_VARARGS, NULL},
    {"neutral", model_neutral, METH_O, NULL},
    {"validate", model_validate, METH_VARARGS, NULL},
    {"combine", model_combine, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type model_type = {"limber._core.Model", NULL, methods, {0, NULL}};
