/*
 * collada.h - what the files that read Collada share: its elements by their ids, and its
 * geometries.
 */
#ifndef FORMATS_MESH_COLLADA_H
#define FORMATS_MESH_COLLADA_H

#include "formats/mapping/tree.h"
#include "formats/mesh/points.h"
#include "model/names.h"

/* Kinds of elements that others name by their ids; each kind has ids of its own, because untidy
   files use one id for a node and its geometry. */
typedef enum collada_kind {
    COLLADA_SCENE,
    COLLADA_NODE,
    COLLADA_GEOMETRY,
    COLLADA_CONTROLLER,
    COLLADA_KINDS
} collada_kind;

/* An element with an id. Geometries and controllers are read once, however often they are shown. */
typedef struct collada_element {
    const tree_node *node;
    bool read;
    size_t first, count;            /* of a geometry: its points among all */
    struct collada_element *source; /* of a controller: what it deforms */
} collada_element;

/* A document that is being read. */
typedef struct collada {
    const lb_allocator *allocator;
    const tree_node *root;
    name_table names[COLLADA_KINDS];
    collada_element *elements;
    mesh_points local; /* points of the geometries, each in its own frame */
    lb_error *error;
} collada;

/* The element that an attribute "#id" means. */
lb_status collada_find(collada *c, collada_kind kind, const tree_node *node, const char *attribute,
                       collada_element **found);

/* The numbers in an element's text; lines are those of the file. */
text_scan collada_scan(const tree_node *node);

/* Adds the points that a geometry's faces and lines name to `local`, once. */
lb_status collada_read_geometry(collada *c, collada_element *geometry);

#endif
