/*
 * two_bone.c - arms and legs of two bones and arms of two links in a plane, any number at once, and
 * cyclic descent on a row of bones.
 */
#include "tables.h"

#include <limber/bones.h>
#include <limber/two_bone.h>

/* two_bone(arms, start, middle, reached): a quaternion each, and a byte */
PyObject *two_bone(PyObject *module, PyObject *args)
{
    enum { ARMS, START, MIDDLE, REACHED, BUFFERS };
    (void)module;
    Py_buffer b[BUFFERS];
    if (!PyArg_ParseTuple(args, "y*w*w*w*:two_bone", &b[ARMS], &b[START], &b[MIDDLE], &b[REACHED]))
        return NULL;
    size_t n = (size_t)b[REACHED].len / sizeof(bool);
    bool fits = buffer_is(&b[ARMS], "arms", n, sizeof(lb_two_bone)) &&
                buffer_is(&b[START], "start", n, sizeof(lb_quat)) &&
                buffer_is(&b[MIDDLE], "middle", n, sizeof(lb_quat));
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
            lb_two_bone_batch(b[ARMS].buf, n, b[START].buf, b[MIDDLE].buf, b[REACHED].buf);
        Py_END_ALLOW_THREADS
    }
    buffers_release(b, BUFFERS);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* two_link(first, second, bend, points, angles, misses): x y, two angles and a distance each */
PyObject *two_link(PyObject *module, PyObject *args)
{
    enum { POINTS, ANGLES, MISSES, BUFFERS };
    (void)module;
    double first, second;
    int bend;
    Py_buffer b[BUFFERS];
    if (!PyArg_ParseTuple(args, "ddiy*w*w*:two_link", &first, &second, &bend, &b[POINTS],
                          &b[ANGLES], &b[MISSES]))
        return NULL;
    size_t n = (size_t)b[MISSES].len / sizeof(double);
    bool fits = buffer_is(&b[POINTS], "points", 2 * n, sizeof(double)) &&
                buffer_is(&b[ANGLES], "angles", 2 * n, sizeof(double));
    const double *points = b[POINTS].buf;
    double *angles = b[ANGLES].buf, *misses = b[MISSES].buf;
    for (size_t i = 0; fits && i < n; i++)
        misses[i] = lb_two_link_solve(first, second, points[2 * i], points[2 * i + 1], bend,
                                      &angles[2 * i]);
    buffers_release(b, BUFFERS);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* bones_step(bones, x, y, arrival, nudge) -> progress: x y angle each, in place */
PyObject *bones_step(PyObject *module, PyObject *args)
{
    double x, y, arrival;
    lb_bones_options options = lb_bones_options_default();
    Py_buffer bones;
    (void)module;
    if (!PyArg_ParseTuple(args, "w*dddd:bones_step", &bones, &x, &y, &arrival, &options.nudge))
        return NULL;
    lb_progress progress = lb_bones_step(bones.buf, (int)((size_t)bones.len / sizeof(lb_bone)), x,
                                         y, arrival, &options);
    buffers_release(&bones, 1);
    return PyLong_FromLong(progress);
}
