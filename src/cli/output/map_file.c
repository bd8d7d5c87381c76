/*
 * map_file.c - reads and writes maps of what a tool reaches.
 *
 * Sources: numpy.lib.format, version 1.0; VTK file formats, XML ImageData.
 */
#include "cli/output/map_file.h"

#include "cli/options/arguments.h"
#include "cli/output/print_json.h"
#include "cli/output/report.h"
#include "formats/file.h"

#include <limber/formats/json.h>
#include <stdlib.h>
#include <string.h>

/* magic, version, length and the text of a header, padded to a multiple of 64 */
enum { NPY_PREFIX = 10, NPY_HEADER = 128 };
static const char npy_magic[] = "\x93NUMPY\x01\x00\x76\x00";
/* of a map that can be: lb_reach_map_create makes no larger one */
enum { MOST_CELLS = 1289, MOST_ORIENTATIONS = 36864 };
#define NPY_TEXT "{'descr': '<u2', 'fortran_order': True, 'shape': (%d, %d, %d), }"

static size_t cell_count(const map_file *map)
{
    size_t n = (size_t)map->grid.count;
    return n * n * n;
}

/* ---- descriptions --------------------------------------------------------- */

/* FNV-1a of the model as limber JSON: another model of the same name is another map */
static unsigned long long fingerprint(const lb_model *model)
{
    char *text = NULL;
    unsigned long long hash = 0xcbf29ce484222325ull;
    if (lb_json_write(model, NULL, &text, NULL) == LB_OK)
        for (const char *c = text; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3ull;
    free(text);
    return hash;
}

static json_t *describe(const lb_model *model, const lb_task *task, const lb_reach_grid *grid,
                        int iterations)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", fingerprint(model));
    const char *base = task->base < 0 ? "world" : lb_model_link(model, task->base)->name;
    json_t *made = json_object();
    set_json(made, "model", json_string(lb_model_name(model)));
    set_json(made, "fingerprint", json_string(hash));
    set_json(made, "tip", json_string(lb_model_link(model, task->tip)->name));
    set_json(made, "base", json_string(base));
    set_json(made, "count", json_integer(grid->count));
    set_json(made, "center", json_vector(grid->center));
    set_json(made, "cell", json_finite(grid->cell));
    set_json(made, "radius", json_finite(grid->radius));
    set_json(made, "orientations", json_integer(grid->orientations));
    set_json(made, "iterations", json_integer(iterations));
    set_json(made, "undecided", json_integer(MAP_UNDECIDED));
    return made;
}

map_file map_file_start(const lb_model *model, const lb_task *task, const lb_reach_map *map,
                        int iterations)
{
    map_file made = {.grid = *lb_reach_map_grid(map)};
    json_t *description = describe(model, task, &made.grid, iterations);
    char *text = json_dumps(description, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    made.size = strlen(text) + 1;
    made.description = allocate_or_exit(made.size + 1, 1);
    snprintf(made.description, made.size + 1, "%s\n", text);
    free(text);
    json_decref(description);
    made.cells = allocate_or_exit(cell_count(&made), sizeof *made.cells);
    for (size_t i = 0; i < cell_count(&made); i++)
        made.cells[i] = MAP_UNDECIDED;
    return made;
}

void map_file_release(map_file *map)
{
    free(map->description);
    free(map->cells);
    *map = (map_file){.cells = NULL};
}

/* map.npy is described in map.json; release with free() */
static char *description_path(const char *path)
{
    size_t stem = strlen(path) - strlen(".npy");
    char *made = allocate_or_exit(stem + sizeof ".json", 1);
    memcpy(made, path, stem);
    memcpy(made + stem, ".json", sizeof ".json");
    return made;
}

/* ---- reading -------------------------------------------------------------- */

static bool parse_description(map_file *map)
{
    lb_reach_grid *grid = &map->grid;
    json_t *root = json_loadb(map->description, map->size, 0, NULL);
    bool read =
        json_unpack(root, "{s:i, s:[F, F, F], s:F, s:F, s:i}", "count", &grid->count, "center",
                    &grid->center.x, &grid->center.y, &grid->center.z, "cell", &grid->cell,
                    "radius", &grid->radius, "orientations", &grid->orientations) == 0;
    json_decref(root);
    return read && grid->count >= 1 && grid->count <= MOST_CELLS && grid->orientations >= 1 &&
           grid->orientations <= MOST_ORIENTATIONS;
}

static bool read_description(const char *path, map_file *map)
{
    char *beside = description_path(path);
    lb_error error = {0};
    bool read =
        complain_unless(file_read(beside, NULL, &map->description, &map->size, &error), &error);
    if (read && !parse_description(map)) {
        complain("%s: does not describe a map of limber workspace --grid", beside);
        read = false;
    }
    free(beside);
    return read;
}

/* the numbers of cells, none above that of orientations unless it is undecided */
static bool fill_cells(const char *path, const unsigned char *number, map_file *map)
{
    for (size_t i = 0; i < cell_count(map); i++, number += 2) {
        map->cells[i] = (uint16_t)(number[0] | number[1] << 8);
        if (map->cells[i] > map->grid.orientations && map->cells[i] != MAP_UNDECIDED) {
            complain("%s: %d orientations in a cell, but there are %d", path, map->cells[i],
                     map->grid.orientations);
            return false;
        }
    }
    return true;
}

static bool parse_cells(const char *path, const char *bytes, size_t size, map_file *map)
{
    char header[NPY_HEADER + 1] = "";
    int x = 0, y = 0, z = 0, n = map->grid.count;
    size_t cells = cell_count(map);
    if (size == NPY_HEADER + 2 * cells && memcmp(bytes, npy_magic, NPY_PREFIX) == 0) {
        memcpy(header, bytes + NPY_PREFIX, NPY_HEADER - NPY_PREFIX);
        sscanf(header, NPY_TEXT, &x, &y, &z);
    }
    if (x != n || y != n || z != n) {
        complain("%s: not the array of %d x %d x %d unsigned 16-bit numbers that is described "
                 "beside it",
                 path, n, n, n);
        return false;
    }
    map->cells = allocate_or_exit(cells, sizeof *map->cells);
    return fill_cells(path, (const unsigned char *)bytes + NPY_HEADER, map);
}

bool map_file_read(const char *path, map_file *map)
{
    static const char *const endings[] = {".npy"};
    int which;
    char *bytes = NULL;
    size_t size;
    lb_error error = {0};
    *map = (map_file){.cells = NULL};
    bool read = argument_ending("map", path, endings, 1, &which) && read_description(path, map) &&
                complain_unless(file_read(path, NULL, &bytes, &size, &error), &error) &&
                parse_cells(path, bytes, size, map);
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
    for (size_t i = 0; same && i < cell_count(map); i++)
        if (map->cells[i] == MAP_UNDECIDED)
            map->cells[i] = other.cells[i];
    map_file_release(&other);
    return same;
}

/* ---- writing -------------------------------------------------------------- */

static void write_npy(const map_file *map, FILE *stream)
{
    char header[NPY_HEADER + 1];
    int n = map->grid.count;
    memcpy(header, npy_magic, NPY_PREFIX);
    int length = snprintf(header + NPY_PREFIX, sizeof header - NPY_PREFIX, NPY_TEXT, n, n, n);
    memset(header + NPY_PREFIX + length, ' ', (size_t)(NPY_HEADER - NPY_PREFIX - length));
    header[NPY_HEADER - 1] = '\n';
    fwrite(header, 1, NPY_HEADER, stream);
    for (size_t i = 0; i < cell_count(map); i++) {
        putc(map->cells[i] & 0xff, stream);
        putc(map->cells[i] >> 8, stream);
    }
}

/* cells as they are for ParaView: the share of orientations, -1 where undecided */
static void write_vti(const map_file *map, FILE *stream)
{
    const lb_reach_grid *g = &map->grid;
    double half = (g->count / 2 + 0.5) * g->cell;
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"0.1\" "
            "byte_order=\"LittleEndian\">\n"
            "<ImageData WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.17g %.17g %.17g\" "
            "Spacing=\"%.17g %.17g %.17g\">\n<Piece Extent=\"0 %d 0 %d 0 %d\">\n"
            "<CellData Scalars=\"share\">\n"
            "<DataArray type=\"Float32\" Name=\"share\" format=\"ascii\">\n",
            g->count, g->count, g->count, g->center.x - half, g->center.y - half,
            g->center.z - half, g->cell, g->cell, g->cell, g->count, g->count, g->count);
    for (size_t i = 0; i < cell_count(map); i++)
        if (map->cells[i] == MAP_UNDECIDED)
            fputs("-1\n", stream);
        else
            fprintf(stream, "%.6g\n", (double)map->cells[i] / g->orientations);
    fputs("</DataArray>\n</CellData>\n</Piece>\n</ImageData>\n</VTKFile>\n", stream);
}

static const char *const map_endings[] = {".npy", ".vti"};

bool map_file_ending(const char *path)
{
    int which;
    return argument_ending("--output", path, map_endings, 2, &which);
}

static void write_description(const map_file *map, FILE *stream)
{
    fwrite(map->description, 1, map->size, stream);
}

static bool write_one(const char *path, const map_file *map,
                      void write(const map_file *map, FILE *stream))
{
    file_writer writer;
    lb_error error = {0};
    if (!complain_unless(file_begin(&writer, path, &error), &error))
        return false;
    write(map, writer.stream);
    return complain_unless(file_commit(&writer, &error), &error);
}

bool map_file_write(const char *path, const map_file *map)
{
    int which;
    if (!argument_ending("--output", path, map_endings, 2, &which))
        return false;
    if (which == 1)
        return write_one(path, map, write_vti);
    // the description first: an array is never there without it
    char *beside = description_path(path);
    bool written = write_one(beside, map, write_description) && write_one(path, map, write_npy);
    free(beside);
    return written;
}

/* ---- words ---------------------------------------------------------------- */

map_counts map_file_count(const map_file *map)
{
    map_counts counts = {0};
    for (size_t i = 0; i < cell_count(map); i++) {
        int reached = map->cells[i];
        if (reached == MAP_UNDECIDED) {
            counts.undecided++;
            continue;
        }
        counts.questions += map->grid.orientations;
        counts.reached += reached;
        counts.reachable += reached > 0;
        counts.dexterous += reached == map->grid.orientations;
    }
    return counts;
}

void map_file_words(const map_file *map, FILE *stream)
{
    map_counts counts = map_file_count(map);
    double volume = map->grid.cell * map->grid.cell * map->grid.cell;
    fprintf(stream, "cells      %zu of %g m, %d orientations each\n", cell_count(map),
            map->grid.cell, map->grid.orientations);
    fprintf(stream, "reached    %.2f %% of %.0f poses\n",
            counts.questions > 0 ? 100 * counts.reached / counts.questions : 0, counts.questions);
    fprintf(stream, "reachable  %.4g m3 in some orientation, %.4g m3 in all\n",
            volume * (double)counts.reachable, volume * (double)counts.dexterous);
    if (counts.undecided > 0)
        fprintf(stream, "undecided  %zu cells\n", counts.undecided);
}
