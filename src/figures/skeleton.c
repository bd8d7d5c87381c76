/*
 * skeleton.c - which bones a figure has, and how thick they are.
 *
 * A link's thickness follows what hangs from it, as in a tree: it shrinks with
 * the path that is left to the tip, and at every branching.
 */
#include "figures/skeleton.h"

#include <limber/retarget.h>

#include <stdlib.h>

/* radius of the root's bones, and of a tip relative to it */
static const double root_thickness = 0.036, tip_thickness = 0.45;
/* a branch of n has n^-branching of the thickness */
static const double branching = 0.4;
/* no part is thicker than this share of its length to the tip: fingers stay fingers */
static const double stoutness = 0.25;

bool skeleton_moves(const lb_joint *joint)
{
    return joint->kind != LB_JOINT_FIXED;
}

bool skeleton_parts(const lb_joint *joint)
{
    return joint->kind == LB_JOINT_FLOATING || joint->kind == LB_JOINT_PLANAR;
}

bool skeleton_has_shape(const lb_link *link)
{
    for (int i = 0; i < link->visual_count; i++)
        if (link->visuals[i].shape != LB_SHAPE_MESH)
            return true;
    return false;
}

/*
 * The link from which a figure hangs whose parts may move freely, as characters of glTF have them:
 * its pelvis, else the first link that moves freely. What is animated beside it (feet and poles of
 * an inverse kinematics of the file's own) stays apart. LB_NO_LINK: there is no such figure.
 */
static int find_trunk(const lb_model *model)
{
    int first = LB_NO_LINK, count = 0;
    for (int i = lb_model_link_count(model) - 1; i > 0; i--)
        if (skeleton_parts(lb_model_joint(model, i - 1)))
            first = i, count++;
    lb_rig rig;
    if (count > 1 && lb_rig_find(model, NULL, &rig, NULL) == LB_OK)
        first = rig.links[LB_ROLE_PELVIS];
    return count > 1 ? first : LB_NO_LINK;
}

/* what moves freely in the world is apart from it; within a figure it belongs to its parent */
static bool is_apart(const skeleton *s, const lb_model *model, int link)
{
    if (!skeleton_parts(lb_model_joint(model, link - 1)))
        return false;
    if (s->trunk < 0)
        return true;
    int above = lb_model_parent(model, link);
    while (above > s->trunk)
        above = lb_model_parent(model, above);
    return above != s->trunk;
}

/* the length of the bone to a link, at rest */
static double bone_length(const skeleton *s, const lb_model *model, int link)
{
    const lb_joint *joint = lb_model_joint(model, link - 1);
    double slide = joint->kind == LB_JOINT_PRISMATIC ? fabs(joint->value[0]) : 0;
    if (is_apart(s, model, link))
        return 0;
    if (joint->kind != LB_JOINT_FLOATING)
        return lb_vec3_length(joint->placement.p) + slide;
    lb_vec3 at = lb_vec3_make(joint->value[0], joint->value[1], joint->value[2]);
    return lb_vec3_length(lb_transform_point(&joint->placement, at));
}

/* from the tips to the root: what each link carries, and the path to its farthest tip */
static void measure(skeleton *s, const lb_model *model)
{
    for (int i = s->link_count - 1; i > 0; i--) {
        int parent = lb_model_parent(model, i);
        s->carries[parent] =
            s->carries[parent] || s->carries[i] || skeleton_moves(lb_model_joint(model, i - 1));
        s->reach[parent] = fmax(s->reach[parent], s->reach[i] + bone_length(s, model, i));
    }
}

/* true when no other child of the link's parent reaches farther */
static bool is_farthest(const skeleton *s, const lb_model *model, int link)
{
    double length = s->reach[link] + bone_length(s, model, link);
    return length > 0 && length >= s->reach[lb_model_parent(model, link)];
}

static void choose_bones(skeleton *s, const lb_model *model)
{
    for (int i = 1; i < s->link_count; i++) {
        const lb_joint *joint = lb_model_joint(model, i - 1);
        int parent = lb_model_parent(model, i);
        if (is_apart(s, model, i))
            s->bone[i] = false;
        else if (skeleton_moves(joint) || s->carries[i])
            s->bone[i] = true;
        else
            s->bone[i] =
                !s->carries[parent] && is_farthest(s, model, i) && (parent == 0 || s->bone[parent]);
    }
}

static void find_tips(skeleton *s, const lb_model *model)
{
    for (int i = s->link_count - 1; i > 0; i--) {
        // deeper links come first: what led on has already been seen
        s->tip[i] = s->bone[i] && !s->tip[i];
        if (s->bone[i])
            s->tip[lb_model_parent(model, i)] = true;
    }
    s->tip[0] = false;
}

/* the reach again, now along the bones alone */
static void measure_bones(skeleton *s, const lb_model *model)
{
    for (int i = 0; i < s->link_count; i++)
        s->reach[i] = 0;
    double extent = 0;
    for (int i = s->link_count - 1; i > 0; i--) {
        if (!s->bone[i])
            continue;
        double *reach = &s->reach[lb_model_parent(model, i)];
        *reach = fmax(*reach, s->reach[i] + bone_length(s, model, i));
        extent = fmax(extent, *reach);
    }
    s->extent = extent > 0 ? extent : 1;
}

/*
 * From the root to the tips; `share` is what branchings have left of the
 * thickness, `branches` has room to count them.
 */
static void choose_radii(skeleton *s, const lb_model *model, double *share, double *branches)
{
    double thickest = root_thickness * s->extent;
    for (int i = 1; i < s->link_count; i++)
        branches[lb_model_parent(model, i)] += s->bone[i];
    for (int i = 0; i < s->link_count; i++) {
        int parent = lb_model_parent(model, i);
        share[i] = s->bone[i] ? share[parent] * pow(branches[parent], -branching) : 1;
        double part = s->reach[i] / s->extent;
        double radius = thickest * share[i] * (tip_thickness + (1 - tip_thickness) * part);
        double length = s->reach[i] + (s->bone[i] ? bone_length(s, model, i) : 0);
        s->radius[i] = length > 0 ? fmin(radius, stoutness * length + 0.1 * radius) : radius;
    }
}

bool skeleton_make(skeleton *s, const lb_model *model)
{
    size_t n = (size_t)lb_model_link_count(model);
    *s = (skeleton){.link_count = (int)n, .trunk = find_trunk(model)};
    s->block = calloc(n, 4 * sizeof(double) + 3 * sizeof(bool));
    if (!s->block)
        return false;
    s->reach = s->block;
    s->radius = s->reach + n;
    double *share = s->radius + n, *branches = share + n;
    s->bone = (bool *)(branches + n);
    s->tip = s->bone + n;
    s->carries = s->tip + n;
    measure(s, model);
    choose_bones(s, model);
    find_tips(s, model);
    measure_bones(s, model);
    choose_radii(s, model, share, branches);
    return true;
}

void skeleton_release(skeleton *s)
{
    free(s->block);
    *s = (skeleton){0};
}
