/*
 * fuzz_mesh.c - mesh files: refused with a message, or the corners of a hull, which are finite, and
 * are all corners of the hull that they have themselves. The first byte is the format.
 */
#include "base/memory.h"
#include "formats/mesh/mesh.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = {"a.stl", "a.obj", "a.dae"};
    lb_allocator allocator = memory_allocator(NULL);
    lb_vec3 *corners = NULL;
    int count = 0;
    lb_error error = {0};
    if (size == 0)
        return 0;
    // a letter, so that seeds can be written by hand
    const char *file = files[data[0] % 3];
    lb_status status = mesh_read_memory(file, (const char *)data + 1, size - 1, &allocator,
                                        &corners, &count, &error);
    FUZZ_CHECK((status == LB_OK) == (corners != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    FUZZ_CHECK(status != LB_OK || count > 0);
    for (int i = 0; i < count; i++) {
        FUZZ_CHECK(lb_vec3_is_finite(corners[i]));
        for (int k = 0; k < i && count < 100; k++)
            FUZZ_CHECK(corners[i].x != corners[k].x || corners[i].y != corners[k].y ||
                       corners[i].z != corners[k].z);
    }
    if (corners != NULL)
        memory_release(&allocator, corners);
    return 0;
}
