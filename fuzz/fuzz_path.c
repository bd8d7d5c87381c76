/*
 * fuzz_path.c - paths through extreme points, followed and timed by extreme and by degenerate arms:
 * refused with a message, or places that are finite, frames within limits and speeds, and a timing
 * that keeps what it says.
 */
#include "chain.h"

#include <limber/timing.h>

#include <string.h>

enum { MOST_NQ = 64, MOST_POINTS = 6, MOST_FRAMES = 6, ITERATIONS = 30 };

/* ---- paths ------------------------------------------------------------------ */

static bool is_finite(const lb_transform *t)
{
    return lb_vec3_is_finite(t->x) && lb_vec3_is_finite(t->y) && lb_vec3_is_finite(t->z) &&
           lb_vec3_is_finite(t->p);
}

static void check_path(const lb_path *path, int count, fuzz_bytes *bytes)
{
    FUZZ_CHECK(lb_path_length(path) >= 0);
    for (int i = 0; i < count; i++) {
        double share = lb_path_share(path, i);
        FUZZ_CHECK(share >= 0 && share <= 1);
        FUZZ_CHECK(i == 0 || share >= lb_path_share(path, i - 1));
    }
    const double shares[] = {0, 1e-9, 0.3, 0.9999, 1, fuzz_any_number(bytes)};
    for (int i = 0; i < 6; i++) {
        lb_transform at = lb_path_at(path, shares[i]);
        FUZZ_CHECK(is_finite(&at) || isnan(shares[i]));
    }
}

/* through places of the arm itself, so that some can be followed, or through any */
static lb_path *path_of(fuzz_bytes *bytes, lb_state *state, const lb_task *task)
{
    lb_transform points[MOST_POINTS];
    double q[MOST_NQ];
    lb_path *path = NULL;
    lb_error error = {0};
    lb_path_source source = {.kind = (lb_path_kind)fuzz_choice(bytes, LB_PATH_KIND_COUNT),
                             .points = points,
                             .count = fuzz_choice(bytes, MOST_POINTS + 1),
                             .closed = fuzz_choice(bytes, 2) == 1};
    if (fuzz_choice(bytes, 4) == 0)
        source.turn = fuzz_any_number(bytes);
    for (int i = 0; i < source.count; i++) {
        points[i] = fuzz_place(bytes);
        if (fuzz_choice(bytes, 2) == 0)
            continue;
        fuzz_configuration(bytes, lb_state_model(state), q);
        lb_state_update(state, q);
        points[i] = lb_state_transform(state, task->base, task->tip);
    }
    lb_status status = lb_path_create(&source, NULL, &path, &error);
    FUZZ_CHECK((status == LB_OK) == (path != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (path != NULL)
        check_path(path, source.count, bytes);
    return path;
}

/* ---- following -------------------------------------------------------------- */

static lb_follow follow_of(fuzz_bytes *bytes, lb_task task, const lb_path *path)
{
    lb_follow how = lb_follow_default(task, path, 1 + fuzz_choice(bytes, MOST_FRAMES));
    how.steps = fuzz_choice(bytes, 4) == 0 ? fuzz_choice(bytes, 3) : 0;
    how.any_start = fuzz_choice(bytes, 2) == 1;
    how.on_jump = (lb_on_jump)fuzz_choice(bytes, LB_ON_JUMP_COUNT);
    if (fuzz_choice(bytes, 4) == 0)
        how.jump = fuzz_any_number(bytes);
    if (fuzz_choice(bytes, 2) == 0)
        how.rate = fabs(fuzz_any_number(bytes));
    if (fuzz_choice(bytes, 4) == 0)
        how.deviation = fuzz_any_number(bytes);
    // closed forms need the method's own budget
    if (fuzz_choice(bytes, 2))
        how.options.iterations = ITERATIONS;
    how.options.seeds = 0;
    return how;
}

static void follow(const lb_model *model, const lb_follow *how, const double *start)
{
    double q[MOST_NQ];
    lb_follower *follower = NULL;
    lb_frame frame;
    lb_error error = {0};
    lb_status status = lb_follower_create(model, how, NULL, &follower, &error);
    FUZZ_CHECK((status == LB_OK) == (follower != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (follower == NULL)
        return;
    int frames = 0;
    lb_configuration_clamp(model, start, q);
    while (lb_follower_next(follower, q, &frame)) {
        FUZZ_CHECK(frame.index == frames++ && frames <= how->frames);
        FUZZ_CHECK(!(frame.step < 0) && !(frame.condition < 1));
        FUZZ_CHECK(frame.limited >= -1 && frame.limited < lb_model_joint_count(model));
        FUZZ_CHECK(frame.joint >= -1 && frame.joint < lb_model_joint_count(model));
        if (frame.result.outcome != LB_INVALID)
            FUZZ_CHECK(lb_configuration_validate(model, q, 1e-9, NULL) == LB_OK);
    }
    lb_follower_release(follower);
}

/* ---- timing ----------------------------------------------------------------- */

static void time_path(fuzz_bytes *bytes, const lb_model *model, const lb_follow *how,
                      const double *start)
{
    lb_timing timing = lb_timing_default(how->task, how->path);
    lb_timing_result result;
    lb_clip *clip = NULL;
    lb_error error = {0};
    timing.follow.any_start = how->any_start;
    timing.follow.options = how->options;
    timing.rate = 1 + fuzz_byte(bytes);
    double *const limits[] = {&timing.speed, &timing.acceleration, &timing.jerk,
                              &timing.angular_speed};
    for (int i = 0; i < 4; i++)
        if (fuzz_choice(bytes, 2))
            *limits[i] = fuzz_any_number(bytes);
    lb_status status = lb_timing_make(model, &timing, start, NULL, &clip, &result, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    FUZZ_CHECK((status == LB_OK && result.outcome == LB_REACHED) == (clip != NULL));
    if (clip == NULL)
        return;
    FUZZ_CHECK(result.samples == lb_clip_count(clip) && result.duration >= 0);
    FUZZ_CHECK(result.velocity <= 1 + 1e-9 && result.acceleration <= 1 + 1e-9 &&
               result.jerk <= 1 + 1e-9);
    for (int i = 0; i < lb_clip_count(clip); i++)
        FUZZ_CHECK(lb_configuration_validate(model, lb_clip_key(clip, i), 1e-9, NULL) == LB_OK);
    lb_clip_release(clip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    double start[MOST_NQ];
    lb_model *model = fuzz_model(&bytes);
    lb_state *state = NULL;
    if (model && lb_model_nq(model) <= MOST_NQ && lb_state_create(model, NULL, &state) == LB_OK) {
        lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD,
                                    (lb_task_kind)fuzz_choice(&bytes, 3));
        lb_path *path = path_of(&bytes, state, &task);
        if (path != NULL) {
            lb_follow how = follow_of(&bytes, task, path);
            fuzz_configuration(&bytes, model, start);
            follow(model, &how, start);
            if (fuzz_choice(&bytes, 8) == 0)
                time_path(&bytes, model, &how, start);
        }
        lb_path_release(path);
    }
    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
