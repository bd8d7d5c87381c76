/*
 * retarget.c - motion on another figure, and the maps that say what follows what.
 */
#include "fields.h"

#include <limber/formats/motion_json.h>
#include <limber/retarget.h>

#include <string.h>

static const field retarget_fields[] = {
    FIELD(lb_retarget_options, scale, DOUBLE),
    FIELD(lb_retarget_options, root_scale, DOUBLE),
    FIELD(lb_retarget_options, ground, DOUBLE),
    FIELD(lb_retarget_options, rate, DOUBLE),
    FIELD(lb_retarget_options, any_speed, BOOL),
    FIELD(lb_retarget_options, unlocked, BOOL),
    FIELD(lb_retarget_options, blend, DOUBLE),
    FIELD(lb_retarget_options, hands, BOOL),
    FIELD(lb_retarget_options, distance, DOUBLE),
    FIELD_VECTOR(lb_retarget_options, ground_normal),
    FIELD_VECTOR_AS(lb_retarget_options, source_ground_normal, detect.ground_normal),
    FIELD_END,
};

static const field report_fields[] = {
    FIELD(lb_retarget_report, scale, DOUBLE),
    FIELD(lb_retarget_report, root_scale, DOUBLE),
    FIELD(lb_retarget_report, frames, INT),
    FIELD(lb_retarget_report, solved, INT),
    FIELD(lb_retarget_report, iterations, INT),
    FIELD(lb_retarget_report, slowed, INT),
    FIELD(lb_retarget_report, moved, INT),
    FIELD(lb_retarget_report, worst_moved, DOUBLE),
    FIELD(lb_retarget_report, shortened, INT),
    FIELD(lb_retarget_report, fastest, DOUBLE),
    FIELD(lb_retarget_report, fastest_leg, DOUBLE),
    FIELD(lb_retarget_report, worst_slide, DOUBLE),
    FIELD(lb_retarget_report, worst_penetration, DOUBLE),
    FIELD(lb_retarget_report, near, INT),
    FIELD(lb_retarget_report, worst_near, DOUBLE),
    FIELD(lb_retarget_report, held, INT),
    FIELD(lb_retarget_report, hands_held, INT),
    FIELD(lb_retarget_report, released, INT),
    FIELD(lb_retarget_report, worst_released, DOUBLE),
    FIELD(lb_retarget_report, touches, INT),
    FIELD_VECTOR(lb_retarget_report, source_normal),
    FIELD(lb_retarget_report, unseen_slope, DOUBLE),
    FIELD_VECTOR(lb_retarget_report, ground_normal),
    FIELD_END,
};

/* What both calls take: retarget() and retarget_slow(). */
typedef struct retargeting {
    const lb_clip *clip;
    const lb_model *target;
    PyObject *owner, *collision; /* of the target; None, or what keeps its links apart */
    lb_retarget_options options;
    Py_buffer rest, start;
} retargeting;

/* A map is large; it is read from text and lives for one call. */
static bool read_map(retargeting *r, const char *name, const char *text)
{
    lb_error error = {0};
    if (text == NULL)
        return true;
    lb_retarget_map *map = PyMem_Calloc(1, sizeof *map);
    r->options.map = map;
    if (map == NULL)
        return PyErr_NoMemory() != NULL;
    lb_status status = lb_retarget_map_load_memory(name, text, strlen(text), lb_clip_model(r->clip),
                                                   r->target, NULL, map, &error);
    return status == LB_OK || none_or_error(status, &error) != NULL;
}

static bool read_objects(retargeting *r, PyObject *clip, PyObject *contacts)
{
    void *held = NULL, *apart = NULL;
    r->clip = handle_object(clip, &clip_kind);
    r->target = r->clip == NULL ? NULL : MODEL_OF(r->owner);
    if (r->target == NULL || !optional_object(contacts, &contacts_kind, &held) ||
        !optional_object(r->collision, &collision_kind, &apart))
        return false;
    r->options.contacts = held;
    r->options.collision = apart;
    r->options.rest = r->rest.buf;
    r->options.start = r->start.buf;
    return buffer_is(&r->rest, "rest", (size_t)lb_model_nq(lb_clip_model(r->clip)),
                     sizeof(double)) &&
           buffer_is(&r->start, "start", (size_t)lb_model_nq(r->target), sizeof(double));
}

static void release(retargeting *r)
{
    PyMem_Free((void *)(uintptr_t)r->options.map);
    PyBuffer_Release(&r->rest);
    PyBuffer_Release(&r->start);
}

/* (clip, model, options, rest or None, start or None, name of the map, its text or None, contacts
   or None, collision or None); on failure all is released */
static bool begin(retargeting *r, PyObject *args)
{
    PyObject *clip, *dict, *contacts;
    const char *name, *text;
    *r = (retargeting){.options = lb_retarget_options_default()};
    if (!PyArg_ParseTuple(args, "OOO!z*z*szOO:retarget", &clip, &r->owner, &PyDict_Type, &dict,
                          &r->rest, &r->start, &name, &text, &contacts, &r->collision))
        return false;
    bool fits = read_objects(r, clip, contacts) &&
                fields_read(dict, retarget_fields, &r->options) && read_map(r, name, text) &&
                (r->options.collision == NULL || handle_enter((handle *)r->collision));
    if (!fits)
        release(r);
    return fits;
}

static void end(retargeting *r)
{
    if (r->options.collision != NULL)
        handle_leave((handle *)r->collision);
    release(r);
}

/* What a call has made. */
typedef struct retarget_results {
    lb_clip *clip;
    lb_contacts *held;
    lb_retarget_report report;
} retarget_results;

/* (Clip, Contacts or None, what was done, whether the map's rotations were left out); all of it is
   taken over */
static PyObject *results_tuple(PyObject *module, retarget_results *made, const retargeting *r)
{
    bool realigned = r->options.map != NULL && r->options.map->realigned;
    PyObject *clip = made_member(module, "Clip", &clip_kind, made->clip, r->owner);
    PyObject *held = made_member(module, "Contacts", &contacts_kind, made->held, NULL);
    return Py_BuildValue("NNNO", clip, held, fields_dict(report_fields, &made->report),
                         realigned ? Py_True : Py_False);
}

/* retarget(...) -> (Clip, Contacts or None, report, realigned): arguments as begin() has them */
PyObject *retarget_clip(PyObject *module, PyObject *args)
{
    retargeting r;
    retarget_results made = {NULL, NULL, {0}};
    lb_error error = {0};
    lb_status status;
    if (!begin(&r, args))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = lb_retarget(r.clip, r.target, &r.options, NULL, &made.clip, &made.held,
                             &made.report, &error);
    Py_END_ALLOW_THREADS
    PyObject *tuple =
        status == LB_OK ? results_tuple(module, &made, &r) : none_or_error(status, &error);
    end(&r);
    return tuple;
}

/* retarget_slow(...) -> (Clip, Contacts or None) of the source: arguments as begin() has them */
PyObject *retarget_slow(PyObject *module, PyObject *args)
{
    retargeting r;
    lb_clip *slowed = NULL;
    lb_contacts *held = NULL;
    lb_error error = {0};
    lb_status status;
    if (!begin(&r, args))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
        status = lb_retarget_slow(r.clip, r.target, &r.options, NULL, &slowed, &held, &error);
    Py_END_ALLOW_THREADS
    PyObject *source = ((handle *)PyTuple_GetItem(args, 0))->owner, *tuple = NULL;
    if (status == LB_OK)
        tuple = Py_BuildValue("NN", made_member(module, "Clip", &clip_kind, slowed, source),
                              made_member(module, "Contacts", &contacts_kind, held, NULL));
    else
        none_or_error(status, &error);
    end(&r);
    return tuple;
}

/* retarget_map(source, rest or None, target) -> the map as text */
PyObject *retarget_map(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *from, *to;
    Py_buffer rest;
    if (!PyArg_ParseTuple(args, "Oz*O:retarget_map", &from, &rest, &to))
        return NULL;
    const lb_model *source = MODEL_OF(from), *target = source == NULL ? NULL : MODEL_OF(to);
    lb_retarget_map *map = PyMem_Calloc(1, sizeof *map);
    PyObject *made = NULL;
    if (map == NULL)
        PyErr_NoMemory();
    else if (target != NULL &&
             buffer_is(&rest, "rest", (size_t)lb_model_nq(source), sizeof(double))) {
        char *text = NULL;
        lb_error error = {0};
        lb_status status = lb_retarget_map_find(source, rest.buf, target, NULL, map, &error);
        if (status == LB_OK)
            status = lb_retarget_map_write(map, source, target, NULL, &text, &error);
        made = text_or_error(status, text, &error);
    }
    PyMem_Free(map);
    PyBuffer_Release(&rest);
    return made;
}
