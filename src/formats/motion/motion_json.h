/* motion_json.h - what the readers of JSON about motion have in common. */
#ifndef FORMATS_MOTION_JSON_H
#define FORMATS_MOTION_JSON_H

#include "formats/mapping/json_reader.h"

#include <limber/retarget.h>

/* Reads the outermost object into what `into` is. */
typedef lb_status motion_read(void *into, const tree_node *root, lb_error *error);

/* A complete document, else a text, else the file of the name. */
typedef struct motion_source {
    const char *name; /* for messages */
    const lb_document *document;
    const char *text;
    size_t size;
} motion_source;

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
