/*
 * json_reader.h - reading JSON objects by tables of their keys.
 *
 * An object is described by one table: each key, the function that reads its
 * value and where the value goes. Keys are read in the table's order, whatever
 * the file's; a key that the table does not have is refused with the nearest
 * that it has. Messages begin with the path: "joints[3].axis: ...".
 */
#ifndef FORMATS_MAPPING_JSON_READER_H
#define FORMATS_MAPPING_JSON_READER_H

#include "formats/mapping/draft.h"
#include "formats/mapping/tree.h"

enum { READER_MAX_DEPTH = 10 };

/* One step of a path: into the member `key` of an object, or, when it is NULL, to an element. */
typedef struct reader_path_step {
    const char *key;
    int index;
    const tree_node *value;
} reader_path_step;

/* The state of one reading; `path` leads from `root` to the value that is being read. */
typedef struct json_reader {
    const tree_node *root;
    lb_error *error;
    reader_path_step path[READER_MAX_DEPTH];
    int depth;
    bool degrees; /* angles in the file are degrees */
    model_draft draft;
    lb_model *dh; /* the joints of a Denavit-Hartenberg table, whose names the draft may use */
} json_reader;

/* Reads `value` into what `out` points to. */
typedef lb_status reader_read(json_reader *reader, const tree_node *value, void *out);

typedef struct reader_field {
    const char *key;
    reader_read *read;
    size_t offset; /* of the value in the struct that is filled */
    bool required;
} reader_field;

/* Fills the error with the path and line of the value that is being read; returns `status`. */
lb_status reader_refuse(json_reader *reader, lb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads an object into the struct at `out`. */
lb_status reader_object(json_reader *reader, const tree_node *value, const reader_field *fields,
                        size_t field_count, void *out);

/* Refuses an object in which a key is there twice: of YAML no parser notices. */
lb_status reader_unique(json_reader *reader, const tree_node *object);

/* Reads member `key`, or element `index` when it is NULL, with the path one step longer. */
lb_status reader_step(json_reader *reader, const char *key, int index, reader_read *read,
                      const tree_node *value, void *out);

/*
 * Reads an array, each element of it into the next `stride` bytes of `out`
 * (0: all into the same). `count` < 0: any number of elements.
 */
lb_status reader_array(json_reader *reader, const tree_node *value, int count, reader_read *read,
                       void *out, size_t stride);

/* The index of a text in a list of names; what is not there is refused with the nearest. */
lb_status reader_choice(json_reader *reader, const tree_node *value, const char *what,
                        const char *const *names, int name_count, int *choice);

/* Into double, const char * (not empty), bool, lb_vec3, lb_quat (w x y z) and lb_transform. */
reader_read reader_number;
reader_read reader_angle;
/* An angle that something is placed at: one that looks like degrees where radians are read is
 * noted. */
reader_read reader_turn;
reader_read reader_text;
reader_read reader_bool;
reader_read reader_vec3;
reader_read reader_rotation;
reader_read reader_placement;

/* "limber", the version of the format; a text for people that is not kept; "angles". */
reader_read reader_version;
reader_read reader_note;
reader_read reader_angles;

/* ---- the parts of a model ----------------------------------------------- */

/* "links": into the reader's draft. */
reader_read reader_links;
/* A list of shapes, consecutive in the reader's draft; `out` is the number of them. */
reader_read reader_shapes;
/* The name of a shape in the format. */
const char *shape_name(lb_shape shape);

/* One object of "joints"; `out` is the lb_joint, which has its defaults. */
reader_read reader_joint;
/* "loops": into the reader's draft. */
reader_read reader_loops;
/* "dh": joints and links into the reader's draft. */
reader_read reader_dh;

/* ---- joints ------------------------------------------------------------ */

/* A letter for each of a kind's values, and for each of its limits: a an angle, - any other. */
typedef struct joint_units {
    const char *values;
    const char *limits; /* of a ball joint none: its twist and swing are given by name */
} joint_units;

const joint_units *joint_units_of(lb_joint_kind kind);

/* Each fills its part of the lb_joint that `out` points to, whose kind must have been read. */
reader_read reader_kind;
reader_read reader_limits;
reader_read reader_value;
reader_read reader_mimic;
reader_read reader_velocity;

/* How a joint moves, for the table of an object whose lb_joint is `at` bytes into the struct. */
#define READER_MOTION_FIELDS(at)                                                                   \
    {"kind", reader_kind, at, false}, {"limits", reader_limits, at, false},                        \
        {"value", reader_value, at, false},                                                        \
        {"weight", reader_number, (at) + offsetof(lb_joint, weight), false},                       \
        {"locked", reader_bool, (at) + offsetof(lb_joint, locked), false},                         \
        {"driven", reader_bool, (at) + offsetof(lb_joint, driven), false},                         \
        {"sprung", reader_bool, (at) + offsetof(lb_joint, sprung), false},                         \
        {"mimic", reader_mimic, at, false}, {"velocity", reader_velocity, at, false},              \
    {                                                                                              \
        "effort", reader_number, (at) + offsetof(lb_joint, effort), false                          \
    }

#endif
