/*
 * gait.c - walks that are made from a few numbers.
 */
#include "fields.h"

#include <limber/gait.h>

static const field gait_fields[] = {
    FIELD(lb_gait, step_length, DOUBLE),
    FIELD(lb_gait, cadence, DOUBLE),
    FIELD(lb_gait, step_width, DOUBLE),
    FIELD(lb_gait, heel_lead, DOUBLE),
    FIELD(lb_gait, toe_out, DOUBLE),
    FIELD(lb_gait, flat, DOUBLE),
    FIELD(lb_gait, heel_off, DOUBLE),
    FIELD(lb_gait, toe_off, DOUBLE),
    FIELD(lb_gait, heel_pitch, DOUBLE),
    FIELD(lb_gait, toe_pitch, DOUBLE),
    FIELD(lb_gait, clearance, DOUBLE),
    FIELD(lb_gait, pelvis_height, DOUBLE),
    FIELD(lb_gait, pelvis_rise, DOUBLE),
    FIELD(lb_gait, pelvis_sway, DOUBLE),
    FIELD(lb_gait, pelvis_turn, DOUBLE),
    FIELD(lb_gait, pelvis_list, DOUBLE),
    FIELD(lb_gait, lean, DOUBLE),
    FIELD(lb_gait, chest_turn, DOUBLE),
    FIELD(lb_gait, arm_swing, DOUBLE),
    FIELD(lb_gait, arm_middle, DOUBLE),
    FIELD(lb_gait, elbow, DOUBLE),
    FIELD(lb_gait, ground, DOUBLE),
    FIELD(lb_gait, rate, DOUBLE),
    FIELD(lb_gait, cycles, INT),
    FIELD_END,
};

/* walk(model, options) -> (Clip, Contacts) */
PyObject *walk(PyObject *module, PyObject *args)
{
    PyObject *owner, *dict;
    lb_gait gait = lb_gait_default();
    if (!PyArg_ParseTuple(args, "OO!:walk", &owner, &PyDict_Type, &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    if (model == NULL || !fields_read(dict, gait_fields, &gait))
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
