/*
 * rig.c - which link of a model is what part of a figure, by its name or by its place in the tree.
 */
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/layout.h"
#include "motion/retarget/figure.h"

#include <limber/kinematics.h>

#include <string.h>

/* ---- by shape ------------------------------------------------------------- */

/* the joints that move a link, from the root on */
static int count_moving(const lb_model *model, int link)
{
    int count = 0;
    for (; link > 0; link = lb_model_parent(model, link))
        count += lb_model_joint(model, link - 1)->kind != LB_JOINT_FIXED;
    return count;
}

static int common_ancestor(const lb_model *model, int a, int b)
{
    while (a != b) {
        if (a > b)
            a = lb_model_parent(model, a);
        else
            b = lb_model_parent(model, b);
    }
    return a;
}

/* A limb from the trunk to its tip. */
typedef struct limb {
    int upper, lower, end; /* links; LB_NO_LINK: too few joints */
} limb;

/* joints nearer to each other than this share of a limb's half are in one place */
#define COINCIDENT 0.02

/* how much a link's joint bends the limb whose end is there: 0 where it turns about the bone */
static double bend_of(const lb_model *model, const lb_transform *at, int link, lb_vec3 end)
{
    lb_vec3 axis = lb_transform_direction(&at[link], lb_model_joint(model, link - 1)->axis);
    lb_vec3 bone = lb_vec3_sub(end, at[link].p);
    return lb_vec3_length(lb_vec3_cross(axis, bone)) / fmax(lb_vec3_length(bone), 1e-12);
}

/*
 * The middle joint of a limb: the one that bends it farthest from both of the limb's first joint
 * and its end. A joint that turns about the bone is none, wherever along the bone it is.
 */
static int find_middle(const lb_model *model, const lb_transform *at, int first, int tip,
                       lb_vec3 end)
{
    double most = 0;
    int found = LB_NO_LINK;
    for (int link = tip; link != first; link = lb_model_parent(model, link)) {
        if (lb_model_joint(model, link - 1)->kind == LB_JOINT_FIXED)
            continue;
        double near = fmin(lb_vec3_length(lb_vec3_sub(at[link].p, at[first].p)),
                           lb_vec3_length(lb_vec3_sub(at[link].p, end)));
        double bends = near * (retarget_is_hinge(model, link) ? bend_of(model, at, link, end) : 1);
        if (bends > most * (1 + COINCIDENT)) {
            most = bends;
            found = link;
        }
    }
    return found;
}

/* the joint above that moves a link, by the link that it moves; `top` if there is none below it */
static int moving_above(const lb_model *model, int link, int top)
{
    link = lb_model_parent(model, link);
    while (link > top && lb_model_joint(model, link - 1)->kind == LB_JOINT_FIXED)
        link = lb_model_parent(model, link);
    return link > top ? link : top;
}

/* whether the axes of hinges, of a link and of one above it, are more than 30 degrees apart */
static bool are_across(const lb_model *model, int above, int link)
{
    if (!retarget_is_hinge(model, above) || !retarget_is_hinge(model, link))
        return false;
    lb_vec3 axis = lb_model_joint(model, link - 1)->axis;
    for (int i = link; i != above; i = lb_model_parent(model, i))
        axis = lb_transform_direction(&lb_model_joint(model, i - 1)->placement, axis);
    lb_vec3 other = lb_model_joint(model, above - 1)->axis;
    return lb_vec3_length(lb_vec3_cross(other, axis)) > 0.5;
}

/*
 * Whether a link's hinge is one more of the ankle's, of which there is at most one about each
 * direction: it is across all that are below the shank. Toes bend as the ankle does. Where a joint
 * lies along its own axis says nothing.
 */
static bool is_of_ankle(const lb_model *model, int shank, int link)
{
    int above = moving_above(model, link, shank);
    bool found = above > shank;
    for (; above > shank && found; above = moving_above(model, above, shank))
        found = are_across(model, above, link);
    return found;
}

/* the same of the last joint of a leg, which begins below the trunk */
static bool is_ankle_end(const lb_model *model, const lb_transform *at, int trunk, int last)
{
    int first = last;
    for (int i = last; i > trunk; i = moving_above(model, i, trunk))
        first = i;
    int shank = find_middle(model, at, first, last, at[last].p);
    return shank >= 0 && is_of_ankle(model, shank, last);
}

/* toes begin so far before the ankle, of the leg's length; ankles of robots are nearer together */
#define TOES_BEFORE 0.1

/* the last moving joint of a leg below the trunk, but for that of its toes */
static int find_ankle(const lb_model *model, const lb_transform *at, int trunk, int first, int last)
{
    int above = moving_above(model, last, first);
    if (is_ankle_end(model, at, trunk, last))
        return last;
    lb_vec3 leg = lb_vec3_sub(at[last].p, at[first].p), foot = lb_vec3_sub(at[last].p, at[above].p);
    foot.z = 0;
    bool toes = above > first && lb_vec3_length(foot) > TOES_BEFORE * lb_vec3_length(leg);
    return toes ? above : last;
}

/* of all below a link, or of what is fixed to it, what is farthest from where that turns; itself if
   there is nothing */
static int farthest_below(const lb_model *model, const lb_transform *at, int link, bool fixed)
{
    int found = link, end = retarget_end_below(model, link);
    for (int i = link; (i = fixed ? retarget_next_fixed(model, link, i) : i + 1) > 0 && i < end;)
        if (lb_vec3_length(lb_vec3_sub(at[i].p, at[link].p)) >
            lb_vec3_length(lb_vec3_sub(at[found].p, at[link].p)))
            found = i;
    return found;
}

/* of a leg the end is its last moving joint, the ankle, before that of toes */
static limb find_limb(const lb_model *model, const lb_transform *at, int trunk, int tip, bool leg)
{
    const limb none = {LB_NO_LINK, LB_NO_LINK, LB_NO_LINK};
    int first = LB_NO_LINK, last = LB_NO_LINK;
    for (int link = tip; link != trunk; link = lb_model_parent(model, link)) {
        if (lb_model_joint(model, link - 1)->kind == LB_JOINT_FIXED)
            continue;
        last = last < 0 ? link : last;
        first = link;
    }
    if (first < 0)
        return none;
    if (leg)
        last = find_ankle(model, at, trunk, first, last);
    else
        tip = farthest_below(model, at, last, true);
    // an arm ends with its fingers, or in the link of its last joint
    const int far = leg ? last : farthest_below(model, at, last, false);
    lb_vec3 end = !leg && far == last ? retarget_link_end(model, at, last) : at[far].p;
    limb found = {.lower = find_middle(model, at, first, tip, end)};
    if (found.lower < 0)
        return none;
    found.upper = lb_model_parent(model, found.lower);
    found.end = last == found.lower ? tip : last;
    return found;
}

static void set_limb(lb_rig *rig, lb_role upper, limb found)
{
    rig->links[upper] = found.upper;
    rig->links[upper + 1] = found.lower;
    rig->links[upper + 2] = found.end != found.lower ? found.end : LB_NO_LINK;
}

/* the two lowest tips, which are taken from the others then */
static bool pick_feet(const lb_transform *at, int *tips, int count, int out[2])
{
    for (int n = 0; n < 2; n++) {
        int best = -1;
        for (int i = 0; i < count; i++)
            if (tips[i] >= 0 && (best < 0 || at[tips[i]].p.z < at[tips[best]].p.z))
                best = i;
        if (best < 0)
            return false;
        out[n] = tips[best];
        tips[best] = LB_NO_LINK;
    }
    return true;
}

/* of the other tips the two that most joints move, both of them; of several such the two whose
   heights are most alike */
static bool pick_hands(const lb_model *model, const lb_transform *at, int *tips, int count,
                       int out[2])
{
    int most = 0, chosen[2] = {0, 0};
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            if (tips[i] < 0 || tips[k] < 0)
                continue;
            int a = count_moving(model, tips[i]), b = count_moving(model, tips[k]);
            int joints = a < b ? a : b;
            double unlike = fabs(at[tips[i]].p.z - at[tips[k]].p.z);
            if (joints > most || (joints == most && unlike < least)) {
                most = joints, least = unlike;
                chosen[0] = i, chosen[1] = k;
            }
        }
    for (int n = 0; n < 2 && most > 0; n++) {
        out[n] = tips[chosen[n]];
        tips[chosen[n]] = LB_NO_LINK;
    }
    return most > 0;
}

/* from a foot to where its leg begins, wherever the pelvis has its axes */
static lb_vec3 leg_of(const lb_model *model, const lb_transform *at, int pelvis, int foot)
{
    int top = foot;
    for (int link = foot; link > pelvis; link = moving_above(model, link, pelvis))
        top = link;
    return lb_vec3_sub(at[top].p, at[foot].p);
}

/* where the figure looks to: as its feet do, from their ankles to their tips, else along x */
static lb_vec3 find_forward(const lb_model *model, const lb_transform *at, int pelvis,
                            const int feet[2], const limb legs[2])
{
    lb_vec3 along = {0, 0, 0};
    for (int side = 0; side < 2; side++)
        along = lb_vec3_add(along, lb_vec3_sub(at[feet[side]].p, at[legs[side].end].p));
    along.z = 0;
    // less than a fiftieth of the figure is no toe
    return lb_vec3_length(along) > 0.02 * fabs(leg_of(model, at, pelvis, feet[0]).z)
               ? along
               : lb_vec3_make(1, 0, 0);
}

/* which side a name says: 1 left, -1 right, 0 none; a word of it, or its first or last letter */
static int side_of(const char *name)
{
    size_t size = strlen(name);
    for (int side = 1; side >= -1; side -= 2) {
        const char *word = side > 0 ? "left" : "right";
        bool first = size > 2 && name[1] == '_' && letter_lowered(name[0]) == *word;
        bool last = size > 2 && name[size - 2] == '_' && letter_lowered(name[size - 1]) == *word;
        if (first || last || retarget_name_has(name, word))
            return side;
    }
    return 0;
}

/* which side the names of a limb's links say, below what both limbs hang from */
static int side_of_limb(const lb_model *model, int tip, int top)
{
    int side = 0;
    for (; tip > top && side == 0; tip = lb_model_parent(model, tip))
        side = side_of(lb_model_link(model, tip)->name);
    return side;
}

/* the left one of two first: as their names say, else seen along `forward`; returns whether they
   were in the other order */
static bool put_left_first(const lb_model *model, const lb_transform *at, lb_vec3 forward,
                           int two[2])
{
    int top = common_ancestor(model, two[0], two[1]);
    int sides = side_of_limb(model, two[0], top) - side_of_limb(model, two[1], top);
    lb_vec3 across = lb_vec3_sub(at[two[0]].p, at[two[1]].p);
    bool opposite = sides == 2 || sides == -2;
    if (opposite ? sides > 0 : forward.x * across.y - forward.y * across.x >= 0)
        return false;
    int other = two[0];
    two[0] = two[1];
    two[1] = other;
    return true;
}

/* whether a link that carries none of the feet is below a height */
static bool has_lower(const lb_model *model, const lb_transform *at, const int feet[2], double low)
{
    for (int i = 0; i < lb_model_link_count(model); i++)
        if (at[i].p.z < low && !retarget_is_below(model, i, feet[0]) &&
            !retarget_is_below(model, i, feet[1]))
            return true;
    return false;
}

/* the height of legs that stand, of their length: else the figure lies */
#define STEEP 0.7

/*
 * Whether two tips are feet: well below where their legs begin, nothing well below them, and hands,
 * if there are any, well above them. Else it is an animal, or arms on a base.
 */
static bool is_upright(const lb_model *model, const lb_transform *at, int pelvis, const int feet[2],
                       const int *hands)
{
    double low = 0.5 * (at[feet[0]].p.z + at[feet[1]].p.z);
    lb_vec3 legs[2] = {leg_of(model, at, pelvis, feet[0]), leg_of(model, at, pelvis, feet[1])};
    double leg = 0.5 * (legs[0].z + legs[1].z);
    double across = lb_vec3_length(lb_vec3_sub(at[feet[0]].p, at[feet[1]].p));
    for (int side = 0; side < 2; side++)
        if (!(legs[side].z > STEEP * lb_vec3_length(legs[side])))
            return false;
    if (!(leg > across) || has_lower(model, at, feet, low - 0.3 * leg))
        return false;
    return hands == NULL || 0.5 * (at[hands[0]].p.z + at[hands[1]].p.z) - low > 0.3 * leg;
}

/* the last moving link of the highest tip above the chest */
static int find_head(const lb_model *model, const lb_transform *at, const int *tips, int count,
                     int chest)
{
    int best = LB_NO_LINK;
    for (int i = 0; i < count; i++)
        if (tips[i] > chest && retarget_is_below(model, chest, tips[i]) &&
            at[tips[i]].p.z > at[best >= 0 ? best : chest].p.z)
            best = tips[i];
    while (best > chest && lb_model_joint(model, best - 1)->kind == LB_JOINT_FIXED)
        best = lb_model_parent(model, best);
    return best > chest ? best : LB_NO_LINK;
}

static bool find_by_shape(const lb_model *model, const lb_transform *at, int *tips, int count,
                          lb_rig *rig)
{
    int feet[2], hands[2];
    limb legs[2];
    rig->convention = "shape";
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        rig->links[i] = LB_NO_LINK;
    if (!pick_feet(at, tips, count, feet))
        return false;
    int pelvis = common_ancestor(model, feet[0], feet[1]);
    rig->links[LB_ROLE_PELVIS] = pelvis;
    for (int side = 0; side < 2; side++)
        legs[side] = find_limb(model, at, pelvis, feet[side], true);
    if (legs[0].end < 0 || legs[1].end < 0)
        return false;
    lb_vec3 forward = find_forward(model, at, pelvis, feet, legs);
    bool swapped = put_left_first(model, at, forward, feet);
    set_limb(rig, LB_ROLE_LEFT_THIGH, legs[swapped]);
    set_limb(rig, LB_ROLE_RIGHT_THIGH, legs[!swapped]);
    if (!retarget_is_complete(model, rig) || !is_upright(model, at, pelvis, feet, NULL))
        return false;
    // what hangs from a leg is no hand
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2 && tips[i] >= 0; side++)
            if (common_ancestor(model, tips[i], feet[side]) > pelvis)
                tips[i] = LB_NO_LINK;
    if (!pick_hands(model, at, tips, count, hands))
        return true;
    if (!is_upright(model, at, pelvis, feet, hands))
        return false;
    put_left_first(model, at, forward, hands);
    int chest = common_ancestor(model, hands[0], hands[1]);
    limb left = find_limb(model, at, chest, hands[0], false);
    limb right = find_limb(model, at, chest, hands[1], false);
    if (left.upper < 0 || right.upper < 0)
        return true;
    rig->links[LB_ROLE_CHEST] = chest != pelvis ? chest : LB_NO_LINK;
    set_limb(rig, LB_ROLE_LEFT_UPPER_ARM, left);
    set_limb(rig, LB_ROLE_RIGHT_UPPER_ARM, right);
    rig->links[LB_ROLE_HEAD] = find_head(model, at, tips, count, chest);
    return true;
}

/* the link behind all joints of an ankle */
static int find_foot(const lb_model *model, int shank, int foot)
{
    for (int i = foot + 1; i < lb_model_link_count(model); i++)
        if (lb_model_parent(model, i) == foot && is_of_ankle(model, shank, i))
            foot = i;
    return foot;
}

/* toes that no name says: what moves against a foot, the farthest of several */
static void find_toes(const lb_model *model, lb_rig *rig)
{
    const lb_role feet[2] = {LB_ROLE_LEFT_FOOT, LB_ROLE_RIGHT_FOOT};
    for (int side = 0; side < 2; side++) {
        int *foot = &rig->links[feet[side]], *toe = foot + 1;
        double farthest = 0;
        if (*toe >= 0)
            continue;
        *foot = find_foot(model, foot[-1], *foot);
        for (int i = *foot + 1; i < lb_model_link_count(model); i++) {
            const lb_joint *joint = lb_model_joint(model, i - 1);
            double far = lb_vec3_length(joint->placement.p);
            if (lb_model_parent(model, i) != *foot || joint->kind == LB_JOINT_FIXED ||
                far <= farthest)
                continue;
            farthest = far;
            *toe = i;
        }
    }
}

/* of limbs of hinges the upper part is what carries the middle joint, after all others of a hip or
   a shoulder, in whatever order these turn */
static void find_uppers(const lb_model *model, lb_rig *rig)
{
    static const lb_role uppers[] = {LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_RIGHT_UPPER_ARM,
                                     LB_ROLE_LEFT_THIGH, LB_ROLE_RIGHT_THIGH};
    for (size_t i = 0; i < sizeof uppers / sizeof *uppers; i++) {
        int *upper = &rig->links[uppers[i]], lower = rig->links[uppers[i] + 1];
        if (*upper > 0 && lower > 0 && lower != *upper && retarget_is_hinge(model, lower) &&
            retarget_is_below(model, *upper, lower))
            *upper = moving_above(model, lower, *upper);
    }
}

/* by the shape of the tree at zero, as it stands there, or if it has arms, lies */
static bool find_standing(const lb_model *model, const lb_transform *links, int *tips, int count,
                          lb_transform *at, lb_rig *rig)
{
    static const struct {
        lb_vec3 axis;
        double quarters;
    } turns[] = {{{1, 0, 0}, 0}, {{1, 0, 0}, 1},  {{1, 0, 0}, -1},
                 {{0, 1, 0}, 1}, {{0, 1, 0}, -1}, {{1, 0, 0}, 2}};
    bool found = false;
    for (size_t i = 0; i < sizeof turns / sizeof *turns && !found; i++) {
        lb_quat turn = lb_quat_from_axis_angle(turns[i].axis, 0.5 * LB_PI * turns[i].quarters);
        lb_transform base = lb_transform_from_quat(turn, lb_vec3_make(0, 0, 0));
        for (int k = 0; k < lb_model_link_count(model); k++)
            at[k] = lb_transform_multiply(&base, &links[k]);
        // tips that are taken are crossed out
        memcpy(tips + count, tips, (size_t)count * sizeof *tips);
        found = find_by_shape(model, at, tips + count, count, rig) &&
                (i == 0 || rig->links[LB_ROLE_LEFT_UPPER_ARM] >= 0);
    }
    return found;
}

static lb_status find_shaped(const lb_model *model, const lb_allocator *memory, lb_rig *rig,
                             lb_error *error)
{
    size_t links = (size_t)lb_model_link_count(model);
    int count = 0;
    lb_state *state;
    lb_rig shaped;
    MEMORY_POOL(own, memory);
    lb_transform *at = memory_take(&own, links, sizeof *at);
    int *tips = memory_take(&own, 2 * links, sizeof *tips);
    TRY(require_memory(error, at && tips && model_find_ends(model, &own, tips, &count) == LB_OK &&
                                  lb_state_create(model, &own, &state) == LB_OK));
    if (!find_standing(model, lb_state_transforms(state), tips, count, at, &shaped))
        return REFUSE_MODEL(error, "'%s': no pelvis and legs found, by name or by shape",
                            lb_model_name(model));
    *rig = shaped;
    return LB_OK;
}

lb_status lb_rig_find(const lb_model *model, const lb_allocator *allocator, lb_rig *rig,
                      lb_error *error)
{
    TRY(REQUIRE(error, {model, "model"}, {rig, "rig"}));
    if (retarget_find_named(model, rig))
        find_uppers(model, rig);
    else
        TRY(find_shaped(model, allocator, rig, error));
    find_toes(model, rig);
    return LB_OK;
}
