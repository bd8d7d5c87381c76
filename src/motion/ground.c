/*
 * ground.c - the plane that figures stand on, and a slope by where feet have rested.
 *
 * The slope is that of z = a x + b y + c_k, with one c for what is equally high (heels, toes), by
 * least squares whose weights 1 / (1 + (r / s)^2)^2 leave out what rests elsewhere (Geman and
 * McClure 1985); s begins wide, so that the first weights leave out nothing, and narrows
 * (Blake and Zisserman 1987).
 *
 * Level ground is the usual case, so a slope must be proved, along each of the two principal
 * directions of where feet rested by itself. Where they are far apart: it explains nearly all
 * rests, without it they are not explained, and heights follow each other without a large gap,
 * which a box or a chair has. Across a straight path there are two rows of rests, of the left and
 * of the right foot: their heights must differ by more than feet do by themselves, and by less than
 * a curb, with little noise.
 */
#include "motion/ground.h"

#include "motion/rotation.h"

/* the cosine of 60 degrees: no foot rests on a steeper slope */
#define LEAST_UP 0.5
/* metres: the first and last width of the weights, and what is on the plane */
#define WIDE 0.32
#define NARROW 0.02
#define ON_PLANE 0.03
enum { ROUNDS_AT_LAST = 10, FEWEST = 6 };
/* what proves a slope: 2 degrees at least, metres that rests differ in height, the share of them
   that are on it and that ground without it may explain, the largest gap over the whole difference
 */
#define LEAST_SLOPE 0.035
#define LEAST_RISE 0.12
#define EXPLAINED 0.85
#define LEVEL_EXPLAINED 0.7
#define LARGEST_GAP 0.35
/* metres: rests that are not farther apart are of two feet side by side. Their heights must differ
   by so much, which feet on level ground do not, and by less than a curb is high; and so many times
   as much as the mean's noise. Rests that are nearer to each other than feet are of one foot, whose
   heel rose */
#define SIDE_BY_SIDE 0.6
#define SIDES_APART 0.12
#define SIDES_RISE 0.025
#define CURB 0.1
#define SURE 6

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

/* Where things rested, and two horizontal directions: they are far apart along the first one. */
typedef struct rest_list {
    const ground_rest *rests;
    int count;
    lb_vec3 axes[2];
    double spread[2]; /* metres along them: twice the root mean square */
} rest_list;

/* Which of the directions the ground may slope along. */
typedef enum slope_along {
    ALONG_NONE = 0,
    ALONG_FIRST = 1,
    ALONG_SECOND = 2,
    ALONG_BOTH = 3
} slope_along;

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

/* one round of weighted least squares; numbers of the normal equations are along the axes */
static slope improve(const slope *s, const rest_list *list, double width, slope_along along)
{
    lb_vec3 means[GROUND_KINDS], gradient = {0, 0, 0};
    find_means(s, list->rests, list->count, width, means);
    double uu = 0, vv = 0, uv = 0, uz = 0, vz = 0;
    for (int i = 0; i < list->count; i++) {
        double w = weight_of(s, &list->rests[i], width);
        lb_vec3 d = lb_vec3_sub(list->rests[i].at, means[list->rests[i].kind]);
        double u = lb_vec3_dot(d, list->axes[0]), v = lb_vec3_dot(d, list->axes[1]);
        uu += w * u * u, vv += w * v * v, uv += w * u * v;
        uz += w * u * d.z, vz += w * v * d.z;
    }
    double det = uu * vv - uv * uv;
    if (along == ALONG_BOTH && det > 0)
        gradient = lb_vec3_add(lb_vec3_scale(list->axes[0], (uz * vv - vz * uv) / det),
                               lb_vec3_scale(list->axes[1], (vz * uu - uz * uv) / det));
    else if ((along & ALONG_FIRST) != 0 && uu > 0)
        gradient = lb_vec3_scale(list->axes[0], uz / uu);
    else if (along == ALONG_SECOND && vv > 0)
        gradient = lb_vec3_scale(list->axes[1], vz / vv);
    slope next = {.a = gradient.x, .b = gradient.y};
    for (int k = 0; k < GROUND_KINDS; k++)
        next.c[k] = means[k].z - next.a * means[k].x - next.b * means[k].y;
    return next;
}

/* the share of rests that a robust fit explains */
static double fit(const rest_list *list, slope_along along, slope *s)
{
    *s = (slope){.a = 0};
    // without weights first
    *s = improve(s, list, INFINITY, along);
    for (double width = WIDE; width > NARROW; width *= 0.5)
        *s = improve(s, list, width, along);
    for (int i = 0; i < ROUNDS_AT_LAST; i++)
        *s = improve(s, list, NARROW, along);
    int on = 0;
    for (int i = 0; i < list->count; i++)
        on += fabs(residual(s, &list->rests[i])) < ON_PLANE;
    return (double)on / list->count;
}

static double slope_along_axis(const slope *s, const rest_list *list, int axis)
{
    return lb_vec3_dot(lb_vec3_make(s->a, s->b, 0), list->axes[axis]);
}

/* Rises within some limits. */
typedef struct rise_range {
    double least, most; /* least above most: none */
} rise_range;

/* how far up a gradient the rests on the plane are, of those above `from` and not above `to` */
static rise_range find_rises(const slope *s, const rest_list *list, lb_vec3 gradient, double from,
                             double to)
{
    rise_range found = {INFINITY, -INFINITY};
    for (int i = 0; i < list->count; i++) {
        double rise = lb_vec3_dot(list->rests[i].at, gradient);
        if (rise > from && rise <= to && fabs(residual(s, &list->rests[i])) < ON_PLANE)
            found = (rise_range){fmin(found.least, rise), fmax(found.most, rise)};
    }
    return found;
}

/*
 * The largest gap between rises that follow each other, or less than a third of them all: only such
 * a gap leaves one of three equal parts, and it is from the last rise of a part to the first one of
 * the next that has any.
 */
static double largest_gap(const slope *s, const rest_list *list, lb_vec3 gradient, rise_range all)
{
    enum { PARTS = 3 };
    double gap = 0, last = all.least, from = -INFINITY;
    for (int i = 0; i < PARTS; i++) {
        double to = i < PARTS - 1 ? all.least + (i + 1) * (all.most - all.least) / PARTS : all.most;
        rise_range part = find_rises(s, list, gradient, from, to);
        from = to;
        if (part.least > part.most)
            continue;
        gap = fmax(gap, part.least - last);
        last = part.most;
    }
    return gap;
}

/* whether rests go up a slope, or a part of it, step by step */
static bool is_climbed(const slope *s, const rest_list *list, lb_vec3 gradient)
{
    rise_range all = find_rises(s, list, gradient, -INFINITY, INFINITY);
    double rise = all.most - all.least;
    return lb_vec3_length(gradient) >= LEAST_SLOPE && rise > LEAST_RISE &&
           largest_gap(s, list, gradient, all) < LARGEST_GAP * rise;
}

/* whether the rests of both sides differ in height as on a slope */
static bool is_between_sides(const slope *s, const rest_list *list)
{
    double steep = fabs(slope_along_axis(s, list, 1)), sum = 0, weights = 0;
    for (int i = 0; i < list->count; i++) {
        double w = weight_of(s, &list->rests[i], NARROW), r = residual(s, &list->rests[i]);
        sum += w * r * r;
        weights += w;
    }
    double noise = 2 * sqrt(sum / (weights * list->count)), rise = steep * list->spread[1];
    return list->spread[1] >= SIDES_APART && steep >= LEAST_SLOPE && rise > SIDES_RISE &&
           rise > SURE * noise && rise < CURB;
}

/* what is proved by feet that are far apart in both directions: all of the slope or nothing */
static slope_along prove_wide(const slope *s, const rest_list *list)
{
    slope level;
    bool needed = fit(list, ALONG_NONE, &level) <= LEVEL_EXPLAINED;
    return needed && is_climbed(s, list, lb_vec3_make(s->a, s->b, 0)) ? ALONG_BOTH : ALONG_NONE;
}

/* what is proved by a straight path: along it, across it, both or nothing */
static slope_along prove_path(const slope *s, const rest_list *list)
{
    slope other;
    bool needed = fit(list, ALONG_SECOND, &other) <= LEVEL_EXPLAINED;
    lb_vec3 gradient = lb_vec3_scale(list->axes[0], slope_along_axis(s, list, 0));
    bool along = needed && is_climbed(s, list, gradient);
    if (is_between_sides(s, list))
        return along ? ALONG_BOTH : ALONG_SECOND;
    return along ? ALONG_FIRST : ALONG_NONE;
}

/* the principal directions of where things rested; they need not be level to be horizontal */
static void find_axes(rest_list *list)
{
    const slope level = {.a = 0};
    lb_vec3 means[GROUND_KINDS];
    find_means(&level, list->rests, list->count, INFINITY, means);
    double xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < list->count; i++) {
        lb_vec3 d = lb_vec3_sub(list->rests[i].at, means[list->rests[i].kind]);
        xx += d.x * d.x, yy += d.y * d.y, xy += d.x * d.y;
    }
    double half = 0.5 * lb_atan2(2 * xy, xx - yy), c = lb_cos(half), n = lb_sin(half);
    list->axes[0] = lb_vec3_make(c, n, 0);
    list->axes[1] = lb_vec3_make(-n, c, 0);
    double mean = 0.5 * (xx + yy), more = sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
    list->spread[0] = 2 * sqrt((mean + more) / list->count);
    list->spread[1] = 2 * sqrt(fmax(0, mean - more) / list->count);
}

ground_slope ground_fit(const ground_rest *rests, int count)
{
    rest_list list = {.rests = rests, .count = count};
    slope s;
    ground_slope found = {.normal = {0, 0, 1}, .unseen = INFINITY};
    if (count < FEWEST)
        return found;
    find_axes(&list);
    bool wide = list.spread[1] >= SIDE_BY_SIDE;
    double least = wide ? LEAST_RISE : SIDES_RISE;
    if (list.spread[1] >= SIDES_APART)
        found.unseen = fmax(LEAST_SLOPE, least / list.spread[1]);
    if (fit(&list, ALONG_BOTH, &s) < EXPLAINED)
        return found;
    slope_along along = wide ? prove_wide(&s, &list) : prove_path(&s, &list);
    slope part;
    // what is not proved is left out unless rests need it, and then it must be no curb
    if (fit(&list, along, &part) >= EXPLAINED)
        s = part;
    else if (!wide && fabs(slope_along_axis(&s, &list, 1)) * list.spread[1] > CURB)
        return found;
    lb_vec3 normal = lb_vec3_normalize(lb_vec3_make(-s.a, -s.b, 1), found.normal);
    if (along != ALONG_NONE && normal.z >= LEAST_UP)
        found.normal = normal;
    return found;
}
