/*
 * looks.h - the look of a model's links, to stand in for shapes that collide.
 *
 * Many files say how links are drawn but not with what they collide. A robot's visuals and the
 * meshes that a glTF draws are near enough to find limbs that go through each other:
 *
 *     lb_looks *looks = NULL;
 *     if (lb_looks_needed(model))
 *         lb_looks_load("robot.urdf", model, NULL, NULL, &looks, &error);
 *     if (looks != NULL) {
 *         options.stand_ins = looks->shapes, options.stand_in_count = looks->shape_count;
 *         options.meshes = looks->meshes, options.mesh_count = looks->mesh_count;
 *         options.fit = LB_MESH_CAPSULE;
 *         options.allow_missing = true;
 *     }
 *     lb_collision_create(model, NULL, &options, NULL, &collision, &error);
 *     lb_looks_release(looks);
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_LOOKS_H
#define LIMBER_FORMATS_LOOKS_H

#include <limber/formats/gltf.h>
#include <limber/formats/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether no link of a model has a shape to collide with. */
bool lb_looks_needed(const lb_model *model);

/*
 * Collects the meshes that a glTF draws (lb_gltf_looks_create), if `gltf` is not NULL; `path`, its
 * file, is then for messages alone and may be NULL. Else it collects the visuals of a model, with
 * the meshes that they name. These are looked for from `path`, the model's file, as
 * lb_mesh_list_load does; a missing mesh is warned of by `options` (NULL: the defaults), and its
 * shape stays without a mesh. The model must outlive the looks, and so must a glTF. On failure
 * *looks is NULL. Release with lb_looks_release, which accepts NULL.
 */
lb_status lb_looks_load(const char *path, const lb_model *model, const lb_gltf *gltf,
                        const lb_load_options *options, lb_looks **looks, lb_error *error);
void lb_looks_release(lb_looks *looks);

#ifdef __cplusplus
}
#endif

#endif
