/* fuzz_gltf.c - glTF and GLB files: refused with a message, or poses and clips that are finite. */
#include "checks.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_gltf *gltf = NULL;
    lb_error error = {0};
    lb_status status = lb_gltf_load_memory("file.gltf", data, size, NULL, &gltf, &error);
    FUZZ_CHECK((status == LB_OK) == (gltf != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (gltf != NULL)
        fuzz_check_gltf(gltf, size);
    lb_gltf_release(gltf);
    return 0;
}
