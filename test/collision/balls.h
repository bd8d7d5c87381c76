/*
 * balls.h - an arm with balls that collide, and what tests of collisions say of pairs.
 */
#ifndef TEST_COLLISION_BALLS_H
#define TEST_COLLISION_BALLS_H

#include "support_arm.h"

#include <limber/collision.h>

#include <string.h>

/* The arm with a ball on each link but the second: base - (upper) - lower - hand. */
typedef struct balls {
    test_arm arm;
    lb_geometry ball;
    lb_model *model;
} balls;

static inline void setup_balls(balls *b, double radius)
{
    test_arm_make(&b->arm);
    b->ball = (lb_geometry){
        .shape = LB_SHAPE_SPHERE, .size = {radius, 0, 0}, .origin = LB_TRANSFORM_IDENTITY};
    for (int i = 0; i < 4; i++) {
        b->arm.links[i].collisions = &b->ball;
        b->arm.links[i].collision_count = i != 1;
    }
    for (int i = 0; i < 3; i++)
        b->arm.joints[i].placement.p = lb_vec3_make(1, 0, 0);
    b->model = test_build(&b->arm.source);
}

static inline lb_pair_state state_of(const lb_collision *c, int a, int b)
{
    for (int i = 0; i < lb_collision_pair_count(c); i++) {
        int x, y;
        lb_pair_state state = lb_collision_pair_at(c, i, &x, &y);
        if (x == a && y == b)
            return state;
    }
    fail_msg("no pair %d %d", a, b);
    return LB_PAIR_CHECKED;
}

static inline lb_collision *created(const lb_model *model, const lb_scene *scene,
                                    const lb_collision_options *options)
{
    lb_collision *c;
    lb_error error = {0};
    assert_made(lb_collision_create(model, scene, options, NULL, &c, &error), error);
    return c;
}

static inline void check_refused(const lb_model *model, const lb_scene *scene,
                                 const lb_collision_options *options, lb_status status,
                                 const char *says)
{
    lb_collision *c = (lb_collision *)&status;
    lb_error error = {0};
    assert_int_equal(lb_collision_create(model, scene, options, NULL, &c, &error), status);
    assert_null(c);
    if (strstr(error.message, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, says);
}

#endif
