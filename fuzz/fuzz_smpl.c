/*
 * fuzz_smpl.c - poses of SMPL: refused with a message, or a figure that stands and a clip of it.
 *
 * A test case is an archive or a pickle; or, where it begins as neither, arrays that are put into
 * an archive first. The first byte says which axis is up, and whether the file has the body, too.
 */
#include "archive.h"
#include "base/memory.h"
#include "formats/motion/smpl.h"

#include <math.h>
#include <string.h>

static void check_clip(const smpl_file *file, const lb_model *model, const lb_clip *clip)
{
    FUZZ_CHECK(lb_model_joint_count(model) == file->count);
    FUZZ_CHECK(lb_clip_count(clip) == file->frames);
    for (int i = 0; i < lb_clip_count(clip); i++)
        for (int k = 0; k < lb_model_nq(model); k++)
            FUZZ_CHECK(isfinite(lb_clip_key(clip, i)[k]));
}

static void load(const void *bytes, size_t size, int how)
{
    const lb_load_options options = lb_load_options_default();
    MEMORY_POOL(memory, NULL);
    load_warnings warnings = {.options = &options, .path = "file.npz"};
    smpl_file file = {.up = (lb_bvh_up)(how % 4), .warnings = &warnings};
    lb_model *model = NULL;
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (how / 4 % 2 != 0) {
        file.body = "body.npz";
        file.body_bytes = bytes;
        file.body_size = size;
    }
    lb_status status = smpl_open(&file, bytes, size, &memory, &error);
    file.rate = file.rate > 0 ? file.rate : 30;
    if (status == LB_OK)
        status = smpl_model(&file, NULL, &model, &error);
    if (status == LB_OK)
        status = smpl_clip(&file, model, NULL, &clip, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (clip != NULL)
        check_clip(&file, model, clip);
    lb_clip_release(clip);
    lb_model_release(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *names[SMPL_ARRAYS + SMPL_BODY_ARRAYS];
    if (size < 3)
        return 0;
    if (data[1] == 0x80 || memcmp(data + 1, "PK", 2) == 0) {
        load(data + 1, size - 1, *data);
        return 0;
    }
    memcpy(names, smpl_arrays, sizeof smpl_arrays);
    memcpy(names + SMPL_ARRAYS, smpl_body_arrays, sizeof smpl_body_arrays);
    zip_writer zip;
    if (fuzz_archive((fuzz_bytes){data + 1, size - 1}, names, SMPL_ARRAYS + SMPL_BODY_ARRAYS, &zip))
        load(zip.bytes, zip.size, *data);
    zip_release(&zip);
    return 0;
}
