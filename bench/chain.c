/* chain.c - the path from a model's root to a tip as a serial chain. */
#include "chain.h"

#include "oracle.h"

#include <stdio.h>

/* ---- finding -------------------------------------------------------------- */

/* why a joint cannot be part of a chain, NULL when it can */
static const char *find_fault(const lb_model *model, int j)
{
    const lb_joint *joint = lb_model_joint(model, j);
    if (lb_model_joint_mimic(model, j, NULL, NULL) >= 0)
        return "a joint on the path follows another";
    if (joint->locked)
        return "a joint on the path is locked";
    if (joint->kind != LB_JOINT_FIXED && lb_joint_kind_nv(joint->kind) != 1)
        return "a joint on the path has several axes";
    return NULL;
}

static void reverse(chain_joint *joints, int count)
{
    for (int i = 0, k = count - 1; i < k; i++, k--) {
        chain_joint held = joints[i];
        joints[i] = joints[k];
        joints[k] = held;
    }
}

/* where the joint that was found last, or the tool, is in the one that comes now */
static void place_last(chain *path, lb_transform after)
{
    if (path->count == 0)
        path->tool = after;
    else
        path->joints[path->count - 1].placement = after;
}

bool chain_find(const lb_model *model, int tip, chain *out, const char **reason)
{
    *out = (chain){.count = 0};
    lb_transform after = LB_TRANSFORM_IDENTITY;
    for (int link = tip; link > 0; link = lb_model_parent(model, link)) {
        const lb_joint *joint = lb_model_joint(model, link - 1);
        *reason = find_fault(model, link - 1);
        if (!*reason && out->count == CHAIN_MOST_JOINTS)
            *reason = "the path has too many joints";
        if (*reason)
            return false;
        if (joint->kind == LB_JOINT_FIXED) {
            after = lb_transform_multiply(&joint->placement, &after);
            continue;
        }
        bool endless = joint->kind == LB_JOINT_CONTINUOUS;
        place_last(out, after);
        out->joints[out->count++] = (chain_joint){
            .slides = joint->kind == LB_JOINT_PRISMATIC,
            .axis = joint->axis,
            .lower = endless ? -INFINITY : joint->lower[0],
            .upper = endless ? INFINITY : joint->upper[0],
            .q = lb_model_joint_q(model, link - 1),
        };
        after = joint->placement;
    }
    place_last(out, after);
    reverse(out->joints, out->count);
    *reason = out->count == 0 ? "nothing moves on the path" : NULL;
    return out->count > 0;
}

void chain_gather(const chain *path, const double *model_q, double *q)
{
    for (int i = 0; i < path->count; i++)
        q[i] = model_q[path->joints[i].q];
}

void chain_scatter(const chain *path, const double *q, double *model_q)
{
    for (int i = 0; i < path->count; i++)
        model_q[path->joints[i].q] = q[i];
}

/* ---- using ---------------------------------------------------------------- */

/* Rodrigues' formula for one vector: v c + (a x v) s + a (a . v) (1 - c) */
static lb_vec3 turned(lb_vec3 v, lb_vec3 a, double s, double c)
{
    lb_vec3 sum = lb_vec3_add(lb_vec3_scale(v, c), lb_vec3_scale(lb_vec3_cross(a, v), s));
    return lb_vec3_add(sum, lb_vec3_scale(a, lb_vec3_dot(a, v) * (1 - c)));
}

static lb_transform articulation(const chain_joint *joint, double q)
{
    const lb_transform one = LB_TRANSFORM_IDENTITY;
    if (joint->slides)
        return lb_transform_translation(joint->axis.x * q, joint->axis.y * q, joint->axis.z * q);
    double s = sin(q), c = cos(q);
    return (lb_transform){turned(one.x, joint->axis, s, c), turned(one.y, joint->axis, s, c),
                          turned(one.z, joint->axis, s, c), one.p};
}

lb_transform chain_forward(const chain *path, const double *q)
{
    lb_transform at = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < path->count; i++) {
        lb_transform moved = articulation(&path->joints[i], q[i]);
        at = lb_transform_multiply(&at, &path->joints[i].placement);
        at = lb_transform_multiply(&at, &moved);
    }
    return lb_transform_multiply(&at, &path->tool);
}

bool chain_unwind(const chain *path, double *q)
{
    bool within = true;
    for (int i = 0; i < path->count; i++) {
        const chain_joint *joint = &path->joints[i];
        const double turn = 2 * LB_PI;
        if (!joint->slides && q[i] > joint->upper)
            q[i] -= turn * ceil((q[i] - joint->upper) / turn);
        if (!joint->slides && q[i] < joint->lower)
            q[i] += turn * ceil((joint->lower - q[i]) / turn);
        within = within && q[i] >= joint->lower && q[i] <= joint->upper;
    }
    return within;
}

/* ---- as a model ----------------------------------------------------------- */

lb_model *chain_model(const chain *path)
{
    lb_link links[CHAIN_MOST_JOINTS + 2];
    lb_joint joints[CHAIN_MOST_JOINTS + 1];
    char names[CHAIN_MOST_JOINTS + 2][8];
    int n = path->count;
    for (int i = 0; i <= n + 1; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i <= n; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = names[i + 1];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].placement = i < n ? path->joints[i].placement : path->tool;
        if (i == n)
            continue;
        joints[i].kind = path->joints[i].slides ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE;
        joints[i].axis = path->joints[i].axis;
        joints[i].lower[0] = path->joints[i].lower;
        joints[i].upper[0] = path->joints[i].upper;
    }
    lb_model_source source = {.name = "chain",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = n + 2,
                              .joints = joints,
                              .joint_count = n + 1};
    lb_model *model = NULL;
    return lb_model_build(&source, NULL, &model, NULL) == LB_OK ? model : NULL;
}
