/*
 * fuzz_retarget.c - maps of retargeting, limber's and GMR's ik_configs: refused with a message, or
 * numbers that are finite, written and read back equal; a motion of two frames that follows such a
 * map is refused, or has finite numbers within the limits.
 */
#include "fuzz.h"

#include <limber/formats/load.h>
#include <limber/formats/motion_json.h>

#include <math.h>
#include <string.h>

/* the same text again: maps have padding, which memory comparison would see */
static void check_again(const lb_retarget_map *map, const lb_model *source, const lb_model *target)
{
    char *text = NULL, *second = NULL;
    lb_retarget_map again;
    lb_error error = {0};
    if (lb_retarget_map_write(map, source, target, NULL, &text, &error) != LB_OK)
        return;
    lb_status status = lb_retarget_map_load_memory("again.json", text, strlen(text), source, target,
                                                   NULL, &again, &error);
    if (status != LB_OK)
        fprintf(stderr, "%s\n%s\n", error.message, text);
    FUZZ_CHECK(status == LB_OK);
    FUZZ_CHECK(lb_retarget_map_write(&again, source, target, NULL, &second, &error) == LB_OK);
    FUZZ_CHECK(strcmp(text, second) == 0);
    free(second);
    free(text);
}

static void check_numbers(const lb_retarget_map *map)
{
    FUZZ_CHECK(map->count >= 1 && map->count <= LB_RETARGET_PAIRS);
    FUZZ_CHECK(map->scale >= 0 && map->root_scale >= 0);
    for (int i = 0; i < map->count; i++) {
        const lb_retarget_pair *p = &map->pairs[i];
        FUZZ_CHECK(p->position >= 0 && p->orientation >= 0 && p->direction >= 0);
        FUZZ_CHECK(p->held_count >= 0 && p->held_count <= LB_RETARGET_HELD);
        FUZZ_CHECK(lb_vec3_is_finite(p->offset) && lb_vec3_is_finite(p->source_point));
    }
}

/* the figure takes one step to the side */
static lb_clip *make_step(const lb_model *model)
{
    enum { MOST = 256 };
    double keys[2 * MOST] = {0};
    const double times[] = {0, 0.25};
    lb_clip *clip = NULL;
    int nq = lb_model_nq(model);
    if (nq > MOST)
        return NULL;
    lb_configuration_neutral(model, keys);
    lb_configuration_neutral(model, keys + nq);
    keys[nq] += 0.1;
    lb_clip_create(model, times, keys, 2, LB_INTERPOLATION_LINEAR, NULL, &clip, NULL);
    return clip;
}

static void follow(const lb_retarget_map *map, const lb_model *source, const lb_model *target)
{
    lb_clip *clip = make_step(source), *made = NULL;
    lb_error error = {0};
    lb_retarget_options options = lb_retarget_options_default();
    options.map = map;
    if (clip != NULL) {
        lb_status status = lb_retarget(clip, target, &options, NULL, &made, NULL, NULL, &error);
        FUZZ_CHECK((status == LB_OK) == (made != NULL));
        FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
        for (int i = 0; made != NULL && i < lb_clip_count(made); i++)
            FUZZ_CHECK(lb_configuration_validate(target, lb_clip_key(made, i), 1e-6, NULL) ==
                       LB_OK);
    }
    lb_clip_release(made);
    lb_clip_release(clip);
}

/* the same for all inputs */
static const lb_model *load_model(void)
{
    static lb_model *model;
    lb_model *fixed = NULL;
    if (model == NULL && lb_load("human", NULL, &fixed, NULL) == LB_OK)
        lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &model, NULL);
    lb_model_release(fixed);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lb_retarget_map map;
    lb_error error = {0};
    const lb_model *model = load_model();
    lb_status status = lb_retarget_map_load_memory("map.json", (const char *)data, size, model,
                                                   model, NULL, &map, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status == LB_OK) {
        check_numbers(&map);
        check_again(&map, model, model);
        follow(&map, model, model);
    }
    return 0;
}
