/*
 * gait.c - walks that are made from a few numbers.
 */
#include "tables.h"

#include <limber/gait.h>

/* walk(model, options) -> (Clip, Contacts) */
PyObject *walk(PyObject *module, PyObject *args)
{
    PyObject *owner, *dict;
    lb_gait gait = lb_gait_default();
    if (!PyArg_ParseTuple(args, "OO!:walk", &owner, &PyDict_Type, &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    if (model == NULL || !fields_read(dict, lb_gait_fields, &gait))
        return NULL;
    lb_clip *clip = NULL;
    lb_contacts *held = NULL;
    lb_error error = {0};
    lb_status status;
    Py_BEGIN_ALLOW_THREADS
        status = lb_gait_walk(model, &gait, NULL, &clip, &held, &error);
    Py_END_ALLOW_THREADS
    if (status != LB_OK)
        return none_or_error(status, &error);
    return Py_BuildValue("NN", made_member(module, "Clip", &clip_kind, clip, owner),
                         made_member(module, "Contacts", &contacts_kind, held, NULL));
}
