/* fuzz_limits.c - limits of joints, YAML and JSON: refused with a message, or numbers that limit.
 */
#include "fuzz.h"

#include <limber/formats/joint_limits.h>
#include <limber/formats/load.h>

#include <math.h>
#include <string.h>

enum { JOINTS = 16 };

static void check_limit(const lb_joint_limit *limit)
{
    FUZZ_CHECK(limit->lower <= limit->upper);
    FUZZ_CHECK(limit->velocity > 0 && limit->acceleration > 0 && limit->jerk > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lb_model *model;
    lb_joint_limit limits[JOINTS];
    lb_error error = {0};
    // one model for all inputs; it stays
    if (model == NULL && lb_load("panda", NULL, &model, NULL) != LB_OK)
        return 0;
    FUZZ_CHECK(lb_model_joint_count(model) <= JOINTS);
    lb_status status = lb_joint_limits_load_memory("file.yaml", (const char *)data, size, model,
                                                   NULL, limits, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        check_limit(&limits[j]);
    return 0;
}
