/*
 * collision.c - _core.Collision: distances between the links of a model and to a scene.
 */
#include "tables.h"

#include <limber/collision.h>
#include <limber/formats/looks.h>
#include <limber/formats/scene.h>

#include <string.h>

/* ---- creating ------------------------------------------------------------------------ */

/* What a collision check is made from; all of it is copied. */
typedef struct sources {
    lb_scene *scene;
    lb_mesh_list *of_model, *of_scene;
    lb_looks *looks; /* what links look like, where that stands in */
    lb_mesh *meshes;
    lb_link_pair *disabled;
} sources;

static void release_sources(sources *s)
{
    lb_scene_release(s->scene);
    lb_mesh_list_release(s->of_model);
    lb_mesh_list_release(s->of_scene);
    lb_looks_release(s->looks);
    PyMem_Free(s->meshes);
    PyMem_Free(s->disabled);
}

/* the meshes of all in one list */
static bool join_meshes(sources *s, lb_collision_options *options)
{
    const lb_mesh_list none = {NULL, 0, 0};
    const lb_mesh_list *first = s->of_model != NULL ? s->of_model : &none;
    const lb_mesh_list *second = s->of_scene != NULL ? s->of_scene : &none;
    const lb_mesh_list third = {s->looks != NULL ? s->looks->meshes : NULL,
                                s->looks != NULL ? s->looks->mesh_count : 0, 0};
    const lb_mesh_list *const lists[] = {first, second, &third};
    size_t count = (size_t)first->count + (size_t)second->count + (size_t)third.count;
    s->meshes = PyMem_Calloc(count + 1, sizeof *s->meshes);
    if (s->meshes == NULL)
        return PyErr_NoMemory() != NULL;
    options->meshes = s->meshes;
    for (int i = 0; i < 3; i++) {
        if (lists[i]->count > 0)
            memcpy(s->meshes + options->mesh_count, lists[i]->meshes,
                   (size_t)lists[i]->count * sizeof *s->meshes);
        options->mesh_count += lists[i]->count;
    }
    return true;
}

/* Where all is read from; an empty path is none. */
typedef struct places {
    const lb_model *model;
    const char *model_path, *scene_path;
    bool by_looks;         /* what links look like stands in where none has a shape */
    const lb_gltf *figure; /* that the model is of, or NULL */
} places;

/* the scene, all meshes from beside their files, and what stands in; needs no lock */
static lb_status load_sources(const places *from, PyObject *warnings, sources *s, lb_error *error)
{
    lb_load_options options = {.warn = collect_warning, .user = warnings};
    const lb_model *model = from->model;
    lb_status status = LB_OK;
    if (*from->scene_path != '\0')
        status = lb_scene_load(from->scene_path, &options, &s->scene, error);
    if (status == LB_OK && *from->model_path != '\0')
        status = lb_mesh_list_load(from->model_path, model, NULL, &options, &s->of_model, error);
    if (status == LB_OK && s->scene != NULL)
        status = lb_mesh_list_load(from->scene_path, NULL, s->scene, &options, &s->of_scene, error);
    if (status == LB_OK && from->by_looks && lb_looks_needed(model))
        status = lb_looks_load(from->model_path, model, from->figure, NULL, &s->looks, error);
    return status;
}

/* links that need not be checked, two after two */
static bool read_disabled(PyObject *links, sources *s, lb_collision_options *options)
{
    int count = 0;
    int *indices = read_indices(links, &count);
    if (indices == NULL)
        return false;
    s->disabled = PyMem_Calloc((size_t)count / 2 + 1, sizeof *s->disabled);
    for (int i = 0; s->disabled != NULL && i < count / 2; i++)
        s->disabled[i] = (lb_link_pair){indices[2 * i], indices[2 * i + 1]};
    PyMem_Free(indices);
    options->disabled = s->disabled;
    options->disabled_count = count / 2;
    return s->disabled != NULL || PyErr_NoMemory() != NULL;
}

/* the check itself, once all arguments are read; NULL, and an exception, on failure */
static lb_collision *create(const places *from, PyObject *warnings, sources *s,
                            lb_collision_options *options)
{
    lb_collision *collision = NULL;
    lb_error error = {0};
    lb_status status;
    Py_BEGIN_ALLOW_THREADS
        status = load_sources(from, warnings, s, &error);
    Py_END_ALLOW_THREADS
    if (status == LB_OK && !join_meshes(s, options))
        return NULL;
    if (status == LB_OK && s->looks != NULL) {
        options->stand_ins = s->looks->shapes;
        options->stand_in_count = s->looks->shape_count;
    }
    Py_BEGIN_ALLOW_THREADS
        if (status == LB_OK)
            status = lb_collision_create(from->model, s->scene, options, NULL, &collision, &error);
    Py_END_ALLOW_THREADS
    if (status != LB_OK)
        none_or_error(status, &error);
    return collision;
}

/* make(model, model_path, scene_path, by_looks, disabled, options) -> (Collision, warnings) */
static PyObject *collision_make(PyObject *type, PyObject *args)
{
    PyObject *owner, *model_path, *scene_path, *disabled, *dict, *made = NULL;
    int by_looks;
    if (!PyArg_ParseTuple(args, "OO&O&pOO!:make", &owner, PyUnicode_FSConverter, &model_path,
                          PyUnicode_FSConverter, &scene_path, &by_looks, &disabled, &PyDict_Type,
                          &dict))
        return NULL;
    lb_collision_options options = lb_collision_options_default();
    sources s = {NULL};
    PyObject *warnings = PyList_New(0);
    places from = {MODEL_OF(owner), PyBytes_AsString(model_path), PyBytes_AsString(scene_path),
                   by_looks != 0, NULL};
    if (from.model != NULL && warnings != NULL &&
        fields_read(dict, lb_collision_options_fields, &options) &&
        read_disabled(disabled, &s, &options)) {
        from.figure = figure_of(owner);
        lb_collision *collision = create(&from, warnings, &s, &options);
        if (collision != NULL)
            made = handle_make((PyTypeObject *)type, &collision_kind, collision, owner);
    }
    release_sources(&s);
    Py_DECREF(model_path);
    Py_DECREF(scene_path);
    if (made != NULL)
        return Py_BuildValue("NN", made, warnings);
    Py_XDECREF(warnings);
    return NULL;
}

bool read_filter(PyObject *value, const lb_model *model, lb_solution_filter **filter, void **user)
{
    if (!optional_object(value, &collision_kind, user))
        return false;
    if (*user == NULL)
        return true;
    *filter = lb_collision_filter;
    if (lb_model_nq(handle_model((handle *)value)) == lb_model_nq(model))
        return true;
    PyErr_SetString(PyExc_ValueError, "the collision check is of another model");
    return false;
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

/* missing() -> how many shapes were left out for want of their meshes */
static PyObject *collision_missing(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromLong(lb_collision_missing(((handle *)self)->object));
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

/* gradient(q, proximities, numbers): a record and nv numbers for each row */
static PyObject *collision_gradient(PyObject *self, PyObject *args)
{
    handle *own = (handle *)self;
    Py_buffer b[3];
    if (!PyArg_ParseTuple(args, "y*w*w*:gradient", &b[0], &b[1], &b[2]))
        return NULL;
    size_t nq = (size_t)lb_model_nq(handle_model(own)), nv = (size_t)lb_model_nv(handle_model(own));
    size_t n = (size_t)b[1].len / sizeof(lb_proximity);
    lb_proximity *nearest = b[1].buf;
    bool ran = buffer_is(&b[0], "q", product(n, nq), sizeof(double)) &&
               buffer_is(&b[2], "gradient", product(n, nv), sizeof(double)) && handle_enter(own);
    if (ran) {
        Py_BEGIN_ALLOW_THREADS
            // where no pair is checked there is no gradient
            for (size_t i = 0; i < n; i++)
                if (isfinite(lb_collision_distance(own->object, (const double *)b[0].buf + i * nq,
                                                   &nearest[i])))
                    lb_collision_gradient(own->object, &nearest[i], (double *)b[2].buf + i * nv);
        Py_END_ALLOW_THREADS
        handle_leave(own);
    }
    buffers_release(b, 3);
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
    {"missing", collision_missing, METH_NOARGS, NULL},
    {"near", collision_near, METH_VARARGS, NULL},
    {"gradient", collision_gradient, METH_VARARGS, NULL},
    {"distance", collision_distance, METH_VARARGS, NULL},
    {"free", collision_free, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const handle_type collision_type = {"limber._core.Collision", NULL, methods, {0, NULL}};
