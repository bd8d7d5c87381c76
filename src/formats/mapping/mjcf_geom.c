/*
 * mjcf_geom.c - the geoms of MJCF as visuals and collision shapes, and <inertial>.
 */
#include "formats/mapping/mjcf.h"

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"

#include <string.h>

/* MuJoCo's viewer shows these groups by default; what only collides is above */
enum { LAST_SHOWN_GROUP = 2 };

/* A type of geom: how many sizes it has, and how many of them `fromto` replaces. */
typedef struct geom_type {
    const char *name;
    int sizes; /* 0: no shape here */
    lb_shape shape;
} geom_type;

static const geom_type geom_types[] = {
    {"sphere", 1, LB_SHAPE_SPHERE},     {"capsule", 2, LB_SHAPE_CAPSULE},
    {"cylinder", 2, LB_SHAPE_CYLINDER}, {"box", 3, LB_SHAPE_BOX},
    {"mesh", 3, LB_SHAPE_MESH},         {"plane", 0, LB_SHAPE_BOX},
    {"hfield", 0, LB_SHAPE_BOX},        {"ellipsoid", 0, LB_SHAPE_SPHERE},
    {"sdf", 0, LB_SHAPE_MESH},
};
enum { GEOM_TYPE_COUNT = sizeof geom_types / sizeof *geom_types, FITTED = 4 };

static const char *text_of(const mjcf_reader *reader, const tree_node *node, const char *name)
{
    return tree_attribute(mjcf_source(reader, node, name), name);
}

static lb_status find_type(const mjcf_reader *reader, const element_place *place,
                           const tree_node *node, const geom_type **type)
{
    const char *name = text_of(reader, node, "type");
    suggest nearest = suggest_start(name == NULL ? "sphere" : name);
    for (int i = 0; i < GEOM_TYPE_COUNT; i++) {
        *type = &geom_types[i];
        if (strcmp(nearest.name, (*type)->name) == 0)
            return LB_OK;
        suggest_consider(&nearest, (*type)->name);
    }
    return element_refuse(place, LB_BAD_MODEL, node, "no geom type '%.60s'%s", name,
                          suggest_phrase(&nearest));
}

/* a shape that MuJoCo fits to a mesh, whatever its size says, is that mesh */
static const geom_type *follow_mesh(const mjcf_reader *reader, const element_place *place,
                                    const tree_node *node, const geom_type *type)
{
    if (type->sizes == 0 || type->shape == LB_SHAPE_MESH || text_of(reader, node, "mesh") == NULL)
        return type;
    element_warn(place, node, "a %s fitted to a mesh is read as the mesh itself", type->name);
    return &geom_types[FITTED];
}

/* ---- sizes ---------------------------------------------------------------- */

static lb_status read_size(const mjcf_reader *reader, const element_place *place,
                           const tree_node *node, const geom_type *type, lb_geometry *geometry)
{
    // sizes are half of what they are in other formats
    double size[3] = {0, 0, 0};
    lb_vec3 from_to[2];
    int count;
    bool ends = false;
    const tree_node *source = mjcf_source(reader, node, "size");
    TRY(element_some_numbers(place, source, "size", 1, 3, size, &count));
    if (type->sizes > 1)
        TRY(mjcf_ends(reader, place, node, from_to, &ends));
    int along = type->shape == LB_SHAPE_BOX ? 2 : 1;
    if (ends && type->shape == LB_SHAPE_BOX)
        size[1] = size[0];
    if (ends)
        size[along] = 0.5 * lb_vec3_length(lb_vec3_sub(from_to[1], from_to[0]));
    if (count < type->sizes - (ends ? type->sizes - 1 : 0))
        return element_refuse(place, LB_BAD_MODEL, source, "a %s needs %d number%s of size",
                              type->name, type->sizes, type->sizes == 1 ? "" : "s");
    if (type->shape == LB_SHAPE_BOX)
        geometry->size = lb_vec3_make(2 * size[0], 2 * size[1], 2 * size[2]);
    else
        geometry->size = lb_vec3_make(size[0], 1, 2 * size[1]);
    return LB_OK;
}

static bool is_plane(const geom_type *type)
{
    return strcmp(type->name, "plane") == 0;
}

/* a plane ends nowhere, whatever its size: a box below it, larger than any robot reaches and too
   thick to be left on its other side */
static void make_floor(lb_geometry *geometry)
{
    geometry->size = lb_vec3_make(100, 100, 10);
    lb_vec3 down = lb_vec3_scale(geometry->origin.z, -0.5 * geometry->size.z);
    geometry->origin.p = lb_vec3_add(geometry->origin.p, down);
}

static const tree_node *find_asset(const mjcf_reader *reader, const name_table *table,
                                   const char *name)
{
    int index = name == NULL ? -1 : name_table_find(table, name);
    return index < 0 ? NULL : reader->nodes[index];
}

static lb_status read_mesh(const mjcf_reader *reader, const element_place *place,
                           const tree_node *node, lb_geometry *geometry)
{
    const char *name = text_of(reader, node, "mesh"), *folder = reader->compiler.mesh_folder;
    const tree_node *asset = find_asset(reader, &reader->meshes, name);
    if (asset == NULL)
        return element_refuse(place, LB_BAD_MODEL, node, "no <mesh> asset '%.60s'",
                              name == NULL ? "" : name);

    // a mesh without a file has its points in this one: there is nothing to name
    double scale[3] = {1, 1, 1};
    const char *file = tree_attribute(asset, "file");
    TRY(element_numbers(place, mjcf_source(reader, asset, "scale"), "scale", 3, scale));
    geometry->size = lb_vec3_make(scale[0], scale[1], scale[2]);
    geometry->mesh = file == NULL ? name : file;
    if (file != NULL && folder != NULL && folder[0] != '\0') {
        char path[LB_ERROR_MESSAGE_SIZE];
        const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
        text_format(path, sizeof path, "%.240s%s%.240s", folder, slash, file);
        geometry->mesh = tree_copy_text(reader->scratch, path);
        TRY(require_memory(reader->error, geometry->mesh));
    }
    return LB_OK;
}

/* ---- whole geoms ---------------------------------------------------------- */

/* its own colour, else that of its material, else MuJoCo's grey */
static lb_status read_color(const mjcf_reader *reader, const element_place *place,
                            const tree_node *node, double rgba[4])
{
    const tree_node *source = mjcf_source(reader, node, "rgba");
    const tree_node *material =
        find_asset(reader, &reader->materials, text_of(reader, node, "material"));
    if (source == node && tree_attribute(node, "rgba") == NULL && material != NULL)
        source = mjcf_source(reader, material, "rgba");
    for (int i = 0; i < 4; i++)
        rgba[i] = i < 3 ? 0.5 : 1;
    return element_color(place, source, rgba);
}

/* What a geom can be to its link. */
typedef enum geom_role { ROLE_VISUAL, ROLE_COLLISION } geom_role;

static lb_status is_shown(const mjcf_reader *reader, const element_place *place,
                          const tree_node *node, bool *shown)
{
    double group = 0, rgba[4];
    TRY(element_numbers(place, mjcf_source(reader, node, "group"), "group", 1, &group));
    // what is to be said of a colour is said when what is shown is read
    const element_place quiet = {place->kind, place->name, place->error, NULL};
    TRY(read_color(reader, &quiet, node, rgba));
    *shown = group <= LAST_SHOWN_GROUP && rgba[3] > 0;
    return LB_OK;
}

/* whether it takes part in MuJoCo's own collisions */
static lb_status is_solid(const mjcf_reader *reader, const element_place *place,
                          const tree_node *node, bool *solid)
{
    double type = 1, affinity = 1;
    TRY(element_numbers(place, mjcf_source(reader, node, "contype"), "contype", 1, &type));
    TRY(element_numbers(place, mjcf_source(reader, node, "conaffinity"), "conaffinity", 1,
                        &affinity));
    *solid = type != 0 || affinity != 0;
    return LB_OK;
}

/* whether a geom has that role; a shape that collides and cannot be kept is warned of; a plane,
   which most files have for a floor, is no visual */
static lb_status has_role(const mjcf_reader *reader, const element_place *place,
                          const tree_node *node, const geom_type *type, geom_role role, bool *has)
{
    TRY(role == ROLE_VISUAL ? is_shown(reader, place, node, has)
                            : is_solid(reader, place, node, has));
    if (*has && type->sizes == 0) {
        *has = role == ROLE_COLLISION && is_plane(type);
        if (role == ROLE_COLLISION && !*has)
            element_warn(place, node, "a geom of type %s is left out of the collision shapes",
                         type->name);
    }
    return LB_OK;
}

static lb_status read_geom(mjcf_reader *reader, const tree_node *body, const tree_node *node,
                           const lb_link *link, geom_role role, int *count)
{
    element_place place = {"body", link->name, reader->error, reader->warnings};
    const geom_type *type;
    bool wanted;
    TRY(find_type(reader, &place, node, &type));
    TRY(has_role(reader, &place, node, type, role, &wanted));
    if (!wanted)
        return LB_OK;
    type = follow_mesh(reader, &place, node, type);
    lb_geometry geometry = {
        .shape = type->shape, .origin = LB_TRANSFORM_IDENTITY, .size = {1, 1, 1}};
    TRY(mjcf_frame_in_body(reader, &place, node, body, &geometry.origin));
    if (is_plane(type))
        make_floor(&geometry);
    else if (type->shape == LB_SHAPE_MESH)
        TRY(read_mesh(reader, &place, node, &geometry));
    else
        TRY(read_size(reader, &place, node, type, &geometry));
    if (role == ROLE_VISUAL)
        TRY(read_color(reader, &place, node, geometry.color));
    *draft_geometry(&reader->draft) = geometry;
    ++*count;
    return LB_OK;
}

/* all of a body's geoms that have a role */
static lb_status read_geoms(mjcf_reader *reader, const tree_node *body, const lb_link *link,
                            geom_role role, int *count)
{
    const tree_node *node = mjcf_next_own(body, body);
    for (; node != NULL; node = mjcf_next_own(node, body))
        if (strcmp(node->name, "geom") == 0)
            TRY(read_geom(reader, body, node, link, role, count));
    return LB_OK;
}

/* <inertial>: a body without one has a mass that MuJoCo infers, and none that is known here */
static lb_status read_inertial(mjcf_reader *reader, const tree_node *body, const tree_node *node,
                               lb_link *link)
{
    element_place place = {"body", link->name, reader->error, reader->warnings};
    double given[6] = {0};
    lb_transform frame;
    TRY(mjcf_frame_in_body(reader, &place, node, body, &frame));
    TRY(element_numbers(&place, node, "mass", 1, &link->mass));
    TRY(element_numbers(&place, node, "diaginertia", 3, given));
    TRY(element_numbers(&place, node, "fullinertia", 6, given));
    if (link->mass < 0)
        return element_refuse(&place, LB_BAD_VALUE, node, "mass %g is below zero", link->mass);
    draft_set_inertia(link, &frame, given);
    return LB_OK;
}

/* where the shapes that are read next will be */
static const lb_geometry *next_geometry(const mjcf_reader *reader)
{
    return reader->draft.geometries + reader->draft.geometry_count;
}

lb_status mjcf_read_geoms(mjcf_reader *reader, const tree_node *body, lb_link *link)
{
    const tree_node *own = mjcf_next_own(body, body);
    while (own != NULL && strcmp(own->name, "inertial") != 0)
        own = mjcf_next_own(own, body);
    if (own != NULL)
        TRY(read_inertial(reader, body, own, link));
    link->visuals = next_geometry(reader);
    TRY(read_geoms(reader, body, link, ROLE_VISUAL, &link->visual_count));
    link->collisions = next_geometry(reader);
    return read_geoms(reader, body, link, ROLE_COLLISION, &link->collision_count);
}

/* the shapes of one link follow each other, wherever in the file they are */
lb_status mjcf_read_world_geoms(mjcf_reader *reader, const tree_node *world, lb_link *link)
{
    link->visuals = next_geometry(reader);
    for (const tree_node *w = world; w != NULL; w = tree_next(w))
        TRY(read_geoms(reader, w, link, ROLE_VISUAL, &link->visual_count));
    link->collisions = next_geometry(reader);
    for (const tree_node *w = world; w != NULL; w = tree_next(w))
        TRY(read_geoms(reader, w, link, ROLE_COLLISION, &link->collision_count));
    return LB_OK;
}
