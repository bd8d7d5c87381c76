/*
 * follower.c - follows a path frame by frame, each solved from the one before.
 */
#include "base/memory.h"
#include "base/require.h"
#include "ik/progress.h"
#include "ik/solver.h"
#include "motion/conditioning.h"

#include <limber/motion.h>

struct lb_follower {
    lb_allocator allocator;
    const lb_path *path;
    int frames, steps, next;
    bool keeps_start; /* gains do not move the configuration that the motion starts from */
    lb_ik *ik;
    lb_state *state;
    conditioning conditioning;
    double *work;
};

lb_follow lb_follow_default(lb_task task, const lb_path *path, int frames)
{
    return (lb_follow){
        .task = task, .path = path, .frames = frames, .options = lb_ik_options_default()};
}

/* ---- making ------------------------------------------------------------- */

/* everything that may fail, in order; after a failure the caller releases what was created */
static lb_status make(lb_follower *f, const lb_model *model, const lb_follow *how, lb_error *error)
{
    lb_status status =
        lb_ik_create(model, &how->task, 1, &how->options, &f->allocator, &f->ik, error);
    if (status != LB_OK)
        return status;
    // a solve of its own goes to the posture at once, which would be a jump between frames
    f->ik->gradual_posture = true;
    status = lb_state_create(model, &f->allocator, &f->state);
    f->work = memory_take(&f->allocator, conditioning_work(model), sizeof(double));
    if (status != LB_OK || !f->work)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    lb_transform first = lb_path_at(how->path, 0);
    conditioning_start(&f->conditioning, &how->task, lb_ik_get_options(f->ik)->length, &first,
                       f->state, f->work);
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
    if (status != LB_OK)
        return status;
    if (!how->path || how->frames < 1 || how->steps < 0)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "following needs a path, at least one frame and at least 0 steps a "
                            "frame; there are %d frames and %d steps",
                            how->frames, how->steps);
    lb_allocator memory = memory_allocator(allocator);
    lb_follower *made = memory_take(&memory, 1, sizeof *made);
    if (!made)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    *made = (lb_follower){.allocator = memory,
                          .path = how->path,
                          .frames = how->frames,
                          .steps = how->steps,
                          .keeps_start = how->options.gains != NULL};
    status = make(made, model, how, error);
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
    lb_state_release(follower->state);
    memory_release(&memory, follower->work);
    memory_release(&memory, follower);
}

/* ---- following ---------------------------------------------------------- */

void lb_follower_rewind(lb_follower *follower)
{
    follower->next = 0;
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

static void solve_frame(lb_follower *f, int index, const lb_transform *goal, double *q,
                        lb_ik_result *result)
{
    if (f->keeps_start && index == 0 && ik_progress_solves(f->ik, goal, q, result))
        return;
    if (f->steps > 0)
        take_steps(f, goal, q, result);
    else
        lb_ik_solve(f->ik, goal, q, q, result);
}

bool lb_follower_next(lb_follower *follower, double *q, lb_frame *frame)
{
    int last = follower->frames - 1;
    if (follower->next > last)
        return false;
    int index = follower->next++;
    lb_ik_result result;
    // a single frame is the end of the path
    lb_transform goal = lb_path_at(follower->path, last > 0 ? (double)index / last : 1);
    solve_frame(follower, index, &goal, q, &result);
    if (frame) {
        lb_state_update(follower->state, q);
        *frame = (lb_frame){index, goal, result, 0};
        frame->condition = conditioning_at(&follower->conditioning, follower->state, &goal);
    }
    return true;
}
