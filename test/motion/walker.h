/*
 * walker.h - a figure that walks, made up so that where its feet rest is known.
 *
 * Legs are solved in closed form, far from the limits of ankles: the pelvis goes forward at a
 * constant speed, feet stay flat, rest for 0.6 of a cycle of one second and go over to the next
 * place in the rest of it. Bones have the names of Mixamo; arms swing.
 */
#ifndef TEST_MOTION_WALKER_H
#define TEST_MOTION_WALKER_H

#include "support.h"

#include <string.h>

#define WALKER_SPEED 0.3
#define WALKER_REST 0.6
#define WALKER_BONE 0.42
#define WALKER_ANKLE 0.08

/* arms out to the sides at rest, or half hanging */
typedef enum walker_pose { WALKER_T, WALKER_A } walker_pose;

typedef struct walker_bone {
    const char *name, *parent;
    double x, y, z;
} walker_bone;

enum { WALKER_BONES = 24 };

/* bones with the first one at the root, floating, and balls; the frames of toes, which are leaves,
   turned at rest by `toes` */
static inline lb_model *walker_build(const walker_bone *bones, int count, lb_quat toes)
{
    lb_joint joints[WALKER_BONES];
    lb_link links[WALKER_BONES + 1];
    assert_true(count <= WALKER_BONES);
    links[0] = lb_link_default();
    links[0].name = "world";
    for (int i = 0; i < count; i++) {
        links[i + 1] = lb_link_default();
        links[i + 1].name = bones[i].name;
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = bones[i].name;
        joints[i].parent = bones[i].parent;
        joints[i].kind = i == 0 ? LB_JOINT_FLOATING : LB_JOINT_BALL;
        lb_vec3 place = lb_vec3_make(bones[i].x, bones[i].y, bones[i].z);
        bool toe = strstr(bones[i].name, "Toe") != NULL;
        joints[i].placement = lb_transform_from_quat(toe ? toes : LB_QUAT_IDENTITY, place);
        for (int k = 0; k < 3; k++) {
            joints[i].lower[k] = -INFINITY;
            joints[i].upper[k] = INFINITY;
        }
    }
    return test_make("walker", links, count + 1, joints, count);
}

static inline lb_model *walker_model_turned(walker_pose pose, lb_quat toes)
{
    double out = pose == WALKER_T ? 1 : sqrt(0.5), down = pose == WALKER_T ? 0 : -sqrt(0.5);
    const walker_bone bones[] = {
        {"Hips", "world", 0, 0, 0},
        {"Spine1", "Hips", 0, 0, 0.2},
        {"Head", "Spine1", 0, 0, 0.4},
        {"LeftArm", "Spine1", 0, 0.18, 0.3},
        {"LeftForeArm", "LeftArm", 0, 0.28 * out, 0.28 * down},
        {"LeftHand", "LeftForeArm", 0, 0.26 * out, 0.26 * down},
        {"RightArm", "Spine1", 0, -0.18, 0.3},
        {"RightForeArm", "RightArm", 0, -0.28 * out, 0.28 * down},
        {"RightHand", "RightForeArm", 0, -0.26 * out, 0.26 * down},
        {"LeftUpLeg", "Hips", 0, 0.1, 0},
        {"LeftLeg", "LeftUpLeg", 0, 0, -WALKER_BONE},
        {"LeftFoot", "LeftLeg", 0, 0, -WALKER_BONE},
        {"LeftToeBase", "LeftFoot", 0.15, 0, -0.06},
        {"RightUpLeg", "Hips", 0, -0.1, 0},
        {"RightLeg", "RightUpLeg", 0, 0, -WALKER_BONE},
        {"RightFoot", "RightLeg", 0, 0, -WALKER_BONE},
        {"RightToeBase", "RightFoot", 0.15, 0, -0.06},
    };
    return walker_build(bones, sizeof bones / sizeof *bones, toes);
}

static inline lb_model *walker_model(walker_pose pose)
{
    return walker_model_turned(pose, LB_QUAT_IDENTITY);
}

/* whether a foot (0 left, 1 right) rests at a time, where its ankle is along the
   way, and how far its toes point down */
static inline bool walker_foot(int foot, double time, double *x, double *z, double *pitch)
{
    double cycle = time + 0.5 * foot, u = cycle - floor(cycle), stride = WALKER_SPEED;
    // it rests where the pelvis passes in the middle of the rest
    double here = stride * (floor(cycle) - 0.5 * foot + 0.5 * WALKER_REST);
    double s = fmax(0, (u - WALKER_REST) / (1 - WALKER_REST));
    *x = here + stride * s * s * (3 - 2 * s);
    // toes hang down in the air, as far as there is room
    double rise = s * s * (1 - s) * (1 - s);
    *z = WALKER_ANKLE + 2 * rise;
    *pitch = 8 * rise;
    return s == 0;
}

static inline void walker_set(const lb_model *model, const char *name, lb_quat turn, double *q)
{
    int at = lb_model_joint_q(model, lb_model_find_joint(model, name));
    memcpy(q + at, (double[]){turn.w, turn.x, turn.y, turn.z}, 4 * sizeof *q);
}

static inline lb_quat walker_pitch(double angle)
{
    return lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), angle);
}

static inline void walker_leg(const lb_model *model, int foot, double x, double z, double pitch,
                              double *q)
{
    static const char *const names[2][3] = {{"LeftUpLeg", "LeftLeg", "LeftFoot"},
                                            {"RightUpLeg", "RightLeg", "RightFoot"}};
    double length = sqrt(x * x + z * z), half = lb_acos(length / (2 * WALKER_BONE));
    // from straight down to the ankle; the knee is before that line
    double to_ankle = lb_atan2(-x, -z), thigh = to_ankle - half;
    walker_set(model, names[foot][0], walker_pitch(thigh), q);
    walker_set(model, names[foot][1], walker_pitch(2 * half), q);
    walker_set(model, names[foot][2], walker_pitch(pitch - thigh - 2 * half), q);
}

static inline void walker_at(const lb_model *model, walker_pose pose, double time, double *q)
{
    lb_configuration_neutral(model, q);
    double pelvis_x = WALKER_SPEED * time, phase = 2 * LB_PI * time;
    double pelvis_z = WALKER_ANKLE + 0.82 + 0.005 * lb_cos(2 * phase);
    q[0] = pelvis_x, q[1] = 0, q[2] = pelvis_z;
    for (int foot = 0; foot < 2; foot++) {
        double x, z, pitch;
        walker_foot(foot, time, &x, &z, &pitch);
        walker_leg(model, foot, x - pelvis_x, z - pelvis_z, pitch, q);
    }
    lb_vec3 forward = lb_vec3_make(1, 0, 0);
    double hang = pose == WALKER_T ? 0.45 * LB_PI : 0.2 * LB_PI;
    lb_quat left = lb_quat_from_axis_angle(forward, -hang);
    lb_quat right = lb_quat_from_axis_angle(forward, hang);
    lb_quat swing = walker_pitch(0.4 * lb_sin(phase));
    walker_set(model, "LeftArm", lb_quat_multiply(swing, left), q);
    walker_set(model, "RightArm", lb_quat_multiply(lb_quat_conjugate(swing), right), q);
}

typedef struct walker_keys {
    const lb_model *model;
    walker_pose pose;
    double rate;
} walker_keys;

static inline bool walker_fill(void *user, int key, double *time, double *q)
{
    const walker_keys *keys = user;
    *time = key / keys->rate;
    walker_at(keys->model, keys->pose, *time, q);
    return true;
}

/* so many seconds at a rate; release with lb_clip_release */
static inline lb_clip *walker_clip(const lb_model *model, walker_pose pose, int seconds,
                                   double rate)
{
    walker_keys keys = {model, pose, rate};
    return test_clip_generate(model, (int)(seconds * rate) + 1, walker_fill, &keys);
}

#endif
