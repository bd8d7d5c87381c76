/*
 * map_h5.c - a map as HDF5: arrays of limber's own, and the groups that Reuleaux reads.
 *
 *     /Map       reached, solutions ... (n, n, n), the first index along x; the attribute
 *                description is the text of the JSON file beside an array
 *     /Spheres   sphere_dataset (N, 4): centres of the cells that are reached in some orientation,
 *                and the share of orientations in per cent; the attribute Resolution
 *     /Poses     poses_dataset (M, 10): for each orientation that is reached the cell's centre, and
 *                the pose x y z, qx qy qz qw; only of maps with bits
 *
 * Source of the latter: A. Makhal, A. Goins, "Reuleaux: robot base placement by reachability
 * analysis", 2018, and its map_creator, load_reachability_map.cpp. Reuleaux puts poses onto a
 * sphere about the centre; here they are at the centre itself.
 *
 * The file is made in memory, so that it is written as every other one is; it has no times in it.
 */
#include "cli/output/map_formats.h"

#include "cli/output/report.h"

#ifdef LIMBER_HAVE_HDF5

#include "workspace/hopf.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

/* bytes that the file in memory grows by; rows of poses that are written at once */
enum { GROWTH = 1 << 20, ROWS = 1 << 16, POSE = 10, SPHERE = 4 };

/* ---- arrays --------------------------------------------------------------- */

static hid_t dataset_properties(void)
{
    hid_t made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(made, 0);
    return made;
}

static bool write_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *shape,
                        hid_t memory, const void *values)
{
    hid_t space = H5Screate_simple(rank, shape, NULL), properties = dataset_properties();
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    bool written = set >= 0 && H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Dclose(set);
    H5Pclose(properties);
    H5Sclose(space);
    return written;
}

static bool write_attribute(hid_t of, const char *name, hid_t type, hid_t memory, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return written;
}

/* the cell in place i of an array whose first index is along x */
static size_t cell_at(const map_file *map, size_t i)
{
    size_t n = (size_t)map->grid.count;
    return i / n / n + n * (i / n % n + n * (i % n));
}

/* ---- our own -------------------------------------------------------------- */

static bool write_field(hid_t group, const map_file *map, map_field field)
{
    hsize_t n = (hsize_t)map->grid.count, shape[] = {n, n, n};
    bool real = map_field_type(field)[1] == 'f';
    double *values = allocate_or_exit(map_file_cells(map), sizeof *values);
    for (size_t i = 0; i < map_file_cells(map); i++)
        values[i] = map_file_value(map, cell_at(map, i), field);
    hid_t type = real ? H5T_IEEE_F32LE : field == MAP_REACHED ? H5T_STD_U16LE : H5T_STD_U32LE;
    bool written =
        write_array(group, map_field_name(field), type, 3, shape, H5T_NATIVE_DOUBLE, values);
    free(values);
    return written;
}

static bool write_bits(hid_t group, const map_file *map)
{
    size_t bytes = ((size_t)map->grid.orientations + 7) / 8;
    hsize_t n = (hsize_t)map->grid.count, shape[] = {n, n, n, (hsize_t)bytes};
    unsigned char *all = allocate_or_exit(map_file_cells(map), bytes);
    for (size_t i = 0; i < map_file_cells(map); i++)
        memcpy(all + i * bytes, map_file_bits(map, cell_at(map, i)), bytes);
    bool written =
        write_array(group, map_field_name(MAP_BITS), H5T_STD_U8LE, 4, shape, H5T_NATIVE_UCHAR, all);
    free(all);
    return written;
}

static bool write_own(hid_t file, const map_file *map)
{
    hid_t group = H5Gcreate2(file, "/Map", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, map->size);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    bool written =
        group >= 0 && write_attribute(group, "description", text, text, map->description);
    for (map_field f = 0; written && f < MAP_FIELDS; f++)
        if (map->has[f])
            written = f == MAP_BITS ? write_bits(group, map) : write_field(group, map, f);
    H5Tclose(text);
    H5Gclose(group);
    return written;
}

/* ---- Reuleaux's ----------------------------------------------------------- */

static size_t fill_spheres(const map_file *map, double *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < map_file_cells(map); i++) {
        double reached = map_file_value(map, i, MAP_REACHED);
        if (reached == 0 || !map_file_is_decided(map, i))
            continue;
        lb_vec3 center = map_file_center(map, i);
        double *row = rows + SPHERE * count++;
        row[0] = center.x;
        row[1] = center.y;
        row[2] = center.z;
        row[3] = 100 * reached / map->grid.orientations;
    }
    return count;
}

static bool write_spheres(hid_t file, const map_file *map)
{
    double *rows = allocate_or_exit(SPHERE * map_file_cells(map), sizeof *rows);
    float resolution = (float)map->grid.cell;
    hsize_t shape[] = {fill_spheres(map, rows), SPHERE};
    hid_t group = H5Gcreate2(file, "/Spheres", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool written = group >= 0 && write_array(group, "sphere_dataset", H5T_IEEE_F64LE, 2, shape,
                                             H5T_NATIVE_DOUBLE, rows);
    hid_t set = H5Dopen2(group, "sphere_dataset", H5P_DEFAULT);
    written = written &&
              write_attribute(set, "Resolution", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, &resolution);
    H5Dclose(set);
    H5Gclose(group);
    free(rows);
    return written;
}

/* Rows of poses on their way into the file. */
typedef struct pose_rows {
    hid_t set;
    float *rows; /* ROWS of POSE numbers */
    size_t used;
    hsize_t written;
    bool fine;
} pose_rows;

static void flush_poses(pose_rows *p)
{
    hsize_t from[] = {p->written, 0}, count[] = {p->used, POSE};
    hsize_t size[] = {p->written + p->used, POSE};
    if (p->used == 0 || !p->fine)
        return;
    p->fine = H5Dset_extent(p->set, size) >= 0;
    hid_t space = H5Dget_space(p->set), memory = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
    p->fine =
        p->fine && H5Dwrite(p->set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, p->rows) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    p->written += p->used;
    p->used = 0;
}

static void add_pose(pose_rows *p, lb_vec3 at, lb_quat q)
{
    const double row[POSE] = {at.x, at.y, at.z, at.x, at.y, at.z, q.x, q.y, q.z, q.w};
    for (int i = 0; i < POSE; i++)
        p->rows[POSE * p->used + (size_t)i] = (float)row[i];
    if (++p->used == ROWS)
        flush_poses(p);
}

static void add_cell(pose_rows *p, const map_file *map, size_t cell)
{
    const unsigned char *bits = map_file_bits(map, cell);
    int level = hopf_level(map->grid.orientations);
    for (int k = 0; map_file_is_decided(map, cell) && k < map->grid.orientations; k++)
        if ((bits[k / 8] >> k % 8 & 1) != 0)
            add_pose(p, map_file_center(map, cell), hopf_orientation(level, k));
}

/* a table that grows, compressed: most of its numbers are those of the row before */
static hid_t create_poses(hid_t group)
{
    hsize_t none[] = {0, POSE}, most[] = {H5S_UNLIMITED, POSE}, chunk[] = {ROWS, POSE};
    hid_t space = H5Screate_simple(2, none, most), properties = dataset_properties();
    H5Pset_chunk(properties, 2, chunk);
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 1);
    hid_t set = H5Dcreate2(group, "poses_dataset", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties,
                           H5P_DEFAULT);
    H5Pclose(properties);
    H5Sclose(space);
    return set;
}

static bool write_poses(hid_t file, const map_file *map)
{
    hid_t group = H5Gcreate2(file, "/Poses", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    pose_rows p = {.set = create_poses(group),
                   .rows = allocate_or_exit(ROWS * POSE, sizeof(float))};
    p.fine = p.set >= 0;
    for (size_t i = 0; i < map_file_cells(map); i++)
        add_cell(&p, map, i);
    flush_poses(&p);
    free(p.rows);
    H5Dclose(p.set);
    H5Gclose(group);
    return p.fine;
}

/* ---- the file ------------------------------------------------------------- */

static bool write_image(hid_t file, FILE *stream)
{
    ssize_t size = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(file, NULL, 0) : -1;
    if (size <= 0)
        return false;
    char *image = allocate_or_exit((size_t)size, 1);
    bool fine = H5Fget_file_image(file, image, (size_t)size) == size;
    if (fine)
        fwrite(image, 1, (size_t)size, stream);
    free(image);
    return fine;
}

bool map_write_h5(const map_file *map, FILE *stream)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t in_memory = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(in_memory, GROWTH, 0);
    hid_t file = H5Fcreate("map", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory);
    bool written = file >= 0 && write_own(file, map) && write_spheres(file, map) &&
                   (!map->has[MAP_BITS] || write_poses(file, map)) && write_image(file, stream);
    H5Fclose(file);
    H5Pclose(in_memory);
    if (!written)
        complain("the map cannot be written as HDF5: out of memory");
    else if (!map->has[MAP_BITS])
        remark("the map has no bits, so the file has no /Poses, which Reuleaux reads: --contents "
               "bits");
    return written;
}

#else

bool map_write_h5(const map_file *map, FILE *stream)
{
    (void)map;
    (void)stream;
    complain("limber was built without HDF5: write .npy or .vti, or build it where libhdf5-dev is "
             "installed");
    return false;
}

#endif
