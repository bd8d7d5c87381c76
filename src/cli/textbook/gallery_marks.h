/*
 * gallery_marks.h - how the rows of the gallery are written; for its files alone.
 */
#ifndef CLI_TEXTBOOK_GALLERY_MARKS_H
#define CLI_TEXTBOOK_GALLERY_MARKS_H

#include "cli/textbook/gallery.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* the beginnings of linkages as limber JSON, and of their joints */
#define DEGREES "{\"limber\":1,\"angles\":\"degrees\","
#define TURNS "\"kind\":\"continuous\","

/* links of these linkages by index, which is their order above; planar3 has the same */
#define AT(link, x, y)                                                                             \
    {                                                                                              \
        link, x, y                                                                                 \
    }
#define WORLD(x, y) AT(LB_WORLD, x, y)
#define ORIGIN(link) AT(link, 0, 0)
/* a mark without words from one place to another */
#define BETWEEN(what, from, to)                                                                    \
    {                                                                                              \
        .kind = what, .a = from, .b = to                                                           \
    }

/* a sketch of a model with these marks, and what else there is to say */
#define SKETCH(of, with, ...)                                                                      \
    {                                                                                              \
        .model = of, .marks = with, .mark_count = COUNT(with), __VA_ARGS__                         \
    }
/* five frames of a film, evenly spread */
#define EVEN                                                                                       \
    {                                                                                              \
        0, 5, 10, 15, 20                                                                           \
    }
/* a strip of planar3, straight to a place; and a film of one such strip */
#define TOWARDS(px, py, by, says, ...)                                                             \
    {                                                                                              \
        .label = says, .x = px, .y = py, .method = by, __VA_ARGS__                                 \
    }
#define FILM_TOWARDS(frames, ...)                                                                  \
    {                                                                                              \
        1, {TOWARDS(__VA_ARGS__)}, .shown = frames                                                 \
    }

/* an arm of two links, 3 and 2 long */
extern const char gallery_pair[];

/* data of the figures that explain the structure of linkages: gallery_structure.c */
extern const gallery_film film_5_1, film_5_2, film_5_1_human, film_5_2_human, film_joints;
extern const gallery_sketch sketch_5_3, sketch_5_15, sketch_5_16;
extern const tree tree_5_4, tree_5_5, tree_5_6, tree_5_13;

#endif
