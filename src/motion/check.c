/*
 * check.c - measures of a clip, key by key.
 *
 * Each measure is a number that is zero or small for a good motion, and what it is of (a joint, a
 * point). A report keeps the largest of each; sums of squares make the root mean squares.
 */
#include "motion/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "collision/layout.h"
#include "kinematics/assembly.h"
#include "motion/contacts.h"
#include "motion/ground.h"
#include "motion/pace.h"
#include "motion/retarget/figure.h"
#include "motion/rotation.h"

#include <limber/check.h>
#include <limber/kinematics.h>

#include <string.h>

const char *lb_check_text(lb_check_item item)
{
    static const char *const texts[] = {LB_CHECK_LIST(MEASURE_TEXT)};
    return (unsigned)item < LB_CHECK_COUNT ? texts[item] : "";
}

const char *lb_check_unit(lb_check_item item)
{
    static const char *const units[] = {LB_CHECK_LIST(MEASURE_UNIT)};
    return (unsigned)item < LB_CHECK_COUNT ? units[item] : "";
}

lb_check_options lb_check_options_default(void)
{
    return (lb_check_options){.thresholds = {LB_CHECK_LIST(MEASURE_THRESHOLD)}};
}

/* a limit that is met exactly is passed by rounding: as for speeds */
#define LIMIT_MARGIN (1 + 1e-6)

/* The measures of one key, and what they are of. */
typedef struct key_measures {
    double values[LB_CHECK_COUNT];
    int where[LB_CHECK_COUNT];
    bool too_fast; /* some joint is beyond its limit of acceleration */
} key_measures;

/* A part of a sole, where it was when its foot came to rest. */
typedef struct check_part {
    int point;         /* of the contacts: the nearest one */
    bool touched;      /* the ground, then */
    lb_vec3 at, place; /* in the link; in the world */
} check_part;

/* The sole of a link with heel and toe. */
typedef struct check_foot {
    int link, point; /* one of the contacts on it */
    bool rested;     /* all its points were held in the key before */
    lb_transform at; /* the link, then */
    lb_vec3 slid;    /* how far since it came to rest; of contacts that were detected */
    retarget_sole sole;
    check_part *parts;
} check_foot;

typedef struct check_run {
    const lb_clip *clip;
    const lb_contacts *contacts;
    lb_check_options options;
    ground_plane ground;
    lb_state *state;
    lb_assembly *assembly;         /* of a model with loops, else NULL */
    lb_vec3 *places;               /* of each point: where it was when its contact began */
    double *heights;               /* of each point: its own, or that of the sole beside it */
    bool aloft;                    /* no point ever rests, for longer than a jump takes */
    const lb_contact_span **spans; /* of each point: the contact that is */
    check_foot *feet;
    int foot_count;
    key_measures now;
    double accelerations; /* sum of squares over all keys and values */
} check_run;

/* keeps the larger value */
static void note(check_run *run, lb_check_item item, double value, int where)
{
    if (value > run->now.values[item]) {
        run->now.values[item] = value;
        run->now.where[item] = where;
    }
}

/* ---- feet ----------------------------------------------------------------- */

/* metres above the ground at which a part of a foot that comes to rest touches it: soles are a
   little rounded */
#define TOUCHING 0.01

/* whether all points of a link that rest on the ground do so now */
static bool rests(const check_run *run, int link)
{
    const lb_contact_point *points = lb_contacts_points(run->contacts);
    for (int i = 0; i < lb_contacts_count(run->contacts); i++)
        if (points[i].link == link && !points[i].any_height && run->spans[i] == NULL)
            return false;
    return true;
}

/* the point of a segment that is nearest to 0 */
static lb_vec3 nearest_to_zero(lb_vec3 a, lb_vec3 b)
{
    lb_vec3 along = lb_vec3_sub(b, a);
    double square = lb_vec3_dot(along, along);
    double share = square > 0 ? -lb_vec3_dot(a, along) / square : 0;
    return lb_vec3_add(a, lb_vec3_scale(along, fmax(0, fmin(1, share))));
}

/* how far a foot has gone along the ground since the key before: its stillest point between two
   points of the contacts, about which it rolls or turns */
static lb_vec3 foot_step(const check_run *run, const check_foot *foot, const lb_transform *link)
{
    const lb_contact_point *points = lb_contacts_points(run->contacts);
    lb_vec3 least = {INFINITY, 0, 0}, last = {0, 0, 0};
    for (int i = 0, found = 0; i < lb_contacts_count(run->contacts); i++) {
        if (points[i].link != foot->link || points[i].any_height)
            continue;
        lb_vec3 step = lb_vec3_sub(lb_transform_point(link, points[i].at),
                                   lb_transform_point(&foot->at, points[i].at));
        step = ground_along(&run->ground, step);
        lb_vec3 still = found++ > 0 ? nearest_to_zero(last, step) : step;
        least = lb_vec3_length(still) < lb_vec3_length(least) ? still : least;
        last = step;
    }
    return least;
}

/* how deep a foot's sole is, and how far what touches the ground slides while all of it rests */
static void measure_foot(check_run *run, check_foot *foot)
{
    const lb_transform *link = &lb_state_transforms(run->state)[foot->link];
    lb_vec3 up = retarget_along_link(link, run->ground.normal);
    bool rested = foot->rested;
    foot->rested = rests(run, foot->link);
    foot->slid = rested && foot->rested ? lb_vec3_add(foot->slid, foot_step(run, foot, link))
                                        : (lb_vec3){0, 0, 0};
    foot->at = *link;
    if (run->contacts->resolution > 0)
        note(run, LB_CHECK_SLIDE, lb_vec3_length(foot->slid), foot->point);
    for (int i = 0; i < foot->sole.count; i++) {
        check_part *part = &foot->parts[i];
        lb_vec3 at = retarget_sole_point(&foot->sole, i, up);
        double height = ground_distance(&run->ground, lb_transform_point(link, at));
        note(run, LB_CHECK_PENETRATION, -height, part->point);
        run->heights[part->point] = fmin(run->heights[part->point], height);
        if (foot->rested && !rested)
            *part = (check_part){part->point, height < TOUCHING, at, lb_transform_point(link, at)};
        lb_vec3 slid = lb_vec3_sub(lb_transform_point(link, part->at), part->place);
        if (foot->rested && part->touched && run->contacts->resolution == 0)
            note(run, LB_CHECK_SLIDE, lb_vec3_length(ground_along(&run->ground, slid)),
                 part->point);
    }
}

static bool is_of_foot(const check_run *run, int link)
{
    int i = run->foot_count - 1;
    while (i >= 0 && run->feet[i].link != link)
        i--;
    return i >= 0;
}

static void measure_points(check_run *run, int key)
{
    double time = run->clip->times[key];
    const lb_contact_point *points = lb_contacts_points(run->contacts);
    lb_state_update(run->state, clip_key(run->clip, key));
    for (int i = 0; i < lb_contacts_count(run->contacts); i++) {
        lb_vec3 at = lb_state_point(run->state, points[i].link, LB_WORLD, points[i].at);
        double height = ground_distance(&run->ground, at) - points[i].height;
        const lb_contact_span *span = lb_contacts_at(run->contacts, i, time);
        run->heights[i] = height;
        if (!points[i].any_height)
            note(run, LB_CHECK_PENETRATION, -height, i);
        if (span != NULL && span != run->spans[i])
            run->places[i] = at;
        run->spans[i] = span;
        if (span == NULL)
            continue;
        lb_vec3 slid = lb_vec3_sub(at, run->places[i]);
        if (!points[i].any_height)
            slid = ground_along(&run->ground, slid);
        if (run->contacts->resolution == 0 || !is_of_foot(run, points[i].link))
            note(run, LB_CHECK_SLIDE, lb_vec3_length(slid), i);
    }
    for (int i = 0; i < run->foot_count; i++)
        measure_foot(run, &run->feet[i]);
    int lowest = -1;
    for (int i = 0; i < lb_contacts_count(run->contacts); i++) {
        if (points[i].any_height)
            continue;
        if (lowest < 0 || run->heights[i] < run->heights[lowest])
            lowest = i;
        if (run->spans[i] != NULL)
            note(run, LB_CHECK_FLOATING, run->heights[i], i);
    }
    if (run->aloft && lowest >= 0)
        note(run, LB_CHECK_FLOATING, run->heights[lowest], lowest);
}

/* seconds: nobody jumps for longer */
#define LONGEST_JUMP 1.0

static bool is_aloft(const lb_clip *clip, const lb_contacts *contacts)
{
    int rests = 0;
    for (int i = 0, count; rests == 0 && i < lb_contacts_count(contacts); i++, rests += count)
        lb_contacts_spans(contacts, i, &count);
    return rests == 0 && lb_clip_end(clip) - lb_clip_begin(clip) > LONGEST_JUMP;
}

/* the contacts' point of a link that is nearest to a part of its sole */
static int nearest_point(const check_run *run, int link, lb_vec3 at)
{
    const lb_contact_point *points = lb_contacts_points(run->contacts);
    double least = INFINITY;
    int nearest = 0;
    for (int i = 0; i < lb_contacts_count(run->contacts); i++) {
        double far = lb_vec3_length(lb_vec3_sub(points[i].at, at));
        if (points[i].link != link || points[i].any_height || far >= least)
            continue;
        least = far;
        nearest = i;
    }
    return nearest;
}

static lb_status make_foot(const check_run *run, int point, const lb_allocator *memory,
                           check_foot *foot)
{
    const int link = lb_contacts_points(run->contacts)[point].link;
    *foot = (check_foot){.link = link, .point = point};
    lb_status status = retarget_sole_create(run->clip->model, lb_state_transforms(run->state), link,
                                            memory, &foot->sole);
    foot->parts = memory_take(memory, (size_t)foot->sole.count, sizeof *foot->parts);
    for (int i = 0; i < foot->sole.count && foot->parts != NULL; i++)
        foot->parts[i].point = nearest_point(run, link, foot->sole.parts[i].at);
    return status == LB_OK && foot->parts == NULL ? LB_OUT_OF_MEMORY : status;
}

/* the soles of links that have two contacts on the ground, as heel and toe; one alone may stand for
   a foot as its ankle does. run->state is that of the neutral pose */
static lb_status make_feet(check_run *run, const lb_allocator *memory)
{
    lb_status status = LB_OK;
    for (int i = 1; run->contacts != NULL && i < lb_contacts_count(run->contacts); i++) {
        const lb_contact_point *points = lb_contacts_points(run->contacts);
        int others = 0;
        for (int k = 0; k < i; k++)
            others += points[k].link == points[i].link && !points[k].any_height;
        if (others == 1 && !points[i].any_height && status == LB_OK)
            status = make_foot(run, i, memory, &run->feet[run->foot_count++]);
    }
    return status;
}

/* ---- joints --------------------------------------------------------------- */

/* how far a part moves from one key to another: along, or as a rotation vector */
static lb_vec3 part_moves(const lb_clip *clip, const model_part *part, int from, int to)
{
    const double *a = &clip_key(clip, from)[part->q], *b = &clip_key(clip, to)[part->q];
    if (part->kind == MODEL_BALL)
        return rotation_displacement(clip_quat(a), clip_quat(b));
    return lb_vec3_make(*b - *a, 0, 0);
}

/* how fast a part moves from the key before one */
static lb_vec3 part_rate(const lb_clip *clip, const model_part *part, int key)
{
    return lb_vec3_scale(part_moves(clip, part, key - 1, key), 1 / clip_gap(clip, key - 1));
}

/* seconds in which a part jumps at most: what changes its speed over a longer gap is no jump */
#define JUMP_TIME (1 / 30.0)

/* how much farther a part goes to a key than its speeds before and after lead it; at either end,
   where there is one of them alone, than that one or, if that is less, than rest */
static void measure_jump(check_run *run, const model_part *part, int key)
{
    const lb_clip *clip = run->clip;
    if (clip->count < 3)
        return;
    lb_vec3 before = part_rate(clip, part, key > 1 ? key - 1 : key + 1);
    lb_vec3 after = part_rate(clip, part, key + 1 < clip->count ? key + 1 : key - 1);
    lb_vec3 around = lb_vec3_scale(lb_vec3_add(before, after), 0.5);
    lb_vec3 off = lb_vec3_sub(part_rate(clip, part, key), around);
    double jump = lb_vec3_length(off) * clip_gap(clip, key - 1);
    if (!isnan(jump) && (key == 1 || key + 1 == clip->count))
        jump = fmin(jump, lb_vec3_length(part_moves(clip, part, key - 1, key)));
    jump *= fmin(1, JUMP_TIME / clip_gap(clip, key - 1));
    note(run, part->kind == MODEL_LENGTH ? LB_CHECK_SHIFT : LB_CHECK_JUMP,
         isnan(jump) ? INFINITY : jump, part->joint);
}

/* what the rounding of two keys in a file of single precision may add to the way between them */
static double rounding_of(const lb_clip *clip, const model_part *part, int key)
{
    double a = clip_key(clip, key - 1)[part->q], b = clip_key(clip, key)[part->q];
    return 0x1p-23 * (part->kind == MODEL_BALL ? 1 : fmax(fabs(a), fabs(b)));
}

static void measure_part(check_run *run, const model_part *part, int key)
{
    const lb_clip *clip = run->clip;
    lb_vec3 came = part_moves(clip, part, key - 1, key);
    double before = clip_gap(clip, key - 1), moved = lb_vec3_length(came);
    const lb_joint *joint = lb_model_joint(clip->model, part->joint);
    bool travels = joint->kind == LB_JOINT_FLOATING || joint->kind == LB_JOINT_PLANAR;
    measure_jump(run, part, key);
    // what may not move is beyond its limit as soon as it does
    double by = rest_or_change(moved - rounding_of(clip, part, key));
    if (isfinite(joint->velocity) && by > 0)
        note(run, LB_CHECK_SPEED, by / (joint->velocity * before), part->joint);
    if (key + 1 >= clip->count || travels)
        return;
    lb_vec3 goes = part_moves(clip, part, key, key + 1);
    double after = clip_gap(clip, key);
    lb_vec3 change = lb_vec3_sub(lb_vec3_scale(goes, 1 / after), lb_vec3_scale(came, 1 / before));
    double acceleration = lb_vec3_length(change) / (0.5 * (before + after));
    // rates beyond doubles, whose difference is no number
    if (isnan(acceleration))
        acceleration = moved > 0 || lb_vec3_length(goes) > 0 ? INFINITY : 0;
    note(run, LB_CHECK_ACCELERATION, acceleration, part->joint);
    run->accelerations += acceleration * acceleration;
    const double *limits = run->options.accelerations;
    if (limits != NULL && acceleration > limits[part->joint] * LIMIT_MARGIN)
        run->now.too_fast = true;
}

/* radians by which clamping rounds a ball at most, which is near a half turn */
#define CLAMPED_ROUNDING 1e-7

/* numbers beyond their limits; of balls how far the clamped value is */
static void measure_limits(check_run *run, int key, double *clamped)
{
    const lb_model *model = run->clip->model;
    const double *q = clip_key(run->clip, key);
    lb_configuration_clamp(model, q, clamped);
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        const double *value = &q[part->q];
        lb_vec3 turn = {0, 0, 0};
        if (part->kind == MODEL_BALL)
            turn = rotation_displacement(clip_quat(value), clip_quat(&clamped[part->q]));
        double by = part->kind == MODEL_BALL ? lb_vec3_length(turn)
                                             : fmax(part->lower - *value, *value - part->upper);
        if (part->kind != MODEL_BALL || by > CLAMPED_ROUNDING)
            note(run, LB_CHECK_POSITION, by, part->joint);
    }
}

/* ---- links ---------------------------------------------------------------- */

static void measure_overlap(check_run *run, int key)
{
    lb_proximity nearest;
    double distance =
        lb_collision_distance(run->options.collision, clip_key(run->clip, key), &nearest);
    note(run, LB_CHECK_OVERLAP, -distance, nearest.body_a);
}

/* ---- reports -------------------------------------------------------------- */

static void add_key(check_run *run, int key, lb_check_report *report)
{
    for (int i = 0; i < LB_CHECK_COUNT; i++) {
        lb_check_worst *item = &report->items[i];
        double value = run->now.values[i];
        if (value > item->worst) {
            item->worst = value;
            item->key = key;
            item->where = run->now.where[i];
        }
        item->rms += value * value;
        item->beyond +=
            value > run->options.thresholds[i] || (i == LB_CHECK_ACCELERATION && run->now.too_fast);
    }
}

static void finish(check_run *run, lb_check_report *report)
{
    int count = run->clip->count, moving = 0;
    for (int i = 0; i < LB_CHECK_COUNT; i++)
        report->items[i].rms = sqrt(report->items[i].rms / count);
    for (int i = 0; i < run->clip->model->part_count; i++) {
        lb_joint_kind kind =
            lb_model_joint(run->clip->model, run->clip->model->parts[i].joint)->kind;
        moving += kind != LB_JOINT_FLOATING && kind != LB_JOINT_PLANAR;
    }
    double values = (double)moving * (count > 2 ? count - 2 : 0);
    report->items[LB_CHECK_ACCELERATION].rms = values > 0 ? sqrt(run->accelerations / values) : 0;
}

static lb_status check_contacts(const lb_clip *clip, const lb_contacts *contacts, lb_error *error)
{
    for (int i = 0; contacts != NULL && i < lb_contacts_count(contacts); i++) {
        int link = lb_contacts_points(contacts)[i].link;
        if (link < 0 || link >= lb_model_link_count(clip->model))
            return REFUSE_ARGUMENT(
                error, "point %d of the contacts: the clip's model has no link %d", i, link);
    }
    return LB_OK;
}

static void measure_all(check_run *run, double *clamped, double *values, lb_check_report *report)
{
    for (int key = 0; key < run->clip->count; key++) {
        memset(&run->now, 0, sizeof run->now);
        if (run->contacts != NULL)
            measure_points(run, key);
        for (int i = 0; key > 0 && i < run->clip->model->part_count; i++)
            measure_part(run, &run->clip->model->parts[i], key);
        measure_limits(run, key, clamped);
        if (run->options.collision != NULL)
            measure_overlap(run, key);
        if (run->assembly != NULL) {
            loop_measure(run->assembly, clip_key(run->clip, key));
            note(run, LB_CHECK_OPEN, run->assembly->error, -1);
        }
        add_key(run, key, report);
        if (values != NULL)
            memcpy(&values[(size_t)key * LB_CHECK_COUNT], run->now.values, sizeof run->now.values);
    }
    finish(run, report);
}

lb_status lb_clip_check(const lb_clip *clip, const lb_contacts *contacts,
                        const lb_check_options *options, const lb_allocator *allocator,
                        double *values, lb_check_report *report, lb_error *error)
{
    TRY(REQUIRE(error, {clip, "clip"}, {report, "report"}));
    lb_check_options o = options != NULL ? *options : lb_check_options_default();
    const char *wrong = ground_wrong(o.ground, o.ground_normal);
    if (wrong != NULL)
        return REFUSE_VALUE(error, "%s", wrong);
    TRY(check_contacts(clip, contacts, error));
    if (o.collision != NULL && o.collision->model != lb_clip_model(clip))
        return REFUSE_ARGUMENT(error, "collision is of another model");
    MEMORY_POOL(memory, allocator);
    size_t points = contacts != NULL ? (size_t)lb_contacts_count(contacts) : 0;
    check_run run = {.clip = clip,
                     .contacts = contacts,
                     .options = o,
                     .ground = ground_make(o.ground, o.ground_normal),
                     .aloft = contacts != NULL && is_aloft(clip, contacts),
                     .places = memory_take(&memory, points, sizeof *run.places),
                     .heights = memory_take(&memory, points, sizeof *run.heights),
                     .spans = memory_take(&memory, points, sizeof *run.spans),
                     .feet = memory_take(&memory, points, sizeof *run.feet)};
    double *clamped = memory_take(&memory, (size_t)clip->model->tree.nq, sizeof *clamped);
    *report = (lb_check_report){.keys = clip->count};
    for (int i = 0; i < LB_CHECK_COUNT; i++)
        report->items[i].key = report->items[i].where = -1;
    double *slide = &run.options.thresholds[LB_CHECK_SLIDE];
    if (contacts != NULL)
        *slide = fmax(*slide, contacts->resolution);
    TRY(assembly_of(clip->model, &memory, &run.assembly, error));
    TRY(require_memory(error, !memory_pool_failed(&memory) &&
                                  lb_state_create(clip->model, &memory, &run.state) == LB_OK &&
                                  make_feet(&run, &memory) == LB_OK));
    measure_all(&run, clamped, values, report);
    return LB_OK;
}

/* ---- pairs of links ------------------------------------------------------ */

/*
 * How near each pair of links comes over a clip.
 *
 * Both lists, what lb_collision_near finds in a key and all pairs, are in the same order.
 */

static void note_pair(lb_check_pair *pair, double distance, int key)
{
    pair->near++;
    pair->touching += distance <= 0;
    if (distance < pair->distance) {
        pair->distance = distance;
        pair->key = key;
    }
}

/* adds what was found in one key, by going along both lists */
static void add_near(const lb_collision *collision, const lb_proximity *found, int count, int key,
                     lb_check_pair *pairs)
{
    int pair = 0, a, b;
    for (int i = 0; i < count; i++) {
        lb_collision_pair_at(collision, pair, &a, &b);
        while (a != found[i].body_a || b != found[i].body_b)
            lb_collision_pair_at(collision, ++pair, &a, &b);
        note_pair(&pairs[pair], found[i].distance, key);
    }
}

lb_status lb_clip_check_pairs(const lb_clip *clip, lb_collision *collision, double margin,
                              const lb_allocator *allocator, lb_check_pair *pairs, lb_error *error)
{
    TRY(REQUIRE(error, {clip, "clip"}, {collision, "collision"}, {pairs, "pairs"}));
    if (!(margin >= 0 && margin <= LB_LENGTH_MAX))
        return REFUSE_VALUE(error, "margin %g must be 0 to %g", margin, LB_LENGTH_MAX);
    if (collision->model != lb_clip_model(clip))
        return REFUSE_ARGUMENT(error, "collision is of another model");
    int count = lb_collision_pair_count(collision);
    lb_allocator memory = memory_allocator(allocator);
    lb_proximity *found = memory_take(&memory, (size_t)count, sizeof *found);
    TRY(require_memory(error, found));
    for (int i = 0; i < count; i++)
        pairs[i] = (lb_check_pair){.distance = INFINITY, .key = -1};
    for (int key = 0; key < clip->count; key++) {
        int near = lb_collision_near(collision, clip_key(clip, key), margin, count, found);
        add_near(collision, found, near, key, pairs);
    }
    memory_release(&memory, found);
    return LB_OK;
}
