/*
 * contacts_detect.c - contacts of a clip by height and speed, with hysteresis.
 *
 * Every point is sampled at a rate of our own, so that contacts do not depend on the clip's. Two
 * numbers decide, both 1 at their threshold: the larger of height / threshold and speed /
 * threshold, for entering and for leaving. They are linear between samples, where the times of
 * contacts are found.
 */
#include "motion/contacts.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/scalar.h"
#include "motion/ground.h"

#include <limber/fk_batch.h>

#include <limits.h>

lb_contact_options lb_contact_options_default(void)
{
    return (lb_contact_options){.enter_height = 0.03,
                                .leave_height = 0.06,
                                .enter_speed = 0.25,
                                .leave_speed = 0.5,
                                .shortest = 0.08,
                                .gap = 0.06,
                                .drift = 0.05,
                                .rate = 30,
                                .stray = 0.01};
}

/* of clips far longer than any motion, whose keys are far apart: their samples would take gigabytes
 */
#define MOST_SAMPLES 1e6

/* What is measured of all points: sample i of point p is at [i * points + p]. */
typedef struct track {
    memory_pool pool;
    lb_allocator memory; /* the pool's */
    const lb_model *model;
    ground_plane ground;
    double begin, step; /* of the samples, seconds */
    double end;         /* of the clip: within a step after the last sample */
    int samples, points;
    lb_vec3 *places;
    double *speeds;
    double *sorted; /* samples */
} track;

/* ---- measuring ---------------------------------------------------------- */

static lb_status check_options(const lb_contact_options *o, lb_error *error)
{
    const char *wrong = ground_wrong(o->ground, o->ground_normal);
    if (wrong != NULL)
        return lb_error_set(error, LB_BAD_VALUE, 0, "contacts: %s", wrong);
    if (!(o->enter_height > 0 && o->leave_height >= o->enter_height && o->enter_speed > 0 &&
          o->leave_speed >= o->enter_speed && isfinite(o->leave_height) &&
          isfinite(o->leave_speed)))
        wrong = "thresholds must be positive and finite, and those of leaving not below those of "
                "entering";
    else if (!(o->shortest >= 0) || !(o->gap >= 0) || !(o->drift > 0) || !(o->rate > 0) ||
             !(o->settle >= 0) || !(o->stray >= 0) || !isfinite(o->shortest) || !isfinite(o->gap) ||
             !isfinite(o->drift) || !isfinite(o->rate) || !isfinite(1 / o->rate) ||
             !isfinite(o->settle) || !isfinite(o->stray))
        wrong = "times, settle and stray must not be negative, drift and rate must be positive, "
                "and all of them finite";
    return wrong ? lb_error_set(error, LB_BAD_VALUE, 0, "contacts: %s", wrong) : LB_OK;
}

static lb_status check(const lb_contacts *contacts, const lb_clip *clip,
                       const lb_contact_options *options, lb_error *error)
{
    lb_status status = REQUIRE(error, {contacts, "contacts"}, {clip, "clip"});
    if (status == LB_OK)
        status = check_options(options, error);
    for (int i = 0; status == LB_OK && i < contacts->count; i++)
        if (contacts->points[i].link < 0 ||
            contacts->points[i].link >= lb_model_link_count(lb_clip_model(clip)))
            status = lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                                  "point %d: the clip's model has no link %d", i,
                                  contacts->points[i].link);
    return status;
}

/* displacement between the samples before and after, over their time */
static void find_speeds(track *t)
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
                        int first, double *q, lb_transform *at, track *t)
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

static lb_status sample_places(const lb_contacts *contacts, const lb_clip *clip, track *t)
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

/* a track, whose pool is to be ended in any case */
static lb_status measure(const lb_contacts *contacts, const lb_clip *clip,
                         const lb_contact_options *options, track *t, lb_error *error)
{
    lb_status status = check(contacts, clip, options, error);
    *t = (track){.samples = 0};
    if (status != LB_OK)
        return status;
    double gaps = floor((lb_clip_end(clip) - lb_clip_begin(clip)) * options->rate + 1e-9);
    if (!(gaps < INT_MAX / (double)contacts->count - 1))
        return lb_error_set(error, LB_BAD_VALUE, 0, "contacts: too many samples at %g a second",
                            options->rate);
    double most = fmax(MOST_SAMPLES, 4.0 * lb_clip_count(clip)), step = 1 / options->rate;
    if (gaps > most) {
        step *= gaps / most;
        gaps = most;
    }
    t->memory = memory_pool_begin(&t->pool, &contacts->pool.from);
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

/* ---- deciding ----------------------------------------------------------- */

/* how far a sample is from a threshold: below 1 within it */
static double excess(const track *t, const lb_contact_options *o, const lb_contact_point *point,
                     int index, bool leaving)
{
    double height = ground_distance(&t->ground, t->places[index]) - point->height;
    double up = height / (leaving ? o->leave_height : o->enter_height);
    return fmax(up, t->speeds[index] / (leaving ? o->leave_speed : o->enter_speed));
}

/* the time between two samples at which a number passes 1 */
static double crossing(const track *t, int sample, double before, double after)
{
    double share = fabs(after - before) > 0 ? (1 - before) / (after - before) : 1;
    return t->begin + (sample - 1 + fmax(0, fmin(1, share))) * t->step;
}

/* One contact of a point that is being followed. */
typedef struct contact_search {
    lb_contacts *contacts;
    const track *track;
    const lb_contact_options *options;
    int point;
    lb_contact_span span;
    lb_vec3 began; /* where the point was */
    bool held;
    int idle; /* samples to go until another one may begin */
} contact_search;

static double distance_along(const track *t, lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(ground_along(&t->ground, lb_vec3_sub(a, b)));
}

/* how many samples a time is, up to a whole one; no more than there are */
static int samples_during(const track *t, double seconds)
{
    return (int)fmin(t->samples, ceil(seconds / t->step));
}

/* where a point is at a sample near a time */
static lb_vec3 place_near(const track *t, int point, double time)
{
    int sample = (int)fmax(0, fmin(t->samples - 1, floor((time - t->begin) / t->step + 0.5)));
    return t->places[sample * t->points + point];
}

/* adds a span, or lengthens the last one where the gap is short and the point has stayed; where it
   rests is found later if contacts are settled */
static lb_status put_span(const contact_search *s, lb_error *error)
{
    const track *t = s->track;
    const contact_list *list = &s->contacts->lists[s->point];
    const lb_contact_span *last = list->count > 0 ? &list->spans[list->count - 1] : NULL;
    double begin = s->span.begin, drift = s->options->drift;
    if (last != NULL && begin - last->end < s->options->gap &&
        (s->options->settle > 0 || distance_along(t, place_near(t, s->point, last->begin),
                                                  place_near(t, s->point, s->span.end)) < drift))
        begin = last->end;
    return lb_contacts_add(s->contacts, s->point, begin, s->span.end, error);
}

static void drop_short(contact_list *list, double shortest)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->spans[i].end - list->spans[i].begin >= shortest)
            list->spans[kept++] = list->spans[i];
    list->count = kept;
}

/* what is faster than this many times the contact's slow samples, the lower quartile, is landing */
#define SETTLED 3

/* the larger speed of a point to the sample before and to the next: what turns back is not slow */
static double settle_speed(const track *t, int point, int sample)
{
    const lb_vec3 *at = &t->places[sample * t->points + point];
    lb_vec3 before = sample > 0 ? at[-t->points] : *at;
    lb_vec3 after = sample < t->samples - 1 ? at[t->points] : *at;
    double moved =
        fmax(lb_vec3_length(lb_vec3_sub(*at, before)), lb_vec3_length(lb_vec3_sub(after, *at)));
    return moved / t->step;
}

/* Samples from one to another one. */
typedef struct sample_range {
    int first, last;
} sample_range;

/* what of a range there is; none where first is above last */
static sample_range clamp_range(const track *t, double first, double last)
{
    return (sample_range){(int)fmax(0, fmin(t->samples, first)),
                          (int)fmax(-1, fmin(t->samples - 1, last))};
}

static sample_range samples_in(const track *t, const lb_contact_span *span)
{
    // by rounding, a span that ends with the clip may seem to end on a sample that is none
    double first = ceil((span->begin - t->begin) / t->step - 1e-9);
    double last = floor((span->end - t->begin) / t->step + 1e-9);
    return clamp_range(t, first, last);
}

/* of a span's samples some are left; an end that keeps its sample stays where it is */
static void cut_to(const track *t, const sample_range *all, const sample_range *left,
                   lb_contact_span *span)
{
    if (left->first > all->first)
        span->begin = t->begin + left->first * t->step;
    if (left->last < all->last)
        span->end = t->begin + left->last * t->step;
}

/* seconds that landing and lifting off take at most, and that a step takes at least; metres a
   second that it reaches. What is shorter or slower between two rests slides */
#define LONGEST_LANDING 0.25
#define SHORTEST_STEP 0.1
#define STEP_SPEED 0.05

/* whether another point of the same foot, of its link or its toes, is still: then one that is not
   turns about it, which is no slide */
static bool turns_about(const contact_search *s, int sample)
{
    const lb_contact_point *points = s->contacts->points;
    const lb_model *model = s->track->model;
    for (int k = 0; k < s->contacts->count; k++) {
        int a = points[s->point].link, b = points[k].link;
        bool beside = k != s->point &&
                      (a == b || lb_model_parent(model, a) == b || lb_model_parent(model, b) == a);
        if (beside && settle_speed(s->track, k, sample) <= s->options->settle)
            return true;
    }
    return false;
}

static lb_status add_part(const contact_search *s, sample_range all, sample_range left,
                          lb_contact_span span, lb_error *error)
{
    cut_to(s->track, &all, &left, &span);
    return lb_contacts_add(s->contacts, s->point, span.begin, span.end, error);
}

/* the parts of a span in which the point rests, for as long as a contact takes; all of one that
   slides throughout, unless it is short: such a point passes */
static lb_status add_rests(const contact_search *s, lb_contact_span span, lb_error *error)
{
    const track *t = s->track;
    sample_range all = samples_in(t, &span), left = all;
    int count = all.last - all.first + 1, run = samples_during(t, s->options->shortest);
    for (int i = 0; i < count; i++)
        t->sorted[i] = settle_speed(t, s->point, all.first + i);
    bool brief = span.end - span.begin < LONGEST_LANDING, turned = false;
    double slow = brief || count < 1 ? 0 : scalar_select(t->sorted, count, count / 4), fastest = 0;
    lb_status status = LB_OK;
    int last = -1;
    for (int i = all.first, still = 0; i <= all.last && status == LB_OK; i++) {
        double speed = settle_speed(t, s->point, i), most = s->options->settle;
        bool turns = speed > most && turns_about(s, i);
        still = speed <= most || (!turns && speed <= SETTLED * slow) ? still + 1 : 0;
        turned = turned || turns;
        fastest = fmax(fastest, speed);
        if (still < run || still == 0)
            continue;
        // it rests from `begin` on, since it has come there by a step, or as before
        int begin = i - (run > 1 ? run - 1 : 0);
        bool steps = last >= 0 && (turned || (fastest > STEP_SPEED &&
                                              (begin - last - 2) * t->step > SHORTEST_STEP - 1e-9));
        if (steps)
            status = add_part(s, all, left, span, error);
        left.first = steps || last < 0 ? begin : left.first;
        left.last = last = i;
        fastest = 0;
        turned = false;
    }
    bool passes = last < 0 && (brief || turned);
    return status == LB_OK && !passes ? add_part(s, all, left, span, error) : status;
}

/* cuts the spans of a point back to where it rests */
static lb_status settle_spans(const contact_search *s, lb_error *error)
{
    lb_status status = LB_OK;
    contact_list *list = &s->contacts->lists[s->point], found = *list;
    *list = (contact_list){.spans = NULL};
    for (int i = 0; i < found.count && status == LB_OK; i++)
        status = add_rests(s, found.spans[i], error);
    return status;
}

/* the median of a point's places, number by number */
static lb_vec3 median_place(const track *t, int point, int first, int count)
{
    double middle[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < count; i++) {
            lb_vec3 at = t->places[(first + i) * t->points + point];
            t->sorted[i] = k == 0 ? at.x : k == 1 ? at.y : at.z;
        }
        middle[k] = scalar_select(t->sorted, count, count / 2);
    }
    return lb_vec3_make(middle[0], middle[1], middle[2]);
}

static bool is_astray(const track *t, const lb_contact_options *o, int point, int sample,
                      lb_vec3 rest)
{
    return lb_vec3_length(lb_vec3_sub(t->places[sample * t->points + point], rest)) > o->stray;
}

/* cuts a span back to where the point is near the place where it rests */
static void cut_landing(const track *t, const lb_contact_options *o, int point,
                        lb_contact_span *span)
{
    sample_range all = samples_in(t, span), left = all;
    int most = (int)fmin(t->samples, LONGEST_LANDING / t->step);
    if (all.last < all.first)
        return;
    lb_vec3 rest = median_place(t, point, all.first, all.last - all.first + 1);
    while (left.first < all.last && left.first - all.first < most &&
           is_astray(t, o, point, left.first, rest))
        left.first++;
    while (left.last > left.first && all.last - left.last < most &&
           is_astray(t, o, point, left.last, rest))
        left.last--;
    cut_to(t, &all, &left, span);
}

/* one more sample; `before` and `now` are what the threshold that counts was and is passed by */
static lb_status follow_contact(contact_search *s, int sample, double before, double now,
                                lb_error *error)
{
    const track *t = s->track;
    lb_vec3 place = t->places[sample * t->points + s->point];
    bool away = s->held && distance_along(t, place, s->began) > s->options->drift;
    s->idle -= s->idle > 0;
    if (!s->held && s->idle == 0 && now <= 1) {
        s->span.begin = sample > 0 ? crossing(t, sample, before, now) : t->begin;
        s->began = place;
        s->held = true;
    } else if (s->held && (now > 1 || away)) {
        s->span.end = away ? t->begin + (sample - 1) * t->step : crossing(t, sample, before, now);
        s->held = false;
        // what has moved on may rest again, not at once
        s->idle = away ? 1 + samples_during(t, s->options->gap) : 0;
        if (s->span.end > s->span.begin)
            return put_span(s, error);
    }
    return LB_OK;
}

static lb_status detect_point(lb_contacts *contacts, const track *t, const lb_contact_options *o,
                              int p, lb_error *error)
{
    const lb_contact_point *point = &contacts->points[p];
    contact_search search = {contacts, t, o, p, .held = false};
    lb_status status = LB_OK;
    contacts->lists[p].count = 0;
    for (int i = 0; status == LB_OK && i < t->samples; i++) {
        int here = i * t->points + p;
        double now = excess(t, o, point, here, search.held);
        double before = i > 0 ? excess(t, o, point, here - t->points, search.held) : now;
        status = follow_contact(&search, i, before, now, error);
    }
    // what rests when it is last seen does so until the clip ends
    search.span.end = t->end;
    if (search.held && status == LB_OK)
        status = put_span(&search, error);
    if (o->settle > 0 && status == LB_OK)
        status = settle_spans(&search, error);
    for (int i = 0; o->stray > 0 && i < contacts->lists[p].count; i++)
        cut_landing(t, o, p, &contacts->lists[p].spans[i]);
    drop_short(&contacts->lists[p], o->shortest);
    return status;
}

static lb_status detect_all(lb_contacts *contacts, const track *t, const lb_contact_options *o,
                            lb_error *error)
{
    lb_status status = LB_OK;
    for (int p = 0; status == LB_OK && p < contacts->count; p++)
        status = detect_point(contacts, t, o, p, error);
    return status;
}

/* ---- heights ------------------------------------------------------------ */

/* the height below which a tenth of a point's heights are, of those where it is slow */
static double low_height(const track *t, const lb_contact_options *o, int p, bool slow)
{
    int count = 0;
    for (int i = 0; i < t->samples; i++)
        if (!slow || t->speeds[i * t->points + p] < o->leave_speed)
            t->sorted[count++] = ground_distance(&t->ground, t->places[i * t->points + p]);
    return count > 0 ? scalar_select(t->sorted, count, count / 10) : low_height(t, o, p, false);
}

/* ---- all of it ---------------------------------------------------------- */

/* where a point was on average in a span */
static lb_vec3 mean_place(const track *t, int point, lb_contact_span span)
{
    sample_range in = clamp_range(t, ceil((span.begin - t->begin) / t->step),
                                  floor((span.end - t->begin) / t->step));
    int count = 0;
    lb_vec3 sum = {0, 0, 0};
    for (int i = in.first; i <= in.last; i++, count++)
        sum = lb_vec3_add(sum, t->places[i * t->points + point]);
    return count > 0 ? lb_vec3_scale(sum, 1.0 / count) : place_near(t, point, span.begin);
}

/* the normal by where all spans of the points are; `kinds` NULL: the points' heights are known */
static lb_status fit_rests(const lb_contacts *contacts, const track *t, const int *kinds,
                           ground_slope *slope, lb_error *error)
{
    size_t most = 0;
    int count = 0;
    for (int p = 0; p < contacts->count; p++)
        most += (size_t)contacts->lists[p].count;
    ground_rest *rests = memory_take(&t->memory, most, sizeof *rests);
    if (rests == NULL)
        return error_out_of_memory(error);
    for (int p = 0; p < contacts->count; p++) {
        const lb_contact_point *point = &contacts->points[p];
        const contact_list *list = &contacts->lists[p];
        for (int i = 0; i < list->count && (kinds != NULL || !point->any_height); i++) {
            rests[count] = (ground_rest){mean_place(t, p, list->spans[i]), kinds ? kinds[p] : 0};
            rests[count++].at.z -= kinds ? 0 : point->height;
        }
    }
    *slope = ground_fit(rests, count);
    return LB_OK;
}

lb_status lb_contacts_find_ground(const lb_contacts *contacts, const lb_clip *clip, lb_vec3 *normal,
                                  lb_error *error)
{
    lb_contact_options o = lb_contact_options_default();
    ground_slope slope = {.unseen = 0};
    track t;
    lb_status status = REQUIRE(error, {normal, "normal"});
    if (status != LB_OK)
        return status;
    status = measure(contacts, clip, &o, &t, error);
    if (status == LB_OK)
        status = fit_rests(contacts, &t, NULL, &slope, error);
    if (status == LB_OK)
        *normal = slope.normal;
    memory_pool_end(&t.pool);
    return status;
}

/* metres: heights that exclude nothing */
#define ANY_HEIGHT 1e9

/* the normal of what points rest on; those whose spans are not known rest where they are slow */
static lb_status find_normal(lb_contacts *contacts, const track *t, contact_survey *survey,
                             lb_error *error)
{
    lb_contact_options slow = *survey->options;
    slow.enter_height = slow.leave_height = ANY_HEIGHT;
    lb_status status = survey->spans_known ? LB_OK : detect_all(contacts, t, &slow, error);
    ground_slope slope = {.unseen = 0};
    if (status == LB_OK)
        status = fit_rests(contacts, t, survey->kinds, &slope, error);
    survey->normal = slope.normal;
    survey->unseen = slope.unseen;
    return status;
}

lb_status contacts_survey(lb_contacts *contacts, const lb_clip *clip, contact_survey *survey,
                          lb_error *error)
{
    const lb_contact_options *o = survey->options;
    track t;
    lb_status status = measure(contacts, clip, o, &t, error);
    survey->normal = t.ground.normal;
    survey->unseen = 0;
    if (status == LB_OK && survey->fit_ground)
        status = find_normal(contacts, &t, survey, error);
    t.ground.normal = survey->normal;
    for (int p = 0; status == LB_OK && !survey->heights_known && p < contacts->count; p++)
        contacts->points[p].height = low_height(&t, o, p, true);
    if (status == LB_OK && !survey->spans_known)
        status = detect_all(contacts, &t, o, error);
    memory_pool_end(&t.pool);
    return status;
}

lb_status lb_contacts_detect(lb_contacts *contacts, const lb_clip *clip,
                             const lb_contact_options *options, lb_error *error)
{
    lb_contact_options o = options != NULL ? *options : lb_contact_options_default();
    contact_survey survey = {.options = &o, .heights_known = true};
    return contacts_survey(contacts, clip, &survey, error);
}

lb_status lb_contacts_measure_heights(lb_contacts *contacts, const lb_clip *clip,
                                      const lb_contact_options *options, lb_error *error)
{
    lb_contact_options o = options != NULL ? *options : lb_contact_options_default();
    contact_survey survey = {.options = &o, .spans_known = true};
    return contacts_survey(contacts, clip, &survey, error);
}
