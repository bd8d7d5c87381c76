/* fuzz_limits.c - limits of joints, YAML and JSON: refused with a message, or numbers that limit.
 */
#include "checks.h"
#include "fuzz.h"

#include <string.h>

enum { JOINTS = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_joint_limit limits[JOINTS];
    lb_error error = {0};
    const lb_model *model = fuzz_robot();
    FUZZ_CHECK(lb_model_joint_count(model) <= JOINTS);
    lb_status status = lb_joint_limits_load_memory("file.yaml", (const char *)data, size, model,
                                                   NULL, limits, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    fuzz_check_limits(limits, model);
    return 0;
}
