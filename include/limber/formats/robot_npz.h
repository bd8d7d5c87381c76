/*
 * robot_npz.h - robot motion as training code keeps it: NumPy's .npz with joints and bodies.
 *
 *     lb_model_with_root(robot, LB_JOINT_FLOATING, NULL, &model, &error);
 *     lb_robot_npz_load_memory("walk.npz", bytes, size, model, NULL, &clip, &error);
 *
 * An archive has these arrays, a row for each of T frames; metres, radians, seconds, world axes,
 * quaternions w x y z:
 *
 *   fps             frames a second, one number
 *   joint_pos       T x joints        joint_vel       T x joints
 *   body_pos_w      T x bodies x 3    body_quat_w     T x bodies x 4
 *   body_lin_vel_w  T x bodies x 3    body_ang_vel_w  T x bodies x 3
 *   joint_names     joints            body_names      bodies, texts
 *
 * Joints are those of one value that mimic none. Bodies are the links that joints move (fixed ones
 * belong to the link before, as simulators merge them); velocities are those of a body's origin.
 * Arrays are written in the model's order, depth first, or in another that the training code
 * expects. They are read by their names or, without names, in the model's order, with a warning,
 * because simulators have orders of their own.
 *
 * The model must have a floating joint, the root's (lb_model_with_root makes one), with fixed
 * joints alone above it, and beside it joints of one value alone. Needs minizip; without it reading
 * and writing are LB_UNSUPPORTED.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_ROBOT_NPZ_H
#define LIMBER_FORMATS_ROBOT_NPZ_H

#include <limber/clip.h>
#include <limber/formats/document.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads an archive of `size` bytes over a model, which must outlive the clip; `name` is for
 * messages, and lb_motion_open() reads files (motion.h). The first frame is at time 0; between
 * frames the clip is linear. It reads fps, joint_pos, and of body_pos_w and body_quat_w the root's
 * rows (the link that the floating joint moves: by its name, else the first body); velocities
 * follow from these. Of the options allocator, warnings and strict reading have an effect; NULL:
 * the defaults. Refused with the array's name and the reason: a file that is no archive; arrays
 * that are missing, of other shapes or not finite; names that are no joints; frames a second that
 * are not between 1e-9 and 1e9. On failure *clip is NULL.
 */
lb_status lb_robot_npz_load_memory(const char *name, const void *bytes, size_t size,
                                   const lb_model *model, const lb_load_options *options,
                                   lb_clip **clip, lb_error *error);

/*
 * Writes the keys of a clip as an archive of floats, not compressed, as numpy.savez does. Its keys
 * must be evenly spaced, within 1e-4, and between 1e-9 and 1e9 a second (else LB_BAD_VALUE);
 * velocities are lb_clip_rates(). *bytes has *size bytes from `allocator` (NULL: malloc), to be
 * released through the same. On failure *bytes is NULL.
 *
 * `order` is that of the joints, for training code that reads columns by number: "depth-first"
 * (NULL: the default), the model's order; "breadth-first", level by level of joints that move,
 * siblings in the model's order, as Isaac's simulators number them; or the names of all joints with
 * a column, each once, separated by commas or line ends. A body stands where the joint that moves
 * it does, the root's first; bodies of mimic joints follow those of a list. A name that is no
 * joint's is LB_NOT_FOUND, one that is missing or repeated LB_BAD_VALUE.
 */
lb_status lb_robot_npz_write(const lb_clip *clip, const char *order /* or NULL */,
                             const lb_allocator *allocator, void **bytes, size_t *size,
                             lb_error *error);

/* ---- for programs with an archiver of their own --------------------------- */

/* These functions need no minizip. */

/* A file of an archive, decompressed. */
typedef struct lb_robot_npz_file {
    const char *name;  /* Its name in the archive: "fps.npy". */
    const void *bytes; /* Its content. */
    size_t size;       /* Bytes of the content. */
} lb_robot_npz_file;

/*
 * As lb_robot_npz_load_memory, from the files of an archive, `count` of them in any order. Files
 * that are none of the arrays have no effect. `name` is for messages. The bytes are not needed
 * afterwards.
 */
lb_status lb_robot_npz_load_files(const char *name, const lb_robot_npz_file *files, int count,
                                  const lb_model *model, const lb_load_options *options,
                                  lb_clip **clip, lb_error *error);

/* Receives one file of an archive, which is gone after the call. False ends the writing. */
typedef bool lb_robot_npz_sink(void *user, const lb_robot_npz_file *file);

/*
 * As lb_robot_npz_write, one file after the other. A sink that ends the writing is LB_FILE_ERROR.
 */
lb_status lb_robot_npz_write_files(const lb_clip *clip, const char *order /* or NULL */,
                                   const lb_allocator *allocator, lb_robot_npz_sink *sink,
                                   void *user, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
