/* ball.c - swing and twist of ball joints. */
#include "model/ball.h"

ball_angles ball_measure(lb_quat q, lb_vec3 axis)
{
    lb_quat swing, twist;
    lb_quat_swing_twist(q, axis, &swing, &twist);
    lb_vec3 across = {swing.x, swing.y, swing.z};
    double along = lb_vec3_dot(lb_vec3_make(twist.x, twist.y, twist.z), axis);
    return (ball_angles){
        .twist = 2 * lb_atan2(along, twist.w),
        .swing = 2 * lb_atan2(lb_vec3_length(across), swing.w),
    };
}

bool ball_is_free(const model_part *part)
{
    return part->swing >= LB_PI && part->upper - part->lower >= 2 * LB_PI;
}

/* The value of `twist`, whole turns apart, that is nearest to the range; and its nearest within. */
static double nearest_twist(const model_part *part, double twist, double *excess)
{
    double best = twist;
    *excess = INFINITY;
    for (int turn = -1; turn <= 1; turn++) {
        double same = twist + turn * 2 * LB_PI;
        double within = fmin(fmax(same, part->lower), part->upper);
        if (fabs(same - within) >= *excess)
            continue;
        *excess = fabs(same - within);
        best = within;
    }
    return best;
}

double ball_twist_excess(const model_part *part, double twist)
{
    double excess;
    nearest_twist(part, twist, &excess);
    return excess;
}

lb_quat ball_clamp(const model_part *part, lb_vec3 axis, lb_quat q)
{
    if (ball_is_free(part))
        return q;
    lb_quat swing, twist;
    lb_quat_swing_twist(q, axis, &swing, &twist);
    ball_angles angles = ball_measure(q, axis);
    double excess;
    double within = nearest_twist(part, angles.twist, &excess);
    if (excess == 0 && angles.swing <= part->swing)
        return q;

    // each about its own axis, as far as it may
    if (excess > 0)
        twist = lb_quat_from_axis_angle(axis, within);
    if (angles.swing > part->swing) {
        lb_vec3 across = lb_vec3_make(swing.x, swing.y, swing.z);
        across = lb_vec3_normalize(across, lb_vec3_perpendicular(axis));
        swing = lb_quat_from_axis_angle(across, part->swing);
    }
    return lb_quat_normalize(lb_quat_multiply(swing, twist));
}

lb_quat ball_random(const model_part *part, lb_vec3 axis, lb_random *random)
{
    // a range of a whole turn or more is any twist
    bool free = part->upper - part->lower >= 2 * LB_PI;
    double lower = free ? -LB_PI : part->lower, upper = free ? LB_PI : part->upper;
    lb_quat twist = lb_quat_from_axis_angle(axis, lb_random_between(random, lower, upper));

    // uniform on a cap is uniform in height (Archimedes); the height is the swing's cosine
    double least = part->swing < LB_PI ? lb_cos(part->swing) : -1;
    double height = lb_random_between(random, least, 1);
    double sine, cosine;
    lb_sincos(lb_random_between(random, -LB_PI, LB_PI), &sine, &cosine);

    // half angles of the swing about an axis at right angles to the joint's
    lb_vec3 first = lb_vec3_perpendicular(axis);
    lb_vec3 second = lb_vec3_cross(axis, first);
    lb_vec3 across = lb_vec3_add(lb_vec3_scale(first, cosine), lb_vec3_scale(second, sine));
    double half_sine = sqrt(0.5 * (1 - height));
    lb_quat swing = {sqrt(0.5 * (1 + height)), half_sine * across.x, half_sine * across.y,
                     half_sine * across.z};
    return lb_quat_normalize(lb_quat_multiply(swing, twist));
}
