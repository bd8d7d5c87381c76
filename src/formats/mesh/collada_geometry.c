/*
 * collada_geometry.c - the points of a Collada geometry (Collada 1.4.1, chapter 5).
 *
 * Counts of primitives (count, vcount) say only how corners are grouped into faces, which a convex
 * hull does not need: they are not read.
 */
#include "formats/mesh/mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include <string.h>

text_scan collada_scan(const tree_node *node)
{
    return (text_scan){node->text, node->text + strlen(node->text), node->line};
}

/* ---- positions ------------------------------------------------------------ */

/* Where the coordinates of a point are among the numbers of an array. */
typedef struct accessor {
    int count, stride, offset, axes[3];
} accessor;

static const tree_node *child_with(const tree_node *parent, const char *name, const char *attribute,
                                   const char *value)
{
    const tree_node *child = tree_child(parent, name);
    for (; child != NULL; child = tree_next(child)) {
        const char *text = tree_attribute(child, attribute);
        if (text != NULL && strcmp(text, value) == 0)
            return child;
    }
    return NULL;
}

static lb_status read_count(const tree_node *node, const char *name, int *value, lb_error *error)
{
    const char *text = tree_attribute(node, name);
    if (text == NULL)
        return LB_OK;
    text_scan scan = {text, text + strlen(text), node->line};
    TRY(mesh_word_integer(text_scan_word(&scan), value, error));
    if (*value < 0)
        return lb_error_set(error, LB_BAD_VALUE, node->line, "<%s> %s=\"%d\" is negative",
                            node->name, name, *value);
    return LB_OK;
}

/* the axes by the parameters' names X, Y and Z, else the first three */
static lb_status read_accessor(const tree_node *node, accessor *a, lb_error *error)
{
    *a = (accessor){.stride = 1, .axes = {0, 1, 2}};
    TRY(read_count(node, "count", &a->count, error));
    TRY(read_count(node, "stride", &a->stride, error));
    TRY(read_count(node, "offset", &a->offset, error));
    int place = 0;
    const tree_node *param = tree_child(node, "param");
    for (; param != NULL; param = tree_next(param), place++) {
        const char *name = tree_attribute(param, "name");
        for (int i = 0; i < 3 && name != NULL; i++)
            if (letter_lowered(name[0]) == "xyz"[i] && name[1] == '\0')
                a->axes[i] = place;
    }
    for (int i = 0; i < 3; i++)
        if (a->axes[i] >= a->stride)
            return lb_error_set(error, LB_BAD_MODEL, node->line,
                                "<accessor> of positions has stride %d; X, Y and Z need three",
                                a->stride);
    return LB_OK;
}

/* the array and the accessor of a mesh's positions */
static lb_status find_positions(const tree_node *mesh, const tree_node **array,
                                const tree_node **access, lb_error *error)
{
    const tree_node *vertices = tree_child(mesh, "vertices");
    const tree_node *input =
        vertices == NULL ? NULL : child_with(vertices, "input", "semantic", "POSITION");
    const char *id = input == NULL ? NULL : tree_attribute(input, "source");
    const tree_node *source =
        id == NULL || *id != '#' ? NULL : child_with(mesh, "source", "id", id + 1);
    const tree_node *technique = source == NULL ? NULL : tree_child(source, "technique_common");
    *access = technique == NULL ? NULL : tree_child(technique, "accessor");
    *array = source == NULL ? NULL : tree_child(source, "float_array");
    if (*access != NULL && *array != NULL)
        return LB_OK;
    return lb_error_set(error, LB_BAD_MODEL, mesh->line,
                        "<mesh> needs <vertices> with the input POSITION, from a <source> in it "
                        "that has a <float_array> and an <accessor>; export it again");
}

static lb_status read_positions(const tree_node *mesh, mesh_points *positions, lb_error *error)
{
    const tree_node *array, *access;
    accessor a;
    double number, point[3] = {0, 0, 0};
    TRY(find_positions(mesh, &array, &access, error));
    TRY(read_accessor(access, &a, error));
    text_scan scan = collada_scan(array);
    for (int i = 0; i < a.offset; i++)
        TRY(mesh_scan_numbers(&scan, 1, &number, error));
    for (int n = 0; n < a.count; n++) {
        for (int k = 0; k < a.stride; k++) {
            TRY(mesh_scan_numbers(&scan, 1, &number, error));
            for (int i = 0; i < 3; i++)
                if (k == a.axes[i])
                    point[i] = number;
        }
        TRY(mesh_points_add(positions, lb_vec3_make(point[0], point[1], point[2]), scan.line,
                            error));
    }
    return LB_OK;
}

/* ---- primitives ----------------------------------------------------------- */

static bool is_primitive(const tree_node *node)
{
    static const char *const names[] = {"triangles", "trifans", "tristrips", "polylist",
                                        "polygons",  "lines",   "linestrips"};
    return text_index(node->name, names, sizeof names / sizeof *names) >= 0;
}

/* how many indices a corner has, and which of them is the vertex's */
static lb_status read_inputs(const tree_node *primitive, int *stride, int *vertex, lb_error *error)
{
    *stride = 0;
    *vertex = -1;
    const tree_node *input = tree_child(primitive, "input");
    for (; input != NULL; input = tree_next(input)) {
        int offset = 0;
        const char *semantic = tree_attribute(input, "semantic");
        TRY(read_count(input, "offset", &offset, error));
        *stride = offset >= *stride ? offset + 1 : *stride;
        if (semantic != NULL && strcmp(semantic, "VERTEX") == 0)
            *vertex = offset;
    }
    return *vertex >= 0 ? LB_OK
                        : lb_error_set(error, LB_BAD_MODEL, primitive->line,
                                       "<%s> needs an input VERTEX", primitive->name);
}

/* marks the vertices that one list of indices names */
static lb_status mark_indices(const tree_node *list, int stride, int vertex, size_t count,
                              unsigned char *used, lb_error *error)
{
    text_scan scan = collada_scan(list);
    int place = 0;
    for (text_word word; (word = text_scan_word(&scan)).size > 0;) {
        int index = 0;
        TRY(place == vertex ? mesh_word_integer(word, &index, error) : LB_OK);
        if (place == vertex && (index < 0 || (size_t)index >= count))
            return lb_error_set(error, LB_BAD_VALUE, word.line,
                                "there is no vertex %d; the mesh has %zu", index, count);
        if (place == vertex)
            used[index] = 1;
        place = place + 1 == stride ? 0 : place + 1;
    }
    return place == 0 ? LB_OK
                      : lb_error_set(error, LB_BAD_VALUE, list->line,
                                     "the indices of <%s> are no multiple of %d, one for each "
                                     "input of a corner",
                                     list->name, stride);
}

/* <p>, and in polygons with holes <ph><p>..</p><h>..</h></ph> */
static lb_status mark_primitive(const tree_node *primitive, size_t count, unsigned char *used,
                                lb_error *error)
{
    int stride, vertex;
    lb_status status = read_inputs(primitive, &stride, &vertex, error);
    const tree_node *node = tree_walk(primitive, primitive, true);
    for (; node != NULL && status == LB_OK; node = tree_walk(node, primitive, true))
        if (strcmp(node->name, "p") == 0 || strcmp(node->name, "h") == 0)
            status = mark_indices(node, stride, vertex, count, used, error);
    return status;
}

/* adds the positions that primitives name to the points of all geometries */
static lb_status add_used(collada *c, const tree_node *mesh, const mesh_points *positions)
{
    unsigned char *used = memory_take(positions->allocator, positions->count, 1);
    TRY(require_memory(c->error, used));
    for (const tree_node *node = mesh->first; node != NULL; node = node->next)
        if (is_primitive(node))
            TRY(mark_primitive(node, positions->count, used, c->error));
    for (size_t i = 0; i < positions->count; i++)
        if (used[i])
            TRY(mesh_points_add(&c->local, positions->at[i], mesh->line, c->error));
    return LB_OK;
}

lb_status collada_read_geometry(collada *c, collada_element *geometry)
{
    if (geometry->read)
        return LB_OK;
    geometry->read = true;
    geometry->first = c->local.count;
    // splines have no body, nor has an empty mesh
    const tree_node *mesh = tree_child(geometry->node, "mesh");
    if (mesh == NULL)
        mesh = tree_child(geometry->node, "convex_mesh");
    if (mesh == NULL || mesh->first == NULL)
        return LB_OK;
    MEMORY_POOL(memory, c->allocator);
    mesh_points positions = {.allocator = &memory};
    TRY(read_positions(mesh, &positions, c->error));
    TRY(add_used(c, mesh, &positions));
    geometry->count = c->local.count - geometry->first;
    return LB_OK;
}
