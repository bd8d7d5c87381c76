/*
 * own_method.c - a method of one's own: its errors after each step, as limber compare draws them.
 *
 * step() is the method. What this prints is a file for
 *
 *     own_method > own.csv
 *     limber compare planar3 --position "-20 5 0" --curves own.csv --figure race.svg
 *
 * Prints:
 *     transpose in C
 *     38.63576935590843
 *     24.759087639059622
 *     ...
 *     0.012190555114267561
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>

enum { JOINTS = 3, STEPS = 60 };

/* The method: from a configuration and what is missing to the target, the next configuration. */
static void step(const lb_state *state, int tip, lb_vec3 missing, double q[JOINTS])
{
    const double alpha = 0.001;
    double jacobian[6 * JOINTS];
    lb_state_jacobian(state, tip, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, jacobian);
    for (int i = 0; i < JOINTS; i++)
        q[i] += alpha * (jacobian[i] * missing.x + jacobian[JOINTS + i] * missing.y);
}

int main(void)
{
    lb_model *model;
    lb_error error;
    if (lb_load("planar3", NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    lb_state *state;
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return 1;
    int tip = lb_model_find_link(model, "tip");
    lb_vec3 target = lb_vec3_make(-20, 5, 0);
    double q[JOINTS];
    lb_configuration_neutral(model, q);

    // a heading, and the error before each step and after the last
    printf("transpose in C\n");
    for (int i = 0; i <= STEPS; i++) {
        lb_state_update(state, q);
        lb_vec3 missing = lb_vec3_sub(target, lb_state_transform(state, LB_WORLD, tip).p);
        printf("%.17g\n", lb_vec3_length(missing));
        step(state, tip, missing, q);
    }
    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
