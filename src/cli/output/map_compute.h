/*
 * map_compute.h - the cells of a map decided, in tiles of a few cells each.
 *
 * A cell is a pure function of its index, so the map does not depend on who computes what.
 */
#ifndef CLI_OUTPUT_MAP_COMPUTE_H
#define CLI_OUTPUT_MAP_COMPUTE_H

#include "cli/output/map_file.h"

/* Cells of a tile. */
enum { MAP_TILE = 64 };

typedef struct map_job {
    map_file *map;          /* begun, without records */
    lb_reach_map **solvers; /* one for each thread */
    int threads;
    size_t part, parts; /* every parts-th tile from `part` on is decided */
    bool resume;        /* go on with what is in `output` */
    bool report;        /* the map will be needed whole */
    const char *output; /* written while it is computed, where that can be read again */
} map_job;

/* Decides the tiles and writes the map, all of whose records *map has then; false after a
 * complaint.
 */
typedef bool map_computer(const map_job *job);

/* By the threads of this process. */
map_computer map_compute;

/* Decides what is undecided of a tile. */
void map_compute_tile(map_file *map, lb_reach_map *solver, size_t tile);

#endif
