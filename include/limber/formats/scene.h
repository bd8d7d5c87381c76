/*
 * scene.h - obstacles around a model, from a file.
 *
 * limber JSON, as docs/format.md specifies under "Scenes":
 *
 *     {"limber": 1, "obstacles": [
 *       {"name": "table", "placement": {"xyz": [0.5, 0, 0.2]}, "shapes": [
 *         {"shape": "box", "size": [0.8, 1.2, 0.05]}]}]}
 *
 * Each shape becomes an lb_obstacle that has the name of its object. Meshes are kept by name:
 * mesh.h reads their points.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_SCENE_H
#define LIMBER_FORMATS_SCENE_H

#include <limber/collision.h>
#include <limber/formats/document.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a file ("-": standard input), or a document whose root is an object; `options` are those
 * for models (NULL: the defaults). On failure *scene is NULL and *error (may be NULL) names file,
 * line, thing and remedy. lb_collision_create checks whether shapes can be measured. Release with
 * lb_scene_release, which accepts NULL.
 */
lb_status lb_scene_load(const char *path, const lb_load_options *options, lb_scene **scene,
                        lb_error *error);
lb_status lb_document_scene(const lb_document *document, const char *path,
                            const lb_load_options *options, lb_scene **scene, lb_error *error);
void lb_scene_release(lb_scene *scene);

#ifdef __cplusplus
}
#endif

#endif
