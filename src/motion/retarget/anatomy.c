/*
 * anatomy.c - how the links of a figure lie in its body, found from its motion.
 *
 * Each role has an anatomical frame in its link's axes: x forward, y left, z up; of a limb z
 * against the bone, and y the axis about which knees bend and against which elbows do. Frames are
 * means over the clip of directions between joints, seen from the link: other axes of a link turn
 * its frame along with them, and neither the zero pose nor gravity has a say but under the feet.
 *
 * No key decides by itself: what is chosen (a foot that lies flat, the axis of a bend) is a smooth
 * weight, so that rounding does not move a frame.
 *
 * Means of rotations: F. L. Markley et al., "Averaging quaternions", J. Guidance 30(4), 2007; axes
 * of hinges from motion: T. Seel et al., "IMU-based joint angle measurement", Sensors 14, 2014.
 */
#include "motion/retarget/figure.h"

#include "math/scalar.h"
#include "motion/rotation.h"

#include <limber/fk_batch.h>

/* so many times at most are looked at, and as many for each key and a second, over each of which
   speeds are measured */
enum { MOST_TIMES = 600, EACH_KEY = 4 };
#define RATE 30.0
/* a straight limb counts as one bent by this sine about the axis that it has by swinging, and so
   much decides to which side it bends */
#define STRAIGHT_BEND 0.03
#define STRAIGHT_SIDE 0.05
/* a foot is flat while it is this low (lengths of the leg), this slow (lengths a second) and below
   a shank within 60 degrees from upright; a part of the keys is below the height that is low */
#define FLAT_HEIGHT 0.03
#define FLAT_SPEED 0.25
#define LOW_SHARE 0.05
/* so many keys in which a foot stands across its shank count beside those in which it lies flat */
#define ACROSS_SHANK 0.1
/* lengths of the leg from ankle to toes */
#define TOES 0.25
/* radians that a foot's bone may rise from its sole; steeper ones do not say where forward is */
#define STEEP_FOOT 1.3
/* the least weight of a key; the least length of a leg, metres */
#define LEAST 1e-3
#define TINY 1e-12

/* A direction in the world at a time. */
typedef lb_vec3 direction(const retarget_anatomy *a, lb_role role, int time);

/* ---- frames --------------------------------------------------------------- */

static lb_vec3 unit(lb_vec3 v)
{
    return lb_vec3_normalize(v, lb_vec3_make(0, 0, 0));
}

/* v without its part along the unit vector u */
static lb_vec3 across(lb_vec3 v, lb_vec3 u)
{
    return lb_vec3_sub(v, lb_vec3_scale(u, lb_vec3_dot(v, u)));
}

/* *kept as a unit vector, *other made perpendicular; any directions where there are none */
static void make_square(lb_vec3 *kept, lb_vec3 *other)
{
    *kept = lb_vec3_normalize(*kept, lb_vec3_make(0, 0, 1));
    *other = lb_vec3_normalize(across(*other, *kept), lb_vec3_perpendicular(*kept));
}

static lb_transform frame_by_left(lb_vec3 y, lb_vec3 z)
{
    make_square(&y, &z);
    return (lb_transform){lb_vec3_cross(y, z), y, z, {0, 0, 0}};
}

static lb_transform frame_by_up(lb_vec3 z, lb_vec3 y)
{
    make_square(&z, &y);
    return (lb_transform){lb_vec3_cross(y, z), y, z, {0, 0, 0}};
}

static void set_frame(retarget_anatomy *a, lb_role role, lb_transform frame)
{
    a->frames[role] = frame;
    a->found[role] = true;
}

/* ---- places and directions ------------------------------------------------ */

static const lb_transform *link_at(const retarget_anatomy *a, lb_role role, int time)
{
    return &a->at[time * LB_ROLE_COUNT + (int)role];
}

static lb_vec3 place(const retarget_anatomy *a, lb_role role, int time)
{
    return link_at(a, role, time)->p;
}

static bool has(const retarget_anatomy *a, lb_role role)
{
    return a->rig.links[role] >= 0;
}

static bool is_end(const retarget_anatomy *a, lb_role role)
{
    lb_role next = role + 1;
    return role == LB_ROLE_HEAD || role == LB_ROLE_LEFT_HAND || role == LB_ROLE_RIGHT_HAND ||
           retarget_is_toe(role) || !has(a, next) || a->rig.links[next] == a->rig.links[role];
}

static lb_vec3 along(const retarget_anatomy *a, lb_role from, lb_role to, int time)
{
    return unit(lb_vec3_sub(place(a, to, time), place(a, from, time)));
}

static lb_vec3 bone(const retarget_anatomy *a, lb_role role, int time)
{
    return is_end(a, role) ? lb_transform_direction(link_at(a, role, time), a->tips[role])
                           : along(a, role, role + 1, time);
}

static lb_vec3 shank_of_foot(const retarget_anatomy *a, lb_role foot, int time)
{
    return bone(a, foot - 1, time);
}

static lb_vec3 world_up(const retarget_anatomy *a, lb_role role, int time)
{
    (void)a, (void)role, (void)time;
    return lb_vec3_make(0, 0, 1);
}

static lb_vec3 hips_left(const retarget_anatomy *a, lb_role role, int time)
{
    (void)role;
    return along(a, LB_ROLE_RIGHT_THIGH, LB_ROLE_LEFT_THIGH, time);
}

static bool has_shoulders(const retarget_anatomy *a)
{
    return has(a, LB_ROLE_LEFT_UPPER_ARM) && has(a, LB_ROLE_RIGHT_UPPER_ARM);
}

static lb_vec3 shoulders_left(const retarget_anatomy *a, lb_role role, int time)
{
    (void)role;
    return along(a, LB_ROLE_RIGHT_UPPER_ARM, LB_ROLE_LEFT_UPPER_ARM, time);
}

static lb_vec3 middle(const retarget_anatomy *a, lb_role left, lb_role right, int time)
{
    return retarget_middle(place(a, left, time), place(a, right, time));
}

/* from the hips to the shoulders, across the hips; without arms to what there is of the trunk, and
   without that from the feet */
static lb_vec3 trunk_up(const retarget_anatomy *a, lb_role role, int time)
{
    lb_vec3 hips = middle(a, LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH, time), up;
    if (has_shoulders(a))
        up = lb_vec3_sub(middle(a, LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_RIGHT_UPPER_ARM, time), hips);
    else if (has(a, LB_ROLE_HEAD) || has(a, LB_ROLE_CHEST))
        up = lb_vec3_sub(place(a, has(a, LB_ROLE_HEAD) ? LB_ROLE_HEAD : LB_ROLE_CHEST, time), hips);
    else
        up = lb_vec3_sub(hips, middle(a, LB_ROLE_LEFT_FOOT, LB_ROLE_RIGHT_FOOT, time));
    return frame_by_left(hips_left(a, role, time), up).z;
}

/* the role in whose axes a link rests on average */
static lb_role carrier_of(const retarget_anatomy *a, lb_role role)
{
    bool ends = role == LB_ROLE_LEFT_HAND || role == LB_ROLE_RIGHT_HAND || retarget_is_toe(role);
    if (ends)
        return role - 1;
    bool arms = role >= LB_ROLE_HEAD && role < LB_ROLE_LEFT_THIGH;
    return arms && a->found[LB_ROLE_CHEST] ? LB_ROLE_CHEST : LB_ROLE_PELVIS;
}

static lb_transform carrier_frame(const retarget_anatomy *a, lb_role role, int time)
{
    lb_role carrier = carrier_of(a, role);
    return lb_transform_multiply(link_at(a, carrier, time), &a->frames[carrier]);
}

static lb_vec3 carrier_forward(const retarget_anatomy *a, lb_role role, int time)
{
    return carrier_frame(a, role, time).x;
}

static lb_vec3 carrier_left(const retarget_anatomy *a, lb_role role, int time)
{
    return carrier_frame(a, role, time).y;
}

static lb_vec3 carrier_up(const retarget_anatomy *a, lb_role role, int time)
{
    return carrier_frame(a, role, time).z;
}

/* the left of a limb that swung from hanging down */
static lb_vec3 swung_left(const retarget_anatomy *a, lb_role role, int time)
{
    lb_transform from = carrier_frame(a, role, time);
    lb_quat swing = rotation_smallest(lb_vec3_scale(from.z, -1), bone(a, role, time));
    return lb_quat_rotate(swing, from.y);
}

/* a direction of the world seen from a link */
static lb_vec3 inside(const retarget_anatomy *a, lb_role role, int time, lb_vec3 v)
{
    const lb_transform *link = link_at(a, role, time);
    return lb_vec3_make(lb_vec3_dot(link->x, v), lb_vec3_dot(link->y, v), lb_vec3_dot(link->z, v));
}

/* the sum of a direction seen from a link, with weights; NULL: its mean */
static lb_vec3 sum_of(const retarget_anatomy *a, lb_role role, direction *of, const double *weights)
{
    lb_vec3 sum = {0, 0, 0};
    for (int i = 0; i < a->times; i++) {
        double weight = weights != NULL ? weights[i] : 1.0 / a->times;
        lb_vec3 v = inside(a, role, i, of(a, role, i));
        sum = lb_vec3_add(sum, lb_vec3_scale(v, weight));
    }
    return sum;
}

static lb_vec3 mean(const retarget_anatomy *a, lb_role role, direction *of)
{
    return sum_of(a, role, of, NULL);
}

/* as the carrier's on average */
static void follow_carrier(retarget_anatomy *a, lb_role role, const double *weights)
{
    lb_vec3 left = sum_of(a, role, carrier_left, weights);
    set_frame(a, role, frame_by_left(left, sum_of(a, role, carrier_up, weights)));
}

/* ---- trunk ---------------------------------------------------------------- */

static void find_trunk(retarget_anatomy *a)
{
    const lb_role pelvis = LB_ROLE_PELVIS, chest = LB_ROLE_CHEST;
    set_frame(a, pelvis, frame_by_left(mean(a, pelvis, hips_left), mean(a, pelvis, trunk_up)));
    if (has(a, chest) && has_shoulders(a))
        set_frame(a, chest,
                  frame_by_left(mean(a, chest, shoulders_left), mean(a, chest, carrier_up)));
    else if (has(a, chest))
        follow_carrier(a, chest, NULL);
    if (has(a, LB_ROLE_HEAD))
        follow_carrier(a, LB_ROLE_HEAD, NULL);
}

/* ---- limbs ---------------------------------------------------------------- */

/*
 * The left of a limb's link: the axis of the limb's bends, whichever way each of them goes. To
 * which side it points is that of all bends, large ones first; `sign`: 1 of knees, -1 of elbows.
 * Where nothing bends it is that of a swing.
 */
static lb_vec3 left_by_bends(const retarget_anatomy *a, lb_role role, lb_role upper, int sign,
                             lb_vec3 down)
{
    lb_vec3 swung = unit(across(mean(a, role, swung_left), down));
    lb_vec3 ahead = lb_vec3_cross(down, swung), side = lb_vec3_scale(swung, STRAIGHT_SIDE);
    // the 2 x 2 matrix of squares, whose principal axis is the bend's
    double ss = STRAIGHT_BEND * STRAIGHT_BEND, sa = 0, aa = 0;
    for (int i = 0; i < a->times; i++) {
        lb_vec3 bend = lb_vec3_cross(bone(a, upper, i), bone(a, upper + 1, i));
        lb_vec3 n = lb_vec3_scale(inside(a, role, i, bend), sign);
        double s = lb_vec3_dot(n, swung), f = lb_vec3_dot(n, ahead), part = 1.0 / a->times;
        ss += s * s * part, sa += s * f * part, aa += f * f * part;
        side = lb_vec3_add(side, lb_vec3_scale(n, lb_vec3_length(n) * part));
    }
    double sine, cosine;
    lb_sincos(0.5 * lb_atan2(2 * sa, ss - aa), &sine, &cosine);
    lb_vec3 left = lb_vec3_add(lb_vec3_scale(swung, cosine), lb_vec3_scale(ahead, sine));
    return lb_vec3_dot(left, side) >= 0 ? left : lb_vec3_scale(left, -1);
}

static void find_limb(retarget_anatomy *a, lb_role upper)
{
    bool leg = upper >= LB_ROLE_LEFT_THIGH;
    int sign = !has(a, upper + 1) ? 0 : leg ? 1 : -1;
    for (lb_role role = upper; role <= upper + 1 && has(a, role); role++) {
        lb_vec3 down = unit(mean(a, role, bone));
        if (!retarget_is_zero(down))
            set_frame(
                a, role,
                frame_by_up(lb_vec3_scale(down, -1), left_by_bends(a, role, upper, sign, down)));
    }
    lb_role hand = upper + 2;
    if (leg || !has(a, hand) || !a->found[hand - 1])
        return;
    follow_carrier(a, hand, NULL);
    if (!retarget_is_zero(a->tips[hand]))
        set_frame(a, hand, frame_by_up(lb_vec3_scale(a->tips[hand], -1), a->frames[hand].y));
}

/* ---- feet ----------------------------------------------------------------- */

/* the ankle (0) or the toes (1) of a foot, so many metres on along its bone */
static lb_vec3 foot_end(const retarget_anatomy *a, lb_role foot, double on, int time)
{
    return lb_vec3_add(place(a, foot, time), lb_vec3_scale(bone(a, foot, time), on));
}

static double squared(double x)
{
    return x * x;
}

/* adds to `unrest` how far one end of a foot is from lying still on the ground; `room`: a number
   for each time */
static void add_unrest(const retarget_anatomy *a, lb_role foot, double on, double leg, double *room,
                       double *unrest)
{
    for (int i = 0; i < a->times; i++)
        room[i] = foot_end(a, foot, on, i).z;
    double ground = scalar_select(room, a->times, (int)(LOW_SHARE * (a->times - 1)));
    lb_role other = foot == LB_ROLE_LEFT_FOOT ? LB_ROLE_RIGHT_FOOT : LB_ROLE_LEFT_FOOT;
    for (int i = 0; i < a->times; i++) {
        lb_vec3 here = foot_end(a, foot, on, i), next = foot_end(a, foot, on, a->times + i);
        double high = fmax(0, here.z - fmax(ground, foot_end(a, other, on, i).z));
        double way = lb_vec3_length(lb_vec3_sub(next, here));
        unrest[i] += squared(high / (FLAT_HEIGHT * leg));
        if (a->later > 0)
            unrest[i] += squared(way / (a->later * FLAT_SPEED * leg));
    }
}

/* how surely a foot lies flat at each time; `room`: a number for each */
static void find_flat(const retarget_anatomy *a, lb_role foot, double *room, double *flat)
{
    double leg = TINY;
    for (lb_role role = foot - 2; role < foot; role++)
        leg += lb_vec3_length(lb_vec3_sub(place(a, role + 1, 0), place(a, role, 0)));
    for (int i = 0; i < a->times; i++)
        flat[i] = 0;
    add_unrest(a, foot, 0, leg, room, flat);
    add_unrest(a, foot, TOES * leg, leg, room, flat);
    for (int i = 0; i < a->times; i++) {
        // a bell without an exponential, and the cosine of the shank's tilt: half at 32 degrees
        double still = squared(squared(squared(1 / (1 + flat[i] / 16))));
        flat[i] = still * squared(fmax(0, -2 * bone(a, foot - 1, i).z - 1));
    }
}

/* up from the sole */
static lb_vec3 foot_up(const retarget_anatomy *a, lb_role foot, const double *flat)
{
    lb_vec3 shank = lb_vec3_scale(mean(a, foot, shank_of_foot), ACROSS_SHANK);
    return unit(lb_vec3_sub(sum_of(a, foot, world_up, flat), shank));
}

static void find_feet(retarget_anatomy *a, double *room)
{
    const lb_role feet[2] = {LB_ROLE_LEFT_FOOT, LB_ROLE_RIGHT_FOOT};
    lb_vec3 up[2], front[2];
    double rise[2], weight[2] = {0}, sine, cosine;
    for (int k = 0; k < 2; k++) {
        find_flat(a, feet[k], room, a->flat[k]);
        up[k] = foot_up(a, feet[k], a->flat[k]);
        front[k] = unit(mean(a, feet[k], bone));
        rise[k] = 0.5 * LB_PI - lb_acos(scalar_clamp(lb_vec3_dot(front[k], up[k]), -1, 1));
        for (int i = 0; i < a->times; i++)
            weight[k] += a->flat[k][i] += LEAST;
    }
    // feet are alike: the angle between bone and sole is one
    bool bones = !retarget_is_zero(front[0]) && !retarget_is_zero(front[1]);
    double both = (rise[0] * weight[0] + rise[1] * weight[1]) / (weight[0] + weight[1]);
    lb_sincos(both, &sine, &cosine);
    for (int k = 0; k < 2; k++) {
        lb_vec3 x = mean(a, feet[k], carrier_forward), z = up[k];
        if (bones && fabs(both) < STEEP_FOOT) {
            x = front[k];
            z = lb_vec3_add(lb_vec3_scale(unit(across(z, x)), cosine), lb_vec3_scale(x, sine));
        }
        set_frame(a, feet[k], frame_by_up(z, lb_vec3_cross(z, x)));
        if (!is_end(a, feet[k]))
            follow_carrier(a, feet[k] + 1, a->flat[k]);
    }
}

/* ---- all of it ------------------------------------------------------------ */

/* the figure at times evenly over the clip, and a little later */
static lb_status look(retarget_anatomy *a, const lb_clip *clip, const lb_allocator *pool,
                      lb_error *error)
{
    int links[LB_ROLE_COUNT];
    size_t nq = (size_t)lb_model_nq(a->model);
    lb_fk_batch *batch = NULL;
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        links[i] = a->rig.links[i] >= 0 ? a->rig.links[i] : 0;
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.links = links;
    options.link_count = LB_ROLE_COUNT;
    if (lb_fk_batch_create(a->model, &options, pool, &batch) != LB_OK)
        return error_out_of_memory(error);
    // later poses first: they are seen, and not kept
    for (int half = 1; half >= 0; half--) {
        for (int i = 0; i < a->times; i++) {
            double time = lb_clip_begin(clip) + i * a->apart + half * a->later;
            lb_clip_at(clip, time, a->q + (size_t)i * nq);
        }
        const lb_fk_batch_rows rows = {.q = a->q,
                                       .transforms = a->at + half * a->times * LB_ROLE_COUNT};
        lb_fk_batch_forward(batch, &rows, 0, (size_t)a->times);
    }
    return LB_OK;
}

/* what hangs from each link, in its axes */
static lb_status find_tips(retarget_anatomy *a, const lb_allocator *pool, lb_error *error)
{
    lb_state *state;
    if (lb_state_create(a->model, pool, &state) != LB_OK)
        return error_out_of_memory(error);
    lb_state_update(state, a->q);
    const lb_transform *at = lb_state_transforms(state);
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        if (has(a, (lb_role)i))
            a->tips[i] = inside(a, (lb_role)i, 0, retarget_knuckles(a->model, at, a->rig.links[i]));
    return LB_OK;
}

lb_status retarget_anatomy_create(const lb_clip *clip, const lb_rig *rig, const lb_allocator *pool,
                                  retarget_anatomy *a, lb_error *error)
{
    double length = lb_clip_end(clip) - lb_clip_begin(clip);
    *a = (retarget_anatomy){.rig = *rig, .model = lb_clip_model(clip)};
    a->later = fmin(1 / RATE, length);
    // on one grid at all rates, so that keys that they share are looked at in each
    double most = fmin(MOST_TIMES, EACH_KEY * (double)lb_clip_count(clip));
    double all = floor((length - a->later) * RATE + 1e-6) + 1, stride = ceil(all / most);
    a->apart = stride / RATE;
    a->times = (int)ceil(all / stride);
    size_t times = (size_t)a->times;
    a->q = memory_take(pool, times * (size_t)lb_model_nq(a->model), sizeof *a->q);
    a->at = memory_take(pool, 2 * times * LB_ROLE_COUNT, sizeof *a->at);
    a->flat[0] = memory_take(pool, 3 * times, sizeof *a->flat[0]);
    if (memory_pool_failed(pool))
        return error_out_of_memory(error);
    a->flat[1] = a->flat[0] + times;
    TRY(look(a, clip, pool, error));
    TRY(find_tips(a, pool, error));
    find_trunk(a);
    find_limb(a, LB_ROLE_LEFT_UPPER_ARM);
    find_limb(a, LB_ROLE_RIGHT_UPPER_ARM);
    find_limb(a, LB_ROLE_LEFT_THIGH);
    find_limb(a, LB_ROLE_RIGHT_THIGH);
    find_feet(a, a->flat[1] + times);
    return LB_OK;
}
