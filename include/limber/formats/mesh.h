/*
 * mesh.h - the points of mesh files, for shapes that collide.
 *
 *     lb_mesh_list *meshes;
 *     lb_mesh_list_load("robot.urdf", model, scene, NULL, &meshes, &error);
 *     lb_collision_options options = lb_collision_options_default();
 *     options.meshes = meshes->meshes;
 *     options.mesh_count = meshes->count;
 *     options.allow_missing = true;
 *
 * Of each file the convex hull's corners are kept: a collision shape is convex (collision.h). A
 * hollow part, or one with arms, is filled up; split it into several meshes. STL, OBJ and Collada
 * are read (a Collada file's unit counts, its up axis is ignored, as in ROS). qhull makes the
 * hulls, if the library was built with it.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_MESH_H
#define LIMBER_FORMATS_MESH_H

#include <limber/collision.h>
#include <limber/formats/document.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The meshes of a model's files. */
typedef struct lb_mesh_list {
    const lb_mesh *meshes; /* The meshes, each name once. */
    int count, missing;    /* How many meshes were read, and how many could not be. */
} lb_mesh_list;

/* Whether the library can read mesh files at all. */
bool lb_mesh_supported(void);

/*
 * Reads the meshes of a model's collision shapes and of a scene's obstacles (either may be NULL).
 * `path` is the file that names them: "package://NAME/PATH", "file://PATH" and plain paths are
 * looked for from its folder and from each folder above it, by the whole path and without its first
 * part. A mesh that is not there, or cannot be read, is warned of by name, counted and left out
 * (`options` are those for models, NULL: the defaults; strict ones refuse it). On failure *list is
 * NULL. Release with lb_mesh_list_release, which accepts NULL.
 */
lb_status lb_mesh_list_load(const char *path, const lb_model *model, const lb_scene *scene,
                            const lb_load_options *options, lb_mesh_list **list, lb_error *error);
void lb_mesh_list_release(lb_mesh_list *list);

#ifdef __cplusplus
}
#endif

#endif
