/*
 * module.c - the module limber._core: its types, and what the library lists.
 */
#include "tables.h"

#include <limber/body.h>
#include <limber/collision.h>
#include <limber/elbow.h>
#include <limber/formats/bvh.h>
#include <limber/formats/load.h>
#include <limber/motion.h>
#include <limber/synthesis.h>
#include <limber/workspace.h>

/* ---- functions ---------------------------------------------------------------------------- */

/* methods() -> ((name, summary, source), ...) */
static PyObject *list_methods(PyObject *module, PyObject *ignored)
{
    (void)module, (void)ignored;
    PyObject *tuple = PyTuple_New(lb_method_count());
    for (int i = 0; tuple != NULL && i < lb_method_count(); i++) {
        const lb_method *method = lb_method_at(i);
        PyTuple_SetItem(tuple, i,
                        Py_BuildValue("sss", lb_method_name(method), lb_method_summary(method),
                                      lb_method_source(method)));
    }
    return tuple;
}

/* models() -> ((name, summary, source), ...) */
static PyObject *list_models(PyObject *module, PyObject *ignored)
{
    (void)module, (void)ignored;
    PyObject *tuple = PyTuple_New(lb_embedded_count());
    for (int i = 0; tuple != NULL && i < lb_embedded_count(); i++) {
        const lb_embedded *model = lb_embedded_at(i);
        PyTuple_SetItem(tuple, i, Py_BuildValue("sss", model->name, model->summary, model->source));
    }
    return tuple;
}

/* nearest_name(name, names) -> index, -1 for none */
static PyObject *nearest_name(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *names;
    if (!PyArg_ParseTuple(args, "sO!:nearest_name", &name, &PyTuple_Type, &names))
        return NULL;
    Py_ssize_t n = PyTuple_Size(names);
    const char **texts = PyMem_Calloc((size_t)n + 1, sizeof *texts);
    if (texts == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); i++)
        texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i), NULL);
    int nearest = PyErr_Occurred() ? -1 : lb_nearest_name(name, texts, (int)n);
    PyMem_Free(texts);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(nearest);
}

/* random_state(seed): the generator's state that a seed begins with */
static PyObject *random_state(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *given;
    if (!PyArg_ParseTuple(args, "O:random_state", &given))
        return NULL;
    // as the fields of options: what is below 0 is refused
    uint64_t seed = read_seed(given);
    if (PyErr_Occurred())
        return NULL;
    return PyLong_FromUnsignedLongLong(lb_random_seed(seed).state);
}

/* convert(from, to, numbers, out): transforms from one layout to another */
static PyObject *convert(PyObject *module, PyObject *args)
{
    (void)module;
    int from, to;
    Py_buffer numbers, out;
    if (!PyArg_ParseTuple(args, "iiy*w*:convert", &from, &to, &numbers, &out))
        return NULL;
    size_t from_numbers = layout_numbers(from), to_numbers = layout_numbers(to);
    size_t n = from_numbers > 0 ? (size_t)numbers.len / (from_numbers * sizeof(double)) : 0;
    bool fits = from_numbers > 0 && to_numbers > 0 &&
                buffer_is(&numbers, "numbers", n * from_numbers, sizeof(double)) &&
                buffer_is(&out, "out", n * to_numbers, sizeof(double));
    for (size_t i = 0; fits && i < n; i++) {
        lb_transform transform;
        fits = layout_read((layout)from, (const double *)numbers.buf + i * from_numbers, 1,
                           &transform) == 1;
        if (fits)
            layout_write((layout)to, &transform, 1, (double *)out.buf + i * to_numbers);
        else
            raise_matrix("transform", i);
    }
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&out);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* unit(name) -> metres, 0 for an unknown one */
static PyObject *unit(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    if (!PyArg_ParseTuple(args, "s:unit", &name))
        return NULL;
    return PyFloat_FromDouble(lb_bvh_unit(name));
}

static PyMethodDef functions[] = {
    {"methods", list_methods, METH_NOARGS, NULL},
    {"models", list_models, METH_NOARGS, NULL},
    {"nearest_name", nearest_name, METH_VARARGS, NULL},
    {"random_state", random_state, METH_VARARGS, NULL},
    {"unit", unit, METH_VARARGS, NULL},
    {"convert", convert, METH_VARARGS, NULL},
    {"retarget", retarget_clip, METH_VARARGS, NULL},
    {"retarget_slow", retarget_slow, METH_VARARGS, NULL},
    {"retarget_map", retarget_map, METH_VARARGS, NULL},
    {"retarget_rest", retarget_rest, METH_VARARGS, NULL},
    {"walk", walk, METH_VARARGS, NULL},
    {"check_clip", check_clip, METH_VARARGS, NULL},
    {"check_pairs", check_pairs, METH_VARARGS, NULL},
    {"clip_fidelity", clip_fidelity, METH_VARARGS, NULL},
    {"srdf", srdf_load, METH_VARARGS, NULL},
    {"joint_limits", joint_limits_load, METH_VARARGS, NULL},
    {"two_bone", two_bone, METH_VARARGS, NULL},
    {"two_link", two_link, METH_VARARGS, NULL},
    {"bones_step", bones_step, METH_VARARGS, NULL},
    {"synthesize", synthesize, METH_VARARGS, NULL},
    {"four_bar_json", four_bar_json, METH_VARARGS, NULL},
    {"four_bar_values", four_bar_values, METH_VARARGS, NULL},
    {"planar_reaches", planar_reaches, METH_VARARGS, NULL},
    {"draw", figure_draw, METH_VARARGS, NULL},
    {"draw_strip", strip_draw, METH_VARARGS, NULL},
    {"draw_tree", figure_tree, METH_VARARGS, NULL},
    {"draw_workspace", figure_workspace, METH_VARARGS, NULL},
    {"draw_reach", figure_reach, METH_VARARGS, NULL},
    {"reach_join", reach_join, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* ---- the module ----------------------------------------------------------------------------- */

static const char *const layouts[] = {
#define LAYOUT_TEXT(name, rows, columns) #name,
    LAYOUT_LIST(LAYOUT_TEXT)
#undef LAYOUT_TEXT
        NULL};
static const char *const check_units[] = {
#define UNIT_OF(name, text, unit, threshold) unit,
    LB_CHECK_LIST(UNIT_OF)
#undef UNIT_OF
        NULL};

static bool add(PyObject *module, const char *name, PyObject *value)
{
    bool done = value != NULL && PyModule_AddObjectRef(module, name, value) == 0;
    Py_XDECREF(value);
    return done;
}

static bool add_type(PyObject *module, const handle_type *t)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)handle_dealloc},
                           {Py_tp_methods, t->methods},
                           t->make != NULL ? (PyType_Slot){Py_tp_new, (void *)t->make} : t->more,
                           t->make != NULL ? t->more : (PyType_Slot){0, NULL},
                           {0, NULL}};
    PyType_Spec spec = {.name = t->name,
                        .basicsize = sizeof(handle),
                        .flags = Py_TPFLAGS_DEFAULT |
                                 (t->make == NULL ? Py_TPFLAGS_DISALLOW_INSTANTIATION : 0),
                        .slots = slots};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    bool done = type != NULL && PyModule_AddType(module, (PyTypeObject *)type) == 0;
    Py_XDECREF(type);
    return done;
}

static bool add_types(PyObject *module)
{
#define TYPE_OF(name, text, release) &name##_type,
    const handle_type *const types[] = {HANDLES_LIST(TYPE_OF)};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!add_type(module, types[i]))
            return false;
    return true;
}

/* what numpy.dtype takes for each struct that is read in place */
#define DTYPES_LIST(X)                                                                             \
    X("IK_RESULT", lb_ik_result)                                                                   \
    X("SINGULARITY", lb_singularity)                                                               \
    X("SOLUTION", lb_solution)                                                                     \
    X("SUMMARY", lb_solutions_summary)                                                             \
    X("BODY_RESULT", lb_body_result)                                                               \
    X("BODY_OUTCOME", lb_body_outcome)                                                             \
    X("ARC", lb_elbow_arc)                                                                         \
    X("ASSEMBLY_RESULT", lb_assembly_result)                                                       \
    X("FRAME", lb_frame)                                                                           \
    X("PLACE", lb_place)                                                                           \
    X("TWO_BONE", lb_two_bone)                                                                     \
    X("CHECK_PAIR", lb_check_pair)                                                                 \
    X("PROXIMITY", lb_proximity)                                                                   \
    X("CELL", lb_workspace_cell)

static bool add_dtypes(PyObject *module)
{
#define ADD_DTYPE(name, type) &&add(module, name, fields_dtype(type##_fields, sizeof(type)))
    return true DTYPES_LIST(ADD_DTYPE);
}

/* the options that Python has as keywords: what each is where it is not given */
#define DEFAULTS_LIST(X)                                                                           \
    X(lb_body_options, lb_body_options_default())                                                  \
    X(lb_collision_options, lb_collision_options_default())                                        \
    X(lb_contact_options, lb_contact_options_default())                                            \
    X(lb_follow, lb_follow_default(task, NULL, 1))                                                 \
    X(lb_gait, lb_gait_default())                                                                  \
    X(lb_placement_options, lb_placement_options_default())                                        \
    X(lb_synthesis_options, lb_synthesis_options_default())                                        \
    X(lb_timing, lb_timing_default(task, NULL))                                                    \
    X(lb_workspace_options, lb_workspace_options_default())

/* a dict of options for each struct by its name */
static PyObject *default_options(void)
{
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    PyObject *all = PyDict_New();
#define ADD_DEFAULTS(type, made)                                                                   \
    if (all != NULL) {                                                                             \
        type options = made;                                                                       \
        PyObject *dict = fields_dict(type##_fields, &options);                                     \
        if (dict == NULL || PyDict_SetItemString(all, #type, dict) != 0)                           \
            Py_CLEAR(all);                                                                         \
        Py_XDECREF(dict);                                                                          \
    }
    DEFAULTS_LIST(ADD_DEFAULTS)
#undef ADD_DEFAULTS
    return all;
}

static int fill_module(PyObject *module)
{
    bool done =
        find_numpy() && add_types(module) && add_dtypes(module) &&
        add(module, "DEFAULTS", default_options()) &&
        add(module, "OUTCOMES", texts_tuple(lb_outcome_texts)) &&
        add(module, "ASSEMBLY_OUTCOMES", texts_tuple(lb_assembly_outcome_texts)) &&
        add(module, "REASONS", texts_tuple(lb_reason_texts)) &&
        add(module, "LAYOUTS", texts_tuple(layouts)) &&
        add(module, "JOINT_KINDS", texts_tuple(lb_joint_kind_texts)) &&
        add(module, "CHECKS", texts_tuple(lb_check_item_texts)) &&
        add(module, "FIDELITIES", texts_tuple(lb_fidelity_item_texts)) &&
        add(module, "CHECK_UNITS", texts_tuple(check_units)) &&
        add(module, "MESH_FITS", texts_tuple(lb_mesh_fit_texts)) &&
        add(module, "BRANCH_ENDS", texts_tuple(lb_branch_end_texts)) &&
        PyModule_AddIntConstant(module, "ARCS_MAX", LB_ELBOW_ARCS_MAX) == 0 &&
        add(module, "VERSION",
            PyUnicode_FromFormat("%d.%d.%d", LB_VERSION_MAJOR, LB_VERSION_MINOR, LB_VERSION_PATCH));
    return done ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill_module}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "limber._core",
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
