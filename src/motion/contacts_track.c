/*
 * contacts_track.c - where the points of contacts are in a clip.
 *
 * Every point is sampled at a rate of our own, so that contacts do not depend on the clip's.
 */
#include "motion/contacts.h"

#include "base/error.h"

#include <limber/fk_batch.h>

#include <limits.h>

/* of clips far longer than any motion, whose keys are far apart: their samples would take gigabytes
 */
#define MOST_SAMPLES 1e6

static lb_status check_options(const lb_contact_options *o, lb_error *error)
{
    const char *wrong = ground_wrong(o->ground, o->ground_normal);
    if (wrong != NULL)
        return REFUSE_VALUE(error, "contacts: %s", wrong);
    const double sizes[] = {o->shortest, o->gap, o->settle, o->stray};
    bool fine = o->drift > 0 && o->rate > 0 && isfinite(o->drift + o->rate + 1 / o->rate);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        fine = fine && sizes[i] >= 0 && isfinite(sizes[i]);
    if (!(o->enter_height > 0 && o->leave_height >= o->enter_height && o->enter_speed > 0 &&
          o->leave_speed >= o->enter_speed && isfinite(o->leave_height) &&
          isfinite(o->leave_speed)))
        wrong = "thresholds must be positive and finite, and those of leaving not below those of "
                "entering";
    else if (!fine)
        wrong = "times, settle and stray must not be negative, drift and rate must be positive, "
                "and all of them finite";
    return wrong ? REFUSE_VALUE(error, "contacts: %s", wrong) : LB_OK;
}

static lb_status check(const lb_contacts *contacts, const lb_clip *clip,
                       const lb_contact_options *options, lb_error *error)
{
    TRY(REQUIRE(error, {contacts, "contacts"}, {clip, "clip"}));
    TRY(check_options(options, error));
    for (int i = 0; i < contacts->count; i++)
        if (contacts->points[i].link < 0 ||
            contacts->points[i].link >= lb_model_link_count(lb_clip_model(clip)))
            return REFUSE_ARGUMENT(error, "point %d: the clip's model has no link %d", i,
                                   contacts->points[i].link);
    return LB_OK;
}

/* displacement between the samples before and after, over their time */
static void find_speeds(contacts_track *t)
{
    for (int i = 0; i < t->samples; i++) {
        int before = i > 0 ? i - 1 : i, after = i < t->samples - 1 ? i + 1 : i;
        double time = (after - before) * t->step;
        for (int p = 0; p < t->points; p++) {
            lb_vec3 moved =
                lb_vec3_sub(t->places[after * t->points + p], t->places[before * t->points + p]);
            t->speeds[i * t->points + p] = time > 0 ? lb_vec3_length(moved) / time : 0;
        }
    }
}

/* poses that are sampled before the points are found in all of them side by side */
enum { SIDE_BY_SIDE = 64 };

/* where all points are in the samples from `first` on, by rows of nq and of transforms */
static void find_places(const lb_contacts *contacts, const lb_clip *clip, lb_fk_batch *batch,
                        int first, double *q, lb_transform *at, contacts_track *t)
{
    int count = t->samples - first < SIDE_BY_SIDE ? t->samples - first : SIDE_BY_SIDE;
    size_t nq = (size_t)lb_model_nq(lb_clip_model(clip));
    for (int i = 0; i < count; i++)
        lb_clip_at(clip, t->begin + (first + i) * t->step, q + (size_t)i * nq);
    lb_fk_batch_forward(batch, &(lb_fk_batch_rows){.q = q, .transforms = at}, 0, (size_t)count);
    for (int i = 0; i < count * t->points; i++)
        t->places[first * t->points + i] =
            lb_transform_point(&at[i], contacts->points[i % t->points].at);
}

static lb_status sample_places(const lb_contacts *contacts, const lb_clip *clip, contacts_track *t)
{
    const lb_model *model = lb_clip_model(clip);
    size_t nq = (size_t)lb_model_nq(model), points = (size_t)t->points;
    lb_fk_batch_options options = lb_fk_batch_options_default();
    lb_fk_batch *batch = NULL;
    int *links = memory_take(&t->memory, points, sizeof *links);
    double *q = memory_take(&t->memory, SIDE_BY_SIDE * nq, sizeof *q);
    lb_transform *at = memory_take(&t->memory, SIDE_BY_SIDE * points, sizeof *at);
    for (int p = 0; links != NULL && p < t->points; p++)
        links[p] = contacts->points[p].link;
    options.links = links;
    options.link_count = t->points;
    if (memory_pool_failed(&t->memory) ||
        lb_fk_batch_create(model, &options, &t->memory, &batch) != LB_OK)
        return LB_OUT_OF_MEMORY;
    for (int i = 0; i < t->samples; i += SIDE_BY_SIDE)
        find_places(contacts, clip, batch, i, q, at, t);
    return LB_OK;
}

lb_status contacts_measure(const lb_contacts *contacts, const lb_clip *clip,
                           const lb_contact_options *options, const lb_allocator *pool,
                           contacts_track *t, lb_error *error)
{
    *t = (contacts_track){.samples = 0};
    TRY(check(contacts, clip, options, error));
    double gaps = floor((lb_clip_end(clip) - lb_clip_begin(clip)) * options->rate + 1e-9);
    if (!(gaps < INT_MAX / (double)contacts->count - 1))
        return REFUSE_VALUE(error, "contacts: too many samples at %g a second", options->rate);
    double most = fmax(MOST_SAMPLES, 4.0 * lb_clip_count(clip)), step = 1 / options->rate;
    if (gaps > most) {
        step *= gaps / most;
        gaps = most;
    }
    t->memory = *pool;
    t->model = lb_clip_model(clip);
    t->ground = ground_make(options->ground, options->ground_normal);
    t->begin = lb_clip_begin(clip);
    t->step = step;
    t->end = lb_clip_end(clip);
    t->samples = (int)gaps + 1;
    t->points = contacts->count;
    size_t all = (size_t)t->samples * (size_t)t->points;
    t->places = memory_take(&t->memory, all, sizeof *t->places);
    t->speeds = memory_take(&t->memory, all, sizeof *t->speeds);
    t->sorted = memory_take(&t->memory, (size_t)t->samples, sizeof *t->sorted);
    if (sample_places(contacts, clip, t) != LB_OK)
        return error_out_of_memory(error);
    find_speeds(t);
    return LB_OK;
}
