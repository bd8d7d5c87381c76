/*
 * urdf_link.c - the links of a URDF robot: masses, shapes to see and to collide with, colours.
 */
#include "formats/mapping/urdf.h"

#include "base/error.h"
#include "base/suggest.h"

#include <math.h>
#include <string.h>

/* ---- placements --------------------------------------------------------- */

lb_status urdf_origin(const element_place *place, const tree_node *parent, lb_transform *origin)
{
    const tree_node *node;
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0}, quat[4] = {0, 0, 0, 1};
    *origin = LB_TRANSFORM_IDENTITY;
    TRY(element_only_child(place, parent, "origin", &node));
    if (node == NULL)
        return LB_OK;

    // a rotation is given in one way or not at all
    bool has_quat = tree_attribute(node, "quat_xyzw") != NULL;
    if (has_quat && tree_attribute(node, "rpy") != NULL)
        return element_refuse(place, LB_BAD_MODEL, node,
                              "<origin> has both rpy and quat_xyzw; leave one of them");
    TRY(element_numbers(place, node, "xyz", 3, xyz));
    TRY(element_numbers(place, node, "rpy", 3, rpy));
    TRY(element_numbers(place, node, "quat_xyzw", 4, quat));

    // quaternions are written with few digits, but one far from unit length is a mistake
    lb_quat rotation = {quat[3], quat[0], quat[1], quat[2]};
    double square = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
    if (fabs(square - 1) > 0.02)
        return element_refuse(place, LB_BAD_VALUE, node, "quat_xyzw must have length 1, not %g",
                              sqrt(square));
    rotation = has_quat ? lb_quat_normalize(rotation) : lb_quat_from_rpy(rpy[0], rpy[1], rpy[2]);
    *origin = lb_transform_from_quat(rotation, lb_vec3_make(xyz[0], xyz[1], xyz[2]));
    return LB_OK;
}

/* ---- masses ------------------------------------------------------------- */

/* <inertial>: whatever of it is missing is zero */
static lb_status read_inertial(const element_place *place, const tree_node *link_node,
                               lb_link *link)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const tree_node *inertial, *mass, *inertia;
    lb_transform frame;
    inertial = tree_child(link_node, "inertial");
    if (inertial == NULL)
        return LB_OK;
    // no motion depends on it
    for (const tree_node *n = tree_next(inertial); n != NULL; n = tree_next(n))
        element_warn(place, n,
                     "a second <inertial> is passed over, as by other readers; the first "
                     "is in line %d",
                     inertial->line);
    TRY(urdf_origin(place, inertial, &frame));
    TRY(element_only_child(place, inertial, "mass", &mass));
    TRY(element_only_child(place, inertial, "inertia", &inertia));
    if (mass != NULL)
        TRY(element_numbers(place, mass, "value", 1, &link->mass));
    if (link->mass < 0)
        return element_refuse(place, LB_BAD_VALUE, mass, "mass %g is below zero", link->mass);

    // the tensor is given about the centre, along the axes of <origin>
    double given[6] = {0};
    for (int i = 0; i < 6 && inertia != NULL; i++)
        TRY(element_numbers(place, inertia, names[i], 1, &given[i]));
    draft_set_inertia(link, &frame, given);
    return LB_OK;
}

/* ---- shapes ------------------------------------------------------------- */

/* A shape of URDF: the attributes that fill size.x and size.z, or all of size. */
typedef struct shape_type {
    const char *name;
    lb_shape shape;
    const char *radius, *length, *size;
} shape_type;

static const shape_type shape_types[] = {
    {"box", LB_SHAPE_BOX, NULL, NULL, "size"},
    {"cylinder", LB_SHAPE_CYLINDER, "radius", "length", NULL},
    {"capsule", LB_SHAPE_CAPSULE, "radius", "length", NULL},
    {"sphere", LB_SHAPE_SPHERE, "radius", NULL, NULL},
    {"mesh", LB_SHAPE_MESH, NULL, NULL, "scale"},
};

static const shape_type *find_shape(const char *name)
{
    for (size_t i = 0; i < sizeof shape_types / sizeof *shape_types; i++)
        if (strcmp(name, shape_types[i].name) == 0)
            return &shape_types[i];
    return NULL;
}

static lb_status refuse_shape(const element_place *place, const tree_node *node)
{
    suggest nearest = suggest_start(node->name);
    for (size_t i = 0; i < sizeof shape_types / sizeof *shape_types; i++)
        suggest_consider(&nearest, shape_types[i].name);
    return element_refuse(place, LB_BAD_MODEL, node, "no shape <%.60s>%s", node->name,
                          suggest_phrase(&nearest));
}

/* an attribute of `count` numbers that the shape cannot do without; NULL: it has none such */
static lb_status read_extent(const element_place *place, const tree_node *node, const char *name,
                             int count, double *values)
{
    if (name == NULL)
        return LB_OK;
    const char *text;
    TRY(element_text(place, node, name, &text));
    return element_numbers(place, node, name, count, values);
}

static lb_status read_shape(const element_place *place, const tree_node *node,
                            lb_geometry *geometry)
{
    const shape_type *type = find_shape(node->name);
    if (type == NULL)
        return refuse_shape(place, node);
    geometry->shape = type->shape;

    // a mesh has a name, and a scale that may be left out
    double size[3] = {1, 1, 1};
    if (type->shape == LB_SHAPE_MESH) {
        TRY(element_text(place, node, "filename", &geometry->mesh));
        TRY(element_numbers(place, node, type->size, 3, size));
    } else {
        TRY(read_extent(place, node, type->size, 3, size));
        TRY(read_extent(place, node, type->radius, 1, &size[0]));
        TRY(read_extent(place, node, type->length, 1, &size[2]));
    }
    geometry->size = lb_vec3_make(size[0], size[1], size[2]);
    return LB_OK;
}

/* ---- colours ------------------------------------------------------------ */

/* as many as there can be */
static int count_materials(const tree_node *robot)
{
    int count = tree_count(robot, "material");
    for (const tree_node *link = tree_child(robot, "link"); link != NULL; link = tree_next(link))
        count += tree_count(link, "visual");
    return count;
}

/* keeps the first definition of a name */
static void define_color(urdf_colors *colors, const tree_node *material)
{
    const char *name = tree_attribute(material, "name");
    const tree_node *color = tree_child(material, "color");
    if (name == NULL || color == NULL || name_table_find(&colors->names, name) >= 0)
        return;
    name_table_add(&colors->names, name, colors->count);
    colors->nodes[colors->count++] = color;
}

bool urdf_colors_create(urdf_colors *colors, const tree_node *robot, const lb_allocator *pool)
{
    size_t room = (size_t)count_materials(robot);
    *colors = (urdf_colors){.nodes = memory_take(pool, room, sizeof *colors->nodes)};
    if (name_table_create(&colors->names, room, pool) == NULL || colors->nodes == NULL)
        return false;

    // what the robot defines counts before what its visuals do
    const tree_node *node, *visual;
    for (node = tree_child(robot, "material"); node != NULL; node = tree_next(node))
        define_color(colors, node);
    for (node = tree_child(robot, "link"); node != NULL; node = tree_next(node))
        for (visual = tree_child(node, "visual"); visual != NULL; visual = tree_next(visual))
            if (tree_child(visual, "material") != NULL)
                define_color(colors, tree_child(visual, "material"));
    return true;
}

static const tree_node *find_color(const urdf_colors *colors, const char *name)
{
    int index = name_table_find(&colors->names, name);
    return index < 0 ? NULL : colors->nodes[index];
}

/* a material's own colour, else that of its name; one that is not defined has none */
static lb_status read_color(const element_place *place, const urdf_colors *colors,
                            const tree_node *visual, double rgba[4])
{
    // readers of URDF take the first of several materials
    const tree_node *material = tree_child(visual, "material");
    const tree_node *second = material == NULL ? NULL : tree_next(material);
    if (second != NULL)
        element_warn(place, second, "a second <material> in one visual is passed over");
    if (material == NULL)
        return LB_OK;
    const char *name = tree_attribute(material, "name");
    const tree_node *color = tree_child(material, "color");
    if (color == NULL && name != NULL)
        color = find_color(colors, name);
    if (color == NULL)
        return LB_OK;
    return element_color(place, color, rgba);
}

/* ---- links -------------------------------------------------------------- */

/* the element in <geometry>; NULL: there is none */
static lb_status find_shape_node(const element_place *place, const tree_node *node,
                                 const tree_node **shape)
{
    const tree_node *geometry = NULL;
    lb_status status = element_only_child(place, node, "geometry", &geometry);
    *shape = geometry == NULL ? NULL : geometry->first;
    return status;
}

static lb_status read_placed_shape(const element_place *place, const tree_node *node,
                                   const tree_node *shape, lb_geometry *geometry)
{
    TRY(urdf_origin(place, node, &geometry->origin));
    return read_shape(place, shape, geometry);
}

static lb_status read_visual(model_draft *draft, const element_place *place,
                             const urdf_colors *colors, const tree_node *node)
{
    lb_geometry *visual = draft_geometry(draft);
    const tree_node *shape;
    TRY(find_shape_node(place, node, &shape));
    if (shape == NULL)
        return element_refuse(place, LB_BAD_MODEL, node,
                              "a <visual> needs a <geometry> with a shape");
    TRY(read_placed_shape(place, node, shape, visual));
    return read_color(place, colors, node, visual->color);
}

/* kinematics needs no collision shapes: one of another reader's making is left out, not refused */
static lb_status read_collision(model_draft *draft, const element_place *place,
                                const tree_node *node, lb_link *link)
{
    const tree_node *shape;
    TRY(find_shape_node(place, node, &shape));
    if (shape == NULL || find_shape(shape->name) == NULL) {
        element_warn(place, node, "a <collision> %s%.60s%s is left out",
                     shape == NULL ? "without a shape" : "of the unknown shape <",
                     shape == NULL ? "" : shape->name, shape == NULL ? "" : ">");
        return LB_OK;
    }
    link->collision_count++;
    return read_placed_shape(place, node, shape, draft_geometry(draft));
}

/* the shapes of a link are contiguous in the draft, the visuals first */
static lb_status read_shapes(model_draft *draft, const element_place *place,
                             const urdf_colors *colors, const tree_node *node, lb_link *link)
{
    const tree_node *child = tree_child(node, "visual");
    link->visuals = draft->geometries + draft->geometry_count;
    for (; child != NULL; child = tree_next(child)) {
        TRY(read_visual(draft, place, colors, child));
        link->visual_count++;
    }
    link->collisions = draft->geometries + draft->geometry_count;
    for (child = tree_child(node, "collision"); child != NULL; child = tree_next(child))
        TRY(read_collision(draft, place, child, link));
    return LB_OK;
}

lb_status urdf_link(model_draft *draft, const urdf_colors *colors, const tree_node *node,
                    lb_error *error)
{
    lb_link *link = draft_link(draft, node->line);
    element_place place = {"link", NULL, error, draft->warnings};
    TRY(element_text(&place, node, "name", &link->name));
    place.name = link->name;
    TRY(read_inertial(&place, node, link));
    return read_shapes(draft, &place, colors, node, link);
}
