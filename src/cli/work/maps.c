/*
 * maps.c - maps of what a tool reaches: what is known of them, in numbers and words, and as image
 * data for ParaView.
 */
#include "cli/work/maps.h"

#include "base/bytes.h"
#include "base/text.h"
#include "cli/report/report.h"

#include <string.h>
#include <unistd.h>

bool map_job_open(const map_job *job, size_t part, size_t parts, lb_reach_file **file)
{
    lb_error *error = why();
    bool there = file_is_regular(job->output);
    lb_status status =
        lb_reach_file_open(job->output, job->solvers[0], part, parts, job->replace, file, error);
    // a file that is there is no part of this map: the program's option replaces it
    size_t used = strlen(error->message);
    if (status == LB_BAD_VALUE && there && !job->replace)
        text_format(error->message + used, sizeof error->message - used, " (--anew)");
    return succeeds(status);
}

/* ---- counting ------------------------------------------------------------- */

/* adds the cells that are held */
static void count_held(const map_file *map, map_counts *counts)
{
    counts->cells += map->held;
    for (size_t i = map->first; i < map->first + map->held; i++) {
        if (!map_file_is_decided(map, i)) {
            counts->undecided++;
            continue;
        }
        double reached = map_file_value(map, i, MAP_REACHED);
        counts->questions += map->grid.orientations;
        counts->reached += reached;
        counts->reachable += reached > 0;
        counts->dexterous += reached == map->grid.orientations;
        counts->solutions += map_file_value(map, i, MAP_SOLUTIONS);
        double manipulability = map_file_value(map, i, MAP_MANIPULABILITY);
        double margin = map_file_value(map, i, MAP_LIMIT_MARGIN);
        if (manipulability > counts->manipulability)
            counts->manipulability = manipulability;
        if (margin > counts->limit_margin)
            counts->limit_margin = margin;
    }
}

static void count_array(const char *path, map_file *map, map_counts *counts)
{
    int file;
    map_file_release(map);
    require(map_file_open(path, map, &file, why()));
    for (size_t k = 0; k < map_file_tiles(map); k++) {
        require(map_file_read_tile(path, file, map, k, why()));
        count_held(map, counts);
    }
    close(file);
}

void map_count(const char *path, map_file *map, map_counts *counts)
{
    *counts = (map_counts){0};
    if (map_file_is_array(path))
        count_array(path, map, counts);
    else
        count_held(map, counts);
}

/* ---- words ---------------------------------------------------------------- */

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

void map_print(const map_file *map, const map_counts *counts)
{
    double cell = map->grid.cell, volume = cell * cell * cell;
    printf("cells      %zu of %g m, %d orientations each, in a cube of %.3g m\n", counts->cells,
           cell, map->grid.orientations, map->grid.count * cell);
    printf("reached    %.2f %% of %.0f poses\n", percent(counts->reached, counts->questions),
           counts->questions);
    printf("reachable  %.4g m3 in some orientation, %.4g m3 in all\n",
           volume * (double)counts->reachable, volume * (double)counts->dexterous);
    if (map_file_has(map, MAP_SOLUTIONS))
        printf("solutions  %.0f, %.2f for a pose that is reached\n", counts->solutions,
               counts->reached > 0 ? counts->solutions / counts->reached : 0);
    if (map_file_has(map, MAP_MANIPULABILITY))
        printf("manipulability at most %.4g\n", counts->manipulability);
    if (map_file_has(map, MAP_LIMIT_MARGIN))
        printf("limits     at most %.0f %% of half a joint's range away\n",
               100 * counts->limit_margin);
    if (counts->undecided > 0)
        printf("undecided  %zu cells\n", counts->undecided);
}

/* ---- formats -------------------------------------------------------------- */

void map_check_output(const char *path)
{
    static const char *const endings[] = {".npy", ".vti"};
    if (argument_ending("--output", path, endings, 2) == 0)
        require(map_file_check_path(path, why()));
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
    return map_file_has(map, field) && field != MAP_BITS;
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
