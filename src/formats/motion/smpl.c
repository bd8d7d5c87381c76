/*
 * smpl.c - poses of SMPL as a model and a clip.
 *
 * At rest, all rotations zero, the axes of all joints are those of the body, so a joint's rotation
 * is its axis-angle as it is. The root's turns the body into the world, whose up axis the file does
 * not say: it is the one along which the pelvis' own is on average.
 */
#include "formats/motion/smpl.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/bvh/bvh.h"
#include "formats/mapping/draft.h"

#include <math.h>
#include <string.h>

const char *const smpl_arrays[SMPL_ARRAYS] = {
    [SMPL_POSES] = "poses",
    [SMPL_ROOT] = "root_orient",
    [SMPL_ROOT_2] = "global_orient",
    [SMPL_BODY_POSE] = "pose_body",
    [SMPL_BODY_POSE_2] = "body_pose",
    [SMPL_HAND_POSE] = "pose_hand",
    [SMPL_LEFT_HAND] = "left_hand_pose",
    [SMPL_RIGHT_HAND] = "right_hand_pose",
    [SMPL_TRANS] = "trans",
    [SMPL_TRANS_2] = "transl",
    [SMPL_BETAS] = "betas",
    [SMPL_RATE] = "mocap_frame_rate",
    [SMPL_RATE_2] = "mocap_framerate",
    [SMPL_RATE_3] = "fps",
};

static const struct {
    const char *name;
    int parent;
} body[SMPL_BODY + SMPL_HANDS] = {
    {"pelvis", -1},        {"left_hip", 0},        {"right_hip", 0},    {"spine1", 0},
    {"left_knee", 1},      {"right_knee", 2},      {"spine2", 3},       {"left_ankle", 4},
    {"right_ankle", 5},    {"spine3", 6},          {"left_foot", 7},    {"right_foot", 8},
    {"neck", 9},           {"left_collar", 9},     {"right_collar", 9}, {"head", 12},
    {"left_shoulder", 13}, {"right_shoulder", 14}, {"left_elbow", 16},  {"right_elbow", 17},
    {"left_wrist", 18},    {"right_wrist", 19},    {"left_hand", 20},   {"right_hand", 21}};

static const char *const fingers[] = {"index", "middle", "pinky", "ring", "thumb"};

enum { WRISTS = 20, A_HAND = SMPL_FINGERS / 2 };

/* ---- arrays -------------------------------------------------------------- */

/* an array, or what else it is called */
static int either(const smpl_file *file, int which)
{
    return arrays_has(&file->set, which) || !arrays_has(&file->set, which + 1) ? which : which + 1;
}

/* whether all rotations are in one array; some files have another thing of that name beside those
   of root and body */
static bool has_poses(const smpl_file *file)
{
    return !arrays_has(&file->set, either(file, SMPL_BODY_POSE));
}

/* numbers in a frame of an array; 0: it is not there */
static size_t columns(const smpl_file *file, int which)
{
    const npy_array *array = &file->set.arrays[which];
    return arrays_has(&file->set, which) ? array->count / (size_t)file->frames : 0;
}

/* the array is there, has so many numbers for each frame, and at most `most` are of use */
static lb_status check_frames(smpl_file *file, int which, size_t least, size_t most)
{
    return arrays_check_frames(&file->set, which, NPY_DIMENSIONS, least, most, &file->frames,
                               file->error);
}

static lb_status check_arrays(smpl_file *file)
{
    bool poses = has_poses(file);
    int root = either(file, SMPL_ROOT), pose = either(file, SMPL_BODY_POSE);
    TRY(check_frames(file, either(file, SMPL_TRANS), 3, 3));
    if (poses)
        TRY(check_frames(file, SMPL_POSES, 66, 165));
    if (!poses)
        TRY(check_frames(file, root, 3, 3));
    if (!poses)
        TRY(check_frames(file, pose, 63, 69));
    for (int i = SMPL_HAND_POSE; i <= SMPL_RIGHT_HAND; i++)
        if (arrays_has(&file->set, i))
            TRY(check_frames(file, i, 0, 90));
    for (int i = SMPL_RATE; i <= SMPL_RATE_3 && file->rate == 0; i++)
        if (arrays_has(&file->set, i))
            TRY(arrays_rate(&file->set, i, &file->rate, file->error));
    const npy_array *betas = &file->set.arrays[SMPL_BETAS];
    for (size_t i = 0; arrays_has(&file->set, SMPL_BETAS) && i < betas->count; i++)
        if (betas->type[1] != 'U' && !isfinite(npy_element(betas, i)))
            return REFUSE_VALUE(file->error, "betas: element %zu is not a finite number", i + 1);
    return LB_OK;
}

/* ---- joints -------------------------------------------------------------- */

/* where the rotation of a joint of the body is */
static void find_rotation(const smpl_file *file, int i, smpl_joint *joint)
{
    bool poses = has_poses(file), hand = i >= SMPL_BODY;
    joint->array = poses    ? SMPL_POSES
                   : i == 0 ? either(file, SMPL_ROOT)
                            : either(file, SMPL_BODY_POSE);
    joint->first = poses || i == 0 ? 3 * (size_t)i : 3 * (size_t)(i - 1);
    // of SMPL's own 24 joints two are hands; its successors have fingers there
    if (hand && columns(file, joint->array) != (poses ? 72 : 69))
        joint->array = -1;
}

/* the f-th joint of the fingers, of the left hand first */
static void find_finger(const smpl_file *file, int f, smpl_joint *joint)
{
    bool right = f >= A_HAND;
    int side = right ? SMPL_RIGHT_HAND : SMPL_LEFT_HAND;
    size_t place = 3 * (size_t)f, poses = has_poses(file) ? columns(file, SMPL_POSES) : 0;
    text_format(joint->name, sizeof joint->name, "%s_%s%d", right ? "right" : "left",
                fingers[f % A_HAND / 3], f % 3 + 1);
    joint->parent = f % 3 > 0 ? SMPL_BODY + f - 1 : WRISTS + right;
    joint->array = -1;
    if (poses == 156 || poses == 165)
        joint->array = SMPL_POSES, joint->first = poses - 90 + place;
    else if (columns(file, SMPL_HAND_POSE) == 90)
        joint->array = SMPL_HAND_POSE, joint->first = place;
    else if (columns(file, side) == 45)
        joint->array = side, joint->first = place % 45;
}

static void name_joints(smpl_file *file)
{
    bool has_fingers = file->count > SMPL_BODY + SMPL_HANDS;
    for (int i = 0; i < file->count; i++) {
        smpl_joint *joint = &file->joints[i];
        if (has_fingers && i >= SMPL_BODY) {
            find_finger(file, i - SMPL_BODY, joint);
            continue;
        }
        text_format(joint->name, sizeof joint->name, "%s", body[i].name);
        joint->parent = body[i].parent;
        find_rotation(file, i, joint);
    }
}

static lb_status read_rotation(smpl_file *file, int i, int frame, lb_quat *out)
{
    double turn[3] = {0};
    const smpl_joint *joint = &file->joints[i];
    lb_status status = joint->array < 0 ? LB_OK
                                        : arrays_row(&file->set, joint->array, frame, joint->first,
                                                     3, turn, file->error);
    *out = lb_quat_exp(lb_vec3_make(turn[0], turn[1], turn[2]));
    return status;
}

/* ---- the axis that is up --------------------------------------------------- */

/* AMASS has z up, estimators from video mostly y */
static lb_status find_up(smpl_file *file)
{
    lb_vec3 sum = lb_vec3_make(0, 0, 0);
    if (file->up != LB_BVH_UP_RECOGNISE)
        return LB_OK;
    for (int i = 0; i < file->frames; i++) {
        lb_quat turn;
        TRY(read_rotation(file, 0, i, &turn));
        sum = lb_vec3_add(sum, lb_quat_rotate(turn, lb_vec3_make(0, 1, 0)));
    }
    file->up = sum.y > sum.z ? LB_BVH_UP_Y : LB_BVH_UP_Z;
    // the mean of someone who lies or turns over says little
    if (fmax(sum.y, sum.z) < 0.5 * file->frames)
        warnings_add(file->warnings, 0,
                     "the pelvis does not show which axis is up; %s is assumed, --up AXIS says it",
                     lb_bvh_up_text(file->up));
    return LB_OK;
}

/* ---- all ----------------------------------------------------------------- */

lb_status smpl_open(smpl_file *file, const void *bytes, size_t size, const lb_allocator *pool,
                    lb_error *error)
{
    file->error = error;
    file->set = (named_arrays){.names = smpl_arrays, .count = SMPL_ARRAYS, .memory = *pool};
    TRY(arrays_read(&file->set, bytes, size, error));
    return check_arrays(file);
}

/* the pelvis at rest, in the file's axes: the figure stands on the ground */
static void stand(const smpl_file *file, double value[LB_JOINT_MAX_NQ])
{
    double lowest = INFINITY, half = sqrt(0.5);
    for (int i = 0; i < file->count; i++)
        lowest = fmin(lowest, file->joints[i].place.y);
    value[file->up - LB_BVH_UP_X] = file->joints[0].place.y - lowest;
    // the body's y goes to the axis that is up
    value[3] = file->up == LB_BVH_UP_Y ? 1 : half;
    value[4] = file->up == LB_BVH_UP_Z ? half : 0;
    value[6] = file->up == LB_BVH_UP_X ? -half : 0;
}

lb_status smpl_model(smpl_file *file, const lb_allocator *allocator, lb_model **model,
                     lb_error *error)
{
    model_draft draft;
    TRY(smpl_place(file, error));
    name_joints(file);
    TRY(find_up(file));
    TRY(draft_create(&draft, file->count + 1, file->count, 0, &file->set.memory, error));
    draft_link(&draft, 0)->name = "world";
    draft.source.name = "SMPL";
    draft.source.root = bvh_root(file->up);
    for (int i = 0; i < file->count; i++) {
        const smpl_joint *from = &file->joints[i];
        lb_joint *joint = draft_joint(&draft, 0);
        draft_link(&draft, 0)->name = joint->name = joint->child = from->name;
        joint->parent = i == 0 ? "world" : file->joints[from->parent].name;
        joint->kind = i == 0             ? LB_JOINT_FLOATING
                      : from->array >= 0 ? LB_JOINT_BALL
                                         : LB_JOINT_FIXED;
        if (i == 0)
            stand(file, joint->value);
        else
            joint->placement.p = lb_vec3_sub(from->place, file->joints[from->parent].place);
    }
    return draft_build(&draft, allocator, model, error);
}

/* What frames are filled from. */
typedef struct frame_source {
    smpl_file *file;
    const lb_model *model;
} frame_source;

static bool fill_frame(void *user, int frame, double *time, double *q)
{
    const frame_source *source = user;
    smpl_file *file = source->file;
    double *root = &q[lb_model_joint_q(source->model, 0)];
    *time = frame / file->rate;
    file->status = arrays_row(&file->set, either(file, SMPL_TRANS), frame, 0, 3, root, file->error);
    root[0] += file->origin.x;
    root[1] += file->origin.y;
    root[2] += file->origin.z;
    for (int i = 0; i < file->count && file->status == LB_OK; i++) {
        lb_quat turn;
        int q_at = lb_model_joint_q(source->model,
                                    lb_model_find_joint(source->model, file->joints[i].name));
        file->status = read_rotation(file, i, frame, &turn);
        if (q_at >= 0)
            memcpy(&q[q_at + (i == 0 ? 3 : 0)], (double[]){turn.w, turn.x, turn.y, turn.z},
                   4 * sizeof *q);
    }
    return file->status == LB_OK;
}

lb_status smpl_clip(smpl_file *file, const lb_model *model, const lb_allocator *allocator,
                    lb_clip **clip, lb_error *error)
{
    frame_source source = {file, model};
    lb_status status = lb_clip_generate(model, file->frames, fill_frame, &source,
                                        LB_INTERPOLATION_LINEAR, allocator, clip, error);
    return file->status != LB_OK ? file->status : status;
}
