/*
 * forward.c - _core.Forward: forward kinematics of many configurations; _core.State: what is
 * known of one: singular values, centre of mass, how far it is from a target.
 */
#include "tables.h"

#include <limber/fk_batch.h>
#include <limber/task.h>
#include <limber/workspace.h>

/* ---- many configurations --------------------------------------------------------- */

/* what one row gives: a transform, and the Jacobian where one is chosen */
static PyObject *row_results(layout to, const lb_fk_batch_options *options, const lb_model *model)
{
    PyObject *place = made_of_transform(to);
    if (place == NULL || options->tip == LB_WORLD)
        return place != NULL ? Py_BuildValue("(N)", place) : NULL;
    return Py_BuildValue("(N((ii)))", place, 6, lb_model_nv(model));
}

/* Forward(model, links, options, layout of one row) */
static PyObject *forward_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *links, *dict;
    int to;
    if (!PyArg_ParseTuple(args, "OOO!i:Forward", &owner, &links, &PyDict_Type, &dict, &to) ||
        layout_numbers(to) == 0)
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_fk_batch_options options = lb_fk_batch_options_default();
    int *indices = NULL;
    if (model == NULL || !fields_read(dict, lb_fk_batch_options_fields, &options) ||
        (indices = read_indices(links, &options.link_count)) == NULL)
        return NULL;
    options.links = indices;
    lb_fk_batch *batch = NULL;
    lb_status status = lb_fk_batch_create(model, &options, NULL, &batch);
    PyMem_Free(indices);
    size_t count = (size_t)options.link_count;
    if (status != LB_OK)
        return none_or_status(status, "links, point or width");
    handle *made = (handle *)handle_make_counted(type, &forward_kind, batch, owner, count);
    if (made == NULL)
        return NULL;
    made->layout = to;
    made->results = row_results((layout)to, &options, model);
    if (made->results == NULL)
        Py_CLEAR(made);
    return (PyObject *)made;
}

/* row(q) -> the transform of its link, or a tuple of it and the Jacobian; None: q is no row of
   float64 */
static PyObject *forward_row(PyObject *self, PyObject *q)
{
    handle *own = (handle *)self;
    const lb_model *model = handle_model(own);
    Py_ssize_t nq = lb_model_nq(model), n = PyTuple_Size(own->results);
    Py_buffer row, memory[2] = {{0}};
    if (own->count != 1 || !vector_view(q, nq, &row))
        Py_RETURN_NONE;
    PyObject *made = new_arrays(own->results, memory);
    if (made != NULL) {
        // a row takes less than giving up the interpreter's lock, and nothing else uses this one
        lb_transform found;
        lb_fk_batch_rows rows = {.q = row.buf, .transforms = &found, .jacobians = memory[1].buf};
        lb_fk_batch_forward(own->object, &rows, 0, 1);
        layout_write((layout)own->layout, &found, 1, memory[0].buf);
    }
    if (made != NULL)
        buffers_release(memory, (int)n);
    PyBuffer_Release(&row);
    if (made == NULL || n > 1)
        return made;
    PyObject *first = Py_NewRef(PyTuple_GetItem(made, 0));
    Py_DECREF(made);
    return first;
}

/* Configurations, and where their arrays are. */
typedef struct poses {
    lb_fk_batch *batch;
    layout to;
    size_t count, links, numbers, nq;
    lb_fk_batch_rows rows; /* q and jacobians */
    double *out;           /* transforms in the layout `to`; NULL: none */
} poses;

static void forward_converted(const poses *p, lb_transform *block)
{
    // as many rows as a block of transforms has room for
    size_t most = LAYOUT_BLOCK / p->links > 0 ? LAYOUT_BLOCK / p->links : 1;
    for (size_t row = 0; row < p->count; row += most) {
        size_t rows = p->count - row < most ? p->count - row : most;
        lb_fk_batch_rows part = p->rows;
        part.q += row * p->nq;
        part.transforms = block;
        if (part.jacobians != NULL)
            part.jacobians += row * part.jacobian_stride;
        lb_fk_batch_forward(p->batch, &part, 0, rows);
        layout_write(p->to, block, rows * p->links, p->out + row * p->links * p->numbers);
    }
}

static PyObject *forward_all(handle *self, poses *p)
{
    bool direct = p->out == NULL || p->to == LAYOUT_COLUMNS;
    size_t room = p->links > LAYOUT_BLOCK ? p->links : LAYOUT_BLOCK;
    lb_transform *block = direct ? NULL : PyMem_Malloc(room * sizeof(lb_transform));
    if (!direct && block == NULL)
        return PyErr_NoMemory();
    bool entered = handle_enter(self);
    if (entered) {
        Py_BEGIN_ALLOW_THREADS
            if (direct) {
                p->rows.transforms = (lb_transform *)(void *)p->out;
                lb_fk_batch_forward(p->batch, &p->rows, 0, p->count);
            } else {
                forward_converted(p, block);
            }
        Py_END_ALLOW_THREADS
        handle_leave(self);
    }
    PyMem_Free(block);
    return entered ? Py_NewRef(Py_None) : NULL;
}

/*
 * run(count, layout, q, transforms, jacobians, which, jacobian_count): `which`
 * of the jacobian_count Jacobians of each row is written
 */
static PyObject *forward_run(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_ssize_t count, which, jacobian_count;
    int to;
    Py_buffer q, transforms, jacobians;
    if (!PyArg_ParseTuple(args, "niy*w*w*nn:run", &count, &to, &q, &transforms, &jacobians, &which,
                          &jacobian_count))
        return NULL;
    const lb_model *model = handle_model(own);
    size_t n = (size_t)count, nq = (size_t)lb_model_nq(model);
    size_t numbers = layout_numbers(to), jacobian = 6 * (size_t)lb_model_nv(model);
    size_t stride = product(jacobian, (size_t)jacobian_count);
    PyObject *result = NULL;
    if (numbers > 0 && range_is(0, count, SIZE_MAX) && range_is(0, jacobian_count, SIZE_MAX) &&
        buffer_is(&q, "q", product(n, nq), sizeof(double)) &&
        (transforms.len == 0 ||
         buffer_is(&transforms, "transforms", product(n, own->count * numbers), sizeof(double))) &&
        buffer_is(&jacobians, "jacobians", product(n, stride), sizeof(double)) &&
        (jacobian_count == 0 || rows_are(which, 1, (size_t)jacobian_count))) {
        poses p = {.batch = own->object,
                   .count = n,
                   .to = (layout)to,
                   .links = own->count,
                   .numbers = numbers,
                   .nq = nq,
                   .rows = {.q = q.buf, .jacobian_stride = stride},
                   .out = transforms.len > 0 ? transforms.buf : NULL};
        if (jacobian_count > 0)
            p.rows.jacobians = (double *)jacobians.buf + (size_t)which * jacobian;
        result = forward_all(own, &p);
    }
    PyBuffer_Release(&q);
    PyBuffer_Release(&transforms);
    PyBuffer_Release(&jacobians);
    return result;
}

/* run_float(count, q, matrices): matrices of 16 floats by columns */
static PyObject *forward_run_float(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_ssize_t count;
    Py_buffer q, matrices;
    if (!PyArg_ParseTuple(args, "ny*w*:run_float", &count, &q, &matrices))
        return NULL;
    size_t n = (size_t)count, nq = (size_t)lb_model_nq(handle_model(own));
    PyObject *result = NULL;
    if (range_is(0, count, SIZE_MAX) && buffer_is(&q, "q", product(n, nq), sizeof(float)) &&
        buffer_is(&matrices, "matrices", product(n, own->count * 16), sizeof(float)) &&
        handle_enter(own)) {
        lb_fk_batch_floats rows = {.q = q.buf, .matrices = matrices.buf, .matrix = LB_MATRIX_4X4};
        Py_BEGIN_ALLOW_THREADS
            lb_fk_batch_forward_float(own->object, &rows, 0, n);
        Py_END_ALLOW_THREADS
        handle_leave(own);
        result = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&q);
    PyBuffer_Release(&matrices);
    return result;
}

static PyMethodDef forward_methods[] = {
    {"row", forward_row, METH_O, NULL},
    {"run", forward_run, METH_VARARGS, NULL},
    {"run_float", forward_run_float, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type forward_type = {"limber._core.Forward", forward_new, forward_methods, {0, NULL}};

/* ---- one configuration ------------------------------------------------------------- */

/* State(model) */
static PyObject *state_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner;
    lb_state *state = NULL;
    if (!PyArg_ParseTuple(args, "O:State", &owner) || MODEL_OF(owner) == NULL)
        return NULL;
    lb_status status = lb_state_create(MODEL_OF(owner), NULL, &state);
    return status == LB_OK ? handle_make(type, &state_kind, state, owner)
                           : none_or_status(status, "state");
}

/* Whether a buffer has n configurations of the model of `self`. */
static bool are_poses(const handle *self, const Py_buffer *q, size_t n)
{
    return buffer_is(q, "q", product(n, (size_t)lb_model_nq(handle_model(self))), sizeof(double));
}

/* the state becomes that of row i */
static lb_state *update(const handle *self, const Py_buffer *q, size_t i)
{
    lb_state_update(self->object,
                    (const double *)q->buf + i * (size_t)lb_model_nq(handle_model(self)));
    return self->object;
}

/* singularity(q, link, point, length, tolerance, records): a record for each row */
static PyObject *state_singularity(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int link;
    lb_vec3 point;
    double length, tolerance;
    Py_buffer b[2];
    if (!PyArg_ParseTuple(args, "y*i(ddd)ddw*:singularity", &b[0], &link, &point.x, &point.y,
                          &point.z, &length, &tolerance, &b[1]))
        return NULL;
    size_t n = (size_t)b[1].len / sizeof(lb_singularity);
    lb_singularity *out = b[1].buf;
    lb_status status = LB_OK;
    bool fits = are_poses(own, &b[0], n) && handle_enter(own);
    for (size_t i = 0; fits && i < n && status == LB_OK; i++) {
        lb_state *state = update(own, &b[0], i);
        status = lb_state_singularity(state, link, point, length, tolerance, &out[i]);
        // a configuration that is none has no singular values
        if (status == LB_BAD_VALUE) {
            for (size_t k = 0; k < 6; k++)
                out[i].values[k] = out[i].weakest[k] = NAN;
            out[i].rank = 0;
            out[i].condition = out[i].manipulability = NAN;
            status = LB_OK;
        }
    }
    if (fits)
        handle_leave(own);
    buffers_release(b, 2);
    return fits ? none_or_status(status, "link, point, length or tolerance") : NULL;
}

/* velocity_ellipsoid(q, link, point, damping, rows): of each row the centre and three semi-axes */
static PyObject *state_velocity_ellipsoid(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int link;
    lb_vec3 point;
    double damping;
    Py_buffer b[2];
    if (!PyArg_ParseTuple(args, "y*i(ddd)dw*:velocity_ellipsoid", &b[0], &link, &point.x, &point.y,
                          &point.z, &damping, &b[1]))
        return NULL;
    size_t n = (size_t)b[1].len / sizeof(lb_ellipsoid);
    lb_ellipsoid *out = b[1].buf;
    lb_status status = LB_OK;
    bool fits = are_poses(own, &b[0], n) && handle_enter(own);
    for (size_t i = 0; fits && i < n && status == LB_OK; i++) {
        lb_state *state = update(own, &b[0], i);
        status = lb_state_velocity_ellipsoid(state, link, point, damping, &out[i]);
        // a configuration that is none leaves its row as it is: NaN
        status = status == LB_BAD_VALUE ? LB_OK : status;
    }
    if (fits)
        handle_leave(own);
    buffers_release(b, 2);
    return fits ? none_or_status(status, "link, point or damping") : NULL;
}

/* center_of_mass(q, centers, jacobians) -> mass: 3 and 3 x nv numbers for each row */
static PyObject *state_center_of_mass(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer b[3];
    if (!PyArg_ParseTuple(args, "y*w*w*:center_of_mass", &b[0], &b[1], &b[2]))
        return NULL;
    size_t n = (size_t)b[1].len / sizeof(lb_vec3);
    size_t numbers = 3 * (size_t)lb_model_nv(handle_model(own));
    lb_vec3 anywhere;
    double mass = lb_state_center_of_mass(own->object, &anywhere, NULL);
    bool fits = are_poses(own, &b[0], n) && buffer_is(&b[1], "centers", n, sizeof(lb_vec3)) &&
                buffer_is(&b[2], "jacobians", product(n, numbers), sizeof(double)) &&
                handle_enter(own);
    for (size_t i = 0; fits && i < n; i++)
        lb_state_center_of_mass(update(own, &b[0], i), (lb_vec3 *)b[1].buf + i,
                                (double *)b[2].buf + i * numbers);
    if (fits)
        handle_leave(own);
    buffers_release(b, 3);
    return fits ? PyFloat_FromDouble(mass) : NULL;
}

/* a task of links that the model has, as the library takes for granted here */
static bool read_task(PyObject *self, PyObject *dict, lb_task *task)
{
    size_t links = (size_t)lb_model_link_count(handle_model((handle *)self));
    return fields_read(dict, lb_task_fields, task) && rows_are(task->tip, 1, links) &&
           (task->base == LB_WORLD || rows_are(task->base, 1, links));
}

/* mobility(q, task, target or None) -> dict */
static PyObject *state_mobility(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    PyObject *dict;
    Py_buffer b[2];
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    if (!PyArg_ParseTuple(args, "y*O!z*:mobility", &b[0], &PyDict_Type, &dict, &b[1]))
        return NULL;
    lb_mobility found;
    bool fits = read_task(self, dict, &task) && are_poses(own, &b[0], 1) &&
                buffer_is(&b[1], "target", 1, sizeof(lb_transform));
    if (fits)
        found = lb_task_mobility(update(own, &b[0], 0), &task, b[1].buf);
    buffers_release(b, 2);
    return fits ? fields_dict(lb_mobility_fields, &found) : NULL;
}

/* errors(q, task, targets, metres, radians): of each row */
static PyObject *state_errors(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    PyObject *dict;
    Py_buffer b[4];
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    if (!PyArg_ParseTuple(args, "y*O!y*w*w*:errors", &b[0], &PyDict_Type, &dict, &b[1], &b[2],
                          &b[3]))
        return NULL;
    size_t n = (size_t)b[2].len / sizeof(double);
    bool fits = read_task(self, dict, &task) && are_poses(own, &b[0], n) &&
                buffer_is(&b[1], "targets", n, sizeof(lb_transform)) &&
                buffer_is(&b[2], "metres", n, sizeof(double)) &&
                buffer_is(&b[3], "radians", n, sizeof(double)) && handle_enter(own);
    for (size_t i = 0; fits && i < n; i++)
        lb_task_error(update(own, &b[0], i), &task, (const lb_transform *)b[1].buf + i,
                      (double *)b[2].buf + i, (double *)b[3].buf + i);
    if (fits)
        handle_leave(own);
    buffers_release(b, 4);
    return fits ? Py_NewRef(Py_None) : NULL;
}

/* planar_reach(q, task) -> dict; None: no arm of two links in a plane */
static PyObject *state_planar_reach(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    PyObject *dict;
    Py_buffer q;
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSITION);
    lb_planar_reach ring;
    if (!PyArg_ParseTuple(args, "y*O!:planar_reach", &q, &PyDict_Type, &dict))
        return NULL;
    bool fits = read_task(self, dict, &task) && are_poses(own, &q, 1);
    bool planar = fits && lb_planar_reach_find(update(own, &q, 0), &task, &ring);
    PyBuffer_Release(&q);
    if (fits && !planar)
        Py_RETURN_NONE;
    return fits ? fields_dict(lb_planar_reach_fields, &ring) : NULL;
}

/* planar_reaches(fields of planar_reach, points, flags): x y and a byte each */
PyObject *planar_reaches(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *dict;
    Py_buffer points, flags;
    lb_planar_reach ring = {0};
    if (!PyArg_ParseTuple(args, "O!y*w*:planar_reaches", &PyDict_Type, &dict, &points, &flags))
        return NULL;
    size_t n = (size_t)flags.len;
    bool fits = fields_read(dict, lb_planar_reach_fields, &ring) &&
                buffer_is(&points, "points", 2 * n, sizeof(double));
    const double *at = points.buf;
    for (size_t i = 0; fits && i < n; i++)
        ((bool *)flags.buf)[i] = lb_planar_reach_reaches(&ring, at[2 * i], at[2 * i + 1]);
    PyBuffer_Release(&points);
    PyBuffer_Release(&flags);
    return fits ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef state_methods[] = {
    {"mobility", state_mobility, METH_VARARGS, NULL},
    {"errors", state_errors, METH_VARARGS, NULL},
    {"planar_reach", state_planar_reach, METH_VARARGS, NULL},
    {"singularity", state_singularity, METH_VARARGS, NULL},
    {"velocity_ellipsoid", state_velocity_ellipsoid, METH_VARARGS, NULL},
    {"center_of_mass", state_center_of_mass, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type state_type = {"limber._core.State", state_new, state_methods, {0, NULL}};
