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

int orientation_cell(const orientation_cells *cells, const lb_transform *axes)
{
    if (cells->planar) {
        // of an axis that is rather in the plane than along its normal
        lb_vec3 hand = fabs(axes->x.z) < 0.9 ? axes->x : axes->y;
        return sector(lb_atan2(hand.y, hand.x), cells->sectors);
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
