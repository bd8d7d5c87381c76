/*
 * find.h - where the file of a mesh is.
 */
#ifndef FORMATS_MESH_FIND_H
#define FORMATS_MESH_FIND_H

#include <limber/base.h>

/*
 * The file that a mesh's name in the file `path` means, as lb_mesh_list_load says; NULL: there is
 * none, or no memory. Release through the allocator.
 */
char *mesh_find(const char *path, const char *name, const lb_allocator *allocator);

#endif
