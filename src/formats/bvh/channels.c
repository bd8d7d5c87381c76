/*
 * channels.c - from a joint's channels to its configuration, and back.
 *
 * A rotation is the product of the channels' rotations in their order. Backwards, with axes a, b, c
 * of three channels and R the rotation, R c = R(a) R(b) c depends on the first two angles alone:
 * its component along a is a function of the second angle, the rest of it points where the first
 * one has turned it. What then remains is the third angle. Two sets of angles give one rotation
 * (half a turn more on the first and the third); each angle counts to any number of whole turns.
 */
#include "formats/bvh/bvh.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static const double degree = LB_PI / 180;

/* what the channels of a pose that is given may differ from it: rounding of sums of turns */
#define EXPRESSED 1e-6
/* below this sine the first and the third axis are one, and their angles one sum */
#define GIMBAL 1e-9

static lb_vec3 axis_of(int kind)
{
    int k = (kind - LB_BVH_X_ROTATION + 3) % 3;
    return lb_vec3_make(k == 0, k == 1, k == 2);
}

/* the rotation channels of a joint, up to four; returns how many there are */
static int rotation_channels(const lb_bvh *bvh, const bvh_joint *joint, int found[4])
{
    int count = 0;
    for (int i = 0; i < joint->channels; i++)
        if (bvh->kinds[joint->channel + i] >= LB_BVH_X_ROTATION && count++ < 4)
            found[count - 1] = joint->channel + i;
    return count;
}

static bool has_position(const lb_bvh *bvh, const bvh_joint *joint)
{
    for (int i = 0; i < joint->channels; i++)
        if (bvh->kinds[joint->channel + i] <= LB_BVH_Z_POSITION)
            return true;
    return false;
}

lb_joint_kind bvh_joint_kind(const lb_bvh *bvh, const bvh_joint *joint)
{
    int found[4], count = rotation_channels(bvh, joint, found);
    if (has_position(bvh, joint))
        return LB_JOINT_FLOATING;
    if (count == 2 && bvh->kinds[found[0]] != bvh->kinds[found[1]])
        return LB_JOINT_UNIVERSAL;
    return count == 0 ? LB_JOINT_FIXED : count == 1 ? LB_JOINT_REVOLUTE : LB_JOINT_BALL;
}

void bvh_joint_axes(const lb_bvh *bvh, const bvh_joint *joint, lb_joint *out)
{
    int found[4], count = rotation_channels(bvh, joint, found);
    if (count > 0)
        out->axis = axis_of(bvh->kinds[found[0]]);
    if (out->kind == LB_JOINT_UNIVERSAL)
        out->axis2 = axis_of(bvh->kinds[found[1]]);
}

/* ---- forwards ----------------------------------------------------------- */

lb_vec3 bvh_position(const lb_bvh *bvh, const bvh_joint *joint, const double *row)
{
    double place[3] = {joint->offset.x, joint->offset.y, joint->offset.z};
    for (int i = joint->channel; row != NULL && i < joint->channel + joint->channels; i++)
        if (bvh->kinds[i] <= LB_BVH_Z_POSITION)
            place[bvh->kinds[i]] = row[i];
    return lb_vec3_scale(lb_vec3_make(place[0], place[1], place[2]), bvh->info.unit);
}

lb_quat bvh_rotation(const lb_bvh *bvh, const bvh_joint *joint, const double *row)
{
    lb_quat product = LB_QUAT_IDENTITY;
    for (int i = joint->channel; i < joint->channel + joint->channels; i++) {
        if (bvh->kinds[i] < LB_BVH_X_ROTATION)
            continue;
        lb_vec3 axis = axis_of(bvh->kinds[i]);
        double sine, cosine;
        lb_sincos(0.5 * degree * row[i], &sine, &cosine);
        product = lb_quat_multiply(product,
                                   (lb_quat){cosine, sine * axis.x, sine * axis.y, sine * axis.z});
    }
    return product;
}

static void pose_place(const lb_bvh *bvh, const bvh_joint *joint, const double *row, double *q)
{
    lb_vec3 place = bvh_position(bvh, joint, row);
    memcpy(&q[joint->q], (double[]){place.x, place.y, place.z}, 3 * sizeof *q);
}

void bvh_pose(const lb_bvh *bvh, const bvh_joint *joint, const double *row, double *q)
{
    int found[4], count = rotation_channels(bvh, joint, found);
    if (joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_UNIVERSAL) {
        for (int i = 0; i < count; i++)
            q[joint->q + i] = degree * row[found[i]];
        return;
    }
    int at = joint->q;
    if (joint->kind == LB_JOINT_FLOATING) {
        pose_place(bvh, joint, row, q);
        at += 3;
    }
    if (joint->kind == LB_JOINT_FLOATING || joint->kind == LB_JOINT_BALL) {
        lb_quat r = bvh_rotation(bvh, joint, row);
        memcpy(&q[at], (double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *q);
    }
}

/* ---- many at once ------------------------------------------------------- */

/* whether a joint's rotation is one of three channels */
static bool has_three_turns(const lb_bvh *bvh, const bvh_joint *joint)
{
    int found[4];
    return (joint->kind == LB_JOINT_FLOATING || joint->kind == LB_JOINT_BALL) &&
           rotation_channels(bvh, joint, found) == KERNEL_TURNS;
}

/* What kernel_turns point to, while it is filled; entries behind the last stay zero. */
typedef struct turn_lists {
    int *places, *angles[KERNEL_TURNS];
    double *axes[KERNEL_TURNS][3];
} turn_lists;

static void lay_out_turns(memory_arena *arena, size_t room, turn_lists *lists)
{
    for (int k = 0; k < KERNEL_TURNS; k++)
        for (int i = 0; i < 3; i++)
            lists->axes[k][i] = memory_arena_take(arena, room, sizeof(double));
    for (int k = 0; k < KERNEL_TURNS; k++)
        lists->angles[k] = memory_arena_take(arena, room, sizeof(int));
    lists->places = memory_arena_take(arena, room, sizeof(int));
}

static void list_turns(const lb_bvh *bvh, const bvh_joint *joint, int at, turn_lists *lists)
{
    int found[4];
    rotation_channels(bvh, joint, found);
    lists->places[at] = joint->q + (joint->kind == LB_JOINT_FLOATING ? 3 : 0);
    for (int k = 0; k < KERNEL_TURNS; k++) {
        lb_vec3 axis = axis_of(bvh->kinds[found[k]]);
        lists->angles[k][at] = found[k];
        lists->axes[k][0][at] = axis.x;
        lists->axes[k][1][at] = axis.y;
        lists->axes[k][2][at] = axis.z;
    }
}

lb_status bvh_turns_create(lb_bvh *bvh, const lb_allocator *memory, bvh_turns *turns,
                           lb_error *error)
{
    turn_lists lists;
    memory_arena arena = {0};
    size_t room = (size_t)bvh->joint_count + KERNEL_MAX_WIDTH;
    lay_out_turns(&arena, room, &lists);
    *turns = (bvh_turns){.turns = {.half_unit = 0.5 * degree}};
    void *block = arena.overflow ? NULL : memory_take(memory, arena.used, 1);
    TRY(require_memory(error, block));
    arena = (memory_arena){.block = block};
    lay_out_turns(&arena, room, &lists);
    for (int i = 0; i < bvh->joint_count; i++) {
        bvh_joint *joint = &bvh->joints[i];
        joint->composed = joint->q >= 0 && has_three_turns(bvh, joint);
        if (joint->composed)
            list_turns(bvh, joint, turns->turns.count++, &lists);
    }
    turns->turns.places = lists.places;
    for (int k = 0; k < KERNEL_TURNS; k++) {
        turns->turns.angles[k] = lists.angles[k];
        for (int i = 0; i < 3; i++)
            turns->turns.axes[k][i] = lists.axes[k][i];
    }
    return LB_OK;
}

void bvh_pose_all(const lb_bvh *bvh, const bvh_turns *turns, const double *row, double *q)
{
    kernel_choose(0)->compose(&turns->turns, row, q);
    for (int i = 0; i < bvh->joint_count; i++) {
        const bvh_joint *joint = &bvh->joints[i];
        if (joint->composed && joint->kind == LB_JOINT_FLOATING)
            pose_place(bvh, joint, row, q);
        else if (!joint->composed && joint->q >= 0)
            bvh_pose(bvh, joint, row, q);
    }
}

/* ---- backwards ---------------------------------------------------------- */

/* the angle of rotation about a unit axis that a rotation has, its twist */
static double twist(lb_quat q, lb_vec3 axis)
{
    return 2 * lb_atan2(q.x * axis.x + q.y * axis.y + q.z * axis.z, q.w);
}

/* the angle that differs by whole turns and is nearest to another one */
static double nearest_turn(double angle, double to)
{
    return to + lb_wrap_angle(angle - to);
}

/* what a rotation leaves after one about an axis, which comes first */
static lb_quat after(lb_vec3 axis, double angle, lb_quat rotation)
{
    return lb_quat_multiply(lb_quat_from_axis_angle(axis, -angle), rotation);
}

/*
 * The first two of three angles whose axes are a, b, c, a not b, b not c; `before` is the first
 * angle that is kept where the axes of the first and the third coincide.
 */
static void two_angles(lb_vec3 a, lb_vec3 b, lb_vec3 c, lb_quat rotation, double before,
                       double angles[2])
{
    lb_vec3 image = lb_quat_rotate(rotation, c), side = lb_vec3_cross(b, c);
    // R(b) c = c cos + (b x c) sin: one of c and b x c is along a, the other one across it
    bool same = fabs(lb_vec3_dot(a, c)) > 0.5;
    double along = lb_vec3_dot(a, image);
    lb_vec3 across = same ? side : c, third = lb_vec3_cross(a, across);
    double u = lb_vec3_dot(image, across), v = lb_vec3_dot(image, third);
    double size = sqrt(u * u + v * v);
    angles[0] = size > GIMBAL ? lb_atan2(v, u) : before;
    angles[1] = same ? lb_atan2(size, along) : lb_atan2(along * lb_vec3_dot(a, side), size);
}

/* the three angles nearest to `angles`, in their place */
static void three_angles(const lb_vec3 axes[3], lb_quat rotation, double angles[3])
{
    double first[2], best[3] = {0}, least = INFINITY;
    two_angles(axes[0], axes[1], axes[2], rotation, angles[0], first);
    bool same = fabs(lb_vec3_dot(axes[0], axes[2])) > 0.5;
    for (int other = 0; other < 2; other++) {
        double tried[3] = {first[0] + other * LB_PI,
                           !other ? first[1]
                           : same ? -first[1]
                                  : LB_PI - first[1],
                           0};
        lb_quat left = after(axes[1], tried[1], after(axes[0], tried[0], rotation));
        tried[2] = twist(left, axes[2]);
        double distance = 0;
        for (int i = 0; i < 3; i++) {
            tried[i] = nearest_turn(tried[i], angles[i]);
            distance += fabs(tried[i] - angles[i]);
        }
        if (distance < least) {
            least = distance;
            memcpy(best, tried, sizeof best);
        }
    }
    memcpy(angles, best, sizeof best);
}

/* the angles of one to three channels nearest to those given, in their place */
static void solve_angles(const lb_vec3 axes[3], int count, lb_quat rotation, double angles[3])
{
    if (count == 3) {
        three_angles(axes, rotation, angles);
        return;
    }
    double first = twist(rotation, axes[0]);
    if (count == 2) {
        // of two channels the second axis shows the first angle
        lb_vec3 image = lb_quat_rotate(rotation, axes[1]);
        lb_vec3 third = lb_vec3_cross(axes[0], axes[1]);
        first = lb_atan2(lb_vec3_dot(image, third), lb_vec3_dot(image, axes[1]));
        angles[1] = nearest_turn(twist(after(axes[0], first, rotation), axes[1]), angles[1]);
    }
    angles[0] = nearest_turn(first, angles[0]);
}

/* sets the rotation channels; false where there are too many, or neighbours of one axis */
static bool set_rotation(const lb_bvh *bvh, const bvh_joint *joint, lb_quat rotation, double *row)
{
    int found[4], count = rotation_channels(bvh, joint, found);
    lb_vec3 axes[3];
    double angles[3];
    if (count > 3)
        return false;
    for (int i = 0; i < count; i++) {
        if (i > 0 && bvh->kinds[found[i]] == bvh->kinds[found[i - 1]])
            return false;
        axes[i] = axis_of(bvh->kinds[found[i]]);
        angles[i] = degree * row[found[i]];
    }
    if (count > 0)
        solve_angles(axes, count, rotation, angles);
    for (int i = 0; i < count; i++)
        row[found[i]] = angles[i] / degree;
    return true;
}

static void set_position(const lb_bvh *bvh, const bvh_joint *joint, lb_vec3 place, double *row)
{
    const double numbers[3] = {place.x, place.y, place.z};
    for (int i = joint->channel; i < joint->channel + joint->channels; i++)
        if (bvh->kinds[i] <= LB_BVH_Z_POSITION)
            row[i] = numbers[bvh->kinds[i]] / bvh->info.unit;
}

/* whether the channels in `row` give this place and rotation */
static bool is_expressed(const lb_bvh *bvh, const bvh_joint *joint, lb_vec3 place, lb_quat rotation,
                         const double *row)
{
    lb_quat made = bvh_rotation(bvh, joint, row);
    lb_vec3 error = lb_quat_log(lb_quat_multiply(lb_quat_conjugate(made), rotation));
    lb_vec3 gap = lb_vec3_sub(bvh_position(bvh, joint, row), place);
    return lb_vec3_length(error) <= EXPRESSED && lb_vec3_length(gap) <= EXPRESSED;
}

bool bvh_channels(const lb_bvh *bvh, const bvh_joint *joint, const double *q, double *row)
{
    int found[4], count = rotation_channels(bvh, joint, found), at = joint->q;
    if (joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_UNIVERSAL) {
        for (int i = 0; i < count; i++)
            row[found[i]] = q[at + i] / degree;
        return true;
    }
    lb_vec3 place = bvh_position(bvh, joint, NULL);
    if (joint->kind == LB_JOINT_FLOATING) {
        place = lb_vec3_make(q[at], q[at + 1], q[at + 2]);
        set_position(bvh, joint, place, row);
        at += 3;
    }
    lb_quat rotation = lb_quat_normalize((lb_quat){q[at], q[at + 1], q[at + 2], q[at + 3]});
    return set_rotation(bvh, joint, rotation, row) &&
           is_expressed(bvh, joint, place, rotation, row);
}
