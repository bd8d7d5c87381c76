/*
 * mesh.h - the corners of meshes: their files, and what reads them.
 */
#ifndef FORMATS_MESH_MESH_H
#define FORMATS_MESH_MESH_H

#include "formats/mapping/tree.h"
#include "formats/scan.h"
#include "model/names.h"

#include <limber/base.h>
#include <limber/collision.h>
#include <limber/math.h>

/*
 * The file that a mesh's name in the file `path` means, as lb_mesh_list_load says; NULL: there is
 * none, or no memory. Release through the allocator.
 */
char *mesh_find(const char *path, const char *name, const lb_allocator *allocator);

/*
 * Reads a file, of the format that its ending says: *corners are *count points, released through
 * the same allocator. On failure *error says why, and there is nothing to release.
 */
lb_status mesh_read(const char *file, const lb_allocator *allocator, lb_vec3 **corners, int *count,
                    lb_error *error);
/* The same of the bytes of a file; `file` gives its ending. */
lb_status mesh_read_memory(const char *file, const char *text, size_t size,
                           const lb_allocator *allocator, lb_vec3 **corners, int *count,
                           lb_error *error);

/* ---- points ------------------------------------------------------------ */

/* A list that grows; release `at` through the allocator. */
typedef struct mesh_points {
    const lb_allocator *allocator;
    lb_vec3 *at;
    size_t count, room;
} mesh_points;

/* Adds a point, rounded to floats, which must be finite and within LB_LENGTH_MAX; `line` is where
   it is, 0: unknown. */
lb_status mesh_points_add(mesh_points *points, lb_vec3 point, int line, lb_error *error);

/*
 * Adds the corners of all faces that a file's bytes describe, in metres; a corner may be added more
 * than once. On failure *error has the line, the thing and the remedy.
 */
typedef lb_status mesh_parse(const char *text, size_t size, mesh_points *points, lb_error *error);
mesh_parse stl_parse, obj_parse, collada_parse;

/* A finite number, or an integer of at most nine digits, that a word is; else the error says so. */
lb_status mesh_word_number(text_word word, double *number, lb_error *error);
lb_status mesh_word_integer(text_word word, int *number, lb_error *error);

/* The next `count` numbers, on whatever lines. */
lb_status mesh_scan_numbers(text_scan *scan, int count, double *numbers, lb_error *error);

/* ---- Collada ----------------------------------------------------------- */

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
    const lb_allocator *allocator; /* a pool's, of all but the points that are wanted */
    const tree_node *root;
    name_table names[COLLADA_KINDS];
    collada_element *elements;
    mesh_points local; /* points of the geometries, each in its own frame */
    lb_error *error;
} collada;

/* The numbers in an element's text; lines are those of the file. */
text_scan collada_scan(const tree_node *node);

/* Adds the points that a geometry's faces and lines name to `local`, once. */
lb_status collada_read_geometry(collada *c, collada_element *geometry);

#endif
