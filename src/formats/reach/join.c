/*
 * join.c - one map from its parts.
 */
#include "formats/reach/map_file.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* bytes of a map that is held of which less than half is given */
enum { MOST_FROM_PARTS = 1 << 26 };

/* Arrays that are parts of one map. */
typedef struct map_parts {
    const char *const *paths;
    map_file *maps;
    int count;
    map_file whole;
} map_parts;

/* ---- opening -------------------------------------------------------------- */

/* opens one of them and compares what it is a part of with the first one's */
static lb_status open_part(map_parts *parts, int i, lb_error *error)
{
    const char *path = parts->paths[i];
    map_file whole;
    char names[LB_ERROR_MESSAGE_SIZE] = "";
    int file;
    TRY(map_file_open(path, &parts->maps[i], &file, error));
    close(file);
    TRY(map_file_make_whole(&whole, &parts->maps[i], error));
    if (i == 0) {
        parts->whole = whole;
        return LB_OK;
    }
    bool differs = map_file_differs(&whole, &parts->whole, names, sizeof names);
    map_file_release(&whole);
    error_begin(error, path);
    return !differs ? LB_OK
                    : REFUSE_VALUE(error,
                                   "a map of something else than '%s': the descriptions beside "
                                   "them differ in %s",
                                   parts->paths[0], names);
}

static lb_status open_parts(map_parts *parts, const char *const *paths, int count, lb_error *error)
{
    *parts = (map_parts){.paths = paths, .count = count};
    if (count < 1)
        return REFUSE_ARGUMENT(error, "no part is given");
    parts->maps = calloc((size_t)count, sizeof *parts->maps);
    TRY(require_memory(error, parts->maps));
    for (int i = 0; i < count; i++)
        TRY(open_part(parts, i, error));
    return LB_OK;
}

static void release_parts(map_parts *parts)
{
    for (int i = 0; parts->maps != NULL && i < parts->count; i++)
        map_file_release(&parts->maps[i]);
    free(parts->maps);
    map_file_release(&parts->whole);
}

/* ---- tiles ---------------------------------------------------------------- */

/* the first part that has decided a cell of the tile that is joined */
static const char *find_decider(const map_parts *parts, size_t cell)
{
    for (int i = 0; i < parts->count; i++) {
        const map_file *part = &parts->maps[i];
        bool holds = cell >= part->first && cell < part->first + part->held;
        if (holds && map_file_is_decided(part, cell))
            return parts->paths[i];
    }
    return "another part";
}

/* a cell that two parts have decided is the same in both */
static lb_status add_record(map_parts *parts, int i, size_t cell, lb_error *error)
{
    const map_file *part = &parts->maps[i], *to = &parts->whole;
    const unsigned char *record = map_file_record(part, cell);
    unsigned char *known = map_file_record(to, cell);
    char name[MAP_CELL_NAME];
    if (!map_file_is_decided(part, cell))
        return LB_OK;
    if (map_file_is_decided(to, cell) && memcmp(known, record, to->record) != 0)
        return REFUSE_VALUE(error,
                            "%s is not as in '%s', though both are of one map; one of them was "
                            "changed or is damaged",
                            map_file_name_cell(to, cell, name), find_decider(parts, cell));
    memcpy(known, record, to->record);
    return LB_OK;
}

/* adds to the whole what is decided of a tile in one part */
static lb_status add_tile(map_parts *parts, int i, size_t tile, lb_error *error)
{
    const char *path = parts->paths[i];
    map_file *part = &parts->maps[i];
    if (tile % part->parts != part->part)
        return LB_OK;
    error_begin(error, path);
    int file = map_file_open_again(path, part, false);
    if (file < 0)
        return lb_error_set(error, LB_FILE_ERROR, 0, "changed while it was read");
    lb_status status = map_file_read_tile(path, file, part, tile / part->parts, error);
    close(file);
    for (size_t k = part->first; status == LB_OK && k < part->first + part->held; k++)
        status = add_record(parts, i, k, error);
    return status;
}

/* all that is decided of a tile, which the whole holds */
static lb_status join_tile(map_parts *parts, size_t tile, lb_error *error)
{
    for (int i = 0; i < parts->count; i++)
        TRY(add_tile(parts, i, tile, error));
    return LB_OK;
}

/* ---- in memory ------------------------------------------------------------ */

/* refuses small files that ask for the memory of a large map */
static lb_status check_size(const map_parts *parts, lb_error *error)
{
    size_t record = parts->whole.record, size = map_file_cells(&parts->whole) * record, given = 0;
    for (int i = 0; i < parts->count; i++)
        given += map_file_own_cells(&parts->maps[i]) * record;
    error_begin(error, parts->paths[0]);
    return size <= MOST_FROM_PARTS || size / 2 <= given
               ? LB_OK
               : REFUSE_UNSUPPORTED(
                     error, "%zu MiB of a map of %zu MiB; limber merge joins all of its parts",
                     given >> 20, size >> 20);
}

static lb_status join_all(map_parts *parts, lb_error *error)
{
    TRY(check_size(parts, error));
    TRY(map_file_hold(&parts->whole, 0, map_file_cells(&parts->whole), error));
    for (size_t k = 0; k < map_file_tiles(&parts->whole); k++)
        TRY(join_tile(parts, k, error));
    return LB_OK;
}

lb_status map_file_read(const char *const *paths, int count, map_file *map, lb_error *error)
{
    ENDS_BY(release_parts) map_parts parts;
    *map = (map_file){.records = NULL};
    TRY(open_parts(&parts, paths, count, error));
    TRY(join_all(&parts, error));
    *map = parts.whole;
    parts.whole = (map_file){.records = NULL};
    return LB_OK;
}

/* ---- into a file ---------------------------------------------------------- */

static lb_status write_tiles(map_parts *parts, FILE *stream, lb_error *error)
{
    map_file *whole = &parts->whole;
    for (size_t k = 0; k < map_file_tiles(whole); k++) {
        TRY(map_file_hold_tile(whole, k, error));
        TRY(join_tile(parts, k, error));
        fwrite(whole->records, whole->record, whole->held, stream);
    }
    return LB_OK;
}

static lb_status write_joined(map_parts *parts, const char *output, lb_error *error)
{
    ENDS_BY(file_discard) file_writer writer = {.stream = NULL};
    TRY(map_file_begin(&writer, output, &parts->whole, error));
    TRY(write_tiles(parts, writer.stream, error));
    return map_file_commit(&writer, &parts->whole, error);
}

lb_status lb_reach_file_join(const char *const *paths, int count, const char *output,
                             lb_error *error)
{
    TRY(REQUIRE(error, {paths, "paths"}, {output, "output"}));
    ENDS_BY(release_parts) map_parts parts;
    TRY(open_parts(&parts, paths, count, error));
    return write_joined(&parts, output, error);
}
