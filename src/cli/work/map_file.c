/*
 * map_file.c - maps of what a tool reaches: records in memory, read from arrays and written in any
 * format.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/work/map_file.h"

#include "cli/report/report.h"
#include "cli/report/results.h"
#include "workspace/orientation.h"

#include <limber/formats/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* of a map that can be: lb_reach_map_create makes no larger one */
enum { MOST_CELLS = 1289 };

/* ---- descriptions --------------------------------------------------------- */

/* of the model as limber JSON: another model of the same name is another map */
static void identify(const lb_model *model, char digits[FINGERPRINT_SIZE])
{
    char *text = NULL;
    lb_json_write(model, NULL, &text, NULL);
    fingerprint(text, text != NULL ? strlen(text) : 0, digits);
    free(text);
}

static json_t *list_fields(const map_file *map)
{
    json_t *names = json_array();
    for (map_field f = 0; f < MAP_FIELDS; f++)
        if (map->has[f])
            append_json(names, json_string(map_field_name(f)));
    return names;
}

static json_t *describe(const map_subject *subject, const map_file *map)
{
    const lb_model *model = subject->model;
    const lb_task *task = subject->task;
    const lb_reach_grid *grid = &map->grid;
    char digits[FINGERPRINT_SIZE];
    identify(model, digits);
    const char *base = task->base < 0 ? "world" : lb_model_link(model, task->base)->name;
    json_t *made = json_object();
    set_json(made, "model", json_string(lb_model_name(model)));
    set_json(made, "fingerprint", json_string(digits));
    set_json(made, "tip", json_string(lb_model_link(model, task->tip)->name));
    set_json(made, "base", json_string(base));
    set_json(made, "inverse", json_boolean(map->inverse));
    set_json(made, "avoidance",
             subject->avoidance != NULL ? json_string(subject->avoidance) : json_null());
    set_json(made, "count", json_integer(grid->count));
    set_json(made, "center", json_vector(grid->center));
    set_json(made, "cell", json_finite(grid->cell));
    set_json(made, "radius", json_finite(grid->radius));
    set_json(made, "orientations", json_integer(grid->orientations));
    set_json(made, "iterations", json_integer(subject->options.iterations));
    set_json(made, "fields", list_fields(map));
    set_json(made, "undecided", json_integer(MAP_UNDECIDED));
    return made;
}

/* ---- beginning ------------------------------------------------------------ */

map_file map_file_start(const map_subject *subject, const lb_reach_grid *grid)
{
    unsigned contents = subject->options.contents;
    map_file made = {.grid = *grid, .inverse = subject->options.inverse};
    made.has[MAP_BITS] = subject->bits;
    made.has[MAP_SOLUTIONS] = (contents & LB_REACH_SOLUTIONS) != 0;
    made.has[MAP_MANIPULABILITY] = (contents & LB_REACH_MANIPULABILITY) != 0;
    made.has[MAP_LIMIT_MARGIN] = (contents & LB_REACH_LIMIT_MARGIN) != 0;
    made.has[MAP_REACHED] = true;
    map_file_lay(&made);
    json_t *description = describe(subject, &made);
    char *text = json_dumps(description, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    made.size = strlen(text) + 1;
    made.description = allocate_or_exit(made.size + 1, 1);
    snprintf(made.description, made.size + 1, "%s\n", text);
    free(text);
    json_decref(description);
    return made;
}

void map_file_release(map_file *map)
{
    free(map->description);
    free(map->records);
    *map = (map_file){.records = NULL};
}

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

/* which fields there are; false: one that is unknown, or none that says what is reached */
static bool parse_fields(const json_t *names, map_file *map)
{
    size_t i;
    const json_t *name;
    json_array_foreach(names, i, name)
    {
        map_field f = 0;
        const char *text = json_string_value(name);
        while (f < MAP_FIELDS && (text == NULL || strcmp(text, map_field_name(f)) != 0))
            f++;
        if (f == MAP_FIELDS)
            return false;
        map->has[f] = true;
    }
    return map->has[MAP_REACHED];
}

static bool parse_description(map_file *map)
{
    lb_reach_grid *grid = &map->grid;
    json_t *root = json_loadb(map->description, map->size, 0, NULL), *names = NULL;
    int inverse = 0;
    bool read =
        json_unpack(root, "{s:b, s:i, s:[F, F, F], s:F, s:F, s:i, s:o}", "inverse", &inverse,
                    "count", &grid->count, "center", &grid->center.x, &grid->center.y,
                    &grid->center.z, "cell", &grid->cell, "radius", &grid->radius, "orientations",
                    &grid->orientations, "fields", &names) == 0 &&
        parse_fields(names, map);
    map->inverse = inverse != 0;
    json_decref(root);
    return read && grid->count >= 1 && grid->count <= MOST_CELLS &&
           hopf_level(grid->orientations) >= 0 && grid->cell > 0;
}

static bool read_description(const char *path, map_file *map)
{
    char *beside = description_path(path);
    bool read = succeeds(file_read(beside, NULL, &map->description, &map->size, why()));
    if (read && !parse_description(map)) {
        complain("%s: does not describe a map of limber workspace --grid", beside);
        read = false;
    }
    free(beside);
    return read;
}

/* no number of orientations is above theirs, unless it is an undecided one or begins like one */
static bool check_records(const char *path, const map_file *map)
{
    for (size_t i = 0; i < map_file_cells(map); i++) {
        double reached = map_file_value(map, i, MAP_REACHED);
        if (reached <= map->grid.orientations || reached >= (MAP_UNDECIDED & 0xff00))
            continue;
        return complain("%s: %.0f orientations in a cell, but there are %d", path, reached,
                        map->grid.orientations);
    }
    return true;
}

static bool parse_records(const char *path, const char *bytes, size_t size, map_file *map)
{
    size_t header_size;
    char *header = map_npy_header(map, &header_size);
    bool same = size == header_size + map->record * map_file_cells(map) &&
                memcmp(bytes, header, header_size) == 0;
    free(header);
    if (!same) {
        int n = map->grid.count;
        return complain(
            "%s: not the array of %d x %d x %d records of %zu bytes that is described beside "
            "it",
            path, n, n, n, map->record);
    }
    map_file_hold(map, 0, map_file_cells(map));
    memcpy(map->records, bytes + header_size, size - header_size);
    return check_records(path, map);
}

/* all bytes of the array; maps are larger than other files may be */
static lb_status read_array(const char *path, map_file *map, char **bytes, size_t *size,
                            lb_error *error)
{
    file_reader reader;
    size_t header_size;
    map_file_lay(map);
    free(map_npy_header(map, &header_size));
    size_t described = header_size + map->record * map_file_cells(map);
    size_t most = described > FILE_SIZE_MAX ? described : FILE_SIZE_MAX;
    lb_status status = file_open(&reader, path, error);
    return status == LB_OK ? file_read_rest(&reader, most, NULL, bytes, size, error) : status;
}

bool map_file_read(const char *path, map_file *map)
{
    static const char *const endings[] = {".npy"};
    int which;
    char *bytes = NULL;
    size_t size;
    *map = (map_file){.records = NULL};
    bool read = argument_ending("map", path, endings, 1, &which) && read_description(path, map) &&
                succeeds(read_array(path, map, &bytes, &size, why())) &&
                parse_records(path, bytes, size, map);
    free(bytes);
    if (!read)
        map_file_release(map);
    return read;
}

bool map_file_add(const char *path, map_file *map)
{
    map_file other;
    if (!map_file_read(path, &other))
        return false;
    bool same =
        other.size == map->size && memcmp(other.description, map->description, map->size) == 0;
    if (!same)
        complain("%s: a map of something else: the descriptions beside the maps differ", path);
    for (size_t i = 0; same && i < map_file_cells(map); i++)
        if (!map_file_is_decided(map, i) && map_file_is_decided(&other, i))
            memcpy(map_file_record(map, i), map_file_record(&other, i), map->record);
    map_file_release(&other);
    return same;
}

/* ---- writing -------------------------------------------------------------- */

/* every format that there is, by the ending of its files */
static const char *const endings[] = {".npy", ".vti"};
static map_writer *const writers[] = {map_write_npy, map_write_vti};
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
    lb_error error = {0};
    bool fits = access(beside, F_OK) != 0 ||
                (file_read_named(beside, NULL, &other.description, &other.size, &error) == LB_OK &&
                 parse_description(&other));
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

static void write_description(const map_file *map, FILE *stream)
{
    fwrite(map->description, 1, map->size, stream);
}

static bool write_one(const char *path, const map_file *map, map_writer *write)
{
    file_writer writer;
    if (!succeeds(file_begin(&writer, path, why())))
        return false;
    write(map, writer.stream);
    return succeeds(file_commit(&writer, why()));
}

bool map_file_write(const char *path, const map_file *map)
{
    int which;
    if (!argument_ending("--output", path, endings, FORMATS, &which))
        return false;
    if (!map_file_is_array(path))
        return write_one(path, map, writers[which]);
    // the description first: an array is never there without it
    char *beside = description_path(path);
    bool written =
        write_one(beside, map, write_description) && write_one(path, map, writers[which]);
    free(beside);
    return written;
}

/* ---- for many processes --------------------------------------------------- */

/* undecided cells that are written at once */
enum { BLOCK = 4096 };

/* the array's header, and BLOCK undecided cells again and again; the map is held for that alone */
static void write_undecided(const map_file *map, FILE *stream)
{
    size_t size, cells = map_file_cells(map);
    char *header = map_npy_header(map, &size);
    fwrite(header, 1, size, stream);
    free(header);
    for (size_t i = 0; i < cells; i += BLOCK)
        fwrite(map->records, map->record, cells - i < BLOCK ? cells - i : BLOCK, stream);
}

bool map_file_write_undecided(const char *path, map_file *map)
{
    char *beside = description_path(path);
    map_file_hold(map, 0, BLOCK);
    bool written =
        write_one(beside, map, write_description) && write_one(path, map, write_undecided);
    free(beside);
    return written;
}

/* how many bytes a file has, after its beginning is compared; -1: it begins otherwise */
static long long compare_beginning(FILE *file, const char *bytes, size_t size)
{
    char *own = allocate_or_exit(size, 1);
    bool same = fread(own, 1, size, file) == size && memcmp(own, bytes, size) == 0;
    free(own);
    return same && fseeko(file, 0, SEEK_END) == 0 ? (long long)ftello(file) : -1;
}

bool map_file_check(const char *path, const map_file *map)
{
    map_file other = {.records = NULL};
    size_t size;
    bool same = read_description(path, &other) && other.size == map->size &&
                memcmp(other.description, map->description, map->size) == 0;
    map_file_release(&other);
    char *header = map_npy_header(map, &size);
    FILE *file = same ? fopen(path, "rb") : NULL;
    long long expected = (long long)(size + map->record * map_file_cells(map));
    same = file != NULL && compare_beginning(file, header, size) == expected;
    if (file != NULL)
        fclose(file);
    free(header);
    return same ||
           complain("%s: a map of something else, or cut short; without --resume it is begun anew",
                    path);
}

/* ---- words ---------------------------------------------------------------- */

map_counts map_file_count(const map_file *map)
{
    map_counts counts = {0};
    for (size_t i = 0; i < map_file_cells(map); i++) {
        if (!map_file_is_decided(map, i)) {
            counts.undecided++;
            continue;
        }
        double reached = map_file_value(map, i, MAP_REACHED);
        counts.questions += map->grid.orientations;
        counts.reached += reached;
        counts.reachable += reached > 0;
        counts.dexterous += reached == map->grid.orientations;
        counts.solutions += map_file_value(map, i, MAP_SOLUTIONS);
        double manipulability = map_file_value(map, i, MAP_MANIPULABILITY);
        double margin = map_file_value(map, i, MAP_LIMIT_MARGIN);
        if (manipulability > counts.manipulability)
            counts.manipulability = manipulability;
        if (margin > counts.limit_margin)
            counts.limit_margin = margin;
    }
    return counts;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

void map_file_words(const map_file *map, FILE *stream)
{
    map_counts counts = map_file_count(map);
    double cell = map->grid.cell, volume = cell * cell * cell;
    fprintf(stream, "cells      %zu of %g m, %d orientations each, in a cube of %.3g m\n",
            map_file_cells(map), cell, map->grid.orientations, map->grid.count * cell);
    fprintf(stream, "reached    %.2f %% of %.0f poses\n", percent(counts.reached, counts.questions),
            counts.questions);
    fprintf(stream, "reachable  %.4g m3 in some orientation, %.4g m3 in all\n",
            volume * (double)counts.reachable, volume * (double)counts.dexterous);
    if (map->has[MAP_SOLUTIONS])
        fprintf(stream, "solutions  %.0f, %.2f for a pose that is reached\n", counts.solutions,
                counts.reached > 0 ? counts.solutions / counts.reached : 0);
    if (map->has[MAP_MANIPULABILITY])
        fprintf(stream, "manipulability at most %.4g\n", counts.manipulability);
    if (map->has[MAP_LIMIT_MARGIN])
        fprintf(stream, "limits     at most %.0f %% of half a joint's range away\n",
                100 * counts.limit_margin);
    if (counts.undecided > 0)
        fprintf(stream, "undecided  %zu cells\n", counts.undecided);
}
