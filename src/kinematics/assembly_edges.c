/*
 * assembly_edges.c - the bodies of a linkage and what is between them; assemblies for a list.
 *
 * Links that independent joints hold together are one body.
 */
#include "kinematics/assembly.h"
#include "kinematics/state.h"

#include <string.h>

/* ---- bodies, and what is between them ------------------------------------ */

/* how many of a joint's velocities loops determine */
static int count_dependent(const lb_assembly *a, int joint)
{
    int v = a->model->joint_layouts[joint].v, n = lb_joint_kind_nv(a->model->joints[joint].kind);
    int count = 0;
    for (int k = 0; k < n; k++)
        count += a->is_dependent[v + k];
    return count;
}

/* the bodies of all links, and the joints between them that are in the tree; false: one of them
   follows only in part, or mimics another */
static bool list_bodies(lb_assembly *a)
{
    const lb_model *model = a->model;
    a->body_of[0] = 0;
    a->body_count = 1;
    a->edge_count = 0;
    for (int i = 1; i < model->link_count; i++) {
        const lb_joint *joint = &model->joints[i - 1];
        int parent = a->body_of[model->link_layouts[i].parent];
        a->body_of[i] = parent;
        int dependent = count_dependent(a, i - 1);
        if (dependent == 0)
            continue;
        // of a rod with balls at both ends a ball leaves it free to spin
        if (joint->mimic ||
            (dependent < lb_joint_kind_nv(joint->kind) && joint->kind != LB_JOINT_BALL))
            return false;
        a->body_of[i] = a->body_count++;
        a->edges[a->edge_count++] = (planar_edge){.bodies = {parent, a->body_of[i]},
                                                  .joint = i - 1,
                                                  .loop = -1,
                                                  .slides = joint->kind == LB_JOINT_PRISMATIC};
    }
    return true;
}

bool edges_list(lb_assembly *a)
{
    if (!list_bodies(a))
        return false;
    for (int i = 0; i < a->model->loop_count; i++) {
        const model_loop *ends = &a->model->loop_layouts[i];
        lb_loop_kind kind = a->model->loops[i].kind;
        if (kind == LB_LOOP_COUPLING) {
            // of joints that are given it is a condition on them
            if (count_dependent(a, ends->first) > 0 || count_dependent(a, ends->second) > 0)
                return false;
            continue;
        }
        a->edges[a->edge_count++] =
            (planar_edge){.bodies = {a->body_of[ends->first], a->body_of[ends->second]},
                          .joint = -1,
                          .loop = i,
                          .slides = kind == LB_LOOP_SLIDE};
    }
    return true;
}

bool edge_is_ball(const lb_assembly *a, const planar_edge *e)
{
    return e->joint >= 0 ? a->model->joints[e->joint].kind == LB_JOINT_BALL
                         : a->model->loops[e->loop].kind == LB_LOOP_BALL;
}

bool edge_turns(const lb_assembly *a, const planar_edge *e)
{
    lb_joint_kind kind = e->joint >= 0 ? a->model->joints[e->joint].kind : LB_JOINT_FIXED;
    return kind == LB_JOINT_REVOLUTE || kind == LB_JOINT_CONTINUOUS;
}

lb_vec3 edge_point(const lb_assembly *a, const planar_edge *e, int end)
{
    const lb_transform *links = lb_state_transforms(a->state);
    if (e->joint >= 0)
        return links[e->joint + 1].p;
    const lb_loop *loop = &a->model->loops[e->loop];
    const model_loop *ends = &a->model->loop_layouts[e->loop];
    return end ? lb_transform_point(&links[ends->second], loop->second_frame.p)
               : lb_transform_point(&links[ends->first], loop->first_frame.p);
}

/* ---- configurations ------------------------------------------------------ */

double assembly_turn_inside(const model_part *part, double q)
{
    for (int turn = -1; turn <= 1; turn += 2)
        if ((q < part->lower || q > part->upper) && q + turn * 2 * LB_PI >= part->lower &&
            q + turn * 2 * LB_PI <= part->upper)
            return q + turn * 2 * LB_PI;
    return q;
}

/* whether a->trial closes, if need be after Newton's steps; *certain is lost if that is not clear
 */
static bool confirm(lb_assembly *a, bool *certain)
{
    // what is open by more is open for certain: rounding of a dozen groups is far below
    const double open = 1e-6;
    loop_measure(a, a->trial);
    if (a->error <= LOOP_CLOSED)
        return true;
    if (a->error > open)
        return false;
    double corrected;
    bool closed = loop_correct(a, a->trial, &corrected);
    *certain = *certain && closed;
    return closed;
}

void assembly_keep(lb_assembly *a, assembly_list *list)
{
    size_t nq = (size_t)a->nq;
    if (!confirm(a, &list->certain))
        return;
    if (list->found < list->capacity)
        memcpy(list->rows + (size_t)list->found * nq, a->trial, sizeof(double) * nq);
    list->found++;
}
