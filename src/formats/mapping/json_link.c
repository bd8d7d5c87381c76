/*
 * json_link.c - the links of the JSON linkage format, what they look like and collide with.
 */
#include "formats/mapping/json_reader.h"

#include "base/error.h"

#include <string.h>

/* ---- shapes ------------------------------------------------------------- */

/* A shape while it is being read; a cylinder's two ends may be given for its placement. */
typedef struct shape_reading {
    lb_geometry geometry;
    lb_vec3 from, to;
} shape_reading;

static lb_status read_color(json_reader *reader, const tree_node *value, void *out)
{
    double *color = out;
    color[3] = 1;
    int count = tree_array_size(value) == 3 ? 3 : 4;
    TRY(reader_array(reader, value, count, reader_number, color, sizeof *color));
    for (int i = 0; i < 4; i++)
        if (!(color[i] >= 0 && color[i] <= 1))
            TRY(reader_refuse(reader, LB_BAD_VALUE, "color components must be between 0 and 1"));
    return LB_OK;
}

/* zero is a size: real files have boxes without thickness */
static lb_status read_size(json_reader *reader, const tree_node *value, void *out)
{
    lb_status status = reader_number(reader, value, out);
    if (status == LB_OK && !(*(double *)out >= 0))
        return reader_refuse(reader, LB_BAD_VALUE, "a size must not be below zero");
    return status;
}

static lb_status read_sizes(json_reader *reader, const tree_node *value, void *out)
{
    double xyz[3];
    TRY(reader_array(reader, value, 3, read_size, xyz, sizeof *xyz));
    *(lb_vec3 *)out = lb_vec3_make(xyz[0], xyz[1], xyz[2]);
    return LB_OK;
}

/* the name was read to find its table */
static lb_status read_nothing(json_reader *reader, const tree_node *value, void *out)
{
    (void)reader, (void)value, (void)out;
    return LB_OK;
}

#define GEOMETRY_AT(member) offsetof(shape_reading, geometry.member)
#define FIELDS_OF_ALL                                                                              \
    {"shape", read_nothing, 0, true}, {"placement", reader_placement, GEOMETRY_AT(origin), false}, \
    {                                                                                              \
        "color", read_color, GEOMETRY_AT(color), false                                             \
    }

static const reader_field box_fields[] = {
    FIELDS_OF_ALL,
    {"size", read_sizes, GEOMETRY_AT(size), true},
};
static const reader_field rod_fields[] = {
    FIELDS_OF_ALL,
    {"radius", read_size, GEOMETRY_AT(size.x), true},
    {"length", read_size, GEOMETRY_AT(size.z), false},
    {"from", reader_vec3, offsetof(shape_reading, from), false},
    {"to", reader_vec3, offsetof(shape_reading, to), false},
};
static const reader_field sphere_fields[] = {
    FIELDS_OF_ALL,
    {"radius", read_size, GEOMETRY_AT(size.x), true},
};
static const reader_field mesh_fields[] = {
    FIELDS_OF_ALL,
    {"mesh", reader_text, GEOMETRY_AT(mesh), true},
    {"scale", reader_vec3, GEOMETRY_AT(size), false},
};

/* in the order of lb_shape */
static const char *const shape_names[] = {"box", "cylinder", "capsule", "sphere", "mesh"};
static const struct {
    const reader_field *fields;
    size_t count;
} shape_fields[] = {
    {box_fields, sizeof box_fields / sizeof *box_fields},
    {rod_fields, sizeof rod_fields / sizeof *rod_fields},
    {rod_fields, sizeof rod_fields / sizeof *rod_fields},
    {sphere_fields, sizeof sphere_fields / sizeof *sphere_fields},
    {mesh_fields, sizeof mesh_fields / sizeof *mesh_fields},
};

const char *shape_name(lb_shape shape)
{
    return shape_names[shape];
}

static lb_status read_shape_name(json_reader *reader, const tree_node *value, void *out)
{
    return reader_choice(reader, value, "shape", shape_names,
                         (int)(sizeof shape_names / sizeof *shape_names), out);
}

/* the frame midway between two points, its z axis turned from z to their direction by the shorter
 * rotation */
static lb_transform frame_between(lb_vec3 from, lb_vec3 to, double length)
{
    lb_vec3 span = lb_vec3_sub(to, from);
    lb_vec3 d = lb_vec3_make(span.x / length, span.y / length, span.z / length);
    lb_quat arc = {1 + d.z, -d.y, d.x, 0};
    // straight down, every half turn is as short
    lb_quat half_turn = {0, 1, 0, 0};
    lb_quat rotation = d.x == 0 && d.y == 0 && d.z < 0 ? half_turn : lb_quat_normalize(arc);
    return lb_transform_from_quat(rotation, lb_vec3_scale(lb_vec3_add(from, to), 0.5));
}

/* a cylinder or capsule is given by its length and placement, or by its two ends */
static lb_status place_rod(json_reader *reader, const tree_node *value, shape_reading *shape)
{
    bool has_from = tree_member(value, "from") != NULL;
    bool has_to = tree_member(value, "to") != NULL;
    bool has_length = tree_member(value, "length") != NULL;
    if (has_length && !has_from && !has_to)
        return LB_OK;
    if (has_length || !has_to || tree_member(value, "placement") != NULL)
        return reader_refuse(reader, LB_BAD_MODEL,
                             "give \"length\" and \"placement\", or the ends \"from\" and \"to\"");
    double length = lb_vec3_length(lb_vec3_sub(shape->to, shape->from));
    if (!(length > 0) || !isfinite(length))
        return reader_refuse(reader, LB_BAD_VALUE,
                             "\"from\" and \"to\" must be two different points");
    shape->geometry.size.z = length;
    shape->geometry.origin = frame_between(shape->from, shape->to, length);
    return LB_OK;
}

/* one shape of a list; `out` is the number of those that it has */
static lb_status read_geometry(json_reader *reader, const tree_node *value, void *out)
{
    int *count = out;
    shape_reading shape = {.geometry = *draft_geometry(&reader->draft)};
    int kind = 0;
    const tree_node *name = tree_member(value, "shape");
    if (name == NULL)
        return reader_refuse(reader, LB_BAD_MODEL, "expected an object with the key \"shape\"");

    // the shape says which keys there may be
    TRY(reader_step(reader, "shape", 0, read_shape_name, name, &kind));
    TRY(reader_object(reader, value, shape_fields[kind].fields, shape_fields[kind].count, &shape));
    shape.geometry.shape = (lb_shape)kind;
    bool is_rod = kind == LB_SHAPE_CYLINDER || kind == LB_SHAPE_CAPSULE;
    if (is_rod)
        TRY(place_rod(reader, value, &shape));

    reader->draft.geometries[reader->draft.geometry_count - 1] = shape.geometry;
    ++*count;
    return LB_OK;
}

lb_status reader_shapes(json_reader *reader, const tree_node *value, void *out)
{
    return reader_array(reader, value, -1, read_geometry, out, 0);
}

/* a link's visuals, and its collision shapes, are contiguous in the draft */
static lb_status read_visuals(json_reader *reader, const tree_node *value, void *out)
{
    lb_link *link = out;
    link->visuals = reader->draft.geometries + reader->draft.geometry_count;
    return reader_shapes(reader, value, &link->visual_count);
}

static lb_status read_collisions(json_reader *reader, const tree_node *value, void *out)
{
    lb_link *link = out;
    link->collisions = reader->draft.geometries + reader->draft.geometry_count;
    return reader_shapes(reader, value, &link->collision_count);
}

/* ---- links -------------------------------------------------------------- */

static lb_status read_mass(json_reader *reader, const tree_node *value, void *out)
{
    lb_status status = reader_number(reader, value, out);
    if (status == LB_OK && *(double *)out < 0)
        return reader_refuse(reader, LB_BAD_VALUE, "a mass must not be negative");
    return status;
}

static lb_status read_inertia(json_reader *reader, const tree_node *value, void *out)
{
    return reader_array(reader, value, 6, reader_number, out, sizeof(double));
}

static lb_status read_link(json_reader *reader, const tree_node *value, void *out)
{
    static const reader_field fields[] = {
        {"name", reader_text, offsetof(lb_link, name), true},
        {"bone", reader_text, offsetof(lb_link, bone), false},
        {"data_offset", reader_placement, offsetof(lb_link, data_offset), false},
        {"mass", read_mass, offsetof(lb_link, mass), false},
        {"center", reader_vec3, offsetof(lb_link, center), false},
        {"inertia", read_inertia, offsetof(lb_link, inertia), false},
        {"visuals", read_visuals, 0, false},
        {"collisions", read_collisions, 0, false},
    };
    (void)out;
    return reader_object(reader, value, fields, sizeof fields / sizeof *fields,
                         draft_link(&reader->draft, value->line));
}

lb_status reader_links(json_reader *reader, const tree_node *value, void *out)
{
    return reader_array(reader, value, -1, read_link, out, 0);
}
