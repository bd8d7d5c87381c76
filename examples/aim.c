/*
 * aim.c - partial tasks: a position only, or a position and a direction.
 *
 * A welding torch may turn about itself, so a full pose would constrain too much. The more
 * a task leaves free, the more targets can be reached.
 *
 * Prints:
 *     pose      reached, joints moved ... rad in all
 *     direction reached, joints moved ... rad in all
 *     position  reached, joints moved ... rad in all
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>

/* Solves a task for one target and says how it went. */
static void try_task(const lb_model *model, const char *what, const lb_task *task,
                     const lb_transform *target)
{
    lb_ik *ik;
    lb_error error;
    if (lb_ik_create(model, task, 1, NULL, NULL, &ik, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return;
    }
    double start[7], q[7];
    lb_configuration_neutral(model, start);
    lb_ik_result result;
    lb_ik_solve(ik, target, start, q, &result);

    // what moved, and by how much
    double change[7], sum = 0;
    lb_configuration_difference(model, start, q, change);
    for (int j = 0; j < 7; j++)
        sum += change[j] < 0 ? -change[j] : change[j];
    printf("%-9s %s, joints moved %.2f rad in all\n", what, lb_outcome_text(result.outcome), sum);
    lb_ik_release(ik);
}

int main(void)
{
    lb_model *model;
    lb_error error;
    if (lb_load("iiwa14", NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    lb_transform target =
        lb_transform_from_quat(lb_quat_from_rpy(LB_PI, 0, 2), lb_vec3_make(0.5, 0.2, 0.3));
    int tips[1];
    lb_model_tips(model, tips);

    // all six numbers, the direction of the tool's z axis, the place alone
    lb_task pose = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    lb_task direction = pose;
    direction.free_axis = lb_vec3_make(0, 0, 1);
    lb_task position = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSITION);
    try_task(model, "pose", &pose, &target);
    try_task(model, "direction", &direction, &target);
    try_task(model, "position", &position, &target);

    lb_model_release(model);
    return 0;
}
