/*
 * follower.c - follows a path frame by frame, each continued from the one before.
 */
#include "base/memory.h"
#include "base/require.h"
#include "ik/progress.h"
#include "ik/solver.h"
#include "math/scalar.h"
#include "motion/branch.h"
#include "motion/conditioning.h"
#include "motion/plan.h"

#include <limber/motion.h>
#include <string.h>

/* a joint this near to its limit is what keeps a descent from going on; radians or metres: lm
   leaves joints at the limit itself, and rounding */
#define AT_LIMIT 1e-9
/* a solve that goes so many times as far as small steps do has left the branch */
#define FARTHER 2

struct lb_follower {
    lb_allocator allocator;
    const lb_model *model;
    lb_task task;
    const lb_path *path;
    int frames, steps, next;
    bool any_start;
    double jump;
    lb_on_jump on_jump;
    bool has_gains;      /* they do not move the configuration that the motion starts from */
    lb_ik *ik, *descent; /* as the options want; one descent from where it is */
    branches branches;
    plan plan;
    bool is_planned; /* frames are taken from the plan */
    lb_state *state;
    conditioning conditioning;
    double *before;        /* nq: the last frame's configuration */
    double *trial, *piece; /* nq */
    double *last;          /* nq: where the last frame left the arm */
    double *given;         /* nq: the first frame's, while it is rehearsed */
    double *velocity;      /* nv */
    bool lost;             /* the last frame was not reached, */
    lb_branch_end ended;   /* and what ended the branch before it */
    int joint;
    double *work;
};

lb_follow lb_follow_default(lb_task task, const lb_path *path, int frames)
{
    return (lb_follow){
        .task = task, .path = path, .frames = frames, .options = lb_ik_options_default()};
}

const char *lb_on_jump_text(lb_on_jump choice)
{
    static const char *const texts[] = {
#define TEXT(name, text) text,
        LB_ON_JUMP_LIST(TEXT)};
    return (unsigned)choice < LB_ON_JUMP_COUNT ? texts[choice] : "unknown";
}

const char *lb_branch_end_text(lb_branch_end end)
{
    static const char *const texts[] = {LB_BRANCH_END_LIST(TEXT)};
#undef TEXT
    return (unsigned)end < LB_BRANCH_END_COUNT ? texts[end] : "unknown";
}

/* ---- making ------------------------------------------------------------- */

/* solutions are looked at ahead of time where the options want the nearest ones */
static bool wants_solutions(const lb_follow *how)
{
    const lb_ik_options *o = &how->options;
    return how->steps == 0 && o->protocol == LB_PROTOCOL_NEAREST && !o->gains &&
           (!o->method || o->method == lb_method_find("lm"));
}

/* whether the arm has no joint to spare */
static bool has_single_solutions(const lb_follower *f, const lb_follow *how)
{
    lb_transform first = lb_path_at(how->path, 0);
    lb_mobility mobility = lb_task_mobility(f->state, &how->task, &first);
    return mobility.velocities <= mobility.constraints;
}

/* the solvers: as the options want, and of a single descent */
static lb_status make_solvers(lb_follower *f, const lb_follow *how, lb_error *error)
{
    lb_ik_options one = how->options;
    lb_status status =
        lb_ik_create(f->model, &how->task, 1, &how->options, &f->allocator, &f->ik, error);
    if (status != LB_OK)
        return status;
    // a solve of its own goes to the posture at once, which would be a jump between frames
    f->ik->gradual_posture = true;
    one.protocol = LB_PROTOCOL_GIVEN;
    one.seeds = 0;
    one.gains = one.desired = NULL;
    status = lb_ik_create(f->model, &how->task, 1, &one, &f->allocator, &f->descent, error);
    if (status != LB_OK)
        return status;
    bool wanted = wants_solutions(how), single = wanted && has_single_solutions(f, how);
    const lb_ik_options *options = lb_ik_get_options(f->ik);
    status = branches_create(&f->branches, f->model, &how->task, how->path, single, options,
                             &f->allocator, error);
    if (status != LB_OK || !wanted || single)
        return status;
    return plan_create(&f->plan, f->model, &how->task, how->path, options, &f->allocator, error);
}

/* everything that may fail, in order; after a failure the caller releases what was created */
static lb_status make(lb_follower *f, const lb_follow *how, lb_error *error)
{
    size_t nq = (size_t)lb_model_nq(f->model), nv = (size_t)lb_model_nv(f->model);
    lb_status status = lb_state_create(f->model, &f->allocator, &f->state);
    size_t numbers = conditioning_work(f->model);
    f->work = memory_take(&f->allocator, numbers + 5 * nq + nv, sizeof(double));
    if (status != LB_OK || !f->work)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    status = make_solvers(f, how, error);
    if (status != LB_OK)
        return status;
    f->before = f->work + numbers;
    f->trial = f->before + nq;
    f->piece = f->trial + nq;
    f->last = f->piece + nq;
    f->given = f->last + nq;
    f->velocity = f->given + nq;
    lb_transform first = lb_path_at(how->path, 0);
    conditioning_start(&f->conditioning, &how->task, lb_ik_get_options(f->ik)->length, &first,
                       f->state, f->work);
    return LB_OK;
}

static lb_status check(const lb_follow *how, lb_error *error)
{
    if (!how->path || how->frames < 1 || how->steps < 0)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "following needs a path, at least one frame and at least 0 steps a "
                            "frame; there are %d frames and %d steps",
                            how->frames, how->steps);
    if (!isfinite(how->jump) || how->jump < 0)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "the largest step of a joint is %g but must be a finite number of at "
                            "least 0, which means any",
                            how->jump);
    if ((unsigned)how->on_jump >= LB_ON_JUMP_COUNT)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "on_jump is %d but must be LB_JUMP_REPORT or LB_JUMP_STOP",
                            (int)how->on_jump);
    return LB_OK;
}

lb_status lb_follower_create(const lb_model *model, const lb_follow *how,
                             const lb_allocator *allocator, lb_follower **follower, lb_error *error)
{
    lb_status status = REQUIRE(error, {follower, "follower"});
    if (status != LB_OK)
        return status;
    *follower = NULL;
    status = REQUIRE(error, {model, "model"}, {how, "how"});
    if (status == LB_OK)
        status = check(how, error);
    if (status != LB_OK)
        return status;
    lb_allocator memory = memory_allocator(allocator);
    lb_follower *made = memory_take(&memory, 1, sizeof *made);
    if (!made)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    *made = (lb_follower){.allocator = memory,
                          .model = model,
                          .task = how->task,
                          .path = how->path,
                          .frames = how->frames,
                          .steps = how->steps,
                          .any_start = how->any_start,
                          .jump = how->jump,
                          .on_jump = how->on_jump,
                          .has_gains = how->options.gains != NULL,
                          .branches.allocator = memory,
                          .plan.allocator = memory};
    status = make(made, how, error);
    if (status == LB_OK)
        *follower = made;
    else
        lb_follower_release(made);
    return status;
}

void lb_follower_release(lb_follower *follower)
{
    if (!follower)
        return;
    lb_allocator memory = follower->allocator;
    lb_ik_release(follower->ik);
    lb_ik_release(follower->descent);
    branches_release(&follower->branches);
    plan_release(&follower->plan);
    lb_state_release(follower->state);
    memory_release(&memory, follower->work);
    memory_release(&memory, follower);
}

void lb_follower_rewind(lb_follower *follower)
{
    follower->next = 0;
    follower->lost = false;
}

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
static double step_between(lb_follower *f, const double *from, const double *to, int *joint)
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

static void end_by(lb_frame *frame, lb_branch_end end, int joint)
{
    frame->ended = end;
    frame->joint = joint;
}

/* ---- along a branch ----------------------------------------------------- */

/* the branch of the frame before, continued; false: it ends, and the frame says why */
static bool continue_branch(lb_follower *f, double begin, double end, double *q, lb_frame *frame)
{
    int joint = -1;
    bool continued = branches_continue(&f->branches, begin, f->before, end, q);
    if (continued)
        joint = branches_beyond(&f->branches, q, BRANCH_LIMIT);
    if (!continued || joint >= 0)
        end_by(frame, continued ? LB_END_LIMIT : LB_END_SINGULAR, joint);
    return continued && joint < 0;
}

/* a frame of an arm whose solutions are known */
static void follow_branch(lb_follower *f, double begin, double end, double *q, lb_frame *frame)
{
    bool on = !f->lost && continue_branch(f, begin, end, q, frame);
    // after frames that were not reached the nearest solution is taken if it is near
    if (f->lost) {
        lb_ik_solve(f->ik, &frame->goal, f->before, q, &frame->result);
        on = frame->result.outcome == LB_REACHED &&
             step_between(f, f->before, q, NULL) <= BRANCH_STEP;
    }
    if (!on)
        frame->jumped =
            branches_choose(&f->branches, frame->index, f->frames, f->jump, f->before, q);
    if (!on && !frame->jumped)
        memcpy(q, f->before, sizeof *q * (size_t)lb_model_nq(f->model));
    // confirms it; with no solution in limits it goes as near as a descent leads
    lb_ik_solve(f->descent, &frame->goal, q, q, &frame->result);
}

/* ---- by descents -------------------------------------------------------- */

/*
 * Fills `to` with what descents in small steps make of `before`; false: one of them is not small,
 * however near the next place; `to` is then where they came to.
 */
static bool descend(lb_follower *f, double begin, double end, double *to)
{
    size_t size = sizeof *to * (size_t)lb_model_nq(f->model);
    double width = end - begin, least = width * BRANCH_LEAST;
    memcpy(to, f->before, size);
    for (int i = 0; begin < end && i < BRANCH_PIECES && width >= least; i++) {
        lb_ik_result result;
        double next = scalar_min(begin + width, end);
        lb_transform goal = lb_path_at(f->path, next);
        bool reached = lb_ik_solve(f->descent, &goal, to, f->piece, &result) == LB_REACHED;
        if (reached && step_between(f, to, f->piece, NULL) <= BRANCH_STEP) {
            memcpy(to, f->piece, size);
            begin = next;
            width *= 2;
        } else {
            width /= 2;
        }
    }
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
    double step = step_between(f, f->before, q, NULL);
    if (outcome != LB_REACHED)
        end_at(f, q, frame);
    if (step <= BRANCH_STEP)
        return;
    // what is not reached is no reason to go far: then as near as one descent leads
    if (outcome != LB_REACHED) {
        lb_ik_solve(f->descent, &frame->goal, f->before, f->trial, &result);
        if (step <= FARTHER * step_between(f, f->before, f->trial, NULL))
            return;
        memcpy(q, f->trial, sizeof *q * (size_t)lb_model_nq(f->model));
        frame->result.position_error = result.position_error;
        frame->result.rotation_error = result.rotation_error;
        return;
    }
    frame->jumped = f->lost || !descend(f, begin, end, f->trial);
    if (frame->jumped)
        end_at(f, f->trial, frame);
    else if (!f->has_gains && step > FARTHER * step_between(f, f->before, f->trial, NULL))
        lb_ik_solve(f->descent, &frame->goal, f->trial, q, &frame->result);
}

/* ---- by plan ------------------------------------------------------------ */

/* a frame of a redundant arm whose motion has been planned */
static void follow_plan(lb_follower *f, double begin, double end, double *q, lb_frame *frame)
{
    plan_at(&f->plan, end, f->trial);
    lb_ik_solve(f->descent, &frame->goal, f->trial, q, &frame->result);
    frame->jumped = plan_jumps(&f->plan, begin, end);
    if (frame->jumped)
        end_at(f, f->before, frame);
}

/* ---- frames ------------------------------------------------------------- */

/* the path is left where it is: q stays, and there is no next frame */
static void stop(lb_follower *f, double *q, lb_frame *frame)
{
    memcpy(q, f->before, sizeof *q * (size_t)lb_model_nq(f->model));
    frame->jumped = false;
    frame->result.outcome = LB_STALLED;
    frame->result.reason = frame->ended == LB_END_SINGULAR ? LB_REASON_SINGULAR : LB_REASON_LIMITS;
    lb_state_update(f->state, q);
    lb_task_error(f->state, &f->task, &frame->goal, &frame->result.position_error,
                  &frame->result.rotation_error);
    f->next = f->frames;
}

/* a frame after the first one, and how its motion came about */
static void continue_path(lb_follower *f, double *q, lb_frame *frame)
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
    double step = step_between(f, f->before, q, &joint);
    if (frame->ended == LB_END_NONE && f->jump > 0 && step > f->jump) {
        end_by(frame, LB_END_STEP, joint);
        frame->jumped = true;
    }
    // where frames were lost, what ended the last branch was said there
    if (f->lost) {
        frame->jumped = frame->jumped && step > BRANCH_STEP;
        end_by(frame, frame->jumped ? f->ended : LB_END_NONE, frame->jumped ? f->joint : -1);
    }
    if (frame->ended != LB_END_NONE && f->on_jump == LB_JUMP_STOP)
        stop(f, q, frame);
}

/* up to `steps` steps towards the target, fewer when it is reached or nothing moves */
static void take_steps(lb_follower *f, const lb_transform *goal, double *q, lb_ik_result *result)
{
    int taken = 0;
    lb_progress progress = LB_PROCESSING;
    for (int i = 0; i < f->steps && progress == LB_PROCESSING; i++) {
        progress = lb_ik_step(f->ik, goal, q, result);
        taken += result->iterations;
    }
    result->iterations = taken;
}

/* remembers whether the path was left, and why */
static void remember(lb_follower *f, const lb_frame *frame)
{
    bool lost = frame->result.outcome != LB_REACHED;
    if (lost && !f->lost) {
        f->ended = frame->ended == LB_END_NONE ? LB_END_SINGULAR : frame->ended;
        f->joint = frame->joint;
    }
    f->lost = lost;
}

/* the frames that are not reached, or not without a jump, when descents follow the path from q */
static int rehearse(lb_follower *f, const double *start)
{
    int bad = 0;
    double *q = f->last;
    size_t size = sizeof *q * (size_t)lb_model_nq(f->model);
    memcpy(f->given, f->before, size);
    memcpy(q, start, size);
    for (int i = 1; i < f->frames; i++) {
        lb_frame frame = {.index = i, .joint = -1};
        frame.goal = lb_path_at(f->path, branches_share(i, f->frames));
        memcpy(f->before, q, size);
        continue_path(f, q, &frame);
        remember(f, &frame);
        bad += frame.ended != LB_END_NONE || frame.result.outcome != LB_REACHED;
    }
    memcpy(f->before, f->given, size);
    f->next = 1;
    f->lost = false;
    return bad;
}

/* a redundant arm's motion is planned where descents from its first frame jump */
static void consider_plan(lb_follower *f, double *q, lb_frame *frame)
{
    int bad = rehearse(f, q);
    f->is_planned = bad > 0 && plan_make(&f->plan, q, f->any_start) && f->plan.jump_count < bad;
    if (!f->is_planned)
        return;
    plan_at(&f->plan, 0, f->trial);
    lb_ik_solve(f->descent, &frame->goal, f->trial, q, &frame->result);
}

/* the first frame: nearest to q, or on the branch that leads farthest */
static void begin_path(lb_follower *f, double *q, lb_frame *frame)
{
    bool chosen = f->any_start && f->branches.solver &&
                  branches_choose(&f->branches, 0, f->frames, f->jump, f->before, q);
    lb_ik_solve(chosen ? f->descent : f->ik, &frame->goal, chosen ? q : f->before, q,
                &frame->result);
    f->is_planned = false;
    if (f->plan.solver && frame->result.outcome == LB_REACHED)
        consider_plan(f, q, frame);
}

static void find_frame(lb_follower *f, double *q, lb_frame *frame)
{
    bool first = frame->index == 0;
    if (first && f->has_gains && ik_progress_solves(f->ik, &frame->goal, q, &frame->result))
        return;
    if (f->steps > 0)
        take_steps(f, &frame->goal, q, &frame->result);
    else if (first)
        begin_path(f, q, frame);
    else
        continue_path(f, q, frame);
}

bool lb_follower_next(lb_follower *follower, double *q, lb_frame *frame)
{
    lb_follower *f = follower;
    if (f->next >= f->frames)
        return false;
    lb_frame made = {.index = f->next++, .joint = -1};
    made.goal = lb_path_at(f->path, branches_share(made.index, f->frames));
    size_t size = sizeof *q * (size_t)lb_model_nq(f->model);
    // an arm that was moved meanwhile has left the plan
    f->is_planned = f->is_planned && memcmp(f->last, q, size) == 0;
    memcpy(f->before, q, size);
    find_frame(f, q, &made);
    memcpy(f->last, q, size);
    remember(f, &made);
    if (!frame)
        return true;
    lb_state_update(f->state, q);
    made.condition = conditioning_at(&f->conditioning, f->state, &made.goal);
    made.step = step_between(f, f->before, q, NULL);
    *frame = made;
    return true;
}
