/*
 * collada.c - Collada (Khronos, 1.4.1 and 1.5.0): the geometries that the nodes of its scene show,
 * in metres. The up axis is passed over, as ROS does; skins stand as they were bound.
 */
#include "base/text.h"
#include "formats/mesh/mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "formats/parse.h"
#include "model/range.h"

#include <string.h>

/*
 * Nodes may show nodes that show nodes, each twice: no more are visited than would take this many
 * bytes beside the file's own, and no more points made.
 */
enum { DEPTH = 256, WORK = 1 << 26, POINTS = 1 << 24 };

/* A map p -> m p + t, row by row. */
typedef struct affine {
    double m[3][4];
} affine;

/* A node whose children are visited. */
typedef struct frame {
    const tree_node *next;
    affine place;
} frame;

/* Nodes that are open, from the scene to where the walk is. */
typedef struct walk {
    collada *c;
    mesh_points *points;
    frame *frames; /* DEPTH */
    int depth;
    size_t work, most_work, most_points;
} walk;

/* ---- elements by their ids ------------------------------------------------- */

static int kind_of(const tree_node *node)
{
    static const char *const names[COLLADA_KINDS] = {"visual_scene", "node", "geometry",
                                                     "controller"};
    int kind = text_index(node->name, names, COLLADA_KINDS);
    return kind < 0 || tree_attribute(node, "id") == NULL ? COLLADA_KINDS : kind;
}

/* all elements of these kinds, and tables of their ids; false: there is no memory */
static bool list_elements(collada *c)
{
    size_t counts[COLLADA_KINDS + 1] = {0}, count = 0;
    for (const tree_node *n = c->root; n != NULL; n = tree_walk(n, c->root, true))
        counts[kind_of(n)]++;
    size_t all = 0;
    for (int kind = 0; kind < COLLADA_KINDS; kind++) {
        name_table_create(&c->names[kind], counts[kind], c->allocator);
        all += counts[kind];
    }
    c->elements = memory_take(c->allocator, all, sizeof *c->elements);
    if (memory_pool_failed(c->allocator))
        return false;
    for (const tree_node *n = c->root; n != NULL; n = tree_walk(n, c->root, true)) {
        int kind = kind_of(n);
        if (kind == COLLADA_KINDS)
            continue;
        name_table_add(&c->names[kind], tree_attribute(n, "id"), (int)count);
        c->elements[count++].node = n;
    }
    return true;
}

/* the element that an attribute "#id" means */
static lb_status collada_find(collada *c, collada_kind kind, const tree_node *node,
                              const char *attribute, collada_element **found)
{
    const char *url = tree_attribute(node, attribute);
    if (url == NULL || *url != '#')
        return lb_error_set(c->error, LB_UNSUPPORTED, node->line,
                            "<%s> needs %s=\"#ID\" of an element of this file; what it names in "
                            "another file is not read",
                            node->name, attribute);
    int index = name_table_find(&c->names[kind], url + 1);
    if (index < 0)
        return lb_error_set(c->error, LB_NOT_FOUND, node->line,
                            "<%s>: there is no element with id=\"%.100s\"; export the file again",
                            node->name, url + 1);
    *found = &c->elements[index];
    return LB_OK;
}

/* ---- places ---------------------------------------------------------------- */

static affine multiply(const affine *a, const affine *b)
{
    affine product;
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 4; k++) {
            product.m[r][k] = k < 3 ? 0 : a->m[r][3];
            for (int i = 0; i < 3; i++)
                product.m[r][k] += a->m[r][i] * b->m[i][k];
        }
    return product;
}

static lb_vec3 apply(const affine *a, lb_vec3 p)
{
    double out[3];
    for (int r = 0; r < 3; r++)
        out[r] = lb_vec3_dot(lb_vec3_make(a->m[r][0], a->m[r][1], a->m[r][2]), p) + a->m[r][3];
    return lb_vec3_make(out[0], out[1], out[2]);
}

static affine affine_scale(double x, double y, double z)
{
    return (affine){{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}}};
}

/* about an axis of any length, in degrees; an axis of no length turns nothing */
static affine affine_rotation(const double n[4])
{
    lb_vec3 axis = lb_vec3_make(n[0], n[1], n[2]);
    double length = lb_vec3_length(axis);
    lb_quat turn =
        length > 0 ? lb_quat_from_axis_angle(lb_vec3_scale(axis, 1 / length), n[3] * (LB_PI / 180))
                   : (lb_quat){1, 0, 0, 0};
    lb_transform t = lb_transform_from_quat(turn, lb_vec3_make(0, 0, 0));
    return (affine){{{t.x.x, t.y.x, t.z.x, 0}, {t.x.y, t.y.y, t.z.y, 0}, {t.x.z, t.y.z, t.z.z, 0}}};
}

/* an element that moves its node, which comes after those before it */
static lb_status add_move(const tree_node *node, affine *place, lb_error *error)
{
    static const struct {
        const char *name;
        int count;
    } moves[] = {{"matrix", 16}, {"translate", 3}, {"rotate", 4},
                 {"scale", 3},   {"lookat", 0},    {"skew", 0}};
    enum { MATRIX, TRANSLATE, ROTATE, SCALE, LOOK, MOVES = 6 };
    int move = 0;
    double n[16];
    while (move < MOVES && strcmp(node->name, moves[move].name) != 0)
        move++;
    if (move == MOVES)
        return LB_OK;
    if (move >= LOOK)
        return lb_error_set(error, LB_UNSUPPORTED, node->line,
                            "<%s> is not read; give the node a <matrix>", node->name);
    text_scan scan = collada_scan(node);
    TRY(mesh_scan_numbers(&scan, moves[move].count, n, error));
    if (!range_has_row(n, moves[move].count))
        return lb_error_set(error, LB_BAD_VALUE, node->line, "<%s> has a number above %g",
                            node->name, LB_LENGTH_MAX);
    affine to = affine_scale(1, 1, 1);
    if (move == MATRIX)
        memcpy(to.m, n, sizeof to.m);
    else if (move == ROTATE)
        to = affine_rotation(n);
    else if (move == SCALE)
        to = affine_scale(n[0], n[1], n[2]);
    else
        for (int i = 0; i < 3; i++)
            to.m[i][3] = n[i];
    *place = multiply(place, &to);
    return LB_OK;
}

/* ---- the scene ------------------------------------------------------------- */

static lb_status open_node(walk *w, const tree_node *node, const affine *above)
{
    affine place = *above;
    if (w->depth == DEPTH)
        return lb_error_set(w->c->error, LB_UNSUPPORTED, node->line,
                            "nodes are nested deeper than %d, or <instance_node> shows a node in "
                            "itself",
                            DEPTH);
    for (const tree_node *n = node->first; n != NULL; n = n->next)
        TRY(add_move(n, &place, w->c->error));
    w->frames[w->depth++] = (frame){node->first, place};
    return LB_OK;
}

static lb_status add_geometry(walk *w, collada_element *geometry, const tree_node *node,
                              const affine *place)
{
    TRY(collada_read_geometry(w->c, geometry));
    if (geometry->count > w->most_points - w->points->count)
        return lb_error_set(w->c->error, LB_UNSUPPORTED, node->line,
                            "nodes show geometries so often that the file has too many points");
    for (size_t i = 0; i < geometry->count; i++)
        TRY(mesh_points_add(w->points, apply(place, w->c->local.at[geometry->first + i]),
                            node->line, w->c->error));
    return LB_OK;
}

/* the geometry, or the controller, that a skin or morph deforms */
static lb_status find_source(collada *c, collada_element *controller)
{
    if (controller->read)
        return LB_OK;
    const tree_node *skin = tree_child(controller->node, "skin");
    skin = skin == NULL ? tree_child(controller->node, "morph") : skin;
    skin = skin == NULL ? controller->node : skin;
    const char *source = tree_attribute(skin, "source");
    bool again = source != NULL && *source == '#' &&
                 name_table_find(&c->names[COLLADA_GEOMETRY], source + 1) < 0 &&
                 name_table_find(&c->names[COLLADA_CONTROLLER], source + 1) >= 0;
    controller->read = true;
    return collada_find(c, again ? COLLADA_CONTROLLER : COLLADA_GEOMETRY, skin, "source",
                        &controller->source);
}

static lb_status add_controller(walk *w, const tree_node *node, const affine *place)
{
    enum { CHAIN = 8 };
    collada_element *element;
    TRY(collada_find(w->c, COLLADA_CONTROLLER, node, "url", &element));
    for (int i = 0; i < CHAIN; i++) {
        TRY(find_source(w->c, element));
        element = element->source;
        if (strcmp(element->node->name, "geometry") == 0)
            return add_geometry(w, element, node, place);
    }
    return lb_error_set(w->c->error, LB_UNSUPPORTED, node->line,
                        "the controller deforms controllers without end");
}

/* bytes that a visit may look at */
static size_t size_of(const tree_node *node)
{
    size_t size = sizeof *node + strlen(node->text);
    for (const tree_node *a = node->first_attribute; a != NULL; a = a->next)
        size += sizeof *a + strlen(a->text);
    return size;
}

static lb_status visit(walk *w, const tree_node *node, const affine *place)
{
    collada_element *element;
    w->work += size_of(node);
    if (w->work > w->most_work)
        return lb_error_set(w->c->error, LB_UNSUPPORTED, node->line,
                            "<instance_node> shows nodes too often");
    if (strcmp(node->name, "node") == 0)
        return open_node(w, node, place);
    if (strcmp(node->name, "instance_controller") == 0)
        return add_controller(w, node, place);
    if (strcmp(node->name, "instance_node") == 0) {
        lb_status status = collada_find(w->c, COLLADA_NODE, node, "url", &element);
        return status == LB_OK ? open_node(w, element->node, place) : status;
    }
    if (strcmp(node->name, "instance_geometry") == 0) {
        lb_status status = collada_find(w->c, COLLADA_GEOMETRY, node, "url", &element);
        return status == LB_OK ? add_geometry(w, element, node, place) : status;
    }
    return LB_OK;
}

/* metres of the file's unit */
static lb_status read_unit(const collada *c, double *metres)
{
    const tree_node *asset = tree_child(c->root, "asset");
    const tree_node *unit = asset == NULL ? NULL : tree_child(asset, "unit");
    const char *text = unit == NULL ? NULL : tree_attribute(unit, "meter");
    *metres = 1;
    if (text == NULL)
        return LB_OK;
    text_scan scan = {text, text + strlen(text), unit->line};
    TRY(mesh_word_number(text_scan_word(&scan), metres, c->error));
    if (!(*metres > 0))
        return lb_error_set(c->error, LB_BAD_VALUE, unit->line,
                            "<unit> meter=\"%.40s\" is not above 0", text);
    return LB_OK;
}

/* the scene that the file shows; its only one where it does not say */
static lb_status find_scene(collada *c, collada_element **scene)
{
    const tree_node *shown = tree_child(c->root, "scene");
    shown = shown == NULL ? NULL : tree_child(shown, "instance_visual_scene");
    if (shown != NULL)
        return collada_find(c, COLLADA_SCENE, shown, "url", scene);
    if (c->names[COLLADA_SCENE].count != 1)
        return lb_error_set(c->error, LB_BAD_MODEL, c->root->line,
                            "the file shows no scene: it needs <scene> with "
                            "<instance_visual_scene>; export it again");
    *scene = &c->elements[c->names[COLLADA_SCENE].leaves[0].index];
    return LB_OK;
}

static lb_status walk_scene(walk *w)
{
    collada_element *scene;
    double metres;
    TRY(read_unit(w->c, &metres));
    TRY(find_scene(w->c, &scene));
    w->frames[w->depth++] = (frame){scene->node->first, affine_scale(metres, metres, metres)};
    while (w->depth > 0) {
        frame *top = &w->frames[w->depth - 1];
        const tree_node *node = top->next;
        if (node == NULL) {
            w->depth--;
            continue;
        }
        top->next = node->next;
        TRY(visit(w, node, &top->place));
    }
    return LB_OK;
}

static lb_status read_document(collada *c, size_t size, mesh_points *points)
{
    if (strcmp(c->root->name, "COLLADA") != 0)
        return lb_error_set(c->error, LB_SYNTAX_ERROR, c->root->line,
                            "the outermost element is <%.60s>, not <COLLADA>", c->root->name);
    bool listed = list_elements(c);
    walk w = {.c = c,
              .points = points,
              .frames = memory_take(c->allocator, DEPTH, sizeof(frame)),
              .most_work = size + WORK,
              .most_points = size + POINTS};
    TRY(require_memory(c->error, listed && w.frames));
    return walk_scene(&w);
}

lb_status collada_parse(const char *text, size_t size, mesh_points *points, lb_error *error)
{
    lb_document *document;
    MEMORY_POOL(memory, points->allocator);
    TRY(parse_text(xml_parse, text, size, NULL, &memory, &document, error));
    collada c = {.allocator = &memory,
                 .root = tree_root(document),
                 .local = {.allocator = &memory},
                 .error = error};
    TRY(require_memory(error, tree_status(document) == LB_OK));
    return read_document(&c, size, points);
}
