/*
 * xml.h - reading XML: a document, its elements and their attributes.
 *
 * Nothing outside the given text is ever read: no network, no external entity;
 * a document type declaration is refused before anything in it is looked at.
 * Whatever is amiss is refused with its line.
 */
#ifndef FORMATS_XML_H
#define FORMATS_XML_H

#include <libxml/tree.h>
#include <limber/base.h>

/* Parses a whole text; release *doc with xmlFreeDoc. It is NULL on failure. */
lb_status xml_parse(const char *text, size_t size, xmlDoc **doc, lb_error *error);

/* ---- elements ----------------------------------------------------------- */

/*
 * First child element of that name, and the next sibling of the same name; NULL
 * when there is none. Names with a namespace prefix are never ours: they match nothing.
 */
const xmlNode *xml_child(const xmlNode *parent, const char *name);
const xmlNode *xml_next(const xmlNode *node);
int xml_count(const xmlNode *parent, const char *name);
/* The first child element whatever its name. */
const xmlNode *xml_any_child(const xmlNode *parent);
const char *xml_name(const xmlNode *node);
int xml_line(const xmlNode *node);
/* Text of an attribute, "" when it is empty, NULL when there is none. */
const char *xml_attribute(const xmlNode *node, const char *name);

/* ---- reading with refusal ----------------------------------------------- */

/* What is being read, for the beginning of every message: "joint 'elbow': ...". */
typedef struct xml_place {
    const char *kind; /* "joint" */
    const char *name; /* "elbow"; NULL: the kind alone */
    lb_error *error;
} xml_place;

/* Fills the place's error with the line of `node`; answers `status`. */
lb_status xml_refuse(const xml_place *place, lb_status status, const xmlNode *node,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The child element of that name, NULL when there is none; two of them are refused. */
lb_status xml_only_child(const xml_place *place, const xmlNode *parent, const char *name,
                         const xmlNode **child);

/* An attribute that must be there and must not be empty. */
lb_status xml_text(const xml_place *place, const xmlNode *node, const char *name,
                   const char **text);

/*
 * An attribute of exactly `count` finite numbers between blanks. Without the
 * attribute `values` stay as they are.
 */
lb_status xml_numbers(const xml_place *place, const xmlNode *node, const char *name, int count,
                      double *values);

#endif
