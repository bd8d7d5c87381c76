/*
 * check_report.c - what is wrong with a motion, for people and as JSON.
 */
#include "cli/report/describe.h"

#include "cli/report/report.h"
#include "cli/report/results.h"

#include <limber/math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 8, NAME_WIDTH = 25 };

/* ---- items ----------------------------------------------------------------- */

/* the link or the joint that a worst value is of, NULL: there is none */
static const char *name_where(const lb_clip *clip, const lb_contacts *contacts, int item,
                              const lb_check_worst *worst)
{
    if (worst->where < 0)
        return NULL;
    const lb_model *model = lb_clip_model(clip);
    if (item <= LB_CHECK_PENETRATION)
        return lb_model_link(model, lb_contacts_points(contacts)[worst->where].link)->name;
    if (item == LB_CHECK_OVERLAP)
        return lb_model_link(model, worst->where)->name;
    return lb_model_joint(model, worst->where)->name;
}

static bool any_speed_limit(const lb_model *model)
{
    for (int i = 0; i < lb_model_joint_count(model); i++)
        if (isfinite(lb_model_joint(model, i)->velocity))
            return true;
    return false;
}

/* why nothing is known of an item, NULL: it is measured */
static const char *why_unknown(const check_facts *facts, const lb_check_report *report, int item)
{
    bool of_feet = item <= LB_CHECK_PENETRATION;
    if (item == LB_CHECK_SPEED)
        return any_speed_limit(lb_clip_model(facts->clip)) ? NULL : "no joint has a speed limit";
    if (item == LB_CHECK_OVERLAP)
        return check_links_measured(facts->links) ? NULL
                                                  : "no two links have shapes that could touch";
    if (item == LB_CHECK_OPEN && lb_model_loop_count(lb_clip_model(facts->clip)) == 0)
        return "the model has no loops";
    if (of_feet && facts->contacts == NULL)
        return "no feet are known";
    if (of_feet && item != LB_CHECK_SLIDE && facts->soles_assumed)
        return "the feet have no shapes that say where their soles are";
    // of a figure that never rests all keys float, or too few for that
    bool aloft = item == LB_CHECK_FLOATING && report->items[item].worst > 0;
    if (of_feet && item != LB_CHECK_PENETRATION && feet_spans(facts->contacts) == 0 && !aloft)
        return "no point of the feet rests";
    return NULL;
}

/* whether nothing is printed of an item that is not measured: that there are no feet is a warning
 */
static bool is_left_out(const check_facts *facts, int item)
{
    return (item <= LB_CHECK_PENETRATION && facts->contacts == NULL) ||
           (item == LB_CHECK_OVERLAP && facts->links == NULL);
}

bool check_report_is_bad(const check_facts *facts, const lb_check_report *report)
{
    for (int i = 0; i < LB_CHECK_COUNT; i++)
        if (report->items[i].beyond > 0 && why_unknown(facts, report, i) == NULL)
            return true;
    for (int i = 0; facts->fidelity != NULL && i < LB_FIDELITY_COUNT; i++)
        if (facts->fidelity->items[i].beyond)
            return true;
    return false;
}

/* ---- pairs ----------------------------------------------------------------- */

/* A pair that comes near, and its names. */
typedef struct near_pair {
    const char *a, *b;
    const lb_check_pair *found;
} near_pair;

static near_pair pair_at(const check_links *links, int index)
{
    int a, b;
    lb_collision_pair_at(links->collision, index, &a, &b);
    return (near_pair){lb_collision_body_name(links->collision, a),
                       lb_collision_body_name(links->collision, b), &links->pairs[index]};
}

static int count_checked(const check_links *links)
{
    int checked = 0, a, b;
    for (int i = 0; i < lb_collision_pair_count(links->collision); i++)
        checked += lb_collision_pair_at(links->collision, i, &a, &b) == LB_PAIR_CHECKED;
    return checked;
}

bool check_links_measured(const check_links *links)
{
    return links != NULL && count_checked(links) > 0;
}

int check_links_near(const check_links *links)
{
    int count = 0;
    for (int i = 0; i < lb_collision_pair_count(links->collision); i++)
        count += links->pairs[i].near > 0;
    return count;
}

static int compare_pairs(const void *a, const void *b)
{
    const lb_check_pair *x = ((const near_pair *)a)->found, *y = ((const near_pair *)b)->found;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* the pairs that come near, the nearest first */
static near_pair *sort_pairs(const check_links *links, int *count)
{
    near_pair *list = allocate_or_exit((size_t)check_links_near(links), sizeof *list);
    *count = 0;
    for (int i = 0; i < lb_collision_pair_count(links->collision); i++)
        if (links->pairs[i].near > 0)
            list[(*count)++] = pair_at(links, i);
    if (*count > 1)
        qsort(list, (size_t)*count, sizeof *list, compare_pairs);
    return list;
}

/* ---- words ----------------------------------------------------------------- */

/* how deep shapes are in each other, 0 where they are apart; both metres */
static double overlap_of(double distance)
{
    return distance < 0 ? -distance : 0;
}

static void print_pair(const lb_clip *clip, const check_links *links, const near_pair *pair,
                       FILE *stream)
{
    double distance = pair->found->distance;
    int used = fprintf(stream, "  %s - %s", pair->a, pair->b);
    fprintf(stream, "%*s%-13.4g%-14.4g%-11.4g%d", used < 50 ? 50 - used : 1, "",
            1000 * overlap_of(distance), 1000 * fmax(0, distance),
            lb_clip_times(clip)[pair->found->key], pair->found->touching);
    if (links->margin > 0)
        fprintf(stream, " touching, %d near", pair->found->near);
    fprintf(stream, "\n");
}

static void print_pairs(const lb_clip *clip, const check_links *links, FILE *stream)
{
    int count, left = lb_collision_missing(links->collision);
    near_pair *list = sort_pairs(links, &count);
    fprintf(stream, "%d pairs of links checked", count_checked(links));
    if (left > 0)
        fprintf(stream, "; %d shapes are missing", left);
    fprintf(stream, "\n");
    if (count > 0)
        fprintf(stream, "  %-48s%-13s%-14s%-11s%s\n", "links", "overlap, mm", "distance, mm",
                "time", "frames");
    for (int i = 0; i < count && i < LISTED; i++)
        print_pair(clip, links, &list[i], stream);
    if (count > LISTED)
        fprintf(stream, "  and %d pairs more\n", count - LISTED);
}

static void print_item(const lb_clip *clip, const lb_contacts *contacts, int item,
                       const lb_check_worst *w, FILE *stream)
{
    const char *name = name_where(clip, contacts, item, w);
    fprintf(stream, "  %-14s%-12.4g%-9s", lb_check_text((lb_check_item)item), w->worst,
            lb_check_unit((lb_check_item)item));
    if (w->key >= 0)
        fprintf(stream, "%-11.4g%-*s %d\n", lb_clip_times(clip)[w->key], NAME_WIDTH,
                name != NULL ? name : "-", w->beyond);
    else
        fprintf(stream, "%-11s%-*s %d\n", "-", NAME_WIDTH, "-", w->beyond);
}

/* whether some point is not of a foot */
static bool any_height(const lb_contacts *contacts)
{
    int i = lb_contacts_count(contacts) - 1;
    while (i >= 0 && !lb_contacts_points(contacts)[i].any_height)
        i--;
    return i >= 0;
}

static void print_contacts(const check_facts *facts, FILE *stream)
{
    int spans = feet_spans(facts->contacts), points = lb_contacts_count(facts->contacts);
    fprintf(stream, "%d contact%s of %d points of the feet%s, %s%s\n", spans, spans == 1 ? "" : "s",
            points, any_height(facts->contacts) ? " and hands" : "", facts->origin,
            facts->soles_assumed ? "; sole positions assumed" : "");
}

static void print_fidelity(const check_facts *facts, FILE *stream)
{
    const lb_fidelity_report *report = facts->fidelity;
    fprintf(
        stream,
        "beside its source: %.4g times as long; travels %.4g legs of %.4g; %.2g %% of values at "
        "limits\n  %-14s%-12s%-12s%-12s%-9stime\n",
        report->duration, report->travel, report->source_travel, 100 * report->at_limits, "",
        "mean", "95 %", "worst", "unit");
    for (int i = 0; i < LB_FIDELITY_COUNT; i++) {
        const lb_fidelity_worst *of = &report->items[i];
        fprintf(stream, "  %-14s", lb_fidelity_text((lb_fidelity_item)i));
        if (of->known)
            fprintf(stream, "%-12.4g%-12.4g%-12.4g%-9s%-11.4g%s\n", of->mean, of->p95, of->worst,
                    lb_fidelity_unit((lb_fidelity_item)i), lb_clip_times(facts->clip)[of->key],
                    of->beyond ? "beyond" : "");
        else
            fprintf(stream, "not measured: a figure has no two arms\n");
    }
}

void check_report_words(const check_facts *facts, const lb_check_report *report, FILE *stream)
{
    const lb_clip *clip = facts->clip;
    fprintf(stream, "%d frames, %g s\n", report->keys, lb_clip_end(clip) - lb_clip_begin(clip));
    if (facts->contacts != NULL)
        print_contacts(facts, stream);
    fprintf(stream, "  %-14s%-12s%-9s%-11s%-*s %s\n", "", "worst", "unit", "time", NAME_WIDTH, "of",
            "frames beyond");
    for (int i = 0; i < LB_CHECK_COUNT; i++) {
        const char *unknown = why_unknown(facts, report, i);
        if (unknown == NULL)
            print_item(clip, facts->contacts, i, &report->items[i], stream);
        else if (!is_left_out(facts, i) && i != LB_CHECK_OPEN)
            fprintf(stream, "  %-14snot measured: %s\n", lb_check_text((lb_check_item)i), unknown);
    }
    if (check_links_measured(facts->links))
        print_pairs(clip, facts->links, stream);
    if (facts->fidelity != NULL)
        print_fidelity(facts, stream);
}

/* ---- JSON ------------------------------------------------------------------ */

static json_t *item_json(const lb_clip *clip, const lb_contacts *contacts, int item,
                         const lb_check_worst *w)
{
    const char *name = name_where(clip, contacts, item, w);
    json_t *all = json_pack("{s:o, s:o, s:i}", "worst", json_finite(w->worst), "rms",
                            json_finite(w->rms), "frames_beyond", w->beyond);
    if (w->key >= 0) {
        set_json(all, "frame", json_integer(w->key));
        set_json(all, "time", json_real(lb_clip_times(clip)[w->key]));
    }
    if (name != NULL)
        set_json(all, "of", json_string(name));
    return all;
}

static json_t *pair_json(const lb_clip *clip, const near_pair *pair)
{
    const lb_check_pair *found = pair->found;
    return json_pack("{s:s, s:s, s:f, s:f, s:i, s:f, s:i, s:i}", "a", pair->a, "b", pair->b,
                     "distance", found->distance, "overlap", overlap_of(found->distance), "frame",
                     found->key, "time", lb_clip_times(clip)[found->key], "frames_touching",
                     found->touching, "frames_near", found->near);
}

static json_t *links_json(const lb_clip *clip, const check_links *links)
{
    int count, checked = count_checked(links);
    near_pair *list = sort_pairs(links, &count);
    json_t *near = json_array();
    for (int i = 0; i < count; i++)
        append_json(near, pair_json(clip, &list[i]));
    const char *shapes = checked == 0 ? "none" : links->by_looks ? "looks" : "collision";
    return json_pack("{s:s, s:i, s:i, s:f, s:o}", "shapes", shapes, "missing",
                     lb_collision_missing(links->collision), "pairs", checked, "margin",
                     links->margin, "near", near);
}

static json_t *contacts_json(const check_facts *facts)
{
    if (facts->contacts == NULL)
        return json_null();
    return json_pack("{s:i, s:i, s:s, s:b}", "points", lb_contacts_count(facts->contacts), "spans",
                     feet_spans(facts->contacts), "origin", facts->origin, "soles_assumed",
                     facts->soles_assumed);
}

static json_t *fidelity_json(const check_facts *facts)
{
    const lb_fidelity_report *report = facts->fidelity;
    json_t *all = json_pack("{s:i, s:f, s:f, s:f, s:f}", "frames", report->keys, "duration",
                            report->duration, "source_travel", report->source_travel, "travel",
                            report->travel, "at_limits", report->at_limits);
    for (int i = 0; i < LB_FIDELITY_COUNT; i++) {
        const lb_fidelity_worst *of = &report->items[i];
        const char *name = lb_fidelity_text((lb_fidelity_item)i);
        if (of->known)
            set_json(all, name,
                     json_pack("{s:f, s:f, s:f, s:i, s:f, s:b}", "mean", of->mean, "p95", of->p95,
                               "worst", of->worst, "frame", of->key, "time",
                               lb_clip_times(facts->clip)[of->key], "beyond", of->beyond));
        else
            set_json(all, name, json_null());
    }
    return all;
}

json_t *check_report_json(const check_facts *facts, const lb_check_report *report)
{
    json_t *all = json_object();
    set_json(all, "frames", json_integer(report->keys));
    set_json(all, "contacts", contacts_json(facts));
    for (int i = 0; i < LB_CHECK_COUNT; i++)
        if (!is_left_out(facts, i))
            set_json(all, lb_check_text((lb_check_item)i),
                     why_unknown(facts, report, i) != NULL
                         ? json_null()
                         : item_json(facts->clip, facts->contacts, i, &report->items[i]));
    if (facts->links != NULL)
        set_json(all, "links", links_json(facts->clip, facts->links));
    if (facts->fidelity != NULL)
        set_json(all, "source", fidelity_json(facts));
    return all;
}

json_t *check_key_json(const lb_clip *clip, const check_links *links, int key)
{
    json_t *list = json_array();
    int capacity = lb_collision_pair_count(links->collision);
    lb_proximity *found = allocate_or_exit((size_t)capacity, sizeof *found);
    int count =
        lb_collision_near(links->collision, lb_clip_key(clip, key), links->margin, capacity, found);
    for (int i = 0; i < count; i++) {
        json_t *pair = json_pair(links->collision, &found[i]);
        set_json(pair, "overlap", json_real(overlap_of(found[i].distance)));
        append_json(list, pair);
    }
    dispose(found);
    return list;
}

/* ---- remarks on a retargeting that is not as its source ----------------- */

/* metres below the level on which feet rest that are no inaccuracy of a capture */
#define THROUGH_GROUND 0.1

void remark_source(const lb_clip *clip, const double *rest)
{
    static const lb_check_item items[] = {LB_CHECK_JUMP, LB_CHECK_SHIFT, LB_CHECK_PENETRATION};
    lb_check_options options = lb_check_options_default();
    lb_check_report report;
    // a figure without feet has none
    lb_contacts *contacts = NULL;
    lb_rig_contacts(clip, rest, 0, lb_vec3_make(0, 0, 0), &program_memory, &contacts, NULL, NULL);
    options.thresholds[LB_CHECK_PENETRATION] = THROUGH_GROUND;
    lb_status status = lb_clip_check(clip, contacts, &options, NULL, NULL, &report, NULL);
    for (int i = 0; i < 3 && status == LB_OK; i++) {
        const lb_check_worst *w = &report.items[items[i]];
        if (w->beyond > 0)
            remark("the source itself has a %s of %.2g %s at %.4g s (%s); frames that have one: %d",
                   lb_check_text(items[i]), w->worst, lb_check_unit(items[i]),
                   lb_clip_times(clip)[w->key], name_where(clip, contacts, items[i], w), w->beyond);
    }
}

/* whether a link of the source's figure has a role that no pair has; toes are seldom to be had */
static bool is_left_out_role(const lb_retarget_map *map, const lb_rig *rig, lb_role role)
{
    bool out = role < LB_ROLE_COUNT && rig->links[role] >= 0 && role != LB_ROLE_LEFT_TOE &&
               role != LB_ROLE_RIGHT_TOE;
    for (int i = 0; i < map->count; i++)
        out = out && map->pairs[i].role != role;
    return out;
}

void remark_left_out(const lb_retarget_map *map, const lb_model *source)
{
    char list[256] = "", other[32];
    lb_rig rig;
    if (lb_rig_find(source, NULL, &rig, NULL) != LB_OK)
        return;
    for (int i = 0; i < LB_ROLE_COUNT; i++) {
        const char *text = lb_role_text((lb_role)i);
        bool left = strncmp(text, "left ", 5) == 0, right = strncmp(text, "right ", 6) == 0;
        snprintf(other, sizeof other, "%s %s", left ? "right" : "left",
                 text + (left    ? 5
                         : right ? 6
                                 : 0));
        bool both = (left || right) && is_left_out_role(map, &rig, lb_role_find(other));
        // of both sides at once
        if (is_left_out_role(map, &rig, (lb_role)i) && !(right && both))
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s%s", *list ? ", " : "",
                     both ? text + 5 : text, both ? "s" : "");
    }
    if (*list)
        remark("left out, as no such joints of the target are found: %s", list);
}

/* a slope that was found, not given */
void remark_slope(const lb_retarget_report *report)
{
    lb_vec3 n = report->source_normal;
    double unseen = lb_atan2(report->unseen_slope, 1) * 180 / LB_PI;
    if (n.x != 0 || n.y != 0)
        remark("the motion is on a slope of %.1f degrees: --source-ground-normal \"%.4f %.4f "
               "%.4f\"; slopes across the path below %.0f degrees cannot be recognised",
               lb_acos(n.z) * 180 / LB_PI, n.x, n.y, n.z, unseen);
}

/* metres by which feet may slide or be below the ground before it is said: as in limber check */
#define SEEN 1e-3

/* metres by which a step becomes another one before it is said; how much too fast legs are then,
   and in which share of the frames a speed holds some joint back */
#define STEP_SEEN 0.01
#define FAST_SEEN 1.2
#define SLOW_SEEN 0.1

/* of how far held feet slide and are below the ground what is seen */
static void say_feet(double slide, double below, char *what, size_t size)
{
    if (below <= SEEN)
        snprintf(what, size, "held feet slide by up to %.0f mm", 1e3 * slide);
    else if (slide <= SEEN)
        snprintf(what, size, "held feet are up to %.0f mm below the ground", 1e3 * below);
    else
        snprintf(what, size,
                 "held feet slide by up to %.0f mm and are up to %.0f mm below the ground",
                 1e3 * slide, 1e3 * below);
}

/* legs that are too slow for the motion, what comes of it, and what helps */
void remark_slow_legs(const lb_retarget_report *r, bool retime)
{
    double slide = r->worst_slide, below = r->worst_penetration;
    bool slides = fmax(slide, below) > SEEN;
    bool moved = r->worst_moved > STEP_SEEN;
    bool held_back = !retime && r->fastest_leg > FAST_SEEN && r->slowed > SLOW_SEEN * r->frames;
    char what[160];
    if (!(r->fastest_leg > 1) || !(slides || moved || held_back))
        return;
    if (slides)
        say_feet(slide, below, what, sizeof what);
    else if (!moved)
        snprintf(what, sizeof what, "%d of %d frames are held back", r->slowed, r->frames);
    else
        snprintf(what, sizeof what, "%d contacts are up to %.0f mm from their places", r->moved,
                 1e3 * r->worst_moved);
    if (isinf(r->fastest_leg)) {
        remark("legs have a joint that would have to move and whose speed is limited to 0: %s; "
               "--no-speed-limits shows the motion without limits",
               what);
        return;
    }
    remark("legs would have to be %.1f times as fast as their limits: %s; %s", r->fastest_leg, what,
           retime ? "--no-speed-limits shows the motion without limits"
                  : "--retime slows the motion where the legs need it");
}

void remark_accelerations(const lb_retarget_report *r)
{
    char what[160];
    if (r->accelerated > 0)
        remark("%d of %d frames exceed limits of acceleration, %.1f times at most%s",
               r->accelerated, r->frames, r->acceleration,
               r->smoothed ? "" : ": each frame of this motion is solved for itself");
    if (r->accelerated > 0 || !(r->acceleration > 0) || r->fastest_leg > 1 ||
        !(fmax(r->worst_slide, r->worst_penetration) > SEEN))
        return;
    say_feet(r->worst_slide, r->worst_penetration, what, sizeof what);
    remark("within the limits of acceleration %s", what);
}
