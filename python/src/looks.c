/*
 * looks.c - _core.Looks: what the links of a glTF's model draw, by which its soles are found.
 */
#include "core.h"

#include <limber/formats/looks.h>
#include <limber/formats/motion.h>

const lb_gltf *figure_of(PyObject *model)
{
    for (handle *own = (handle *)model; own != NULL; own = (handle *)own->owner)
        if (own->kind == &gltf_kind)
            return own->object;
        else if (own->kind == &motion_kind)
            return ((const lb_motion *)own->object)->gltf;
    return NULL;
}

/* of(model) -> Looks, None where it is of no glTF */
static PyObject *looks_of(PyObject *type, PyObject *owner)
{
    lb_looks *looks = NULL;
    lb_error error = {0};
    const lb_model *model = MODEL_OF(owner);
    if (model == NULL)
        return NULL;
    // what draws is known by the links of the file's own model
    const lb_gltf *gltf = figure_of(owner);
    if (gltf == NULL || lb_model_link_count(model) != lb_model_link_count(lb_gltf_model(gltf)))
        Py_RETURN_NONE;
    lb_status status;
    Py_BEGIN_ALLOW_THREADS
        status = lb_looks_load("", model, gltf, NULL, &looks, &error);
    Py_END_ALLOW_THREADS
    // the model keeps the file alive
    return status == LB_OK ? handle_make((PyTypeObject *)type, &looks_kind, looks, owner)
                           : none_or_error(status, &error);
}

static PyMethodDef methods[] = {
    {"of", looks_of, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type looks_type = {"limber._core.Looks", NULL, methods, {0, NULL}};
