/*
 * recognise.c - what a BVH file does not say: its unit, its up axis, a rest pose before the motion.
 *
 * All three look at the figure alone: how long its longest chain is, where its feet are below its
 * body, and whether the step from frame 0 to frame 1 is like those that follow.
 */
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"

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
enum { LOOKED_AT = 32 };

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

/* the longest path from a ROOT to an end, file units; `reach` has a number for each joint */
static double longest_chain(const lb_bvh *bvh, double *reach)
{
    double longest = 0;
    for (int i = 0; i < bvh->joint_count; i++) {
        const bvh_joint *joint = &bvh->joints[i];
        reach[i] = joint->parent < 0 ? 0 : reach[joint->parent] + lb_vec3_length(joint->offset);
        longest = fmax(longest, reach[i]);
    }
    return longest;
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

static lb_bvh_up longest_axis(lb_vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    return z > y && z >= x ? LB_BVH_UP_Z : x > y ? LB_BVH_UP_X : LB_BVH_UP_Y;
}

/* the cosine within which standing figures and skeletons at rest are upright: 26 degrees */
#define UPRIGHT 0.9

static bool is_upright(lb_vec3 v, lb_bvh_up up)
{
    double along = up == LB_BVH_UP_X ? v.x : up == LB_BVH_UP_Y ? v.y : v.z;
    return along > UPRIGHT * lb_vec3_length(v);
}

/* the axis along which bodies are above their feet; if the figure stands in some frame as its
   skeleton does without motion, the skeleton's axis, even if it lies for most of the time */
static void recognise_up(lb_bvh *bvh, lb_transform *places)
{
    lb_vec3 own = feet_to_body(bvh, NULL, places), sum = lb_vec3_make(0, 0, 0);
    lb_bvh_up axis = longest_axis(own);
    int looks = bvh->frames < LOOKED_AT ? bvh->frames : LOOKED_AT;
    bool stands = bvh->frames == 0;
    for (int i = 0; i < looks; i++) {
        size_t frame = (size_t)i * (size_t)bvh->frames / (size_t)looks;
        lb_vec3 one = feet_to_body(bvh, &bvh->rows[frame * (size_t)bvh->channels], places);
        stands = stands || (is_upright(own, axis) && is_upright(one, axis));
        sum = lb_vec3_add(sum, one);
    }
    bvh->info.up_recognised = lb_vec3_length(stands ? own : sum) > 0;
    bvh->info.up = stands ? axis : longest_axis(sum);
}

/* ---- a rest pose in frame 0 --------------------------------------------- */

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
enum { REST_RATIO = 5, REST_LOOK = 10 };

static bool has_rest_frame(const lb_bvh *bvh)
{
    double later = 0;
    if (bvh->frames < 3)
        return false;
    for (int i = 1; i < REST_LOOK && i + 1 < bvh->frames; i++)
        later = fmax(later, largest_turn(bvh, i));
    double first = largest_turn(bvh, 0);
    return first > REST_TURN && first > REST_RATIO * later;
}

static lb_status take_rest(lb_bvh *bvh, const lb_bvh_options *options, lb_error *error)
{
    lb_bvh_info *info = &bvh->info;
    info->rest_given = options->rest != LB_BVH_REST_RECOGNISE;
    if (!info->rest_given)
        info->rest_frame = has_rest_frame(bvh);
    if (options->rest != LB_BVH_REST_YES)
        return LB_OK;
    if (options->rest_index < 0 || options->rest_index + 1 >= bvh->frames)
        return lb_error_set(error, LB_BAD_VALUE, 0,
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
    lb_transform *places = memory_take(&bvh->allocator, (size_t)bvh->joint_count, sizeof *places);
    if (places == NULL)
        return error_out_of_memory(error);
    if (figure) {
        recognise_unit(bvh, longest_chain(bvh, (double *)places));
        recognise_up(bvh, places);
    }
    memory_release(&bvh->allocator, places);
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
