/*
 * dh.c - an arm from its Denavit-Hartenberg table, and the tip's velocity.
 *
 * The Jacobian maps joint velocities to the tip's: v = J q'. A column is the motion that
 * one joint causes; the singular values say how well the arm can move in this pose.
 *
 * Prints:
 *      -19.598  -13.858   -4.619
 *       15.772    1.913   -1.913
 *     rank 2, best direction 28.204 m per rad, next 7.622
 */
#include <limber/limber.h>
#include <stdio.h>

int main(void)
{
    // a planar arm of three bones, as in many a textbook
    lb_dh_row rows[] = {
        {.kind = LB_JOINT_REVOLUTE, .a = 15, .lower = -LB_PI, .upper = LB_PI},
        {.kind = LB_JOINT_REVOLUTE, .a = 10, .lower = -LB_PI, .upper = LB_PI},
        {.kind = LB_JOINT_REVOLUTE, .a = 5, .lower = -LB_PI, .upper = LB_PI},
    };
    lb_model *model;
    lb_error error;
    if (lb_model_from_dh("arm", rows, 3, false, NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    lb_state *state;
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return 1;
    double q[] = {LB_PI / 8, LB_PI / 4, LB_PI / 4};
    lb_state_update(state, q);

    // rows 0 and 1 of 6 are the velocity in the plane
    int tool = lb_model_find_link(model, "tool");
    lb_vec3 origin = {0, 0, 0};
    double jacobian[6 * 3];
    lb_state_jacobian(state, tool, origin, LB_AXES_WORLD, jacobian);
    for (int row = 0; row < 2; row++)
        printf("%8.3f %8.3f %8.3f\n", jacobian[row * 3], jacobian[row * 3 + 1],
               jacobian[row * 3 + 2]);

    // linear motion alone (length 0); two directions are possible, z is not
    lb_singularity singularity;
    if (lb_state_singularity(state, tool, origin, 0, 1e-9, &singularity) != LB_OK)
        return 1;
    printf("rank %d, best direction %.3f m per rad, next %.3f\n", singularity.rank,
           singularity.values[0], singularity.values[1]);

    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
