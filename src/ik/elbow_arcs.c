/*
 * elbow_arcs.c - an arm's arcs for one pose, and configurations on them: by the circle of its
 * elbow, by a joint's value, or followed.
 */
#include "ik/elbow.h"
#include "math/scalar.h"
#include "model/range.h"

#include <string.h>

bool elbow_recognise_slice(lb_elbow *e)
{
    return slice_recognise(&e->chain, &e->slice) && e->slice.certain;
}

const char *elbow_read(lb_elbow *e, const double *q, int *joint)
{
    const char *why = closed_chain_read(e->model, &e->reduction, &e->task, q, &e->chain, joint);
    e->known = !why && (e->curve    ? curve_prepare(e->curve, &e->chain, kernel_choose_general(0))
                        : e->motion ? elbow_recognise_slice(e)
                                    : swivel_recognise(&e->chain, &e->arm));
    if (why)
        return why;
    *joint = -1;
    return e->known ? NULL
                    : "does not have seven turning joints, or several of them move the tool alike";
}

lb_outcome elbow_accept(lb_elbow *e, const lb_transform *target, const double *start,
                        swivel_pose *pose)
{
    int joint;
    int nq = lb_model_nq(e->model);
    memcpy(e->start, start ? start : e->neutral, (size_t)nq * sizeof(double));
    if (!range_has_row(e->start, nq) || !range_has_frame(target))
        return LB_INVALID;
    bool fits = e->known && closed_chain_fits(&e->chain, e->start);
    if (!fits && elbow_read(e, e->start, &joint))
        return LB_INVALID;
    if (e->curve) {
        if (curve_find(e->curve, target))
            curve_find_arcs(e->curve);
        return LB_REACHED;
    }
    if (e->motion) {
        e->motion->arm = &e->slice;
        e->motion->ops = e->ops;
        slice_turn(&e->slice, target, &e->motion->turning);
        pose->roots = 1;
        return LB_REACHED;
    }
    return swivel_place(&e->arm, target, pose) ? LB_REACHED : LB_INVALID;
}

int elbow_find_arcs(lb_elbow *e, const swivel_pose *pose, const lb_transform *target,
                    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX])
{
    if (e->curve) {
        for (int i = 0; i < e->curve->arcs.count; i++)
            arcs[i] = (lb_elbow_arc){i, 0, curve_length(e->curve, i)};
        return e->curve->arcs.count;
    }
    if (!e->motion)
        return swivel_find_arcs(&e->arm, e->ops, pose, arcs, LB_ELBOW_ARCS_MAX);
    const int count =
        motion_find_arcs(e->motion, &e->slice, e->ops, target, arcs, LB_ELBOW_ARCS_MAX);
    return count < LB_ELBOW_ARCS_MAX ? count : LB_ELBOW_ARCS_MAX;
}

/* ---- configurations ---------------------------------------------------------- */

void elbow_find_rows(const lb_elbow *e, const swivel_pose *pose, int root, int branch,
                     const double *angles, int count, motion_rows *rows)
{
    kernel_swivelled upper, lower;
    const double signs[2] = {branch & 1 ? -1 : 1, branch >> 2 ? -1 : 1};
    if (e->curve) {
        for (int i = 0; i < count; i++) {
            double q[CURVE_JOINTS];
            rows->margin[i] = curve_at(e->curve, branch, angles[i], q) ? 1 : -1;
            for (int k = 0; k < CURVE_JOINTS; k++)
                rows->q[k][i] = q[k];
        }
        return;
    }
    if (e->motion) {
        motion_samples samples = {.count = 0};
        for (int i = 0; i < count; i++)
            motion_add(&samples, branch, angles[i]);
        motion_find(e->motion, &samples, rows);
        return;
    }
    e->ops->swivel(&e->arm.upper, &pose->upper[root], angles, count, signs[0], &upper);
    e->ops->swivel(&e->arm.lower, &pose->lower[root], angles, count, signs[1], &lower);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            rows->q[k][i] = upper.q[k][i];
            rows->q[4 + k][i] = lower.q[k][i];
        }
        rows->q[3][i] = pose->elbow[root];
        rows->margin[i] = scalar_min(upper.margin[i], lower.margin[i]);
    }
}

bool elbow_exists(const lb_elbow *e, const motion_rows *rows, int k)
{
    return rows->margin[k] >= (e->motion ? -CLOSED_EXACT : CLOSED_DOUBLE_ROOT);
}

int elbow_root(const lb_elbow *e, const swivel_pose *pose, int branch)
{
    if (e->curve)
        return branch < e->curve->arcs.count ? 0 : -1;
    for (int root = 0; root < pose->roots; root++)
        if (e->motion || pose->bit[root] == (branch >> 1 & 1))
            return root;
    return -1;
}

void elbow_choose(const lb_elbow *e, const motion_rows *rows, int k, closed_choice *choice)
{
    double q[CLOSED_ARM_JOINTS], from[CLOSED_ARM_JOINTS];
    for (int i = 0; i < SWIVEL_JOINTS; i++) {
        q[i] = rows->q[i][k];
        from[i] = e->start[e->chain.joints[i].q];
    }
    closed_choose(&e->chain, q, from, 0, choice);
}

void elbow_sample(const lb_elbow *elbow, const swivel_pose *pose, int branch, const double *angles,
                  int count, double (*q)[SWIVEL_JOINTS])
{
    motion_rows rows;
    elbow_find_rows(elbow, pose, elbow_root(elbow, pose, branch), branch, angles, count, &rows);
    for (int i = 0; i < count; i++) {
        closed_choice choice;
        elbow_choose(elbow, &rows, i, &choice);
        for (int k = 0; k < SWIVEL_JOINTS; k++)
            q[i][k] = scalar_clamp(choice.q[k], elbow->chain.joints[k].lower,
                                   elbow->chain.joints[k].upper);
    }
}
