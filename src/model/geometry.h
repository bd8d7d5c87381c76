/* geometry.h - shapes checked: of links, and of what stands around a model. */
#ifndef MODEL_GEOMETRY_H
#define MODEL_GEOMETRY_H

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

#endif
