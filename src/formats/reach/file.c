/*
 * file.c - arrays of maps that are written tile by tile, and gone on with.
 *
 * A tile is decided when the last bytes of its records are written, so that a program or a process
 * that is killed loses no other tile than the one that it was at.
 */
#define _POSIX_C_SOURCE 200809L

#include "base/text.h"
#include "formats/reach/map_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- descriptions --------------------------------------------------------- */

bool map_file_is_array(const char *path)
{
    return text_ends(path, ".npy", false);
}

/* map.npy is described in map.json; no longer path can be opened */
enum { PATH_ROOM = 4104 };
static const char *name_description(const char *path, char beside[PATH_ROOM])
{
    int stem = (int)(strlen(path) - strlen(".npy"));
    snprintf(beside, PATH_ROOM, "%.*s.json", stem, path);
    return beside;
}

/* reads what describes an array */
static lb_status read_description(const char *path, map_file *map, lb_error *error)
{
    char beside[PATH_ROOM];
    name_description(path, beside);
    *map = (map_file){.records = NULL};
    lb_status status = file_read_named(beside, NULL, &map->description, &map->size, error);
    if (status == LB_OK && !map_file_parse(map)) {
        error_begin(error, beside);
        status = REFUSE_VALUE(error, "does not describe a map of limber workspace --grid");
    }
    if (status != LB_OK)
        map_file_release(map);
    return status;
}

static lb_status check_ending(const char *path, lb_error *error)
{
    error_begin(error, path);
    return map_file_is_array(path) ? LB_OK : REFUSE_UNSUPPORTED(error, "must end in .npy");
}

lb_status map_file_check_path(const char *path, lb_error *error)
{
    map_file other = {.records = NULL};
    char beside[PATH_ROOM];
    TRY(check_ending(path, error));
    if (access(name_description(path, beside), F_OK) != 0)
        return LB_OK;
    lb_status status = read_description(path, &other, NULL);
    map_file_release(&other);
    return status == LB_OK ? LB_OK
                           : lb_error_set(error, status, 0,
                                          "its description would overwrite '%s', which is not a "
                                          "map description; give another name",
                                          beside);
}

/* ---- arrays --------------------------------------------------------------- */

int map_file_open_again(const char *path, const map_file *map, bool write)
{
    unsigned char header[NPY_HEADER_MOST], own[NPY_HEADER_MOST];
    size_t size = map_file_header(map, header);
    int file = open(path, (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    struct stat about;
    bool same = file >= 0 && fstat(file, &about) == 0 &&
                about.st_size == (off_t)(size + map->record * map_file_own_cells(map)) &&
                pread(file, own, size, 0) == (ssize_t)size && memcmp(own, header, size) == 0;
    if (file >= 0 && !same) {
        close(file);
        file = -1;
    }
    return file;
}

lb_status map_file_open(const char *path, map_file *map, int *file, lb_error *error)
{
    *map = (map_file){.records = NULL};
    *file = -1;
    TRY(check_ending(path, error));
    TRY(read_description(path, map, error));
    *file = map_file_open_again(path, map, false);
    if (*file >= 0)
        return LB_OK;
    size_t cells = map_file_own_cells(map), record = map->record;
    map_file_release(map);
    error_begin(error, path);
    return REFUSE_VALUE(error,
                        "not the array of %zu records of %zu bytes that is described beside it",
                        cells, record);
}

/* the records that are held, from the file or into it */
static lb_status move_records(const char *path, int file, const map_file *map, bool write,
                              lb_error *error)
{
    size_t size = map->held * map->record;
    off_t place = (off_t)map_file_place(map);
    for (size_t done = 0; done < size;) {
        unsigned char *at = map->records + done;
        ssize_t n = write ? pwrite(file, at, size - done, place + (off_t)done)
                          : pread(file, at, size - done, place + (off_t)done);
        if ((n == 0 && !write) || (n < 0 && errno != EINTR)) {
            error_begin(error, path);
            return lb_error_set(error, LB_FILE_ERROR, 0, "%s", strerror(n == 0 ? EIO : errno));
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return LB_OK;
}

const char *map_file_name_cell(const map_file *map, size_t cell, char text[MAP_CELL_NAME])
{
    size_t n = (size_t)map->grid.count;
    snprintf(text, MAP_CELL_NAME, "cell [%zu, %zu, %zu]", cell % n, cell / n % n, cell / n / n);
    return text;
}

/* an undecided cell may have begun to be written */
static lb_status check_record(const map_file *map, size_t i, lb_error *error)
{
    double reached = map_file_value(map, i, MAP_REACHED);
    char name[MAP_CELL_NAME];
    map_file_name_cell(map, i, name);
    if (reached >= (MAP_UNDECIDED & 0xff00))
        return LB_OK;
    if (reached > map->grid.orientations)
        return REFUSE_VALUE(error, "%s: %.0f orientations, but there are %d", name, reached,
                            map->grid.orientations);
    if (map_file_has(map, MAP_BITS) && map_file_count_bits(map, i) != (size_t)reached)
        return REFUSE_VALUE(error, "%s: bits of %zu orientations, but %.0f are reached", name,
                            map_file_count_bits(map, i), reached);
    for (map_field f = MAP_MANIPULABILITY; f <= MAP_LIMIT_MARGIN; f++) {
        double value = map_file_value(map, i, f), most = f == MAP_LIMIT_MARGIN ? 1 : FLT_MAX;
        if (!(value >= 0 && value <= most))
            return REFUSE_VALUE(error, "%s: %s is %g", name, map_field_name(f), value);
    }
    return LB_OK;
}

lb_status map_file_read_tile(const char *path, int file, map_file *map, size_t k, lb_error *error)
{
    TRY(map_file_hold_tile(map, k, error));
    TRY(move_records(path, file, map, false, error));
    error_begin(error, path);
    for (size_t i = map->first; i < map->first + map->held; i++)
        TRY(check_record(map, i, error));
    return LB_OK;
}

/* ---- writing -------------------------------------------------------------- */

/* what could not be written */
static lb_status flush_writer(const file_writer *writer, lb_error *error)
{
    int reason = file_flush(writer->stream);
    error_begin(error, writer->path);
    return reason == 0
               ? LB_OK
               : lb_error_set(error, LB_FILE_ERROR, 0, "cannot be written: %s", strerror(reason));
}

static lb_status put_in_place(file_writer *array, file_writer *description, const char *beside,
                              const map_file *map, lb_error *error)
{
    TRY(flush_writer(array, error));
    TRY(file_begin(description, beside, error));
    fwrite(map->description, 1, map->size, description->stream);
    TRY(flush_writer(description, error));
    TRY(file_remove_target(array, error));
    TRY(file_commit(description, error));
    return file_commit(array, error);
}

lb_status map_file_commit(file_writer *array, const map_file *map, lb_error *error)
{
    ENDS_BY(file_discard) file_writer description = {.stream = NULL};
    char beside[PATH_ROOM];
    name_description(array->path, beside);
    lb_status status = put_in_place(array, &description, beside, map, error);
    file_discard(array);
    return status;
}

lb_status map_file_begin(file_writer *array, const char *path, const map_file *map, lb_error *error)
{
    unsigned char header[NPY_HEADER_MOST];
    TRY(map_file_check_path(path, error));
    TRY(file_begin(array, path, error));
    fwrite(header, 1, map_file_header(map, header), array->stream);
    return LB_OK;
}

/* an array none of whose cells is decided */
static lb_status write_undecided(const char *path, map_file *map, lb_error *error)
{
    ENDS_BY(file_discard) file_writer writer = {.stream = NULL};
    TRY(map_file_begin(&writer, path, map, error));
    for (size_t k = 0; k < map_file_tiles(map); k++) {
        TRY(map_file_hold_tile(map, k, error));
        fwrite(map->records, map->record, map->held, writer.stream);
    }
    return map_file_commit(&writer, map, error);
}

/* ---- going on ------------------------------------------------------------- */

struct lb_reach_file {
    map_file map; /* what it holds of records means nothing */
    int file;
    bool old; /* something of it may be decided */
    char path[PATH_ROOM];
};

/* refuses what is not this map, in part or complete */
static lb_status check_same(const lb_reach_file *made, lb_error *error)
{
    map_file other;
    char names[LB_ERROR_MESSAGE_SIZE] = "";
    bool described = read_description(made->path, &other, NULL) == LB_OK;
    bool differs = described && map_file_differs(&other, &made->map, names, sizeof names);
    map_file_release(&other);
    error_begin(error, made->path);
    if (differs)
        return REFUSE_VALUE(error,
                            "a map of something else: its description differs in %s; give another "
                            "name, or replace it",
                            names);
    return described && made->file >= 0
               ? LB_OK
               : REFUSE_VALUE(error,
                              "a map that was cut short, or no map; give another name, or replace "
                              "it");
}

/* What becomes of a file that is there, or is not. */
typedef enum open_way { OPEN_OR_MAKE, OPEN_NEW, OPEN_OLD } open_way;

static lb_status open_file(lb_reach_file *made, const lb_reach_map *map, size_t part, size_t parts,
                           open_way way, lb_error *error)
{
    error_begin(error, made->path);
    if (part < 1 || part > parts || parts > UINT32_MAX)
        return REFUSE_ARGUMENT(error, "there is no part %zu of %zu", part, parts);
    TRY(check_ending(made->path, error));
    TRY(map_file_start(&made->map, map, part - 1, parts, error));
    made->old = way == OPEN_OLD || (way == OPEN_OR_MAKE && file_is_regular(made->path));
    if (!made->old)
        TRY(write_undecided(made->path, &made->map, error));
    made->file = map_file_open_again(made->path, &made->map, true);
    if (made->old)
        return check_same(made, error);
    error_begin(error, made->path);
    return made->file >= 0
               ? LB_OK
               : lb_error_set(error, LB_FILE_ERROR, 0, "cannot be opened: %s", strerror(errno));
}

static lb_status make_file(const char *path, const lb_reach_map *map, size_t part, size_t parts,
                           open_way way, lb_reach_file **file, lb_error *error)
{
    lb_reach_file *made = calloc(1, sizeof *made);
    TRY(require_memory(error, made));
    snprintf(made->path, sizeof made->path, "%s", path);
    made->file = -1;
    lb_status status = open_file(made, map, part, parts, way, error);
    if (status == LB_OK)
        *file = made;
    else
        lb_reach_file_close(made, NULL);
    return status;
}

lb_status lb_reach_file_open(const char *path, const lb_reach_map *map, size_t part, size_t parts,
                             bool replace, lb_reach_file **file, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(file, error, {path, "path"}, {map, "map"}));
    return make_file(path, map, part, parts, replace ? OPEN_NEW : OPEN_OR_MAKE, file, error);
}

lb_status map_file_open_old(const char *path, const lb_reach_map *map, lb_reach_file **file,
                            lb_error *error)
{
    return make_file(path, map, 1, 1, OPEN_OLD, file, error);
}

lb_status lb_reach_file_close(lb_reach_file *file, lb_error *error)
{
    TRY(REQUIRE(error, {file, "file"}));
    error_begin(error, file->path);
    int reason = file->file >= 0 && close(file->file) != 0 ? errno : 0;
    map_file_release(&file->map);
    free(file);
    return reason == 0 ? LB_OK : lb_error_set(error, LB_FILE_ERROR, 0, "%s", strerror(reason));
}

bool map_file_is_old(const lb_reach_file *file)
{
    return file->old;
}

size_t lb_reach_file_tiles(const lb_reach_file *file)
{
    return map_file_tiles(&file->map);
}

static lb_status decide_tile(const lb_reach_file *file, map_file *own, lb_reach_map *map,
                             size_t tile, lb_error *error)
{
    TRY(map_file_hold_tile(own, tile, error));
    if (file->old)
        TRY(move_records(file->path, file->file, own, false, error));
    return map_file_decide(own, map) ? move_records(file->path, file->file, own, true, error)
                                     : LB_OK;
}

lb_status lb_reach_file_decide(const lb_reach_file *file, lb_reach_map *map, size_t tile,
                               lb_error *error)
{
    TRY(REQUIRE(error, {file, "file"}, {map, "map"}));
    const lb_reach_grid *grid = lb_reach_map_grid(map);
    map_file own = file->map;
    if (tile >= map_file_tiles(&own) || grid->count != own.grid.count ||
        grid->orientations != own.grid.orientations)
        return REFUSE_ARGUMENT(error, "the file has no tile %zu, or the map is another", tile);
    own.records = NULL;
    lb_status status = decide_tile(file, &own, map, tile, error);
    free(own.records);
    return status;
}
