/*
 * map_record.c - the records of a map: their fields, what is stored in them, and the formats that
 * they are written in, NumPy's and ParaView's.
 */
#include "cli/work/map_file.h"

#include "base/bytes.h"
#include "base/text.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

/* every field that a record may have */
static const struct {
    const char *name, *type;
    size_t bytes;      /* 0: of the bits, as many as the orientations need */
    unsigned contents; /* of lb_reach_map_options; 0: a map is asked for it in any case */
} fields[MAP_FIELDS] = {
    [MAP_BITS] = {"bits", "|u1", 0, 0},
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

size_t map_file_place(const map_file *map)
{
    return map->first / MAP_TILE / map->parts * MAP_TILE;
}

void map_file_hold_tile(map_file *map, size_t k)
{
    size_t first = (k * map->parts + map->part) * MAP_TILE, left = map_file_cells(map) - first;
    map_file_hold(map, first, left < MAP_TILE ? left : MAP_TILE);
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
        if (map->has[f])
            map->record += fields[f].bytes > 0 ? fields[f].bytes : bits_size(map);
    }
}

/* ---- records -------------------------------------------------------------- */

unsigned char *map_file_record(const map_file *map, size_t cell)
{
    return map->records + (cell - map->first) * map->record;
}

static void put_field(map_file *map, size_t cell, map_field field, double value)
{
    bool real = fields[field].type[1] == 'f';
    if (map->has[field])
        bytes_put(map_file_record(map, cell) + map->offset[field],
                  real ? bytes_of_float((float)value) : (uint32_t)value, fields[field].bytes);
}

double map_file_value(const map_file *map, size_t cell, map_field field)
{
    const unsigned char *from = map_file_record(map, cell) + map->offset[field];
    if (!map->has[field])
        return 0;
    return fields[field].type[1] == 'f' ? bytes_real(from, fields[field].bytes)
                                        : (double)bytes_whole(from, fields[field].bytes);
}

/* which orientations are reached; NULL: the map has none of that */
static unsigned char *bits_of(const map_file *map, size_t cell)
{
    return map->has[MAP_BITS] ? map_file_record(map, cell) + map->offset[MAP_BITS] : NULL;
}

size_t map_file_count_bits(const map_file *map, size_t cell)
{
    const unsigned char *bits = bits_of(map, cell);
    size_t count = 0;
    for (size_t i = 0; bits != NULL && i < bits_size(map); i++)
        for (unsigned rest = bits[i]; rest != 0; rest &= rest - 1)
            count++;
    return count;
}

/* a number that was written in part has its second byte from an undecided one */
bool map_file_is_decided(const map_file *map, size_t cell)
{
    return map_file_value(map, cell, MAP_REACHED) <= map->grid.orientations;
}

void map_file_decide(map_file *map, lb_reach_map *solver)
{
    for (size_t i = map->first; i < map->first + map->held; i++) {
        if (map_file_is_decided(map, i))
            continue;
        lb_reach_cell found = lb_reach_map_solve(solver, i, bits_of(map, i));
        put_field(map, i, MAP_SOLUTIONS, found.solutions);
        put_field(map, i, MAP_MANIPULABILITY, found.manipulability);
        put_field(map, i, MAP_LIMIT_MARGIN, found.limit_margin);
        put_field(map, i, MAP_REACHED, found.reached);
    }
}

void map_file_hold(map_file *map, size_t first, size_t held)
{
    free(map->records);
    map->first = first;
    map->held = held;
    map->records = allocate_or_exit(held, map->record);
    for (size_t i = first; i < first + held; i++)
        put_field(map, i, MAP_REACHED, MAP_UNDECIDED);
}

/* ---- arrays --------------------------------------------------------------- */

/* Source: numpy.lib.format, version 1.0. An array of records has a list of their fields for a type.
 */

/* magic, version, the length of the text */
enum { PREFIX = 10, MOST_TEXT = 500 };

/* "'<u2'", or where there is more than `reached` the list of the fields */
static void describe_type(const map_file *map, char *text, size_t room)
{
    if (map->record == 2) {
        snprintf(text, room, "'%s'", fields[MAP_REACHED].type);
        return;
    }
    size_t used = 0;
    for (map_field f = 0; f < MAP_FIELDS; f++) {
        if (!map->has[f])
            continue;
        used += text_format(text + used, room - used, "%s('%s', '%s'", used > 0 ? ", " : "[",
                            fields[f].name, fields[f].type);
        if (f == MAP_BITS)
            used += text_format(text + used, room - used, ", (%d,)", (int)bits_size(map));
        used += text_format(text + used, room - used, ")");
    }
    text_format(text + used, room - used, "]");
}

char *map_npy_header(const map_file *map, size_t *size)
{
    char type[MOST_TEXT / 2], text[MOST_TEXT], shape[60];
    int n = map->grid.count;
    describe_type(map, type, sizeof type);
    // a part is no cube
    if (map->parts > 1)
        snprintf(shape, sizeof shape, "%zu,", map_file_own_cells(map));
    else
        snprintf(shape, sizeof shape, "%d, %d, %d", n, n, n);
    int length = snprintf(text, sizeof text,
                          "{'descr': %s, 'fortran_order': True, 'shape': (%s), }", type, shape);
    // padded to a multiple of 64, with a line break at the end
    *size = (size_t)(PREFIX + length + 1 + 63) / 64 * 64;
    char *bytes = allocate_or_exit(*size, 1);
    memset(bytes, ' ', *size);
    memcpy(bytes, "\x93NUMPY\x01\x00", PREFIX - 2);
    bytes_put(bytes + PREFIX - 2, *size - PREFIX, 2);
    memcpy(bytes + PREFIX, text, (size_t)length);
    bytes[*size - 1] = '\n';
    return bytes;
}

/* ---- image data ------------------------------------------------------------ */

/*
 * VTK's image data, cell by cell. Source: VTK file formats, XML ImageData with appended raw data:
 * after the XML an underscore, then for each array its bytes behind their number, at the offset
 * from the underscore that the XML says.
 */

/* The arrays: the share of orientations (-1 where undecided), and the fields that there are. */
static const char *array_name(map_field field)
{
    return field == MAP_REACHED ? "share" : map_field_name(field);
}

static bool is_written(const map_file *map, map_field field)
{
    return map->has[field] && field != MAP_BITS;
}

static float array_value(const map_file *map, size_t cell, map_field field)
{
    if (!map_file_is_decided(map, cell))
        return -1;
    double value = map_file_value(map, cell, field);
    return (float)(field == MAP_REACHED ? value / map->grid.orientations : value);
}

static void write_bytes(uint64_t bits, size_t count, FILE *stream)
{
    unsigned char bytes[sizeof bits];
    bytes_put(bytes, bits, count);
    fwrite(bytes, 1, count, stream);
}

static void write_array(const map_file *map, map_field field, FILE *stream)
{
    write_bytes(4 * map_file_cells(map), 8, stream);
    for (size_t i = 0; i < map_file_cells(map); i++)
        write_bytes(bytes_of_float(array_value(map, i, field)), 4, stream);
}

static void write_head(const map_file *map, FILE *stream)
{
    const lb_reach_grid *g = &map->grid;
    double half = (g->count / 2 + 0.5) * g->cell;
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "<ImageData WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.17g %.17g %.17g\" "
            "Spacing=\"%.17g %.17g %.17g\">\n<Piece Extent=\"0 %d 0 %d 0 %d\">\n"
            "<CellData Scalars=\"share\">\n",
            g->count, g->count, g->count, g->center.x - half, g->center.y - half,
            g->center.z - half, g->cell, g->cell, g->cell, g->count, g->count, g->count);
}

void map_write_vti(const void *data, FILE *stream)
{
    const map_file *map = data;
    size_t offset = 0;
    write_head(map, stream);
    for (map_field f = 0; f < MAP_FIELDS; f++) {
        if (!is_written(map, f))
            continue;
        fprintf(stream,
                "<DataArray type=\"Float32\" Name=\"%s\" format=\"appended\" offset=\"%zu\"/>\n",
                array_name(f), offset);
        offset += 8 + 4 * map_file_cells(map);
    }
    fputs("</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_", stream);
    for (map_field f = 0; f < MAP_FIELDS; f++)
        if (is_written(map, f))
            write_array(map, f, stream);
    fputs("\n</AppendedData>\n</VTKFile>\n", stream);
}
