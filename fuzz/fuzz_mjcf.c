/* fuzz_mjcf.c - MJCF files: refused with a message, or a model that stands everything. */
#include "fuzz.h"
#include "model.h"

#include <limber/formats/load.h>

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_model *model = NULL;
    lb_error error = {0};
    lb_status status = lb_load_memory("file.mjcf", (const char *)data, size, NULL, &model, &error);
    FUZZ_CHECK((status == LB_OK) == (model != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    fuzz_use_model(model);
    return 0;
}
