/*
 * excursion.c - a follower whose joints have speeds: it leaves the path where they are too slow.
 *
 * Beside a singularity a joint would have to turn by half a turn in no time. Instead all joints go
 * straight to the first solution, of any branch, that they reach in time: often one across the
 * singularity, close by.
 */
#include "ik/solver.h"
#include "math/scalar.h"
#include "motion/follower.h"

#include <string.h>

/* places of an excursion at which its distance from the path is measured */
enum { MEASURED = 8 };
/* frames that it may last: half a second and more at a thousand a second */
enum { LONGEST = 1024 };
/* A share of the straight displacement of all joints from `from` to `to`, which keep the limits but
   for rounding; q may be `from`. */
static void pace_part(const pace *p, const double *from, const double *to, double share, double *q)
{
    lb_configuration_difference(p->model, from, to, p->change);
    for (int i = 0; i < lb_model_nv(p->model); i++)
        p->change[i] *= share;
    lb_configuration_integrate(p->model, from, p->change, q);
    lb_configuration_clamp(p->model, q, q);
}

/* the result of a configuration that a joint's speed has decided */
static void measure(lb_follower *f, const double *q, lb_frame *frame, int slowest)
{
    lb_ik_result *result = &frame->result;
    const lb_ik_options *o = lb_ik_get_options(f->ik);
    lb_state_update(f->state, q);
    lb_task_error(f->state, &f->task, &frame->goal, &result->position_error,
                  &result->rotation_error);
    bool reached = result->position_error <= o->position_tolerance &&
                   result->rotation_error <= o->rotation_tolerance;
    result->outcome = reached ? LB_REACHED : LB_STALLED;
    result->reason = reached ? LB_REASON_NONE : LB_REASON_LIMITS;
    frame->limited = reached ? -1 : slowest;
}

/* the most that the tool is off the path when all joints go straight to f->trial at frame `back` */
static double excursion_error(lb_follower *f, int back)
{
    double most = 0, length = lb_ik_get_options(f->ik)->length;
    for (int i = 1; i < MEASURED; i++) {
        double part = (double)i / MEASURED, at = f->left + part * (back - f->left), place, turn;
        lb_transform goal = lb_path_at(f->path, at / (f->frames - 1));
        pace_part(&f->pace, f->given, f->trial, part, f->piece);
        lb_state_update(f->state, f->piece);
        lb_task_error(f->state, &f->task, &goal, &place, &turn);
        most = scalar_max(place + length * turn, most);
    }
    return most;
}

/* the best of a frame's solutions to come back to, if it is better than *least */
static void compare_solutions(lb_follower *f, int index, double *least)
{
    size_t nq = (size_t)lb_model_nq(f->model);
    int count = branches_list(&f->branches, branches_share(index, f->frames), f->given);
    for (int i = 0; i < count; i++) {
        const double *row = f->branches.rows + (size_t)i * nq;
        if (!f->branches.infos[i].in_limits ||
            follower_frames(&f->pace, f->given, row, NULL) > index - f->left)
            continue;
        memcpy(f->trial, row, nq * sizeof *row);
        double error = excursion_error(f, index);
        if (error >= *least)
            continue;
        *least = error;
        memcpy(f->wanted, row, nq * sizeof *row);
        f->back = index;
    }
}

/* where a plan is at a frame, which is where to come back to if joints are there in time */
static void compare_plan(lb_follower *f, int index, double *least)
{
    memcpy(f->trial, f->given, sizeof *f->trial * (size_t)lb_model_nq(f->model));
    if (!plan_at(&f->plan, branches_share(index, f->frames), f->trial) ||
        follower_frames(&f->pace, f->given, f->trial, NULL) > index - f->left)
        return;
    *least = excursion_error(f, index);
    memcpy(f->wanted, f->trial, sizeof *f->trial * (size_t)lb_model_nq(f->model));
    f->back = index;
}

/*
 * Where the arm comes back to the path after it left it at f->before, all joints straight and
 * none too fast: f->wanted at frame f->back, so that the tool is off the path by as little as
 * possible; to a plan as soon as possible. Returns by how much, in metres and lengths a radian.
 */
static double find_way_back(lb_follower *f, int index)
{
    double least = INFINITY;
    size_t size = sizeof *f->wanted * (size_t)lb_model_nq(f->model);
    memcpy(f->given, f->before, size);
    f->left = index - 1;
    f->back = 0;
    for (int i = index; i < f->frames && i < index + LONGEST; i++)
        if (!f->is_planned)
            compare_solutions(f, i, &least);
        else if (f->back == 0)
            compare_plan(f, i, &least);
    if (f->back > 0)
        return least;
    // out of time: towards the solution of the last frame that is nearest
    memcpy(f->wanted, f->given, size);
    if (f->is_planned)
        (void)plan_at(&f->plan, 1, f->wanted);
    else
        branches_choose(&f->branches, f->frames - 1, f->frames, f->given, f->wanted);
    double frames = follower_frames(&f->pace, f->given, f->wanted, NULL);
    f->back = f->left + (int)ceil(scalar_clamp(frames, f->frames - f->left, 1e9));
    return INFINITY;
}

/* what ends the arm's own branch while it is off the path; nothing: its joints are too slow */
static void find_end(lb_follower *f, lb_frame *frame, int slowest)
{
    size_t size = sizeof *f->trial * (size_t)lb_model_nq(f->model);
    memcpy(f->trial, f->given, size);
    frame->ended = LB_END_SPEED;
    frame->joint = slowest;
    for (int i = f->is_planned ? f->frames : frame->index; i <= f->back && i < f->frames; i++) {
        double begin = branches_share(i - 1, f->frames), end = branches_share(i, f->frames);
        branch_walk walk;
        if (!branches_continue(&f->branches, begin, f->trial, end, true, f->piece, &walk)) {
            frame->ended = walk.ended;
            frame->joint = walk.joint;
            return;
        }
        memcpy(f->trial, f->piece, size);
    }
}

/* leaves the path at the frame before; a jump where that leads far from it */
static void leave_path(lb_follower *f, lb_frame *frame, int slowest)
{
    double error = find_way_back(f, frame->index);
    bool explained = f->is_planned && frame->jumped;
    f->slowest = slowest;
    frame->jumped = error > f->deviation;
    if (frame->jumped && explained)
        return;
    frame->ended = LB_END_NONE;
    frame->joint = -1;
    if (frame->jumped)
        find_end(f, frame, slowest);
}

/* a frame between where the path was left and where it is met again */
static void move_back(lb_follower *f, double *q, lb_frame *frame)
{
    pace_part(&f->pace, f->given, f->wanted, (double)(frame->index - f->left) / (f->back - f->left),
              q);
    if (frame->index == f->back) {
        lb_ik_solve(f->descent, &frame->goal, f->wanted, q, &frame->result);
        f->back = 0;
    } else {
        measure(f, q, frame, f->slowest);
    }
}

/*
 * An arm with joints to spare where some are too slow: the others make up for them (an elbow moves
 * along its circle) as far as the speeds of all allow. Fills f->trial with the configuration that
 * brings the tool nearest to the goal.
 */
static void descend_in_pace(lb_follower *f, const lb_frame *frame, lb_ik_result *result)
{
    memcpy(f->trial, f->before, sizeof *f->trial * (size_t)lb_model_nq(f->model));
    ik_narrow(f->paced, f->before, f->pace.rate);
    follower_descend(f, f->paced, &frame->goal, f->trial, result);
}

/* the same for a frame; false: that does not reach its goal, or balls are too fast */
static bool move_in_pace(lb_follower *f, double *q, lb_frame *frame)
{
    lb_ik_result result;
    descend_in_pace(f, frame, &result);
    if (result.outcome != LB_REACHED || follower_frames(&f->pace, f->before, f->trial, NULL) > 1)
        return false;
    memcpy(q, f->trial, sizeof *q * (size_t)lb_model_nq(f->model));
    frame->result = result;
    frame->ended = LB_END_NONE;
    frame->joint = -1;
    frame->jumped = false;
    return true;
}

/*
 * Where joints are too slow for a frame, and no solution is known to go to instead: with the other
 * joints' help; else as far towards its configuration as they come. That is nearer to the path in
 * the long run than the least error of each frame, which may lead where no joint can go on.
 */
static void move_part(lb_follower *f, double *q, lb_frame *frame, double frames, int slowest)
{
    if (f->paced && move_in_pace(f, q, frame))
        return;
    pace_part(&f->pace, f->before, q, 1 / frames, q);
    measure(f, q, frame, slowest);
}

/* a frame after the first one, no joint faster than it can be */
void follower_advance_in_pace(lb_follower *f, double *q, lb_frame *frame)
{
    bool was_limited = f->limited >= 0;
    if (f->back > 0) {
        move_back(f, q, frame);
        return;
    }
    follower_advance(f, q, frame);
    int joint;
    double frames = follower_frames(&f->pace, f->before, q, &joint);
    // where joints were too slow before, their catching up is no jump
    if (was_limited) {
        frame->ended = LB_END_NONE;
        frame->joint = -1;
        frame->jumped = false;
    }
    if (frames <= 1)
        return;
    bool planned = f->is_planned && (frame->jumped || !move_in_pace(f, q, frame));
    if (f->is_planned && !planned)
        return;
    if ((f->branches.solver || planned) && frame->result.outcome == LB_REACHED) {
        leave_path(f, frame, joint);
        if (frame->jumped && f->on_jump == LB_JUMP_STOP) {
            follower_stop(f, q, frame);
            return;
        }
        move_back(f, q, frame);
    } else {
        move_part(f, q, frame, frames, joint);
    }
}
