/*
 * follow.c - a tool along a circle, frame by frame.
 *
 * A path gives the tool's pose at every moment; a follower solves each frame from the
 * one before, so the joints move smoothly. Playing allocates nothing.
 *
 * Prints:
 *     a circle of 0.942 m in 60 frames: 60 reached
 *     largest joint step 2.1 degrees, worst condition 3.6
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>

int main(void)
{
    lb_model *model;
    lb_error error;
    if (lb_load("ur5", NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // three places on a circle in front of the arm, upright; closed, it comes back to the first
    lb_transform points[3] = {lb_transform_translation(0.45, 0, 0.35),
                              lb_transform_translation(0.45, 0.15, 0.5),
                              lb_transform_translation(0.45, 0, 0.65)};
    lb_path_source source = {.kind = LB_PATH_ARC, .points = points, .count = 3, .closed = true};
    lb_path *path;
    lb_follower *follower = NULL;
    lb_status status = lb_path_create(&source, NULL, &path, &error);

    // the place counts, how the tool is turned does not
    int tip = lb_model_find_link(model, "tool0");
    lb_follow how = lb_follow_default(lb_task_make(tip, LB_WORLD, LB_TASK_POSITION), path, 60);
    if (status == LB_OK)
        status = lb_follower_create(model, &how, NULL, &follower, &error);
    if (status != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    double q[6] = {0.3, -1.4, 1.6, -0.4, 1.2, 0}, before[6] = {0}, largest = 0, worst = 0;
    int reached = 0;
    lb_frame frame;
    while (lb_follower_next(follower, q, &frame)) {
        reached += frame.result.outcome == LB_REACHED;
        worst = fmax(worst, frame.condition);

        // the first frame only brings the tool to the circle
        for (int i = 0; i < 6; i++) {
            largest = frame.index > 0 ? fmax(largest, fabs(q[i] - before[i])) : 0;
            before[i] = q[i];
        }
    }
    printf("a circle of %.3f m in %d frames: %d reached\n", lb_path_length(path), how.frames,
           reached);
    printf("largest joint step %.1f degrees, worst condition %.1f\n", largest * 180 / LB_PI, worst);

    lb_follower_release(follower);
    lb_path_release(path);
    lb_model_release(model);
    return 0;
}
