/*
 * slow.c - a motion of the source, as slow as the legs of a target need it.
 *
 * The motion is retargeted without speed limits. Of each gap between two keys it is then known how
 * many times as long it has to be for the joints that move held points; the largest of these around
 * a gap, averaged, stretches it. So the motion is slowed only where the legs are too slow, and goes
 * over smoothly to where they are not.
 */
#include "base/error.h"
#include "base/memory.h"
#include "motion/contacts.h"
#include "motion/pace.h"
#include "motion/retarget/retarget.h"
#include "motion/spline.h"

#include <limber/retarget.h>

#include <string.h>

/* the share of a speed that is used: the slowed motion is solved again, and differs a little */
#define SPEED_SHARE 0.85
/* seconds to both sides of a gap over which gaps are stretched alike */
#define SPREAD 0.03

/* One run. */
typedef struct slowing {
    const lb_clip *source;
    const lb_model *target;
    const lb_retarget_options *options;
    const lb_allocator *allocator;
    lb_allocator memory; /* a pool's */
    lb_clip *motion;     /* of the target, at the source's keys */
    lb_contacts *held;   /* of the target */
    double *need, *most; /* of each gap: times as long; the largest around */
    double *times;       /* of the slowed keys */
    double *wholes;      /* for spread() */
    int count;           /* keys */
    int stuck;           /* a joint that has to move and may not, -1: there is none */
} slowing;

/* whether a joint moves a point that is held */
static bool moves_held(const slowing *s, int joint)
{
    for (int i = 0; i < lb_contacts_count(s->held); i++) {
        int link = lb_contacts_points(s->held)[i].link;
        if (retarget_is_below(s->target, joint + 1, link))
            return true;
    }
    return false;
}

static double join(double a, double b, bool mean)
{
    return mean ? a + b : fmax(a, b);
}

/*
 * Of each gap the mean, or the largest, of the gaps that begin within SPREAD of its begin: of gaps
 * from `first` to before `end`. Nothing can be taken out of a maximum, nor exactly out of a sum, so
 * for each gap from `first` on the whole up to `split` is kept, and beside it that from there on.
 */
static void spread(const slowing *s, const double *from, double *to, bool mean)
{
    const double *times = lb_clip_times(s->source);
    double behind = 0;
    for (int i = 0, first = 0, split = 0, end = 0; i + 1 < s->count; i++) {
        while (times[first] < times[i] - SPREAD)
            first++;
        for (; end + 1 < s->count && times[end] <= times[i] + SPREAD; end++)
            behind = join(behind, from[end], mean);
        if (first >= split) {
            behind = 0;
            for (int k = end; k > first; k--)
                s->wholes[k - 1] = join(from[k - 1], k < end ? s->wholes[k] : 0, mean);
            split = end;
        }
        double whole = join(s->wholes[first], behind, mean);
        to[i] = mean ? whole / (end - first) : whole;
    }
}

/* a joint's part in what the gaps need */
static void add_need(slowing *s, int joint)
{
    const lb_joint *j = lb_model_joint(s->target, joint);
    if (!retarget_has_numbers(j->kind) || !isfinite(j->velocity) || j->mimic != NULL ||
        !moves_held(s, joint))
        return;
    const double *times = lb_clip_times(s->source);
    for (int k = 0; k < lb_joint_kind_nq(j->kind); k++) {
        int at = lb_model_joint_q(s->target, joint) + k;
        for (int i = 0; i + 1 < s->count; i++) {
            double by = lb_clip_key(s->motion, i + 1)[at] - lb_clip_key(s->motion, i)[at];
            double change = rest_or_change(fabs(by));
            double time = change > 0 ? change / (SPEED_SHARE * j->velocity) : 0;
            s->times[i] = time / (times[i + 1] - times[i]);
            if (!isfinite(s->times[i]))
                s->stuck = joint;
        }
        spread(s, s->times, s->most, true);
        for (int i = 0; i + 1 < s->count; i++)
            s->need[i] = fmax(s->need[i], s->most[i]);
    }
}

static void find_times(slowing *s)
{
    const double *times = lb_clip_times(s->source);
    for (int i = 0; i < s->count; i++)
        s->need[i] = 1;
    for (int j = 0; j < lb_model_joint_count(s->target); j++)
        add_need(s, j);
    spread(s, s->need, s->most, false);
    // the mean of the largest ones is nowhere less than what a gap needs
    spread(s, s->most, s->need, true);
    s->times[0] = times[0];
    for (int i = 1; i < s->count; i++)
        s->times[i] = s->times[i - 1] + s->need[i - 1] * (times[i] - times[i - 1]);
}

/* the slowed time of one of the source */
static double slowed_time(const slowing *s, double time)
{
    const double *times = lb_clip_times(s->source);
    int before = sorted_before(times, sizeof *times, s->count - 1, time);
    int from = before > 0 ? before : 0;
    return s->times[from] + s->need[from] * (time - times[from]);
}

/* the spans of the target's points that are a held one of the map, at slowed times */
static lb_status take_spans(const slowing *s, const lb_retarget_pair *pair, int held,
                            lb_contacts *to, int point, lb_error *error)
{
    const lb_vec3 at = pair->held[held].at;
    for (int p = 0; p < lb_contacts_count(s->held); p++) {
        const lb_contact_point *own = &lb_contacts_points(s->held)[p];
        bool same = own->link == pair->target && own->at.x == at.x && own->at.y == at.y &&
                    own->at.z == at.z;
        int spans;
        const lb_contact_span *span = lb_contacts_spans(s->held, p, &spans);
        for (int i = 0; i < spans && same; i++)
            TRY(lb_contacts_add(to, point, slowed_time(s, span[i].begin),
                                slowed_time(s, span[i].end), error));
    }
    return LB_OK;
}

/* the contacts of the target at slowed times, over the links of the source that the map has; those
   that are never held have no spans, so that they are not looked for in the slowed motion */
static lb_status take_contacts(const slowing *s, const lb_retarget_map *map, lb_contacts **contacts,
                               lb_error *error)
{
    lb_contact_point points[LB_RETARGET_PAIRS * LB_RETARGET_HELD];
    int count = 0;
    for (int i = 0; i < map->count; i++)
        for (int k = 0; k < map->pairs[i].held_count; k++)
            points[count++] = (lb_contact_point){.link = map->pairs[i].held[k].source,
                                                 .at = map->pairs[i].held[k].source_at,
                                                 .any_height = map->pairs[i].held[k].any_height};
    if (count == 0)
        return LB_OK;
    TRY(lb_contacts_create(points, count, s->allocator, contacts, error));
    count = 0;
    for (int i = 0; i < map->count; i++)
        for (int k = 0; k < map->pairs[i].held_count; k++)
            TRY(take_spans(s, &map->pairs[i], k, *contacts, count++, error));
    return LB_OK;
}

static lb_status perform(slowing *s, lb_clip **slowed, lb_contacts **contacts, lb_error *error)
{
    lb_retarget_options o = *s->options;
    lb_retarget_map found;
    o.any_speed = true;
    o.smooth = 0; // what legs that follow the source need
    o.rate = 0;
    // held points of pairs with roles are known when these are aligned
    const lb_allocator *memory = &s->memory;
    TRY(retarget_take_rest(s->source, o.map, memory, &o.rest, error));
    TRY(retarget_take_map(&o, lb_clip_model(s->source), s->target, memory, &found, error));
    o.map = &found;
    TRY(lb_retarget(s->source, s->target, &o, memory, &s->motion, &s->held, NULL, error));
    if (s->held != NULL)
        find_times(s);
    if (s->stuck >= 0)
        return REFUSE_VALUE(error,
                            "joint '%s' has to move, but its speed is limited to %g: no time is "
                            "enough",
                            lb_model_joint(s->target, s->stuck)->name,
                            lb_model_joint(s->target, s->stuck)->velocity);
    if (s->held == NULL)
        memcpy(s->times, lb_clip_times(s->source), (size_t)s->count * sizeof *s->times);
    if (s->held != NULL)
        TRY(take_contacts(s, o.map, contacts, error));
    return lb_clip_create(lb_clip_model(s->source), s->times, lb_clip_key(s->source, 0), s->count,
                          lb_clip_interpolation(s->source), s->allocator, slowed, error);
}

lb_status lb_retarget_slow(const lb_clip *source, const lb_model *target,
                           const lb_retarget_options *options, const lb_allocator *allocator,
                           lb_clip **slowed, lb_contacts **contacts, lb_error *error)
{
    TRY(REQUIRE(error, {source, "source"}, {target, "target"}, {slowed, "slowed"},
                {contacts, "contacts"}));
    *slowed = NULL;
    *contacts = NULL;
    MEMORY_POOL(memory, allocator);
    lb_retarget_options defaults = lb_retarget_options_default();
    slowing s = {.source = source,
                 .target = target,
                 .options = options != NULL ? options : &defaults,
                 .allocator = allocator,
                 .memory = memory,
                 .count = lb_clip_count(source),
                 .stuck = -1};
    double *room = memory_take(&s.memory, 4 * (size_t)s.count, sizeof *room);
    TRY(require_memory(error, room));
    s.need = room, s.most = room + s.count, s.times = room + 2 * s.count;
    s.wholes = room + 3 * s.count;
    return contacts_keep(perform(&s, slowed, contacts, error), contacts);
}
