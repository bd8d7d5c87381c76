/*
 * json_joint.h - what the "joints" and the rows of "dh" have in common.
 */
#ifndef FORMATS_MAPPING_JSON_JOINT_H
#define FORMATS_MAPPING_JSON_JOINT_H

#include "formats/mapping/json_reader.h"

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
        {"mimic", reader_mimic, at, false}, {"velocity", reader_velocity, at, false},              \
    {                                                                                              \
        "effort", reader_number, (at) + offsetof(lb_joint, effort), false                          \
    }

#endif
