/*
 * given.c - contacts of the source that the user gives, for the points that a map holds.
 */
#include "motion/contacts.h"
#include "motion/retarget/plan.h"

#include <limber/kinematics.h>

#include <string.h>

/* where a point of the source is in the pose that plan->state has */
static lb_vec3 place_point(const retarget_plan *plan, const lb_contact_point *point)
{
    lb_transform t = lb_state_transform(plan->state, LB_WORLD, point->link);
    return lb_transform_point(&t, point->at);
}

static bool is_same_or_next(const lb_model *model, int a, int b)
{
    return a == b || lb_model_parent(model, a) == b || lb_model_parent(model, b) == a;
}

/*
 * The held point that is nearest to a user's one at rest, on its link or the next one: soles are
 * points of the foot, where a map may hold the toe's joint. -1: there is none.
 */
static int find_held(const retarget_plan *plan, const lb_contacts *own,
                     const lb_contact_point *given)
{
    const lb_contact_point *points = lb_contacts_points(own);
    const lb_model *model = lb_clip_model(plan->source);
    double least = INFINITY;
    int found = -1;
    for (int p = 0; p < lb_contacts_count(own); p++) {
        if (!is_same_or_next(model, points[p].link, given->link))
            continue;
        lb_vec3 gap = lb_vec3_sub(place_point(plan, &points[p]), place_point(plan, given));
        if (lb_vec3_length(gap) >= least)
            continue;
        least = lb_vec3_length(gap);
        found = p;
    }
    return found;
}

/* the spans of the user's points that are nearest to a held one; of points that are nearer to
   others those of the same link, so that one may stand for a whole foot. *any: there are some */
static lb_status take_point(retarget_plan *plan, lb_contacts *into, int point, bool *any,
                            lb_error *error)
{
    const lb_contacts *from = plan->options->contacts;
    const lb_contact_point *given = lb_contacts_points(from);
    int link = lb_contacts_points(into)[point].link;
    lb_status status = LB_OK;
    bool own = false;
    for (int pass = 0; pass < 2 && !own; pass++)
        for (int g = 0; g < lb_contacts_count(from) && status == LB_OK; g++) {
            if (pass == 0 ? find_held(plan, into, &given[g]) != point : given[g].link != link)
                continue;
            own = true;
            status = contacts_copy_spans(from, g, into, point, error);
        }
    *any = *any || own;
    return status;
}

lb_status retarget_take_spans(retarget_plan *plan, lb_contacts *into, bool *any, lb_error *error)
{
    const lb_contacts *given = plan->options->contacts;
    const lb_model *model = lb_clip_model(plan->source);
    lb_status status = LB_OK;
    *any = false;
    // a link that the model lacks is of no point
    for (int g = 0; g < lb_contacts_count(given); g++)
        if (lb_contacts_points(given)[g].link < 0 ||
            lb_contacts_points(given)[g].link >= lb_model_link_count(model))
            return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                                "contact point %d: the source has no link %d", g,
                                lb_contacts_points(given)[g].link);
    if (plan->options->rest != NULL)
        memcpy(plan->q, plan->options->rest, (size_t)lb_model_nq(model) * sizeof *plan->q);
    else
        lb_configuration_neutral(model, plan->q);
    lb_state_update(plan->state, plan->q);
    for (int p = 0; p < lb_contacts_count(into) && status == LB_OK; p++)
        status = take_point(plan, into, p, any, error);
    return status;
}
