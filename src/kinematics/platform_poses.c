/*
 * platform_poses.c - all poses of a body that six legs of given lengths hold.
 *
 * The equations are those of kernel_platform (track.h). A platform without real poses is the start;
 * its 40 roots were found by monodromy: loops in the space of platforms lead from one root to the
 * others. It is made as large as the wanted one and multiplied by a random complex number of size
 * 1, which is a platform, too: the line from there to the wanted platform then meets no platform
 * with a double root, except by chance (Morgan and Sommese 1989).
 */
#include "kinematics/planar.h"
#include "kinematics/roots.h"

/* ---- the start ------------------------------------------------------------------ */

/* of each leg but the first the difference and sum of its ends and its square, in tenths */
static const int start_legs[PLATFORM_LEGS][PLATFORM_TERMS] = {{-4, 0, -5, -1, -3, -3, 9},
                                                              {5, 3, -6, -1, -9, -3, 10},
                                                              {4, 4, -9, 6, 4, 6, -9},
                                                              {7, 8, -2, -4, 7, -6, 8},
                                                              {-1, 9, -5, -8, -7, 7, 8}};
static const double start_square = 1.8;

/* every second of its roots, whose conjugates are the others: real and imaginary parts of e_1 e_2
   e_3 and of g_1 g_2 g_3, with e_0 = 1, in 1e-4. Newton's first steps do the rest */
static const int start_roots[PLATFORM_PATHS / 2][12] = {
    {2857, 566, 4667, 5521, -1244, 8861, 217, -7270, 6675, -1987, 17944, 1167},
    {-10372, -9011, 272, 6992, 2674, -8368, 5392, -10213, -12372, -7815, 15272, 1259},
    {-1713, -2818, -8842, -1159, 1775, 5000, 3883, -2026, -10918, -3237, -10220, -3321},
    {-1222, 18038, 12015, 7598, 8082, -2483, 16799, 151, -1993, -19766, -5556, -8898},
    {4158, 339, 4618, 16817, -13540, -3001, -7044, -8085, 15168, 4244, 6625, 15366},
    {959, 13143, 1328, 1221, -1266, -5050, -13193, -1361, -7296, 2570, 5446, -1644},
    {-9674, 28304, 17452, -10830, 22979, 21168, -41853, -7008, 10340, 33423, -16886, 39763},
    {16194, 16555, -8953, -2817, -12916, 20428, 22041, -27224, -12532, 16906, 37077, 27211},
    {8727, 11220, -2657, -5901, -13542, 8236, -17955, 6353, 1447, -4509, -6717, -9618},
    {-3340, -1351, 23, -9040, 105, 2207, 5, -7757, 14000, 1508, 2078, -2229},
    {-77882, 535, -112410, -18835, -55362, 100634, -19915, 42900, -81836, 135484, 187592, 27085},
    {508, -6848, -1664, -1906, 115, 4304, 9682, 2228, -2561, 800, -5854, -1330},
    {2098, -7759, -1896, 3412, 2378, -3748, -11726, 1039, 5175, -783, -1206, -4562},
    {-60811, -117904, -108993, 150289, 40387, -12930, 149034, -195270, -80146, -152102, 9918,
     20456},
    {-13760, -7442, 13196, 13850, 10672, -4536, -5924, -13289, -25325, -2894, 17979, 6957},
    {-2078, -5930, 7604, -15676, -13058, -14123, -4654, -572, -22104, -18388, -11392, 18706},
    {47227, -5084, 11525, 39451, 8249, 5443, 7906, 55563, -68388, 2303, 3098, -7785},
    {-1130, -2137, -1717, -11235, -3729, 1934, -3994, 3129, -17657, 4871, 10228, -55},
    {1322, 7104, 9744, -13597, 21329, 3867, 1266, -7567, -31797, -4487, 9060, -14510},
    {-5833, -11642, 8047, -6996, 5644, 3250, -19369, 7473, -21827, -5853, 6665, -7828},
};

/* A platform, as shares of its size. */
typedef struct platform_system {
    kernel_complex legs[PLATFORM_LEGS][PLATFORM_TERMS], square;
} platform_system;

static void set_start(const platform_system *s, planar_point scale, kernel_platform *from)
{
    planar_point squared = point_times(scale, scale);
    for (int l = 0; l < PLATFORM_LEGS; l++)
        for (int i = 0; i < PLATFORM_TERMS; i++) {
            planar_point start = point_scaled(i < 6 ? scale : squared, 0.1 * start_legs[l][i]);
            from->start[l][i] = start;
            from->rise[l][i] = point_less(s->legs[l][i], start);
        }
    from->start_square = point_scaled(squared, start_square);
    from->rise_square = point_less(s->square, from->start_square);
}

/* a start's root in its chart */
static void set_root(const kernel_platform *from, planar_point scale, int i, planar_point *at)
{
    const int *row = start_roots[i / 2];
    planar_point constant = {1, 0}, first = {0, 0};
    for (int k = 0; k < 6; k++) {
        planar_point z = {1e-4 * row[2 * k], 1e-4 * (i % 2 ? -row[2 * k + 1] : row[2 * k + 1])};
        at[k < 3 ? k : k + 1] = k < 3 ? z : point_times(z, scale);
    }
    for (int k = 0; k < 3; k++) {
        constant = point_sum(constant, point_times(from->chart[k], at[k]));
        first = point_less(first, point_times(at[k], at[4 + k]));
    }
    at[3] = first;
    planar_point over = point_scaled(point_mirror(constant), 1 / point_square(constant));
    for (int k = 0; k < PLATFORM_UNKNOWNS; k++)
        at[k] = point_times(at[k], over);
}

/* ---- poses ------------------------------------------------------------------------ */

/* a path's end as columns of a rotation and a place, as which roots are told apart; where e.e is
   zero it is no pose, but as far away as infinity */
static void set_pose(const kernel_platform *from, kernel_path *path)
{
    const double least = 1e-6;
    planar_point e[4] = {{1, 0}}, g[4], over[4], square = {0, 0}, *out = path->at;
    double size = 0;
    for (int i = 0; i < 4; i++) {
        g[i] = path->at[3 + i];
        if (i > 0) {
            e[i] = path->at[i - 1];
            e[0] = point_less(e[0], point_times(from->chart[i - 1], e[i]));
        }
    }
    for (int i = 0; i < 4; i++) {
        square = point_sum(square, point_times(e[i], e[i]));
        size += point_square(e[i]);
    }
    if (!(point_square(square) > least * least * size * size)) {
        square = (planar_point){least * size, 0};
        path->end = path->end == PATH_ARRIVED ? PATH_SINGULAR : path->end;
    }
    square = point_scaled(point_mirror(square), 1 / point_square(square));
    for (int i = 0; i < 4; i++)
        over[i] = point_times(e[i], square);
    for (int i = 0; i < 3; i++) {
        int a = 1 + i, b = 1 + (i + 1) % 3, c = 1 + (i + 2) % 3;
        planar_point mixed = point_scaled(point_times(e[a], over[b]), 2);
        planar_point turned = point_scaled(point_times(e[0], over[c]), 2);
        planar_point diagonal = point_sum(point_times(e[0], over[0]), point_times(e[a], over[a]));
        out[4 * i] = point_less(point_scaled(diagonal, 2), (planar_point){1, 0});
        out[3 * i + b - 1] = point_sum(mixed, turned);
        out[3 * (b - 1) + i] = point_less(mixed, turned);
        planar_point place = point_less(point_times(g[a], over[0]), point_times(g[0], over[a]));
        place = point_less(place, point_times(g[b], over[c]));
        out[9 + i] = point_sum(place, point_times(g[c], over[b]));
    }
}

/* the ends of the paths from a start, as poses */
static int track_legs(const void *equations, int pass, const kernel_care *care, lb_random *random,
                      kernel_path *paths)
{
    kernel_platform from;
    planar_point scale;
    (void)pass;
    lb_sincos(lb_random_between(random, -LB_PI, LB_PI), &scale.y, &scale.x);
    for (int i = 0; i < 3; i++)
        from.chart[i] = root_draw(random);
    set_start(equations, scale, &from);
    for (int i = 0; i < PLATFORM_PATHS; i++)
        set_root(&from, scale, i, paths[i].at);
    kernel_choose_track(0)->platform(&from, care, paths, PLATFORM_PATHS);
    for (int i = 0; i < PLATFORM_PATHS; i++)
        set_pose(&from, &paths[i]);
    return PLATFORM_PATHS;
}

/* the equations, with the first leg's ends as origins; returns the size */
static double set_legs(lb_vec3 (*ends)[2], const double *lengths, platform_system *s)
{
    double size = 0, first = lengths[0], longest = first;
    for (int l = 0; l < PLATFORM_LEGS; l++) {
        lb_vec3 base = lb_vec3_sub(ends[l + 1][0], ends[0][0]);
        lb_vec3 top = lb_vec3_sub(ends[l + 1][1], ends[0][1]), sum = lb_vec3_add(top, base);
        lb_vec3 less = lb_vec3_sub(top, base);
        double more = lengths[l + 1] - first;
        double row[PLATFORM_TERMS] = {
            less.x, less.y, less.z, sum.x, sum.y, sum.z, more * (more + 2 * first)};
        for (int i = 0; i < PLATFORM_TERMS; i++)
            s->legs[l][i] = (planar_point){row[i], 0};
        size += lb_vec3_dot(less, less) + lb_vec3_dot(sum, sum);
        longest = fmax(longest, lengths[l + 1]);
    }
    // as large as the start; and places are far nearer than what counts as infinity
    size = fmax(sqrt(size / (6 * PLATFORM_LEGS)) / 0.58, longest / 20);
    for (int l = 0; l < PLATFORM_LEGS; l++)
        for (int i = 0; i < PLATFORM_TERMS; i++)
            s->legs[l][i] = point_scaled(s->legs[l][i], i < 6 ? 1 / size : 1 / (size * size));
    s->square = (planar_point){first * first / (size * size), 0};
    return size;
}

int platform_poses(const platform_leg *legs, lb_transform motions[TRACK_PATHS], bool *certain)
{
    platform_system s;
    root_list list;
    lb_vec3 ends[PLATFORM_LEGS + 1][2];
    double lengths[PLATFORM_LEGS + 1];
    for (int l = 0; l <= PLATFORM_LEGS; l++) {
        ends[l][legs[l].hub != 0] = legs[l].center;
        ends[l][legs[l].hub == 0] = legs[l].target;
        lengths[l] = lb_vec3_length(lb_vec3_sub(legs[l].end, legs[l].center));
    }
    double size = set_legs(ends, lengths, &s);
    const root_system system = {&s, TRACK_NUMBERS, 0, track_legs};
    int found = 0;
    *certain = size > 0 && roots_find(&system, &list) && *certain;
    for (int i = 0; size > 0 && i < list.count; i++) {
        const kernel_complex *at = list.at[i].at;
        if (!root_is_real(&system, &list.at[i]))
            continue;
        lb_transform *t = &motions[found++];
        *t = (lb_transform){{at[0].x, at[1].x, at[2].x},
                            {at[3].x, at[4].x, at[5].x},
                            {at[6].x, at[7].x, at[8].x},
                            {at[9].x * size, at[10].x * size, at[11].x * size}};
        lb_vec3 moved = lb_transform_direction(t, ends[0][1]);
        t->p = lb_vec3_add(t->p, lb_vec3_sub(ends[0][0], moved));
    }
    return found;
}
