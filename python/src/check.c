/*
 * check.c - what is wrong with a motion, key by key and pair by pair of links.
 */
#include "tables.h"

#include <limber/check.h>
#include <limber/fidelity.h>

/* {item: what the report has of it} */
static PyObject *report_dict(const lb_check_report *report)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict != NULL && i < LB_CHECK_COUNT; i++) {
        PyObject *item = fields_dict(lb_check_worst_fields, &report->items[i]);
        if (item == NULL || PyDict_SetItemString(dict, lb_check_text((lb_check_item)i), item) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(item);
    }
    return dict;
}

/* What a clip is checked with; `collision` is None, or what has options.collision. */
typedef struct checking {
    const lb_clip *clip;
    lb_contacts *contacts;
    handle *held; /* what has these contacts, or NULL */
    PyObject *collision;
    lb_check_options options;
} checking;

/* the ground is its height and its normal; a threshold that is NaN stays as the library has it */
static bool read_options(checking *c, const Py_buffer *ground, const Py_buffer *thresholds,
                         const Py_buffer *accelerations)
{
    size_t joints = (size_t)lb_model_joint_count(lb_clip_model(c->clip));
    if (!buffer_is(ground, "ground", 4, sizeof(double)) ||
        !buffer_is(thresholds, "thresholds", LB_CHECK_COUNT, sizeof(double)) ||
        !buffer_is(accelerations, "accelerations", joints, sizeof(double)))
        return false;
    const double *plane = ground->buf, *given = thresholds->buf;
    c->options.ground = plane[0];
    c->options.ground_normal = lb_vec3_make(plane[1], plane[2], plane[3]);
    c->options.accelerations = accelerations->buf;
    for (int i = 0; i < LB_CHECK_COUNT; i++)
        if (!isnan(given[i]))
            c->options.thresholds[i] = given[i];
    return true;
}

/* the collision belongs to this thread meanwhile, and the contacts stay as they are */
static PyObject *run_check(const checking *c, double *values)
{
    lb_check_report report;
    lb_error error = {0};
    lb_status status;
    if (c->held != NULL && !handle_share(c->held))
        return NULL;
    if (c->options.collision != NULL && !handle_enter((handle *)c->collision)) {
        if (c->held != NULL)
            handle_unshare(c->held);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
        status = lb_clip_check(c->clip, c->contacts, &c->options, NULL, values, &report, &error);
    Py_END_ALLOW_THREADS
    if (c->options.collision != NULL)
        handle_leave((handle *)c->collision);
    if (c->held != NULL)
        handle_unshare(c->held);
    return status == LB_OK ? report_dict(&report) : none_or_error(status, &error);
}

/* check_clip(clip, contacts or None, collision or None, ground, thresholds, accelerations or None,
   values) -> {item: what is worst} */
PyObject *check_clip(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *clip, *contacts, *dict = NULL;
    checking c = {.options = lb_check_options_default()};
    Py_buffer ground, thresholds, accelerations, values;
    if (!PyArg_ParseTuple(args, "OOOy*y*z*w*:check_clip", &clip, &contacts, &c.collision, &ground,
                          &thresholds, &accelerations, &values))
        return NULL;
    void *points = NULL, *overlaps = NULL;
    c.clip = handle_object(clip, &clip_kind);
    if (c.clip != NULL && optional_object(contacts, &contacts_kind, &points) &&
        optional_object(c.collision, &collision_kind, &overlaps) &&
        read_options(&c, &ground, &thresholds, &accelerations) &&
        buffer_is(&values, "values", (size_t)lb_clip_count(c.clip) * LB_CHECK_COUNT,
                  sizeof(double))) {
        c.contacts = points;
        c.held = points == NULL ? NULL : (handle *)contacts;
        c.options.collision = overlaps;
        dict = run_check(&c, values.buf);
    }
    PyBuffer_Release(&ground);
    PyBuffer_Release(&thresholds);
    PyBuffer_Release(&accelerations);
    PyBuffer_Release(&values);
    return dict;
}

/* check_pairs(clip, collision, margin, pairs): a record for each pair of the collision */
PyObject *check_pairs(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *given, *owner, *done = NULL;
    double margin;
    Py_buffer pairs;
    if (!PyArg_ParseTuple(args, "OOdw*:check_pairs", &given, &owner, &margin, &pairs))
        return NULL;
    const lb_clip *clip = handle_object(given, &clip_kind);
    lb_collision *collision = clip == NULL ? NULL : handle_object(owner, &collision_kind);
    if (collision != NULL &&
        buffer_is(&pairs, "pairs", (size_t)lb_collision_pair_count(collision),
                  sizeof(lb_check_pair)) &&
        handle_enter((handle *)owner)) {
        lb_error error = {0};
        lb_status status;
        Py_BEGIN_ALLOW_THREADS
            status = lb_clip_check_pairs(clip, collision, margin, NULL, pairs.buf, &error);
        Py_END_ALLOW_THREADS
        handle_leave((handle *)owner);
        done = none_or_error(status, &error);
    }
    PyBuffer_Release(&pairs);
    return done;
}

/* what is known of a report, and {item: what is worst} */
static PyObject *fidelity_dict(const lb_fidelity_report *report)
{
    PyObject *dict = fields_dict(lb_fidelity_report_fields, report);
    for (int i = 0; dict != NULL && i < LB_FIDELITY_COUNT; i++) {
        if (!report->items[i].known)
            continue;
        PyObject *item = fields_dict(lb_fidelity_worst_fields, &report->items[i]);
        const char *name = lb_fidelity_text((lb_fidelity_item)i);
        if (item == NULL || PyDict_SetItemString(dict, name, item) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(item);
    }
    return dict;
}

/* clip_fidelity(clip, source, grounds, thresholds) -> {field or item: its value}; the normals of
   both grounds, the clip's first; a threshold that is NaN stays as the library has it */
PyObject *clip_fidelity(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *clip, *source, *dict = NULL;
    Py_buffer grounds, thresholds;
    if (!PyArg_ParseTuple(args, "OOy*y*:clip_fidelity", &clip, &source, &grounds, &thresholds))
        return NULL;
    const lb_clip *of = handle_object(clip, &clip_kind);
    const lb_clip *beside = of == NULL ? NULL : handle_object(source, &clip_kind);
    if (beside != NULL && buffer_is(&grounds, "grounds", 2, sizeof(lb_vec3)) &&
        buffer_is(&thresholds, "thresholds", LB_FIDELITY_COUNT, sizeof(double))) {
        const lb_vec3 *normals = grounds.buf;
        lb_fidelity_options options = lb_fidelity_options_default();
        options.ground_normal = normals[0];
        options.source_ground_normal = normals[1];
        lb_fidelity_report report;
        lb_error error = {0};
        lb_status status;
        for (int i = 0; i < LB_FIDELITY_COUNT; i++)
            if (!isnan(((const double *)thresholds.buf)[i]))
                options.thresholds[i] = ((const double *)thresholds.buf)[i];
        Py_BEGIN_ALLOW_THREADS
            status = lb_clip_fidelity(of, beside, &options, NULL, NULL, &report, &error);
        Py_END_ALLOW_THREADS
        dict = status == LB_OK ? fidelity_dict(&report) : none_or_error(status, &error);
    }
    PyBuffer_Release(&grounds);
    PyBuffer_Release(&thresholds);
    return dict;
}
