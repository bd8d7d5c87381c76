/*
 * fuzz_motion.c - tables of a robot's motion: refused with a message, or a clip that is written
 * and reads back with equal keys.
 */
#include "fuzz.h"

#include <limber/formats/load.h>
#include <limber/formats/robot_csv.h>

#include <math.h>
#include <string.h>

/* twelve digits behind the point: large numbers lose nothing, small ones what is below that */
static bool alike(double a, double b)
{
    return fabs(a - b) <= 1e-9 + 1e-12 * fabs(a);
}

static void check_again(const lb_clip *clip)
{
    fuzz_text to = {0};
    lb_clip *again = NULL;
    lb_error error = {0};
    const lb_model *model = lb_clip_model(clip);
    if (lb_robot_csv_write(clip, LB_ROBOT_CSV_LAFAN1, fuzz_text_add, &to, &error) == LB_OK) {
        FUZZ_CHECK(lb_robot_csv_load_memory("again.csv", to.text, to.size, model, NULL, &again,
                                            &error) == LB_OK);
        FUZZ_CHECK(lb_clip_count(again) == lb_clip_count(clip));
        for (int i = 0; i < lb_clip_count(clip); i++)
            for (int k = 0; k < 3; k++)
                FUZZ_CHECK(alike(lb_clip_key(clip, i)[k], lb_clip_key(again, i)[k]));
    }
    lb_clip_release(again);
    free(to.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lb_model *robot = NULL, *model = NULL;
    lb_clip *clip = NULL;
    lb_error error = {0};
    if (lb_load("planar3", NULL, &robot, &error) == LB_OK &&
        lb_model_with_root(robot, LB_JOINT_FLOATING, NULL, &model, &error) == LB_OK) {
        lb_status status = lb_robot_csv_load_memory("file.csv", (const char *)data, size, model,
                                                    NULL, &clip, &error);
        FUZZ_CHECK((status == LB_OK) == (clip != NULL));
        FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
        if (clip != NULL)
            check_again(clip);
    }
    lb_clip_release(clip);
    lb_model_release(model);
    lb_model_release(robot);
    return 0;
}
