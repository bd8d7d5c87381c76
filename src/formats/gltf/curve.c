/*
 * curve.c - the keys of a clip as the curves of a glTF's nodes.
 *
 * The inverse of what clip.c does: a floating joint's place is brought back through the stretch of
 * the nodes above. That is constant, unless rotations of the same key turn a stretch that is not
 * uniform.
 */
#include "formats/gltf/gltf.h"

#include "base/error.h"

#include <string.h>

/* ---- opening ------------------------------------------------------------- */

static lb_status check_clip(const gltf_curves *curves)
{
    const lb_clip *clip = curves->clip;
    if (lb_clip_interpolation(clip) == LB_INTERPOLATION_CUBIC)
        return REFUSE_UNSUPPORTED(
            curves->error, "animation '%.60s': its clip is cubic; resample it (lb_clip_resample)",
            curves->name);
    if (lb_clip_begin(clip) < 0)
        return REFUSE_VALUE(curves->error,
                            "animation '%.60s' begins at %g s; times of a glTF are not before 0: "
                            "move it (lb_clip_retime)",
                            curves->name, lb_clip_begin(clip));
    return LB_OK;
}

/* the joint of the clip's model that is a node's */
static lb_status find_place(gltf_curves *curves, int index)
{
    const gltf_node *node = &curves->gltf->nodes[index];
    const lb_model *model = lb_clip_model(curves->clip);
    curves->places[index] = -1;
    if (node->kind == LB_JOINT_FIXED)
        return LB_OK;
    int joint = lb_model_find_joint(model, node->name);
    if (joint < 0 || lb_model_joint(model, joint)->kind != node->kind)
        return REFUSE_MODEL(curves->error,
                            "animation '%.60s': its clip has no %s joint '%.80s' as the file has",
                            curves->name, lb_joint_kind_text(node->kind), node->name);
    curves->places[index] = lb_model_joint_q(model, joint);
    return LB_OK;
}

lb_status gltf_curves_open(gltf_curves *curves, const lb_gltf *gltf,
                           const lb_gltf_animation *animation, const lb_allocator *pool,
                           lb_error *error)
{
    *curves = (gltf_curves){
        .gltf = gltf, .clip = animation->clip, .name = animation->name, .error = error};
    curves->places = memory_take(pool, (size_t)gltf->node_count, sizeof *curves->places);
    TRY(require_memory(error, curves->places));
    TRY(check_clip(curves));
    for (int i = 0; i < gltf->node_count; i++)
        TRY(find_place(curves, i));
    return LB_OK;
}

/* ---- times --------------------------------------------------------------- */

/* the float below one that is above zero */
static float float_below(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits--;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* how far a key may be from its time, relatively: a few floats, which a step's second key needs */
#define TIME_ROUNDING 1e-6

lb_status gltf_curve_times(const gltf_curves *curves, float *times)
{
    const double *given = lb_clip_times(curves->clip);
    for (int i = lb_clip_count(curves->clip); i-- > 0;) {
        times[i] = (float)given[i];
        bool last = i + 1 == lb_clip_count(curves->clip);
        if (!last && times[i] >= times[i + 1] && times[i + 1] > 0)
            times[i] = float_below(times[i + 1]);
        double apart = fabs((double)times[i] - given[i]);
        if (!(times[i] >= 0) || (!last && times[i] >= times[i + 1]) ||
            !(apart <= TIME_ROUNDING * fabs(given[i]) + 1e-30))
            return REFUSE_VALUE(curves->error,
                                "animation '%.60s': key %d at %.9g s is closer to the next than "
                                "floats are, which a glTF has; resample it",
                                curves->name, i, given[i]);
    }
    return LB_OK;
}

/* ---- values -------------------------------------------------------------- */

/* a node's rotation in a key, and its place in the parent's rigid frame in file units */
static gltf_pose pose_at(const gltf_curves *curves, int index, const double *q)
{
    const gltf_node *node = &curves->gltf->nodes[index];
    gltf_pose pose = {.rotation = node->rotation};
    memcpy(pose.stretch, node->stretch, sizeof pose.stretch);
    int place = curves->places[index];
    if (place < 0)
        return pose;
    const double *values = q + place;
    if (node->kind == LB_JOINT_FLOATING) {
        pose.place = lb_vec3_scale(lb_vec3_make(values[0], values[1], values[2]),
                                   1 / curves->gltf->info.unit);
        values += 3;
    }
    pose.rotation = (lb_quat){values[0], values[1], values[2], values[3]};
    return pose;
}

/* A key of a clip. */
typedef struct key_pose {
    const gltf_curves *curves;
    const double *q;
} key_pose;

static gltf_pose pose_in_key(const void *user, int node)
{
    const key_pose *key = user;
    return pose_at(key->curves, node, key->q);
}

/* a node's place as the file has it; false: the scales above leave no room for it */
static bool place_at(const gltf_curves *curves, int index, const double *q, lb_vec3 *place)
{
    const gltf_node *node = &curves->gltf->nodes[index];
    double above[9], back[9];
    memcpy(above, node->above, sizeof above);
    if (node->shifting)
        gltf_stretch_above(curves->gltf, index, pose_in_key, &(key_pose){curves, q}, above);
    *place = pose_at(curves, index, q).place;
    if (!gltf_invert(above, back))
        return false;
    *place = gltf_apply(back, *place);
    return true;
}

/* values that differ by less are those at rest */
#define AT_REST 1e-9

bool gltf_curve_moves(const gltf_curves *curves, int index, gltf_path path)
{
    const gltf_node *node = &curves->gltf->nodes[index];
    lb_vec3 rest = gltf_apply(node->above, node->place), place;
    bool floats = node->kind == LB_JOINT_FLOATING;
    if (curves->places[index] < 0 || (path == GLTF_PLACE && !floats))
        return false;
    for (int i = 0; i < lb_clip_count(curves->clip); i++) {
        gltf_pose pose = pose_at(curves, index, lb_clip_key(curves->clip, i));
        place = lb_vec3_sub(pose.place, rest);
        lb_quat apart = lb_quat_multiply(lb_quat_conjugate(node->rotation), pose.rotation);
        double off = path == GLTF_PLACE ? lb_vec3_length(place)
                                        : lb_vec3_length(lb_vec3_make(apart.x, apart.y, apart.z));
        if (!(off <= AT_REST))
            return true;
    }
    return false;
}

static lb_status put_places(const gltf_curves *curves, int index, float *values)
{
    for (int i = 0; i < lb_clip_count(curves->clip); i++, values += 3) {
        lb_vec3 place;
        if (!place_at(curves, index, lb_clip_key(curves->clip, i), &place))
            return REFUSE_VALUE(curves->error,
                                "animation '%.60s': node '%.80s' is below a scale of zero, so that "
                                "no place of its own can be given",
                                curves->name, curves->gltf->nodes[index].name);
        values[0] = (float)place.x;
        values[1] = (float)place.y;
        values[2] = (float)place.z;
    }
    return LB_OK;
}

/* of a rotation's two quaternions the one nearer to the key before, as some readers expect */
static void put_rotations(const gltf_curves *curves, int index, float *values)
{
    lb_quat before = LB_QUAT_IDENTITY;
    for (int i = 0; i < lb_clip_count(curves->clip); i++, values += 4) {
        lb_quat r = pose_at(curves, index, lb_clip_key(curves->clip, i)).rotation;
        double dot = r.w * before.w + r.x * before.x + r.y * before.y + r.z * before.z;
        double sign = dot < 0 ? -1 : 1;
        before = (lb_quat){sign * r.w, sign * r.x, sign * r.y, sign * r.z};
        values[0] = (float)before.x;
        values[1] = (float)before.y;
        values[2] = (float)before.z;
        values[3] = (float)before.w;
    }
}

lb_status gltf_curve_values(const gltf_curves *curves, int node, gltf_path path, float *values)
{
    if (path == GLTF_PLACE)
        return put_places(curves, node, values);
    put_rotations(curves, node, values);
    return LB_OK;
}
