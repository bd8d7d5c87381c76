/*
 * contacts.c - _core.Contacts: when points of links rest on the ground.
 */
#include "tables.h"

#include <limber/formats/motion_json.h>
#include <limber/retarget.h>

/* ---- creating ------------------------------------------------------------------------ */

static PyObject *made_contacts(PyObject *type, lb_status status, lb_contacts *contacts,
                               const lb_error *error)
{
    return status == LB_OK ? handle_make((PyTypeObject *)type, &contacts_kind, contacts, NULL)
                           : none_or_error(status, error);
}

/* make(points): without spans */
static PyObject *contacts_make(PyObject *type, PyObject *list)
{
    static const lb_contact_point start;
    int n = 0;
    lb_contacts *contacts = NULL;
    lb_error error = {0};
    lb_contact_point *points =
        fields_records(list, lb_contact_point_fields, &start, sizeof start, &n);
    if (points == NULL)
        return NULL;
    lb_status status = lb_contacts_create(points, n, NULL, &contacts, &error);
    PyMem_Free(points);
    return made_contacts(type, status, contacts, &error);
}

/* soles(model, rest or None, looks or None): heels and toes, without spans */
static PyObject *contacts_soles(PyObject *type, PyObject *args)
{
    PyObject *owner, *seen, *made = NULL;
    Py_buffer rest;
    void *looks = NULL;
    if (!PyArg_ParseTuple(args, "Oz*O:soles", &owner, &rest, &seen))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    if (model != NULL && optional_object(seen, &looks_kind, &looks) &&
        buffer_is(&rest, "rest", (size_t)lb_model_nq(model), sizeof(double))) {
        lb_contacts *contacts = NULL;
        lb_error error = {0};
        lb_status status =
            lb_rig_soles_by_looks(model, rest.buf, looks, NULL, &contacts, NULL, &error);
        made = made_contacts(type, status, contacts, &error);
    }
    PyBuffer_Release(&rest);
    return made;
}

/* found(clip, rest or None, looks or None, ground) -> (Contacts, assumed); the ground is its height
   and normal */
static PyObject *contacts_found(PyObject *type, PyObject *args)
{
    PyObject *given, *seen, *made = NULL;
    Py_buffer rest, ground;
    void *looks = NULL;
    if (!PyArg_ParseTuple(args, "Oz*Oy*:found", &given, &rest, &seen, &ground))
        return NULL;
    const lb_clip *clip = handle_object(given, &clip_kind);
    if (clip != NULL && optional_object(seen, &looks_kind, &looks) &&
        buffer_is(&ground, "ground", 4, sizeof(double)) &&
        buffer_is(&rest, "rest", (size_t)lb_model_nq(lb_clip_model(clip)), sizeof(double))) {
        lb_contacts *contacts = NULL;
        lb_error error = {0};
        lb_status status;
        bool assumed = false;
        const double *plane = ground.buf;
        Py_BEGIN_ALLOW_THREADS
            status = lb_rig_contacts_by_looks(clip, rest.buf, looks, plane[0],
                                              lb_vec3_make(plane[1], plane[2], plane[3]), NULL,
                                              &contacts, &assumed, &error);
        Py_END_ALLOW_THREADS
        made = made_contacts(type, status, contacts, &error);
        made = made == NULL ? NULL : Py_BuildValue("NO", made, assumed ? Py_True : Py_False);
    }
    PyBuffer_Release(&rest);
    PyBuffer_Release(&ground);
    return made;
}

/* load(path, model) */
static PyObject *contacts_load(PyObject *type, PyObject *args)
{
    PyObject *path, *owner, *made = NULL;
    if (!PyArg_ParseTuple(args, "O&O:load", PyUnicode_FSConverter, &path, &owner))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    if (model != NULL) {
        lb_contacts *contacts = NULL;
        lb_error error = {0};
        lb_status status = lb_contacts_load(PyBytes_AsString(path), model, NULL, &contacts, &error);
        made = made_contacts(type, status, contacts, &error);
    }
    Py_DECREF(path);
    return made;
}

/* write(model) -> text */
static PyObject *contacts_write(PyObject *self, PyObject *owner)
{
    char *text = NULL;
    lb_error error = {0};
    const lb_model *model = MODEL_OF(owner);
    const lb_contacts *contacts = model == NULL ? NULL : handle_to_read(self);
    if (contacts == NULL)
        return NULL;
    lb_status status = lb_contacts_write(contacts, model, NULL, &text, &error);
    return text_or_error(status, text, &error);
}

/* ---- reading ------------------------------------------------------------------------- */

/* points() -> a list of dicts */
static PyObject *contacts_points(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_contacts *contacts = ((handle *)self)->object;
    int n = lb_contacts_count(contacts);
    // making the list may let another thread in
    if (!handle_share((handle *)self))
        return NULL;
    PyObject *list = PyList_New(n);
    for (int i = 0; list != NULL && i < n; i++)
        PyList_SetItem(list, i,
                       fields_dict(lb_contact_point_fields, lb_contacts_points(contacts) + i));
    handle_unshare((handle *)self);
    return list;
}

/* spans(point) -> ((begin, end), ...) */
static PyObject *contacts_spans(PyObject *self, PyObject *args)
{
    int point, n = 0;
    const lb_contacts *contacts = ((handle *)self)->object;
    if (!PyArg_ParseTuple(args, "i:spans", &point) ||
        !rows_are(point, 1, (size_t)lb_contacts_count(contacts)) || !handle_share((handle *)self))
        return NULL;
    const lb_contact_span *spans = lb_contacts_spans(contacts, point, &n);
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple != NULL && i < n; i++)
        PyTuple_SetItem(tuple, i, Py_BuildValue("dd", spans[i].begin, spans[i].end));
    handle_unshare((handle *)self);
    return tuple;
}

/* ---- changing ------------------------------------------------------------------------ */

typedef lb_status span_edit(lb_contacts *contacts, int point, double begin, double end,
                            lb_error *error);

static PyObject *edit_span(PyObject *self, PyObject *args, span_edit *edit)
{
    int point;
    double begin, end;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "idd", &point, &begin, &end))
        return NULL;
    lb_contacts *contacts = handle_to_change(self);
    return contacts == NULL ? NULL
                            : none_or_error(edit(contacts, point, begin, end, &error), &error);
}

/* add(point, begin, end) */
static PyObject *contacts_add(PyObject *self, PyObject *args)
{
    return edit_span(self, args, lb_contacts_add);
}

/* cut(point, begin, end) */
static PyObject *contacts_cut(PyObject *self, PyObject *args)
{
    return edit_span(self, args, lb_contacts_cut);
}

/* shift(by) */
static PyObject *contacts_shift(PyObject *self, PyObject *args)
{
    double by;
    lb_error error = {0};
    if (!PyArg_ParseTuple(args, "d:shift", &by))
        return NULL;
    lb_contacts *contacts = handle_to_change(self);
    return contacts == NULL ? NULL : none_or_error(lb_contacts_shift(contacts, by, &error), &error);
}

/* move(point, its fields) */
static PyObject *contacts_move(PyObject *self, PyObject *args)
{
    int point;
    PyObject *dict;
    lb_contacts *contacts = ((handle *)self)->object;
    if (!PyArg_ParseTuple(args, "iO!:move", &point, &PyDict_Type, &dict) ||
        !rows_are(point, 1, (size_t)lb_contacts_count(contacts)))
        return NULL;
    lb_contact_point to = lb_contacts_points(contacts)[point];
    lb_error error = {0};
    if (!fields_read(dict, lb_contact_point_fields, &to) || handle_to_change(self) == NULL)
        return NULL;
    return none_or_error(lb_contacts_move(contacts, point, &to, &error), &error);
}

typedef lb_status clip_reading(lb_contacts *contacts, const lb_clip *clip,
                               const lb_contact_options *options, lb_error *error);

static PyObject *read_clip(PyObject *self, PyObject *args, clip_reading *read)
{
    PyObject *given, *dict;
    lb_contact_options options = lb_contact_options_default();
    if (!PyArg_ParseTuple(args, "OO!", &given, &PyDict_Type, &dict))
        return NULL;
    const lb_clip *clip = handle_object(given, &clip_kind);
    if (clip == NULL || !fields_read(dict, lb_contact_options_fields, &options) ||
        !handle_enter((handle *)self))
        return NULL;
    lb_error error = {0};
    lb_status status;
    Py_BEGIN_ALLOW_THREADS
        status = read(((handle *)self)->object, clip, &options, &error);
    Py_END_ALLOW_THREADS
    handle_leave((handle *)self);
    return none_or_error(status, &error);
}

/* detect(clip, options) */
static PyObject *contacts_detect(PyObject *self, PyObject *args)
{
    return read_clip(self, args, lb_contacts_detect);
}

/* measure_heights(clip, options) */
static PyObject *contacts_measure_heights(PyObject *self, PyObject *args)
{
    return read_clip(self, args, lb_contacts_measure_heights);
}

/* find_ground(clip) -> (x, y, z) */
static PyObject *contacts_find_ground(PyObject *self, PyObject *given)
{
    const lb_clip *clip = handle_object(given, &clip_kind);
    lb_error error = {0};
    lb_vec3 n;
    const lb_contacts *contacts = clip == NULL ? NULL : handle_to_read(self);
    if (contacts == NULL)
        return NULL;
    lb_status status = lb_contacts_find_ground(contacts, clip, &n, &error);
    return status == LB_OK ? Py_BuildValue("ddd", n.x, n.y, n.z) : none_or_error(status, &error);
}

/* ---- the type -------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"make", contacts_make, METH_O | METH_CLASS, NULL},
    {"found", contacts_found, METH_VARARGS | METH_CLASS, NULL},
    {"soles", contacts_soles, METH_VARARGS | METH_CLASS, NULL},
    {"load", contacts_load, METH_VARARGS | METH_CLASS, NULL},
    {"write", contacts_write, METH_O, NULL},
    {"points", contacts_points, METH_NOARGS, NULL},
    {"spans", contacts_spans, METH_VARARGS, NULL},
    {"add", contacts_add, METH_VARARGS, NULL},
    {"cut", contacts_cut, METH_VARARGS, NULL},
    {"shift", contacts_shift, METH_VARARGS, NULL},
    {"move", contacts_move, METH_VARARGS, NULL},
    {"detect", contacts_detect, METH_VARARGS, NULL},
    {"measure_heights", contacts_measure_heights, METH_VARARGS, NULL},
    {"find_ground", contacts_find_ground, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type contacts_type = {"limber._core.Contacts", NULL, methods, {0, NULL}};
