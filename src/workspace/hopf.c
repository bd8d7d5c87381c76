/* hopf.c - the Hopf coordinates of evenly spread rotations. */
#include "workspace/orientation.h"

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
