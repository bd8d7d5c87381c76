/*
 * support_shapes.h - models that collide: shapes for links that have none, and the distance of a
 * configuration pair by pair.
 */
#ifndef TEST_SUPPORT_SHAPES_H
#define TEST_SUPPORT_SHAPES_H

#include "support.h"

#include <limber/collision.h>

/*
 * The same model, each link with capsules from its origin to those of its children, and with a
 * sphere where it has none that is longer than 2 cm. Release with lb_model_release.
 */
lb_model *test_with_capsules(const lb_model *model, double radius);

/*
 * The least distance over the pairs that a collision checks, each measured on its own, with links
 * where test_forward puts them; INFINITY where no pair is checked. Shapes are not meshes.
 */
double test_least_distance(const lb_model *model, const lb_collision *collision,
                           const lb_scene *scene, const double *q);

#endif
