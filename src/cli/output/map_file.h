/*
 * map_file.h - maps of what a tool reaches, in files.
 *
 * A map is an array of NumPy (.npy) of shape (n, n, n), the first index along x, with a record for
 * each cell. Its last field is `reached`, the number of orientations that are, as an unsigned
 * 16-bit number; 65535 where a cell is not decided yet. A map with nothing else is an array of
 * these numbers alone. What the array is of is in a JSON file beside it, of the same name: model,
 * tip, place and size of the cells, fields. Parts of one map have the same description, byte for
 * byte. Every record is at a fixed place in the file, so that many processes may write one map.
 */
#ifndef CLI_OUTPUT_MAP_FILE_H
#define CLI_OUTPUT_MAP_FILE_H

#include "cli/output/map_record.h"

#include <stdio.h>

/* What a map is of, besides what lb_reach_map knows. */
typedef struct map_subject {
    const lb_model *model;
    const lb_task *task;
    lb_reach_map_options options;
    bool bits;             /* keep which orientations */
    const char *avoidance; /* identifies scene and margin; NULL: collisions are allowed */
} map_subject;

/* A map none of whose records is in memory. Release with map_file_release. */
map_file map_file_start(const map_subject *subject, const lb_reach_grid *grid);
void map_file_release(map_file *map);

/* Reads a map with its description; prints an error and returns false where that is none. */
bool map_file_read(const char *path, map_file *map);
/* The same, for a map that must be like another one, whose decided cells it adds to it. */
bool map_file_add(const char *path, map_file *map);

/*
 * For many processes that write one array: puts a map none of whose cells is decided in place, or
 * checks that the file is an array of this map. *map has no records in memory. False after a
 * complaint.
 */
bool map_file_write_undecided(const char *path, map_file *map);
bool map_file_check(const char *path, const map_file *map);

/* Whether a map may be written to a path: its ending is a format's, and what describes an array
   would replace nothing else, for which a file beside it is read; prints an error where not. */
bool map_file_can_write(const char *path);
/* Whether files of such a path can be read again, and so be written in parts. */
bool map_file_is_array(const char *path);
/* Writes a map that is held whole in the format of the path's ending; prints an error and returns
 * false on failure. */
bool map_file_write(const char *path, const map_file *map);

/* What is known of a map: cells that are undecided, reached at all, and in all orientations. */
typedef struct map_counts {
    size_t undecided, reachable, dexterous;
    double questions; /* of the decided cells */
    double reached;   /* of these */
    double solutions;
    double manipulability, limit_margin; /* the largest of any cell */
} map_counts;
map_counts map_file_count(const map_file *map);
/* The same in words. */
void map_file_words(const map_file *map, FILE *stream);

#endif
