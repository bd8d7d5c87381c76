/*
 * map_file.h - maps of what a tool reaches, in files.
 *
 * A map is an array of NumPy (.npy) of shape (n, n, n), the first index along x, with a record
 * for each cell. Its last field is `reached`, the number of orientations that are, as an unsigned
 * 16-bit number; 65535 where a cell is not decided yet. A map with nothing else is an array of
 * these numbers alone. What the array is of is in a JSON file beside it, of the same name: model,
 * tip, place and size of the cells, fields.
 *
 * Cells are decided in tiles of 64. The I-th of N parts of a map is an array of the records of
 * every N-th tile, and its description is the map's but for "part": [I, N]. Every record is at a
 * fixed place in the file, so that many threads and processes may write one array, and none of them
 * holds more than a tile.
 */
#ifndef CLI_WORK_MAP_FILE_H
#define CLI_WORK_MAP_FILE_H

#include "cli/command.h"
#include "cli/options/arguments.h"

#include <jansson.h>
#include <limber/reach_map.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
    size_t part, parts; /* the file has every parts-th tile from `part` on; 0 and 1: all */
    char *description;  /* of the JSON file */
    size_t size;        /* bytes of it */
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

/* Cells of a tile; the last one may have fewer. */
enum { MAP_TILE = 64 };

/* The number of tiles that the file has, the cells of all of them, and where those that are held
   are among them. */
size_t map_file_tiles(const map_file *map);
size_t map_file_own_cells(const map_file *map);
size_t map_file_place(const map_file *map);
/* Holds the k-th tile of those that the file has. */
void map_file_hold_tile(map_file *map, size_t k);
/* Decides what is undecided of the cells that are held. */
void map_file_decide(map_file *map, lb_reach_map *solver);
bool map_file_is_decided(const map_file *map, size_t cell);
/* The bytes of a cell that is held. */
unsigned char *map_file_record(const map_file *map, size_t cell);
/* How many orientations a cell's bits have. */
size_t map_file_count_bits(const map_file *map, size_t cell);
/* A cell's number in one of the map's fields other than the bits. */
double map_file_value(const map_file *map, size_t cell, map_field field);

/* ---- files ------------------------------------------------------------ */

/* What a map is of, besides what lb_reach_map knows. */
typedef struct map_subject {
    const lb_model *model;
    const lb_task *task;
    lb_reach_map_options options;
    bool has[MAP_FIELDS]; /* fields that are kept besides `reached` */
    json_t *avoidance;    /* what is avoided; NULL: collisions are allowed */
} map_subject;

/* One of the parts of a map; none of its records is in memory. Release with map_file_release. */
map_file map_file_start(const map_subject *subject, const lb_reach_grid *grid, size_t part,
                        size_t parts);
void map_file_release(map_file *map);

/* Reads what the description says; false where that is of no map. */
bool map_file_parse(map_file *map);
/* Of a part: describes the map that it is a part of. */
void map_file_make_whole(map_file *map);
/* The keys in which two descriptions differ, separated by commas, those of an object in an object
   as in "avoidance.scene"; "": one map goes on with the other. Release with free(). */
char *map_file_differences(const map_file *a, const map_file *b);

/* Reads an array that is as described and holds all cells of the map: those that a part lacks are
   undecided, and a small part of a large map is refused. Prints an error and returns false then. */
bool map_file_read(const char *path, map_file *map);

/*
 * Puts an array none of whose cells is decided in place, or where there is the same map already
 * leaves it, and then *old is true. What is no such map is refused with a complaint, unless it is
 * to be replaced.
 */
bool map_file_prepare(const char *path, map_file *map, bool replace, bool *old);

/* The records that are held, from an array, or written into it; 0 or an errno. `file` is open. */
int map_file_move(int file, const map_file *map, bool write);

/* Writes the map that all of these arrays have parts of, in the format of the ending; *counts is
   what is known of it. Prints an error and returns false on failure. */
typedef struct map_counts map_counts;
bool map_file_join(const char *const *paths, const char *output, map_file *map, map_counts *counts);

/* Whether a map may be written to a path: its ending is a format's, and what describes an array
   would replace nothing else, for which a file beside it is read; prints an error where not. */
bool map_file_can_write(const char *path);
/* Whether files of such a path are arrays: they can be read again, and written in parts. */
bool map_file_is_array(const char *path);

/* What is known of a map: cells that are undecided, reached at all, and in all orientations. */
struct map_counts {
    size_t cells, undecided, reachable, dexterous;
    double questions; /* of the decided cells */
    double reached;   /* of these */
    double solutions;
    double manipulability, limit_margin; /* the largest of any cell */
};
/* Adds the cells that are held. */
void map_file_count(const map_file *map, map_counts *counts);
/* All cells of what was written to `path`: an array, or a map that is held. False after a
 * complaint. */
bool map_file_count_all(const char *path, map_file *map, map_counts *counts);
/* The same in words. */
void map_file_words(const map_file *map, const map_counts *counts, FILE *stream);

/* ---- formats ---------------------------------------------------------- */

/* All of a map, a map_file that is held whole, as VTK's image data, for ParaView. What a stream
   refuses it remembers. */
void map_write_vti(const void *map, FILE *stream);

/* The bytes in front of the records of an array; release with free(). */
char *map_npy_header(const map_file *map, size_t *size);

/* ---- computing -------------------------------------------------------- */

/*
 * A cell is a pure function of its index, so the map does not depend on who computes what.
 */

typedef struct map_job {
    map_file *map;          /* begun, without records */
    lb_reach_map **solvers; /* one for each thread */
    int threads;
    bool replace;       /* what is in `output` is not gone on with */
    const char *output; /* an array is written while it is computed */
    map_counts *counts; /* of the whole, or NULL; by the first process alone */
} map_job;

/* Decides what is undecided and writes it; where the output is no array, *map holds all of it then.
   False after a complaint. */
typedef bool map_computer(const map_job *job);

/* By the threads of this process. */
map_computer map_compute;

/* ---- limber workspace --grid ------------------------------------------ */

/* --grid, --orientations, --contents, --inverse, --avoid-collision, --part and --anew */
extern const struct poptOption lattice_options[];

/* Whether --grid is given. */
bool lattice_given(void);

/*
 * Computes the part of the map that --part names and writes it to `output`; with `report` it says
 * in words what came of it. `name` is what the model was loaded by; `compute` decides the cells.
 * Returns the exit status.
 */
int lattice_run(const char *name, const lb_model *model, const lb_task *task, const char *output,
                const char *iterations, bool report, map_computer *compute);

/* limber workspace with its operands; `compute` decides the cells of --grid. */
int workspace_run(const char *const *operands, map_computer *compute);

#endif
