/*
 * recognise.c - what a BVH file does not say: its unit, its up axis, a rest pose before the motion.
 *
 * All three look at the figure alone: how long its longest chain is, along which axis a ground
 * carries it, and whether the step from frame 0 to frame 1 is like those that follow.
 */
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/scalar.h"

#include <string.h>

/* A unit of length. */
typedef struct length_unit {
    const char *name;
    double metres;
    bool rare; /* few files have it: recognised, never assumed */
} length_unit;

/* the CMU captures are scaled by 0.45 and then in inches (mocap.cs.cmu.edu, "Important notes") */
static const length_unit units[] = {{"cm", 0.01, false},
                                    {"m", 1, false},
                                    {"mm", 0.001, true},
                                    {"inch", 0.0254, false},
                                    {"cmu", 0.0254 / 0.45, true}};

enum { UNITS = sizeof units / sizeof *units };

/* hips to fingers or toes of an adult, metres; and what the recognised one may differ, as a ratio
 */
#define ADULT_CHAIN 1.15
#define ADULT_RATIO 1.25

/* frames that are looked at for the up axis */
enum { LOOKED_AT = 64 };

/* how far the body of a standing person is above its feet, in lengths of the longest chain */
#define BODY 0.8

/* ---- names -------------------------------------------------------------- */

static bool contains(const char *name, const char *word)
{
    size_t size = strlen(word);
    for (; *name != '\0'; name++) {
        size_t i = 0;
        while (i < size && (name[i] | 0x20) == word[i])
            i++;
        if (i == size)
            return true;
    }
    return false;
}

static bool is_foot(const bvh_joint *joint)
{
    return !joint->is_end && (contains(joint->name, "foot") || contains(joint->name, "ankle") ||
                              contains(joint->name, "toe"));
}

/* ---- the unit ----------------------------------------------------------- */

/*
 * The longest path from the hips to an end, file units. The hips are where the tree first branches:
 * a ROOT may be on the ground below them. `room` has two numbers for each joint.
 */
static double longest_chain(const lb_bvh *bvh, double *room)
{
    double *reach = room, *children = room + bvh->joint_count, longest = 0, stem = 0;
    for (int i = 0; i < bvh->joint_count; i++)
        children[i] = 0;
    for (int i = 0; i < bvh->joint_count; i++)
        if (bvh->joints[i].parent >= 0)
            children[bvh->joints[i].parent]++;
    bool branched = false;
    for (int i = 0; i < bvh->joint_count; i++) {
        const bvh_joint *joint = &bvh->joints[i];
        reach[i] = joint->parent < 0 ? 0 : reach[joint->parent] + lb_vec3_length(joint->offset);
        longest = fmax(longest, reach[i]);
        if (!branched && children[i] != 1) {
            // an end: there is but one chain
            stem = children[i] > 1 ? reach[i] : 0;
            branched = true;
        }
    }
    return longest - stem;
}

static void recognise_unit(lb_bvh *bvh, double chain)
{
    double best = INFINITY;
    int found = 0;
    for (int i = 0; i < UNITS && chain > 0; i++) {
        double ratio = chain * units[i].metres / ADULT_CHAIN;
        ratio = ratio < 1 ? 1 / ratio : ratio;
        if (ratio < best && (ratio <= ADULT_RATIO || !units[i].rare)) {
            best = ratio;
            found = i;
        }
    }
    bvh->info.unit = units[found].metres;
    bvh->info.unit_recognised = best <= ADULT_RATIO;
}

double lb_bvh_unit(const char *name)
{
    for (int i = 0; i < UNITS; i++)
        if (strcmp(units[i].name, name) == 0)
            return units[i].metres;
    return 0;
}

static const char *unit_name(double metres)
{
    // a unit may be typed with a few digits: 0.0564 for the CMU captures
    for (int i = 0; i < UNITS; i++)
        if (fabs(metres / units[i].metres - 1) < 1e-3)
            return units[i].name;
    return "";
}

/* ---- the up axis -------------------------------------------------------- */

/*
 * from the middle of the feet to the middle of all joints, in a frame or, row NULL, as the file's
 * offsets lay the joints out; a ROOT may be anywhere, as on the ground below the figure
 */
static lb_vec3 feet_to_body(const lb_bvh *bvh, const double *row, lb_transform *places)
{
    lb_vec3 body = lb_vec3_make(0, 0, 0), feet = body;
    int count = 0;
    for (int i = 0; i < bvh->joint_count; i++) {
        const bvh_joint *joint = &bvh->joints[i];
        lb_quat rotation = row == NULL ? LB_QUAT_IDENTITY : bvh_rotation(bvh, joint, row);
        lb_transform local = lb_transform_from_quat(rotation, bvh_position(bvh, joint, row));
        places[i] =
            joint->parent < 0 ? local : lb_transform_multiply(&places[joint->parent], &local);
        body = lb_vec3_add(body, places[i].p);
        if (is_foot(joint)) {
            feet = lb_vec3_add(feet, places[i].p);
            count++;
        }
    }
    return lb_vec3_sub(lb_vec3_scale(body, 1.0 / bvh->joint_count),
                       lb_vec3_scale(feet, 1.0 / count));
}

enum { AXES = 3, UP_OF_AXIS = LB_BVH_UP_X };

static double along(lb_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double lowest(const lb_transform *places, int count, int axis)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        least = fmin(least, along(places[i].p, axis));
    return least;
}

/* what most of some numbers are within; changes their order */
static double spread_of(double *numbers, int count)
{
    double high = scalar_select(numbers, count, (count - 1) * 9 / 10);
    return high - scalar_select(numbers, count, (count - 1) / 10);
}

/* the cosine within which standing figures and skeletons at rest are upright: 26 degrees */
#define UPRIGHT 0.9
/* what the skeleton as its offsets lay it out says if the figure stands so in some frame, in
   bodies; else nothing, since many are laid out along their bones */
#define STANDS 0.8

/*
 * The axis along which the body is far above its feet and its lowest point is always at one height:
 * the ground carries who walks, falls, turns over or lies, and along any other axis that point goes
 * where the figure goes.
 */
static void recognise_up(lb_bvh *bvh, lb_transform *places, double chain)
{
    lb_vec3 own = feet_to_body(bvh, NULL, places), above = {0, 0, 0};
    own = lb_vec3_normalize(own, above);
    double low[AXES][LOOKED_AT], body = BODY * chain * bvh->info.unit, best = -INFINITY;
    int looks = bvh->frames < LOOKED_AT ? bvh->frames : LOOKED_AT;
    bool stands[AXES] = {false};
    for (int i = 0; i < looks; i++) {
        size_t frame = (size_t)i * (size_t)bvh->frames / (size_t)looks;
        lb_vec3 one = feet_to_body(bvh, &bvh->rows[frame * (size_t)bvh->channels], places);
        above = lb_vec3_add(above, lb_vec3_scale(one, 1.0 / looks));
        for (int k = 0; k < AXES; k++) {
            low[k][i] = lowest(places, bvh->joint_count, k);
            stands[k] = stands[k] ||
                        (along(own, k) > UPRIGHT && along(one, k) > UPRIGHT * lb_vec3_length(one));
        }
    }
    bvh->info.up_recognised = body > 0 && lb_vec3_length(looks > 0 ? above : own) > 0;
    for (int k = 0; k < AXES && bvh->info.up_recognised; k++) {
        double score = looks == 0 ? fabs(along(own, k)) : stands[k] ? STANDS : 0;
        if (looks > 0)
            score += (along(above, k) - spread_of(low[k], looks)) / body;
        if (score <= best)
            continue;
        bvh->info.up = (lb_bvh_up)(UP_OF_AXIS + k);
        best = score;
    }
}

/* ---- a rest pose before the motion -------------------------------------- */

/* the farthest that a joint turns from a frame to the next, radians */
static double largest_turn(const lb_bvh *bvh, int frame)
{
    const double *row = &bvh->rows[(size_t)frame * (size_t)bvh->channels];
    double largest = 0;
    for (int i = 0; i < bvh->joint_count; i++) {
        lb_quat a = bvh_rotation(bvh, &bvh->joints[i], row);
        lb_quat b = bvh_rotation(bvh, &bvh->joints[i], row + bvh->channels);
        largest =
            fmax(largest, lb_vec3_length(lb_quat_log(lb_quat_multiply(lb_quat_conjugate(a), b))));
    }
    return largest;
}

/* see lb_bvh_info */
#define REST_TURN (10 * LB_PI / 180)
#define REST_BLEND (60 * LB_PI / 180)
enum { REST_RATIO = 5, REST_LOOK = 10, REST_MOST = 6 };

/* how many frames before the motion are a rest pose, and what a filter made of it */
static int count_rest_frames(const lb_bvh *bvh)
{
    double turns[REST_MOST + REST_LOOK] = {0}, all = 0, most = 0;
    for (int i = 0; i < REST_MOST + REST_LOOK && i + 1 < bvh->frames; i++)
        turns[i] = largest_turn(bvh, i);
    for (int n = 1; n <= REST_MOST && n + 1 < bvh->frames; n++) {
        double later = 0;
        for (int i = n; i < n + REST_LOOK - 1; i++)
            later = fmax(later, turns[i]);
        all += turns[n - 1];
        most = fmax(most, turns[n - 1]);
        if (turns[n - 1] * REST_RATIO <= most)
            return 0;
        if (all > (n == 1 ? REST_TURN : REST_BLEND) && most > REST_RATIO * later)
            return n;
    }
    return 0;
}

static lb_status take_rest(lb_bvh *bvh, const lb_bvh_options *options, lb_error *error)
{
    lb_bvh_info *info = &bvh->info;
    info->rest_given = options->rest != LB_BVH_REST_RECOGNISE;
    int recognised = info->rest_given ? 0 : count_rest_frames(bvh);
    if (recognised > 0) {
        info->rest_frame = true;
        info->rest_index = recognised - 1;
    }
    if (options->rest != LB_BVH_REST_YES)
        return LB_OK;
    if (options->rest_index < 0 || options->rest_index + 1 >= bvh->frames)
        return REFUSE_VALUE(error,
                            "frame %d cannot be a rest pose before the motion: there are %d frames",
                            options->rest_index, bvh->frames);
    info->rest_frame = true;
    info->rest_index = options->rest_index;
    return LB_OK;
}

/* ---- all ---------------------------------------------------------------- */

lb_status bvh_recognise(lb_bvh *bvh, const lb_bvh_options *options, lb_error *error)
{
    lb_bvh_info *info = &bvh->info;
    bool figure = false;
    for (int i = 0; i < bvh->joint_count; i++) {
        info->joints += !bvh->joints[i].is_end;
        figure = figure || is_foot(&bvh->joints[i]);
    }
    info->channels = bvh->channels;
    info->frames = bvh->frames;
    info->frame_time = bvh->frame_time;

    // what is assumed, where no feet are named
    info->unit = 0.01;
    info->up = LB_BVH_UP_Y;
    MEMORY_POOL(memory, &bvh->pool.from);
    lb_transform *places = memory_take(&memory, (size_t)bvh->joint_count, sizeof *places);
    TRY(require_memory(error, places));
    if (figure) {
        double chain = longest_chain(bvh, (double *)places);
        recognise_unit(bvh, chain);
        recognise_up(bvh, places, chain);
    }
    if (options->unit > 0) {
        info->unit = options->unit;
        info->unit_recognised = false;
        info->unit_given = true;
    }
    if (options->up != LB_BVH_UP_RECOGNISE) {
        info->up = options->up;
        info->up_recognised = false;
        info->up_given = true;
    }
    info->unit_name = unit_name(info->unit);
    return take_rest(bvh, options, error);
}
