/* ball.h - the limits of ball joints: twist about an axis, swing of the axis. */
#ifndef MODEL_BALL_H
#define MODEL_BALL_H

#include "model/layout.h"

/* q = swing * twist with both angles: twist in [-pi, pi], swing in [0, pi]. */
typedef struct ball_angles {
    double twist, swing;
} ball_angles;

ball_angles ball_measure(lb_quat q, lb_vec3 axis);
/* Whether the limits leave it every rotation. */
bool ball_is_free(const model_part *part);
/* How far outside its range a twist is, whole turns apart; 0 within. */
double ball_twist_excess(const model_part *part, double twist);
/* The rotation with twist and swing each brought to the nearest within the limits. */
lb_quat ball_clamp(const model_part *part, lb_vec3 axis, lb_quat q);
/*
 * Uniform within the limits: the twist in its range, the axis on its spherical
 * cap. Without limits that is uniform over all rotations.
 */
lb_quat ball_random(const model_part *part, lb_vec3 axis, lb_random *random);

#endif
