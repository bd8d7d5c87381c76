/*
 * fuzz_npz.c - a robot's motion as .npz: refused with a message, or a clip that is written and read
 * back with equal keys.
 *
 * A test case is an archive; or, where it does not begin as one, arrays that are put into an
 * archive first, so that checksums do not keep changes out: the number of the array's name, two
 * bytes of its length, lower one first, its bytes, and so on.
 */
#include "archive.h"
#include "formats/motion/robot.h"

#include <limber/formats/load.h>

#include <math.h>
#include <string.h>

/* floats have 24 bits; quaternions and sums of theirs are rounded once more */
static bool alike(double a, double b)
{
    return fabs(a - b) <= 1e-5 * fmax(1, fabs(a));
}

static void check_again(const lb_clip *clip)
{
    void *bytes = NULL;
    size_t size;
    lb_clip *again = NULL;
    lb_error error = {0};
    const lb_model *model = lb_clip_model(clip);
    if (lb_robot_npz_write(clip, "breadth-first", NULL, &bytes, &size, &error) == LB_OK) {
        lb_status status =
            lb_robot_npz_load_memory("again.npz", bytes, size, model, NULL, &again, &error);
        // numbers beyond what a float has are written as infinities, which are refused
        FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
        FUZZ_CHECK(again == NULL || lb_clip_count(again) == lb_clip_count(clip));
        for (int i = 0; again != NULL && i < lb_clip_count(clip); i++)
            for (int k = 0; k < 3; k++)
                FUZZ_CHECK(alike(lb_clip_key(clip, i)[k], lb_clip_key(again, i)[k]));
    }
    lb_clip_release(again);
    free(bytes);
}

static void load(const void *bytes, size_t size, const lb_model *model)
{
    lb_clip *clip = NULL;
    lb_error error = {0};
    lb_status status =
        lb_robot_npz_load_memory("file.npz", bytes, size, model, NULL, &clip, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (clip != NULL)
        check_again(clip);
    lb_clip_release(clip);
}

/* the same for all inputs */
static const lb_model *load_model(void)
{
    static lb_model *model;
    lb_model *fixed = NULL;
    if (model == NULL && lb_load("planar3", NULL, &fixed, NULL) == LB_OK)
        lb_model_with_root(fixed, LB_JOINT_FLOATING, NULL, &model, NULL);
    lb_model_release(fixed);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const lb_model *model = load_model();
    if (size >= 2 && memcmp(data, "PK", 2) == 0) {
        load(data, size, model);
        return 0;
    }
    zip_writer zip;
    if (fuzz_archive((fuzz_bytes){data, size}, robot_npz_arrays, ROBOT_NPZ_ARRAYS, &zip))
        load(zip.bytes, zip.size, model);
    zip_release(&zip);
    return 0;
}
