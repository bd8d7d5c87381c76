/*
 * synthesis.c - four-bars that guide a plane through given poses.
 */
#include "tables.h"

#include <limber/formats/json.h>
#include <limber/synthesis.h>

/* every pair of dyads, each driven by one side */
enum { MOST_FOUR_BARS = LB_SYNTHESIS_DYADS * (LB_SYNTHESIS_DYADS - 1) / 2 };

/* a dict for each four-bar */
static PyObject *four_bar_dicts(const lb_four_bar *four_bars, int count)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list != NULL && i < count; i++) {
        PyObject *dict = fields_dict(lb_four_bar_fields, &four_bars[i]);
        if (dict == NULL || PyList_SetItem(list, i, dict) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* synthesize(poses, options, best) -> (the best four-bars, how many there are, whether every dyad
   is known) */
PyObject *synthesize(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer poses;
    PyObject *given, *list = NULL;
    int best, dyad_count = 0, found = 0;
    bool complete = false;
    lb_error error = {0};
    lb_synthesis_options options = lb_synthesis_options_default();
    if (!PyArg_ParseTuple(args, "y*O!i:synthesize", &poses, &PyDict_Type, &given, &best))
        return NULL;
    int count = (int)((size_t)poses.len / sizeof(lb_plane_pose));
    best = best < 0 ? 0 : best > MOST_FOUR_BARS ? MOST_FOUR_BARS : best;
    lb_dyad *dyads = PyMem_Calloc(LB_SYNTHESIS_DYADS, sizeof *dyads);
    lb_four_bar *four_bars = PyMem_Calloc((size_t)best + 1, sizeof *four_bars);
    if (dyads == NULL || four_bars == NULL) {
        PyErr_NoMemory();
    } else if (fields_read(given, lb_synthesis_options_fields, &options)) {
        Py_BEGIN_ALLOW_THREADS
            error.status = lb_dyads_find(poses.buf, count, &options, dyads, LB_SYNTHESIS_DYADS,
                                         &dyad_count, &complete, &error);
            if (error.status == LB_OK)
                error.status = lb_four_bars_find(poses.buf, count, dyads, dyad_count, four_bars,
                                                 best, &found, &error);
        Py_END_ALLOW_THREADS
        list = error.status == LB_OK ? four_bar_dicts(four_bars, found < best ? found : best)
                                     : raise_error(&error);
    }
    PyMem_Free(dyads);
    PyMem_Free(four_bars);
    buffers_release(&poses, 1);
    return list != NULL ? Py_BuildValue("(NiO)", list, found, complete ? Py_True : Py_False) : NULL;
}

/* four_bar_values(four_bar, first, poses, q): three joint values of each pose */
PyObject *four_bar_values(PyObject *module, PyObject *args)
{
    enum { FIRST, POSES, Q, BUFFERS };
    (void)module;
    Py_buffer b[BUFFERS];
    PyObject *given;
    lb_four_bar four_bar = {.ground = 0};
    if (!PyArg_ParseTuple(args, "O!y*y*w*:four_bar_values", &PyDict_Type, &given, &b[FIRST],
                          &b[POSES], &b[Q]))
        return NULL;
    size_t n = (size_t)b[POSES].len / sizeof(lb_plane_pose);
    bool fits = buffer_is(&b[FIRST], "first", 1, sizeof(lb_plane_pose)) &&
                buffer_is(&b[Q], "q", 3 * n, sizeof(double)) &&
                fields_read(given, lb_four_bar_fields, &four_bar);
    const lb_plane_pose *poses = b[POSES].buf;
    for (size_t i = 0; fits && i < n; i++)
        lb_four_bar_values(&four_bar, b[FIRST].buf, &poses[i], (double *)b[Q].buf + 3 * i);
    buffers_release(b, BUFFERS);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* four_bar_json(four_bar, first) -> the linkage as limber JSON */
PyObject *four_bar_json(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer first;
    PyObject *given, *text = NULL;
    lb_four_bar four_bar = {.ground = 0};
    lb_model *model = NULL;
    lb_error error = {0};
    char *json = NULL;
    if (!PyArg_ParseTuple(args, "O!y*:four_bar_json", &PyDict_Type, &given, &first))
        return NULL;
    if (buffer_is(&first, "first", 1, sizeof(lb_plane_pose)) &&
        fields_read(given, lb_four_bar_fields, &four_bar)) {
        error.status = lb_four_bar_model(&four_bar, first.buf, NULL, &model, &error);
        if (error.status == LB_OK)
            error.status = lb_json_write(model, NULL, &json, &error);
        text = text_or_error(error.status, json, &error);
    }
    lb_model_release(model);
    buffers_release(&first, 1);
    return text;
}
