/*
 * retarget.c - motion on another figure, and the maps that say what follows what.
 */
#include "tables.h"

#include <limber/formats/motion_json.h>
#include <limber/retarget.h>

#include <string.h>

/* What both calls take: retarget() and retarget_slow(). */
typedef struct retargeting {
    const lb_clip *clip;
    const lb_model *target;
    PyObject *owner, *collision; /* of the target; None, or what keeps its links apart */
    const lb_looks *looks;       /* of the target, or NULL */
    lb_retarget_options options;
    Py_buffer rest, start, accelerations;
    handle *held; /* what has the contacts, or NULL */
} retargeting;

lb_status find_map(const lb_model *source, const double *rest, const lb_model *target,
                   const lb_looks *looks, lb_retarget_map *map, lb_error *error)
{
    lb_contacts *soles = NULL;
    bool known = false;
    lb_status status = lb_retarget_map_find(source, rest, target, NULL, map, error);
    if (status == LB_OK && looks != NULL)
        status = lb_rig_soles_by_looks(target, NULL, looks, NULL, &soles, &known, error);
    if (known)
        lb_retarget_map_set_soles(map, soles);
    lb_contacts_release(soles);
    return status;
}

/* A map is large; it is found, or read from text, and lives for one call. */
static bool read_map(retargeting *r, const char *name, const char *text)
{
    lb_error error = {0};
    const lb_model *source = lb_clip_model(r->clip);
    lb_retarget_map *map = PyMem_Calloc(1, sizeof *map);
    r->options.map = map;
    if (map == NULL)
        return PyErr_NoMemory() != NULL;
    lb_status status = text != NULL
                           ? lb_retarget_map_load_memory(name, text, strlen(text), source,
                                                         r->target, NULL, map, &error)
                           : find_map(source, r->options.rest, r->target, r->looks, map, &error);
    return status == LB_OK || none_or_error(status, &error) != NULL;
}

static bool read_objects(retargeting *r, PyObject *clip, PyObject *contacts, PyObject *seen)
{
    void *held = NULL, *apart = NULL, *looks = NULL;
    r->clip = handle_object(clip, &clip_kind);
    r->target = r->clip == NULL ? NULL : MODEL_OF(r->owner);
    if (r->target == NULL || !optional_object(contacts, &contacts_kind, &held) ||
        !optional_object(r->collision, &collision_kind, &apart) ||
        !optional_object(seen, &looks_kind, &looks))
        return false;
    r->looks = looks;
    r->options.contacts = held;
    r->held = held == NULL ? NULL : (handle *)contacts;
    r->options.collision = apart;
    r->options.rest = r->rest.buf;
    r->options.start = r->start.buf;
    r->options.accelerations = r->accelerations.buf;
    return buffer_is(&r->rest, "rest", (size_t)lb_model_nq(lb_clip_model(r->clip)),
                     sizeof(double)) &&
           buffer_is(&r->start, "start", (size_t)lb_model_nq(r->target), sizeof(double)) &&
           buffer_is(&r->accelerations, "accelerations", (size_t)lb_model_joint_count(r->target),
                     sizeof(double));
}

static void release(retargeting *r)
{
    PyMem_Free((void *)(uintptr_t)r->options.map);
    PyBuffer_Release(&r->rest);
    PyBuffer_Release(&r->start);
    PyBuffer_Release(&r->accelerations);
}

/* the contacts stay as they are meanwhile, and the collision belongs to this thread */
static bool enter_both(const retargeting *r)
{
    if (r->held != NULL && !handle_share(r->held))
        return false;
    if (r->options.collision == NULL || handle_enter((handle *)r->collision))
        return true;
    if (r->held != NULL)
        handle_unshare(r->held);
    return false;
}

/* (clip, model, options, rest or None, start or None, accelerations or None, name of the map, its
   text or None, looks or None, contacts or None, collision or None); on failure all is released */
static bool begin(retargeting *r, PyObject *args)
{
    PyObject *clip, *dict, *seen, *contacts;
    const char *name, *text;
    *r = (retargeting){.options = lb_retarget_options_default()};
    if (!PyArg_ParseTuple(args, "OOO!z*z*z*szOOO:retarget", &clip, &r->owner, &PyDict_Type, &dict,
                          &r->rest, &r->start, &r->accelerations, &name, &text, &seen, &contacts,
                          &r->collision))
        return false;
    bool fits = read_objects(r, clip, contacts, seen) &&
                fields_read(dict, lb_retarget_options_fields, &r->options) &&
                read_map(r, name, text) && enter_both(r);
    if (!fits)
        release(r);
    return fits;
}

static void end(retargeting *r)
{
    if (r->options.collision != NULL)
        handle_leave((handle *)r->collision);
    if (r->held != NULL)
        handle_unshare(r->held);
    release(r);
}

/* What a call has made. */
typedef struct retarget_results {
    lb_clip *clip;
    lb_contacts *held;
    lb_retarget_report report;
} retarget_results;

/* (Clip, Contacts or None, what was done, whether the map's rotations were left out, its scales
   fitted or 0); all of it is taken over */
static PyObject *results_tuple(PyObject *module, retarget_results *made, const retargeting *r)
{
    const lb_retarget_map *map = r->options.map;
    PyObject *clip = made_member(module, "Clip", &clip_kind, made->clip, r->owner);
    PyObject *held = made_member(module, "Contacts", &contacts_kind, made->held, NULL);
    return Py_BuildValue("NNNOd", clip, held, fields_dict(lb_retarget_report_fields, &made->report),
                         map->realigned ? Py_True : Py_False, map->rescaled ? map->root_scale : 0);
}

/* retarget(...) -> (Clip, Contacts or None, report, realigned, rescaled): arguments as begin() has
 * them */
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

/* retarget_rest(clip, model, name of the map, its text or None) -> nq numbers as bytes; None: there
   is no figure */
PyObject *retarget_rest(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *given, *onto, *made = NULL;
    const char *name, *text;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "OOsz:retarget_rest", &given, &onto, &name, &text))
        return NULL;
    const lb_clip *clip = handle_object(given, &clip_kind);
    const lb_model *target = clip == NULL ? NULL : MODEL_OF(onto);
    if (target == NULL)
        return NULL;
    size_t size = (size_t)lb_model_nq(lb_clip_model(clip)) * sizeof(double);
    lb_retarget_map *map = PyMem_Calloc(1, sizeof *map);
    double *rest = PyMem_Malloc(size);
    if (map == NULL || rest == NULL) {
        PyErr_NoMemory();
    } else {
        lb_status status = LB_OK;
        if (text != NULL)
            status = lb_retarget_map_load_memory(name, text, strlen(text), lb_clip_model(clip),
                                                 target, NULL, map, &error);
        if (status == LB_OK)
            status = lb_retarget_rest_find(clip, text != NULL ? map : NULL, NULL, rest, &error);
        if (status == LB_OK)
            made = PyBytes_FromStringAndSize((const char *)rest, (Py_ssize_t)size);
        else if (status == LB_BAD_MODEL)
            made = Py_NewRef(Py_None);
        else
            none_or_error(status, &error);
    }
    PyMem_Free(rest);
    PyMem_Free(map);
    return made;
}

/* retarget_map(source, rest or None, target, looks or None) -> the map as text */
PyObject *retarget_map(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *from, *to, *seen;
    Py_buffer rest;
    void *looks = NULL;
    if (!PyArg_ParseTuple(args, "Oz*OO:retarget_map", &from, &rest, &to, &seen))
        return NULL;
    const lb_model *source = MODEL_OF(from), *target = source == NULL ? NULL : MODEL_OF(to);
    lb_retarget_map *map = PyMem_Calloc(1, sizeof *map);
    PyObject *made = NULL;
    if (map == NULL)
        PyErr_NoMemory();
    else if (target != NULL && optional_object(seen, &looks_kind, &looks) &&
             buffer_is(&rest, "rest", (size_t)lb_model_nq(source), sizeof(double))) {
        char *text = NULL;
        lb_error error = {0};
        lb_status status = find_map(source, rest.buf, target, looks, map, &error);
        if (status == LB_OK)
            status = lb_retarget_map_write(map, source, target, NULL, &text, &error);
        made = text_or_error(status, text, &error);
    }
    PyMem_Free(map);
    PyBuffer_Release(&rest);
    return made;
}
