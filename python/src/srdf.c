/*
 * srdf.c - files beside a model: groups and named states (SRDF), limits of joints. All of a file
 * becomes plain Python data at once.
 */
#include "tables.h"

#include <limber/formats/joint_limits.h>
#include <limber/formats/srdf.h>

/* ---- SRDF ---------------------------------------------------------------------------- */

/* the joints of a group */
static PyObject *group_joints(const lb_srdf *srdf, int group, int joints)
{
    PyObject *list = PyList_New(0);
    for (int j = 0; list != NULL && j < joints; j++) {
        PyObject *index = lb_srdf_group_has(srdf, group, j) ? PyLong_FromLong(j) : NULL;
        if (index != NULL && PyList_Append(list, index) != 0)
            Py_CLEAR(list);
        Py_XDECREF(index);
    }
    return list;
}

/* (name, base, tip, joints) */
static PyObject *group_item(const lb_srdf *srdf, const lb_model *model, int i)
{
    const lb_srdf_group *group = lb_srdf_group_at(srdf, i);
    return Py_BuildValue("NiiN", text_object(group->name), group->base, group->tip,
                         group_joints(srdf, i, lb_model_joint_count(model)));
}

/* (name, group, parent link, parent group) */
static PyObject *effector_item(const lb_srdf *srdf, const lb_model *model, int i)
{
    (void)model;
    const lb_srdf_end_effector *effector = lb_srdf_end_effector_at(srdf, i);
    return Py_BuildValue("Niii", text_object(effector->name), effector->group,
                         effector->parent_link, effector->parent_group);
}

/* (name, group, values of q, NaN where the state has none) */
static PyObject *state_item(const lb_srdf *srdf, const lb_model *model, int i)
{
    int nq = lb_model_nq(model);
    double *q = PyMem_Calloc((size_t)nq + 1, sizeof *q);
    if (q == NULL)
        return PyErr_NoMemory();
    for (int k = 0; k < nq; k++)
        q[k] = NAN;
    lb_srdf_apply_state(srdf, i, q);
    const lb_srdf_state *state = lb_srdf_state_at(srdf, i);
    PyObject *item = Py_BuildValue("Niy#", text_object(state->name), state->group, (const char *)q,
                                   (Py_ssize_t)((size_t)nq * sizeof *q));
    PyMem_Free(q);
    return item;
}

/* (link, link, reason) */
static PyObject *pair_item(const lb_srdf *srdf, const lb_model *model, int i)
{
    (void)model;
    const lb_srdf_pair *pair = lb_srdf_pair_at(srdf, i);
    return Py_BuildValue("iiN", pair->link1, pair->link2, text_object(pair->reason));
}

/* What a file has several of. */
static const struct {
    const char *name;
    int (*count)(const lb_srdf *srdf);
    PyObject *(*item)(const lb_srdf *srdf, const lb_model *model, int i);
} lists[] = {
    {"groups", lb_srdf_group_count, group_item},
    {"end_effectors", lb_srdf_end_effector_count, effector_item},
    {"states", lb_srdf_state_count, state_item},
    {"pairs", lb_srdf_pair_count, pair_item},
};

static PyObject *srdf_dict(const lb_srdf *srdf, const lb_model *model)
{
    PyObject *dict = PyDict_New();
    for (size_t k = 0; dict != NULL && k < sizeof lists / sizeof *lists; k++) {
        int n = lists[k].count(srdf);
        PyObject *list = PyList_New(n);
        for (int i = 0; list != NULL && i < n; i++)
            PyList_SetItem(list, i, lists[k].item(srdf, model, i));
        if (list == NULL || PyErr_Occurred() ||
            PyDict_SetItemString(dict, lists[k].name, list) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(list);
    }
    return dict;
}

/* srdf(model, path, strict) -> ({groups, end_effectors, states, pairs}, warnings) */
PyObject *srdf_load(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *owner, *path, *made = NULL;
    int strict;
    if (!PyArg_ParseTuple(args, "OO&p:srdf", &owner, PyUnicode_FSConverter, &path, &strict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    PyObject *warnings = PyList_New(0);
    if (model != NULL && warnings != NULL) {
        lb_load_options options = {.warn = collect_warning, .user = warnings, .strict = strict};
        lb_srdf *srdf = NULL;
        lb_error error = {0};
        lb_status status = lb_srdf_load(PyBytes_AsString(path), model, &options, &srdf, &error);
        made = status == LB_OK ? srdf_dict(srdf, model) : none_or_error(status, &error);
        lb_srdf_release(srdf);
    }
    Py_DECREF(path);
    if (made != NULL)
        return Py_BuildValue("NN", made, warnings);
    Py_XDECREF(warnings);
    return NULL;
}

/* ---- limits -------------------------------------------------------------------------- */

static PyObject *limits_list(const lb_joint_limit *limits, int n)
{
    PyObject *list = PyList_New(n);
    for (int j = 0; list != NULL && j < n; j++)
        PyList_SetItem(list, j, fields_dict(lb_joint_limit_fields, &limits[j]));
    return list;
}

/* joint_limits(model, path, strict) -> (a dict for each joint, warnings) */
PyObject *joint_limits_load(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *owner, *path, *made = NULL;
    int strict;
    if (!PyArg_ParseTuple(args, "OO&p:joint_limits", &owner, PyUnicode_FSConverter, &path, &strict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    int n = model == NULL ? 0 : lb_model_joint_count(model);
    PyObject *warnings = PyList_New(0);
    lb_joint_limit *limits = PyMem_Calloc((size_t)n + 1, sizeof *limits);
    if (limits == NULL)
        PyErr_NoMemory();
    if (!PyErr_Occurred()) {
        lb_load_options options = {.warn = collect_warning, .user = warnings, .strict = strict};
        lb_error error = {0};
        lb_status status =
            lb_joint_limits_load(PyBytes_AsString(path), model, &options, limits, &error);
        made = status == LB_OK ? limits_list(limits, n) : none_or_error(status, &error);
    }
    PyMem_Free(limits);
    Py_DECREF(path);
    if (made != NULL)
        return Py_BuildValue("NN", made, warnings);
    Py_XDECREF(warnings);
    return NULL;
}
