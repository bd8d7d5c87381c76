/*
 * handle.c - Python objects that hold C objects: made, found again, released, and kept to one
 * thread at a time.
 */
#include "core.h"

PyObject *handle_make(PyTypeObject *type, const handle_kind *kind, void *object, PyObject *owner)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    handle *self = (handle *)allocate(type, 0);
    if (self == NULL) {
        kind->release(object);
        return NULL;
    }
    self->kind = kind;
    self->object = object;
    Py_XINCREF(owner);
    self->owner = owner;
    return (PyObject *)self;
}

PyObject *handle_make_counted(PyTypeObject *type, const handle_kind *kind, void *object,
                              PyObject *owner, size_t count)
{
    PyObject *self = handle_make(type, kind, object, owner);
    if (self != NULL)
        ((handle *)self)->count = count;
    return self;
}

PyObject *made_member(PyObject *module, const char *type, const handle_kind *kind, void *object,
                      PyObject *owner)
{
    if (object == NULL)
        return Py_NewRef(Py_None);
    PyObject *found = PyObject_GetAttrString(module, type);
    if (found == NULL) {
        kind->release(object);
        return NULL;
    }
    PyObject *made = handle_make((PyTypeObject *)found, kind, object, owner);
    Py_DECREF(found);
    return made;
}

void *handle_object(PyObject *value, const handle_kind *kind)
{
    // the types of this module are those with this very slot
    PyTypeObject *type = Py_TYPE(value);
    if (PyType_GetSlot(type, Py_tp_dealloc) == (void *)handle_dealloc &&
        ((handle *)value)->kind == kind)
        return ((handle *)value)->object;
    PyErr_Format(PyExc_TypeError, "%s is required", kind->name);
    return NULL;
}

bool optional_object(PyObject *value, const handle_kind *kind, void **object)
{
    *object = Py_IsNone(value) ? NULL : handle_object(value, kind);
    return Py_IsNone(value) || *object != NULL;
}

void handle_dealloc(PyObject *self)
{
    handle *own = (handle *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (!own->borrowed && own->object != NULL)
        own->kind->release(own->object);
    Py_XDECREF(own->owner);
    Py_XDECREF(own->filter);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static bool refuse(const handle *self)
{
    PyErr_Format(PyExc_RuntimeError,
                 "%s is in use by another thread; make one for each thread, or let one call "
                 "use several threads",
                 self->kind->name);
    return false;
}

static bool enter(handle *self)
{
    if (self->busy || self->readers > 0)
        return refuse(self);
    self->busy = true;
    return true;
}

bool handle_share(handle *self)
{
    if (self->busy)
        return refuse(self);
    self->readers++;
    return true;
}

void handle_unshare(handle *self)
{
    self->readers--;
}

void *handle_to_read(PyObject *self)
{
    handle *own = (handle *)self;
    return own->busy && !refuse(own) ? NULL : own->object;
}

void *handle_to_change(PyObject *self)
{
    handle *own = (handle *)self;
    return (own->busy || own->readers > 0) && !refuse(own) ? NULL : own->object;
}

bool handle_enter(handle *self)
{
    if (!enter(self))
        return false;
    if (self->filter == NULL || enter((handle *)self->filter))
        return true;
    self->busy = false;
    return false;
}

void handle_leave(handle *self)
{
    if (self->filter != NULL)
        ((handle *)self->filter)->busy = false;
    self->busy = false;
}

const lb_model *handle_model(const handle *self)
{
    return ((handle *)self->owner)->object;
}
