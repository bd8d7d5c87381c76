/*
 * fuzz_scene.c - scenes: refused with a message, or obstacles that the Panda's distances from are
 * numbers, whatever their sizes.
 */
#include "fuzz.h"

#include <limber/formats/load.h>
#include <limber/formats/scene.h>

#include <math.h>
#include <string.h>

enum { MOST_NQ = 64 };

static void check_distances(const lb_model *model, const lb_scene *scene)
{
    lb_collision *collision = NULL;
    lb_error error = {0};
    lb_collision_options options = lb_collision_options_default();
    options.allow_missing = true;
    options.samples = 0;
    lb_status status = lb_collision_create(model, scene, &options, NULL, &collision, &error);
    FUZZ_CHECK((status == LB_OK) == (collision != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status != LB_OK)
        return;
    double q[MOST_NQ];
    lb_proximity nearest;
    lb_configuration_neutral(model, q);
    double d = lb_collision_distance(collision, q, &nearest);
    FUZZ_CHECK(isfinite(d) && d == nearest.distance);
    FUZZ_CHECK(lb_vec3_is_finite(nearest.point_a) && lb_vec3_is_finite(nearest.point_b));
    FUZZ_CHECK(fabs(lb_vec3_length(nearest.normal) - 1) < 1e-9);
    FUZZ_CHECK(!lb_collision_free(collision, q) || d > 0);
    lb_collision_release(collision);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char path[] = "fuzz_scene.json";
    static lb_model *model;
    if (!model && lb_load("panda", NULL, &model, NULL) != LB_OK)
        return 0;
    if (!fuzz_write(path, data, size))
        return 0;
    lb_scene *scene = NULL;
    lb_error error = {0};
    lb_status status = lb_scene_load(path, NULL, &scene, &error);
    FUZZ_CHECK((status == LB_OK) == (scene != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (scene)
        check_distances(model, scene);
    lb_scene_release(scene);
    return 0;
}
