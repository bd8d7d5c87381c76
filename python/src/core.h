/*
 * core.h - what the files of the Python extension share.
 *
 * The extension limber._core is a thin layer over the public C API by CPython's limited API
 * (3.11 and later): one binary serves every later version. Arrays come and go by the buffer
 * protocol, so that numpy is not needed to build it. It is private: the modules beside it, in
 * python/limber, allocate the arrays, check shapes and are what users see. What is checked here is
 * what memory safety needs: that every buffer has the size that the call reads or writes.
 *
 * Functions that return a PyObject * or false set a Python exception on failure.
 */
#ifndef CORE_H
#define CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <limber/formats/gltf.h>
#include <limber/limber.h>

#include <stdbool.h>

/* ---- handles ------------------------------------------------------------- */

/* A kind of C object that Python holds: its name in messages, and its release function. */
typedef struct handle_kind {
    const char *name;
    void (*release)(void *object);
} handle_kind;

/* A Python object that holds a C object; all types of this module are this struct. */
typedef struct handle {
    PyObject_HEAD const handle_kind *kind;
    void *object;
    size_t count;  /* tasks of a solver, links of forward kinematics, 1 of views */
    bool borrowed; /* the owner releases it */
    bool busy;     /* a thread is in it; read and written under the interpreter's lock alone */
    PyThread_type_lock lock; /* held by that thread, for others to wait for */
    int readers;             /* threads that read it; likewise */
    PyObject *owner;         /* what must outlive it, often the model; NULL: nothing */
    PyObject *others;        /* collisions that its calls work with, a tuple; NULL: none */
    PyObject *results;       /* for one row, what numpy.empty makes each result of; NULL: none */
    int layout;              /* of transforms among them */
} handle;

/* A new object of `type`, which takes over `object` and a reference to `owner` (may be NULL). */
PyObject *handle_make(PyTypeObject *type, const handle_kind *kind, void *object, PyObject *owner);
/* The same for what the owner releases. */
PyObject *handle_borrow(PyTypeObject *type, const handle_kind *kind, const void *object,
                        PyObject *owner);
/*
 * `self`, a new object whose calls work with other handles as well: `others`, a tuple in which each
 * is once, is taken over. NULL, and all released, where one of the two is NULL.
 */
PyObject *handle_with(PyObject *self, PyObject *others);
/* The same for what has a count of tasks or links. */
PyObject *handle_make_counted(PyTypeObject *type, const handle_kind *kind, void *object,
                              PyObject *owner, size_t count);
/* The same of the type that the module has by this name; None where `object` is NULL. */
PyObject *made_member(PyObject *module, const char *type, const handle_kind *kind, void *object,
                      PyObject *owner);
/* What `value` holds, NULL where it is no handle of that kind. */
void *handle_object(PyObject *value, const handle_kind *kind);
/* The same where None is NULL: false, and an exception, where it is something else. */
bool optional_object(PyObject *value, const handle_kind *kind, void **object);
/* A collision check, or None, as the filter of a solver of this model: false, and an exception,
   where it is of a model with other configurations. */
bool read_filter(PyObject *value, const lb_model *model, lb_solution_filter **filter, void **user);
/* The slot that every type of this module has. */
void handle_dealloc(PyObject *self);

/*
 * Brackets a call that runs without the interpreter's lock on an object that belongs to one
 * thread at a time, as the others do that it works with. handle_enter waits while another thread
 * is in one of them, and fails with a RuntimeError where one is read.
 */
bool handle_enter(handle *self);
void handle_leave(handle *self);
/* The same for what several threads may read side by side, but not change meanwhile. */
bool handle_share(handle *self);
void handle_unshare(handle *self);
/* What it holds; NULL, and a RuntimeError, while a thread is in it, or reads what would change. */
void *handle_to_read(PyObject *self);
void *handle_to_change(PyObject *self);

/* The owner of a handle as a model. */
const lb_model *handle_model(const handle *self);

/* Models are what most other objects are made from. */
#define MODEL_OF(value) ((const lb_model *)handle_object(value, &model_kind))

/* The file that a model is of, a handle; NULL: none. */
PyObject *file_of(PyObject *model);
/* Whether `model` is a model of `file`, which it keeps alive then; else an exception. */
bool is_of_file(PyObject *model, PyObject *file);

/* The glTF that a model is of, found through what it was made from; NULL: of none. */
const lb_gltf *figure_of(PyObject *model);

/* ---- errors -------------------------------------------------------------- */

/* Raises limber.LimberError, or MemoryError; returns NULL. */
PyObject *raise_error(const lb_error *error);
/* None for LB_OK, else what raise_error does. */
PyObject *none_or_error(lb_status status, const lb_error *error);
/* The same where the library gives no message: `what` names the argument. */
PyObject *none_or_status(lb_status status, const char *what);
/* A text of the library's, which is freed; or the error. */
PyObject *text_or_error(lb_status status, char *text, const lb_error *error);
/* A sink of text that appends each piece, as bytes, to the list `list`; needs no lock. */
bool append_piece(void *list, const void *bytes, size_t size);
/* Text that may not be UTF-8, as files have it. */
PyObject *text_object(const char *text);
/* A lb_load_warn that appends (path, line, message) to the list `user`; needs no lock. */
void collect_warning(void *user, const lb_error *warning);

/* ---- buffers ------------------------------------------------------------- */

/* a b, SIZE_MAX where that is beyond it: what callers count may be anything. */
size_t product(size_t a, size_t b);
/* Whether a buffer has `count` items of `size` bytes; `what` names it. None passes. */
bool buffer_is(const Py_buffer *buffer, const char *what, size_t count, size_t size);
/* Gives back what PyArg_ParseTuple filled in. */
void buffers_release(Py_buffer *buffers, int count);
/* Whether begin <= end <= count. */
bool range_is(Py_ssize_t begin, Py_ssize_t end, size_t count);
/* Whether so many rows from `begin` on are among the first `count`. */
bool rows_are(Py_ssize_t begin, size_t rows, size_t count);
/* Exactly n doubles of a buffer object. */
bool read_doubles(PyObject *value, double *numbers, size_t n);

/*
 * One row, the quick way. The numbers of an array where it is contiguous float64; false, without
 * an exception, where it is anything else: the modules beside know what to do then.
 */
bool row_view(PyObject *value, Py_buffer *row);
/* Whether it has this shape; and the same for n numbers. */
bool row_is(const Py_buffer *row, int ndim, const Py_ssize_t *sizes);
bool vector_view(PyObject *value, Py_ssize_t n, Py_buffer *row);
/*
 * New arrays, one for each item of `made_of`, a tuple of what numpy.empty is called with; and their
 * memory. NULL and none on failure.
 */
PyObject *new_arrays(PyObject *made_of, Py_buffer *memory);
/* numpy's type of a struct by its fields, which are taken over. */
PyObject *numpy_type(PyObject *fields);
/* Finds what is needed of numpy, once. */
bool find_numpy(void);

/* The integers of a sequence, in memory to be released with PyMem_Free; NULL on failure. */
int *read_indices(PyObject *sequence, int *count);

/*
 * How transforms are laid out in an array: name, rows and columns of one.
 *   columns  as lb_transform: (4, 3), nothing is converted
 *   matrix   (4, 4), the last row 0 0 0 1
 *   affine   (3, 4), the same without it
 *   pose     x y z and the quaternion w x y z
 *   point    x y z, the axes are those of the world
 */
#define LAYOUT_LIST(X)                                                                             \
    X(COLUMNS, 4, 3)                                                                               \
    X(MATRIX, 4, 4)                                                                                \
    X(AFFINE, 3, 4)                                                                                \
    X(POSE, 1, 7)                                                                                  \
    X(POINT, 1, 3)

typedef enum layout {
#define LAYOUT_ENUM(name, rows, columns) LAYOUT_##name,
    LAYOUT_LIST(LAYOUT_ENUM)
#undef LAYOUT_ENUM
        LAYOUT_COUNT
} layout;

/* The numbers of one transform; 0, and an exception, for an unknown layout. */
size_t layout_numbers(int which);
/* The shape of one transform: how many sizes it has, 1 or 2. */
int layout_shape(layout which, Py_ssize_t sizes[2]);
/* What numpy.empty is called with for one. */
PyObject *made_of_transform(layout which);
/* Rows that are converted at a time. */
enum { LAYOUT_BLOCK = 1024 };
/*
 * Converts n transforms. Reading returns the index of the first matrix whose last row is not
 * 0 0 0 1, else n; the values are otherwise left to the library to check. Need no lock.
 */
size_t layout_read(layout from, const double *numbers, size_t n, lb_transform *transforms);
/* Raises the ValueError for a matrix that layout_read stopped at; returns NULL. */
PyObject *raise_matrix(const char *what, size_t index);
void layout_write(layout to, const lb_transform *transforms, size_t n, double *numbers);

/*
 * A type of handles: its name; what a call of it makes, NULL if only other functions make one; its
 * methods; and one slot more, or none.
 */
typedef struct handle_type {
    const char *name;
    newfunc make;
    PyMethodDef *methods;
    PyType_Slot more;
} handle_type;

/* ---- the types and functions of each file --------------------------------- */

/* Every kind of object: its name here, its name in messages, and what releases it. */
#define HANDLES_LIST(X)                                                                            \
    X(assembly, "this assembly", lb_assembly_release)                                              \
    X(body, "this body", lb_body_release)                                                          \
    X(clip, "a clip", lb_clip_release)                                                             \
    X(collision, "this collision check", lb_collision_release)                                     \
    X(contacts, "contacts", lb_contacts_release)                                                   \
    X(path, "a path", lb_path_release)                                                             \
    X(follower, "this follower", lb_follower_release)                                              \
    X(forward, "this forward kinematics", lb_fk_batch_release)                                     \
    X(state, "this state", lb_state_release)                                                       \
    X(gltf, "a glTF file", lb_gltf_release)                                                        \
    X(ik, "this solver", lb_ik_release)                                                            \
    X(looks, "what links look like", lb_looks_release)                                             \
    X(model, "a model", lb_model_release)                                                          \
    X(motion, "a file of motion", lb_motion_release)                                               \
    X(placement, "these places", lb_placement_release)                                             \
    X(reach_map, "this map", lb_reach_map_release)                                                 \
    X(reach_file, "this file", close_reach_file)                                                   \
    X(retarget_stream, "this stream", lb_retarget_stream_release)                                  \
    X(servo, "this servo", lb_servo_release)                                                       \
    X(solutions, "this solver", lb_solutions_release)                                              \
    X(elbow, "this elbow", lb_elbow_release)                                                       \
    X(workspace, "this workspace", lb_workspace_release)

#define DECLARE_HANDLE(name, text, release)                                                        \
    extern const handle_kind name##_kind;                                                          \
    extern const handle_type name##_type;
HANDLES_LIST(DECLARE_HANDLE)
#undef DECLARE_HANDLE

typedef PyObject *module_function(PyObject *module, PyObject *args);
module_function figure_draw, figure_tree, figure_workspace, figure_reach, reach_join, strip_draw,
    retarget_clip, retarget_slow, retarget_map, retarget_rest, walk, srdf_load, joint_limits_load,
    check_clip, check_pairs, clip_fidelity, two_bone, planar_reaches, two_link, bones_step,
    synthesize, four_bar_json, four_bar_values;

/* A map that is found, its held points on the soles that the target draws. */
lb_status find_map(const lb_model *source, const double *rest, const lb_model *target,
                   const lb_looks *looks, lb_retarget_map *map, lb_error *error);

#endif
