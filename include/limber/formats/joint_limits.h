/*
 * joint_limits.h - limits of joints from a file of their own, such as MoveIt's joint_limits.yaml.
 *
 * A URDF has speeds of joints but neither accelerations nor jerks. MoveIt keeps these, and narrower
 * ranges, beside it:
 *
 *     joint_limits:
 *       panda_joint1:
 *         has_velocity_limits: true
 *         max_velocity: 2.175
 *         has_acceleration_limits: true
 *         max_acceleration: 3.75
 *
 * The keys are has_position_limits, min_position, max_position, and has_ and max_ of velocity,
 * acceleration and jerk; keys of effort, deceleration, soft limits and scaling factors are ignored.
 * A number counts unless its has_ key is false. JSON with these keys is read, too. Units are
 * radians, metres and seconds; `!degrees 90` is an angle in degrees. The outermost key may be
 * robot_description_planning or ros__parameters.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header. YAML is read if
 * the library was built with libyaml.
 */
#ifndef LIMBER_FORMATS_JOINT_LIMITS_H
#define LIMBER_FORMATS_JOINT_LIMITS_H

#include <limber/formats/document.h>
#include <limber/joint_setting.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file's limits of one joint. */
typedef struct lb_joint_limit {
    double lower, upper; /* Radians or metres. Infinite: the file does not say. */
    double velocity;     /* Per second. Infinite: the file does not say. */
    double acceleration; /* Per second squared. Infinite: the file does not say. */
    double jerk;         /* Per second cubed. Infinite: the file does not say. */
} lb_joint_limit;

/*
 * Fills `limits`, a row for each joint of the model, from a file. The format is YAML unless the
 * text begins with "{". A joint that the model does not have is warned of, with the nearest name;
 * `options` are those for models (NULL: the defaults). Refused with file, line and remedy: unknown
 * keys, values that are no number or not above 0, limits that are crossed. On failure all rows are
 * without limits.
 */
lb_status lb_joint_limits_load(const char *path, const lb_model *model,
                               const lb_load_options *options, lb_joint_limit limits[/* joints */],
                               lb_error *error);
/* As lb_joint_limits_load, from `size` bytes of text; `name` stands for the file in messages. */
lb_status lb_joint_limits_load_memory(const char *name, const char *text, size_t size,
                                      const lb_model *model, const lb_load_options *options,
                                      lb_joint_limit limits[/* joints */], lb_error *error);
/* As lb_joint_limits_load, from nodes that another parser filled in, see document.h. */
lb_status lb_document_joint_limits(const lb_document *document, const char *path,
                                   const lb_model *model, const lb_load_options *options,
                                   lb_joint_limit limits[/* joints */], lb_error *error);

/* A joint's limits as a setting for solvers. */
lb_joint_setting lb_joint_limit_setting(const lb_joint_limit limits[/* joints */], int joint);
/*
 * The model with these limits, which narrow its own: a view as lb_model_view makes it, to be
 * released before the model. On failure *view is NULL.
 */
lb_status lb_model_with_limits(const lb_model *model, const lb_joint_limit limits[/* joints */],
                               const lb_allocator *allocator, lb_model **view, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
