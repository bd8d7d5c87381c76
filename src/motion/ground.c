/*
 * ground.c - the plane that figures stand on, and a slope by where feet have rested.
 *
 * The slope is that of z = a x + b y + c_k, with one c for what is equally high (heels, toes), by
 * least squares whose weights 1 / (1 + (r / s)^2)^2 leave out what rests elsewhere (Geman and
 * McClure 1985); s begins wide, so that the first weights leave out nothing, and narrows
 * (Blake and Zisserman 1987). Across a straight path feet say little: there the slope is held near
 * zero.
 *
 * Level ground is the usual case, so a slope must be proved: it explains nearly all rests, level
 * ground does not, and heights follow each other without a large gap, which a box or a chair has.
 */
#include "motion/ground.h"

#include "motion/rotation.h"

/* the cosine of 60 degrees: no foot rests on a steeper slope */
#define LEAST_UP 0.5
/* the square of what feet differ in height by themselves over that of usual slopes: 1 cm, 0.2 */
#define HELD_LEVEL 2.5e-3
/* metres: the first and last width of the weights, and what is on the plane */
#define WIDE 0.32
#define NARROW 0.02
#define ON_PLANE 0.03
enum { ROUNDS_AT_LAST = 10, FEWEST = 6 };
/* what proves a slope: 2 degrees at least, metres that rests differ in height, the share of them
   that are on it and that level ground may explain, the largest gap over the whole difference */
#define LEAST_SLOPE 0.035
#define LEAST_RISE 0.12
#define EXPLAINED 0.85
#define LEVEL_EXPLAINED 0.7
#define LARGEST_GAP 0.35

/* ---- planes --------------------------------------------------------------- */

const char *ground_wrong(double height, lb_vec3 normal)
{
    // a normal of length 0 says level
    double up = lb_vec3_normalize(normal, lb_vec3_make(0, 0, 1)).z;
    if (!isfinite(height))
        return "the ground must be finite";
    if (!lb_vec3_is_finite(normal))
        return "the ground's normal must be finite";
    if (!(up >= LEAST_UP))
        return "the ground's normal must be at most 60 degrees from z";
    return NULL;
}

ground_plane ground_make(double height, lb_vec3 normal)
{
    lb_vec3 up = lb_vec3_make(0, 0, 1);
    return (ground_plane){.height = height, .normal = lb_vec3_normalize(normal, up)};
}

bool ground_is_level(const ground_plane *ground)
{
    return ground->normal.x == 0 && ground->normal.y == 0;
}

double ground_distance(const ground_plane *ground, lb_vec3 p)
{
    p.z -= ground->height;
    return lb_vec3_dot(ground->normal, p);
}

double ground_rise(const ground_plane *ground, lb_vec3 p)
{
    p.z = 0;
    return -lb_vec3_dot(ground->normal, p) / ground->normal.z;
}

lb_vec3 ground_along(const ground_plane *ground, lb_vec3 v)
{
    return lb_vec3_sub(v, lb_vec3_scale(ground->normal, lb_vec3_dot(ground->normal, v)));
}

lb_quat ground_tilt(const ground_plane *ground)
{
    return rotation_smallest(lb_vec3_make(0, 0, 1), ground->normal);
}

/* ---- slopes --------------------------------------------------------------- */

/* z = a x + b y + c of the kind */
typedef struct slope {
    double a, b, c[GROUND_KINDS];
} slope;

static double residual(const slope *s, const ground_rest *rest)
{
    return rest->at.z - s->a * rest->at.x - s->b * rest->at.y - s->c[rest->kind];
}

static double weight_of(const slope *s, const ground_rest *rest, double width)
{
    double r = residual(s, rest) / width, w = 1 / (1 + r * r);
    return w * w;
}

/* weighted means of each kind, the weights in w; true weights are positive */
static void find_means(const slope *s, const ground_rest *rests, int count, double width,
                       lb_vec3 means[GROUND_KINDS])
{
    double sums[GROUND_KINDS] = {0};
    for (int k = 0; k < GROUND_KINDS; k++)
        means[k] = lb_vec3_make(0, 0, 0);
    for (int i = 0; i < count; i++) {
        int kind = rests[i].kind;
        double w = weight_of(s, &rests[i], width);
        means[kind] = lb_vec3_add(means[kind], lb_vec3_scale(rests[i].at, w));
        sums[kind] += w;
    }
    for (int k = 0; k < GROUND_KINDS; k++)
        if (sums[k] > 0)
            means[k] = lb_vec3_scale(means[k], 1 / sums[k]);
}

/* one round of weighted least squares; a level one keeps a and b */
static slope improve(const slope *s, const ground_rest *rests, int count, double width, bool level)
{
    lb_vec3 means[GROUND_KINDS];
    find_means(s, rests, count, width, means);
    double xx = HELD_LEVEL * count, yy = xx, xy = 0, xz = 0, yz = 0;
    for (int i = 0; i < count; i++) {
        double w = weight_of(s, &rests[i], width);
        lb_vec3 d = lb_vec3_sub(rests[i].at, means[rests[i].kind]);
        xx += w * d.x * d.x, yy += w * d.y * d.y, xy += w * d.x * d.y;
        xz += w * d.x * d.z, yz += w * d.y * d.z;
    }
    double det = xx * yy - xy * xy;
    slope next = {.a = level ? 0 : (xz * yy - yz * xy) / det,
                  .b = level ? 0 : (yz * xx - xz * xy) / det};
    for (int k = 0; k < GROUND_KINDS; k++)
        next.c[k] = means[k].z - next.a * means[k].x - next.b * means[k].y;
    return next;
}

/* the share of rests that a robust fit explains */
static double fit(const ground_rest *rests, int count, bool level, slope *s)
{
    *s = (slope){.a = 0};
    // without weights first
    *s = improve(s, rests, count, INFINITY, level);
    for (double width = WIDE; width > NARROW; width *= 0.5)
        *s = improve(s, rests, count, width, level);
    for (int i = 0; i < ROUNDS_AT_LAST; i++)
        *s = improve(s, rests, count, NARROW, level);
    int on = 0;
    for (int i = 0; i < count; i++)
        on += fabs(residual(s, &rests[i])) < ON_PLANE;
    return (double)on / count;
}

static double rise_of(const slope *s, const ground_rest *rest)
{
    return s->a * rest->at.x + s->b * rest->at.y;
}

/* the smallest rise above one that a rest on the plane has, INFINITY: none is above */
static double next_rise(const slope *s, const ground_rest *rests, int count, double above)
{
    double next = INFINITY;
    for (int i = 0; i < count; i++) {
        double rise = rise_of(s, &rests[i]);
        if (rise > above && fabs(residual(s, &rests[i])) < ON_PLANE)
            next = fmin(next, rise);
    }
    return next;
}

/* whether rests go up the slope step by step */
static bool is_climbed(const slope *s, const ground_rest *rests, int count)
{
    double first = next_rise(s, rests, count, -INFINITY), last = first, gap = 0;
    for (double next = first; isfinite(next); next = next_rise(s, rests, count, last)) {
        gap = fmax(gap, next - last);
        last = next;
    }
    return last - first > LEAST_RISE && gap < LARGEST_GAP * (last - first);
}

lb_vec3 ground_fit(const ground_rest *rests, int count)
{
    slope s, level;
    lb_vec3 up = lb_vec3_make(0, 0, 1);
    if (count < FEWEST || fit(rests, count, true, &level) > LEVEL_EXPLAINED ||
        fit(rests, count, false, &s) < EXPLAINED)
        return up;
    lb_vec3 normal = lb_vec3_normalize(lb_vec3_make(-s.a, -s.b, 1), up);
    bool steep = sqrt(s.a * s.a + s.b * s.b) >= LEAST_SLOPE && normal.z >= LEAST_UP;
    return steep && is_climbed(&s, rests, count) ? normal : up;
}
