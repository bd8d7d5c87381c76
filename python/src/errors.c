/*
 * errors.c - failures of the library as Python exceptions, its warnings as a list.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

PyObject *text_object(const char *text)
{
    if (text == NULL)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "backslashreplace");
}

/* LimberError(message, path, line, column, status), or what it is of a file that is not there */
static PyObject *make_error(const lb_error *error)
{
    PyObject *module = PyImport_ImportModule("limber._errors");
    if (module == NULL)
        return NULL;
    const char *message =
        error->message[0] != '\0' ? error->message : lb_status_text(error->status);
    PyObject *made = PyObject_CallMethod(module, "file_error", "NNiis", text_object(message),
                                         text_object(error->path), error->line, error->column,
                                         lb_status_text(error->status));
    Py_DECREF(module);
    return made;
}

PyObject *raise_error(const lb_error *error)
{
    if (error->status == LB_OUT_OF_MEMORY)
        return PyErr_NoMemory();
    PyObject *made = make_error(error);
    if (made != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
        Py_DECREF(made);
    }
    return NULL;
}

PyObject *none_or_error(lb_status status, const lb_error *error)
{
    if (status == LB_OK)
        Py_RETURN_NONE;
    lb_error known = *error;
    known.status = status;
    return raise_error(&known);
}

PyObject *none_or_status(lb_status status, const char *what)
{
    lb_error error = {.status = status};
    if (status != LB_OK)
        lb_error_set(&error, status, 0, "%s: %s", what, lb_status_text(status));
    return none_or_error(status, &error);
}

void collect_warning(void *user, const lb_error *warning)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *row = Py_BuildValue("NiN", text_object(warning->path), warning->line,
                                  text_object(warning->message));
    // without memory for it a warning is dropped
    if (row == NULL || PyList_Append(user, row) != 0)
        PyErr_Clear();
    Py_XDECREF(row);
    PyGILState_Release(lock);
}

PyObject *text_or_error(lb_status status, char *text, const lb_error *error)
{
    PyObject *made = status == LB_OK ? text_object(text) : none_or_error(status, error);
    free(text);
    return made;
}

bool append_piece(void *list, const void *bytes, size_t size)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *piece = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
    bool done = piece != NULL && PyList_Append(list, piece) == 0;
    Py_XDECREF(piece);
    PyGILState_Release(lock);
    return done;
}
