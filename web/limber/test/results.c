/*
 * results.c - what the native library returns, as hashes, for the package's tests.
 *
 *     results [MODEL TIP KIND METHOD|solutions COUNT]
 *     results MODEL motion
 *
 * Solves COUNT random problems of a built-in model and prints FNV-1a (64 bits) over
 * the bits of all results: for each problem the tip's target, the outcome, the
 * iterations and q; of all solutions how many there are, and of each its branch, its
 * distance and q. Of motion: the keys of clips that are made of others, with their times,
 * velocities and accelerations. results.mjs does the same through the package.
 */
#include <limber/formats/load.h>
#include <limber/limber.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* one more number goes into a hash, byte by byte, the lowest first */
static uint64_t hash_number(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (int i = 0; i < 8; i++) {
        hash = (hash ^ (bits & 0xff)) * 0x100000001b3u;
        bits >>= 8;
    }
    return hash;
}

static uint64_t hash_numbers(uint64_t hash, const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        hash = hash_number(hash, numbers[i]);
    return hash;
}

/* the hash of `count` problems: random goals within reach, from random starts */
static uint64_t hash_results(lb_ik *ik, const lb_model *model, int tip, int count)
{
    int nq = lb_model_nq(model);
    double *q = malloc(sizeof *q * (size_t)(nq + 1));
    lb_state *state;
    if (!q || lb_state_create(model, NULL, &state) != LB_OK)
        exit(1);
    lb_random random = lb_random_seed(2024);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < count; i++) {
        lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        lb_transform target = lb_state_transform(state, LB_WORLD, tip);
        lb_configuration_random(model, &random, q);
        lb_ik_result result;
        lb_ik_solve(ik, &target, q, q, &result);
        hash = hash_numbers(hash, (const double *)&target, 12);
        hash = hash_number(hash, (double)result.outcome);
        hash = hash_number(hash, (double)result.iterations);
        hash = hash_numbers(hash, q, nq);
    }
    lb_state_release(state);
    free(q);
    return hash;
}

/* the same of all solutions of the same problems */
static uint64_t hash_solutions(lb_solutions_solver *solver, const lb_model *model, int tip,
                               int count)
{
    enum { ROWS = 256 };
    size_t nq = (size_t)lb_model_nq(model);
    double *q = malloc(sizeof *q * nq * (ROWS + 1)), *start = q + ROWS * nq;
    lb_solution *infos = malloc(sizeof *infos * ROWS);
    lb_state *state;
    if (!q || !infos || lb_state_create(model, NULL, &state) != LB_OK)
        exit(1);
    lb_random random = lb_random_seed(2024);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < count; i++) {
        lb_solutions_summary summary;
        lb_configuration_random(model, &random, start);
        lb_state_update(state, start);
        lb_transform target = lb_state_transform(state, LB_WORLD, tip);
        lb_configuration_random(model, &random, start);
        int found = lb_solutions(solver, &target, start, ROWS, q, infos, &summary);
        hash = hash_number(hash, (double)summary.outcome);
        hash = hash_number(hash, summary.count);
        for (int k = 0; k < found; k++) {
            hash = hash_number(hash, infos[k].branch);
            hash = hash_number(hash, infos[k].distance);
            hash = hash_numbers(hash, q + (size_t)k * nq, (int)nq);
        }
    }
    lb_state_release(state);
    free(infos);
    free(q);
    return hash;
}

static void print_solutions(const lb_model *model, const lb_task *task, int count, lb_error *error)
{
    lb_solutions_solver *solver = NULL;
    if (lb_solutions_create(model, task, NULL, NULL, &solver, error) == LB_OK)
        printf("%016llx\n", (unsigned long long)hash_solutions(solver, model, task->tip, count));
    else
        printf("refused\n");
    lb_solutions_release(solver);
}

/* ---- motion ----------------------------------------------------------------- */

static void expect(lb_status status, const lb_error *error)
{
    if (status == LB_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* a clip of random keys, a quarter of a second apart */
static lb_clip *random_clip(const lb_model *model, lb_interpolation interpolation,
                            lb_random *random)
{
    enum { KEYS = 8 };
    lb_clip *clip;
    lb_error error;
    size_t nq = (size_t)lb_model_nq(model);
    double times[KEYS], *keys = malloc(sizeof *keys * (KEYS * nq + 1));
    if (keys == NULL)
        exit(1);
    for (int i = 0; i < KEYS; i++) {
        times[i] = 0.25 * i;
        lb_configuration_random(model, random, keys + (size_t)i * nq);
    }
    expect(lb_clip_create(model, times, keys, KEYS, interpolation, NULL, &clip, &error), &error);
    free(keys);
    return clip;
}

/* of its keys, and of its rates at and between them; the clip is released */
static uint64_t hash_clip(uint64_t hash, lb_clip *clip)
{
    const lb_model *model = lb_clip_model(clip);
    int nq = lb_model_nq(model), nv = lb_model_nv(model), count = lb_clip_count(clip);
    const double *times = lb_clip_times(clip);
    double *rates = malloc(sizeof *rates * (size_t)(2 * nv + 1));
    if (rates == NULL)
        exit(1);
    hash = hash_numbers(hash, times, count);
    hash = hash_numbers(hash, lb_clip_key(clip, 0), count * nq);
    for (int i = 0; i < count; i++) {
        lb_clip_rates(clip, times[i] + 0.1 * (i % 2), rates, rates + nv);
        hash = hash_numbers(hash, rates, 2 * nv);
    }
    free(rates);
    lb_clip_release(clip);
    return hash;
}

static void print_motion(const lb_model *fixed)
{
    lb_error error;
    lb_model *model;
    lb_clip *retimed, *blended, *looped;
    lb_random random = lb_random_seed(2024);
    expect(lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &model, &error), &error);
    lb_clip *a = random_clip(model, LB_INTERPOLATION_LINEAR, &random);
    lb_clip *b = random_clip(model, LB_INTERPOLATION_CUBIC, &random);
    expect(lb_clip_retime(b, 0.5, 0.5, NULL, &retimed, &error), &error);
    expect(lb_clip_blend(a, retimed, 0.75, 1.6, NULL, &blended, &error), &error);
    expect(lb_clip_loop(blended, 2, 0.3, NULL, &looped, &error), &error);
    lb_clip *clips[] = {looped, blended, retimed, b, a};
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++)
        hash = hash_clip(hash, clips[i]);
    lb_model_release(model);
    printf("%016llx\n", (unsigned long long)hash);
}

int main(int argc, char **argv)
{
    bool motion = argc == 3 && strcmp(argv[2], "motion") == 0;
    if (argc != 6 && !motion) {
        fprintf(stderr, "usage: results MODEL TIP position|pose METHOD|solutions COUNT\n"
                        "       results MODEL motion\n");
        return 2;
    }
    lb_error error = {.message = ""};
    lb_model *model = NULL;
    lb_ik *ik = NULL;
    lb_status status = lb_load(argv[1], NULL, &model, &error);
    if (status == LB_OK && motion)
        print_motion(model);
    else if (status == LB_OK) {
        int tip = lb_model_find_link(model, argv[2]);
        lb_task task = lb_task_make(tip, LB_WORLD,
                                    strcmp(argv[3], "pose") == 0 ? LB_TASK_POSE : LB_TASK_POSITION);
        lb_ik_options options = lb_ik_options_default();
        options.method = lb_method_find(argv[4]);
        if (strcmp(argv[4], "solutions") == 0)
            print_solutions(model, &task, atoi(argv[5]), &error);
        else if (options.method &&
                 lb_ik_create(model, &task, 1, &options, NULL, &ik, &error) == LB_OK)
            printf("%016llx\n", (unsigned long long)hash_results(ik, model, tip, atoi(argv[5])));
        else
            printf("refused\n");
    }
    fputs(error.message, stderr);
    lb_ik_release(ik);
    lb_model_release(model);
    return error.message[0] != '\0' && !model;
}
