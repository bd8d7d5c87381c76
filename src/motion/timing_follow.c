/*
 * timing_follow.c - a path is followed, through as many places as its joints need.
 */
#include "motion/timing.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/follower.h"

#include <math.h>
#include <string.h>

/* the shortest piece of a path that a branch is followed by, a share, and the most pieces of a
   part: what leads through a turn of a wrist that the path passes by a nanometre */
#define PIECE_LEAST 0x1p-40
enum { PIECES = 20000 };
/* keeps a configuration and its share of the path; false: no memory */
static bool keep_frame(void *user, double share, const double *q)
{
    timing_source *source = &((timing_run *)user)->source;
    size_t nq = (size_t)source->nq, count = (size_t)source->frames;
    if (count == source->room) {
        size_t room = source->room, same = source->room;
        double *rows =
            memory_grow(&source->memory, source->q, count, &room, count + 1, nq * sizeof *rows);
        double *at = memory_grow(&source->memory, source->at, count, &same, count + 1, sizeof *at);
        source->q = rows ? rows : source->q;
        source->at = at ? at : source->at;
        if (!rows || !at)
            return false;
        source->room = room < same ? room : same;
    }
    memcpy(source->q + count * nq, q, nq * sizeof *q);
    source->at[source->frames++] = share;
    return true;
}

/* the branch of the last frame, from there to corner after corner */
static void walk_branch(timing_run *r, lb_follower *f, branch_walk *walk)
{
    timing_source *source = &r->source;
    size_t nq = (size_t)source->nq, size = sizeof *source->row * nq;
    const double begin = source->at[source->frames - 1];
    memcpy(source->row, source->q + (size_t)(source->frames - 1) * nq, size);
    walk->share = 1;
    walk->touched = walk->passed = 0;
    walk->ended = LB_END_NONE;
    for (int i = 0; i < r->part_count && walk->ended == LB_END_NONE; i++) {
        const timing_curve *part = &r->parts[i].curve;
        walk->most =
            (part->end - part->begin) / (TIMING_FRAMES * timing_count_spans(r, &r->parts[i]));
        memcpy(f->before, source->row, size);
        branches_walk(&f->branches, walk, i == 0 ? begin : part->begin, f->before, part->end,
                      source->row);
    }
}

/* begins with a turn in place where a branch then leads farther than any without; a part of its own
   if that is to the end */
static void follow_turned(timing_run *r, lb_follower *f, branch_walk walk, branch_walk *best)
{
    timing_source *source = &r->source;
    size_t nq = (size_t)source->nq;
    const int count = branches_list(&f->branches, FOLLOWER_TURN, source->q);
    double *rows = memory_take(&source->memory, LB_SOLUTIONS_MAX * nq, sizeof *rows);
    if (rows == NULL)
        return;
    memcpy(rows, f->branches.rows, (size_t)count * nq * sizeof *rows);
    walk.seconds = 0;
    for (int i = 0; i < count && best->ended != LB_END_NONE; i++) {
        source->frames = 1;
        if (!follower_turn(f, &walk, 0, source->q, rows + (size_t)i * nq))
            continue;
        walk_branch(r, f, &walk);
        *best = walk.ended == LB_END_NONE || walk.share > best->share ? walk : *best;
    }
    if (best->ended != LB_END_NONE)
        return;
    memmove(r->parts + 1, r->parts, (size_t)r->part_count++ * sizeof *r->parts);
    r->parts[0] = (timing_part){.curve = {.end = FOLLOWER_TURN, .still = true}};
    r->parts[1].curve.begin = FOLLOWER_TURN;
}

/* the branch of the first frame, or of those that touch there the one that leads farthest */
static void follow_branch(timing_run *r, lb_follower *f)
{
    timing_source *source = &r->source;
    lb_frame *frame = &r->result->frame;
    branch_walk walk = {
        .least = PIECE_LEAST, .pieces = PIECES, .limited = true, .note = keep_frame, .user = r};
    walk_branch(r, f, &walk);
    branch_walk best = walk;
    for (unsigned i = 1; best.ended != LB_END_NONE && i < 1U << walk.touched; i++) {
        walk.seconds = i;
        source->frames = 1;
        walk_branch(r, f, &walk);
        best = walk.ended == LB_END_NONE || walk.share > best.share ? walk : best;
    }
    if (best.ended == LB_END_SINGULAR && best.share < FOLLOWER_TURN)
        follow_turned(r, f, walk, &best);
    r->result->share = best.share;
    if (best.ended == LB_END_NONE)
        return;
    frame->index = source->frames;
    frame->goal = lb_path_at(source->path, best.share);
    frame->ended = best.ended;
    frame->joint = best.joint;
    follower_find_end(f, source->row, frame);
    follower_stop(f, source->row, frame);
}

/* frame after frame, and where joints go far between two of them, through as many as that needs */
static void follow_frames(timing_run *r, lb_follower *f)
{
    timing_source *source = &r->source;
    lb_frame *frame = &r->result->frame;
    branch_walk walk = {.note = keep_frame, .user = r, .share = 1};
    size_t size = sizeof *source->row * (size_t)source->nq;
    double share = 0;
    while (lb_follower_next(f, source->row, frame)) {
        double end = branches_share(frame->index, f->frames);
        bool ended = frame->result.outcome != LB_REACHED || frame->jumped;
        const double *last = source->q + (size_t)(source->frames - 1) * (size_t)source->nq;
        if (ended || (!f->is_planned && frame->step > BRANCH_STEP)) {
            memcpy(f->before, last, size);
            follower_creep(f, &walk, share, end, f->trial);
            memcpy(source->row, f->trial, size);
        } else if (!keep_frame(r, end, source->row)) {
            return;
        }
        r->result->share = ended ? walk.share : end;
        if (ended || source->at[source->frames - 1] < end)
            return;
        share = end;
    }
}

lb_status timing_follow(timing_run *r, const lb_follow *follow, const double *start)
{
    timing_source *source = &r->source;
    lb_follower *follower;
    TRY(lb_follower_create(source->inner, follow, &source->memory, &follower, r->error));
    source->solutions = follower->branches.solver ? &follower->branches : NULL;
    source->damped = follower->damped;
    memcpy(source->row, start, sizeof *start * (size_t)source->nq);
    lb_frame *frame = &r->result->frame;
    lb_follower_next(follower, source->row, frame);
    if (frame->result.outcome == LB_REACHED && keep_frame(r, 0, source->row)) {
        if (follower->branches.solver)
            follow_branch(r, follower);
        else
            follow_frames(r, follower);
    }
    if (memory_pool_failed(&source->memory))
        return error_out_of_memory(r->error);
    r->result->outcome = frame->result.outcome;
    if (frame->index > 0 && frame->jumped && r->result->outcome == LB_REACHED)
        r->result->outcome = LB_STALLED;
    return LB_OK;
}
