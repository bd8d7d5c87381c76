/*
 * handle.c - Python objects that hold C objects: made, found again, released, and kept to one
 * thread at a time.
 */
#include "core.h"

static handle *make(PyTypeObject *type, const handle_kind *kind, void *object, PyObject *owner)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    handle *self = (handle *)allocate(type, 0);
    if (self == NULL)
        return NULL;
    self->kind = kind;
    self->object = object;
    Py_XINCREF(owner);
    self->owner = owner;
    return self;
}

PyObject *handle_make(PyTypeObject *type, const handle_kind *kind, void *object, PyObject *owner)
{
    handle *self = make(type, kind, object, owner);
    if (self == NULL)
        kind->release(object);
    return (PyObject *)self;
}

PyObject *handle_borrow(PyTypeObject *type, const handle_kind *kind, const void *object,
                        PyObject *owner)
{
    handle *self = make(type, kind, (void *)(uintptr_t)object, owner);
    if (self != NULL)
        self->borrowed = true;
    return (PyObject *)self;
}

PyObject *handle_with(PyObject *self, PyObject *others)
{
    if (self == NULL || others == NULL) {
        Py_XDECREF(self);
        Py_XDECREF(others);
        return NULL;
    }
    ((handle *)self)->others = others;
    return self;
}

PyObject *handle_make_counted(PyTypeObject *type, const handle_kind *kind, void *object,
                              PyObject *owner, size_t count)
{
    PyObject *self = handle_make(type, kind, object, owner);
    if (self != NULL)
        ((handle *)self)->count = count;
    return self;
}

/* the types of this module are those with this very slot */
static bool is_handle_type(PyObject *type)
{
    return PyType_Check(type) &&
           PyType_GetSlot((PyTypeObject *)type, Py_tp_dealloc) == (void *)handle_dealloc;
}

PyObject *made_member(PyObject *module, const char *type, const handle_kind *kind, void *object,
                      PyObject *owner)
{
    if (object == NULL)
        return Py_NewRef(Py_None);
    PyObject *found = PyObject_GetAttrString(module, type);
    PyObject *made = NULL;
    if (found != NULL && is_handle_type(found)) {
        made = handle_make((PyTypeObject *)found, kind, object, owner);
    } else {
        kind->release(object);
        if (found != NULL)
            PyErr_Format(PyExc_TypeError, "the module's %s was replaced", type);
    }
    Py_XDECREF(found);
    return made;
}

void *handle_object(PyObject *value, const handle_kind *kind)
{
    if (is_handle_type((PyObject *)Py_TYPE(value)) && ((handle *)value)->kind == kind)
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
    Py_XDECREF(own->others);
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

/* the first `count` of what it works with */
static void leave_others(handle *self, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        ((handle *)PyTuple_GetItem(self->others, i))->busy = false;
}

bool handle_enter(handle *self)
{
    if (!enter(self))
        return false;
    Py_ssize_t count = self->others == NULL ? 0 : PyTuple_Size(self->others);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!enter((handle *)PyTuple_GetItem(self->others, i))) {
            leave_others(self, i);
            self->busy = false;
            return false;
        }
    return true;
}

void handle_leave(handle *self)
{
    leave_others(self, self->others == NULL ? 0 : PyTuple_Size(self->others));
    self->busy = false;
}

const lb_model *handle_model(const handle *self)
{
    return ((handle *)self->owner)->object;
}
