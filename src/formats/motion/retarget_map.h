/* retarget_map.h - maps of retargeting, limber's and GMR's. */
#ifndef FORMATS_MOTION_RETARGET_MAP_H
#define FORMATS_MOTION_RETARGET_MAP_H

#include "formats/motion/motion_json.h"

#include <limber/retarget.h>

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
