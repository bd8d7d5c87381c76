/*
 * clip_mirror.c - a clip as in a mirror.
 *
 * A mirror M takes each frame T to M T M. With all articulations the identity, a joint's frame is F
 * (rotation alone), that of its counterpart F'; C = (M F M)^-1 F' brings the counterpart's axes
 * from those of the mirrored joint, so that an articulation A of the joint is one of
 * C^-1 (M A M) C of its counterpart. A rotation by the vector v is by -M v in the mirror.
 */
#include "motion/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include <string.h>

/* the cosine of 5 degrees: how well axes of a figure that was measured agree */
#define AXES_AGREE 0.9961947

/* How a joint's values come from those of its counterpart. */
typedef struct mirrored_joint {
    int from;        /* the counterpart */
    lb_quat turn;    /* from its mirrored axes to this joint's */
    double signs[3]; /* of each value that is an angle or a displacement along an axis */
} mirrored_joint;

typedef struct mirror {
    const lb_clip *clip;
    int axis; /* world axis at right angles to the plane */
    mirrored_joint *joints;
    lb_quat *frames; /* of each link, articulations left out */
    lb_vec3 *places;
} mirror;

/* ---- names -------------------------------------------------------------- */

enum { NAME_ROOM = 256 };

/* whether a word of a name may begin or end between these two characters */
static bool is_border(char before, char after)
{
    return !letter_is_any(before) || !letter_is_any(after) ||
           (letter_is_lower(before) && letter_is_upper(after));
}

/* whether `word` is in the name at `at`, as a word where it is a single letter */
static bool is_word(const char *name, size_t at, const char *word)
{
    size_t size = strlen(word);
    if (strncmp(name + at, word, size) != 0)
        return false;
    bool begins = at == 0 || is_border(name[at - 1], name[at]);
    // a capital that begins a word, as LHipJoint, or a letter apart
    char next = name[at + size];
    bool ends = is_border(name[at + size - 1], next) || letter_is_upper(next);
    return size > 1 || (begins && ends);
}

/* the name with the word at `at` replaced */
static void replace_word(const char *name, size_t at, const char *word, const char *by, char *out)
{
    memcpy(out, name, at);
    strcpy(out + at, by);
    strcpy(out + at + strlen(by), name + at + strlen(word));
}

static int try_words(const lb_model *model, const char *name, const char *word, const char *by)
{
    char other[NAME_ROOM];
    for (size_t at = 0; name[at] != '\0'; at++) {
        if (!is_word(name, at, word))
            continue;
        replace_word(name, at, word, by, other);
        int joint = lb_model_find_joint(model, other);
        if (joint >= 0)
            return joint;
    }
    return -1;
}

/* the joint of that name on the other side; itself where there is none */
static int find_counterpart(const lb_model *model, int joint)
{
    static const char *const words[][2] = {{"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"},
                                           {"L", "R"},        {"l", "r"},        {"FL", "FR"},
                                           {"RL", "RR"},      {"HL", "HR"}};
    const char *name = lb_model_joint(model, joint)->name;
    if (strlen(name) + 8 >= NAME_ROOM)
        return joint;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        int other = try_words(model, name, words[i][0], words[i][1]);
        if (other < 0)
            other = try_words(model, name, words[i][1], words[i][0]);
        if (other >= 0)
            return other;
    }
    return joint;
}

/* ---- the plane ---------------------------------------------------------- */

/* frames of all links without articulations */
static void find_frames(mirror *m)
{
    const lb_model *model = m->clip->model;
    lb_transform root = lb_model_root(model);
    m->frames[0] = lb_transform_quat(&root);
    m->places[0] = root.p;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        int parent = lb_model_parent(model, j + 1);
        const lb_transform *at = &lb_model_joint(model, j)->placement;
        m->frames[j + 1] =
            lb_quat_normalize(lb_quat_multiply(m->frames[parent], lb_transform_quat(at)));
        m->places[j + 1] = lb_vec3_add(m->places[parent], lb_quat_rotate(m->frames[parent], at->p));
    }
}

/* the world axis along which exchanged joints are farthest apart */
static lb_status find_plane(mirror *m, lb_error *error)
{
    double apart[3] = {0, 0, 0};
    for (int j = 0; j < lb_model_joint_count(m->clip->model); j++) {
        int other = m->joints[j].from;
        lb_vec3 d = lb_vec3_sub(m->places[j + 1], m->places[other + 1]);
        apart[0] += fabs(d.x), apart[1] += fabs(d.y), apart[2] += fabs(d.z);
    }
    m->axis = apart[0] > apart[1] ? 0 : 1;
    if (apart[2] > apart[m->axis])
        m->axis = 2;
    if (apart[m->axis] > 0)
        return LB_OK;
    return REFUSE_MODEL(error,
                        "'%s' has no joints of a left and a right side to exchange; name them "
                        "left_... and right_...",
                        lb_model_name(m->clip->model));
}

/* a vector as in the mirror, and a rotation */
static lb_vec3 reflect(const mirror *m, lb_vec3 v)
{
    return lb_vec3_make(m->axis == 0 ? -v.x : v.x, m->axis == 1 ? -v.y : v.y,
                        m->axis == 2 ? -v.z : v.z);
}

static lb_quat reflect_turn(const mirror *m, lb_quat q)
{
    lb_vec3 v = reflect(m, lb_vec3_make(q.x, q.y, q.z));
    return (lb_quat){q.w, -v.x, -v.y, -v.z};
}

/* ---- joints ------------------------------------------------------------- */

/* an axis of the counterpart, in a joint's own axes: of a rotation, or of a displacement */
static lb_vec3 carry_axis(const mirror *m, const mirrored_joint *to, int joint, lb_vec3 axis,
                          bool turns)
{
    // in world axes, mirrored, and seen from the joint's frame
    lb_vec3 world = reflect(m, lb_quat_rotate(m->frames[to->from + 1], axis));
    lb_vec3 own = lb_quat_rotate(lb_quat_conjugate(m->frames[joint + 1]), world);
    return turns ? lb_vec3_scale(own, -1) : own;
}

/* the sign of a value about or along `own`, which is that of the counterpart; 0: they differ */
static double find_sign(const mirror *m, int joint, lb_vec3 own, lb_vec3 theirs, bool turns)
{
    lb_vec3 carried = carry_axis(m, &m->joints[joint], joint, theirs, turns);
    double cosine = lb_vec3_dot(own, carried);
    return cosine >= AXES_AGREE ? 1 : cosine <= -AXES_AGREE ? -1 : 0;
}

/* the signs of a joint's values; false: its counterpart is no image of it */
static bool find_signs(mirror *m, int joint)
{
    const lb_model *model = m->clip->model;
    mirrored_joint *to = &m->joints[joint];
    const lb_joint *a = lb_model_joint(model, joint), *b = lb_model_joint(model, to->from);
    if (a->kind != b->kind)
        return false;
    // the counterpart's mirrored frame, and from it to this joint's own
    lb_quat image = reflect_turn(m, m->frames[to->from + 1]);
    to->turn = lb_quat_multiply(lb_quat_conjugate(m->frames[joint + 1]), image);
    switch (a->kind) {
    case LB_JOINT_REVOLUTE:
    case LB_JOINT_CONTINUOUS:
        to->signs[0] = find_sign(m, joint, a->axis, b->axis, true);
        return to->signs[0] != 0;
    case LB_JOINT_PRISMATIC:
        to->signs[0] = find_sign(m, joint, a->axis, b->axis, false);
        return to->signs[0] != 0;
    case LB_JOINT_UNIVERSAL:
        to->signs[0] = find_sign(m, joint, a->axis, b->axis, true);
        to->signs[1] = find_sign(m, joint, a->axis2, b->axis2, true);
        return to->signs[0] != 0 && to->signs[1] != 0;
    case LB_JOINT_PLANAR: {
        lb_vec3 y = lb_vec3_cross(a->axis, a->axis2);
        to->signs[0] = find_sign(m, joint, a->axis2, b->axis2, false);
        to->signs[1] = find_sign(m, joint, y, lb_vec3_cross(b->axis, b->axis2), false);
        to->signs[2] = find_sign(m, joint, a->axis, b->axis, true);
        return to->signs[0] != 0 && to->signs[1] != 0 && to->signs[2] != 0;
    }
    default:
        return true;
    }
}

static lb_status match_joints(mirror *m, lb_error *error)
{
    const lb_model *model = m->clip->model;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        m->joints[j].from = find_counterpart(model, j);
    find_frames(m);
    lb_status status = find_plane(m, error);
    for (int j = 0; status == LB_OK && j < lb_model_joint_count(model); j++)
        if (!find_signs(m, j))
            status = REFUSE_MODEL(
                error, "joint '%s' is no mirror image of '%s': kind or axis differ",
                lb_model_joint(model, j)->name, lb_model_joint(model, m->joints[j].from)->name);
    return status;
}

/* ---- keys --------------------------------------------------------------- */

/* a quaternion of the counterpart, as one of the joint */
static void mirror_ball(const mirror *m, const mirrored_joint *to, const double *from, double *out)
{
    lb_quat q = reflect_turn(m, clip_quat(from));
    q = lb_quat_multiply(lb_quat_multiply(to->turn, q), lb_quat_conjugate(to->turn));
    memcpy(out, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *out);
}

/* where a joint is at rest: from the world's origin, in the plane, or from the link it hangs on */
static lb_vec3 rest_place(const mirror *m, int joint)
{
    int parent = lb_model_parent(m->clip->model, joint + 1);
    return parent == 0 ? m->places[joint + 1]
                       : lb_vec3_sub(m->places[joint + 1], m->places[parent]);
}

/* displacements are along the joint's frame at rest */
static void mirror_place(const mirror *m, int joint, const double *from, double *out)
{
    int other = m->joints[joint].from;
    lb_vec3 moved = lb_quat_rotate(m->frames[other + 1], lb_vec3_make(from[0], from[1], from[2]));
    lb_vec3 image = reflect(m, lb_vec3_add(rest_place(m, other), moved));
    lb_vec3 p = lb_quat_rotate(lb_quat_conjugate(m->frames[joint + 1]),
                               lb_vec3_sub(image, rest_place(m, joint)));
    memcpy(out, (double[]){p.x, p.y, p.z}, 3 * sizeof *out);
}

static bool fill_mirrored(void *user, int key, double *time, double *q)
{
    const mirror *m = user;
    const lb_model *model = m->clip->model;
    const double *keys = clip_key(m->clip, key);
    *time = m->clip->times[key];
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const mirrored_joint *to = &m->joints[j];
        lb_joint_kind kind = lb_model_joint(model, j)->kind;
        int own = lb_model_joint_q(model, j), other = lb_model_joint_q(model, to->from);
        if (own < 0 || other < 0 || lb_model_joint_mimic(model, j, NULL, NULL) >= 0)
            continue;
        if (kind == LB_JOINT_BALL)
            mirror_ball(m, to, &keys[other], &q[own]);
        else if (kind == LB_JOINT_FLOATING) {
            mirror_place(m, j, &keys[other], &q[own]);
            mirror_ball(m, to, &keys[other + 3], &q[own + 3]);
        } else
            for (int i = 0; i < lb_joint_kind_nq(kind); i++)
                q[own + i] = to->signs[i] * keys[other + i];
    }
    return true;
}

lb_status lb_clip_mirror(const lb_clip *clip, const lb_allocator *allocator, lb_clip **out,
                         lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(out, error, {clip, "clip"}));
    MEMORY_POOL(memory, allocator);
    size_t joints = (size_t)lb_model_joint_count(clip->model);
    mirror m = {.clip = clip,
                .joints = memory_take(&memory, joints, sizeof *m.joints),
                .frames = memory_take(&memory, joints + 1, sizeof *m.frames),
                .places = memory_take(&memory, joints + 1, sizeof *m.places)};
    TRY(require_memory(error, !memory_pool_failed(&memory)));
    TRY(match_joints(&m, error));
    return lb_clip_generate(clip->model, clip->count, fill_mirrored, &m, clip->interpolation,
                            allocator, out, error);
}
