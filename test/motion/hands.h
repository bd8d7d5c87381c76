/*
 * hands.h - where the palms of the built-in human are.
 */
#ifndef TEST_MOTION_HANDS_H
#define TEST_MOTION_HANDS_H

#include "support_load.h"

#include <limber/kinematics.h>

static const char *const hand_links[2] = {"left_hand", "right_hand"};

/* a palm as the library has it: on from the wrist by 0.3 of the upper arm, towards the fingers */
static inline lb_vec3 human_palm(const lb_model *model, int side)
{
    static const char *const tips[2] = {"left_fingertip", "right_fingertip"};
    static const char *const arms[2][2] = {{"left_upper_arm", "left_forearm"},
                                           {"right_upper_arm", "right_forearm"}};
    owned_state *s = test_state(model);
    const lb_transform *at = lb_state_transforms(s);
    const lb_transform *hand = &at[lb_model_find_link(model, hand_links[side])];
    lb_transform tip = lb_transform_between(hand, &at[lb_model_find_link(model, tips[side])]);
    lb_vec3 arm = lb_vec3_sub(at[lb_model_find_link(model, arms[side][1])].p,
                              at[lb_model_find_link(model, arms[side][0])].p);
    lb_vec3 place = lb_vec3_scale(tip.p, 0.3 * lb_vec3_length(arm) / lb_vec3_length(tip.p));
    return place;
}

#endif
