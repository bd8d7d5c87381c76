/*
 * reach_file.h - maps of a tool's reach in files: written tile by tile, in parts, and gone on with.
 *
 * A map is an array of NumPy (.npy) of shape (n, n, n), the first index along x, with a record for
 * each cell. The fields of a record are those of the map's `contents`, in this order:
 *
 *     bits            a bit for each orientation, of which bit k % 8 of byte k / 8 is the k-th
 *     solutions       unsigned, 32 bits
 *     manipulability  float, 32 bits
 *     limit_margin    float, 32 bits, in [0, 1]
 *     reached         unsigned, 16 bits, in every map: the number of orientations that are
 *                     reached; 65535 where the cell is not decided yet
 *
 * Numbers are little-endian; lb_reach_cell says what they mean. A map with nothing but `reached` is
 * an array of these numbers alone. A JSON file beside the array, of the same name, describes it:
 * model, tip, place and size of the cells, fields.
 *
 * Cells are decided in tiles of 64. The I-th of N parts of a map is an array of the records of
 * every N-th tile, and its description is the map's but for "part": [I, N]. Every record is at a
 * fixed place in the file, so many threads and processes may write one array, and a program that
 * ends loses the tiles that it is at and no more.
 *
 *     lb_reach_file *file;
 *     lb_reach_file_open("map.npy", map, 1, 1, false, &file, &error);
 *     for (size_t i = 0; i < lb_reach_file_tiles(file); i++)
 *         lb_reach_file_decide(file, map, i, &error);
 *     lb_reach_file_close(file, &error);
 *
 * Memory is malloc's. Experimental: may change in 0.2.
 */
#ifndef LIMBER_FORMATS_REACH_FILE_H
#define LIMBER_FORMATS_REACH_FILE_H

#include <limber/reach_map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- records ---------------------------------------------------------- */

/* Returns the size of a cell's record, bytes: the fields are those of the map's `contents`. */
size_t lb_reach_record_size(const lb_reach_map *map);
/* Decides a cell as lb_reach_map_solve does, and writes its record. */
void lb_reach_record_solve(lb_reach_map *map, size_t cell,
                           unsigned char record[/* lb_reach_record_size */]);

/* The most bytes of a header. */
#define LB_REACH_HEADER_MAX 512
/* Writes the bytes in front of the records of a whole map. Returns how many they are. */
size_t lb_reach_record_header(const lb_reach_map *map, unsigned char header[LB_REACH_HEADER_MAX]);

/* ---- files ------------------------------------------------------------ */

/* A map, or a part of one, that is being decided. */
typedef struct lb_reach_file lb_reach_file;

/*
 * Opens the `part`-th of `parts` parts of this map at `path`, which ends in .npy: 1 and 1 for all
 * of it. `part` counts from 1 to `parts`, which is at most 4294967295. If the file has this very
 * part already, what is decided in it stays; else it is made, with no cell decided. `replace` makes
 * it in any case. Refused: a file of another map, or one that is no map; a description that would
 * replace a file of another kind; LB_UNSUPPORTED: a map whose filter is not lb_collision_filter, as
 * nothing describes it.
 */
lb_status lb_reach_file_open(const char *path, const lb_reach_map *map, size_t part, size_t parts,
                             bool replace, lb_reach_file **file, lb_error *error);
/*
 * Closes the file and frees all that belongs to it, also on failure: `file` means nothing from here
 * on. The map that it was opened with stays. LB_FILE_ERROR: the system could not write all of it.
 */
lb_status lb_reach_file_close(lb_reach_file *file, lb_error *error);

/* Returns the number of tiles of this part; with more parts than tiles it may be 0. */
size_t lb_reach_file_tiles(const lb_reach_file *file);
/*
 * Decides the cells of a tile that are undecided, and writes them. `tile` is below
 * lb_reach_file_tiles, LB_INVALID_ARGUMENT otherwise. `map` is the one that the file was opened
 * with or one made by an equal call; threads may decide tiles of one file at once, each with a map
 * to itself.
 */
lb_status lb_reach_file_decide(const lb_reach_file *file, lb_reach_map *map, size_t tile,
                               lb_error *error);

/*
 * Joins `count` files that are parts of one map into the whole map at `output`. Cells that no part
 * has decided stay so. Refused, and nothing is written: files of different maps, records that
 * cannot be, and a cell that two parts have decided differently.
 */
lb_status lb_reach_file_join(const char *const paths[/* count */], int count, const char *output,
                             lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
