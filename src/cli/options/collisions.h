/*
 * collisions.h - what a model must not touch: itself, and a scene.
 */
#ifndef CLI_OPTIONS_COLLISIONS_H
#define CLI_OPTIONS_COLLISIONS_H

#include "cli/command.h"

#include <limber/collision.h>
#include <limber/formats/gltf.h>

/* --scene and --margin */
extern const struct poptOption scene_options[];
/* the same, --samples and --skip-never */
extern const struct poptOption collision_options[];

/*
 * Distances of the model that was loaded by `name`: with the meshes of its shapes, the pairs that
 * its SRDF leaves out, and the scene. NULL after a complaint; what cannot be measured is remarked.
 * Release with lb_collision_release.
 */
lb_collision *collisions_create(const char *name, const lb_model *model);

/*
 * Distances of a figure's links from each other, to be `distance` apart, for a model whose root
 * moves: by capsules around the meshes that they collide with, or, where no link has a shape to
 * collide with, around what they look like (*by_looks); of a glTF (NULL: it is none) that is what
 * its nodes draw. Pairs that are nearer at rest are left out, and those with what the root is fixed
 * to, such as a floor. NULL after a complaint; a figure that has no shapes at all has no pairs.
 */
lb_collision *collisions_create_figure(const char *name, const lb_model *model, const lb_gltf *gltf,
                                       double distance, bool *by_looks);

/*
 * The scene that --scene names, for a figure of it: NULL where none is given. False after a
 * complaint. Release with lb_scene_release.
 */
bool collisions_scene(lb_scene **scene);

/*
 * A line that identifies scene and margin: a hash of the scene's file, and the margin. NULL
 * after a complaint. Release with free().
 */
char *collisions_describe(void);

/*
 * Distances as above for what is to be `distance` apart: pairs of links that are nearer in nearly
 * every sample are left out, with a remark that names them.
 */
lb_collision *collisions_create_apart(const char *name, const lb_model *model, double distance);

/* What --margin gives; without it *margin stays as it is. Prints an error and returns false where
   that is no distance. */
bool collisions_margin(double *margin);

#endif
