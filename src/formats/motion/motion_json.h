/* motion_json.h - what the readers of JSON about motion have in common. */
#ifndef FORMATS_MOTION_JSON_H
#define FORMATS_MOTION_JSON_H

#include "formats/mapping/json_reader.h"

#include <limber/retarget.h>

/* Reads the outermost object into what `into` is. */
typedef lb_status motion_read(void *into, const tree_node *root, lb_error *error);

typedef struct motion_source motion_source;

/* How a document is made of a source: that of a text, that of the file of its name. Whoever has
   documents alone, as a page, names neither, and is linked without a parser. */
typedef lb_status motion_parse(const motion_source *from, const lb_allocator *allocator,
                               lb_document **document, lb_error *error);
motion_parse motion_json_text, motion_json_file;

/* A complete document, or how to make it. */
struct motion_source {
    const char *name; /* for messages */
    const lb_document *document;
    motion_parse *parse;
    const char *text;
    size_t size;
};

/* Parses what is not parsed yet, and reads it. */
lb_status motion_json_read(const motion_source *from, const lb_allocator *allocator,
                           motion_read *read, void *into, lb_error *error);

/* The link of that name; refused with the nearest, `whose` being the source's or the target's. */
lb_status motion_json_link(json_reader *reader, const tree_node *value, const lb_model *model,
                           const char *whose, int *link);

/* ---- maps of retargeting, limber's and GMR's -------------------------------- */

/* One reading: between which models, into what. */
typedef struct map_reading {
    json_reader reader;
    const lb_model *source, *target;
    const lb_allocator *allocator;
    lb_retarget_map *map;
} map_reading;

/* GMR's ik_configs. */
lb_status gmr_map_read(map_reading *reading, const tree_node *root);

#endif
