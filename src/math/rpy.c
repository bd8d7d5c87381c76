/*
 * rpy.c - roll, pitch and yaw: rotations about the fixed axes x, then y, then z, as in URDF.
 */
#include <limber/math.h>

#include <float.h>

lb_quat lb_quat_from_rpy(double roll, double pitch, double yaw)
{
    lb_quat x = lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), roll);
    lb_quat y = lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), pitch);
    lb_quat z = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), yaw);
    return lb_quat_multiply(z, lb_quat_multiply(y, x));
}

/* half a turn is the same either way: the positive one is returned */
static double half_turn_positive(double angle)
{
    return angle == -LB_PI ? LB_PI : angle;
}

lb_vec3 lb_quat_to_rpy(lb_quat q)
{
    lb_transform t = lb_transform_from_quat(q, lb_vec3_make(0, 0, 0));
    double cosine = sqrt(t.x.x * t.x.x + t.x.y * t.x.y);
    double pitch = lb_atan2(-t.x.z, cosine);

    // in gimbal lock the entries that give roll are nothing but their rounding
    double roll = cosine > 16 * DBL_EPSILON ? lb_atan2(t.y.z, t.z.z) : 0;

    // yaw is what remains when roll is taken away, so that it fits even a rough roll
    double sine;
    lb_sincos(roll, &sine, &cosine);
    double yaw = lb_atan2(sine * t.z.x - cosine * t.y.x, cosine * t.y.y - sine * t.z.y);
    return lb_vec3_make(half_turn_positive(roll), pitch, half_turn_positive(yaw));
}
