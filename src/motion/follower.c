/*
 * follower.c - follows a path frame by frame, each continued from the one before.
 */
#include "motion/follower.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "ik/descent.h"
#include "kinematics/assembly.h"
#include "model/view.h"

#include <string.h>

/* metres: singular values below it are those of directions that rounding decides */
#define DAMPING 1e-3
/* its steps are to leave rounding alone */
#define SOLVED 1e-12

lb_follow lb_follow_default(lb_task task, const lb_path *path, int frames)
{
    return (lb_follow){.task = task,
                       .path = path,
                       .frames = frames,
                       .deviation = 0.01,
                       .options = lb_ik_options_default()};
}

const char *lb_on_jump_text(lb_on_jump choice)
{
    static const char *const texts[] = {LB_ON_JUMP_LIST(LIST_TEXT)};
    return (unsigned)choice < LB_ON_JUMP_COUNT ? texts[choice] : "unknown";
}

const char *lb_branch_end_text(lb_branch_end end)
{
    static const char *const texts[] = {LB_BRANCH_END_LIST(LIST_TEXT)};
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
static lb_status make_solvers(lb_follower *f, const lb_follow *how, const lb_allocator *memory,
                              lb_error *error)
{
    lb_ik_options one = how->options;
    if (lb_model_loop_count(f->model) > 0 && f->pace.rate > 0)
        return REFUSE_UNSUPPORTED(
            error, "the model has loops, which a limit of joint speeds would open: leave "
                   "the rate at 0");
    TRY(lb_ik_create(f->model, &how->task, 1, &how->options, memory, &f->ik, error));
    // a solve of its own goes to the posture at once, which would be a jump between frames
    ik_posture_make_gradual(f->ik);
    one.protocol = LB_PROTOCOL_GIVEN;
    one.seeds = 0;
    one.gains = one.desired = NULL;
    TRY(lb_ik_create(f->model, &how->task, 1, &one, memory, &f->descent, error));
    const bool redundant = !has_single_solutions(f, how);
    if (f->pace.rate > 0 && redundant)
        TRY(lb_ik_create(f->model, &how->task, 1, &one, memory, &f->paced, error));
    // solutions are those of the tree, whose loops are open
    bool wanted = wants_solutions(how) && lb_model_loop_count(f->model) == 0;
    bool single = wanted && !redundant;
    const lb_ik_options *options = lb_ik_get_options(f->ik);
    lb_status status = branches_create(&f->branches, f->model, &how->task, how->path, single,
                                       options, memory, error);
    branches_limit_steps(&f->branches, &f->pace, how->jump);
    if (status == LB_OK && f->branches.solver) {
        one.method = lb_method_find("damped");
        one.damping = DAMPING;
        one.no_nudge = true;
        one.position_tolerance = one.rotation_tolerance = SOLVED;
        return lb_ik_create(f->model, &how->task, 1, &one, memory, &f->damped, error);
    }
    if (status != LB_OK || !wanted || single)
        return status;
    return plan_create(&f->plan, f->model, how, options, &f->pace, memory, error);
}

/* everything that may fail, in order */
static lb_status make(lb_follower *f, const lb_follow *how, const lb_allocator *memory,
                      lb_error *error)
{
    size_t nq = (size_t)lb_model_nq(f->model), nv = (size_t)lb_model_nv(f->model);
    lb_assembly *assembly;
    TRY(assembly_of(f->model, memory, &assembly, error));
    lb_status status = lb_state_create(f->model, memory, &f->state);
    size_t numbers = conditioning_work(f->model);
    f->work = memory_take(memory, numbers + 7 * nq + nv, sizeof(double));
    if (status != LB_OK || !f->work)
        return error_out_of_memory(error);
    f->before = f->work + numbers;
    f->trial = f->before + nq;
    f->piece = f->trial + nq;
    f->last = f->piece + nq;
    f->given = f->last + nq;
    f->wanted = f->given + nq;
    f->first = f->wanted + nq;
    f->velocity = f->first + nq;
    f->pace = (pace){f->model, how->steps == 0 ? how->rate : 0, f->velocity};
    TRY(make_solvers(f, how, memory, error));
    lb_transform first = lb_path_at(how->path, 0);
    conditioning_start(&f->conditioning, &how->task, lb_ik_get_options(f->ik)->length, &first,
                       f->state, assembly, f->work);
    return LB_OK;
}

static lb_status check(const lb_follow *how, lb_error *error)
{
    if (!how->path || how->frames < 1 || how->frames > LB_FOLLOW_FRAMES_MAX || how->steps < 0 ||
        how->steps > LB_FOLLOW_STEPS_MAX)
        return REFUSE_ARGUMENT(error,
                               "following needs a path, 1 to %d frames and 0 to %d steps a frame; "
                               "there are %d frames and %d steps",
                               LB_FOLLOW_FRAMES_MAX, LB_FOLLOW_STEPS_MAX, how->frames, how->steps);
    if (!isfinite(how->rate) || how->rate < 0)
        return REFUSE_ARGUMENT(error,
                               "the rate is %g frames a second but must be a finite number of at "
                               "least 0, which means that joint speeds are not limited",
                               how->rate);
    if (!isfinite(how->deviation) || how->deviation < 0)
        return REFUSE_ARGUMENT(
            error, "the deviation is %g but must be a finite number of at least 0", how->deviation);
    if (!isfinite(how->jump) || how->jump < 0)
        return REFUSE_ARGUMENT(
            error,
            "the largest step of a joint is %g but must be a finite number of at "
            "least 0, which means any",
            how->jump);
    if ((unsigned)how->on_jump >= LB_ON_JUMP_COUNT)
        return REFUSE_ARGUMENT(error, "on_jump is %d but must be LB_JUMP_REPORT or LB_JUMP_STOP",
                               (int)how->on_jump);
    return LB_OK;
}

lb_status lb_follower_create(const lb_model *model, const lb_follow *how,
                             const lb_allocator *allocator, lb_follower **follower, lb_error *error)
{
    TRY(REQUIRE_TO_MAKE(follower, error, {model, "model"}, {how, "how"}));
    TRY(check(how, error));
    lb_allocator memory;
    lb_follower *made = memory_pool_object(sizeof *made, allocator, &memory);
    TRY(require_memory(error, made));
    lb_follow own = *how;
    made->limited = -1;
    made->model = model;
    made->task = how->task;
    made->path = how->path;
    made->frames = how->frames;
    made->steps = how->steps;
    made->any_start = how->any_start;
    made->jump = how->jump;
    made->deviation = how->deviation;
    made->on_jump = how->on_jump;
    made->has_gains = how->options.gains != NULL;
    lb_status status = view_take(&own.options.joints, &own.options.joint_count, &memory,
                                 &made->model, &made->view, error);
    if (status == LB_OK)
        status = make(made, &own, &memory, error);
    if (status == LB_OK)
        *follower = made;
    else
        lb_follower_release(made);
    return status;
}

void lb_follower_release(lb_follower *follower)
{
    memory_pool_release(follower);
}

void lb_follower_rewind(lb_follower *follower)
{
    follower->next = 0;
    follower->lost = false;
    follower->back = 0;
    follower->limited = -1;
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

/* how bad a frame is: by how much a slow joint takes it off the path; 1 where it jumps or is not
   reached for another reason */
static double frame_fault(const lb_follower *f, const lb_frame *frame)
{
    if (frame->limited >= 0)
        return follower_error(f, &frame->result);
    return frame->jumped || frame->ended != LB_END_NONE || frame->result.outcome != LB_REACHED;
}

/* the faults of all frames when the path is followed from q, by the plan or by descents; of a
   motion that stops at the first one, how many frames are left there */
static double rehearse(lb_follower *f, const double *start)
{
    double faults = 0;
    double *q = f->last;
    size_t size = sizeof *q * (size_t)lb_model_nq(f->model);
    memcpy(f->first, f->before, size);
    memmove(q, start, size);
    for (int i = 1; i < f->frames; i++) {
        lb_frame frame = {.index = i, .joint = -1, .limited = -1};
        frame.goal = lb_path_at(f->path, branches_share(i, f->frames));
        memcpy(f->before, q, size);
        if (f->pace.rate > 0)
            follower_advance_in_pace(f, q, &frame);
        else
            follower_advance(f, q, &frame);
        f->limited = frame.limited;
        follower_remember(f, &frame);
        faults += frame_fault(f, &frame);
        if (faults > 0 && f->on_jump == LB_JUMP_STOP) {
            faults = f->frames - i;
            break;
        }
    }
    memcpy(f->before, f->first, size);
    lb_follower_rewind(f);
    f->next = 1;
    return faults;
}

/* brings the plan, whose pieces are straight, to the path */
static void settle_plan(lb_follower *f, const double *start)
{
    memcpy(f->trial, start, sizeof *start * (size_t)lb_model_nq(f->model));
    for (int place = 0; place < f->plan.places; place++) {
        lb_ik_result result;
        double share = (double)place / (f->plan.places - 1);
        lb_transform goal = lb_path_at(f->path, share);
        if (!plan_at(&f->plan, share, f->trial))
            continue;
        follower_descend(f, f->descent, &goal, f->trial, &result);
        if (result.outcome == LB_REACHED)
            plan_settle(&f->plan, place, f->trial);
    }
}

/* the first frame of the plan */
static void begin_plan(lb_follower *f, double *q, lb_frame *frame)
{
    (void)plan_at(&f->plan, 0, q);
    follower_descend(f, f->descent, &frame->goal, q, &frame->result);
}

/* a redundant arm's motion is planned where descents from its first frame leave the path or jump,
   and followed where that is less so */
static void consider_plan(lb_follower *f, double *q, lb_frame *frame)
{
    lb_frame first = *frame;
    const double faults = rehearse(f, q);
    if (faults == 0 || !plan_make(&f->plan, q, f->any_start))
        return;
    settle_plan(f, q);
    memcpy(f->trial, q, sizeof *q * (size_t)lb_model_nq(f->model));
    begin_plan(f, f->trial, &first);
    f->is_planned = true;
    f->is_planned = rehearse(f, f->trial) <= faults;
    if (f->is_planned)
        begin_plan(f, q, frame);
}

/* the first frame: nearest to q, or on the branch that leads farthest */
static void begin_path(lb_follower *f, double *q, lb_frame *frame)
{
    bool chosen = f->any_start && f->branches.solver &&
                  branches_choose(&f->branches, 0, f->frames, f->before, q);
    // a start that solves the first frame stays as it is, also where it is at a limit; loops of a
    // linkage may be open there
    if (chosen || lb_model_loop_count(f->model) > 0 ||
        !ik_progress_solves(f->ik, &frame->goal, q, &frame->result))
        lb_ik_solve(chosen ? f->descent : f->ik, &frame->goal, chosen ? q : f->before, q,
                    &frame->result);
    f->is_planned = false;
    if (plan_is_known(&f->plan) && frame->result.outcome == LB_REACHED)
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
    else if (f->pace.rate > 0)
        follower_advance_in_pace(f, q, frame);
    else
        follower_advance(f, q, frame);
}

int lb_follower_planned_jumps(const lb_follower *follower)
{
    return follower->is_planned ? follower->plan.jump_count : -1;
}

bool lb_follower_next(lb_follower *follower, double *q, lb_frame *frame)
{
    lb_follower *f = follower;
    if (f->next >= f->frames)
        return false;
    lb_frame made = {.index = f->next++, .joint = -1, .limited = -1};
    made.goal = lb_path_at(f->path, branches_share(made.index, f->frames));
    size_t size = sizeof *q * (size_t)lb_model_nq(f->model);
    // an arm that was moved meanwhile has left the plan, and the path back to it
    bool moved = made.index > 0 && memcmp(f->last, q, size) != 0;
    f->is_planned = f->is_planned && !moved;
    f->back = moved ? 0 : f->back;
    memcpy(f->before, q, size);
    find_frame(f, q, &made);
    memcpy(f->last, q, size);
    f->limited = made.limited;
    follower_remember(f, &made);
    if (!frame)
        return true;
    lb_state_update(f->state, q);
    made.condition = conditioning_at(&f->conditioning, f->state, &made.goal);
    made.step = follower_step(f, f->before, q, NULL);
    *frame = made;
    return true;
}
