/*
 * fuzz_check.c - measures of extreme clips, contacts and options: refused with a message, or
 * reports whose numbers are those of the keys, and pairs of links that come as near as they say.
 */
#include "chain.h"

#include <limber/check.h>
#include <limber/kinematics.h>

#include <string.h>

enum { MOST_NQ = 64, MOST_KEYS = 6, MOST_POINTS = 3, MOST_SHAPES = 4, MOST_PAIRS = 64 };

static lb_clip *make_clip(const lb_model *model, fuzz_bytes *bytes)
{
    double times[MOST_KEYS], keys[MOST_KEYS * MOST_NQ] = {0};
    size_t nq = (size_t)lb_model_nq(model);
    int count = 1 + fuzz_choice(bytes, MOST_KEYS);
    lb_random random = lb_random_seed(fuzz_byte(bytes));
    for (int i = 0; i < count; i++) {
        double *key = keys + nq * (size_t)i;
        double gap = fuzz_choice(bytes, 2) ? 0.1 : fuzz_number(bytes);
        times[i] = i == 0 ? gap : times[i - 1] + fabs(gap);
        lb_configuration_random(model, &random, key);
        for (size_t k = 0; k < nq && fuzz_choice(bytes, 4) == 0; k++)
            key[k] = fuzz_number(bytes);
    }
    lb_clip *clip = NULL;
    lb_clip_create(model, times, keys, count, LB_INTERPOLATION_LINEAR, NULL, &clip, NULL);
    return clip;
}

static lb_contacts *make_contacts(const lb_clip *clip, fuzz_bytes *bytes)
{
    lb_contact_point points[MOST_POINTS];
    int count = fuzz_choice(bytes, MOST_POINTS + 1), last = lb_clip_count(clip) - 1;
    lb_contacts *contacts = NULL;
    for (int i = 0; i < count; i++) {
        points[i].link = fuzz_choice(bytes, lb_model_link_count(lb_clip_model(clip)) + 1);
        points[i].at = fuzz_vector(bytes);
        points[i].height = fuzz_number(bytes);
        points[i].any_height = fuzz_choice(bytes, 4) == 0;
    }
    if (count == 0 || lb_contacts_create(points, count, NULL, &contacts, NULL) != LB_OK)
        return NULL;
    for (int i = 0; i < count; i++) {
        const double *times = lb_clip_times(clip);
        double begin = times[fuzz_choice(bytes, last + 1)];
        lb_contacts_add(contacts, i, begin,
                        fuzz_choice(bytes, 4) ? times[last] : fuzz_number(bytes), NULL);
    }
    return contacts;
}

/* whether doubles resolve a micrometre of what is measured */
static bool is_resolved(const lb_clip *clip, const lb_link_shape *shapes, int count)
{
    const lb_model *model = lb_clip_model(clip);
    lb_state *state = NULL;
    double largest = 0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, lb_vec3_length(shapes[i].geometry.size));
        largest = fmax(largest, lb_vec3_length(shapes[i].geometry.origin.p));
    }
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return false;
    for (int i = 0; i < lb_clip_count(clip); i++) {
        lb_state_update(state, lb_clip_key(clip, i));
        for (int link = 0; link < lb_model_link_count(model); link++)
            largest = fmax(largest, lb_vec3_length(lb_state_transforms(state)[link].p));
    }
    lb_state_release(state);
    return largest < 1e4;
}

static lb_collision *make_collision(const lb_clip *clip, fuzz_bytes *bytes, bool *resolved)
{
    const lb_model *model = lb_clip_model(clip);
    lb_link_shape shapes[MOST_SHAPES];
    lb_collision *collision = NULL;
    lb_collision_options options = lb_collision_options_default();
    options.allow_missing = true;
    options.samples = 0;
    options.stand_ins = shapes;
    options.stand_in_count = fuzz_shapes(bytes, model, shapes, MOST_SHAPES);
    *resolved = is_resolved(clip, shapes, options.stand_in_count);
    lb_collision_create(model, NULL, &options, NULL, &collision, NULL);
    return collision;
}

/* ---- reports -------------------------------------------------------------- */

/* the report's numbers are those of the rows of `values` */
static void check_item(const lb_check_worst *item, int which, const double *values, int keys,
                       double threshold)
{
    double worst = 0;
    int beyond = 0;
    for (int i = 0; i < keys; i++) {
        double value = values[i * LB_CHECK_COUNT + which];
        FUZZ_CHECK(value >= 0);
        worst = fmax(worst, value);
        beyond += value > threshold;
    }
    FUZZ_CHECK(item->worst == worst && item->key >= -1 && item->key < keys);
    FUZZ_CHECK((item->key < 0) == (worst == 0) && (item->key < 0) == (item->where < 0));
    FUZZ_CHECK(item->key < 0 || values[item->key * LB_CHECK_COUNT + which] == worst);
    FUZZ_CHECK(item->rms >= 0 && (worst > 0 || item->rms == 0));
    FUZZ_CHECK(item->beyond >= 0 && item->beyond <= keys);
    // accelerations may have bounds of their own; feet may be allowed to slide farther
    FUZZ_CHECK(which == LB_CHECK_SLIDE ? item->beyond <= beyond : item->beyond >= beyond);
    FUZZ_CHECK(item->beyond == beyond || which == LB_CHECK_ACCELERATION || which == LB_CHECK_SLIDE);
    // a mean is no more than the largest, unless squares are beyond doubles
    FUZZ_CHECK(which == LB_CHECK_ACCELERATION || worst > 1e150 || worst < 1e-150 ||
               item->rms <= worst * (1 + 1e-12));
}

static void check_report(const lb_clip *clip, const lb_contacts *contacts, lb_collision *collision,
                         fuzz_bytes *bytes)
{
    double values[MOST_KEYS * LB_CHECK_COUNT], accelerations[MOST_NQ];
    lb_check_report report;
    lb_error error = {0};
    lb_check_options options = lb_check_options_default();
    options.collision = collision;
    if (fuzz_choice(bytes, 2)) {
        options.ground = fuzz_number(bytes);
        options.ground_normal = fuzz_vector(bytes);
    }
    for (int i = 0; i < LB_CHECK_COUNT && fuzz_choice(bytes, 2); i++)
        options.thresholds[i] = fuzz_bits(bytes);
    if (fuzz_choice(bytes, 2)) {
        for (int i = 0; i < MOST_NQ; i++)
            accelerations[i] = i < 8 ? fuzz_number(bytes) : INFINITY;
        options.accelerations = accelerations;
    }
    lb_status status = lb_clip_check(clip, contacts, &options, NULL, values, &report, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status != LB_OK)
        return;
    FUZZ_CHECK(report.keys == lb_clip_count(clip));
    for (int i = 0; i < LB_CHECK_COUNT; i++)
        check_item(&report.items[i], i, values, report.keys, options.thresholds[i]);
}

/* ---- pairs ---------------------------------------------------------------- */

/* the least distance of every key is that of the nearest pair */
static void check_pairs(const lb_clip *clip, lb_collision *collision, bool resolved,
                        fuzz_bytes *bytes)
{
    lb_check_pair pairs[MOST_PAIRS];
    lb_error error = {0};
    int count = lb_collision_pair_count(collision), keys = lb_clip_count(clip);
    double margin = fuzz_choice(bytes, 2) ? LB_LENGTH_MAX : fuzz_bits(bytes);
    FUZZ_CHECK(count <= MOST_PAIRS);
    lb_status status = lb_clip_check_pairs(clip, collision, margin, NULL, pairs, &error);
    FUZZ_CHECK((status == LB_OK) == (margin >= 0 && margin <= LB_LENGTH_MAX));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status != LB_OK)
        return;
    double least = INFINITY, nearest = INFINITY;
    for (int i = 0; i < count; i++) {
        const lb_check_pair *pair = &pairs[i];
        int a, b;
        FUZZ_CHECK(pair->touching >= 0 && pair->touching <= pair->near && pair->near <= keys);
        FUZZ_CHECK((pair->key < 0) == (pair->near == 0) && pair->key < keys);
        FUZZ_CHECK(pair->near == 0 ? pair->distance == INFINITY : pair->distance <= margin);
        FUZZ_CHECK((pair->touching > 0) == (pair->distance <= 0));
        FUZZ_CHECK(pair->near == 0 ||
                   lb_collision_pair_at(collision, i, &a, &b) == LB_PAIR_CHECKED);
        least = fmin(least, pair->distance);
    }
    for (int i = 0; i < keys; i++)
        nearest = fmin(nearest, lb_collision_distance(collision, lb_clip_key(clip, i), NULL));
    // what is farther than the margin by rounding alone may be left out
    FUZZ_CHECK(!resolved || least >= nearest - 1e-6);
    FUZZ_CHECK(!resolved || margin < nearest || least == nearest);
}

/* ---- one test case -------------------------------------------------------- */

static void attack(const lb_model *model, fuzz_bytes *bytes)
{
    lb_clip *clip = make_clip(model, bytes);
    if (clip == NULL)
        return;
    lb_contacts *contacts = make_contacts(clip, bytes);
    bool resolved;
    lb_collision *collision = make_collision(clip, bytes, &resolved);
    check_report(clip, contacts, collision, bytes);
    if (collision != NULL)
        check_pairs(clip, collision, resolved, bytes);
    lb_collision_release(collision);
    lb_contacts_release(contacts);
    lb_clip_release(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    lb_model *model = fuzz_choice(&bytes, 2) ? fuzz_limbs(&bytes) : fuzz_chain(&bytes);
    if (model && lb_model_nq(model) <= MOST_NQ)
        attack(model, &bytes);
    lb_model_release(model);
    return 0;
}
