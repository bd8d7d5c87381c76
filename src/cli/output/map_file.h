/*
 * map_file.h - maps of what a tool reaches, in files.
 *
 * A map is an array of NumPy (.npy): for each cell the number of orientations that are reached, as
 * unsigned 16-bit numbers of the shape (n, n, n), the first index along x; 65535 where a cell is
 * not decided yet. What the array is of is in a JSON file beside it, of the same name: model, tip,
 * place and size of the cells. Parts of one map have the same description, byte for byte. For
 * viewers of volumes a map is written as VTK's image data (.vti), too.
 */
#ifndef CLI_OUTPUT_MAP_FILE_H
#define CLI_OUTPUT_MAP_FILE_H

#include <limber/reach_map.h>
#include <stdio.h>

/* A cell that is not decided yet. */
enum { MAP_UNDECIDED = 65535 };

typedef struct map_file {
    lb_reach_grid grid;
    char *description; /* of the JSON file */
    size_t size;       /* bytes of it */
    uint16_t *cells;   /* count * count * count, x fastest */
} map_file;

/* An empty map of a task, none of whose cells is decided. Release with map_file_release. */
map_file map_file_start(const lb_model *model, const lb_task *task, const lb_reach_map *map,
                        int iterations);
void map_file_release(map_file *map);

/* Reads a map with its description; prints an error and returns false where that is none. */
bool map_file_read(const char *path, map_file *map);
/* The same, for a map that must be like another one, whose decided cells it adds to it. */
bool map_file_add(const char *path, map_file *map);
/* Writes it: .npy with its description, or .vti; prints an error and returns false on failure. */
bool map_file_write(const char *path, const map_file *map);

/* Whether the path ends in one of these; prints an error unless it does. */
bool map_file_ending(const char *path);

/* What is known of a map: cells that are undecided, reached at all, and in all orientations. */
typedef struct map_counts {
    size_t undecided, reachable, dexterous;
    double questions; /* of the decided cells */
    double reached;   /* of these */
} map_counts;
map_counts map_file_count(const map_file *map);
/* The same in words. */
void map_file_words(const map_file *map, FILE *stream);

#endif
