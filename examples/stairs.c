/*
 * stairs.c - climbing three stairs on feet that do not slide.
 *
 * A path of level 1 carries the pelvis along; the feet have level 0. The standing foot is a
 * contact and stays in place within its tolerance; the other foot moves to the next stair on an
 * arc.
 *
 * Prints:
 *     step 1: right foot at 0.23, other foot slid 0.000 mm, at most 0.0 mm behind its arc
 *     step 2: left foot at 0.39, other foot slid 0.000 mm, at most 0.0 mm behind its arc
 *     step 3: right foot at 0.55, other foot slid 0.000 mm, at most 0.0 mm behind its arc
 *     step 4: left foot at 0.71, other foot slid 0.000 mm, at most 0.0 mm behind its arc
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT, RIGHT, PELVIS, TASKS, STEPS = 4, FRAMES = 30 };
static const double rise = 0.16, run = 0.28;

static lb_body *make_body(const lb_model *model)
{
    lb_body_task tasks[TASKS] = {
        [LEFT] = lb_body_task_make(LB_BODY_CONTACT, lb_model_find_link(model, "left_foot")),
        [RIGHT] = lb_body_task_make(LB_BODY_CONTACT, lb_model_find_link(model, "right_foot")),
        [PELVIS] = lb_body_task_make(LB_BODY_POSE, lb_model_find_link(model, "pelvis"))};
    tasks[PELVIS].level = 1;
    lb_body *body;
    lb_error error;
    if (lb_body_create(model, tasks, TASKS, NULL, NULL, &body, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return body;
}

/* a foot that moves to the stair after next: over the edge first */
static lb_vec3 swing(lb_vec3 from, double share, double stairs)
{
    double up = share < 0.5 ? 2 * share : 1, lift = 4 * share * (1 - share) * 0.06;
    return lb_vec3_make(from.x + share * stairs * run, from.y, from.z + up * stairs * rise + lift);
}

int main(void)
{
    lb_load_options options = {.root = LB_ROOT_FLOATING};
    lb_model *model;
    lb_error error;
    if (lb_load_with_options("human", &options, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    lb_body *body = make_body(model);
    double q[200];
    lb_configuration_neutral(model, q);
    for (int t = 0; t < TASKS; t++)
        lb_body_hold(body, t, q);
    lb_vec3 pelvis = lb_body_target(body, PELVIS).p;
    // knees that are a little bent have room to give
    pelvis.z -= 0.08;

    for (int step = 0; step < STEPS; step++) {
        int moving = step % 2 ? LEFT : RIGHT, standing = step % 2 ? RIGHT : LEFT;
        lb_vec3 from = lb_body_target(body, moving).p;
        double stairs = step == 0 ? 1 : 2, most = 0, behind = 0;
        for (int frame = 1; frame <= FRAMES; frame++) {
            double share = (double)frame / FRAMES, done = step + share;
            lb_body_set_point(body, moving, swing(from, share, stairs));
            lb_body_set_point(body, PELVIS,
                              lb_vec3_make(pelvis.x + (done - 0.5) * run, pelvis.y,
                                           pelvis.z + (done - 1) * rise));
            lb_body_advance(body, q, NULL, 1.0 / 60, q, NULL);
            const lb_body_outcome *out = lb_body_outcomes(body);
            most = fmax(most, out[standing].position_error);
            behind = fmax(behind, out[moving].position_error);
        }
        printf(
            "step %d: %s foot at %.2f, other foot slid %.3f mm, at most %.1f mm behind its arc\n",
            step + 1, moving == LEFT ? "left" : "right", lb_body_target(body, moving).p.z,
            1000 * most, 1000 * behind);
    }
    lb_body_release(body);
    lb_model_release(model);
    return 0;
}
