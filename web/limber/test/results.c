/*
 * results.c - what the native library returns, as hashes, for the package's tests.
 *
 *     results [MODEL TIP KIND METHOD|solutions COUNT]
 *
 * Solves COUNT random problems of a built-in model and prints FNV-1a (64 bits) over
 * the bits of all results: for each problem the tip's target, the outcome, the
 * iterations and q; of all solutions how many there are, and of each its branch, its
 * distance and q. results.mjs does the same through the package.
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

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: results MODEL TIP position|pose METHOD|solutions COUNT\n");
        return 2;
    }
    lb_error error = {.message = ""};
    lb_model *model = NULL;
    lb_ik *ik = NULL;
    if (lb_load(argv[1], NULL, &model, &error) == LB_OK) {
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
