/*
 * robot_csv.h - robot motion as training code reads and writes it: tables, a row a frame.
 *
 *     lb_model_with_root(robot, LB_JOINT_FLOATING, NULL, &model, &error);
 *     lb_robot_csv_load_memory("walk.csv", text, size, model, NULL, &clip, &error);
 *
 * A robot's frame is the place of its root in the world, that of the link that the floating joint
 * moves, wherever the model places this joint, and the values of its joints. Two kinds of table
 * are common, with equal contents:
 *
 *   lafan1  no header; x y z of the root, its quaternion as x y z w, then the joints; metres and
 *           radians. 36 columns for the Unitree G1. As LAFAN1's retargeted motions (30 frames a
 *           second).
 *   bones   a header: Frame, root_translateX, Y and Z, root_rotateX, Y and Z, then JOINT_dof for
 *           each joint; centimetres and degrees, the rotations about the fixed axes x, then y,
 *           then z. As BONES-SEED's motions of the G1 (120 frames a second).
 *
 * The model must have a floating joint, the root's (lb_model_with_root makes one), with fixed
 * joints alone above it, and beside it joints of one value alone. The order of joints is the
 * model's: depth first, siblings as in their file, which is that of the URDF and of MuJoCo. Mimic
 * joints and fixed ones have no column.
 *
 * Experimental: may change in 0.2. Link with limber_formats for this header.
 */
#ifndef LIMBER_FORMATS_ROBOT_CSV_H
#define LIMBER_FORMATS_ROBOT_CSV_H

#include <limber/clip.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of tables: name, text, frames a second. */
#define LB_ROBOT_CSV_LIST(X)                                                                       \
    X(LB_ROBOT_CSV_RECOGNISE, "recognise", 0) /* when reading: by the first line */                \
    X(LB_ROBOT_CSV_LAFAN1, "lafan1", 30)                                                           \
    X(LB_ROBOT_CSV_BONES, "bones", 120)

typedef enum lb_robot_csv {
#define LB_ROBOT_CSV_ENUM(name, text, rate) name,
    LB_ROBOT_CSV_LIST(LB_ROBOT_CSV_ENUM)
#undef LB_ROBOT_CSV_ENUM
        LB_ROBOT_CSV_COUNT
} lb_robot_csv;

/* The text of a kind, never NULL; and its frames a second, 0 for LB_ROBOT_CSV_RECOGNISE. */
const char *lb_robot_csv_text(lb_robot_csv kind);
double lb_robot_csv_rate(lb_robot_csv kind);

/*
 * Recognises the kind of a table by the first line of its text: lafan1 if it has numbers, bones if
 * it has a column root_translateX, else LB_ROBOT_CSV_RECOGNISE for neither.
 */
lb_robot_csv lb_robot_csv_recognise(const char *text, size_t size);

/* How a table is read. All zeros are the defaults. */
typedef struct lb_robot_csv_options {
    const lb_allocator *allocator; /* Source of memory. Absent: the C library's (the default). */
    lb_robot_csv kind;             /* Kind of the table. Default: recognised by its first line. */
    double rate; /* Frames a second, which tables do not have. 0: the kind's (the default). */
} lb_robot_csv_options;

lb_robot_csv_options lb_robot_csv_options_default(void);

/*
 * Reads a table, `size` bytes of text, over a model, which must outlive the clip; `name` is for
 * messages, and lb_motion_open() reads files (motion.h). A byte order mark is skipped. The first
 * frame is at time 0; between frames the clip is linear. The columns of bones may be in any order.
 * Refused with line, column and remedy: another number of columns, a name that is no joint's, a
 * joint without a column, a value that is no finite number, a quaternion whose length is off by
 * more than 1 percent. `options` may be NULL. On failure *clip is NULL.
 */
lb_status lb_robot_csv_load_memory(const char *name, const char *text, size_t size,
                                   const lb_model *model, const lb_robot_csv_options *options,
                                   lb_clip **clip, lb_error *error);

/*
 * Writes the keys of a clip, a row each, with twelve digits behind the point and no zeros at their
 * end. `kind` is lafan1 or bones. Times are not written: they must be even, within 1e-3 as files
 * round them (else LB_BAD_VALUE; lb_clip_resample makes them so), and lb_clip_rate returns the
 * frames a second that readers need. LB_BAD_MODEL names the part of the model that the table cannot
 * hold, such as names that are no columns of bones. It takes a little
 * memory from malloc(); if there is none, LB_OUT_OF_MEMORY.
 */
lb_status lb_robot_csv_write(const lb_clip *clip, lb_robot_csv kind, lb_sink *sink, void *user,
                             lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
