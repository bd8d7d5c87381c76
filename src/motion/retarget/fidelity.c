/*
 * fidelity.c - a motion beside its source, by the places of both figures' joints.
 *
 * A figure of a key is twelve places: shoulder, elbow, wrist, hip, knee and ankle of both sides.
 * From these come vectors that do not depend on a figure's size: directions of bones and the path
 * of the hips in lengths of a leg. What differs is a measure; what differs more in one key than in
 * those beside it is a jump.
 */
#include "motion/retarget/figure.h"

#include "math/scalar.h"
#include "motion/clip.h"

#include <limber/fidelity.h>
#include <limber/kinematics.h>

#include <string.h>

const char *lb_fidelity_text(lb_fidelity_item item)
{
    static const char *const texts[] = {LB_FIDELITY_LIST(MEASURE_TEXT)};
    return (unsigned)item < LB_FIDELITY_COUNT ? texts[item] : "";
}

const char *lb_fidelity_unit(lb_fidelity_item item)
{
    static const char *const units[] = {LB_FIDELITY_LIST(MEASURE_UNIT)};
    return (unsigned)item < LB_FIDELITY_COUNT ? units[item] : "";
}

lb_fidelity_options lb_fidelity_options_default(void)
{
    return (lb_fidelity_options){.thresholds = {LB_FIDELITY_LIST(MEASURE_THRESHOLD)}};
}

/* ---- figures -------------------------------------------------------------- */

enum { SOURCE, MOTION, FIGURES };
enum { SHOULDER, ELBOW, WRIST, HIP, KNEE, ANKLE, JOINTS };
enum { SIDES = 2, BONES = 4 };

/* the link that each joint moves, and the role above it, of both sides */
static const lb_role below[SIDES][JOINTS] = {
    {LB_ROLE_LEFT_UPPER_ARM, LB_ROLE_LEFT_FOREARM, LB_ROLE_LEFT_HAND, LB_ROLE_LEFT_THIGH,
     LB_ROLE_LEFT_SHANK, LB_ROLE_LEFT_FOOT},
    {LB_ROLE_RIGHT_UPPER_ARM, LB_ROLE_RIGHT_FOREARM, LB_ROLE_RIGHT_HAND, LB_ROLE_RIGHT_THIGH,
     LB_ROLE_RIGHT_SHANK, LB_ROLE_RIGHT_FOOT}};

/* the joints at the ends of a limb's bones: of an arm two, of a leg two */
static const int bone_ends[BONES][2] = {
    {SHOULDER, ELBOW}, {ELBOW, WRIST}, {HIP, KNEE}, {KNEE, ANKLE}};

/* A joint as points of the link that it moves; a link below 0: there is none. */
typedef struct marker {
    int link;
    lb_vec3 at;   /* where it turns */
    lb_vec3 bone; /* where the limb's bones begin and end, beside it by the width of parts */
} marker;

typedef struct figure {
    const lb_clip *clip;
    lb_state *state;
    double *q;
    marker markers[SIDES][JOINTS];
    bool shoulders, arms, legs;
    int pelvis;   /* of a robot: the link of ... */
    lb_vec3 base; /* ... what its shoulders are above where it stands, at the hips' height */
    ground_plane ground;
    double begin; /* the time that the first key's corresponds to */
    double leg;   /* metres */
    double low;   /* the lowest height of an ankle, metres */
} figure;

/* The places of a key, metres, and what follows from them. */
typedef struct pose {
    lb_vec3 at[SIDES][JOINTS];
    lb_vec3 bones[SIDES][BONES]; /* of length 1 */
    lb_vec3 trunk, hips;         /* the trunk's direction; the middle of the hips */
} pose;

static lb_vec3 toward(lb_vec3 from, lb_vec3 to)
{
    lb_vec3 v = lb_vec3_sub(to, from);
    double length = lb_vec3_length(v);
    return length > 0 ? lb_vec3_scale(v, 1 / length) : v;
}

static pose pose_at(const figure *f, double time)
{
    pose p;
    lb_vec3 ends[SIDES][JOINTS];
    lb_clip_at(f->clip, time, f->q);
    lb_state_update(f->state, f->q);
    for (int s = 0; s < SIDES; s++) {
        for (int j = 0; j < JOINTS; j++) {
            const marker *m = &f->markers[s][j];
            int link = m->link >= 0 ? m->link : 0;
            p.at[s][j] = lb_state_point(f->state, link, LB_WORLD, m->at);
            ends[s][j] = lb_state_point(f->state, link, LB_WORLD, m->bone);
        }
        for (int b = 0; b < BONES; b++)
            p.bones[s][b] = toward(ends[s][bone_ends[b][0]], ends[s][bone_ends[b][1]]);
    }
    p.hips = retarget_middle(p.at[0][HIP], p.at[1][HIP]);
    lb_vec3 base = f->pelvis >= 0 ? lb_state_point(f->state, f->pelvis, LB_WORLD, f->base) : p.hips;
    p.trunk = toward(base, retarget_middle(p.at[0][SHOULDER], p.at[1][SHOULDER]));
    return p;
}

/* the roles' links: those of a map's pairs, else those that are found */
static lb_status find_links(const figure *f, int which, const lb_retarget_map *map,
                            const lb_allocator *memory, lb_rig *rig, lb_error *error)
{
    if (map == NULL)
        return lb_rig_find(lb_clip_model(f->clip), memory, rig, error);
    retarget_map_roles(map, which == SOURCE, rig);
    return LB_OK;
}

/* the markers of one limb, whose first joint is `first`, by the centers of its joints */
static void place_limb(figure *f, const lb_transform *links, int side, int first,
                       lb_vec3 centers[3])
{
    const lb_model *model = lb_clip_model(f->clip);
    marker *of = &f->markers[side][first];
    const int limb[3] = {of[0].link, of[1].link, of[2].link};
    for (int k = 0; k < 3; k++)
        if (limb[k] >= 0)
            of[k].at = retarget_in_link(&links[limb[k]], centers[k]);
    retarget_flatten_limb(model, links, limb, centers);
    for (int k = 0; k < 3; k++)
        if (limb[k] >= 0)
            of[k].bone = retarget_in_link(&links[limb[k]], centers[k]);
}

/* A robot is upright as its makers say, at zero, wherever its shoulders are there; other figures
   are where their shoulders are above their hips. */
static void place_base(figure *f, const lb_rig *rig, const lb_transform *links)
{
    marker(*m)[JOINTS] = f->markers;
    lb_vec3 ends[2];
    f->pelvis = LB_NO_LINK;
    if (!f->shoulders || !f->legs || !retarget_is_hinge(lb_clip_model(f->clip), m[0][HIP].link))
        return;
    for (int k = 0; k < 2; k++) {
        const marker *left = &m[0][k ? SHOULDER : HIP], *right = &m[1][k ? SHOULDER : HIP];
        ends[k] = retarget_middle(lb_transform_point(&links[left->link], left->at),
                                  lb_transform_point(&links[right->link], right->at));
    }
    f->pelvis = rig->links[LB_ROLE_PELVIS];
    f->base = retarget_in_link(&links[f->pelvis], lb_vec3_make(ends[1].x, ends[1].y, ends[0].z));
}

/* where joints meet at rest, as points of the links that they move */
static void place_markers(figure *f, const lb_rig *rig, const double *rest)
{
    const lb_model *model = lb_clip_model(f->clip);
    lb_state_update(f->state, rest);
    const lb_transform *links = lb_state_transforms(f->state);
    for (int s = 0; s < SIDES; s++) {
        lb_vec3 centers[JOINTS] = {{0, 0, 0}};
        for (int j = 0; j < JOINTS; j++) {
            int link = rig->links[below[s][j]];
            // of a chain's first joint all that is above it may move; without a chest arms hang
            // from the pelvis
            bool chest = j == SHOULDER && rig->links[LB_ROLE_CHEST] >= 0;
            int above = j % 3 > 0 ? rig->links[below[s][j - 1]]
                                  : rig->links[chest ? LB_ROLE_CHEST : LB_ROLE_PELVIS];
            bool there = link >= 0 && above >= 0 && retarget_is_below(model, above, link);
            f->markers[s][j] = (marker){.link = link};
            // a forearm that is the hand, too, ends where its link does
            if (link >= 0)
                centers[j] = j == WRIST && link == above ? retarget_link_end(model, links, link)
                             : there ? retarget_joint_center(model, links, above, link)
                                     : links[link].p;
        }
        place_limb(f, links, s, SHOULDER, &centers[SHOULDER]);
        place_limb(f, links, s, HIP, &centers[HIP]);
    }
    f->shoulders = f->arms = f->legs = true;
    for (int s = 0; s < SIDES; s++)
        for (int j = 0; j < JOINTS; j++)
            if (f->markers[s][j].link < 0) {
                *(j < HIP ? &f->arms : &f->legs) = false;
                f->shoulders = f->shoulders && j != SHOULDER;
            }
    place_base(f, rig, links);
}

/* metres above the ground below a point */
static double height_at(const figure *f, lb_vec3 at)
{
    return at.z - ground_rise(&f->ground, at);
}

static void measure_figure(figure *f)
{
    f->low = INFINITY;
    for (int key = 0; key < lb_clip_count(f->clip); key++) {
        pose p = pose_at(f, lb_clip_times(f->clip)[key]);
        for (int s = 0; s < SIDES; s++)
            f->low = fmin(f->low, height_at(f, p.at[s][ANKLE]));
        if (key > 0)
            continue;
        for (int s = 0; s < SIDES; s++)
            f->leg += 0.5 * (lb_vec3_length(lb_vec3_sub(p.at[s][HIP], p.at[s][KNEE])) +
                             lb_vec3_length(lb_vec3_sub(p.at[s][KNEE], p.at[s][ANKLE])));
    }
}

static lb_status prepare(figure *f, int which, const lb_retarget_map *map,
                         const lb_allocator *memory, lb_error *error)
{
    lb_rig rig;
    const lb_model *model = lb_clip_model(f->clip);
    f->q = memory_take(memory, (size_t)lb_model_nq(model), sizeof *f->q);
    if (f->q == NULL || lb_state_create(model, memory, &f->state) != LB_OK)
        return error_out_of_memory(error);
    TRY(find_links(f, which, map, memory, &rig, error));
    const double *rest = f->q;
    lb_configuration_neutral(model, f->q);
    if (retarget_flat_pose(model, memory, &rest, NULL) == LB_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    place_markers(f, &rig, rest);
    measure_figure(f);
    if (!f->legs || !(f->leg > 0))
        return lb_error_set(error, LB_BAD_MODEL, 0, "the %s has no two legs to be compared by",
                            which == SOURCE ? "source" : "motion");
    return LB_OK;
}

/* ---- one key -------------------------------------------------------------- */

/* What is told of both figures in one key, vectors without a size: the path, then directions. */
enum { VECTORS = SIDES * BONES + 2 };

typedef struct comparison {
    figure figures[FIGURES];
    pose now[FIGURES], first[FIGURES];
    lb_vec3 before[FIGURES];         /* the hips in the key before */
    double travel[FIGURES];          /* legs */
    lb_vec3 differences[3][VECTORS]; /* of this key and the two before */
    double times[3];
    bool shoulders, arms;
} comparison;

static double angle_of(lb_vec3 a, lb_vec3 b)
{
    return lb_atan2(lb_vec3_length(lb_vec3_cross(a, b)), lb_vec3_dot(a, b));
}

static lb_vec3 along_ground(lb_vec3 v)
{
    return lb_vec3_make(v.x, v.y, 0);
}

/* of the hips' or the shoulders' lines, seen from above */
static double compare_headings(const comparison *c, int joint)
{
    lb_vec3 lines[FIGURES];
    for (int i = 0; i < FIGURES; i++) {
        lb_vec3 line = toward(c->now[i].at[1][joint], c->now[i].at[0][joint]);
        lines[i] = along_ground(line);
        if (lb_vec3_length(lines[i]) < 0.5)
            return 0;
    }
    return angle_of(lines[0], lines[1]);
}

/* height above the lowest ankle, legs */
static double height_of(const comparison *c, int which, lb_vec3 at)
{
    const figure *f = &c->figures[which];
    return (height_at(f, at) - f->low) / f->leg;
}

static double compare_heights(const comparison *c, int joint)
{
    double sum = 0;
    for (int s = 0; s < SIDES; s++)
        sum += fabs(height_of(c, MOTION, c->now[MOTION].at[s][joint]) -
                    height_of(c, SOURCE, c->now[SOURCE].at[s][joint]));
    return sum / SIDES;
}

/* the hips' way since the first key, legs */
static lb_vec3 path_of(const comparison *c, int which)
{
    lb_vec3 way = lb_vec3_sub(c->now[which].hips, c->first[which].hips);
    return lb_vec3_scale(way, 1 / c->figures[which].leg);
}

static void list_differences(comparison *c, lb_vec3 *out)
{
    const pose *a = &c->now[SOURCE], *b = &c->now[MOTION];
    *out++ = lb_vec3_sub(path_of(c, MOTION), path_of(c, SOURCE));
    *out++ = c->shoulders ? lb_vec3_sub(b->trunk, a->trunk) : (lb_vec3){0, 0, 0};
    for (int s = 0; s < SIDES; s++)
        for (int k = 0; k < BONES; k++)
            *out++ = c->arms || k >= BONES / 2 ? lb_vec3_sub(b->bones[s][k], a->bones[s][k])
                                               : (lb_vec3){0, 0, 0};
}

/* how far some of the key before are from the line between its neighbours; keys are 0, 1, 2 ... */
static double measure_jump(const comparison *c, int key, int first, int end)
{
    if (key < 2)
        return 0;
    double worst = 0, u = (c->times[1] - c->times[0]) / (c->times[2] - c->times[0]);
    for (int i = first; i < end; i++) {
        lb_vec3 line = lb_vec3_add(lb_vec3_scale(c->differences[0][i], 1 - u),
                                   lb_vec3_scale(c->differences[2][i], u));
        worst = fmax(worst, lb_vec3_length(lb_vec3_sub(c->differences[1][i], line)));
    }
    return worst;
}

static void remember(comparison *c, double time, int key)
{
    memmove(c->differences[0], c->differences[1], 2 * sizeof c->differences[0]);
    memmove(c->times, c->times + 1, 2 * sizeof *c->times);
    list_differences(c, c->differences[2]);
    c->times[2] = time;
    for (int i = 0; i < FIGURES; i++) {
        lb_vec3 step = key > 0 ? lb_vec3_sub(c->now[i].hips, c->before[i]) : (lb_vec3){0, 0, 0};
        c->travel[i] += lb_vec3_length(along_ground(step)) / c->figures[i].leg;
        c->before[i] = c->now[i].hips;
    }
}

static void measure_key(comparison *c, double time, int key, double *row)
{
    for (int i = 0; i < FIGURES; i++)
        c->now[i] = pose_at(&c->figures[i], c->figures[i].begin + time);
    if (key == 0)
        memcpy(c->first, c->now, sizeof c->first);
    remember(c, time, key);
    const pose *a = &c->now[SOURCE], *b = &c->now[MOTION];
    memset(row, 0, LB_FIDELITY_COUNT * sizeof *row);
    for (int s = 0; s < SIDES; s++)
        for (int k = 0; k < BONES; k++) {
            double *of = &row[(k < BONES / 2 ? LB_FIDELITY_LEFT_ARM : LB_FIDELITY_LEFT_LEG) + s];
            *of = fmax(*of, angle_of(a->bones[s][k], b->bones[s][k]));
        }
    row[LB_FIDELITY_TRUNK] = angle_of(a->trunk, b->trunk);
    row[LB_FIDELITY_HEADING] =
        fmax(compare_headings(c, HIP), c->shoulders ? compare_headings(c, SHOULDER) : 0);
    row[LB_FIDELITY_PATH] =
        lb_vec3_length(along_ground(c->differences[2][0])) / fmax(1, c->travel[SOURCE]);
    row[LB_FIDELITY_TRAVEL] =
        fabs(c->travel[MOTION] - c->travel[SOURCE]) / fmax(1, c->travel[SOURCE]);
    row[LB_FIDELITY_HEIGHT] = fabs(height_of(c, MOTION, b->hips) - height_of(c, SOURCE, a->hips));
    row[LB_FIDELITY_HANDS] = compare_heights(c, WRIST);
    row[LB_FIDELITY_FEET] = compare_heights(c, ANKLE);
    row[LB_FIDELITY_JUMP] = measure_jump(c, key, 1, VECTORS);
    row[LB_FIDELITY_SHIFT] = measure_jump(c, key, 0, 1);
}

/* ---- reports -------------------------------------------------------------- */

static bool is_of_arms(int item)
{
    return item == LB_FIDELITY_LEFT_ARM || item == LB_FIDELITY_RIGHT_ARM ||
           item == LB_FIDELITY_HANDS;
}

/* jumps and shifts are measured one key later */
static bool is_late(int item)
{
    return item == LB_FIDELITY_JUMP || item == LB_FIDELITY_SHIFT;
}

static bool is_of_one_key(int item)
{
    return is_late(item) || item == LB_FIDELITY_GAP;
}

static void summarize(const double *values, int item, double threshold, double *column,
                      lb_fidelity_report *report)
{
    lb_fidelity_worst *of = &report->items[item];
    for (int key = 0; key < report->keys; key++) {
        column[key] = values[(size_t)key * LB_FIDELITY_COUNT + (size_t)item];
        of->mean += column[key] / report->keys;
        if (column[key] > of->worst) {
            of->worst = column[key];
            of->key = is_late(item) ? key - 1 : key;
        }
    }
    of->p95 = scalar_select(column, report->keys, (int)(0.95 * (report->keys - 1)));
    of->beyond = (is_of_one_key(item) ? of->worst : of->mean) > threshold;
}

/* radians or metres: a value so near to a limit is at it */
#define AT_LIMIT 1e-3

/* the share of values at a limit, of those that have limits and may move */
static double share_at_limits(const lb_clip *clip)
{
    const lb_model *model = lb_clip_model(clip);
    double at = 0, all = 0;
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        bool limited = part->kind != MODEL_BALL && isfinite(part->upper - part->lower) &&
                       part->upper - part->lower > 4 * AT_LIMIT;
        for (int key = 0; limited && key < clip->count; key++, all++) {
            double value = clip_key(clip, key)[part->q];
            at += value < part->lower + AT_LIMIT || value > part->upper - AT_LIMIT;
        }
    }
    return all > 0 ? at / all : 0;
}

/* how long there is no key before one of those that are compared, or after the last */
static double find_gap(const comparison *c, int key)
{
    const lb_clip *clip = c->figures[MOTION].clip, *source = c->figures[SOURCE].clip;
    double begin = c->figures[SOURCE].begin;
    double mean = (lb_clip_end(clip) - lb_clip_begin(clip)) / fmax(1, clip->count - 1);
    double gap = key > 0 ? clip_gap(clip, key - 1) : begin - lb_clip_begin(source);
    if (key == clip->count - 1)
        gap = fmax(gap, lb_clip_end(source) - begin - (clip->times[key] - clip->times[0]));
    return fmax(0, gap - mean);
}

static void measure_all(comparison *c, const lb_fidelity_options *options, double *values,
                        double *column, lb_fidelity_report *report)
{
    const lb_clip *clip = c->figures[MOTION].clip;
    for (int key = 0; key < report->keys; key++) {
        double *row = &values[(size_t)key * LB_FIDELITY_COUNT];
        measure_key(c, lb_clip_times(clip)[key] - lb_clip_begin(clip), key, row);
        row[LB_FIDELITY_GAP] = find_gap(c, key);
    }
    for (int i = 0; i < LB_FIDELITY_COUNT; i++) {
        report->items[i].known = i == LB_FIDELITY_TRUNK ? c->shoulders : c->arms || !is_of_arms(i);
        if (report->items[i].known)
            summarize(values, i, options->thresholds[i], column, report);
    }
    report->source_travel = c->travel[SOURCE];
    report->travel = c->travel[MOTION];
    report->at_limits = share_at_limits(clip);
}

/* the time of the source at the clip's first key: the same, if that is one of the source; tables
   without times begin at 0, which says nothing */
static double find_begin(const lb_clip *clip, const lb_clip *source)
{
    double begin = lb_clip_begin(clip);
    return begin > 0 && begin >= lb_clip_begin(source) && begin <= lb_clip_end(source)
               ? begin
               : lb_clip_begin(source);
}

/* keys within the source's time, and one beyond it by less than a gap of the source */
static int count_keys(const lb_clip *clip, const lb_clip *source, double begin)
{
    double gap = (lb_clip_end(source) - lb_clip_begin(source)) / fmax(1, lb_clip_count(source) - 1);
    int keys = 0;
    while (keys < lb_clip_count(clip) &&
           lb_clip_times(clip)[keys] - lb_clip_begin(clip) <= lb_clip_end(source) - begin + gap)
        keys++;
    return keys;
}

lb_status lb_clip_fidelity(const lb_clip *clip, const lb_clip *source,
                           const lb_fidelity_options *options, const lb_allocator *allocator,
                           double *values, lb_fidelity_report *report, lb_error *error)
{
    TRY(REQUIRE(error, {clip, "clip"}, {source, "source"}, {report, "report"}));
    lb_fidelity_options o = options != NULL ? *options : lb_fidelity_options_default();
    const char *wrong = ground_wrong(0, o.ground_normal);
    wrong = wrong != NULL ? wrong : ground_wrong(0, o.source_ground_normal);
    if (wrong != NULL)
        return REFUSE_VALUE(error, "%s", wrong);
    MEMORY_POOL(memory, allocator);
    double length = lb_clip_end(source) - lb_clip_begin(source);
    comparison c = {.figures = {{.clip = source,
                                 .begin = find_begin(clip, source),
                                 .ground = ground_make(0, o.source_ground_normal)},
                                {.clip = clip,
                                 .begin = lb_clip_begin(clip),
                                 .ground = ground_make(0, o.ground_normal)}}};
    *report = (lb_fidelity_report){.keys = count_keys(clip, source, c.figures[SOURCE].begin),
                                   .duration = 1};
    if (length > 0)
        report->duration = (lb_clip_end(clip) - lb_clip_begin(clip)) / length;
    if (o.map != NULL)
        TRY(retarget_check_map(o.map, lb_clip_model(source), lb_clip_model(clip), error));
    for (int i = 0; i < FIGURES; i++)
        TRY(prepare(&c.figures[i], i, o.map, &memory, error));
    size_t keys = (size_t)report->keys;
    double *column = memory_take(&memory, keys, sizeof *column);
    if (values == NULL)
        values = memory_take(&memory, keys * LB_FIDELITY_COUNT, sizeof *values);
    TRY(require_memory(error, !memory_pool_failed(&memory)));
    c.arms = c.figures[SOURCE].arms && c.figures[MOTION].arms;
    c.shoulders = c.figures[SOURCE].shoulders && c.figures[MOTION].shoulders;
    measure_all(&c, &o, values, column, report);
    return LB_OK;
}
