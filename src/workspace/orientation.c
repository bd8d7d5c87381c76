/*
 * orientation.c - cells of orientations, all equally likely for a random rotation.
 *
 * An orientation in space is the direction of the z axis and the roll about it. Bands of equal
 * height have equal areas on the sphere (Archimedes), and the roll is measured from a reference
 * that depends only on the direction, so all cells have the same size.
 */
#include "workspace/orientation.h"

orientation_cells orientation_divide(bool planar, double angle)
{
    int sectors = (int)floor(2 * LB_PI / angle + 0.5);
    sectors = sectors < 2 ? 2 : sectors;
    int bands = planar ? 1 : (sectors + 1) / 2;
    return (orientation_cells){.planar = planar,
                               .sectors = sectors,
                               .bands = bands,
                               .count = planar ? sectors : sectors * bands * sectors};
}

/* which of n equal parts of a whole turn an angle in [-pi, pi] lies in */
static int sector(double angle, int n)
{
    int i = (int)floor((angle + LB_PI) / (2 * LB_PI) * n);
    return i < n ? i : 0;
}

/* in a plane: the angle of an axis that lies rather in it than along its normal */
static double heading(const lb_transform *axes)
{
    lb_vec3 axis = fabs(axes->x.z) < 0.9 ? axes->x : axes->y;
    return lb_atan2(axis.y, axis.x);
}

/* the middle of a sector */
static double middle(int sector, int n)
{
    return (sector + 0.5) / n * 2 * LB_PI - LB_PI;
}

int orientation_cell(const orientation_cells *cells, const lb_transform *axes)
{
    if (cells->planar) {
        return sector(heading(axes), cells->sectors);
    }
    lb_vec3 d = axes->z;
    int band = (int)floor((d.z + 1) / 2 * cells->bands);
    band = band < 0 ? 0 : band < cells->bands ? band : cells->bands - 1;
    int azimuth = sector(lb_atan2(d.y, d.x), cells->sectors);

    // the roll of the x axis, from the meridian's tangent
    lb_vec3 east = lb_vec3_normalize(lb_vec3_make(-d.y, d.x, 0), lb_vec3_make(0, 1, 0));
    lb_vec3 south = lb_vec3_cross(east, d);
    int roll =
        sector(lb_atan2(lb_vec3_dot(axes->x, east), lb_vec3_dot(axes->x, south)), cells->sectors);
    return (band * cells->sectors + azimuth) * cells->sectors + roll;
}

lb_transform orientation_center(const orientation_cells *cells, int cell, const lb_transform *rest)
{
    int roll = cell % cells->sectors, azimuth = cell / cells->sectors % cells->sectors;
    int band = cell / cells->sectors / cells->sectors;
    double s, c, sine, cosine;
    if (cells->planar) {
        lb_vec3 up = lb_vec3_make(0, 0, 1);
        double turn = middle(cell, cells->sectors) - heading(rest);
        lb_quat q = lb_quat_multiply(lb_quat_from_axis_angle(up, turn), lb_transform_quat(rest));
        return lb_transform_from_quat(q, lb_vec3_make(0, 0, 0));
    }
    lb_sincos(middle(azimuth, cells->sectors), &s, &c);
    lb_sincos(middle(roll, cells->sectors), &sine, &cosine);
    double height = -1 + 2 * (band + 0.5) / cells->bands, radius = sqrt(1 - height * height);
    lb_vec3 z = lb_vec3_make(radius * c, radius * s, height), east = lb_vec3_make(-s, c, 0);
    lb_vec3 south = lb_vec3_cross(east, z);
    lb_vec3 x = lb_vec3_add(lb_vec3_scale(south, cosine), lb_vec3_scale(east, sine));
    return (lb_transform){x, lb_vec3_cross(z, x), z, {0, 0, 0}};
}

/* ---- Hopf ------------------------------------------------------------------ */

/* the Hopf coordinates of evenly spread rotations */

/* 12 * 4^level points of the sphere times 6 * 2^level angles about each */
enum { POINTS = 12, ANGLES = 6, LEVELS = 3 };

int hopf_level(int orientations)
{
    for (int level = 0; level < LEVELS; level++)
        if (orientations == POINTS * ANGLES << 3 * level)
            return level;
    return -1;
}

/* A point of the sphere by its height and its azimuth. */
typedef struct sphere_point {
    double z, azimuth;
} sphere_point;

/* ring i of a polar cap, counted from the pole, has 4 i points */
static sphere_point cap_point(int sides, int index)
{
    int ring = 1;
    while (2 * ring * (ring + 1) <= index)
        ring++;
    int place = index - 2 * ring * (ring - 1);
    return (sphere_point){1 - (double)(ring * ring) / (3.0 * sides * sides),
                          LB_PI / 2 * (place + 0.5) / ring};
}

/* each ring of the belt has 4 * sides points, every other ring turned by half a step */
static sphere_point belt_point(int sides, int index)
{
    int ring = index / (4 * sides), place = index % (4 * sides);
    double shift = ring % 2 == 0 ? 0.5 : 0;
    return (sphere_point){2.0 / 3 * (sides - ring) / sides, LB_PI / 2 * (place + shift) / sides};
}

/* HEALPix with `sides` divisions of the side of a base pixel, in the order of its rings */
static sphere_point point_of(int sides, int index)
{
    int count = POINTS * sides * sides, cap = 2 * sides * (sides - 1);
    if (index < cap)
        return cap_point(sides, index);
    if (index < count - cap)
        return belt_point(sides, index - cap);
    sphere_point mirrored = cap_point(sides, count - 1 - index);
    return (sphere_point){-mirrored.z, mirrored.azimuth};
}

lb_quat hopf_orientation(int level, int k)
{
    int angles = ANGLES << level;
    sphere_point point = point_of(1 << level, k / angles);
    double turn = LB_PI * (k % angles + 0.5) / angles; // half of the angle about the point
    double c = sqrt((1 + point.z) / 2), s = sqrt((1 - point.z) / 2);
    lb_quat q = {lb_product(c, lb_cos(turn)), lb_product(s, lb_cos(point.azimuth + turn)),
                 lb_product(s, lb_sin(point.azimuth + turn)), lb_product(c, lb_sin(turn))};
    return lb_quat_normalize(q);
}
