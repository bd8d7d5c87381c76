/*
 * apart.c - links that are kept apart while all frames are solved as one problem; and whether they
 * can be, since otherwise each frame does so for itself (solve.c).
 *
 * The nearest pairs of shapes of a frame are rows of their distances, each with a slack s, a
 * multiplier z and an excess t by which it may be broken: d - wanted + t = s. The excess costs
 * PUSH_MOST t, so that shapes which cannot part push each other no harder. As in an interior point
 * s z = mu and t (PUSH_MOST - z) = mu; both are eliminated, and what is left is the weight
 * 1 / (s / z + t / (PUSH_MOST - z)) and a force.
 */
#include "collision/layout.h"
#include "math/scalar.h"
#include "motion/retarget/spacetime.h"

#include <string.h>

/* the most that two shapes push each other, as much as a held point pulls at most (spacetime.c) */
#define PUSH_MOST 30.0
/* metres: shapes that are so much farther apart than they must be do not matter; what a slack is at
   first, and at least */
#define WATCHED 0.03
#define SLACK_FIRST 5e-3
#define SLACK_LEAST 1e-6
/* what a slack or a multiplier shrinks to in a step at least */
#define SHRINKS 0.1

/* ---- whether frames are solved together ------------------------------------------ */

int retarget_joint_moves(const retarget_solver *solver, int joint)
{
    const lb_model *model = solver->plan->target;
    const lb_joint *j = lb_model_joint(model, joint);
    int q = lb_model_joint_q(model, joint);
    bool still = j->velocity == 0 && !solver->plan->options->any_speed;
    bool moves = j->mimic == NULL && q >= 0 && solver->moved[q] && !j->locked && !still;
    return moves ? lb_joint_kind_nv(j->kind) : 0;
}

/* not of a few frames, of feet beside their legs, or of more velocities than the kernel takes */
bool retarget_can_be_whole(const retarget_solver *solver)
{
    const retarget_plan *plan = solver->plan;
    int count = 0;
    for (int j = 0; j < lb_model_joint_count(plan->target); j++)
        count += retarget_joint_moves(solver, j);
    return plan->options->smooth > 0 && plan->steps >= 2 && count > 0 &&
           count <= KERNEL_SWEEP_MOST && solver->loose[0] == 0 && solver->loose[1] == 0;
}

/* ---- pairs of shapes ---------------------------------------------------------------- */

static bool same_shapes(const time_pair *pair, const lb_proximity *p)
{
    return pair->body_a == p->body_a && pair->shape_a == p->shape_a && pair->body_b == p->body_b &&
           pair->shape_b == p->shape_b;
}

static const time_pair *find_pair(const time_pair *pairs, int count, const lb_proximity *p)
{
    for (int i = 0; i < count; i++)
        if (same_shapes(&pairs[i], p))
            return &pairs[i];
    return NULL;
}

static time_pair pair_of(const lb_proximity *p, double slack)
{
    return (time_pair){p->body_a, p->shape_a, p->body_b, p->shape_b, slack, 0, 0};
}

void spacetime_rest(spacetime *s)
{
    const lb_retarget_options *options = s->solver->plan->options;
    lb_proximity nearest[SPACETIME_RESTING];
    if (options->collision == NULL)
        return;
    s->resting_count = options->collision->find_nearest(
        options->collision, s->solver->neutral, options->distance, SPACETIME_RESTING, nearest);
    for (int i = 0; i < s->resting_count; i++)
        s->resting[i] = pair_of(&nearest[i], nearest[i].distance);
}

/* how far two shapes are to be from each other: those that are nearer at rest no farther */
static double wanted(const spacetime *s, const lb_proximity *p)
{
    const time_pair *pair = find_pair(s->resting, s->resting_count, p);
    return pair != NULL ? pair->s : s->solver->plan->options->distance;
}

static int find_nearest_pairs(const spacetime *s, const double *q, double beyond,
                              lb_proximity *nearest)
{
    const lb_retarget_options *options = s->solver->plan->options;
    if (options->collision == NULL)
        return 0;
    return options->collision->find_nearest(options->collision, q, options->distance + beyond,
                                            SPACETIME_PAIRS, nearest);
}

double spacetime_shortfall(const spacetime *s, const double *q)
{
    lb_proximity nearest[SPACETIME_PAIRS];
    double most = 0;
    for (int i = find_nearest_pairs(s, q, 0, nearest); i-- > 0;)
        most = scalar_max(most, wanted(s, &nearest[i]) - nearest[i].distance);
    return most > RETARGET_NEAR_ENOUGH ? most : 0;
}

/* a pair's part in the next step, its room being g now; `known`: from the step before */
static void push(const spacetime *s, time_pair *pair, double g, bool known)
{
    if (known) {
        double by = pair->s / pair->z + pair->t / (PUSH_MOST - pair->z);
        double z = pair->z + (s->barrier / pair->z - s->barrier / (PUSH_MOST - pair->z) - g) / by;
        double most = PUSH_MOST - SHRINKS * (PUSH_MOST - pair->z);
        pair->z = scalar_min(scalar_max(z, SHRINKS * pair->z), most);
        pair->s = scalar_max(SLACK_LEAST, scalar_max(g, SHRINKS * pair->s));
    } else {
        pair->s = scalar_max(g, SLACK_FIRST);
        pair->z = scalar_min(s->barrier / pair->s, PUSH_MOST / 2);
    }
    pair->t = scalar_max(pair->s - g, s->barrier / PUSH_MOST);
}

int spacetime_push(spacetime *s, time_frame *f, const double *q, time_push *pushes)
{
    lb_proximity nearest[SPACETIME_PAIRS];
    time_pair before[SPACETIME_PAIRS];
    int known = f->pair_count;
    memcpy(before, f->pairs, sizeof before);
    f->near = 0;
    f->pair_count = find_nearest_pairs(s, q, WATCHED, nearest);
    for (int i = 0; i < f->pair_count; i++) {
        const lb_proximity *p = &nearest[i];
        double room = p->distance - wanted(s, p);
        time_pair *pair = &f->pairs[i];
        const time_pair *last = find_pair(before, known, p);
        *pair = last != NULL ? *last : pair_of(p, 0);
        push(s, pair, room, last != NULL);
        double left = PUSH_MOST - pair->z, weight = 1 / (pair->s / pair->z + pair->t / left);
        pushes[i] = (time_push){
            .pair = *p,
            .weight = weight,
            .force = pair->z + weight * (s->barrier / pair->z - s->barrier / left - room)};
        f->near = scalar_max(f->near, -room > RETARGET_NEAR_ENOUGH ? -room : 0);
    }
    return f->pair_count;
}
