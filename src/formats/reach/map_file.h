/*
 * map_file.h - the inside of maps in files (limber/formats/reach_file.h): records, descriptions,
 * tiles.
 *
 * None of those that write a map holds more than a tile of it.
 */
#ifndef FORMATS_REACH_MAP_FILE_H
#define FORMATS_REACH_MAP_FILE_H

#include "formats/npy.h"

#include <limber/formats/reach_file.h>

/* ---- records ---------------------------------------------------------- */

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

/* The name of a field in files and options, and its flag in lb_reach_map_options. */
const char *map_field_name(map_field field);
unsigned map_field_contents(map_field field);

typedef struct map_file {
    lb_reach_grid grid;
    bool inverse;
    unsigned contents;         /* as in lb_reach_map_options */
    size_t part, parts;        /* the file has every parts-th tile from `part` on; 0 and 1: all */
    char *description;         /* of the JSON file; malloc's */
    size_t size;               /* bytes of it */
    size_t offset[MAP_FIELDS]; /* in a record */
    size_t record;             /* bytes */
    /* the records that are in memory: cells first <= i < first + held, little-endian */
    size_t first, held;
    unsigned char *records; /* malloc's */
} map_file;

/* Computes where the fields that the map has are in a record. */
void map_file_lay(map_file *map);
bool map_file_has(const map_file *map, map_field field);

/* The number of cells: count * count * count, x fastest. */
size_t map_file_cells(const map_file *map);
/* Holds the records of these cells, undecided, instead of those before. */
lb_status map_file_hold(map_file *map, size_t first, size_t held, lb_error *error);

/* Cells of a tile; the last one may have fewer. */
enum { MAP_TILE = 64 };

/* The number of tiles that the file has, and the cells of all of them. */
size_t map_file_tiles(const map_file *map);
size_t map_file_own_cells(const map_file *map);
/* Holds the k-th tile of those that the file has. */
lb_status map_file_hold_tile(map_file *map, size_t k, lb_error *error);
/* Decides what is undecided of the cells that are held; false: nothing is. */
bool map_file_decide(map_file *map, lb_reach_map *solver);
bool map_file_is_decided(const map_file *map, size_t cell);
/* The bytes of a cell that is held. */
unsigned char *map_file_record(const map_file *map, size_t cell);
/* How many orientations a cell's bits have. */
size_t map_file_count_bits(const map_file *map, size_t cell);
/* A cell's number in one of the map's fields other than the bits. */
double map_file_value(const map_file *map, size_t cell, map_field field);

/* The bytes in front of the records of its array; their number. */
size_t map_file_header(const map_file *map, unsigned char header[NPY_HEADER_MOST]);
/* Where the records that are held begin in the array. */
size_t map_file_place(const map_file *map);

/* ---- descriptions ----------------------------------------------------- */

/* Begins a part of what `of` computes; no record is in memory. Release with map_file_release. */
lb_status map_file_start(map_file *map, const lb_reach_map *of, size_t part, size_t parts,
                         lb_error *error);
void map_file_release(map_file *map);

/* Reads what the description says; false where that is of no map. */
bool map_file_parse(map_file *map);
/* Begins the map that another is a part of. */
lb_status map_file_make_whole(map_file *whole, const map_file *part, lb_error *error);
/* Whether two descriptions differ; *names are the keys in which they do, separated by commas, those
   of an object in an object as in "avoidance.scene". */
bool map_file_differs(const map_file *map, const map_file *other, char *names, size_t room);

/* ---- arrays ----------------------------------------------------------- */

/* Whether files of such a path are arrays: they can be read again, and written in parts. */
bool map_file_is_array(const char *path);
/* Refuses a path that does not end as an array's, or whose description would replace a file that
   describes no map. */
lb_status map_file_check_path(const char *path, lb_error *error);

/* Opens an array that is as described; *map says what it is of. */
lb_status map_file_open(const char *path, map_file *map, int *file, lb_error *error);
/* The open array of a map that is known; -1: it cannot be opened, or is not as described. */
int map_file_open_again(const char *path, const map_file *map, bool write);
/* Holds a tile as it is in the file. */
lb_status map_file_read_tile(const char *path, int file, map_file *map, size_t k, lb_error *error);

/* Begins the writing of an array: its header is written. */
lb_status map_file_begin(file_writer *array, const char *path, const map_file *map,
                         lb_error *error);
/*
 * Ends the writing, with its description: both are complete when the array that was there goes, and
 * the description is put in place before the new array is. So an array never lies beside the
 * description of another, and where the program is ended in between there is none.
 */
lb_status map_file_commit(file_writer *array, const map_file *map, lb_error *error);

/* As lb_reach_file_open for all of a map that another process has made: it is refused where it is
   not there. */
lb_status map_file_open_old(const char *path, const lb_reach_map *map, lb_reach_file **file,
                            lb_error *error);

/* Whether what was opened may have decided cells already. */
bool map_file_is_old(const lb_reach_file *file);

/* A cell by its three indices, as in messages. */
enum { MAP_CELL_NAME = 80 };
const char *map_file_name_cell(const map_file *map, size_t cell, char text[MAP_CELL_NAME]);

/* Reads the map that arrays have parts of, and holds all cells: those that are missing are
   undecided, and a small part of a large map is refused. */
lb_status map_file_read(const char *const *paths, int count, map_file *map, lb_error *error);

#endif
