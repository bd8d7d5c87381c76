/*
 * frames.c - one iteration per frame: a game that chases a moving target.
 *
 * lb_ik_step does a single step on q and returns; nothing is allocated, and the
 * cost of a frame is known. Here a target runs along a circle and a planar arm
 * follows it.
 *
 * Prints:
 *     first on target in frame ...
 *     second round: never more than 0.9 mm behind
 */
#include <limber/limber.h>
#include <stdio.h>

/* Where the target is at a frame: on a circle of radius 1, once around in 120 frames. */
static lb_transform target_at(int frame)
{
    double angle = 2 * LB_PI * frame / 120;
    return lb_transform_translation(3 + lb_cos(angle), lb_sin(angle), 0);
}

int main(void)
{
    // four bones of 1.2 metres
    lb_dh_row row = {.kind = LB_JOINT_REVOLUTE, .a = 1.2, .lower = -2.5, .upper = 2.5};
    lb_dh_row rows[] = {row, row, row, row};
    lb_model *model;
    lb_error error;
    if (lb_model_from_dh("arm", rows, 4, false, NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // the tip has a place to be, its direction does not matter; to a millimetre
    lb_task task = lb_task_make(lb_model_find_link(model, "tool"), LB_WORLD, LB_TASK_POSITION);
    lb_ik_options options = lb_ik_options_default();
    options.position_tolerance = 1e-3;
    lb_ik *ik;
    if (lb_ik_create(model, &task, 1, &options, NULL, &ik, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // one step for each frame, and how far behind the tip is
    double q[4] = {0.5, 0.5, 0.5, 0.5};
    int frame_of_first_touch = -1;
    double farthest = 0;
    for (int frame = 0; frame < 240; frame++) {
        lb_transform target = target_at(frame);
        lb_ik_result result;
        lb_progress progress = lb_ik_step(ik, &target, q, &result);
        if (progress == LB_SUCCESS && frame_of_first_touch < 0)
            frame_of_first_touch = frame;
        if (frame >= 120 && result.position_error > farthest)
            farthest = result.position_error;
    }
    printf("first on target in frame %d\n", frame_of_first_touch);
    printf("second round: never more than %.1f mm behind\n", 1000 * farthest);

    lb_ik_release(ik);
    lb_model_release(model);
    return 0;
}
