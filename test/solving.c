/*
 * solving.c - names every call that a frame may make, for check-symbols.
 *
 * Linked with --gc-sections, this program holds just what these calls can reach;
 * the check fails when that is an allocator, a stream or libm's trigonometry. It
 * is linked, never run. Methods are reached through their table.
 */
#include <limber/limber.h>

typedef void any_function(void);

#define CALL(name) ((any_function *)(name))

/* volatile: the compiler must not see through it */
any_function *volatile const solving_calls[] = {
    CALL(lb_sincos),
    CALL(lb_atan2),
    CALL(lb_acos),
    CALL(lb_wrap_angle),
    CALL(lb_random_unit),
    CALL(lb_state_update),
    CALL(lb_state_transform),
    CALL(lb_state_point),
    CALL(lb_state_direction),
    CALL(lb_state_traverse),
    CALL(lb_state_jacobian),
    CALL(lb_state_jacobians),
    CALL(lb_state_center_of_mass),
    CALL(lb_state_singularity),
    CALL(lb_assembly_all),
    CALL(lb_assembly_close),
    CALL(lb_assembly_follow),
    CALL(lb_assembly_velocities),
    CALL(lb_collision_distance),
    CALL(lb_collision_free),
    CALL(lb_collision_near),
    CALL(lb_collision_gradient),
    CALL(lb_collision_batch),
    CALL(lb_geometry_distance),
    CALL(lb_configuration_neutral),
    CALL(lb_configuration_random),
    CALL(lb_configuration_integrate),
    CALL(lb_configuration_difference),
    CALL(lb_configuration_interpolate),
    CALL(lb_configuration_clamp),
    CALL(lb_task_error),
    CALL(lb_task_mobility),
    CALL(lb_ik_solve),
    CALL(lb_ik_derivative),
    CALL(lb_ik_step),
    CALL(lb_batch_solve),
    CALL(lb_solutions),
    CALL(lb_solutions_batch),
    CALL(lb_elbow_arcs),
    CALL(lb_elbow_at),
    CALL(lb_elbow_best),
    CALL(lb_retarget_stream_next),
    CALL(lb_retarget_stream_reset),
    CALL(lb_retarget_stream_set_acceleration),
    CALL(lb_body_set_target),
    CALL(lb_body_target),
    CALL(lb_body_set_point),
    CALL(lb_body_set_value),
    CALL(lb_body_set_weight),
    CALL(lb_body_hold),
    CALL(lb_body_set_posture),
    CALL(lb_body_set_limits),
    CALL(lb_body_set_speed),
    CALL(lb_body_solve),
    CALL(lb_body_nearest),
    CALL(lb_body_advance),
    CALL(lb_body_outcomes),
    CALL(lb_body_batch_solve),
    CALL(lb_method_at),
    CALL(lb_bones_step),
    CALL(lb_two_link_solve),
    CALL(lb_two_bone_solve),
    CALL(lb_two_bone_batch),
    CALL(lb_path_at),
    CALL(lb_follower_next),
    CALL(lb_servo_aim),
    CALL(lb_servo_twist),
    CALL(lb_servo_move),
    CALL(lb_servo_stop),
    CALL(lb_servo_step),
    CALL(lb_clip_at),
    CALL(lb_clip_rates),
    CALL(lb_placement_solve),
    CALL(lb_reach_map_solve),
    CALL(lb_reach_map_target),
    CALL(lb_workspace_sample),
    CALL(lb_workspace_solve),
    CALL(lb_workspace_measure),
    CALL(lb_workspace_at),
    CALL(lb_planar_reach_reaches),
};

int main(void)
{
    return solving_calls[0] == 0;
}
