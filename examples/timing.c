/*
 * timing.c - the fastest motion of a tool along a straight line, a thousand samples a second.
 *
 * Every joint keeps its limits of speed, acceleration and jerk; the tool moves at most a quarter of
 * a metre a second.
 *
 * Prints:
 *     0.500 m in 2.133 s: 2134 samples, reached
 *     after a second the tool is at 0.450 0.035 0.400 m
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
    // from one side to the other, the tool pointing down
    const lb_quat down = lb_quat_from_rpy(LB_PI, 0, 0);
    lb_transform points[2] = {lb_transform_from_quat(down, lb_vec3_make(0.45, -0.2, 0.4)),
                              lb_transform_from_quat(down, lb_vec3_make(0.45, 0.3, 0.4))};
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    lb_path *path;
    lb_path_create(&source, NULL, &path, &error);

    int tip = lb_model_find_link(model, "tool0");
    lb_timing how = lb_timing_default(lb_task_make(tip, LB_WORLD, LB_TASK_POSE), path);
    how.speed = 0.25;
    how.follow.any_start = true;
    double start[6] = {0, -1.4, 1.6, -0.4, 1.2, 0};
    lb_clip *clip;
    lb_timing_result result;
    if (lb_timing_make(model, &how, start, NULL, &clip, &result, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%.3f m in %.3f s: %d samples, %s\n", lb_path_length(path), result.duration,
           result.samples, lb_outcome_text(result.outcome));

    // a clip is read at any time
    double q[6];
    lb_state *state;
    if (!clip || lb_state_create(model, NULL, &state) != LB_OK)
        return 1;
    lb_clip_at(clip, 1, q);
    lb_state_update(state, q);
    lb_vec3 p = lb_state_transform(state, LB_WORLD, tip).p;
    printf("after a second the tool is at %.3f %.3f %.3f m\n", p.x, p.y, p.z);

    lb_state_release(state);
    lb_clip_release(clip);
    lb_path_release(path);
    lb_model_release(model);
    return 0;
}
