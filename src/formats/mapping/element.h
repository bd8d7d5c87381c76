/*
 * element.h - reading XML elements: attributes and children, refused with line and place.
 */
#ifndef FORMATS_MAPPING_ELEMENT_H
#define FORMATS_MAPPING_ELEMENT_H

#include "formats/mapping/mapping.h"
#include "formats/mapping/tree.h"

/* What is being read, for the beginning of every message: "joint 'elbow': ...". */
typedef struct element_place {
    const char *kind; /* "joint" */
    const char *name; /* "elbow"; NULL: the kind alone */
    lb_error *error;
    load_warnings *warnings;
} element_place;

/* Fills the place's error with the line of `node`; returns `status`. */
lb_status element_refuse(const element_place *place, lb_status status, const tree_node *node,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Warns of something that is read all the same: the message begins with the place. */
void element_warn(const element_place *place, const tree_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The child element of that name, NULL when there is none; two of them are refused. */
lb_status element_only_child(const element_place *place, const tree_node *parent, const char *name,
                             const tree_node **child);

/* An attribute that must be there and must not be empty. */
lb_status element_text(const element_place *place, const tree_node *node, const char *name,
                       const char **text);

/*
 * An attribute of `least` to `most` finite numbers between blanks; *count is how many.
 * Without the attribute `values` stay as they are and *count is 0.
 */
lb_status element_some_numbers(const element_place *place, const tree_node *node, const char *name,
                               int least, int most, double *values, int *count);

/* The same with exactly `count` numbers. */
lb_status element_numbers(const element_place *place, const tree_node *node, const char *name,
                          int count, double *values);

/* A colour, rgba="...": without an opacity it is opaque, and numbers beyond 0 to 1 are the nearest
   in it, with a warning. */
lb_status element_color(const element_place *place, const tree_node *node, double rgba[4]);

#endif
