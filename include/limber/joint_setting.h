/*
 * joint_setting.h - one solver's changes to a model's joints: locks, narrower limits, weights.
 *
 * A model never changes, but solvers may want different things of it: a broken joint stays where it
 * is, a cell leaves the arm half of its range, one joint should move less. Solvers take a list of
 * settings in their options (lb_ik_options.joints, for example). The model is not built again: a
 * solver reads a view of it that has its own limits, locks and weights and shares the rest.
 *
 *     lb_joint_setting elbow = lb_joint_setting_make(lb_model_find_joint(model, "elbow"));
 *     elbow.locked = true;
 *     elbow.value = 0.5;
 *     lb_ik_options options = lb_ik_options_default();
 *     options.joints = &elbow;
 *     options.joint_count = 1;
 *
 * A closed form does not count a locked joint: an arm of seven joints with one of them locked is
 * solved as an arm of six.
 *
 * Stable.
 */
#ifndef LIMBER_JOINT_SETTING_H
#define LIMBER_JOINT_SETTING_H

#include <limber/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Start from lb_joint_setting_make(), which changes nothing. Several settings of one joint add up.
 * Settings of a mimic joint apply to the joint that it follows, in its own values.
 */
typedef struct lb_joint_setting {
    int joint;   /* Index of a joint of the model that is not fixed. */
    bool locked; /* Inverse kinematics keeps the joint's value. False: as in the model. */
    /* Where a locked joint of one value is kept, radians or metres, within its limits, whatever
       the start says; it is its value at rest, too. NaN (the default): where the start has it,
       as are joints of several values. */
    double value;
    /* Narrower limits in the order of lb_joint.lower and upper, radians or metres. Infinite: the
       model's (the default). */
    double lower[3], upper[3];
    /* Replaces lb_joint.weight, > 0; not of a mimic joint. 0: the model's (the default). */
    double weight;
    /* Largest speed, radians or metres per second, >= 0; the model's limit holds as well.
       Infinite: the model's (the default). */
    double velocity;
    /* Limits per second squared and per second cubed, > 0. Infinite: none (the default). Only
       lb_timing_make (timing.h) and lb_servo_create (servo.h) read them; lb_body_set_speed
       (body.h) limits the acceleration of a whole body. */
    double acceleration, jerk;
} lb_joint_setting;

lb_joint_setting lb_joint_setting_make(int joint);

/*
 * Makes the view that solvers make of these settings, for functions that take a model and no
 * settings. It is a model with the same links, joints and indices; release it with lb_model_release
 * before `model`. It allocates one block of a few hundred bytes for each joint. Refused by name: a
 * fixed joint; limits that leave no value; a lock outside them; finite limits and locks beyond
 * LB_LENGTH_MAX; NaN. *view is then NULL.
 */
lb_status lb_model_view(const lb_model *model, const lb_joint_setting *settings, int count,
                        const lb_allocator *allocator, lb_model **view, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
