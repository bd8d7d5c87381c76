/*
 * joint_setting.h - what one solver changes of a model's joints: locks, narrower limits, weights.
 *
 * A model never changes, and several solvers may want different things of it: a broken joint
 * stays where it is, a cell leaves the arm half of its range, one joint should move less. Solvers
 * take a list of settings in their options (lb_ik_options.joints and the like). The model is not
 * built again: what they read is a view of it, which has limits, locks and weights of its own and
 * shares all else.
 *
 *     lb_joint_setting elbow = lb_joint_setting_make(lb_model_find_joint(model, "elbow"));
 *     elbow.locked = true;
 *     elbow.value = 0.5;
 *     lb_ik_options options = lb_ik_options_default();
 *     options.joints = &elbow;
 *     options.joint_count = 1;
 *
 * A locked joint is no joint for a closed form: an arm of seven joints with one of them locked is
 * solved as an arm of six.
 */
#ifndef LIMBER_JOINT_SETTING_H
#define LIMBER_JOINT_SETTING_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Start from lb_joint_setting_make(), which changes nothing. Several settings of one joint add up.
 * Those of a mimic joint are those of the joint that it follows, in its own values.
 */
typedef struct lb_joint_setting {
    int joint;   /* of the model; not a fixed one */
    bool locked; /* inverse kinematics keeps its value; false: as in the model */
    /*
     * Of a locked joint with one value: where it is kept, within its limits, wherever a start has
     * it; it is its value at rest, too. NAN, and of joints with several values: where the start
     * has it.
     */
    double value;
    /* Narrow the limits, in the order of lb_joint.lower and upper; +-INFINITY leave them. */
    double lower[3], upper[3];
    double weight;   /* in place of lb_joint.weight, > 0; 0: the model's. Of no mimic joint */
    double velocity; /* at most the model's counts, >= 0; INFINITY: the model's */
    /*
     * Per second squared and to the third, > 0; INFINITY: none. They bound motions that
     * lb_timing_make times (timing.h) and nothing else: inverse kinematics and followers have no
     * use for them, and the acceleration of a whole body is that of lb_body_set_speed (body.h).
     */
    double acceleration, jerk;
} lb_joint_setting;

lb_joint_setting lb_joint_setting_make(int joint);

/*
 * The view that solvers make of these settings, for what takes a model and no settings: a model
 * with the same links, joints and indices, which is released with lb_model_release before `model`
 * is. It allocates one block, a few hundred bytes for a joint. Refused by name: a fixed joint,
 * limits that leave nothing, a lock outside them, finite limits and locks beyond LB_LENGTH_MAX, a
 * number that is none; then *view is NULL.
 */
lb_status lb_model_view(const lb_model *model, const lb_joint_setting *settings, int count,
                        const lb_allocator *allocator, lb_model **view, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
