/*
 * mesh_list.h - the mesh files of a model that `limber view` may serve.
 *
 * A model file may name any path. Served are only files that
 *   - a visual of the model names,
 *   - end as a mesh does (.stl .dae .obj .ply .gltf .glb),
 *   - lie, links and dots resolved, below the folder of the model's file, below its
 *     package, or below one folder that the user allows.
 * The package is the nearest folder above the model's file with a package.xml in it or
 * with the name that a mesh's "package://NAME/" gives.
 */
#ifndef CLI_OUTPUT_MESH_LIST_H
#define CLI_OUTPUT_MESH_LIST_H

#include <limber/model.h>

#include <jansson.h>

/* One mesh: its name in the model, its file, and its address below the site, "/mesh/3/a.stl". */
typedef struct mesh_entry {
    char *name, *file, *address;
} mesh_entry;

typedef struct mesh_list {
    mesh_entry *entries; /* of files that are served, each name once */
    int count;
    int refused;         /* meshes that are there, but outside these folders or of other types */
    char *first_refused; /* the file of the first of these; NULL: none */
} mesh_list;

/* Finds the meshes of a model that was read from `file`. `allowed`: a folder, or NULL. */
mesh_list mesh_list_find(const lb_model *model, const char *file, const char *allowed);
void mesh_list_release(mesh_list *list);

/* Name to address, percent-encoded and relative to the page. Release with json_decref(). */
json_t *mesh_list_addresses(const mesh_list *list);

#endif
