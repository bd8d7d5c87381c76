/*
 * joint_center.c - where the joints that move a link meet, and where a last link ends.
 *
 * Joints of robots are groups of hinges that need not meet in a point. A group's centre is the
 * point nearest to all its axes: it minimizes sum |(1 - a a^T)(p - o)|^2.
 */
#include "motion/retarget/figure.h"

/* p is nearest to the axes of a group; the mean of the origins where these leave it open */
typedef struct axis_group {
    double matrix[9], right[3];
    lb_vec3 sum;
    int count;
} axis_group;

/* of the mean of the origins, against one for an axis: it decides only along common directions */
#define ORIGIN_WEIGHT 1e-3

/* adds w (1 - a a^T) (p - o) = 0 */
static void add_axis(axis_group *g, lb_vec3 o, lb_vec3 a, double weight)
{
    const double axis[3] = {a.x, a.y, a.z}, origin[3] = {o.x, o.y, o.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double m = weight * ((i == k) - axis[i] * axis[k]);
            g->matrix[3 * i + k] += m;
            g->right[i] += m * origin[k];
        }
}

/* the solution of a symmetric positive 3 x 3 system by Cramer's rule */
static lb_vec3 solve_group(const axis_group *g)
{
    const double *m = g->matrix;
    lb_vec3 x = lb_vec3_make(m[0], m[3], m[6]), y = lb_vec3_make(m[1], m[4], m[7]);
    lb_vec3 z = lb_vec3_make(m[2], m[5], m[8]);
    lb_vec3 b = lb_vec3_make(g->right[0], g->right[1], g->right[2]);
    lb_vec3 yz = lb_vec3_cross(y, z);
    double det = lb_vec3_dot(x, yz);
    return lb_vec3_make(lb_vec3_dot(b, yz) / det, lb_vec3_dot(x, lb_vec3_cross(b, z)) / det,
                        lb_vec3_dot(x, lb_vec3_cross(y, b)) / det);
}

/* of at most three hinges, or one that turns freely */
lb_vec3 retarget_joint_center(const lb_model *model, const lb_transform *links, int from, int tip)
{
    axis_group g = {.count = 0};
    for (int link = tip; link > from && g.count < 3; link = lb_model_parent(model, link)) {
        const lb_joint *joint = lb_model_joint(model, link - 1);
        const lb_transform *at = &links[link];
        if (joint->kind == LB_JOINT_FIXED)
            continue;
        bool hinge = joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS;
        if (!hinge && g.count > 0)
            break;
        if (!hinge)
            return at->p;
        add_axis(&g, at->p, lb_transform_direction(at, joint->axis), 1);
        g.sum = lb_vec3_add(g.sum, at->p);
        g.count++;
    }
    if (g.count == 0)
        return links[tip].p;
    lb_vec3 mean = lb_vec3_scale(g.sum, 1.0 / g.count), none = {0, 0, 0};
    add_axis(&g, mean, none, ORIGIN_WEIGHT);
    return solve_group(&g);
}

lb_vec3 retarget_link_end(const lb_model *model, const lb_transform *links, int link)
{
    const lb_link *body = lb_model_link(model, link);
    lb_vec3 best = {0, 0, 0};
    if (body->mass > 0)
        return lb_transform_point(&links[link], lb_vec3_scale(body->center, 2));
    for (int i = 0; i < body->visual_count; i++) {
        lb_vec3 at = body->visuals[i].origin.p;
        best = lb_vec3_length(at) > lb_vec3_length(best) ? at : best;
    }
    return lb_transform_point(&links[link], best);
}

/* a limb so far out of a plane, of its length, is not bent by that hinge */
#define MOST_ACROSS 0.5

void retarget_flatten_limb(const lb_model *model, const lb_transform *links, const int limb[3],
                           lb_vec3 centers[3])
{
    int lower = limb[1], end = limb[2] >= 0 && limb[2] != lower ? 2 : 1;
    if (limb[0] < 0 || lower <= 0)
        return;
    const lb_joint *joint = lb_model_joint(model, lower - 1);
    if (joint->kind != LB_JOINT_REVOLUTE && joint->kind != LB_JOINT_CONTINUOUS)
        return;
    lb_vec3 across = lb_transform_direction(&links[lower], joint->axis);
    lb_vec3 along = lb_vec3_sub(centers[end], centers[0]);
    if (fabs(lb_vec3_dot(along, across)) > MOST_ACROSS * lb_vec3_length(along))
        return;
    for (int i = 0; i < end; i++) {
        double off = lb_vec3_dot(lb_vec3_sub(centers[end], centers[i]), across);
        centers[i] = lb_vec3_add(centers[i], lb_vec3_scale(across, off));
    }
}
