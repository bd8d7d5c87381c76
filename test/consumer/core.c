/* core.c - a user's program that uses the core alone: an arm built in code, and solved. */
#include <limber/limber.h>
#include <stdio.h>

int main(void)
{
    // two bones of a metre, in the plane
    lb_dh_row rows[2] = {lb_dh_row_default(), lb_dh_row_default()};
    rows[0].a = rows[1].a = 1;
    lb_model *model = NULL;
    lb_error error;
    if (lb_model_from_dh("arm", rows, 2, false, NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // to a place within reach
    lb_task task = lb_task_make(lb_model_find_link(model, "tool"), LB_WORLD, LB_TASK_POSITION);
    lb_ik *ik = NULL;
    if (lb_ik_create(model, &task, 1, NULL, NULL, &ik, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    lb_transform target = LB_TRANSFORM_IDENTITY;
    target.p = lb_vec3_make(1, 1, 0);
    double q[2] = {0.1, 0.2};
    lb_ik_result result;
    lb_ik_solve(ik, &target, q, q, &result);
    printf("%s: %g %g\n", lb_outcome_text(result.outcome), q[0], q[1]);

    lb_ik_release(ik);
    lb_model_release(model);
    return result.outcome == LB_REACHED ? 0 : 1;
}
