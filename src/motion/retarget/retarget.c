/*
 * retarget.c - a clip of one figure as a clip of another.
 *
 * Frames on the grid of the plan are solved in order, each from where the two before it lead;
 * others from their neighbours on the grid. Then speeds are limited.
 */
#include "motion/retarget/retarget.h"

#include "base/error.h"
#include "collision/layout.h"
#include "motion/clip.h"
#include "motion/contacts.h"
#include "motion/retarget/spacetime.h"

#include <string.h>

lb_retarget_options lb_retarget_options_default(void)
{
    return (lb_retarget_options){
        .detect = lb_contact_options_default(), .smooth = 8, .blend = 0.15};
}

/* ---- checking --------------------------------------------------------------- */

lb_status retarget_check_options(const lb_retarget_options *o, lb_error *error)
{
    const char *wrong = ground_wrong(o->ground, o->ground_normal);
    if (wrong == NULL)
        wrong = ground_wrong(o->detect.ground, o->detect.ground_normal);
    if (wrong != NULL)
        return REFUSE_VALUE(error, "%s", wrong);
    const struct {
        double value;
        const char *name;
    } numbers[] = {{o->scale, "the scale"},
                   {o->root_scale, "the root's scale"},
                   {o->rate, "the rate"},
                   {o->smooth, "smooth"},
                   {o->acceleration, "acceleration"},
                   {o->distance, "the distance"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i].value >= 0) || !isfinite(numbers[i].value))
            return REFUSE_VALUE(error, "%s must be finite and not negative", numbers[i].name);
    if (!(o->blend > 0) || !isfinite(o->blend))
        wrong = "blend must be positive and finite";
    return wrong ? REFUSE_VALUE(error, "%s", wrong) : LB_OK;
}

static bool is_link(const lb_model *model, int link)
{
    return link >= 0 && link < lb_model_link_count(model);
}

static const char *check_pair(const lb_retarget_pair *p, const lb_model *source,
                              const lb_model *target)
{
    if (!is_link(source, p->source) || !is_link(target, p->target))
        return "its links are not those of the models";
    if (!(p->position >= 0) || !(p->orientation >= 0) || !(p->direction >= 0) ||
        !isfinite(p->position + p->orientation + p->direction))
        return "weights must be finite and not negative";
    if (p->held_count < 0 || p->held_count > LB_RETARGET_HELD)
        return "it holds more points than there may be";
    for (int i = 0; i < p->held_count; i++)
        if (!is_link(source, p->held[i].source))
            return "a held point is of no link of the source";
    for (int i = 0; i < p->held_count; i++)
        if (p->held[i].any_height && (p->held_count > 1 || p->held[i].source != p->source))
            return "a point that is held at any height must be the pair's only one, and of its "
                   "source";
    for (int i = 0; i < p->held_count; i++)
        if (!(p->held[i].size >= 0) || !isfinite(p->held[i].size))
            return "sizes must be finite and not negative";
    return NULL;
}

lb_status retarget_check_map(const lb_retarget_map *map, const lb_model *source,
                             const lb_model *target, lb_error *error)
{
    if (map->count < 1 || map->count > LB_RETARGET_PAIRS)
        return REFUSE_VALUE(error, "a map has 1 to %d pairs", LB_RETARGET_PAIRS);
    for (int i = 0; i < map->count; i++) {
        const char *wrong = check_pair(&map->pairs[i], source, target);
        if (wrong != NULL)
            return REFUSE_VALUE(error, "pair %d of the map: %s", i, wrong);
    }
    return LB_OK;
}

/* ---- frames ------------------------------------------------------------------- */

/* One run. */
typedef struct retarget_run {
    retarget_plan plan;
    retarget_solver solver;
    retarget_block block;
    lb_retarget_map map;
    retarget_grid grid;
    lb_allocator allocator; /* of what comes of it */
    lb_clip *made;
    double *times; /* its frames */
    double *keys;  /* frames x nq */
    int frames;
    size_t nq;
    spacetime *whole;      /* the grid was solved as one problem; NULL: it was not */
    unsigned char *slowed; /* of each frame: whether a speed limit holds a joint back */
    lb_retarget_report report;
} retarget_run;

/* Where a frame is on the grid: so far on the way from a step to the next. */
typedef struct frame_place {
    int step;
    double share, time;
} frame_place;

static frame_place place_frame(const retarget_run *run, int frame)
{
    const retarget_plan *plan = &run->plan;
    double place = (run->times[frame] - plan->begin) / plan->step;
    int step = (int)fmin(floor(place), plan->steps);
    double share = place - step;
    if (step < plan->steps && share > 1 - RETARGET_SAME_TIME)
        step++, share = 0;
    if (share <= RETARGET_SAME_TIME || step == plan->steps)
        share = 0;
    return (frame_place){step, share,
                         share > 0 ? run->times[frame] : retarget_grid_time(plan, step)};
}

/* the next frames' times */
static void look_ahead(retarget_run *run, int frame)
{
    double times[RETARGET_AHEAD];
    int count = 0;
    for (; count < RETARGET_AHEAD && frame + count < run->frames; count++)
        times[count] = place_frame(run, frame + count).time;
    retarget_look_ahead(&run->plan, times, count);
}

/* a frame's start, from its neighbours on the grid */
static void start_frame(retarget_run *run, int frame)
{
    frame_place at = place_frame(run, frame);
    double *q = &run->keys[(size_t)frame * run->nq];
    retarget_grid_between(&run->grid, at.step, at.share,
                          retarget_block_add(&run->block, at.time, q));
}

static void solve_frames(retarget_run *run)
{
    for (int i = 0; i < run->frames; i++) {
        if (i % RETARGET_AHEAD == 0)
            look_ahead(run, i);
        start_frame(run, i);
        if (run->block.count < run->block.capacity && i + 1 < run->frames)
            continue;
        retarget_block_hold(&run->block, i + 1 == run->frames);
    }
}

/* the result, with its times */
static lb_status make_result(retarget_run *run, lb_error *error)
{
    const lb_clip *source = run->plan.source;
    double rate = clip_own_rate(source, run->plan.options->rate);
    double gaps = floor((lb_clip_end(source) - lb_clip_begin(source)) * rate + 1e-9);
    if (!(gaps < LB_CLIP_KEYS_MAX))
        return REFUSE_VALUE(error, "a rate of %g makes too many frames, more than %d", rate,
                            LB_CLIP_KEYS_MAX);
    run->frames = rate > 0 ? (int)gaps + 1 : lb_clip_count(source);
    run->made =
        clip_allocate(run->plan.target, run->frames, LB_INTERPOLATION_LINEAR, &run->allocator);
    run->slowed = memory_take(&run->plan.memory, (size_t)run->frames, 1);
    TRY(require_memory(error, run->made && run->slowed));
    run->nq = (size_t)lb_model_nq(run->plan.target);
    run->times = run->made->times;
    run->keys = run->made->keys;
    for (int i = 0; i < run->frames; i++)
        run->times[i] = rate > 0 ? fmin(lb_clip_begin(source) + i / rate, lb_clip_end(source))
                                 : lb_clip_times(source)[i];
    return LB_OK;
}

/* ---- contacts of the target ------------------------------------------------------- */

static lb_status add_phases(const foot_plan *foot, int points, lb_contacts *contacts,
                            lb_error *error)
{
    for (const foot_phase *p = foot->phases; p < foot->phases + foot->phase_count; p++)
        for (int k = 0; k < points; k++)
            if (p->held >> k & 1)
                TRY(lb_contacts_add(contacts, foot->points[k], p->begin, p->end, error));
    return LB_OK;
}

/* when the target's points were held, over its links */
static lb_status take_contacts(const retarget_plan *plan, const lb_allocator *allocator,
                               lb_contacts **contacts, lb_error *error)
{
    lb_contact_point points[LB_RETARGET_PAIRS * LB_RETARGET_HELD];
    int count = 0;
    for (int i = 0; i < plan->foot_count; i++) {
        const lb_retarget_pair *pair = &plan->map->pairs[plan->feet[i].pair];
        for (int k = 0; k < pair->held_count; k++)
            points[count++] = (lb_contact_point){.link = pair->target,
                                                 .at = pair->held[k].at,
                                                 .any_height = pair->held[k].any_height};
    }
    *contacts = NULL;
    if (count == 0)
        return LB_OK;
    lb_status status = lb_contacts_create(points, count, allocator, contacts, error);
    for (int i = 0; i < plan->foot_count && status == LB_OK; i++) {
        const foot_plan *foot = &plan->feet[i];
        status = add_phases(foot, plan->map->pairs[foot->pair].held_count, *contacts, error);
    }
    return contacts_keep(status, contacts);
}

/* how far feet are from where they are to be; known but for frames that speed limits have changed
 */
static void measure_feet(retarget_run *run)
{
    retarget_feet worst = run->block.worst;
    if (run->report.slowed > 0)
        worst = (retarget_feet){0, 0};
    for (int i = 0; run->report.slowed > 0 && i < run->frames; i++) {
        retarget_aim(&run->solver, run->times[i]);
        retarget_feet feet =
            retarget_measure_feet(&run->solver, run->solver.goals, &run->keys[(size_t)i * run->nq]);
        worst.off = fmax(worst.off, feet.off);
        worst.below = fmax(worst.below, feet.below);
    }
    run->report.worst_slide = worst.off;
    run->report.worst_penetration = worst.below;
}

/* how much pairs of links lack of the distance that they are to keep; measured as in tasks, so that
   modules without collisions do not link them */
static void measure_near(retarget_run *run)
{
    const lb_retarget_options *o = run->plan.options;
    for (int i = 0; o->collision != NULL && i < run->frames; i++) {
        const double *q = &run->keys[(size_t)i * run->nq];
        lb_proximity nearest;
        double least = o->collision->measure_least(o->collision, q, &nearest);
        run->report.near += least < o->distance - RETARGET_NEAR_ENOUGH;
        run->report.worst_near = fmax(run->report.worst_near, o->distance - least);
    }
}

static void fill_report(retarget_run *run)
{
    lb_retarget_report *report = &run->report;
    report->scale = run->plan.scale;
    report->smoothed = run->whole != NULL;
    report->root_scale = run->plan.root_scale;
    report->frames = run->frames;
    report->solved = run->grid.steps + 1;
    report->iterations += run->solver.iterations;
    report->touches = run->plan.touch_count;
    report->source_normal = run->plan.source_ground.normal;
    report->unseen_slope = run->plan.unseen_slope;
    report->ground_normal = run->plan.ground.normal;
    for (int i = 0; i < run->plan.foot_count; i++) {
        const foot_plan *foot = &run->plan.feet[i];
        bool palm = retarget_is_palm(&run->plan.map->pairs[foot->pair]);
        if (!run->plan.options->unlocked)
            *(palm ? &report->hands_held : &report->held) += foot->chain_count;
        // heel, then toe are one contact, which may have been moved for each of them
        for (int c = 0; c < foot->chain_count; c++)
            report->moved += foot->chains[c].moved;
    }
}

/* ---- all of it -------------------------------------------------------------------- */

lb_status retarget_take_map(const lb_retarget_options *o, const lb_model *source,
                            const lb_model *target, const lb_allocator *memory,
                            lb_retarget_map *map, lb_error *error)
{
    if (o->map == NULL) {
        TRY(lb_retarget_map_find(source, o->rest, target, memory, map, error));
    } else {
        *map = *o->map;
    }
    if (o->root_scale > 0)
        map->root_scale = o->root_scale;
    if (o->scale > 0)
        map->scale = o->scale;
    else if (o->root_scale > 0 && o->map == NULL)
        map->scale = o->root_scale;
    TRY(retarget_check_map(map, source, target, error));
    return retarget_align(source, o->rest, target, memory, map, error);
}

lb_status retarget_prepare(retarget_plan *plan, retarget_solver *solver, lb_error *error)
{
    const lb_collision *collision = plan->options->collision;
    if (collision != NULL && collision->model != plan->target)
        return REFUSE_ARGUMENT(error, "collision is of another model");
    TRY(retarget_take_map(plan->options, lb_clip_model(plan->source), plan->target, &plan->memory,
                          plan->map, error));
    plan->scale = plan->map->scale;
    plan->root_scale = plan->map->root_scale;
    TRY(retarget_plan_create(plan, error));
    return retarget_solver_create(plan, RETARGET_POSTURE, solver, error);
}

/* all rows of the grid together; frames in between then stay near to these but for held points */
static lb_status smooth(retarget_run *run, lb_error *error)
{
    if (!run->solver.whole)
        return LB_OK;
    TRY(retarget_smooth(&run->grid, &run->whole, &run->report, error));
    return run->whole != NULL ? retarget_solver_stiffen(&run->solver, error) : LB_OK;
}

static lb_status perform(retarget_run *run, lb_error *error)
{
    TRY(retarget_prepare(&run->plan, &run->solver, error));
    TRY(retarget_block_create(&run->solver, &run->block, error));
    TRY(make_result(run, error));
    TRY(retarget_grid_create(&run->solver, &run->block, &run->grid, error));
    TRY(retarget_grid_solve(&run->grid, error));
    TRY(retarget_give_way(&run->grid, &run->report, error));
    retarget_grid_move_jumps(&run->grid);
    TRY(smooth(run, error));
    solve_frames(run);
    if (run->solver.beyond)
        return REFUSE_VALUE(error,
                            "a target is more than 1e15 m away: see the scales, the ground, the "
                            "map's points and offsets, and the places of the source");
    // loops are closed by frames for themselves
    bool whole =
        run->whole != NULL && lb_model_loop_count(run->plan.target) == 0 && run->frames > 2;
    if (!run->plan.options->any_speed)
        TRY(retarget_limit_speeds(&run->plan, run->times, run->keys, run->frames,
                                  whole ? NULL : run->slowed, &run->report, error));
    if (whole)
        TRY(retarget_keep_limits(run->whole, run->times, run->keys, run->frames, run->slowed,
                                 error));
    TRY(retarget_measure_bends(&run->plan, run->times, run->keys, run->frames, &run->report,
                               error));
    for (int i = 0; i < run->frames; i++)
        run->report.slowed += run->slowed[i] || run->grid.slow[place_frame(run, i).step];
    return LB_OK;
}

lb_status lb_retarget(const lb_clip *source, const lb_model *target,
                      const lb_retarget_options *options, const lb_allocator *allocator,
                      lb_clip **out, lb_contacts **contacts, lb_retarget_report *report,
                      lb_error *error)
{
    lb_retarget_options o = options != NULL ? *options : lb_retarget_options_default();
    TRY(REQUIRE_TO_MAKE(out, error, {source, "source"}, {target, "target"}));
    TRY(retarget_check_options(&o, error));
    MEMORY_POOL(memory, allocator);
    retarget_run *run = memory_take(&memory, 1, sizeof *run);
    TRY(require_memory(error, run));
    run->allocator = memory_allocator(allocator);
    run->plan = (retarget_plan){
        .memory = memory, .source = source, .target = target, .options = &o, .map = &run->map};
    run->plan.source_ground = ground_make(0, o.detect.ground_normal);
    lb_status status = retarget_take_rest(source, o.map, &memory, &o.rest, error);
    if (status == LB_OK)
        status = perform(run, error);
    if (status == LB_OK) {
        measure_feet(run);
        measure_near(run);
        status = clip_complete(run->made, error);
    }
    if (status == LB_OK && contacts != NULL)
        status = take_contacts(&run->plan, allocator, contacts, error);
    fill_report(run);
    if (status == LB_OK && report != NULL)
        *report = run->report;
    if (status == LB_OK)
        *out = run->made;
    else
        lb_clip_release(run->made);
    return status;
}
