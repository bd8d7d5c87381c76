/* geometry.h - shapes checked: of links, and of what stands around a model. */
#ifndef MODEL_GEOMETRY_H
#define MODEL_GEOMETRY_H

#include <limber/math.h>
#include <limber/model.h>

/* What a shape is, for messages: "link 'hand': visual 2", "obstacle 'table'". */
typedef struct geometry_place {
    const char *kind, *owner;
    const char *list; /* NULL: it is the owner's only one */
    int number;       /* in the list, from 1 */
    int line;         /* of a file, 0: unknown */
} geometry_place;

/* Refuses an unknown shape, a mesh without a name, sizes and origins out of range, odd colours. */
lb_status geometry_check(const geometry_place *place, const lb_geometry *geometry, lb_error *error);

/* ---- rigid -------------------------------------------------------------- */

/* Transforms as given, with the rounding of six decimals, checked and made exact. */

/* Whether axes are orthonormal and right-handed but for rounding, and every number is finite. */
bool rigid_is(const lb_transform *transform);

/* A direction of any length but zero, of length 1; one that is so to rounding is kept. */
lb_vec3 rigid_exact_direction(lb_vec3 direction);

/* Gram-Schmidt, starting with x; one that is orthonormal to rounding is kept. */
lb_transform rigid_exact(lb_transform transform);

/* Errors of a few rounded operations: correcting them improves nothing. */
extern const double rigid_rounding;

#endif
