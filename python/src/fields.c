/*
 * fields.c - reads and writes C structs by tables of their fields.
 */
#include "fields.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------- */

/* in place of Python's own message, which names no argument */
static bool is_number(const field *f, PyObject *value)
{
    if (!PyErr_Occurred())
        return true;
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "%s: a number is needed, not %R", f->name, value);
    return false;
}

uint64_t read_seed(PyObject *value)
{
    PyObject *whole = PyNumber_Index(value);
    uint64_t seed = whole != NULL ? PyLong_AsUnsignedLongLong(whole) : 0;
    Py_XDECREF(whole);
    return seed;
}

static bool read_whole(const field *f, PyObject *value, void *place)
{
    if (f->type == FIELD_UINT64) {
        *(uint64_t *)place = read_seed(value);
        return is_number(f, value);
    }
    long number = PyLong_AsLong(value);
    if (!is_number(f, value))
        return false;
    if (number != (int)number) {
        PyErr_Format(PyExc_OverflowError, "%s: %ld is too large", f->name, number);
        return false;
    }
    *(int *)place = (int)number;
    return true;
}

/* one of the texts, by name */
static bool read_choice(const field *f, PyObject *value, void *place)
{
    PyObject *bytes = PyUnicode_AsUTF8String(value);
    if (bytes == NULL)
        return false;
    const char *text = PyBytes_AsString(bytes);
    int count = 0, found = -1;
    for (; f->texts[count] != NULL; count++)
        if (strcmp(f->texts[count], text) == 0)
            found = count;
    int near = found < 0 ? lb_nearest_name(text, f->texts, count) : -1;
    if (found < 0 && near >= 0)
        PyErr_Format(PyExc_ValueError, "%s: unknown '%s'; did you mean '%s'?", f->name, text,
                     f->texts[near]);
    else if (found < 0)
        PyErr_Format(PyExc_ValueError, "%s: unknown '%s'", f->name, text);
    Py_DECREF(bytes);
    *(int *)place = found;
    return found >= 0;
}

static bool read_field(const field *f, PyObject *value, void *place)
{
    switch (f->type) {
    case FIELD_INT:
    case FIELD_UINT64:
        return read_whole(f, value, place);
    case FIELD_ENUM:
        return read_choice(f, value, place);
    case FIELD_TRANSFORM:
        return read_doubles(value, place, 12);
    case FIELD_BOOL: {
        int truth = PyObject_IsTrue(value);
        *(bool *)place = truth > 0;
        return truth >= 0;
    }
    case FIELD_DOUBLE:
        if (f->count > 1)
            return read_doubles(value, place, f->count);
        *(double *)place = PyFloat_AsDouble(value);
        return is_number(f, value);
    default:
        PyErr_Format(PyExc_TypeError, "%s cannot be set", f->name);
        return false;
    }
}

/* a TypeError with the nearest name of the table */
static bool refuse_name(PyObject *key, const field *table)
{
    const char *names[64], *given = PyUnicode_AsUTF8AndSize(key, NULL);
    int count = 0;
    for (; table[count].name != NULL && count < 64; count++)
        names[count] = table[count].name;
    int near = given != NULL ? lb_nearest_name(given, names, count) : -1;
    if (near >= 0)
        PyErr_Format(PyExc_TypeError, "unknown option %R; did you mean '%s'?", key, names[near]);
    else if (given != NULL)
        PyErr_Format(PyExc_TypeError, "unknown option %R", key);
    return false;
}

static bool read_named(PyObject *key, PyObject *value, const field *table, void *record)
{
    if (!PyUnicode_Check(key)) {
        PyErr_Format(PyExc_TypeError, "the name of an option is a str, not %R", key);
        return false;
    }
    for (const field *f = table; f->name != NULL; f++)
        if (PyUnicode_CompareWithASCIIString(key, f->name) == 0)
            return read_field(f, value, (char *)record + f->offset);
    return refuse_name(key, table);
}

bool fields_read(PyObject *dict, const field *table, void *record)
{
    PyObject *key, *value;
    Py_ssize_t position = 0;
    bool read = true;
    while (read && PyDict_Next(dict, &position, &key, &value)) {
        // what converts a value may take it out of the dict
        Py_INCREF(key);
        Py_INCREF(value);
        read = read_named(key, value, table, record);
        Py_DECREF(key);
        Py_DECREF(value);
    }
    return read;
}

static bool read_record(PyObject *dict, const field *table, void *record)
{
    if (PyDict_Check(dict))
        return fields_read(dict, table, record);
    PyErr_Format(PyExc_TypeError, "a dict is required, not %R", dict);
    return false;
}

void *fields_records(PyObject *list, const field *table, const void *start, size_t size, int *n)
{
    // a copy, which no conversion of a value can change
    PyObject *dicts = PyList_AsTuple(list);
    if (dicts == NULL)
        return NULL;
    Py_ssize_t count = PyTuple_Size(dicts);
    char *records = count <= INT_MAX ? PyMem_Calloc((size_t)count + 1, size) : NULL;
    bool read = records != NULL || PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; read && i < count; i++) {
        char *record = records + size * (size_t)i;
        memcpy(record, start, size);
        read = read_record(PyTuple_GetItem(dicts, i), table, record);
    }
    Py_DECREF(dicts);
    if (!read)
        PyMem_Free(records);
    *n = (int)count;
    return read ? records : NULL;
}

/* ---- writing ------------------------------------------------------------- */

static PyObject *numbers_tuple(const double *numbers, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple != NULL && i < count; i++)
        PyTuple_SetItem(tuple, (Py_ssize_t)i, PyFloat_FromDouble(numbers[i]));
    return tuple;
}

static PyObject *whole_tuple(const int *numbers, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple != NULL && i < count; i++)
        PyTuple_SetItem(tuple, (Py_ssize_t)i, PyLong_FromLong(numbers[i]));
    return tuple;
}

static PyObject *field_value(const field *f, const void *place)
{
    switch (f->type) {
    case FIELD_INT:
        return f->count > 1 ? whole_tuple(place, f->count) : PyLong_FromLong(*(const int *)place);
    case FIELD_BOOL:
        return PyBool_FromLong(*(const bool *)place);
    case FIELD_UINT32:
        return PyLong_FromUnsignedLong(*(const uint32_t *)place);
    case FIELD_UINT64:
        return PyLong_FromUnsignedLongLong(*(const uint64_t *)place);
    case FIELD_ENUM:
        return text_object(f->texts[*(const int *)place]);
    case FIELD_TEXT:
        return text_object(*(const char *const *)place);
    case FIELD_TRANSFORM:
        return numbers_tuple(place, 12);
    case FIELD_DOUBLE:
        break;
    }
    return f->count > 1 ? numbers_tuple(place, f->count)
                        : PyFloat_FromDouble(*(const double *)place);
}

PyObject *fields_dict(const field *table, const void *record)
{
    PyObject *dict = PyDict_New();
    for (const field *f = table; dict != NULL && f->name != NULL; f++) {
        PyObject *value = field_value(f, (const char *)record + f->offset);
        if (value == NULL || PyDict_SetItemString(dict, f->name, value) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

/* ---- numpy's structured arrays --------------------------------------------- */

/* as numpy writes it: "i4", or "(3,)f8" */
static PyObject *field_format(const field *f)
{
    static const char *const formats[] = {
        [FIELD_INT] = "i4",    [FIELD_BOOL] = "?",    [FIELD_DOUBLE] = "f8",
        [FIELD_UINT32] = "u4", [FIELD_UINT64] = "u8", [FIELD_ENUM] = "i4",
    };
    if (f->type == FIELD_TRANSFORM)
        return PyUnicode_FromString("(4,3)f8");
    if (f->count > 1)
        return PyUnicode_FromFormat("(%zu,)%s", f->count, formats[f->type]);
    return PyUnicode_FromString(formats[f->type]);
}

PyObject *fields_dtype(const field *table, size_t size)
{
    PyObject *names = PyList_New(0), *formats = PyList_New(0), *offsets = PyList_New(0);
    bool done = names != NULL && formats != NULL && offsets != NULL;
    for (const field *f = table; done && f->name != NULL; f++) {
        PyObject *name = PyUnicode_FromString(f->name), *format = field_format(f);
        PyObject *offset = PyLong_FromSize_t(f->offset);
        done = name != NULL && format != NULL && offset != NULL &&
               PyList_Append(names, name) == 0 && PyList_Append(formats, format) == 0 &&
               PyList_Append(offsets, offset) == 0;
        Py_XDECREF(name);
        Py_XDECREF(format);
        Py_XDECREF(offset);
    }
    PyObject *made = done ? Py_BuildValue("{sOsOsOsn}", "names", names, "formats", formats,
                                          "offsets", offsets, "itemsize", (Py_ssize_t)size)
                          : NULL;
    Py_XDECREF(names);
    Py_XDECREF(formats);
    Py_XDECREF(offsets);
    return made;
}

PyObject *texts_tuple(const char *const *texts)
{
    Py_ssize_t count = 0;
    while (texts[count] != NULL)
        count++;
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t i = 0; tuple != NULL && i < count; i++)
        PyTuple_SetItem(tuple, i, PyUnicode_FromString(texts[i]));
    return tuple;
}
