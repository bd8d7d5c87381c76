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
    FIELD(lb_retarget_report, worst_slide, DOUBLE),
    FIELD(lb_retarget_report, worst_penetration, DOUBLE),
    FIELD(lb_retarget_report, held, INT),
    FIELD(lb_retarget_report, touches, INT),
    FIELD_VECTOR(lb_retarget_report, source_normal),
    FIELD_VECTOR(lb_retarget_report, ground_normal),
    FIELD_END,
};

/* A map is large; it is read from text and lives for one call. */
static lb_retarget_map *read_map(const char *text, const lb_model *source, const lb_model *target)
{
    lb_error error = {0};
    lb_retarget_map *map = PyMem_Calloc(1, sizeof *map);
    if (map == NULL)
        return (lb_retarget_map *)(void *)PyErr_NoMemory();
    lb_status status =
        lb_retarget_map_load_memory("map", text, strlen(text), source, target, NULL, map, &error);
    if (status == LB_OK)
        return map;
    none_or_error(status, &error);
    PyMem_Free(map);
    return NULL;
}

/* What retarget() has made. */
typedef struct retarget_results {
    lb_clip *clip;
    lb_contacts *held;
    lb_retarget_report report;
} retarget_results;

/* (Clip, Contacts or None, what was done); all of it is taken over */
static PyObject *results_tuple(PyObject *module, retarget_results *made, PyObject *owner)
{
    PyObject *clip = made_member(module, "Clip", &clip_kind, made->clip, owner);
    PyObject *held = made_member(module, "Contacts", &contacts_kind, made->held, NULL);
    return Py_BuildValue("NNN", clip, held, fields_dict(report_fields, &made->report));
}

/* retarget(clip, model, options, rest or None, map as text or None, contacts or None) */
PyObject *retarget_clip(PyObject *module, PyObject *args)
{
    PyObject *given, *owner, *dict, *contacts;
    const char *map_text;
    Py_buffer rest;
    lb_retarget_options options = lb_retarget_options_default();
    if (!PyArg_ParseTuple(args, "OOO!z*zO:retarget", &given, &owner, &PyDict_Type, &dict, &rest,
                          &map_text, &contacts))
        return NULL;
    const lb_clip *clip = handle_object(given, &clip_kind);
    const lb_model *target = clip == NULL ? NULL : MODEL_OF(owner);
    lb_retarget_map *map = NULL;
    bool fits = target != NULL && fields_read(dict, retarget_fields, &options) &&
                buffer_is(&rest, "rest", (size_t)lb_model_nq(lb_clip_model(clip)), sizeof(double));
    if (fits && !Py_IsNone(contacts))
        fits = (options.contacts = handle_object(contacts, &contacts_kind)) != NULL;
    if (fits && map_text != NULL)
        fits = (map = read_map(map_text, lb_clip_model(clip), target)) != NULL;
    PyObject *tuple = NULL;
    if (fits) {
        retarget_results made = {NULL, NULL, {0}};
        lb_error error = {0};
        lb_status status;
        options.rest = rest.buf;
        options.map = map;
        Py_BEGIN_ALLOW_THREADS
            status = lb_retarget(clip, target, &options, NULL, &made.clip, &made.held, &made.report,
                                 &error);
        Py_END_ALLOW_THREADS
        tuple =
            status == LB_OK ? results_tuple(module, &made, owner) : none_or_error(status, &error);
    }
    PyMem_Free(map);
    PyBuffer_Release(&rest);
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
