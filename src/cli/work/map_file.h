/*
 * map_file.h - maps of what a tool reaches, in files.
 *
 * A map is an array of NumPy (.npy) of shape (n, n, n), the first index along x, with a record
 * for each cell. Its last field is `reached`, the number of orientations that are, as an unsigned
 * 16-bit number; 65535 where a cell is not decided yet. A map with nothing else is an array of
 * these numbers alone. What the array is of is in a JSON file beside it, of the same name: model,
 * tip, place and size of the cells, fields. Parts of one map have the same description, byte for
 * byte. Every record is at a fixed place in the file, so that many processes may write one map.
 */
#ifndef CLI_WORK_MAP_FILE_H
#define CLI_WORK_MAP_FILE_H

#include "cli/command.h"
#include "cli/options/arguments.h"

#include <limber/figures/draw.h>
#include <limber/reach_map.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* FNV-1a of 64 bits as sixteen hexadecimal digits. */
enum { FINGERPRINT_SIZE = 17 };
void fingerprint(const char *text, size_t size, char digits[FINGERPRINT_SIZE]);

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

/* ---- files ------------------------------------------------------------ */

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

/* ---- formats ---------------------------------------------------------- */

/* Each writes all of a map. What a stream refuses it remembers. */
typedef void map_writer(const map_file *map, FILE *stream);

map_writer map_write_npy; /* NumPy's array, which is read again */
map_writer map_write_vti; /* VTK's image data, for ParaView */

/* The bytes in front of the records of an array; release with free(). */
char *map_npy_header(const map_file *map, size_t *size);

/* ---- computing -------------------------------------------------------- */

/*
 * A cell is a pure function of its index, so the map does not depend on who computes what.
 */

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

/* ---- limber workspace --grid ------------------------------------------ */

/* --grid, --orientations, --contents, --inverse, --avoid-collision, --part and --resume */
extern const struct poptOption lattice_options[];

/* Whether --grid is given. */
bool lattice_given(void);

/*
 * Computes the part of the map that --part names and writes it to `output`, from time to time while
 * it is being computed, too; with `report` it says in words what came of it. `name` is what the
 * model was loaded by; `compute` decides the cells. Returns the exit status.
 */
int lattice_run(const char *name, const lb_model *model, const lb_task *task, const char *output,
                const char *iterations, bool report, map_computer *compute);

/* limber workspace with its operands; `compute` decides the cells of --grid. */
int workspace_run(const char *const *operands, map_computer *compute);

/* ---- figures ---------------------------------------------------------- */

/* --slice, --shell and --field */
extern const struct poptOption map_figure_options[];

/* Whether a name is that of a map's file. */
bool map_figure_is_map(const char *name);
/* Draws the map of that name as the options and `given` (title and view) say; false after a
 * complaint. */
bool map_figure_draw(const char *name, const lb_drawing *given, const char *path);

#endif
