/*
 * read.h - the corners of one mesh file's convex hull.
 */
#ifndef FORMATS_MESH_READ_H
#define FORMATS_MESH_READ_H

#include <limber/collision.h>

/*
 * Reads a file: *points are *count corners, released through the same allocator. On failure *error
 * says why, and there is nothing to release.
 */
lb_status mesh_read(const char *file, const lb_allocator *allocator, lb_vec3 **points, int *count,
                    lb_error *error);

#endif
