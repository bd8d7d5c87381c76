/*
 * advance.c - a follower's next frame: on the branch of the one before, by its plan, or by
 * descents.
 */
#include "math/scalar.h"
#include "motion/follower.h"

#include <string.h>

/* a joint this near to its limit is what keeps a descent from going on; radians or metres: lm
   leaves joints at the limit itself, and rounding */
#define AT_LIMIT 1e-9
/* a solve that goes so many times as far as small steps do has left the branch */
#define FARTHER 2
/* a condition number below it is of no configuration beside a singular one */
#define REGULAR 100

/* descents from where the last one ended, each at least so much better than the last */
enum { DESCENTS = 8 };
#define DESCENDING 0.99

/* a turn in place is followed by pieces of at most so many radians or metres, and keeps the tool to
   metres and radians */
#define TURN_STEP 0.05
#define TURN_OFF 1e-8
enum { TURN_PIECES = 12 };

/* a step that just fits counts as one that does: rounding of differences of angles */
#define ROUNDING 1e-9

/* ---- steps of joints ---------------------------------------------------- */

/* the joint that has a velocity's number */
static int joint_of(const lb_model *model, int v)
{
    int joint = -1;
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        int first = lb_model_joint_v(model, i);
        if (first >= 0 && first <= v && !lb_model_joint(model, i)->mimic &&
            v < first + lb_joint_kind_nv(lb_model_joint(model, i)->kind))
            joint = i;
    }
    return joint;
}

/* the most that a joint moves from one configuration to another, and which */
double follower_step(lb_follower *f, const double *from, const double *to, int *joint)
{
    double most = 0;
    int at = -1;
    lb_configuration_difference(f->model, from, to, f->velocity);
    for (int i = 0; i < lb_model_nv(f->model); i++)
        if (fabs(f->velocity[i]) > most) {
            most = fabs(f->velocity[i]);
            at = i;
        }
    if (joint)
        *joint = at < 0 ? -1 : joint_of(f->model, at);
    return most;
}

double follower_frames(const pace *p, const double *from, const double *to, int *joint)
{
    double most = 0;
    int slowest = -1;
    lb_configuration_difference(p->model, from, to, p->change);
    for (int i = 0; i < lb_model_joint_count(p->model); i++) {
        const lb_joint *at = lb_model_joint(p->model, i);
        int first = at->mimic ? -1 : lb_model_joint_v(p->model, i);
        for (int k = 0; first >= 0 && k < lb_joint_kind_nv(at->kind); k++) {
            double change = rest_or_change(fabs(p->change[first + k]));
            double frames = change > 0 ? change / pace_step(p, at) : 0;
            if (!(frames > most))
                continue;
            most = frames;
            slowest = i;
        }
    }
    if (joint)
        *joint = slowest;
    return most * (1 - ROUNDING);
}

double follower_error(const lb_follower *f, const lb_ik_result *result)
{
    return result->position_error + lb_ik_get_options(f->ik)->length * result->rotation_error;
}

void follower_descend(const lb_follower *f, lb_ik *ik, const lb_transform *goal, double *q,
                      lb_ik_result *result)
{
    double before = INFINITY;
    for (int i = 0; i < DESCENTS; i++) {
        lb_ik_solve(ik, goal, q, q, result);
        double now = follower_error(f, result);
        if (result->outcome == LB_REACHED || now > DESCENDING * before)
            return;
        before = now;
    }
}

static void end_by(lb_frame *frame, lb_branch_end end, int joint)
{
    frame->ended = end;
    frame->joint = joint;
}

/* ---- along a branch ----------------------------------------------------- */

bool follower_turn(lb_follower *f, branch_walk *walk, double begin, const double *from,
                   const double *to)
{
    const int nq = lb_model_nq(f->model);
    const size_t size = sizeof *from * (size_t)nq;
    const int pieces = TURN_PIECES + (int)(follower_step(f, from, to, NULL) / TURN_STEP);
    // taking a place may move the rows that `from` is one of
    memcpy(f->trial, from, size);
    memcpy(f->given, from, size);
    for (int i = 1; i <= pieces; i++) {
        const double part = (double)i / pieces, share = begin + part * FOLLOWER_TURN;
        double position, rotation;
        lb_transform target = lb_path_at(f->path, share);
        lb_ik_result result;
        for (int k = 0; k < nq; k++)
            f->piece[k] = f->trial[k] + part * (to[k] - f->trial[k]);
        // what leaves a straight line, as four bars, comes back to the place
        for (int k = 0; k < TURN_PIECES && i < pieces; k++)
            lb_ik_step(f->damped, &target, f->piece, &result);
        lb_state_update(f->state, f->piece);
        lb_task_error(f->state, &f->task, &target, &position, &rotation);
        if (!(position <= TURN_OFF && rotation <= TURN_OFF) ||
            !(follower_step(f, f->given, f->piece, NULL) <= BRANCH_STEP) ||
            branches_beyond(&f->branches, f->piece, 0) >= 0 ||
            (walk && !walk->note(walk->user, share, f->piece)))
            return false;
        memcpy(f->given, f->piece, size);
    }
    return true;
}

/* the solution that continues the one before after a turn in place, on the branch that then leads
   farthest; false: there is none */
static bool turn_and_continue(lb_follower *f, double begin, double end, double *q)
{
    const double from = begin + FOLLOWER_TURN;
    double farthest = begin;
    for (int i = 0; i < branches_list(&f->branches, from, f->before); i++) {
        branch_walk walk;
        memcpy(f->wanted, f->branches.rows + (size_t)i * (size_t)f->branches.nq,
               sizeof *q * (size_t)f->branches.nq);
        if (!f->branches.infos[i].in_limits ||
            !follower_turn(f, NULL, begin, f->before, f->wanted) ||
            !branches_continue(&f->branches, from, f->wanted, end, true, f->trial, &walk))
            continue;
        memcpy(f->wanted, f->trial, sizeof *q * (size_t)f->branches.nq);
        walk.most = end - begin;
        branches_walk(&f->branches, &walk, end, f->wanted, 1, f->piece);
        if (walk.share > farthest)
            memcpy(q, f->wanted, sizeof *q * (size_t)f->branches.nq);
        farthest = scalar_max(farthest, walk.share);
    }
    return farthest > begin;
}

/* the branch of the frame before, continued; false: it ends, and the frame says why */
static bool continue_branch(lb_follower *f, double begin, double end, double *q, lb_frame *frame)
{
    branch_walk walk;
    bool continued = branches_continue(&f->branches, begin, f->before, end, true, q, &walk);
    if (!continued && walk.ended == LB_END_SINGULAR && walk.share < begin + FOLLOWER_TURN)
        continued = turn_and_continue(f, begin, end, q);
    if (!continued)
        end_by(frame, walk.ended, walk.joint);
    return continued;
}

/* a frame of an arm whose solutions are known */
static void follow_branch(lb_follower *f, double begin, double end, double *q, lb_frame *frame)
{
    bool on = !f->lost && continue_branch(f, begin, end, q, frame);
    // after frames that were not reached the nearest solution is taken if it is near
    if (f->lost) {
        lb_ik_solve(f->ik, &frame->goal, f->before, q, &frame->result);
        on = frame->result.outcome == LB_REACHED &&
             follower_step(f, f->before, q, NULL) <= BRANCH_STEP;
    }
    if (!on)
        frame->jumped = branches_choose(&f->branches, frame->index, f->frames, f->before, q);
    if (!on && !frame->jumped)
        memcpy(q, f->before, sizeof *q * (size_t)lb_model_nq(f->model));
    // confirms it; with no solution in limits it goes as near as a descent leads
    bool reached = lb_ik_solve(f->descent, &frame->goal, q, q, &frame->result) == LB_REACHED;
    frame->jumped |= !on && reached && follower_step(f, f->before, q, NULL) > BRANCH_STEP;
}

/* ---- by descents -------------------------------------------------------- */

bool follower_creep(lb_follower *f, branch_walk *walk, double begin, double end, double *to)
{
    size_t size = sizeof *to * (size_t)lb_model_nq(f->model);
    double width = end - begin, least = width * BRANCH_LEAST;
    memcpy(to, f->before, size);
    for (int i = 0; begin < end && i < BRANCH_PIECES && width >= least; i++) {
        lb_ik_result result;
        double next = scalar_min(begin + width, end);
        lb_transform goal = lb_path_at(f->path, next);
        // out of a singular configuration, as a straight elbow is, no descent leads
        bool reached = lb_ik_solve(f->descent, &goal, to, f->piece, &result) == LB_REACHED ||
                       lb_ik_solve(f->ik, &goal, to, f->piece, &result) == LB_REACHED;
        if (reached && follower_step(f, to, f->piece, NULL) <= BRANCH_STEP) {
            memcpy(to, f->piece, size);
            begin = next;
            width *= 2;
            if (walk && !walk->note(walk->user, begin, to))
                break;
        } else {
            width /= 2;
        }
    }
    if (walk)
        walk->share = begin;
    return !(begin < end);
}

/* why descents came to an end at q: a joint at its limit, else a singularity */
static void end_at(const lb_follower *f, const double *q, lb_frame *frame)
{
    int joint = branches_beyond(&f->branches, q, -AT_LIMIT);
    end_by(frame, joint >= 0 ? LB_END_LIMIT : LB_END_SINGULAR, joint);
}

/* a frame of any other arm or method: solved from the one before */
static void follow_descent(lb_follower *f, double begin, double end, double *q, lb_frame *frame)
{
    lb_ik_result result;
    lb_outcome outcome = lb_ik_solve(f->ik, &frame->goal, f->before, q, &frame->result);
    double step = follower_step(f, f->before, q, NULL);
    if (outcome != LB_REACHED)
        end_at(f, q, frame);
    if (step <= BRANCH_STEP)
        return;
    // what is not reached is no reason to go far: then as near as one descent leads
    if (outcome != LB_REACHED) {
        lb_ik_solve(f->descent, &frame->goal, f->before, f->trial, &result);
        if (step <= FARTHER * follower_step(f, f->before, f->trial, NULL))
            return;
        memcpy(q, f->trial, sizeof *q * (size_t)lb_model_nq(f->model));
        frame->result.position_error = result.position_error;
        frame->result.rotation_error = result.rotation_error;
        return;
    }
    frame->jumped = f->lost || !follower_creep(f, NULL, begin, end, f->trial);
    if (frame->jumped)
        end_at(f, f->trial, frame);
    else if (!f->has_gains && step > FARTHER * follower_step(f, f->before, f->trial, NULL))
        lb_ik_solve(f->descent, &frame->goal, f->trial, q, &frame->result);
}

/* ---- by plan ------------------------------------------------------------ */

/* parts of a frame in which the plan is looked at */
enum { PLAN_PARTS_SEEN = 16 };
/* joints that move by less, radians or metres, where two branches touch, go on along either */
#define TOUCHING_STEP 1e-3

/* metres, and radians as lengths, off the path between two frames: what straight joints are off,
   too; a descent along a limit may end before it is reached */
#define BETWEEN_ERROR 1e-4

/*
 * Whether descents in small steps go along the plan: none leaps farther than the plan does, however
 * near the next place, as from one branch to another that is close by.
 */
static bool keeps_plan(lb_follower *f, double begin, double end)
{
    size_t size = sizeof *f->trial * (size_t)lb_model_nq(f->model);
    double most = (end - begin) / PLAN_PARTS_SEEN, width = most, least = most * BRANCH_LEAST;
    memcpy(f->given, f->before, size);
    memcpy(f->trial, f->before, size);
    memcpy(f->wanted, f->before, size);
    for (int i = 0; begin < end && i < BRANCH_PIECES && width >= least; i++) {
        lb_ik_result result;
        double next = scalar_min(begin + width, end);
        lb_transform goal = lb_path_at(f->path, next);
        if (!plan_at(&f->plan, begin, f->trial) || !plan_at(&f->plan, next, f->wanted))
            return false;
        double planned = follower_step(f, f->trial, f->wanted, NULL);
        memcpy(f->piece, f->wanted, size);
        follower_descend(f, f->descent, &goal, f->piece, &result);
        if (follower_error(f, &result) <= BETWEEN_ERROR &&
            follower_step(f, f->given, f->piece, NULL) <= FARTHER * planned + TOUCHING_STEP) {
            memcpy(f->given, f->piece, size);
            begin = next;
            width = scalar_min(2 * width, most);
        } else {
            width /= 2;
        }
    }
    return !(begin < end);
}

/* why the plan jumps: a joint at its limit or a singularity, where descents come to an end; a joint
   that is too slow to go on with them; else branches that meet and are left too fast */
static void explain_jump(lb_follower *f, double begin, double end, lb_frame *frame)
{
    int joint;
    if (!follower_creep(f, NULL, begin, end, f->trial))
        end_at(f, f->trial, frame);
    else if (follower_frames(&f->pace, f->before, f->trial, &joint) > 1)
        end_by(frame, LB_END_SPEED, joint);
    else
        end_by(frame, LB_END_SINGULAR, -1);
}

/* a frame of a redundant arm whose motion has been planned */
static void follow_plan(lb_follower *f, double begin, double end, double *q, lb_frame *frame)
{
    memcpy(q, f->before, sizeof *q * (size_t)lb_model_nq(f->model));
    if (!plan_at(&f->plan, end, q)) {
        follow_descent(f, begin, end, q, frame);
        return;
    }
    follower_descend(f, f->descent, &frame->goal, q, &frame->result);
    frame->jumped = plan_jumps(&f->plan, begin, end) || !keeps_plan(f, begin, end);
    if (frame->jumped)
        explain_jump(f, begin, end, frame);
}

/* ---- frames ------------------------------------------------------------- */

/* the path is left where it is: q stays, and there is no next frame */
void follower_stop(lb_follower *f, double *q, lb_frame *frame)
{
    memcpy(q, f->before, sizeof *q * (size_t)lb_model_nq(f->model));
    frame->jumped = false;
    frame->result.outcome = LB_STALLED;
    frame->result.reason = frame->ended == LB_END_SINGULAR ? LB_REASON_SINGULAR
                           : frame->ended == LB_END_REACH  ? LB_REASON_STEPS
                                                           : LB_REASON_LIMITS;
    lb_state_update(f->state, q);
    lb_task_error(f->state, &f->task, &frame->goal, &frame->result.position_error,
                  &frame->result.rotation_error);
    f->next = f->frames;
}

void follower_find_end(lb_follower *f, const double *q, lb_frame *frame)
{
    lb_state_update(f->state, q);
    if (frame->ended == LB_END_SINGULAR &&
        conditioning_at(&f->conditioning, f->state, &frame->goal) < REGULAR)
        frame->ended = LB_END_REACH;
}

/* whether q is where a descent leads from the closest place, out of reach, back to the path */
static bool comes_back(lb_follower *f, const double *q, const lb_frame *frame)
{
    lb_ik_result result;
    if (f->ended != LB_END_REACH)
        return false;
    lb_ik_solve(f->descent, &frame->goal, f->before, f->trial, &result);
    return follower_step(f, f->trial, q, NULL) <= BRANCH_STEP;
}

/* a frame after the first one, and how its motion came about */
void follower_advance(lb_follower *f, double *q, lb_frame *frame)
{
    int joint;
    double begin = branches_share(frame->index - 1, f->frames);
    double end = branches_share(frame->index, f->frames);
    if (f->branches.solver)
        follow_branch(f, begin, end, q, frame);
    else if (f->is_planned)
        follow_plan(f, begin, end, q, frame);
    else
        follow_descent(f, begin, end, q, frame);
    if (frame->result.outcome != LB_REACHED)
        follower_find_end(f, q, frame);
    double step = follower_step(f, f->before, q, &joint);
    // where frames were lost, what ended the last branch was said there
    if (f->lost) {
        frame->jumped = frame->jumped && step > BRANCH_STEP && !comes_back(f, q, frame);
        end_by(frame, frame->jumped ? f->ended : LB_END_NONE, frame->jumped ? f->joint : -1);
    }
    if (f->jump > 0 && step > f->jump) {
        frame->jumped = true;
        if (frame->ended == LB_END_NONE)
            end_by(frame, LB_END_STEP, joint);
    }
    if (frame->ended != LB_END_NONE && f->on_jump == LB_JUMP_STOP)
        follower_stop(f, q, frame);
}

/* remembers whether the path was left, and why */
void follower_remember(lb_follower *f, const lb_frame *frame)
{
    bool lost = frame->result.outcome != LB_REACHED && frame->limited < 0;
    if (lost && !f->lost) {
        f->ended = frame->ended == LB_END_NONE ? LB_END_SINGULAR : frame->ended;
        f->joint = frame->joint;
    }
    f->lost = lost;
}
