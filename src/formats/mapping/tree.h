/*
 * tree.h - the tree of nodes that every format is read from.
 *
 * A parser fills it, a mapping reads it: see <limber/formats/document.h>. Nodes and
 * their text live as long as the document. No walk recurses over the tree's depth.
 */
#ifndef FORMATS_MAPPING_TREE_H
#define FORMATS_MAPPING_TREE_H

#include <limber/formats/document.h>

typedef struct tree_node {
    lb_node_kind kind;
    int line;         /* of the main file; 0: unknown, or in a file that it includes */
    const char *name; /* of an element, attribute or member; NULL elsewhere */
    /* of an attribute or string; of an element that has only text in it, from a file; of a number
       its digits where they are not those that its double is written with; "" elsewhere */
    const char *text;
    double number;
    int count; /* of children; attributes are not among them */
    struct tree_node *parent, *next;
    struct tree_node *first, *last; /* children */
    struct tree_node **elements;    /* of a closed array its children, by their index */
    struct tree_node *first_attribute, *last_attribute;
} tree_node;

/* LB_OK for a complete tree; the first failure of filling it, LB_INVALID_ARGUMENT for a part. */
lb_status tree_status(const lb_document *document);
/* NULL while nothing has been added. */
const tree_node *tree_root(const lb_document *document);

/* A copy of a text that lives as long as the document; NULL when there is no memory. */
char *tree_copy_text(lb_document *document, const char *text);

/* ---- elements (XML) ------------------------------------------------------- */

/* First child of that name, and the next sibling of the same name; NULL for none. */
const tree_node *tree_child(const tree_node *parent, const char *name);
const tree_node *tree_next(const tree_node *node);
/* How many children have that name. */
int tree_count(const tree_node *parent, const char *name);
/* Text of an attribute, "" when it is empty, NULL when there is none. */
const char *tree_attribute(const tree_node *node, const char *name);

/* The next node in document order below `top`; the children of `node` only if `deeper`. */
const tree_node *tree_walk(const tree_node *node, const tree_node *top, bool deeper);

/* ---- members (JSON) ------------------------------------------------------- */

/* The member of that key; NULL when there is none, or `object` is none or NULL. */
const tree_node *tree_member(const tree_node *object, const char *key);
/* How many elements an array has; 0 when it is none or NULL. */
int tree_array_size(const tree_node *array);
/* An element of an array, however long, at once; NULL when there is none. */
const tree_node *tree_element(const tree_node *array, int index);
/* Whether it is a number, an object; not when it is NULL. */
bool tree_is_number(const tree_node *node);
bool tree_is_object(const tree_node *node);
/* The text of a string; NULL when it is none or NULL. */
const char *tree_string(const tree_node *node);
/* That of a member; "" where it is no string, or there is none. */
const char *tree_text(const tree_node *object, const char *key);

#endif
