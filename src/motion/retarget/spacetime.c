/*
 * spacetime.c - all frames of a motion as one least-squares problem (Witkin and Kass 1988, Gleicher
 * 1998).
 *
 * Frames that are solved one by one each do what their own goals ask, and jerk where these change
 * or a limit is met. Here the tasks of all frames are solved together with the squares of all
 * accelerations, |q_{t+1} - 2 q_t + q_{t-1}|^2 / (2 pi f dt)^4: a task of weight 1 follows its goal
 * up to the frequency f, and what tasks hold weakly is smoothed more.
 *
 * Each step is one of Gauss and Newton. A frame's tasks are inertias and forces on its links, as in
 * kernel/body_sweep.inl; summed up towards the root they give the dense normal matrix of the frame.
 * Between frames joints meet only themselves, and kernel/time_sweep.inl eliminates frame after
 * frame.
 *
 * Limits, speeds and heights of soles are kept by a primal-dual interior point (slack s, multiplier
 * z, z s -> mu); each slack shrinks at most tenfold in a step, by itself. Held points are kept by
 * an augmented Lagrangian whose multipliers move on with every step. After some steps only frames
 * that still move, with their neighbours, go on. Places that are missed all the same move. Links
 * that are kept apart have a slack for each pair of shapes that are near, which lasts while they
 * are.
 *
 * The frames of a result come of these rows with held points in their places; where they break a
 * limit they are solved likewise, near to where they are.
 */
#include "motion/retarget/spacetime.h"
#include "base/error.h"

#include "math/scalar.h"
#include "motion/retarget/retarget.h"

#include <limber/kinematics.h>

#include <string.h>

/* what the acceleration of the root counts; of joints 1 */
#define ROOT 10.0
/* the least damping and the most */
#define DAMPING 1e-4
#define DAMPING_MOST 3.0
/* of what a speed allows: it holds a joint back */
#define NEARLY 0.99
/* radians and metres: a frame that moves less is at rest; and that breaks nothing by more */
#define AT_REST 2e-3
#define KEPT 1e-4
/* the same of the frames of a result */
#define RESULT_AT_REST 1e-4
#define RESULT_KEPT 2e-5
/* radians and metres: what a step changes at most; one that goes back by this share of the one
   before swings */
#define LONGEST 0.4
#define SWINGS 0.2
/* of a ball's acceleration, what each of its three velocities may have */
#define BALL_SHARE 0.57
/* the barrier at first, by what it falls in each step, and in the end */
#define BARRIER 1e-4
#define BARRIER_FALL 0.03
#define BARRIER_LEAST 1e-7
/* the last frames of a window are solved once more with those that follow; steps, of which all
   frames take the first ones; neighbours that move along */
enum { OVERLAP = 24, STEPS = 40, ALL_STEPS = 3, NEIGHBOURS = 6 };
/* steps of the frames of a result; after some, feet give way in each by a share */
enum { RESULT_STEPS = 120, PATIENT = 15 };
#define GIVE 0.9
/* the largest multiplier of a held point: those that limbs reach take up to 13, others would grow
   with every step and throw the figure about; by what it grows when their places have moved */
#define PULL_MOST 30.0
#define PULL_GROWS 2.0
/* times that missed places move, and that a result is gone over; rows that bounds join to a window
 */
enum { ROUNDS = 4, BEFORE = 2 };

/* ---- columns --------------------------------------------------------------------- */

/* the limits of a ball, NULL: it has none */
static const kernel_body_ball *find_ball(const spacetime *s, int q)
{
    for (int i = 0; i < s->body->kernel.ball_count; i++)
        if (s->body->balls[i].q == q && s->body->balls[i].limited)
            return &s->body->balls[i];
    return NULL;
}

static void add_column(spacetime *s, int joint, int k)
{
    const lb_model *model = s->solver->plan->target;
    const lb_joint *j = lb_model_joint(model, joint);
    bool number = retarget_has_numbers(j->kind), root = joint == s->solver->root;
    int q = lb_model_joint_q(model, joint) + (number ? k : 0);
    double along = 1 / (s->body->length * s->body->length);
    bool along_axis = k < (j->kind == LB_JOINT_PLANAR ? 2 : 3);
    double weight = root ? ROOT * (along_axis ? along : 1)
                         : retarget_posture_weight(s->solver->plan->map, model, joint);
    if (j->kind == LB_JOINT_PRISMATIC)
        weight *= along;
    s->columns[s->n++] = (time_column){
        .joint = joint,
        .v = lb_model_joint_v(model, joint) + k,
        .q = q,
        .parent = s->carriers[lb_model_parent(model, joint + 1)],
        .number = number,
        .ball = j->kind == LB_JOINT_BALL && k == 0 ? find_ball(s, q) : NULL,
        .root = root,
        .weight = weight,
        .lower = number ? s->body->lower[q] : -INFINITY,
        .upper = number ? s->body->upper[q] : INFINITY,
        .rest = number ? s->solver->neutral[q] : 0,
        .speed = number && !s->solver->plan->options->any_speed ? j->velocity : INFINITY,
        // the three of a ball are within it together
        .bend = (number ? 1 : BALL_SHARE) * retarget_largest_bend(s->solver->plan, joint),
    };
    if (k > 0)
        s->columns[s->n - 1].parent = s->n - 2;
}

/* whether a joint moves the link of a pair */
static bool carries_pair(const spacetime *s, int joint)
{
    const lb_retarget_map *map = s->solver->plan->map;
    for (int i = 0; i < map->count; i++)
        if (retarget_is_below(s->solver->plan->target, joint + 1, map->pairs[i].target))
            return true;
    return false;
}

static void list_columns(spacetime *s)
{
    const lb_model *model = s->solver->plan->target;
    s->carriers[0] = -1;
    s->n = 0, s->coupled = false;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        int first = s->n;
        s->coupled = s->coupled || (joint->mimic != NULL && carries_pair(s, j));
        for (int k = 0; k < retarget_joint_moves(s->solver, j); k++)
            add_column(s, j, k);
        s->carriers[j + 1] = s->n > first ? s->n - 1 : s->carriers[lb_model_parent(model, j + 1)];
    }
}

/* links of tasks that carry no other such link */
static void list_tips(spacetime *s)
{
    unsigned char has[KERNEL_SWEEP_MOST] = {0};
    for (int t = 0; t < s->tasks; t++)
        for (int end = 0; end < 2; end++) {
            int link = end ? s->body->tasks[t].base : s->body->tasks[t].link;
            if (link >= 0 && s->carriers[link] >= 0)
                has[s->carriers[link]] = 1;
        }
    bool carries[KERNEL_SWEEP_MOST] = {0};
    for (int c = s->n - 1; c >= 0; c--) {
        if (has[c] && !carries[c])
            for (int link = 0; link < lb_model_link_count(s->solver->plan->target); link++)
                if (s->carriers[link] == c) {
                    s->tips[s->tip_count++] = link;
                    break;
                }
        if (s->columns[c].parent >= 0 && (has[c] || carries[c]))
            carries[s->columns[c].parent] = true;
    }
}

/* ---- memory ---------------------------------------------------------------------- */

static double *cut(double **from, size_t count)
{
    double *here = *from;
    *from += count;
    return here;
}

static void carve(spacetime *s, double *from)
{
    size_t n = (size_t)s->n, padded = (size_t)s->padded, tasks = (size_t)s->tasks;
    for (time_frame *f = s->frames - BEFORE; f < s->frames + SPACETIME_WINDOW; f++) {
        f->panel = cut(&from, padded * (size_t)kernel_sweep_row(s->padded));
        f->inverses = cut(&from, n);
        f->x = cut(&from, padded);
        f->last = cut(&from, n);
        f->own = cut(&from, n);
        f->next = cut(&from, n);
        f->after = cut(&from, n);
        f->force = cut(&from, n);
        f->limits = (time_slack *)cut(&from, 4 * n);
        f->speeds = (time_slack *)cut(&from, 4 * n);
        f->bends = (time_slack *)cut(&from, 4 * n);
        f->heights = (time_slack *)cut(&from, 2 * tasks);
        f->pulls = (lb_vec3 *)cut(&from, 3 * tasks);
        f->targets = (lb_transform *)cut(&from, 12 * tasks);
        f->weights = cut(&from, tasks);
    }
}

static lb_status create(spacetime *s, lb_error *error)
{
    const lb_allocator *memory = &s->solver->plan->memory;
    const lb_model *model = s->solver->plan->target;
    size_t n = (size_t)s->n, padded = (size_t)s->padded, tasks = (size_t)s->tasks;
    size_t panel = padded * (size_t)kernel_sweep_row(s->padded);
    size_t carried = padded * (size_t)kernel_sweep_carried_row(s->padded);
    size_t frames = BEFORE + SPACETIME_WINDOW;
    time_frame *first = memory_take(memory, frames, sizeof *first);
    double *arrays =
        memory_take(memory, frames * (panel + 18 * n + padded + 18 * tasks), sizeof *arrays);
    s->carried = memory_take(memory, carried, sizeof(double));
    s->changes = memory_take(memory, SPACETIME_WINDOW + 4, n * sizeof(double));
    s->jacobian = memory_take(memory, 6 * (size_t)lb_model_nv(model), sizeof(double));
    s->change = memory_take(memory, (size_t)lb_model_nv(model), sizeof(double));
    s->zeros = memory_take(memory, padded, sizeof(double));
    s->active = memory_take(memory, SPACETIME_WINDOW, 1 + tasks);
    s->jumps = memory_take(memory, (size_t)s->last + 1, 1);
    if (memory_pool_failed(memory))
        return error_out_of_memory(error);
    s->frames = first + BEFORE;
    carve(s, arrays);
    for (int i = 0; i < SPACETIME_WINDOW; i++)
        s->frames[i].kinds = s->active + SPACETIME_WINDOW + (size_t)i * tasks;
    return LB_OK;
}

/* ---- goals of a window -------------------------------------------------------------- */

/* what a task is, by the goals of a frame */
static unsigned char task_kind(const spacetime *s, int t)
{
    const retarget_task *task = &s->solver->tasks[t];
    if (task->held < 0)
        return TASK_PULLS;
    const retarget_goal *goal = &s->solver->goals[task->pair];
    bool held = goal->hold[task->held] > RETARGET_NEARLY_HELD;
    if (task->kind == LB_BODY_ON_PLANE)
        return held && s->kept == NULL ? TASK_NONE : TASK_ABOVE;
    return held ? TASK_HOLDS : TASK_PULLS;
}

static void measure_window(spacetime *s)
{
    int end = s->first + s->count;
    spacetime_measure(s, s->first > 1 ? s->first - 2 : 0, end < s->last ? end : s->last);
}

/* where rows jump, they go over calmly with those around them */
static void find_jumps(spacetime *s)
{
    double calm = RETARGET_CALM * s->step;
    for (int row = 0; row < s->last; row++) {
        double most = retarget_grid_jump(s->grid, row);
        int reach = most > 0 ? (int)ceil(0.5 * most / calm) + 1 : -1;
        for (int i = row > reach ? row - reach : 0; i <= row + reach && i < s->last; i++)
            s->jumps[i] = 1;
    }
}

static void load(spacetime *s)
{
    retarget_plan *plan = s->solver->plan;
    const lb_transform *at = lb_state_transforms(s->solver->state);
    double along = 1 / (s->body->length * s->body->length);
    for (int i = 1; i <= BEFORE; i++)
        s->frames[-i].known = true, s->frames[-i].calm = INFINITY;
    for (int i = 0; i < s->count; i++) {
        time_frame *f = &s->frames[i];
        int step = s->first + i, ahead = s->count - i;
        if (i % RETARGET_AHEAD == 0)
            retarget_look_ahead(plan, &s->times[step],
                                ahead < RETARGET_AHEAD ? ahead : RETARGET_AHEAD);
        retarget_aim(s->solver, s->times[step]);
        if (s->kept != NULL)
            lb_state_update(s->solver->state, spacetime_row(s, step));
        memset(f->pulls, 0, (size_t)s->tasks * sizeof *f->pulls);
        f->known = false;
        f->pair_count = 0;
        bool calm = s->kept == NULL && step < s->last;
        f->calm = calm ? retarget_calm_change(plan, step, false, s->grid->source) : INFINITY;
        f->calm = calm && s->jumps[step] ? RETARGET_CALM * s->step : f->calm;
        f->moved = f->broken = 0;
        f->near = s->kept != NULL ? spacetime_shortfall(s, spacetime_row(s, step)) : 0;
        f->firm = 1;
        f->damping = DAMPING;
        f->swings = false;
        memset(f->last, 0, (size_t)s->n * sizeof *f->last);
        memset(f->limits, 0, 2 * (size_t)s->n * sizeof *f->limits);
        for (int t = 0; t < s->tasks; t++) {
            retarget_task_target(s->solver, s->solver->goals, t, &f->targets[t]);
            f->weights[t] = retarget_task_weight(s->solver, s->solver->goals, RETARGET_NEAR, t);
            f->kinds[t] = task_kind(s, t);
            if (s->body->tasks[t].kind == LB_BODY_POSITION)
                f->weights[t] *= along;
            if (f->kinds[t] == TASK_ABOVE)
                f->targets[t].p =
                    lb_vec3_scale(f->targets[t].z, plan->ground.height * f->targets[t].z.z);
            // what is held stays where it is, also where an edge of its sole has lifted it
            if (f->kinds[t] == TASK_HOLDS && s->kept != NULL)
                f->targets[t].p =
                    lb_transform_point(&at[s->body->tasks[t].link], s->body->tasks[t].tool.p);
        }
    }
}

/* ---- a step ------------------------------------------------------------------------------- */

static void move(spacetime *s, int step)
{
    const lb_model *model = s->solver->plan->target;
    time_frame *f = &s->frames[step - s->first];
    double back = 0, square = 0;
    f->moved = 0;
    for (int c = 0; c < s->n; c++) {
        f->moved = scalar_max(f->moved, fabs(f->x[c]));
        back += f->x[c] * f->last[c];
        square += f->last[c] * f->last[c];
        f->last[c] = f->x[c];
    }
    bool swings = back < -SWINGS * square && f->known && f->moved > AT_REST;
    f->swings = f->swings || swings;
    if (swings)
        f->damping = scalar_min(DAMPING_MOST, 4 * f->damping + 3e-3);
    else
        f->damping = scalar_max(DAMPING, 0.3 * f->damping);
    double share = f->moved > LONGEST ? LONGEST / f->moved : 1;
    memset(s->change, 0, (size_t)lb_model_nv(model) * sizeof *s->change);
    for (int c = 0; c < s->n; c++)
        s->change[s->columns[c].v] = share * f->x[c];
    lb_configuration_integrate(model, spacetime_row(s, step), s->change, spacetime_row(s, step));
    f->known = true;
}

static void take_step(spacetime *s, time_span span)
{
    size_t padded = (size_t)s->padded, row = (size_t)kernel_sweep_row(s->padded);
    size_t carried = padded * (size_t)kernel_sweep_carried_row(s->padded);
    spacetime_between(s, span);
    memset(s->frames[span.a - s->first].panel, 0, padded * row * sizeof(double));
    memset(s->carried, 0, carried * sizeof(double));
    for (int step = span.a; step < span.b; step++) {
        time_frame *f = &s->frames[step - s->first];
        spacetime_assemble(s, step);
        s->ops->eliminate(s->n, f->panel, f->inverses, s->carried,
                          step + 1 < span.b ? f[1].panel : NULL);
    }
    for (int step = span.b - 1; step >= span.a; step--) {
        time_frame *f = &s->frames[step - s->first];
        s->ops->back(s->n, f->panel, f->inverses, step + 1 < span.b ? f[1].x : s->zeros,
                     step + 2 < span.b ? f[2].x : s->zeros, f->x);
    }
    for (int step = span.a; step < span.b; step++)
        move(s, step);
}

/* whether a ball is beyond its twist or swing, but for what a step leaves at most */
static bool is_turned_beyond(const kernel_body_ball *ball, const double *q)
{
    const kernel_variable *limits = &ball->limits;
    const double room = 1e-7;
    double twist, swing;
    kernel_ball_angles(limits, q, &twist, &swing);
    return swing > limits->swing + room || twist > limits->upper + room ||
           twist < limits->lower - room;
}

/* whether a row of a result is beyond limits of place, speed or acceleration */
static bool breaks_limits(const spacetime *s, int row)
{
    const double *q = spacetime_row(s, row);
    for (int c = 0; c < s->n; c++) {
        const time_column *column = &s->columns[c];
        if (column->number && (q[column->q] < column->lower || q[column->q] > column->upper))
            return true;
        if (column->ball != NULL && is_turned_beyond(column->ball, q + column->q))
            return true;
    }
    return SPACETIME_RESULT * spacetime_excess(s, row) > 1;
}

/* a frame and its neighbours go on; `give`: what holds their feet gives way */
static void activate(spacetime *s, int frame, bool give)
{
    for (int k = frame - NEIGHBOURS; k <= frame + NEIGHBOURS; k++) {
        if (k < 0 || k >= s->count)
            continue;
        s->active[k] = 1;
        s->frames[k].firm *= give ? GIVE : 1;
    }
}

/* frames that still move or break something, and their neighbours; whether there are any. Feet give
   way where limits of joints cannot be kept otherwise */
static bool find_active(spacetime *s, int step)
{
    bool any = false, result = s->kept != NULL;
    double moved = result ? RESULT_AT_REST : AT_REST, broken = result ? RESULT_KEPT : KEPT;
    memset(s->active, 0, SPACETIME_WINDOW);
    if (result)
        measure_window(s);
    for (int i = 0; i < s->count; i++) {
        const time_frame *f = &s->frames[i];
        int row = s->first + i;
        bool inner = i + 1 < s->count || row == s->last;
        bool breaks = result && ((inner && breaks_limits(s, row)) ||
                                 (i == 0 && row > 0 && breaks_limits(s, row - 1)));
        // one that is not finite is not taken up again: is_finite() refuses it
        bool near = s->parts && f->near > 0 && step < STEPS;
        if (!(f->moved > moved || f->broken > broken || breaks || near))
            continue;
        any = true;
        activate(s, i, breaks && step > PATIENT && !s->parts);
    }
    return any;
}

static void solve_window(spacetime *s)
{
    bool result = s->kept != NULL;
    s->barrier = BARRIER;
    memset(s->active, 1, (size_t)s->count);
    for (int i = 0; i < (result ? RESULT_STEPS : STEPS); i++) {
        if ((i >= ALL_STEPS || result) && !find_active(s, i))
            break;
        for (int from = 0; from < s->count; from++) {
            int to = from;
            while (to < s->count && s->active[to])
                to++;
            if (to > from)
                take_step(s, (time_span){s->first + from, s->first + to});
            from = to;
        }
        s->barrier = scalar_max(BARRIER_LEAST, BARRIER_FALL * s->barrier);
    }
}

/* ---- all of it ------------------------------------------------------------------------- */

static bool is_finite(const spacetime *s, int first, int count)
{
    const double *q = spacetime_row(s, first);
    for (size_t i = 0; i < (size_t)count * (size_t)lb_model_nq(s->solver->plan->target); i++)
        if (!isfinite(q[i]))
            return false;
    return true;
}

static bool is_wrong(const spacetime *s, int row)
{
    return breaks_limits(s, row) || (s->parts && spacetime_shortfall(s, spacetime_row(s, row)) > 0);
}

/* whether rows of the window are within what they use of speeds and accelerations, or those of a
   result within their limits */
static bool is_within(spacetime *s)
{
    measure_window(s);
    for (int row = s->first; row < s->first + s->count; row++)
        if (s->kept != NULL ? is_wrong(s, row) : spacetime_excess(s, row) > 1)
            return false;
    return true;
}

/* goes over windows that overlap; false: `solve` has ended it */
static bool over_windows(spacetime *s, bool (*solve)(spacetime *s))
{
    for (s->first = 0; s->first <= s->last; s->first += SPACETIME_WINDOW - OVERLAP) {
        bool last = s->last - s->first < SPACETIME_WINDOW;
        s->count = last ? s->last + 1 - s->first : SPACETIME_WINDOW;
        if (!solve(s))
            return false;
        if (last)
            break;
    }
    return true;
}

static bool solve(spacetime *s)
{
    if (s->kept != NULL && is_within(s))
        return true;
    load(s);
    solve_window(s);
    if (!is_finite(s, s->first, s->count))
        return false;
    measure_window(s);
    for (int i = 0; i + 1 < s->count; i++) {
        int row = s->first + i;
        if (s->kept != NULL)
            s->changed[row] |= s->frames[i].known;
        else if (s->limited)
            s->grid->slow[row] = spacetime_excess(s, row) > NEARLY;
    }
    return true;
}

/* all of it without limits of speed and acceleration, then within them where that is too fast */
static lb_status solve_twice(spacetime *s, bool *done, lb_retarget_report *report, lb_error *error)
{
    retarget_plan *plan = s->solver->plan;
    find_jumps(s);
    *done = over_windows(s, solve);
    lb_status status =
        retarget_limit_speeds(plan, s->times, s->rows, s->last + 1, NULL, report, error);
    s->limited = true;
    if (status == LB_OK && *done && !over_windows(s, is_within))
        *done = over_windows(s, solve);
    for (int i = 0; i < ROUNDS && *done && retarget_move_missed(s->grid, report); i++) {
        s->pull *= PULL_GROWS;
        *done = over_windows(s, solve);
    }
    return status;
}

/* the solver's tasks, over other rows */
static void set_rows(spacetime *s, double *rows, const double *times, int count)
{
    s->rows = rows, s->times = times, s->last = count - 1;
    s->body = s->solver->bodies[RETARGET_NEAR];
    s->tasks = s->solver->count;
    s->step = s->kept == NULL ? s->solver->plan->step : (times[s->last] - times[0]) / s->last;
    double speed = 2 * LB_PI * s->solver->plan->options->smooth * s->step;
    s->acceleration = 1 / (speed * speed * speed * speed);
}

/* columns, tips and memory */
static lb_status prepare(spacetime *s, lb_error *error)
{
    const retarget_plan *plan = s->solver->plan;
    size_t links = (size_t)lb_model_link_count(plan->target);
    s->pull = PULL_MOST, s->parts = plan->options->collision != NULL;
    s->carriers = memory_take(&plan->memory, links, sizeof *s->carriers);
    s->tips = memory_take(&plan->memory, links, sizeof *s->tips);
    if (memory_pool_failed(&plan->memory))
        return error_out_of_memory(error);
    list_columns(s);
    spacetime_rest(s);
    s->padded = kernel_sweep_padded(s->n);
    list_tips(s);
    return create(s, error);
}

lb_status retarget_smooth(retarget_grid *grid, spacetime **made, lb_retarget_report *report,
                          lb_error *error)
{
    const retarget_plan *plan = grid->solver->plan;
    size_t rows = (size_t)grid->steps + 1, numbers = rows * grid->nq;
    spacetime *s = memory_take(&plan->memory, 1, sizeof *s);
    double *kept = memory_take(&plan->memory, numbers, sizeof *kept);
    double *times = memory_take(&plan->memory, rows, sizeof *times);
    bool done = false;
    if (memory_pool_failed(&plan->memory))
        return error_out_of_memory(error);
    for (int i = 0; i <= grid->steps; i++)
        times[i] = retarget_grid_time(plan, i);
    *s = (spacetime){.grid = grid, .solver = grid->solver, .ops = kernel_choose_sweep(0)};
    set_rows(s, grid->q, times, (int)rows);
    memcpy(kept, grid->q, numbers * sizeof *kept);
    lb_status status = prepare(s, error);
    if (status == LB_OK)
        status = solve_twice(s, &done, report, error);
    *made = done ? s : NULL;
    if (!done)
        memcpy(grid->q, kept, numbers * sizeof *kept);

    retarget_grid_measure(grid, 0, grid->steps);
    return status;
}

lb_status retarget_keep_limits(spacetime *s, const double *times, double *rows, int count,
                               unsigned char *changed, lb_error *error)
{
    const lb_allocator *memory = &s->solver->plan->memory;
    size_t numbers = (size_t)count * (size_t)lb_model_nq(s->solver->plan->target);
    double *kept = memory_take(memory, numbers, sizeof *kept);
    bool done = true;
    TRY(require_memory(error, kept));
    memcpy(kept, rows, numbers * sizeof *kept);
    s->kept = kept, s->changed = changed, s->limited = true, s->pull = PULL_MOST;
    s->parts = s->solver->plan->options->collision != NULL;
    set_rows(s, rows, times, count);
    list_columns(s);
    for (int i = 0; i < ROUNDS && done && !over_windows(s, is_within); i++) {
        done = over_windows(s, solve);
        s->parts = false;
    }
    if (!done)
        memcpy(rows, kept, numbers * sizeof *kept);
    return LB_OK;
}
