/*
 * points.h - the points of a mesh file, and what reads them from its bytes.
 */
#ifndef FORMATS_MESH_POINTS_H
#define FORMATS_MESH_POINTS_H

#include "formats/scan.h"

#include <limber/math.h>

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

#endif
