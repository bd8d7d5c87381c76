/*
 * fuzz_clip.c - clips of extreme models, keys and times: refused, or every pose between the keys
 * is finite and every clip made of a clip is one. Written as JSON and read back a clip has the same
 * numbers; mirrored twice it is what it was; a loop ends as it began.
 */
#include "chain.h"
#include "checks.h"

#include <string.h>

enum { MOST_NQ = 64, MOST_KEYS = 6 };

static void check_samples(const lb_clip *clip, fuzz_bytes *bytes)
{
    double q[MOST_NQ], v[MOST_NQ], a[MOST_NQ];
    const lb_model *model = lb_clip_model(clip);
    double begin = lb_clip_begin(clip), end = lb_clip_end(clip);
    FUZZ_CHECK(begin <= end && lb_clip_rate(clip, 1e-6) >= 0);
    for (int i = 0; i < 5; i++) {
        double time = i < 4 ? begin + (end - begin) * i / 3 : fuzz_bits(bytes);
        lb_clip_at(clip, time, q);
        for (int k = 0; k < lb_model_nq(model); k++)
            FUZZ_CHECK(isfinite(q[k]));
        // rates of keys that are 1e15 apart within 1e-300 s are no numbers; they only have to end
        lb_clip_rates(clip, time, v, a);
    }
}

/* checked and released */
static void check_made(lb_status status, lb_clip **made, fuzz_bytes *bytes)
{
    FUZZ_CHECK((status == LB_OK) == (*made != NULL));
    if (*made != NULL)
        check_samples(*made, bytes);
    lb_clip_release(*made);
}

static void edit(const lb_clip *clip, fuzz_bytes *bytes)
{
    lb_clip *made = NULL;
    lb_error error;
    double begin = lb_clip_begin(clip), span = lb_clip_end(clip) - begin;
    double from = begin + span * fuzz_byte(bytes) / 255, to = begin + span * fuzz_byte(bytes) / 255;
    check_made(lb_clip_slice(clip, from, to, NULL, &made, &error), &made, bytes);
    double speed = fuzz_number(bytes);
    check_made(lb_clip_retime(clip, fuzz_number(bytes), speed, NULL, &made, &error), &made, bytes);
    check_made(lb_clip_blend(clip, clip, from, to, NULL, &made, &error), &made, bytes);
    // a rate that makes more keys than a test needs is left out
    double rate = fabs(fuzz_number(bytes));
    if (rate * span < 1000)
        check_made(lb_clip_resample(clip, rate, NULL, &made, &error), &made, bytes);
}

/* ---- even, generated ------------------------------------------------------ */

static void check_same_keys(const lb_clip *clip, const lb_clip *other)
{
    size_t row = sizeof(double) * (size_t)lb_model_nq(lb_clip_model(clip));
    FUZZ_CHECK(lb_clip_count(clip) == lb_clip_count(other));
    for (int i = 0; i < lb_clip_count(clip); i++)
        FUZZ_CHECK(memcmp(lb_clip_key(clip, i), lb_clip_key(other, i), row) == 0);
}

static void even(const lb_clip *clip, fuzz_bytes *bytes)
{
    lb_clip *made = NULL;
    lb_error error;
    double tolerance = fuzz_choice(bytes, 2) ? 1e-6 : fuzz_bits(bytes);
    lb_status status = lb_clip_even(clip, tolerance, NULL, &made, &error);
    FUZZ_CHECK((status == LB_OK) == (made != NULL));
    FUZZ_CHECK((status == LB_OK) ==
               (lb_clip_count(clip) == 1 || lb_clip_rate(clip, tolerance) > 0));
    if (made != NULL) {
        check_same_keys(clip, made);
        FUZZ_CHECK(lb_clip_begin(made) == lb_clip_begin(clip));
        FUZZ_CHECK(lb_clip_end(made) == lb_clip_end(clip));
    }
    lb_clip_release(made);
}

/* What makes a clip again: its keys, up to the one that is refused. */
typedef struct filling {
    const lb_clip *clip;
    int refused, next;
} filling;

static bool fill(void *user, int key, double *time, double *q)
{
    filling *f = user;
    double neutral[MOST_NQ];
    size_t nq = (size_t)lb_model_nq(lb_clip_model(f->clip));
    lb_configuration_neutral(lb_clip_model(f->clip), neutral);
    FUZZ_CHECK(key == f->next++ && memcmp(q, neutral, nq * sizeof *q) == 0);
    *time = lb_clip_times(f->clip)[key];
    memcpy(q, lb_clip_key(f->clip, key), nq * sizeof *q);
    return key != f->refused;
}

static void generate(const lb_clip *clip, fuzz_bytes *bytes)
{
    lb_clip *made = NULL;
    lb_error error;
    int count = lb_clip_count(clip);
    filling f = {.clip = clip,
                 .refused = fuzz_choice(bytes, 2) ? count : fuzz_choice(bytes, count)};
    lb_status status = lb_clip_generate(lb_clip_model(clip), count, fill, &f,
                                        lb_clip_interpolation(clip), NULL, &made, &error);
    FUZZ_CHECK(status == (f.refused < count ? LB_BAD_VALUE : LB_OK));
    FUZZ_CHECK((status == LB_OK) == (made != NULL));
    FUZZ_CHECK(f.next == (f.refused < count ? f.refused + 1 : count));
    lb_clip_release(made);
}

/* ---- mirrors, loops ------------------------------------------------------- */

/* whether its lengths are such that doubles resolve a nanometre */
static bool is_resolved(const lb_clip *clip)
{
    const lb_model *model = lb_clip_model(clip);
    double largest = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        largest = fmax(largest, lb_vec3_length(lb_model_joint(model, j)->placement.p));
    for (int i = 0; i < lb_clip_count(clip); i++)
        for (int k = 0; k < lb_model_nq(model); k++)
            largest = fmax(largest, fabs(lb_clip_key(clip, i)[k]));
    return largest < 1e4;
}

/* as far as two poses differ, quaternions and whole turns being alike */
static double difference(const lb_model *model, const double *a, const double *b)
{
    double v[MOST_NQ], most = 0;
    lb_configuration_difference(model, a, b, v);
    for (int k = 0; k < lb_model_nv(model); k++)
        most = fmax(most, fabs(v[k]));
    return most;
}

static void mirror(const lb_clip *clip, fuzz_bytes *bytes)
{
    lb_clip *made = NULL, *back = NULL;
    lb_error error = {0};
    lb_status status = lb_clip_mirror(clip, NULL, &made, &error);
    FUZZ_CHECK((status == LB_OK) == (made != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (made == NULL)
        return;
    check_samples(made, bytes);
    // axes may be up to 5 degrees from each other: of balls that is carried, of others a sign
    status = lb_clip_mirror(made, NULL, &back, &error);
    FUZZ_CHECK((status == LB_OK) == (back != NULL));
    for (int i = 0; back != NULL && is_resolved(clip) && i < lb_clip_count(clip); i++)
        FUZZ_CHECK(difference(lb_clip_model(clip), lb_clip_key(clip, i), lb_clip_key(back, i)) <
                   1e-6);
    lb_clip_release(back);
    lb_clip_release(made);
}

/* the joint that carries all else, whose place a loop goes on from */
static bool has_moving_root(const lb_model *model)
{
    lb_joint_kind kind =
        lb_model_joint_count(model) == 0 ? LB_JOINT_FIXED : lb_model_joint(model, 0)->kind;
    return kind == LB_JOINT_FLOATING || kind == LB_JOINT_PLANAR;
}

static void loop(const lb_clip *clip, fuzz_bytes *bytes)
{
    lb_clip *made = NULL;
    lb_error error = {0};
    double duration = lb_clip_end(clip) - lb_clip_begin(clip);
    int rounds = fuzz_choice(bytes, 6) - 1, count = lb_clip_count(clip);
    double fade = fuzz_choice(bytes, 4) ? duration * (fuzz_byte(bytes) / 255.0) : fuzz_bits(bytes);
    lb_status status = lb_clip_loop(clip, rounds, fade, NULL, &made, &error);
    FUZZ_CHECK((status == LB_OK) == (made != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (made == NULL)
        return;
    FUZZ_CHECK(rounds >= 1 && count >= 2 && fade > 0 && fade <= duration);
    FUZZ_CHECK(lb_clip_count(made) == (count - 1) * rounds + 1);
    check_samples(made, bytes);
    // the last key is the first pose again
    const double *last = lb_clip_key(made, lb_clip_count(made) - 1);
    FUZZ_CHECK(has_moving_root(lb_clip_model(clip)) || !is_resolved(clip) ||
               difference(lb_clip_model(clip), lb_clip_key(clip, 0), last) < 1e-6);
    lb_clip_release(made);
}

/* ---- one test case -------------------------------------------------------- */

static void make(const lb_model *model, fuzz_bytes *bytes)
{
    double times[MOST_KEYS], keys[MOST_KEYS * MOST_NQ] = {0};
    size_t nq = (size_t)lb_model_nq(model);
    int count = 1 + fuzz_choice(bytes, MOST_KEYS);
    lb_interpolation interpolation = (lb_interpolation)fuzz_choice(bytes, LB_INTERPOLATION_COUNT);
    lb_random random = lb_random_seed(fuzz_byte(bytes));
    if (nq > MOST_NQ)
        return;
    for (int i = 0; i < count; i++) {
        double *key = keys + nq * (size_t)i;
        double gap = fuzz_number(bytes);
        times[i] = i == 0 ? gap : times[i - 1] + fabs(gap);
        lb_configuration_random(model, &random, key);
        for (size_t k = 0; k < nq && fuzz_choice(bytes, 4) == 0; k++)
            key[k] = fuzz_any_number(bytes);
    }
    lb_clip *clip = NULL;
    lb_error error;
    lb_status status =
        lb_clip_create(model, times, keys, count, interpolation, NULL, &clip, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    if (clip != NULL) {
        check_samples(clip, bytes);
        edit(clip, bytes);
        fuzz_check_clip(clip);
        even(clip, bytes);
        generate(clip, bytes);
        mirror(clip, bytes);
        loop(clip, bytes);
    }
    lb_clip_release(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    // half of them are figures of two sides
    bool limbs = size > 0 && data[0] >= 128;
    lb_model *model = limbs ? fuzz_limbs(&bytes) : fuzz_chain(&bytes);
    if (model)
        make(model, &bytes);
    lb_model_release(model);
    return 0;
}
