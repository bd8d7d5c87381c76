/*
 * map_vti.c - a map as VTK's image data, cell by cell, for ParaView.
 *
 * Source: VTK file formats, XML ImageData with appended raw data: after the XML an underscore, then
 * for each array its bytes behind their number, at the offset from the underscore that the XML
 * says.
 */
#include "cli/work/map_file.h"

#include <stdint.h>
#include <string.h>

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

static void put_bytes(uint64_t bits, int count, FILE *stream)
{
    for (int i = 0; i < count; i++)
        putc((int)(bits >> 8 * i & 0xff), stream);
}

static void write_array(const map_file *map, map_field field, FILE *stream)
{
    put_bytes(4 * map_file_cells(map), 8, stream);
    for (size_t i = 0; i < map_file_cells(map); i++) {
        float value = array_value(map, i, field);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        put_bytes(bits, 4, stream);
    }
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

void map_write_vti(const map_file *map, FILE *stream)
{
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
