/* ball.h - the limits of ball joints: twist about an axis, swing of the axis. */
#ifndef MODEL_BALL_H
#define MODEL_BALL_H

#include "model/layout.h"

/* q = swing * twist; as in kernel_ball_angles. */
typedef struct ball_angles {
    double twist, swing;
} ball_angles;

ball_angles ball_measure(const model_part *part, lb_vec3 axis, lb_quat q);

/* A twist is at most half a turn: a limit on one side only ends there on the other. */
void ball_close_twist(double *lower, double *upper);

/* Whether every rotation is within the limits. */
bool ball_is_free(const model_part *part);

/* The rotation with twist and swing each brought to the nearest within the limits. */
lb_quat ball_clamp(const model_part *part, lb_vec3 axis, lb_quat q);

/*
 * Uniform within the limits: the twist in its range, the axis on its spherical cap. Without limits
 * that is uniform over all rotations.
 */
lb_quat ball_random(const model_part *part, lb_vec3 axis, lb_random *random);

#endif
