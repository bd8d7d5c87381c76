/*
 * map_record.h - a map of what a tool reaches in memory: for each cell a record, as in files.
 */
#ifndef CLI_OUTPUT_MAP_RECORD_H
#define CLI_OUTPUT_MAP_RECORD_H

#include <limber/reach_map.h>

/* A cell that is not decided yet. */
enum { MAP_UNDECIDED = 65535 };

/* The fields that a record may have, in their order. */
typedef enum map_field {
    MAP_BITS,           /* which orientations are reached */
    MAP_SOLUTIONS,      /* how many, of all orientations */
    MAP_MANIPULABILITY, /* the largest */
    MAP_LIMIT_MARGIN,   /* the largest */
    MAP_REACHED,        /* how many orientations: last, so that a record that was written in part
                           is one of an undecided cell */
    MAP_FIELDS
} map_field;

/* The name of a field in files and options, and its type by NumPy's name. */
const char *map_field_name(map_field field);
const char *map_field_type(map_field field);

typedef struct map_file {
    lb_reach_grid grid;
    bool inverse;
    char *description; /* of the JSON file */
    size_t size;       /* bytes of it */
    bool has[MAP_FIELDS];
    size_t offset[MAP_FIELDS]; /* in a record */
    size_t record;             /* bytes */
    /* the records that are in memory: cells first <= i < first + held, little-endian */
    size_t first, held;
    unsigned char *records;
} map_file;

/* Computes where the fields that the map has are in a record. */
void map_file_lay(map_file *map);

/* The number of cells: count * count * count, x fastest. */
size_t map_file_cells(const map_file *map);
/* Holds the records of these cells, undecided, instead of those before. */
void map_file_hold(map_file *map, size_t first, size_t held);
/* Decides a cell and stores what was found. */
void map_file_solve(map_file *map, lb_reach_map *solver, size_t cell);
bool map_file_is_decided(const map_file *map, size_t cell);
/* The bytes of a cell that is held. */
unsigned char *map_file_record(const map_file *map, size_t cell);
/* A cell's number in one of the map's fields other than the bits, and those, which may be none. */
double map_file_value(const map_file *map, size_t cell, map_field field);
const unsigned char *map_file_bits(const map_file *map, size_t cell);
/* The centre of a cell; see lb_reach_grid. */
lb_vec3 map_file_center(const map_file *map, size_t cell);

#endif
