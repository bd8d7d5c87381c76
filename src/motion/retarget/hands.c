/*
 * hands.c - palms that rest on things in the world: when, and whether arms reach them there.
 *
 * A palm is held as a foot is (feet.c), by one point: its place is where the source's palm is on
 * average, scaled as the root is, and the hand may turn about it. When it rests is given, or
 * detected near the ground; a hand that is still elsewhere may as well wave or hang. Only palms
 * that rest at some time are part of the problem.
 */
#include "motion/retarget/plan.h"

#include "motion/contacts.h"

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
                       &soles, NULL, &known, &error) != LB_OK)
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
    lb_status status =
        retarget_rest_create(lb_clip_model(plan->source), plan->options->rest, plan->target,
                             plan->map, &plan->memory, &figures, error);
    if (status == LB_OK) {
        rest->arm = retarget_measure_arms(&figures) ? figures.source_arm : 0;
        rest->ankle = measure_ankles(plan, figures.source);
    }
    return status;
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
    lb_status status = LB_OK;
    o.rate = 1 / plan->step;
    o.ground = floor;
    o.ground_normal = plan->source_ground.normal;
    o.enter_height = ENTER_HEIGHT * rest->arm;
    o.leave_height = LEAVE_HEIGHT * rest->arm;
    o.drift = DRIFT * rest->arm;
    // a hand that is rolled over strays as well
    o.stray = 0;
    o.shortest = RETARGET_SHORTEST_HAND;
    if (rest->arm > 0)
        status = lb_contacts_detect(palms->contacts, plan->source, &o, error);
    return status;
}

static lb_status find_spans(retarget_plan *plan, const source_rest *rest, double floor,
                            const palm_list *palms, bool feet_given, lb_error *error)
{
    bool given = false;
    lb_status status = LB_OK;
    if (plan->options->contacts != NULL)
        status = retarget_take_spans(plan, palms->contacts, &given, error);
    if (status == LB_OK && plan->options->contacts != NULL && !given && !feet_given)
        return lb_error_set(error, LB_BAD_VALUE, 0,
                            "the contacts are of no foot or hand of the source");
    if (status == LB_OK && !given && plan->options->hands)
        status = detect_palms(plan, rest, floor, palms, error);
    return status;
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
    lb_status status = lb_contacts_create(points, before + 1, &plan->memory, &all, error);
    for (int p = 0; p <= before && status == LB_OK; p++)
        status = contacts_copy_spans(p < before ? plan->contacts : from, p < before ? p : point,
                                     all, p, error);
    plan->contacts = all;
    return status;
}

/* palms that rest at some time become feet; the others are not held at all */
static lb_status add_palms(retarget_plan *plan, const palm_list *palms, double low, lb_error *error)
{
    lb_status status = LB_OK;
    for (int i = 0; i < palms->count && status == LB_OK; i++) {
        int spans = 0;
        if (palms->contacts != NULL)
            lb_contacts_spans(palms->contacts, i, &spans);
        if (spans == 0) {
            plan->map->pairs[palms->pairs[i]].held_count = 0;
            continue;
        }
        status = append_point(plan, palms->contacts, i, error);
        if (status != LB_OK)
            break;
        plan->foot_of[palms->pairs[i]] = plan->foot_count;
        plan->feet[plan->foot_count++] = (foot_plan){
            .pair = palms->pairs[i], .points = {lb_contacts_count(plan->contacts) - 1}, .low = low};
    }
    return status;
}

lb_status retarget_plan_hands(retarget_plan *plan, bool feet_given, lb_error *error)
{
    palm_list palms = {.count = 0};
    source_rest rest = {0, 0};
    bool wanted = plan->options->contacts != NULL || plan->options->hands;
    lb_status status = list_palms(plan, &palms, error);
    if (status == LB_OK && wanted && palms.count > 0)
        status = measure_rest(plan, &rest, error);
    // the ankles' heights are along z
    double floor = plan->base_source - rest.ankle;
    if (status == LB_OK && wanted && palms.count > 0)
        status = find_spans(plan, &rest, floor, &palms, feet_given, error);
    else if (status == LB_OK && plan->options->contacts != NULL && plan->foot_count > 0 &&
             !feet_given)
        status = lb_error_set(error, LB_BAD_VALUE, 0,
                              "the contacts are of no foot or hand of the source");
    double up = plan->source_ground.normal.z;
    if (status == LB_OK)
        status = add_palms(plan, &palms, floor * up + LEAVE_HEIGHT * rest.arm, error);
    return status;
}
