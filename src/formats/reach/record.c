/*
 * record.c - the records of a map: their fields, what is stored in them, and the header of their
 * array.
 */
#include "formats/reach/map_file.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"
#include "workspace/reach_contents.h"

#include <stdlib.h>

/* every field that a record may have */
static const struct {
    const char *name, *type;
    size_t bytes;      /* 0: of the bits, as many as the orientations need */
    unsigned contents; /* of lb_reach_map_options; 0: every map has it */
} fields[MAP_FIELDS] = {
    [MAP_BITS] = {"bits", "|u1", 0, LB_REACH_BITS},
    [MAP_SOLUTIONS] = {"solutions", "<u4", 4, LB_REACH_SOLUTIONS},
    [MAP_MANIPULABILITY] = {"manipulability", "<f4", 4, LB_REACH_MANIPULABILITY},
    [MAP_LIMIT_MARGIN] = {"limit_margin", "<f4", 4, LB_REACH_LIMIT_MARGIN},
    [MAP_REACHED] = {"reached", "<u2", 2, 0},
};

const char *map_field_name(map_field field)
{
    return fields[field].name;
}

unsigned map_field_contents(map_field field)
{
    return fields[field].contents;
}

bool map_file_has(const map_file *map, map_field field)
{
    return field == MAP_REACHED || (map->contents & fields[field].contents) != 0;
}

size_t map_file_cells(const map_file *map)
{
    size_t n = (size_t)map->grid.count;
    return n * n * n;
}

/* ---- tiles ---------------------------------------------------------------- */

static size_t all_tiles(const map_file *map)
{
    return (map_file_cells(map) + MAP_TILE - 1) / MAP_TILE;
}

size_t map_file_tiles(const map_file *map)
{
    size_t all = all_tiles(map);
    return all > map->part ? (all - map->part + map->parts - 1) / map->parts : 0;
}

size_t map_file_own_cells(const map_file *map)
{
    size_t own = map_file_tiles(map), all = all_tiles(map);
    bool has_last = own > 0 && (own - 1) * map->parts + map->part == all - 1;
    return own * MAP_TILE - (has_last ? all * MAP_TILE - map_file_cells(map) : 0);
}

lb_status map_file_hold_tile(map_file *map, size_t k, lb_error *error)
{
    size_t first = (k * map->parts + map->part) * MAP_TILE, left = map_file_cells(map) - first;
    return map_file_hold(map, first, left < MAP_TILE ? left : MAP_TILE, error);
}

static size_t bits_size(const map_file *map)
{
    return ((size_t)map->grid.orientations + 7) / 8;
}

void map_file_lay(map_file *map)
{
    map->record = 0;
    for (map_field f = 0; f < MAP_FIELDS; f++) {
        map->offset[f] = map->record;
        if (map_file_has(map, f))
            map->record += fields[f].bytes > 0 ? fields[f].bytes : bits_size(map);
    }
}

/* ---- records -------------------------------------------------------------- */

unsigned char *map_file_record(const map_file *map, size_t cell)
{
    return map->records + (cell - map->first) * map->record;
}

static void put_field(const map_file *map, unsigned char *record, map_field field, double value)
{
    bool real = fields[field].type[1] == 'f';
    if (map_file_has(map, field))
        bytes_put(record + map->offset[field],
                  real ? bytes_of_float((float)value) : (uint32_t)value, fields[field].bytes);
}

double map_file_value(const map_file *map, size_t cell, map_field field)
{
    const unsigned char *from = map_file_record(map, cell) + map->offset[field];
    if (!map_file_has(map, field))
        return 0;
    return fields[field].type[1] == 'f' ? bytes_real(from, fields[field].bytes)
                                        : (double)bytes_whole(from, fields[field].bytes);
}

size_t map_file_count_bits(const map_file *map, size_t cell)
{
    const unsigned char *bits = map_file_record(map, cell) + map->offset[MAP_BITS];
    size_t count = 0;
    for (size_t i = 0; map_file_has(map, MAP_BITS) && i < bits_size(map); i++)
        for (unsigned rest = bits[i]; rest != 0; rest &= rest - 1)
            count++;
    return count;
}

/* a number that was written in part has its second byte from an undecided one */
bool map_file_is_decided(const map_file *map, size_t cell)
{
    return map_file_value(map, cell, MAP_REACHED) <= map->grid.orientations;
}

static void solve_record(const map_file *map, lb_reach_map *solver, size_t cell,
                         unsigned char *record)
{
    unsigned char *bits = map_file_has(map, MAP_BITS) ? record + map->offset[MAP_BITS] : NULL;
    lb_reach_cell found = lb_reach_map_solve(solver, cell, bits);
    put_field(map, record, MAP_SOLUTIONS, found.solutions);
    put_field(map, record, MAP_MANIPULABILITY, found.manipulability);
    put_field(map, record, MAP_LIMIT_MARGIN, found.limit_margin);
    put_field(map, record, MAP_REACHED, found.reached);
}

bool map_file_decide(map_file *map, lb_reach_map *solver)
{
    bool any = false;
    for (size_t i = map->first; i < map->first + map->held; i++)
        if (!map_file_is_decided(map, i)) {
            solve_record(map, solver, i, map_file_record(map, i));
            any = true;
        }
    return any;
}

lb_status map_file_hold(map_file *map, size_t first, size_t held, lb_error *error)
{
    free(map->records);
    map->first = first;
    map->held = held;
    map->records = calloc(held > 0 ? held : 1, map->record);
    TRY(require_memory(error, map->records));
    for (size_t i = first; i < first + held; i++)
        put_field(map, map_file_record(map, i), MAP_REACHED, MAP_UNDECIDED);
    return LB_OK;
}

/* ---- header --------------------------------------------------------------- */

size_t map_file_header(const map_file *map, unsigned char header[NPY_HEADER_MOST])
{
    char type[NPY_HEADER_MOST];
    text_writer to = {type, sizeof type, 0};
    int64_t n = map->grid.count, own = (int64_t)map_file_own_cells(map);
    if (map->record == fields[MAP_REACHED].bytes)
        text_write(&to, "'%s'", fields[MAP_REACHED].type);
    for (map_field f = 0; map->record > fields[MAP_REACHED].bytes && f < MAP_FIELDS; f++) {
        if (!map_file_has(map, f))
            continue;
        text_write(&to, "%s('%s', '%s'", to.length > 0 ? ", " : "[", fields[f].name,
                   fields[f].type);
        if (f == MAP_BITS)
            text_write(&to, ", (%d,)", (int)bits_size(map));
        text_write(&to, f == MAP_REACHED ? ")]" : ")");
    }
    // a part is no cube
    return map->parts > 1 ? npy_header(type, true, &own, 1, header)
                          : npy_header(type, true, (int64_t[]){n, n, n}, 3, header);
}

size_t map_file_place(const map_file *map)
{
    unsigned char header[NPY_HEADER_MOST];
    return map_file_header(map, header) +
           map->first / MAP_TILE / map->parts * MAP_TILE * map->record;
}

/* ---- maps in memory ------------------------------------------------------- */

static map_file lay_out(const lb_reach_map *map)
{
    map_file made = {.grid = *lb_reach_map_grid(map),
                     .contents = reach_map_contents(map)->options.contents,
                     .parts = 1};
    map_file_lay(&made);
    return made;
}

size_t lb_reach_record_size(const lb_reach_map *map)
{
    return lay_out(map).record;
}

void lb_reach_record_solve(lb_reach_map *map, size_t cell, unsigned char *record)
{
    map_file layout = lay_out(map);
    solve_record(&layout, map, cell, record);
}

size_t lb_reach_record_header(const lb_reach_map *map, unsigned char header[LB_REACH_HEADER_MAX])
{
    map_file layout = lay_out(map);
    return map_file_header(&layout, header);
}
