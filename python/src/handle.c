/*
 * handle.c - Python objects that hold C objects: made, found again, released, and kept to one
 * thread at a time.
 */
#include "core.h"

#include <limber/elbow.h>
#include <limber/formats/gltf.h>
#include <limber/formats/looks.h>
#include <limber/formats/motion.h>
#include <limber/formats/reach_file.h>
#include <limber/limber.h>

static void close_reach_file(lb_reach_file *file)
{
    lb_reach_file_close(file, NULL);
}

#define DEFINE_KIND(name, text, release)                                                           \
    static void release_##name(void *object)                                                       \
    {                                                                                              \
        release(object);                                                                           \
    }                                                                                              \
    const handle_kind name##_kind = {text, release_##name};
HANDLES_LIST(DEFINE_KIND)

static handle *make(PyTypeObject *type, const handle_kind *kind, void *object, PyObject *owner)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    handle *self = (handle *)allocate(type, 0);
    if (self == NULL)
        return NULL;
    self->lock = PyThread_allocate_lock();
    if (self->lock == NULL) {
        Py_DECREF(self);
        return (handle *)(void *)PyErr_NoMemory();
    }
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
    Py_XDECREF(own->results);
    if (own->lock != NULL)
        PyThread_free_lock(own->lock);
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

/* until the thread that is in it has left; the interpreter's lock is released meanwhile */
static void wait_for(const handle *self)
{
    Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(self->lock, WAIT_LOCK);
        PyThread_release_lock(self->lock);
    Py_END_ALLOW_THREADS
}

/* takes what nobody is in; those that wait for it hold its lock for an instant only */
static void take(handle *self)
{
    PyThread_acquire_lock(self->lock, WAIT_LOCK);
    self->busy = true;
}

static void leave(handle *self)
{
    self->busy = false;
    PyThread_release_lock(self->lock);
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

/* what it works with, by index, and then itself; NULL: no more */
static handle *part_of(handle *self, Py_ssize_t i)
{
    Py_ssize_t count = self->others == NULL ? 0 : PyTuple_Size(self->others);
    if (i < count)
        return (handle *)PyTuple_GetItem(self->others, i);
    return i == count ? self : NULL;
}

bool handle_enter(handle *self)
{
    // nothing is held while it waits, so no two threads wait for each other
    handle *part;
    for (Py_ssize_t i = 0; (part = part_of(self, i)) != NULL; i++) {
        if (part->readers > 0)
            return refuse(part);
        if (part->busy) {
            wait_for(part);
            i = -1;
        }
    }
    for (Py_ssize_t i = 0; (part = part_of(self, i)) != NULL; i++)
        take(part);
    return true;
}

void handle_leave(handle *self)
{
    handle *part;
    for (Py_ssize_t i = 0; (part = part_of(self, i)) != NULL; i++)
        leave(part);
}

const lb_model *handle_model(const handle *self)
{
    return ((handle *)self->owner)->object;
}
