/*
 * hands.c - palms that rest on things in the world: when, and whether arms reach them there.
 *
 * A palm is held as a foot is (feet.c), by one point: its place is where the source's palm is on
 * average, scaled as the root is, and the hand may turn about it. When it rests is given, or
 * detected near the ground; a hand that is still elsewhere may as well wave or hang. Only palms
 * that rest at some time are part of the problem.
 */
#include "base/error.h"
#include "motion/retarget/plan.h"

#include "motion/contacts.h"
#include "motion/spline.h"

#include <limber/kinematics.h>

#include <string.h>

/* all in lengths of the upper arm: a palm below the first height begins to rest on the ground,
   above the second one it does not; how far it may move meanwhile, as a hand that is rolled over */
#define ENTER_HEIGHT 0.35
#define LEAVE_HEIGHT 0.5
#define DRIFT 0.3

/* ---- figures at rest ------------------------------------------------------ */

/* What is known of the source at rest. */
typedef struct source_rest {
    double arm;   /* length of an upper arm; 0: unknown */
    double ankle; /* of the ankles above the soles, the mean */
} source_rest;

/* how high the ankles of a figure are above its soles; 0 where it has none */
static double measure_ankles(const retarget_plan *plan, const lb_transform *at)
{
    lb_contacts *soles = NULL;
    lb_error error = {0};
    bool known;
    double sum = 0;
    if (retarget_soles(lb_clip_model(plan->source), plan->options->rest, NULL, &plan->memory,
                       &soles, &known, &error) != LB_OK)
        return 0;
    const lb_contact_point *points = lb_contacts_points(soles);
    int feet = plan->foot_count < 2 ? plan->foot_count : 2;
    for (int i = 0; i < feet; i++) {
        const lb_retarget_pair *pair = &plan->map->pairs[plan->feet[i].pair];
        lb_vec3 heel = lb_transform_point(&at[points[2 * i].link], points[2 * i].at);
        sum += lb_transform_point(&at[pair->source], pair->source_point).z - heel.z;
    }
    return feet > 0 ? fmax(0, sum / feet) : 0;
}

static lb_status measure_rest(const retarget_plan *plan, source_rest *rest, lb_error *error)
{
    retarget_rest figures;
    TRY(retarget_rest_create(lb_clip_model(plan->source), plan->options->rest, plan->target,
                             plan->map, &plan->memory, &figures, error));
    rest->arm = retarget_measure_arms(&figures) ? figures.source_arm : 0;
    rest->ankle = measure_ankles(plan, figures.source);
    return LB_OK;
}

/* ---- when they rest ------------------------------------------------------- */

/* Pairs whose point rests at any height, and these points on the source. */
typedef struct palm_list {
    int pairs[LB_RETARGET_PAIRS], count;
    lb_contacts *contacts;
} palm_list;

static lb_status list_palms(const retarget_plan *plan, palm_list *palms, lb_error *error)
{
    lb_contact_point points[LB_RETARGET_PAIRS];
    for (int i = 0; i < plan->map->count; i++) {
        const lb_retarget_pair *pair = &plan->map->pairs[i];
        if (!retarget_is_palm(pair))
            continue;
        points[palms->count] =
            (lb_contact_point){.link = pair->held[0].source, .at = pair->held[0].source_at};
        palms->pairs[palms->count++] = i;
    }
    return palms->count == 0
               ? LB_OK
               : lb_contacts_create(points, palms->count, &plan->memory, &palms->contacts, error);
}

/* palms near the ground that are slow; `floor`: the height of the source's ground */
static lb_status detect_palms(const retarget_plan *plan, const source_rest *rest, double floor,
                              const palm_list *palms, lb_error *error)
{
    lb_contact_options o = plan->options->detect;
    o.rate = 1 / plan->step;
    o.ground = floor;
    o.ground_normal = plan->source_ground.normal;
    o.enter_height = ENTER_HEIGHT * rest->arm;
    o.leave_height = LEAVE_HEIGHT * rest->arm;
    o.drift = DRIFT * rest->arm;
    // a hand that is rolled over strays as well
    o.stray = 0;
    o.shortest = RETARGET_SHORTEST_HAND;
    return rest->arm > 0 ? lb_contacts_detect(palms->contacts, plan->source, &o, error) : LB_OK;
}

static lb_status find_spans(retarget_plan *plan, const source_rest *rest, double floor,
                            const palm_list *palms, bool feet_given, lb_error *error)
{
    bool given = false;
    if (plan->options->contacts != NULL)
        TRY(retarget_take_spans(plan, palms->contacts, &given, error));
    if (plan->options->contacts != NULL && !given && !feet_given)
        return REFUSE_VALUE(error, "the contacts are of no foot or hand of the source");
    return !given && plan->options->hands ? detect_palms(plan, rest, floor, palms, error) : LB_OK;
}

/* ---- the plan ------------------------------------------------------------- */

/* points of both, in this order, with their spans */
static lb_status append_point(retarget_plan *plan, const lb_contacts *from, int point,
                              lb_error *error)
{
    int before = plan->contacts != NULL ? lb_contacts_count(plan->contacts) : 0;
    lb_contact_point points[LB_RETARGET_PAIRS * LB_RETARGET_HELD];
    lb_contacts *all = NULL;
    if (before > 0)
        memcpy(points, lb_contacts_points(plan->contacts), (size_t)before * sizeof *points);
    points[before] = lb_contacts_points(from)[point];
    TRY(lb_contacts_create(points, before + 1, &plan->memory, &all, error));
    for (int p = 0; p <= before; p++)
        TRY(contacts_copy_spans(p < before ? plan->contacts : from, p < before ? p : point, all, p,
                                error));
    plan->contacts = all;
    return LB_OK;
}

/* palms that rest at some time become feet; the others are not held at all */
static lb_status add_palms(retarget_plan *plan, const palm_list *palms, double low, lb_error *error)
{
    for (int i = 0; i < palms->count; i++) {
        int spans = 0;
        if (palms->contacts != NULL)
            lb_contacts_spans(palms->contacts, i, &spans);
        if (spans == 0) {
            plan->map->pairs[palms->pairs[i]].held_count = 0;
            continue;
        }
        TRY(append_point(plan, palms->contacts, i, error));
        plan->foot_of[palms->pairs[i]] = plan->foot_count;
        plan->feet[plan->foot_count++] = (foot_plan){
            .pair = palms->pairs[i], .points = {lb_contacts_count(plan->contacts) - 1}, .low = low};
    }
    return LB_OK;
}

lb_status retarget_plan_hands(retarget_plan *plan, bool feet_given, lb_error *error)
{
    palm_list palms = {.count = 0};
    source_rest rest = {0, 0};
    TRY(list_palms(plan, &palms, error));
    bool wanted = (plan->options->contacts != NULL || plan->options->hands) && palms.count > 0;
    if (wanted)
        TRY(measure_rest(plan, &rest, error));
    // the ankles' heights are along z
    double floor = plan->base_source - rest.ankle, up = plan->source_ground.normal.z;
    if (wanted)
        TRY(find_spans(plan, &rest, floor, &palms, feet_given, error));
    else if (plan->options->contacts != NULL && plan->foot_count > 0 && !feet_given)
        return REFUSE_VALUE(error, "the contacts are of no foot or hand of the source");
    return add_palms(plan, &palms, floor * up + LEAVE_HEIGHT * rest.arm, error);
}

/* ---- what hands touch ---------------------------------------------------- */

/*
 * Hands that touch each other or the body: what is near in the source is near on the
 * target.
 *
 * Directions of limbs alone do not bring hands together on a figure of other proportions. As in
 * the interaction mesh of Ho, Komura and Tai (2010), relations in space are kept, here those of
 * the palms: a palm's place against the nearest point of a bone, by the share of the bone's length
 * and the offset from there in the link's axes. How much that weighs grows smoothly as the palm
 * comes near to the surface, so nothing is switched on, and a frame's goals depend on the frame
 * alone. Bodies are as thick as people are, by the length of the upper arm.
 */

/* all in lengths of the upper arm: from the surface to a palm that touches, and to one that is far;
   height of a head */
#define TOUCHING 0.1
#define FAR 0.35
#define HEAD 0.7

/* a weight must be positive */
#define LEAST 1e-6

/* What hands touch: a bone from one role to another, how thick a body is about it, and the share of
   the bone from which on it counts: hands that hang beside thighs do not touch them. */
typedef struct touched_bone {
    lb_role role, end; /* LB_ROLE_COUNT: of the trunk or the head, trunk_end() */
    double radius, first;
} touched_bone;

static const touched_bone bones[] = {
    {LB_ROLE_PELVIS, LB_ROLE_COUNT, 0.5, 0},
    {LB_ROLE_CHEST, LB_ROLE_COUNT, 0.45, 0},
    {LB_ROLE_HEAD, LB_ROLE_COUNT, 0.38, 0},
    {LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_LEFT_FOREARM, 0.18, 0},
    {LB_ROLE_LEFT_FOREARM, LB_ROLE_LEFT_HAND, 0.15, 0},
    {LB_ROLE_RIGHT_UPPER_ARM, LB_ROLE_RIGHT_FOREARM, 0.18, 0},
    {LB_ROLE_RIGHT_FOREARM, LB_ROLE_RIGHT_HAND, 0.15, 0},
    {LB_ROLE_LEFT_THIGH, LB_ROLE_LEFT_SHANK, 0.25, 0.6},
    {LB_ROLE_RIGHT_THIGH, LB_ROLE_RIGHT_SHANK, 0.25, 0.6},
    {LB_ROLE_LEFT_SHANK, LB_ROLE_LEFT_FOOT, 0.18, 0},
    {LB_ROLE_RIGHT_SHANK, LB_ROLE_RIGHT_FOOT, 0.18, 0},
};

/* ---- what may touch ------------------------------------------------------- */

/* what is beyond the second one of two places by so much */
static lb_vec3 beyond(lb_vec3 a, lb_vec3 b, double by)
{
    lb_vec3 along = lb_vec3_normalize(lb_vec3_sub(b, a), lb_vec3_make(0, 0, 1));
    return lb_vec3_add(b, lb_vec3_scale(along, by));
}

/* joints of trunks are anywhere, hips and shoulders are not: the pelvis goes half of the path
   from the hips to the shoulders, the chest the other half, the head on from there */
static lb_vec3 trunk_end(lb_role role, lb_vec3 hips, lb_vec3 shoulders, lb_vec3 place, double arm,
                         bool end)
{
    lb_vec3 waist = retarget_middle(hips, shoulders);
    if (role == LB_ROLE_PELVIS)
        return end ? waist : hips;
    if (role == LB_ROLE_CHEST)
        return end ? shoulders : waist;
    return end ? beyond(shoulders, place, HEAD * arm) : place;
}

static retarget_palm bone_end(const retarget_rest *f, const touched_bone *bone, int pair, bool end)
{
    const lb_retarget_pair *p = &f->map->pairs[pair];
    int left = retarget_find_pair(f->map, LB_ROLE_LEFT_UPPER_ARM),
        next = retarget_find_pair(f->map, bone->end);
    int right = retarget_find_pair(f->map, LB_ROLE_RIGHT_UPPER_ARM);
    lb_vec3 s = retarget_source_place(f, pair), t = retarget_target_place(f, pair);
    if (bone->end == LB_ROLE_COUNT) {
        lb_vec3 from =
            retarget_middle(retarget_source_place(f, left), retarget_source_place(f, right));
        lb_vec3 to =
            retarget_middle(retarget_target_place(f, left), retarget_target_place(f, right));
        s = trunk_end(bone->role, retarget_source_place(f, 0), from, s, f->source_arm, end);
        t = trunk_end(bone->role, retarget_target_place(f, 0), to, t, f->target_arm, end);
    } else if (end && next >= 0) {
        s = retarget_source_place(f, next), t = retarget_target_place(f, next);
    }
    return (retarget_palm){pair, retarget_in_link(&f->source[p->source], s),
                           retarget_in_link(&f->target[p->target], t)};
}

static void add_touch(retarget_plan *plan, const retarget_rest *f, const retarget_palm *hand,
                      const retarget_palm *begin, const retarget_palm *end, double radius,
                      double first)
{
    plan->touches[plan->touch_count++] =
        (retarget_touch){.hand = hand->pair,
                         .pair = begin->pair,
                         .source_palm = hand->source,
                         .target_palm = hand->target,
                         .source_bone = {begin->source, end->source},
                         .target_bone = {begin->target, end->target},
                         .touching = (radius + TOUCHING) * f->source_arm,
                         .far = (radius + FAR) * f->source_arm,
                         .first = first};
}

/* whether a role is of the arm that ends in a hand */
static bool is_own_arm(lb_role hand, lb_role role)
{
    return role <= hand && role + 2 >= hand;
}

static void add_hand(retarget_plan *plan, const retarget_rest *f, lb_role role,
                     const retarget_palm *hand)
{
    for (size_t i = 0; i < sizeof bones / sizeof *bones && hand->pair >= 0; i++) {
        int pair = retarget_find_pair(f->map, bones[i].role);
        if (pair < 0 || is_own_arm(role, bones[i].role))
            continue;
        retarget_palm begin = bone_end(f, &bones[i], pair, false),
                      end = bone_end(f, &bones[i], pair, true);
        add_touch(plan, f, hand, &begin, &end, bones[i].radius, bones[i].first);
    }
}

static void list_touches(retarget_plan *plan, retarget_rest *f)
{
    if (!retarget_measure_arms(f))
        return;
    retarget_palm left = retarget_find_palm(f, LB_ROLE_LEFT_HAND),
                  right = retarget_find_palm(f, LB_ROLE_RIGHT_HAND);
    add_hand(plan, f, LB_ROLE_LEFT_HAND, &left);
    add_hand(plan, f, LB_ROLE_RIGHT_HAND, &right);
    if (left.pair >= 0 && right.pair >= 0)
        add_touch(plan, f, &left, &right, &right, RETARGET_HAND_RADIUS, 0);
}

/* ---- goals ---------------------------------------------------------------- */

static retarget_goal touch_goal(const retarget_plan *plan, const retarget_touch *touch)
{
    const lb_retarget_pair *pair = &plan->map->pairs[touch->pair];
    const lb_transform *hand = retarget_source_at(plan, touch->hand);
    lb_vec3 place = retarget_in_link(retarget_source_at(plan, touch->pair),
                                     lb_transform_point(hand, touch->source_palm));
    lb_vec3 bone = lb_vec3_sub(touch->source_bone[1], touch->source_bone[0]);
    // the nearest point of the bone, and the offset from there
    double length = lb_vec3_dot(bone, bone);
    lb_vec3 from = lb_vec3_sub(place, touch->source_bone[0]);
    double share = length > 0 ? fmax(0, fmin(1, lb_vec3_dot(from, bone) / length)) : 0;
    lb_vec3 offset = lb_vec3_sub(from, lb_vec3_scale(bone, share));
    double far = (lb_vec3_length(offset) - touch->touching) / (touch->far - touch->touching);
    double counts = touch->first > 0 ? smooth_step((share - touch->first) / (1 - touch->first)) : 1;
    // the same on the target
    bone = lb_vec3_sub(touch->target_bone[1], touch->target_bone[0]);
    offset = lb_quat_rotate(lb_quat_conjugate(pair->rotation), lb_vec3_scale(offset, plan->scale));
    lb_vec3 on_bone = lb_vec3_add(touch->target_bone[0], lb_vec3_scale(bone, share));
    return (retarget_goal){.turn = LB_QUAT_IDENTITY,
                           .place = lb_vec3_add(on_bone, offset),
                           .hold = {fmax(LEAST, counts * (1 - smooth_step(far)))}};
}

void retarget_touch_goals(const retarget_plan *plan, retarget_goal *goals)
{
    double sums[LB_RETARGET_PAIRS] = {0};
    for (int i = 0; i < plan->touch_count; i++) {
        goals[i] = touch_goal(plan, &plan->touches[i]);
        sums[plan->touches[i].hand] += goals[i].hold[0];
    }
    // what is nearest counts most: bodies of other proportions cannot have all
    for (int i = 0; i < plan->touch_count; i++)
        goals[i].hold[0] *= goals[i].hold[0] / sums[plan->touches[i].hand];
}

/* those that come near at some time of the grid */
static void keep_near(retarget_plan *plan)
{
    bool near[RETARGET_TOUCHES] = {false};
    for (int step = 0; step <= plan->steps; step++) {
        retarget_look(plan, retarget_grid_time(plan, step));
        for (int i = 0; i < plan->touch_count; i++)
            near[i] = near[i] || touch_goal(plan, &plan->touches[i]).hold[0] > LEAST;
    }
    int kept = 0;
    for (int i = 0; i < plan->touch_count; i++)
        if (near[i])
            plan->touches[kept++] = plan->touches[i];
    plan->touch_count = kept;
}

lb_status retarget_plan_touches(retarget_plan *plan, lb_error *error)
{
    if (!plan->options->hands)
        return LB_OK;
    retarget_rest f;
    lb_status status = retarget_rest_create(lb_clip_model(plan->source), plan->options->rest,
                                            plan->target, plan->map, &plan->memory, &f, error);
    if (status == LB_OK) {
        list_touches(plan, &f);
        keep_near(plan);
    }
    return status;
}
