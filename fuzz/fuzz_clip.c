/*
 * fuzz_clip.c - clips of extreme models, keys and times: refused, or every pose between the keys
 * is finite and every clip made of a clip is one.
 */
#include "chain.h"

#include <limber/clip.h>

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
            key[k] = fuzz_choice(bytes, 8) ? fuzz_number(bytes) : fuzz_bits(bytes);
    }
    lb_clip *clip = NULL;
    lb_error error;
    lb_status status =
        lb_clip_create(model, times, keys, count, interpolation, NULL, &clip, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    if (clip != NULL) {
        check_samples(clip, bytes);
        edit(clip, bytes);
    }
    lb_clip_release(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    lb_model *model = fuzz_chain(&bytes);
    if (model)
        make(model, &bytes);
    lb_model_release(model);
    return 0;
}
