/*
 * contacts_detect.c - contacts of a clip by height and speed, with hysteresis.
 *
 * Two numbers decide, both 1 at their threshold: the larger of height / threshold and speed /
 * threshold, for entering and for leaving. They are linear between samples, where the times of
 * contacts are found.
 */
#include "motion/contacts.h"

#include "base/error.h"
#include "math/scalar.h"

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

/* ---- deciding ----------------------------------------------------------- */

/* how far a sample is from a threshold: below 1 within it */
static double excess(const contacts_track *t, const lb_contact_options *o,
                     const lb_contact_point *point, int index, bool leaving)
{
    double height = ground_distance(&t->ground, t->places[index]) - point->height;
    double up = height / (leaving ? o->leave_height : o->enter_height);
    return fmax(up, t->speeds[index] / (leaving ? o->leave_speed : o->enter_speed));
}

/* the time between two samples at which a number passes 1 */
static double crossing(const contacts_track *t, int sample, double before, double after)
{
    double share = fabs(after - before) > 0 ? (1 - before) / (after - before) : 1;
    return t->begin + (sample - 1 + fmax(0, fmin(1, share))) * t->step;
}

/* One contact of a point that is being followed. */
typedef struct contact_search {
    lb_contacts *contacts;
    const contacts_track *track;
    const lb_contact_options *options;
    int point;
    lb_contact_span span;
    lb_vec3 began; /* where the point was */
    bool held;
    int idle; /* samples to go until another one may begin */
} contact_search;

static double distance_along(const contacts_track *t, lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(ground_along(&t->ground, lb_vec3_sub(a, b)));
}

/* how many samples a time is, up to a whole one; no more than there are */
static int samples_during(const contacts_track *t, double seconds)
{
    return (int)fmin(t->samples, ceil(seconds / t->step));
}

/* where a point is at a sample near a time */
static lb_vec3 place_near(const contacts_track *t, int point, double time)
{
    int sample = (int)fmax(0, fmin(t->samples - 1, floor((time - t->begin) / t->step + 0.5)));
    return t->places[sample * t->points + point];
}

/* adds a span, or lengthens the last one where the gap is short and the point has stayed */
static lb_status put_span(const contact_search *s, lb_error *error)
{
    const contacts_track *t = s->track;
    const contact_list *list = &s->contacts->lists[s->point];
    const lb_contact_span *last = list->count > 0 ? &list->spans[list->count - 1] : NULL;
    double begin = s->span.begin, drift = s->options->drift;
    if (last != NULL && begin - last->end < s->options->gap &&
        distance_along(t, place_near(t, s->point, last->begin),
                       place_near(t, s->point, s->span.end)) < drift)
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

/* the smaller speed of a point from the sample before and to the next: it begins or ends a rest */
static double settle_speed(const contacts_track *t, int point, int sample)
{
    const lb_vec3 *at = &t->places[sample * t->points + point];
    double least = t->samples > 1 ? INFINITY : 0;
    for (int i = sample > 0 ? -1 : 1; i <= (sample < t->samples - 1 ? 1 : -1); i += 2)
        least = fmin(least, lb_vec3_length(lb_vec3_sub(at[i * t->points], *at)));
    return least / t->step;
}

/* Samples from one to another one. */
typedef struct sample_range {
    int first, last;
} sample_range;

/* what of a range there is; none where first is above last */
static sample_range clamp_range(const contacts_track *t, double first, double last)
{
    return (sample_range){(int)fmax(0, fmin(t->samples, first)),
                          (int)fmax(-1, fmin(t->samples - 1, last))};
}

static sample_range samples_in(const contacts_track *t, const lb_contact_span *span)
{
    // by rounding, a span that ends with the clip may seem to end on a sample that is none
    double first = ceil((span->begin - t->begin) / t->step - 1e-9);
    double last = floor((span->end - t->begin) / t->step + 1e-9);
    return clamp_range(t, first, last);
}

/* seconds that landing and lifting off take at most */
#define LONGEST_LANDING 0.25

/* ---- settling ----------------------------------------------------------- */

/* Contacts that are cut back to where points rest. */
typedef struct settling {
    lb_contacts *contacts;
    const contacts_track *track;
    double settle;
    bool *down; /* of each point in each sample: it is in contact */
    bool *held; /* of each sample: the point that is settled rests */
} settling;

/* whether two points are of one foot: of its link or its toes */
static bool is_beside(const settling *s, int p, int other)
{
    const lb_model *model = s->track->model;
    int a = s->contacts->points[p].link, b = s->contacts->points[other].link;
    return a == b || lb_model_parent(model, a) == b || lb_model_parent(model, b) == a;
}

/* whether all points of a point's foot are in contact */
static bool stands(const settling *s, int p, int sample)
{
    bool all = sample < s->track->samples;
    for (int k = 0; k < s->track->points && all; k++)
        all = s->down[sample * s->track->points + k] || !is_beside(s, p, k);
    return all;
}

/* the speed of the slowest point of a point's foot: what is faster turns about that one */
static double foot_speed(const settling *s, int p, int sample)
{
    double least = INFINITY;
    for (int k = 0; k < s->track->points; k++)
        if (is_beside(s, p, k))
            least = fmin(least, settle_speed(s->track, k, sample));
    return least;
}

/* what is faster than this many times the lower quartile of a stance's speeds is landing */
#define SETTLED 3

/* the samples of a stance between landing and lifting off. A foot that is not still soon slides:
   it has come before the second of them and goes after the last but one */
static sample_range cut_ends(const settling *s, int p, sample_range stance)
{
    const contacts_track *t = s->track;
    int most = samples_during(t, LONGEST_LANDING), count = stance.last - stance.first + 1;
    for (int i = 0; i < count; i++)
        t->sorted[i] = foot_speed(s, p, stance.first + i);
    double still = fmax(s->settle, SETTLED * scalar_select(t->sorted, count, count / 4));
    sample_range left = stance;
    while (left.first < stance.last && foot_speed(s, p, left.first) > still)
        left.first++;
    while (left.last > stance.first && foot_speed(s, p, left.last) > still)
        left.last--;
    if (left.first - stance.first > most)
        left.first = stance.first + (stance.first > 0);
    if (stance.last - left.last > most)
        left.last = stance.last - (stance.last < t->samples - 1);
    return left;
}

/* a point rests in stances of its foot, and while it is in contact and still */
static void find_rests(const settling *s, int p)
{
    const contacts_track *t = s->track;
    for (int i = 0; i < t->samples; i++)
        s->held[i] = s->down[i * t->points + p] && settle_speed(t, p, i) <= s->settle;
    for (int first = 0, end; first < t->samples; first = end + 1) {
        for (end = first; stands(s, p, end); end++)
            ;
        if (end == first)
            continue;
        sample_range left = cut_ends(s, p, (sample_range){first, end - 1});
        for (int i = left.first; i <= left.last; i++)
            s->held[i] = true;
    }
}

/* the spans of a point become those in which it rests */
static lb_status settle_point(const settling *s, int p, lb_error *error)
{
    const contacts_track *t = s->track;
    find_rests(s, p);
    s->contacts->lists[p].count = 0;
    for (int first = 0, end; first < t->samples; first = end + 1) {
        for (end = first; end < t->samples && s->held[end]; end++)
            ;
        double last = end < t->samples ? t->begin + (end - 1) * t->step : t->end;
        if (end > first)
            TRY(lb_contacts_add(s->contacts, p, t->begin + first * t->step, last, error));
    }
    return LB_OK;
}

static lb_status settle_spans(lb_contacts *contacts, const contacts_track *t, double settle,
                              lb_error *error)
{
    size_t samples = (size_t)t->samples, points = (size_t)t->points;
    settling s = {.contacts = contacts,
                  .track = t,
                  .settle = settle,
                  .down = memory_take(&t->memory, samples * points, sizeof *s.down),
                  .held = memory_take(&t->memory, samples, sizeof *s.held)};
    if (memory_pool_failed(&t->memory))
        return error_out_of_memory(error);
    for (int p = 0; p < t->points; p++)
        for (int i = 0; i < contacts->lists[p].count; i++) {
            sample_range in = samples_in(t, &contacts->lists[p].spans[i]);
            for (int k = in.first; k <= in.last; k++)
                s.down[k * t->points + p] = true;
        }
    for (int p = 0; p < t->points; p++)
        TRY(settle_point(&s, p, error));
    return LB_OK;
}

/* ---- landing -------------------------------------------------------------- */

/* the median of a point's places, number by number */
static lb_vec3 median_place(const contacts_track *t, int point, int first, int count)
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

static bool is_astray(const contacts_track *t, const lb_contact_options *o, int point, int sample,
                      lb_vec3 rest)
{
    return lb_vec3_length(lb_vec3_sub(t->places[sample * t->points + point], rest)) > o->stray;
}

/* cuts a span back to where the point is near the place where it rests */
static void cut_landing(const contacts_track *t, const lb_contact_options *o, int point,
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
    // an end that keeps its sample stays where it is
    if (left.first > all.first)
        span->begin = t->begin + left.first * t->step;
    if (left.last < all.last)
        span->end = t->begin + left.last * t->step;
}

/* one more sample; `before` and `now` are what the threshold that counts was and is passed by */
static lb_status follow_contact(contact_search *s, int sample, double before, double now,
                                lb_error *error)
{
    const contacts_track *t = s->track;
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

static lb_status detect_point(lb_contacts *contacts, const contacts_track *t,
                              const lb_contact_options *o, int p, lb_error *error)
{
    const lb_contact_point *point = &contacts->points[p];
    contact_search search = {contacts, t, o, p, .held = false};
    contacts->lists[p].count = 0;
    for (int i = 0; i < t->samples; i++) {
        int here = i * t->points + p;
        double now = excess(t, o, point, here, search.held);
        double before = i > 0 ? excess(t, o, point, here - t->points, search.held) : now;
        TRY(follow_contact(&search, i, before, now, error));
    }
    // what rests when it is last seen does so until the clip ends
    search.span.end = t->end;
    return search.held ? put_span(&search, error) : LB_OK;
}

static lb_status detect_all(lb_contacts *contacts, const contacts_track *t,
                            const lb_contact_options *o, lb_error *error)
{
    for (int p = 0; p < contacts->count; p++)
        TRY(detect_point(contacts, t, o, p, error));
    if (o->settle > 0)
        TRY(settle_spans(contacts, t, o->settle, error));
    for (int p = 0; p < contacts->count; p++) {
        contact_list *list = &contacts->lists[p];
        for (int i = 0; o->stray > 0 && i < list->count; i++)
            cut_landing(t, o, p, &list->spans[i]);
        drop_short(list, o->shortest);
    }
    return LB_OK;
}

/* ---- heights ------------------------------------------------------------ */

/* the height below which a share of a point's heights are, of those where it is slower */
static double height_of_share(const contacts_track *t, double slower, int p, double share)
{
    int count = 0;
    for (int i = 0; i < t->samples; i++)
        if (t->speeds[i * t->points + p] < slower)
            t->sorted[count++] = ground_distance(&t->ground, t->places[i * t->points + p]);
    if (count == 0)
        return slower < INFINITY ? height_of_share(t, INFINITY, p, share) : 0;
    return scalar_select(t->sorted, count, (int)(share * count));
}

/* the shares of low heights: what is lower than the first is noise, and from the second on heights
   may be of landing and lifting off */
#define LOWEST 0.1
#define LOW 0.4

/* ---- all of it ---------------------------------------------------------- */

/* where a point was on average in a span */
static lb_vec3 mean_place(const contacts_track *t, int point, lb_contact_span span)
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
static lb_status fit_rests(const lb_contacts *contacts, const contacts_track *t, const int *kinds,
                           ground_slope *slope, lb_error *error)
{
    size_t most = 0;
    int count = 0;
    for (int p = 0; p < contacts->count; p++)
        most += (size_t)contacts->lists[p].count;
    ground_rest *rests = memory_take(&t->memory, most, sizeof *rests);
    TRY(require_memory(error, rests));
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
    contacts_track t;
    TRY(REQUIRE(error, {normal, "normal"}));
    MEMORY_POOL(memory, contacts != NULL ? &contacts->pool.from : NULL);
    TRY(contacts_measure(contacts, clip, &o, &memory, &t, error));
    TRY(fit_rests(contacts, &t, NULL, &slope, error));
    *normal = slope.normal;
    return LB_OK;
}

/* metres: heights that exclude nothing */
#define ANY_HEIGHT 1e9

/* the normal of what points rest on; those whose spans are not known rest where they are slow */
static lb_status find_normal(lb_contacts *contacts, const contacts_track *t, contact_survey *survey,
                             lb_error *error)
{
    lb_contact_options slow = *survey->options;
    slow.enter_height = slow.leave_height = ANY_HEIGHT;
    if (!survey->spans_known)
        TRY(detect_all(contacts, t, &slow, error));
    ground_slope slope;
    TRY(fit_rests(contacts, t, survey->kinds, &slope, error));
    survey->normal = slope.normal;
    survey->unseen = slope.unseen;
    return LB_OK;
}

static lb_status survey_track(lb_contacts *contacts, contacts_track *t, contact_survey *survey,
                              lb_error *error)
{
    const lb_contact_options *o = survey->options;
    survey->normal = t->ground.normal;
    survey->unseen = survey->spread = 0;
    if (survey->fit_ground)
        TRY(find_normal(contacts, t, survey, error));
    t->ground.normal = survey->normal;
    for (int p = 0; p < contacts->count; p++) {
        double low = height_of_share(t, o->enter_speed, p, LOWEST);
        survey->spread = fmax(survey->spread, height_of_share(t, o->enter_speed, p, LOW) - low);
        if (!survey->heights_known)
            contacts->points[p].height = height_of_share(t, o->leave_speed, p, LOWEST);
    }
    return survey->spans_known ? LB_OK : detect_all(contacts, t, o, error);
}

lb_status contacts_survey(lb_contacts *contacts, const lb_clip *clip, contact_survey *survey,
                          lb_error *error)
{
    contacts_track t;
    MEMORY_POOL(memory, contacts != NULL ? &contacts->pool.from : NULL);
    TRY(contacts_measure(contacts, clip, survey->options, &memory, &t, error));
    return survey_track(contacts, &t, survey, error);
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
