/*
 * buffers.c - arrays: their sizes, and transforms in every layout that numpy's users have.
 */
#include "core.h"

#include <string.h>

size_t product(size_t a, size_t b)
{
    return b > 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

bool buffer_is(const Py_buffer *buffer, const char *what, size_t count, size_t size)
{
    // no buffer has SIZE_MAX bytes
    size_t bytes = product(count, size);
    if (buffer->obj == NULL || (size_t)buffer->len == bytes)
        return true;
    PyErr_Format(PyExc_ValueError, "%s: %zd bytes instead of %zu", what, buffer->len, bytes);
    return false;
}

void buffers_release(Py_buffer *buffers, int count)
{
    for (int i = 0; i < count; i++)
        PyBuffer_Release(&buffers[i]);
}

bool range_is(Py_ssize_t begin, Py_ssize_t end, size_t count)
{
    if (0 <= begin && begin <= end && (size_t)end <= count)
        return true;
    PyErr_Format(PyExc_IndexError, "rows %zd to %zd of %zu", begin, end, count);
    return false;
}

bool rows_are(Py_ssize_t begin, size_t rows, size_t count)
{
    if (0 <= begin && (size_t)begin <= count && rows <= count - (size_t)begin)
        return true;
    PyErr_Format(PyExc_IndexError, "%zu rows from %zd on of %zu", rows, begin, count);
    return false;
}

bool read_doubles(PyObject *value, double *numbers, size_t n)
{
    Py_buffer buffer;
    if (PyObject_GetBuffer(value, &buffer, PyBUF_SIMPLE) != 0)
        return false;
    bool fits = buffer_is(&buffer, "numbers", n, sizeof *numbers);
    if (fits)
        memcpy(numbers, buffer.buf, n * sizeof *numbers);
    PyBuffer_Release(&buffer);
    return fits;
}

bool row_view(PyObject *value, Py_buffer *row)
{
    if (!PyObject_CheckBuffer(value) ||
        PyObject_GetBuffer(value, row, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) != 0) {
        PyErr_Clear();
        return false;
    }
    if (row->format != NULL && strcmp(row->format, "d") == 0)
        return true;
    PyBuffer_Release(row);
    return false;
}

bool row_is(const Py_buffer *row, int ndim, const Py_ssize_t *sizes)
{
    bool fits = row->ndim == ndim;
    for (int i = 0; fits && i < ndim; i++)
        fits = row->shape[i] == sizes[i];
    return fits;
}

bool vector_view(PyObject *value, Py_ssize_t n, Py_buffer *row)
{
    if (!row_view(value, row))
        return false;
    bool fits = row_is(row, 1, &n);
    if (!fits)
        PyBuffer_Release(row);
    return fits;
}

/* numpy is no part of the limited API: these two of it are all that is needed */
static PyObject *empty, *dtype;

bool find_numpy(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy != NULL && empty == NULL)
        empty = PyObject_GetAttrString(numpy, "empty");
    if (numpy != NULL && dtype == NULL)
        dtype = PyObject_GetAttrString(numpy, "dtype");
    Py_XDECREF(numpy);
    return empty != NULL && dtype != NULL;
}

PyObject *numpy_type(PyObject *fields)
{
    PyObject *made = fields != NULL ? PyObject_CallFunctionObjArgs(dtype, fields, NULL) : NULL;
    Py_XDECREF(fields);
    return made;
}

PyObject *made_of_transform(layout which)
{
    Py_ssize_t sizes[2];
    return layout_shape(which, sizes) == 2 ? Py_BuildValue("((nn))", sizes[0], sizes[1])
                                           : Py_BuildValue("((n))", sizes[0]);
}

PyObject *new_arrays(PyObject *made_of, Py_buffer *memory)
{
    Py_ssize_t n = PyTuple_Size(made_of), i = 0;
    PyObject *made = PyTuple_New(n);
    for (; made != NULL && i < n; i++) {
        PyObject *array = PyObject_Call(empty, PyTuple_GetItem(made_of, i), NULL);
        if (array == NULL || PyObject_GetBuffer(array, &memory[i], PyBUF_WRITABLE) != 0) {
            Py_XDECREF(array);
            break;
        }
        PyTuple_SetItem(made, i, array);
    }
    if (i < n) {
        buffers_release(memory, (int)i);
        Py_CLEAR(made);
    }
    return made;
}

int *read_indices(PyObject *sequence, int *count)
{
    Py_ssize_t n = PySequence_Size(sequence);
    if (n < 0 || n > INT_MAX)
        return NULL;
    int *made = PyMem_Calloc((size_t)n + 1, sizeof *made);
    if (made == NULL)
        return (int *)(void *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        long value = item != NULL ? PyLong_AsLong(item) : -1;
        Py_XDECREF(item);
        if (PyErr_Occurred() || value != (int)value) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_OverflowError, "%ld is no index", value);
            PyMem_Free(made);
            return NULL;
        }
        made[i] = (int)value;
    }
    *count = (int)n;
    return made;
}

/* ---- layouts ------------------------------------------------------------- */

static const Py_ssize_t layout_sizes[][2] = {
#define LAYOUT_SIZES(name, rows, columns) {rows, columns},
    LAYOUT_LIST(LAYOUT_SIZES)
#undef LAYOUT_SIZES
};

int layout_shape(layout which, Py_ssize_t sizes[2])
{
    const Py_ssize_t *all = layout_sizes[which];
    sizes[0] = all[0] == 1 ? all[1] : all[0];
    sizes[1] = all[1];
    return all[0] == 1 ? 1 : 2;
}

size_t layout_numbers(int which)
{
    if (which >= 0 && which < LAYOUT_COUNT)
        return (size_t)(layout_sizes[which][0] * layout_sizes[which][1]);
    PyErr_Format(PyExc_ValueError, "%d is no layout of transforms", which);
    return 0;
}

/* the upper three rows of a matrix, row by row */
static lb_transform from_rows(const double *m)
{
    return (lb_transform){
        {m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}, {m[3], m[7], m[11]}};
}

static lb_transform from_pose(const double *n)
{
    lb_quat rotation = {n[3], n[4], n[5], n[6]};
    // the library refuses what is no number; zero would otherwise be read as no rotation
    double length = sqrt(n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6]);
    if (!(length > 0) || !isfinite(length))
        return (lb_transform){
            {NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}, {n[0], n[1], n[2]}};
    return lb_transform_from_quat(lb_quat_normalize(rotation), lb_vec3_make(n[0], n[1], n[2]));
}

static bool last_row_is_plain(const double *m)
{
    return m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
}

size_t layout_read(layout from, const double *numbers, size_t n, lb_transform *transforms)
{
    for (size_t i = 0; i < n; i++) {
        switch (from) {
        case LAYOUT_MATRIX:
            transforms[i] = from_rows(numbers + 16 * i);
            lb_transform_orthonormalize(&transforms[i]);
            // NaN is no transposed matrix: the library calls its target invalid
            if (isnan(numbers[16 * i + 15]))
                transforms[i].p.x = NAN;
            else if (!last_row_is_plain(numbers + 16 * i))
                return i;
            break;
        case LAYOUT_AFFINE:
            transforms[i] = from_rows(numbers + 12 * i);
            lb_transform_orthonormalize(&transforms[i]);
            break;
        case LAYOUT_POSE:
            transforms[i] = from_pose(numbers + 7 * i);
            break;
        case LAYOUT_POINT:
            transforms[i] =
                lb_transform_translation(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
            break;
        default:
            memcpy(&transforms[i], numbers + 12 * i, sizeof *transforms);
        }
    }
    return n;
}

PyObject *raise_matrix(const char *what, size_t index)
{
    PyErr_Format(PyExc_ValueError, "%s %zu: the last row is not 0 0 0 1; is the matrix transposed?",
                 what, index);
    return NULL;
}

static void to_rows(const lb_transform *t, double *m)
{
    const double rows[12] = {t->x.x, t->y.x, t->z.x, t->p.x, t->x.y, t->y.y,
                             t->z.y, t->p.y, t->x.z, t->y.z, t->z.z, t->p.z};
    memcpy(m, rows, sizeof rows);
}

static void to_pose(const lb_transform *t, double *n)
{
    lb_quat q = lb_transform_quat(t);
    const double pose[7] = {t->p.x, t->p.y, t->p.z, q.w, q.x, q.y, q.z};
    memcpy(n, pose, sizeof pose);
}

void layout_write(layout to, const lb_transform *transforms, size_t n, double *numbers)
{
    static const double last[4] = {0, 0, 0, 1};
    for (size_t i = 0; i < n; i++) {
        const lb_transform *t = &transforms[i];
        switch (to) {
        case LAYOUT_MATRIX:
            to_rows(t, numbers + 16 * i);
            memcpy(numbers + 16 * i + 12, last, sizeof last);
            break;
        case LAYOUT_AFFINE:
            to_rows(t, numbers + 12 * i);
            break;
        case LAYOUT_POSE:
            to_pose(t, numbers + 7 * i);
            break;
        case LAYOUT_POINT:
            memcpy(numbers + 3 * i, &t->p, sizeof t->p);
            break;
        default:
            memcpy(numbers + 12 * i, t, sizeof *t);
        }
    }
}
