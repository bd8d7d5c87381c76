/*
 * collision.c - _core.Collision: distances between the links of a model and to a scene.
 */
#include "fields.h"

#include <limber/collision.h>
#include <limber/formats/mesh.h>
#include <limber/formats/scene.h>

#include <string.h>

static void release_collision(void *collision)
{
    lb_collision_release(collision);
}

const handle_kind collision_kind = {"this collision check", release_collision};

static const field option_fields[] = {
    FIELD(lb_collision_options, allow_missing, BOOL),
    FIELD(lb_collision_options, samples, INT),
    FIELD(lb_collision_options, fit, INT),
    FIELD(lb_collision_options, always, DOUBLE),
    FIELD(lb_collision_options, skip_never, BOOL),
    FIELD(lb_collision_options, skip_rest, BOOL),
    FIELD(lb_collision_options, margin, DOUBLE),
    FIELD_END,
};

const field proximity_fields[] = {
    FIELD(lb_proximity, distance, DOUBLE),
    FIELD(lb_proximity, body_a, INT),
    FIELD(lb_proximity, body_b, INT),
    FIELD(lb_proximity, shape_a, INT),
    FIELD(lb_proximity, shape_b, INT),
    FIELD_VECTOR(lb_proximity, point_a),
    FIELD_VECTOR(lb_proximity, point_b),
    FIELD_VECTOR(lb_proximity, normal),
    FIELD_END,
};

/* ---- creating ------------------------------------------------------------------------ */

/* What a collision check is made from; all of it is copied. */
typedef struct sources {
    lb_scene *scene;
    lb_mesh_list *of_model, *of_scene;
    lb_mesh *meshes;
} sources;

static void release_sources(sources *s)
{
    lb_scene_release(s->scene);
    lb_mesh_list_release(s->of_model);
    lb_mesh_list_release(s->of_scene);
    PyMem_Free(s->meshes);
}

/* the meshes of both in one list */
static bool join_meshes(sources *s, lb_collision_options *options)
{
    int first = s->of_model != NULL ? s->of_model->count : 0;
    int second = s->of_scene != NULL ? s->of_scene->count : 0;
    s->meshes = PyMem_Calloc((size_t)(first + second) + 1, sizeof *s->meshes);
    if (s->meshes == NULL)
        return PyErr_NoMemory() != NULL;
    if (first > 0)
        memcpy(s->meshes, s->of_model->meshes, (size_t)first * sizeof *s->meshes);
    if (second > 0)
        memcpy(s->meshes + first, s->of_scene->meshes, (size_t)second * sizeof *s->meshes);
    options->meshes = s->meshes;
    options->mesh_count = first + second;
    return true;
}

/* the scene and all meshes, from beside their files; an empty path is none */
static lb_status load_sources(const lb_model *model, const char *model_path, const char *scene_path,
                              PyObject *warnings, sources *s, lb_error *error)
{
    lb_load_options options = {.warn = collect_warning, .user = warnings};
    lb_status status = LB_OK;
    if (*scene_path != '\0')
        status = lb_scene_load(scene_path, &options, &s->scene, error);
    if (status == LB_OK && *model_path != '\0')
        status = lb_mesh_list_load(model_path, model, NULL, &options, &s->of_model, error);
    if (status == LB_OK && s->scene != NULL)
        status = lb_mesh_list_load(scene_path, NULL, s->scene, &options, &s->of_scene, error);
    return status;
}

/* make(model, model_path, scene_path, options) -> (Collision, warnings) */
static PyObject *collision_make(PyObject *type, PyObject *args)
{
    PyObject *owner, *model_path, *scene_path, *dict;
    if (!PyArg_ParseTuple(args, "OO&O&O!:make", &owner, PyUnicode_FSConverter, &model_path,
                          PyUnicode_FSConverter, &scene_path, &PyDict_Type, &dict))
        return NULL;
    const lb_model *model = MODEL_OF(owner);
    lb_collision_options options = lb_collision_options_default();
    lb_collision *collision = NULL;
    lb_error error = {0};
    sources s = {NULL, NULL, NULL, NULL};
    PyObject *warnings = PyList_New(0);
    if (model != NULL && warnings != NULL && fields_read(dict, option_fields, &options)) {
        lb_status status = load_sources(model, PyBytes_AsString(model_path),
                                        PyBytes_AsString(scene_path), warnings, &s, &error);
        if (status == LB_OK && join_meshes(&s, &options))
            status = lb_collision_create(model, s.scene, &options, NULL, &collision, &error);
        if (collision == NULL && !PyErr_Occurred())
            none_or_error(status, &error);
    }
    release_sources(&s);
    Py_DECREF(model_path);
    Py_DECREF(scene_path);
    PyObject *made = collision != NULL
                         ? handle_make((PyTypeObject *)type, &collision_kind, collision, owner)
                         : NULL;
    if (made != NULL)
        return Py_BuildValue("NN", made, warnings);
    Py_XDECREF(warnings);
    return NULL;
}

/* ---- measuring --------------------------------------------------------------------------- */

/* bodies() -> names: links, then obstacles */
static PyObject *collision_bodies(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_collision *collision = ((handle *)self)->object;
    int n = lb_collision_body_count(collision);
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple != NULL && i < n; i++)
        PyTuple_SetItem(tuple, i, text_object(lb_collision_body_name(collision, i)));
    return tuple;
}

/* pairs() -> ((body, body, state), ...): which pairs are checked, and why others are not */
static PyObject *collision_pairs(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    const lb_collision *collision = ((handle *)self)->object;
    int n = lb_collision_pair_count(collision);
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple != NULL && i < n; i++) {
        int a, b;
        lb_pair_state state = lb_collision_pair_at(collision, i, &a, &b);
        PyTuple_SetItem(tuple, i, Py_BuildValue("iis", a, b, lb_pair_state_text(state)));
    }
    return tuple;
}

/* near(q, distance, proximities) -> how many pairs are that near */
static PyObject *collision_near(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    double distance;
    Py_buffer q, out;
    int found = 0;
    if (!PyArg_ParseTuple(args, "y*dw*:near", &q, &distance, &out))
        return NULL;
    size_t room = (size_t)out.len / sizeof(lb_proximity);
    bool ran = buffer_is(&q, "q", (size_t)lb_model_nq(handle_model(own)), sizeof(double)) &&
               handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            found =
                lb_collision_near(own->object, q.buf, distance,
                                  room < INT_MAX ? (int)room : INT_MAX, room > 0 ? out.buf : NULL);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&q);
    PyBuffer_Release(&out);
    return ran ? PyLong_FromLong(found) : NULL;
}

/* gradient(q, proximity, numbers): of the least distance */
static PyObject *collision_gradient(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer q, nearest, out;
    if (!PyArg_ParseTuple(args, "y*w*w*:gradient", &q, &nearest, &out))
        return NULL;
    const lb_model *model = handle_model(own);
    bool ran = buffer_is(&q, "q", (size_t)lb_model_nq(model), sizeof(double)) &&
               buffer_is(&nearest, "proximity", 1, sizeof(lb_proximity)) &&
               buffer_is(&out, "gradient", (size_t)lb_model_nv(model), sizeof(double)) &&
               handle_enter(own);
    if (ran) {
        // where no pair is checked there is no gradient
        if (isfinite(lb_collision_distance(own->object, q.buf, nearest.buf)))
            lb_collision_gradient(own->object, nearest.buf, out.buf);
        handle_leave(own);
    }
    PyBuffer_Release(&q);
    PyBuffer_Release(&nearest);
    PyBuffer_Release(&out);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* distance(q, proximities): a record for each row */
static PyObject *collision_distance(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer q, out;
    if (!PyArg_ParseTuple(args, "y*w*:distance", &q, &out))
        return NULL;
    size_t n = (size_t)out.len / sizeof(lb_proximity);
    bool ran = buffer_is(&q, "q", n * (size_t)lb_model_nq(handle_model(own)), sizeof(double)) &&
               handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            lb_collision_batch(own->object, q.buf, 0, n, out.buf);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&q);
    PyBuffer_Release(&out);
    return ran ? Py_NewRef(Py_None) : NULL;
}

/* free(q, flags): a byte for each row */
static PyObject *collision_free(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer q, out;
    if (!PyArg_ParseTuple(args, "y*w*:free", &q, &out))
        return NULL;
    size_t n = (size_t)out.len, nq = (size_t)lb_model_nq(handle_model(own));
    bool ran = buffer_is(&q, "q", n * nq, sizeof(double)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            for (size_t i = 0; i < n; i++)
                ((unsigned char *)out.buf)[i] =
                    lb_collision_free(own->object, (const double *)q.buf + i * nq);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    PyBuffer_Release(&q);
    PyBuffer_Release(&out);
    return ran ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"make", collision_make, METH_VARARGS | METH_CLASS, NULL},
    {"bodies", collision_bodies, METH_NOARGS, NULL},
    {"pairs", collision_pairs, METH_NOARGS, NULL},
    {"near", collision_near, METH_VARARGS, NULL},
    {"gradient", collision_gradient, METH_VARARGS, NULL},
    {"distance", collision_distance, METH_VARARGS, NULL},
    {"free", collision_free, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, handle_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec collision_spec = {
    .name = "limber._core.Collision",
    .basicsize = sizeof(handle),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};
