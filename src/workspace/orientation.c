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
