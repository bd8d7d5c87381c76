/*
 * steps.c - the soles of a figure, and when they rest in a clip of it.
 *
 * Of a motion that somebody else made neither the height of the ground nor that of the soles need
 * be right, so each point's own level is measured first: contacts are near that level and slow.
 * Soles that are assumed are beside the real ones and move when these do not: there ankles and
 * joints of toes say when heels and toes rest, as of the source of a retargeting.
 */
#include "base/error.h"
#include "motion/contacts.h"
#include "motion/retarget/plan.h"

/* metres above its level within which a point of a sole touches the ground, however it moves along
   it; of captures, whose feet keep no level so exactly, more */
#define LEAST_BAND 1e-3
#define ANY 1e9
/* metres a second: between samples, 1/30 s, much less than the millimetre of slide that is
   tolerated */
#define STILL 0.01

/* heel and toe of both feet */
enum { SOLE_POINTS = 4 };

/* looks are given by the user; NULL: there are none */
static lb_status check_looks(const lb_model *model, const lb_looks *looks, lb_error *error)
{
    int links = lb_model_link_count(model);
    for (int i = 0; looks != NULL && i < looks->shape_count; i++)
        if (looks->shapes[i].link < 0 || looks->shapes[i].link >= links)
            return REFUSE_ARGUMENT(error, "shape %d of the looks is of link %d; there are %d",
                                   i + 1, looks->shapes[i].link, links);
    return LB_OK;
}

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
    lb_status status = REQUIRE_TO_MAKE(contacts, error, {model, "model"});
    if (status == LB_OK)
        status = check_looks(model, looks, error);
    if (status == LB_OK)
        status = retarget_soles(model, rest, looks, allocator, contacts, &found, error);
    if (known != NULL)
        *known = status == LB_OK && found;
    return status;
}

void lb_retarget_map_set_soles(lb_retarget_map *map, const lb_contacts *soles)
{
    for (int i = 0; i < map->count && lb_contacts_count(soles) >= SOLE_POINTS; i++) {
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

/* ---- when they rest ------------------------------------------------------------- */

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

/* at the levels at which points rest, they are in contact by their heights alone: how they move
   then is for lb_clip_check() to say. Of a capture the ground's normal is found unless it is given
 */
static lb_status detect_soles(lb_contacts *soles, bool known, const lb_clip *clip,
                              lb_contact_options options, lb_error *error)
{
    static const int kinds[] = {0, 1, 0, 1};
    contact_survey survey = {.options = &options,
                             .kinds = kinds,
                             .fit_ground = !known && retarget_is_zero(options.ground_normal)};
    TRY(contacts_survey(soles, clip, &survey, error));
    soles->resolution = fmin(options.enter_height, fmax(LEAST_BAND, 2 * survey.spread));
    options.ground_normal = survey.normal;
    options.enter_height = options.leave_height = soles->resolution;
    options.enter_speed = options.leave_speed = options.drift = ANY;
    options.gap = options.stray = 0;
    options.settle = STILL;
    TRY(lb_contacts_detect(soles, clip, &options, error));
    return known ? clear_heights(soles, error) : LB_OK;
}

/* as retarget_soles(); a capture, whose soles are assumed, stands as its motion says */
static lb_status take_soles(const lb_clip *clip, const double *rest, const lb_looks *looks,
                            const lb_allocator *allocator, lb_contacts **soles, bool *known,
                            lb_error *error)
{
    const lb_model *model = lb_clip_model(clip);
    TRY(retarget_soles(model, rest, looks, allocator, soles, known, error));
    if (*known || rest != NULL)
        return LB_OK;
    MEMORY_POOL(memory, allocator);
    TRY(retarget_take_rest(clip, NULL, &memory, &rest, error));
    lb_contacts_release(*soles);
    return retarget_soles(model, rest, looks, allocator, soles, known, error);
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
    TRY(REQUIRE_TO_MAKE(contacts, error, {clip, "clip"}));
    TRY(check_looks(lb_clip_model(clip), looks, error));
    TRY(contacts_keep(take_soles(clip, rest, looks, allocator, contacts, &known, error), contacts));
    options.ground = ground;
    options.ground_normal = ground_normal;
    options.rate = retarget_fit_rate(clip, options.rate);
    lb_status status = detect_soles(*contacts, known, clip, options, error);
    if (assumed != NULL)
        *assumed = !known;
    return contacts_keep(status, contacts);
}
