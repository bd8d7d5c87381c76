/* fuzz_bvh.c - BVH files: refused with a message, or written and read again as they are. */
#include "fuzz.h"
#include "model.h"

#include <limber/formats/bvh.h>
#include <math.h>
#include <string.h>

/* the same numbers, whether they were written as they are or from the poses */
static void check_again(const lb_bvh *bvh, const lb_clip *clip)
{
    fuzz_text to = {0};
    lb_bvh *again = NULL;
    lb_error error = {0};
    lb_status status = lb_bvh_write(bvh, clip, fuzz_text_add, &to, NULL, &error);
    // times of many frames that are nearly equal need not be even
    FUZZ_CHECK(status == LB_OK || (clip != NULL && strlen(error.message) > 0));
    if (status == LB_OK) {
        FUZZ_CHECK(lb_bvh_load_memory("again.bvh", to.text, to.size, NULL, &again, &error) ==
                   LB_OK);
        lb_bvh_info info = lb_bvh_describe(bvh), second = lb_bvh_describe(again);
        FUZZ_CHECK(info.frames == second.frames && info.channels == second.channels);
        for (int i = 0; i < info.frames; i++)
            for (int k = 0; k < info.channels; k++)
                FUZZ_CHECK(lb_bvh_row(bvh, i)[k] == lb_bvh_row(again, i)[k]);
    }
    lb_bvh_release(again);
    free(to.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_bvh *bvh = NULL;
    lb_error error = {0};
    lb_status status = lb_bvh_load_memory("file.bvh", (const char *)data, size, NULL, &bvh, &error);
    FUZZ_CHECK((status == LB_OK) == (bvh != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (bvh != NULL) {
        check_again(bvh, NULL);
        if (lb_bvh_clip(bvh) != NULL)
            check_again(bvh, lb_bvh_clip(bvh));
    }
    lb_bvh_release(bvh);
    return 0;
}
