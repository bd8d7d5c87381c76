/*
 * map_store.c - maps in files: arrays that are written tile by tile and gone on with, joined from
 * parts, and made into other formats.
 *
 * A tile is decided when the last bytes of its records are written, so that a program or a process
 * that is killed loses no other tile than the one that it was at.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/map_file.h"
#include "formats/file.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading -------------------------------------------------------------- */

/* map.npy is described in map.json; release with free() */
static char *description_path(const char *path)
{
    size_t stem = strlen(path) - strlen(".npy");
    char *made = allocate_or_exit(stem + sizeof ".json", 1);
    memcpy(made, path, stem);
    memcpy(made + stem, ".json", sizeof ".json");
    return made;
}

/* opens the array if its header and its size are as described; -1 if not */
static int open_array(const char *path, const map_file *map, int flags)
{
    size_t size;
    char *header = map_npy_header(map, &size), *own = allocate_or_exit(size, 1);
    int file = open(path, flags | O_CLOEXEC);
    struct stat about;
    bool same = file >= 0 && fstat(file, &about) == 0 &&
                about.st_size == (off_t)(size + map->record * map_file_own_cells(map)) &&
                pread(file, own, size, 0) == (ssize_t)size && memcmp(own, header, size) == 0;
    free(header);
    free(own);
    if (file >= 0 && !same) {
        close(file);
        file = -1;
    }
    return file;
}

/* what describes an array, if there is something; not parsed */
static bool find_description(const char *path, map_file *map)
{
    lb_error error;
    char *beside = description_path(path);
    lb_status status = file_read_named(beside, NULL, &map->description, &map->size, &error);
    free(beside);
    return status == LB_OK;
}

static bool read_description(const char *path, map_file *map)
{
    char *beside = description_path(path);
    *map = (map_file){.records = NULL};
    bool read = succeeds(file_read_named(beside, NULL, &map->description, &map->size, why()));
    if (read && !map_file_parse(map))
        read = complain("%s: does not describe a map of limber workspace --grid", beside);
    free(beside);
    return read;
}

/* the open array; -1 after a complaint */
static int open_described(const char *path, map_file *map)
{
    static const char *const endings[] = {".npy"};
    int which, file = -1;
    *map = (map_file){.records = NULL};
    if (argument_ending("map", path, endings, 1, &which) && read_description(path, map)) {
        file = open_array(path, map, O_RDONLY);
        if (file < 0)
            complain("%s: not the array of %zu records of %zu bytes that is described beside it",
                     path, map_file_own_cells(map), map->record);
    }
    if (file < 0)
        map_file_release(map);
    return file;
}

/* how far into the file the records are that are held */
static off_t offset(const map_file *map)
{
    size_t header;
    free(map_npy_header(map, &header));
    return (off_t)(header + map_file_place(map) * map->record);
}

int map_file_move(int file, const map_file *map, bool write)
{
    size_t size = map->held * map->record;
    for (size_t done = 0; done < size;) {
        unsigned char *at = map->records + done;
        off_t place = offset(map) + (off_t)done;
        ssize_t n =
            write ? pwrite(file, at, size - done, place) : pread(file, at, size - done, place);
        if ((n == 0 && !write) || (n < 0 && errno != EINTR))
            return n == 0 ? EIO : errno;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* a cell by its three indices, as in messages */
static const char *name_cell(const map_file *map, size_t cell)
{
    static char text[80];
    size_t n = (size_t)map->grid.count;
    snprintf(text, sizeof text, "cell [%zu, %zu, %zu]", cell % n, cell / n % n, cell / n / n);
    return text;
}

/* an undecided cell may have begun to be written */
static bool check_record(const char *path, const map_file *map, size_t i)
{
    double reached = map_file_value(map, i, MAP_REACHED);
    if (reached >= (MAP_UNDECIDED & 0xff00))
        return true;
    if (reached > map->grid.orientations)
        return complain("%s: %s: %.0f orientations, but there are %d", path, name_cell(map, i),
                        reached, map->grid.orientations);
    if (map->has[MAP_BITS] && map_file_count_bits(map, i) != (size_t)reached)
        return complain("%s: %s: bits of %zu orientations, but %.0f are reached", path,
                        name_cell(map, i), map_file_count_bits(map, i), reached);
    for (map_field f = MAP_MANIPULABILITY; f <= MAP_LIMIT_MARGIN; f++) {
        double value = map_file_value(map, i, f), most = f == MAP_LIMIT_MARGIN ? 1 : FLT_MAX;
        if (!(value >= 0 && value <= most))
            return complain("%s: %s: %s is %g", path, name_cell(map, i), map_field_name(f), value);
    }
    return true;
}

static bool check_records(const char *path, const map_file *map)
{
    for (size_t i = map->first; i < map->first + map->held; i++)
        if (!check_record(path, map, i))
            return false;
    return true;
}

/* holds a tile as it is in the file; false after a complaint */
static bool read_tile(const char *path, int file, map_file *map, size_t k)
{
    map_file_hold_tile(map, k);
    int reason = map_file_move(file, map, false);
    return reason == 0 ? check_records(path, map) : complain("%s: %s", path, strerror(reason));
}

/* bytes of a map that is held of which less than half is given */
enum { MOST_FROM_PARTS = 1 << 26 };

/* ---- joining -------------------------------------------------------------- */

/* Arrays that are parts of one map. */
typedef struct map_parts {
    const char *const *paths;
    map_file *maps;
    size_t count;
} map_parts;

/* the first part that has decided a cell of the tile that is joined */
static const char *find_decider(const map_parts *parts, size_t cell)
{
    for (size_t i = 0; i < parts->count; i++) {
        const map_file *part = &parts->maps[i];
        bool holds = cell >= part->first && cell < part->first + part->held;
        if (holds && map_file_is_decided(part, cell))
            return parts->paths[i];
    }
    return "another part";
}

/* a cell that two parts have decided is the same in both */
static bool add_record(const map_parts *parts, const char *path, const map_file *part, map_file *to,
                       size_t cell)
{
    const unsigned char *record = map_file_record(part, cell);
    if (!map_file_is_decided(part, cell))
        return true;
    if (map_file_is_decided(to, cell) && memcmp(map_file_record(to, cell), record, to->record) != 0)
        return complain("%s: %s is not as in '%s', though both are of one map; one of them was "
                        "changed or is damaged",
                        path, name_cell(to, cell), find_decider(parts, cell));
    memcpy(map_file_record(to, cell), record, to->record);
    return true;
}

/* adds to the tile that `to` holds what is decided of it in one part */
static bool add_tile(const map_parts *parts, size_t index, map_file *to, size_t first)
{
    const char *path = parts->paths[index];
    map_file *part = &parts->maps[index];
    size_t tile = first / MAP_TILE;
    if (tile % part->parts != part->part)
        return true;
    int file = open_array(path, part, O_RDONLY);
    bool read = file >= 0 ? read_tile(path, file, part, tile / part->parts)
                          : complain("%s: changed while it was read", path);
    if (file >= 0)
        close(file);
    for (size_t i = first; read && i < part->first + part->held; i++)
        read = add_record(parts, path, part, to, i);
    return read;
}

/* the same of every part */
static bool join_tile(const map_parts *parts, map_file *to, size_t first)
{
    for (size_t i = 0; i < parts->count; i++)
        if (!add_tile(parts, i, to, first))
            return false;
    return true;
}

/* opens all of them and compares what they are parts of, which is *whole; false after a complaint
 */
static bool open_parts(map_parts *parts, map_file *whole)
{
    for (; parts->paths[parts->count] != NULL; parts->count++) {
        const char *path = parts->paths[parts->count];
        map_file *part = &parts->maps[parts->count], same;
        int file = open_described(path, part);
        if (file < 0)
            return false;
        close(file);
        // the description of the whole is made from a copy of the part's
        same = *part;
        same.description = allocate_or_exit(part->size + 1, 1);
        memcpy(same.description, part->description, part->size);
        map_file_make_whole(&same);
        if (parts->count == 0) {
            *whole = same;
            continue;
        }
        char *differences = map_file_differences(&same, whole);
        bool fits = differences[0] == '\0' ||
                    complain("%s: a map of something else than '%s': the descriptions beside them "
                             "differ in %s",
                             path, parts->paths[0], differences);
        free(differences);
        map_file_release(&same);
        if (!fits) {
            parts->count++;
            return false;
        }
    }
    return true;
}

static map_parts start_parts(const char *const *paths)
{
    size_t count = 0;
    while (paths[count] != NULL)
        count++;
    return (map_parts){.paths = paths, .maps = allocate_or_exit(count, sizeof(map_file))};
}

static void release_parts(map_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        map_file_release(&parts->maps[i]);
    free(parts->maps);
}

/* holds all cells */
static bool join_all(const map_parts *parts, map_file *whole)
{
    map_file_hold(whole, 0, map_file_cells(whole));
    for (size_t k = 0; k < map_file_tiles(whole); k++)
        if (!join_tile(parts, whole, k * MAP_TILE))
            return false;
    return true;
}

/* whether all of a map may be held: small files must not ask for the memory of a large one */
static bool fits_memory(const map_parts *parts, const map_file *whole)
{
    size_t size = map_file_cells(whole) * whole->record, given = 0;
    for (size_t i = 0; i < parts->count; i++)
        given += map_file_own_cells(&parts->maps[i]) * whole->record;
    return size <= MOST_FROM_PARTS || size / 2 <= given ||
           complain("%s: %zu MiB of a map of %zu MiB; limber merge joins all of its parts",
                    parts->paths[0], given >> 20, size >> 20);
}

bool map_file_read(const char *path, map_file *map)
{
    map_parts parts = start_parts((const char *const[]){path, NULL});
    *map = (map_file){.records = NULL};
    bool read = open_parts(&parts, map) && fits_memory(&parts, map) && join_all(&parts, map);
    if (!read)
        map_file_release(map);
    release_parts(&parts);
    return read;
}

/* ---- writing -------------------------------------------------------------- */

/* every format that there is, by the ending of its files; an array is written tile by tile */
static const char *const endings[] = {".npy", ".vti"};
enum { FORMATS = sizeof endings / sizeof *endings };

bool map_file_is_array(const char *path)
{
    size_t length = strlen(path), ending = strlen(endings[0]);
    return length > ending && strcmp(path + length - ending, endings[0]) == 0;
}

/* whether what describes a map may be written beside it: over nothing, or over another's */
static bool description_fits(const char *path)
{
    char *beside = description_path(path);
    map_file other = {.records = NULL};
    bool fits =
        access(beside, F_OK) != 0 || (find_description(path, &other) && map_file_parse(&other));
    if (!fits)
        complain("--output: the description of '%s' would overwrite '%s', which is not a map "
                 "description; give another name",
                 path, beside);
    map_file_release(&other);
    free(beside);
    return fits;
}

bool map_file_can_write(const char *path)
{
    int which;
    return argument_ending("--output", path, endings, FORMATS, &which) &&
           (!map_file_is_array(path) || description_fits(path));
}

/* false after a complaint where the system did not take all that was written */
static bool flush_writer(const file_writer *writer)
{
    int reason = file_flush(writer->stream);
    return reason == 0 || complain("%s: cannot be written: %s", writer->path, strerror(reason));
}

/*
 * Ends the writing of an array, with its description: both are complete when the array that was
 * there goes, and the description is put in place before the new array is. So an array never lies
 * beside the description of another, and where the program is ended in between there is none.
 */
static bool commit_array(file_writer *array, const map_file *map)
{
    char *beside = description_path(array->path);
    file_writer description = {.stream = NULL};
    bool fine = flush_writer(array) && succeeds(file_begin(&description, beside, why()));
    if (fine) {
        fwrite(map->description, 1, map->size, description.stream);
        fine = flush_writer(&description) && succeeds(file_remove_target(array, why())) &&
               succeeds(file_commit(&description, why())) && succeeds(file_commit(array, why()));
    }
    file_discard(&description);
    file_discard(array);
    free(beside);
    return fine;
}

static void write_header(const map_file *map, FILE *stream)
{
    size_t size;
    char *header = map_npy_header(map, &size);
    fwrite(header, 1, size, stream);
    free(header);
}

/* tile by tile; what was written is discarded where a part cannot be read */
static bool write_joined(const map_parts *parts, const char *output, map_file *map,
                         map_counts *counts)
{
    file_writer writer;
    if (!succeeds(file_begin(&writer, output, why())))
        return false;
    bool joined = true;
    write_header(map, writer.stream);
    for (size_t k = 0; joined && k < map_file_tiles(map); k++) {
        map_file_hold_tile(map, k);
        joined = join_tile(parts, map, map->first);
        map_file_count(map, counts);
        fwrite(map->records, map->record, map->held, writer.stream);
    }
    if (!joined)
        file_discard(&writer);
    return joined && commit_array(&writer, map);
}

bool map_file_join(const char *const *paths, const char *output, map_file *map, map_counts *counts)
{
    map_parts parts = start_parts(paths);
    *map = (map_file){.records = NULL};
    *counts = (map_counts){0};
    bool joined = open_parts(&parts, map);
    if (joined && map_file_is_array(output)) {
        joined = write_joined(&parts, output, map, counts);
    } else if (joined) {
        joined = fits_memory(&parts, map) && join_all(&parts, map) &&
                 destination_save(output, map_write_vti, map) &&
                 map_file_count_all(output, map, counts);
    }
    release_parts(&parts);
    return joined;
}

bool map_file_count_all(const char *path, map_file *map, map_counts *counts)
{
    *counts = (map_counts){0};
    if (!map_file_is_array(path)) {
        map_file_count(map, counts);
        return true;
    }
    int file = open_array(path, map, O_RDONLY);
    bool read = file >= 0 || complain("%s: changed while it was written", path);
    for (size_t k = 0; read && k < map_file_tiles(map); k++) {
        read = read_tile(path, file, map, k);
        map_file_count(map, counts);
    }
    if (file >= 0)
        close(file);
    return read;
}

/* ---- going on ------------------------------------------------------------- */

/* an array none of whose cells is decided, written tile by tile */
static bool write_undecided(const char *path, map_file *map)
{
    file_writer writer;
    if (!succeeds(file_begin(&writer, path, why())))
        return false;
    write_header(map, writer.stream);
    for (size_t k = 0; k < map_file_tiles(map); k++) {
        map_file_hold_tile(map, k);
        fwrite(map->records, map->record, map->held, writer.stream);
    }
    return commit_array(&writer, map);
}

/* whether there is this map, in part or complete; false after a complaint */
static bool is_there(const char *path, const map_file *map)
{
    map_file other = {.records = NULL};
    bool described = find_description(path, &other) && map_file_parse(&other);
    char *differences = described ? map_file_differences(&other, map) : NULL;
    int file = described && differences[0] == '\0' ? open_array(path, map, O_RDONLY) : -1;
    if (described && differences[0] != '\0')
        complain("--output: '%s' is a map of something else: its description differs in %s; give "
                 "another name, or --anew replaces it",
                 path, differences);
    else if (file < 0)
        complain("--output: '%s' is a map that was cut short, or no map; give another name, or "
                 "--anew replaces it",
                 path);
    else
        close(file);
    free(differences);
    map_file_release(&other);
    return file >= 0;
}

bool map_file_prepare(const char *path, map_file *map, bool replace, bool *old)
{
    *old = !replace && file_is_regular(path);
    if (!*old)
        return write_undecided(path, map);
    return is_there(path, map);
}
