/*
 * read.h - the corners of one mesh file's convex hull.
 */
#ifndef FORMATS_MESH_READ_H
#define FORMATS_MESH_READ_H

#include <limber/collision.h>

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

#endif
