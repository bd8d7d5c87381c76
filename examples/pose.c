/*
 * pose.c - inverse kinematics: the joint values that bring a tool to a pose.
 *
 * Two targets: one that the arm can reach and one that it cannot. The outcome is data,
 * not an error, and lb_ik_explain puts it into words.
 *
 * Prints:
 *     reached: ...
 *       Reached without iterating.
 *     unreachable: ...
 *       Out of reach: with all links in one straight line the target would still be 0.2532 m away.
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

    // the whole pose of the last link counts, to a micrometre and a microradian
    int tip = lb_model_find_link(model, "tool0");
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    lb_ik *ik;
    if (lb_ik_create(model, &task, 1, NULL, NULL, &ik, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // pointing down, first near by and then too far
    lb_quat down = lb_quat_from_rpy(LB_PI, 0, 0);
    lb_transform targets[] = {
        lb_transform_from_quat(down, lb_vec3_make(0.4, 0.2, 0.3)),
        lb_transform_from_quat(down, lb_vec3_make(1.4, 0.2, 0.3)),
    };
    for (int i = 0; i < 2; i++) {
        double start[6] = {0, -1.5, 1.5, 0, 0, 0}, q[6];
        lb_ik_result result;
        lb_ik_solve(ik, &targets[i], start, q, &result);

        printf("%s:", lb_outcome_text(result.outcome));
        for (int j = 0; j < 6; j++)
            printf(" %.4f", q[j]);
        char why[400];
        lb_ik_explain(ik, &targets[i], q, &result, why, sizeof why);
        printf("\n  %s\n", why);
    }

    lb_ik_release(ik);
    lb_model_release(model);
    return 0;
}
