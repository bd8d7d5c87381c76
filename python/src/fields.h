/*
 * fields.h - C structs as Python sees them, by a table for each: options come in as a dict, what
 * describes a model goes out as one, and arrays of results are numpy's structured arrays.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "core.h"

#include <stddef.h>

typedef enum field_type {
    FIELD_INT,
    FIELD_BOOL,
    FIELD_DOUBLE,
    FIELD_UINT32,
    FIELD_UINT64,
    FIELD_ENUM,     /* an int in arrays, its text in a dict */
    FIELD_TEXT,     /* const char *, NULL is None; going out alone */
    FIELD_TRANSFORM /* twelve numbers by columns */
} field_type;

/* One field of a struct; `count` numbers in a row where it is an array or a vector. */
typedef struct field {
    const char *name;
    field_type type;
    size_t offset;
    size_t count;
    const char *const *texts; /* of an enum, ended by NULL */
} field;

/* The last row of a table. */
#define FIELD_END                                                                                  \
    {                                                                                              \
        NULL, FIELD_INT, 0, 0, NULL                                                                \
    }
/* An entry of a list of texts made from an X-list. */
#define TEXT_OF(name, text, ...) text,

/* A whole number of at least 0, of Python or NumPy; an exception where it is none. */
uint64_t read_seed(PyObject *value);
/* Sets the fields that the dict names; a key that is no field is a TypeError. */
bool fields_read(PyObject *dict, const field *table, void *record);
/* All fields of a record, as a new dict. */
PyObject *fields_dict(const field *table, const void *record);
/* What numpy.dtype takes: names, formats, offsets, itemsize. */
PyObject *fields_dtype(const field *table, size_t size);
/* A list of dicts becomes n records, in memory to be released with PyMem_Free, each beginning as
   `start`; NULL on failure. */
void *fields_records(PyObject *list, const field *table, const void *start, size_t size, int *n);
/* A tuple of the texts of a list. */
PyObject *texts_tuple(const char *const *texts);

#endif
