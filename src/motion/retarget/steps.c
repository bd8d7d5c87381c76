/*
 * steps.c - the soles of a figure, and when they rest in a clip of it.
 *
 * Of a motion that somebody else made neither the height of the ground nor that of the soles need
 * be right, so each point's own level is measured first: contacts are near that level and slow.
 */
#include "base/require.h"
#include "motion/retarget/figure.h"

/* metres above its level at which a point rests, and no longer: of soles of which the shape is
   known a heel that has left the ground is soon seen to; and of soles that are assumed, whose
   points are beside the real ones and move when these do not */
#define KNOWN_ENTER 0.007
#define KNOWN_LEAVE 0.01
#define ASSUMED_ENTER 0.02
#define ASSUMED_LEAVE 0.03
/* metres a second: between samples, 1/30 s, much less than the millimetre of slide that is
 * tolerated
 */
#define SETTLE 0.01

lb_status lb_rig_soles(const lb_model *model, const double *rest, const lb_allocator *allocator,
                       lb_contacts **contacts, lb_error *error)
{
    return lb_rig_soles_by_looks(model, rest, NULL, allocator, contacts, NULL, error);
}

lb_status lb_rig_soles_by_looks(const lb_model *model, const double *rest, const lb_looks *looks,
                                const lb_allocator *allocator, lb_contacts **contacts, bool *known,
                                lb_error *error)
{
    bool found = false;
    lb_status status = REQUIRE(error, {model, "model"}, {contacts, "contacts"});
    if (status == LB_OK)
        status = retarget_soles(model, rest, looks, allocator, contacts, &found, error);
    if (known != NULL)
        *known = status == LB_OK && found;
    return status;
}

void lb_retarget_map_set_soles(lb_retarget_map *map, const lb_contacts *soles)
{
    for (int i = 0; i < map->count; i++) {
        lb_retarget_pair *pair = &map->pairs[i];
        bool left = pair->role == LB_ROLE_LEFT_FOOT;
        const lb_contact_point *heel = lb_contacts_points(soles) + (left ? 0 : 2);
        if ((!left && pair->role != LB_ROLE_RIGHT_FOOT) || pair->held_count != LB_RETARGET_HELD ||
            pair->target != heel->link)
            continue;
        pair->held[0].at = heel[0].at;
        pair->held[1].at = heel[1].at;
    }
}

/* samples a second: the least that is wanted, so that there is one at the clip's end */
static double sample_rate(const lb_clip *clip, double least)
{
    double duration = lb_clip_end(clip) - lb_clip_begin(clip);
    double rate = ceil(least * duration - 1e-9) / duration;
    // a clip of an instant has no even gaps, one without an end too many
    return rate > 0 && isfinite(rate) ? rate : least;
}

/* the points are on the soles themselves */
static lb_status clear_heights(lb_contacts *contacts, lb_error *error)
{
    lb_status status = LB_OK;
    for (int i = 0; i < lb_contacts_count(contacts) && status == LB_OK; i++) {
        lb_contact_point point = lb_contacts_points(contacts)[i];
        point.height = 0;
        status = lb_contacts_move(contacts, i, &point, error);
    }
    return status;
}

lb_status lb_rig_contacts(const lb_clip *clip, const double *rest, double ground,
                          lb_vec3 ground_normal, const lb_allocator *allocator,
                          lb_contacts **contacts, bool *assumed, lb_error *error)
{
    return lb_rig_contacts_by_looks(clip, rest, NULL, ground, ground_normal, allocator, contacts,
                                    assumed, error);
}

lb_status lb_rig_contacts_by_looks(const lb_clip *clip, const double *rest, const lb_looks *looks,
                                   double ground, lb_vec3 ground_normal,
                                   const lb_allocator *allocator, lb_contacts **contacts,
                                   bool *assumed, lb_error *error)
{
    bool known = false;
    lb_contact_options options = lb_contact_options_default();
    lb_status status = REQUIRE(error, {clip, "clip"}, {contacts, "contacts"});
    if (status == LB_OK)
        status =
            retarget_soles(lb_clip_model(clip), rest, looks, allocator, contacts, &known, error);
    if (status != LB_OK)
        return status;
    options.ground = ground;
    options.ground_normal = ground_normal;
    options.rate = sample_rate(clip, options.rate);
    options.enter_height = known ? KNOWN_ENTER : ASSUMED_ENTER;
    options.leave_height = known ? KNOWN_LEAVE : ASSUMED_LEAVE;
    options.settle = SETTLE;
    // what strays slides, and is to be seen
    options.stray = 0;
    status = lb_contacts_measure_heights(*contacts, clip, &options, error);
    if (status == LB_OK)
        status = lb_contacts_detect(*contacts, clip, &options, error);
    if (status == LB_OK && known)
        status = clear_heights(*contacts, error);
    if (assumed != NULL)
        *assumed = !known;
    if (status == LB_OK)
        return LB_OK;
    lb_contacts_release(*contacts);
    *contacts = NULL;
    return status;
}
