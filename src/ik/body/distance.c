/*
 * distance.c - tasks that keep links apart: what lb_collision measures, as the kernel has it.
 */
#include "ik/body/solver.h"

#include "collision/layout.h"

const char *body_check_distance(const lb_model *model, const lb_body_task *task)
{
    if (!task->collision)
        return "collision is NULL";
    return task->collision->model == model ? NULL : "collision is of another model";
}

/* the links that a collision measures against each other */
static void add_pairs(subtree *needed, const lb_collision *collision)
{
    for (int i = 0; i < collision->pair_count; i++) {
        const body_pair *pair = &collision->pairs[i];
        if (pair->state != LB_PAIR_CHECKED)
            continue;
        // the first of a pair is always a link
        subtree_add(needed, pair->a);
        if (pair->b < collision->link_count)
            subtree_add(needed, pair->b);
    }
}

void body_add_pairs(const lb_body *body, subtree *needed)
{
    for (int t = 0; t < body->task_count; t++)
        if (body->tasks[t].kind == LB_BODY_DISTANCE)
            add_pairs(needed, body->tasks[t].collision);
}

void body_find_link_columns(lb_body *body)
{
    const lb_transform here = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < body->model->link_count; i++)
        body->link_columns[i] = -1;
    for (int t = 0; t < body->task_count; t++) {
        if (body->tasks[t].kind != LB_BODY_DISTANCE)
            continue;
        const lb_collision *collision = body->tasks[t].collision;
        for (int i = 0; i < collision->pair_count; i++) {
            const body_pair *pair = &collision->pairs[i];
            const int bodies[2] = {pair->a, pair->b};
            for (int k = 0; k < 2 && pair->state == LB_PAIR_CHECKED; k++)
                if (bodies[k] < collision->link_count)
                    body->link_columns[bodies[k]] = body_point(body, bodies[k], &here).column;
        }
    }
}

/* ---- the nearest pairs -------------------------------------------------------- */

static int column_of(const lb_body *body, int link)
{
    return link < body->model->link_count ? body->link_columns[link] : -1;
}

int body_find_pairs(void *user, int t, const double *q, kernel_body_pair *pairs)
{
    const lb_body *body = user;
    const lb_body_task *task = &body->tasks[t];
    lb_proximity nearest[KERNEL_BODY_PAIRS];
    double wanted = task->distance + body_position_tolerance(body, task);
    int count = task->collision->find_nearest(
        task->collision, q, wanted + body->length * BODY_WATCHED, KERNEL_BODY_PAIRS, nearest);
    for (int i = 0; i < count; i++) {
        const lb_proximity *p = &nearest[i];
        pairs[i] =
            (kernel_body_pair){.column = {column_of(body, p->body_a), column_of(body, p->body_b)},
                               .point = {p->point_a, p->point_b},
                               .normal = p->normal,
                               .beyond = wanted - p->distance};
    }
    return count;
}

/* ---- outcomes ------------------------------------------------------------------ */

double body_distance_error(const lb_body *body, int t)
{
    lb_proximity *nearest = &body->nearest[t];
    lb_collision *collision = body->tasks[t].collision;
    double least =
        collision->measure_least(collision, lb_state_configuration(body->state), nearest);
    return fmax(body->tasks[t].distance - least, 0);
}

double lb_body_nearest(const lb_body *body, int task, lb_proximity *nearest)
{
    if (task < 0 || task >= body->given_count || body->tasks[task].kind != LB_BODY_DISTANCE)
        return NAN;
    if (nearest)
        *nearest = body->nearest[task];
    return body->nearest[task].distance;
}
