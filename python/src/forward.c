/*
 * forward.c - _core.Forward: forward kinematics of many configurations; _core.State: what is
 * known of one: singular values, centre of mass, how far it is from a target.
 */
#include "tables.h"

#include <limber/fk_batch.h>
#include <limber/task.h>
#include <limber/workspace.h>

/* ---- many configurations --------------------------------------------------------- */

static void release_forward(void *batch)
{
    lb_fk_batch_release(batch);
}

static const handle_kind forward_kind = {"this forward kinematics", release_forward};

/* Forward(model, links, options) */
static PyObject *forward_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner, *links, *dict;
    if (!PyArg_ParseTuple(args, "OOO!:Forward", &owner, &links, &PyDict_Type, &dict))
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
    return handle_make_counted(type, &forward_kind, batch, owner, count);
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
    {"run", forward_run, METH_VARARGS, NULL},
    {"run_float", forward_run_float, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot forward_slots[] = {
    {Py_tp_new, forward_new},
    {Py_tp_dealloc, handle_dealloc},
    {Py_tp_methods, forward_methods},
    {0, NULL},
};

PyType_Spec forward_spec = {
    .name = "limber._core.Forward",
    .basicsize = sizeof(handle),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = forward_slots,
};

/* ---- one configuration ------------------------------------------------------------- */

static void release_state(void *state)
{
    lb_state_release(state);
}

static const handle_kind state_kind = {"this state", release_state};

/* State(model, q) */
static PyObject *state_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    PyObject *owner;
    Py_buffer q;
    if (!PyArg_ParseTuple(args, "Oy*:State", &owner, &q))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_state *state = NULL;
    if (model != NULL && buffer_is(&q, "q", (size_t)lb_model_nq(model), sizeof(double))) {
        lb_status status = lb_state_create(model, NULL, &state);
        if (status == LB_OK)
            lb_state_update(state, q.buf);
        else
            none_or_status(status, "state");
    }
    PyBuffer_Release(&q);
    return state != NULL ? handle_make(type, &state_kind, state, owner) : NULL;
}

/* singularity(link, point, length, tolerance) -> dict */
static PyObject *state_singularity(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    int link;
    lb_vec3 point;
    double length, tolerance;
    if (!PyArg_ParseTuple(args, "i(ddd)dd:singularity", &link, &point.x, &point.y, &point.z,
                          &length, &tolerance))
        return NULL;
    lb_singularity found;
    lb_status status = lb_state_singularity(own->object, link, point, length, tolerance, &found);
    if (status != LB_OK)
        return none_or_status(status, "singularity");
    return fields_dict(lb_singularity_fields, &found);
}

/* center_of_mass(jacobian): fills 3 x nv numbers where it is not None -> (mass, (x, y, z)) */
static PyObject *state_center_of_mass(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer jacobian;
    if (!PyArg_ParseTuple(args, "w*:center_of_mass", &jacobian))
        return NULL;
    PyObject *made = NULL;
    if (buffer_is(&jacobian, "jacobian", 3 * (size_t)lb_model_nv(handle_model(own)),
                  sizeof(double))) {
        lb_vec3 center;
        double mass = lb_state_center_of_mass(own->object, &center, jacobian.buf);
        made = Py_BuildValue("d(ddd)", mass, center.x, center.y, center.z);
    }
    PyBuffer_Release(&jacobian);
    return made;
}

/* a task of links that the model has, as the library takes for granted here */
static bool read_task(PyObject *self, PyObject *dict, lb_task *task)
{
    size_t links = (size_t)lb_model_link_count(handle_model((handle *)self));
    return fields_read(dict, lb_task_fields, task) && rows_are(task->tip, 1, links) &&
           (task->base == LB_WORLD || rows_are(task->base, 1, links));
}

/* the task and the target, twelve numbers by columns, that a question about a state has; true: the
   target's buffer is to be released */
static bool parse_question(PyObject *self, PyObject *args, const char *format, lb_task *task,
                           Py_buffer *target)
{
    PyObject *dict;
    *task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    if (!PyArg_ParseTuple(args, format, &PyDict_Type, &dict, target))
        return false;
    if (read_task(self, dict, task) && buffer_is(target, "target", 1, sizeof(lb_transform)))
        return true;
    PyBuffer_Release(target);
    return false;
}

/* mobility(task, target or None) -> dict */
static PyObject *state_mobility(PyObject *self, PyObject *args)
{
    lb_task task;
    Py_buffer target;
    if (!parse_question(self, args, "O!z*:mobility", &task, &target))
        return NULL;
    lb_mobility found = lb_task_mobility(((handle *)self)->object, &task, target.buf);
    PyBuffer_Release(&target);
    return fields_dict(lb_mobility_fields, &found);
}

/* errors(task, target) -> (metres, radians) */
static PyObject *state_errors(PyObject *self, PyObject *args)
{
    lb_task task;
    Py_buffer target;
    if (!parse_question(self, args, "O!y*:errors", &task, &target))
        return NULL;
    double position, rotation;
    lb_task_error(((handle *)self)->object, &task, target.buf, &position, &rotation);
    PyBuffer_Release(&target);
    return Py_BuildValue("dd", position, rotation);
}

/* planar_reach(task) -> dict; None: no arm of two links in a plane */
static PyObject *state_planar_reach(PyObject *self, PyObject *dict)
{
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSITION);
    lb_planar_reach ring;
    if (!read_task(self, dict, &task))
        return NULL;
    if (!lb_planar_reach_find(((handle *)self)->object, &task, &ring))
        Py_RETURN_NONE;
    return fields_dict(lb_planar_reach_fields, &ring);
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
    {"planar_reach", state_planar_reach, METH_O, NULL},
    {"singularity", state_singularity, METH_VARARGS, NULL},
    {"center_of_mass", state_center_of_mass, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot state_slots[] = {
    {Py_tp_new, state_new},
    {Py_tp_dealloc, handle_dealloc},
    {Py_tp_methods, state_methods},
    {0, NULL},
};

PyType_Spec state_spec = {
    .name = "limber._core.State",
    .basicsize = sizeof(handle),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = state_slots,
};
