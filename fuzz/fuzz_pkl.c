/*
 * fuzz_pkl.c - a robot's motion as a pickle: refused with a message, or a clip that is written and
 * read back with equal keys.
 */
#include "formats/motion/robot.h"
#include "fuzz.h"

#include <limber/formats/load.h>

#include <math.h>
#include <string.h>

/* doubles as they are, but for quaternions, which are normalised again */
static bool alike(double a, double b)
{
    return fabs(a - b) <= 1e-15 * fmax(1, fabs(a));
}

static void check_again(const lb_clip *clip)
{
    fuzz_text to = {0};
    lb_clip *again = NULL;
    lb_error error = {0};
    const lb_model *model = lb_clip_model(clip);
    if (robot_pkl_write(clip, NULL, fuzz_text_add, &to, &error) == LB_OK) {
        FUZZ_CHECK(robot_pkl_read(to.text, to.size, model, NULL, &again, &error) == LB_OK);
        FUZZ_CHECK(lb_clip_count(again) == lb_clip_count(clip));
        for (int i = 0; i < lb_clip_count(clip); i++)
            for (int k = 0; k < lb_model_nq(model); k++)
                FUZZ_CHECK(alike(lb_clip_key(clip, i)[k], lb_clip_key(again, i)[k]));
    }
    lb_clip_release(again);
    free(to.text);
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
    lb_clip *clip = NULL;
    lb_error error = {0};
    lb_status status = robot_pkl_read(data, size, load_model(), NULL, &clip, &error);
    FUZZ_CHECK((status == LB_OK) == (clip != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (clip != NULL)
        check_again(clip);
    lb_clip_release(clip);
    return 0;
}
