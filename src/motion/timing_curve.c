/*
 * timing_curve.c - the joints' motion along a part of a path as a smooth curve.
 */
#include "motion/timing.h"

#include "base/memory.h"
#include "math/scalar.h"

#include <string.h>

/* knots of a curve at first, and at most: their errors fall with the fourth power */
enum { KNOTS = 257, KNOTS_MOST = 4097 };
/* what a curve may be off the path, metres and radians: a tenth of what is promised */
#define NEAR 1e-7
/* a frame nearer to a part's end than this share of the distance of two is no knot of the guess */
#define APART 0.3

/* ---- rows ------------------------------------------------------------------- */

static void set_row(timing_source *source, const double *values)
{
    for (int i = 0; i < source->columns - TIMING_TOOL; i++)
        source->row[source->moving[i]] = values[i];
}

static void get_row(const timing_source *source, const double *q, double *values)
{
    for (int i = 0; i < source->columns - TIMING_TOOL; i++)
        values[i] = q[source->moving[i]];
}

void timing_curve_at(const timing_curve *c, timing_source *source, double x)
{
    spline_at(&c->spline, x, source->value, NULL, NULL, NULL);
    set_row(source, source->value);
}

lb_vec3 timing_turn(timing_source *source, lb_transform *before)
{
    lb_state_update(source->state, source->row);
    lb_transform now = lb_state_transform(source->state, source->task.base, source->task.tip);
    lb_quat from = lb_quat_conjugate(lb_transform_quat(before)), to = lb_transform_quat(&now);
    *before = now;
    return lb_quat_log(lb_quat_multiply(to, from));
}

/* brings source->row to where the path is at a share; keeps it in values, with the tool's place,
   and no turn */
static void solve_row(timing_source *source, double share, double *values)
{
    lb_ik_result result;
    lb_transform target = lb_path_at(source->path, share);
    // whether it is near enough is seen between the knots
    lb_ik_solve(source->ik, &target, source->row, source->row, &result);
    get_row(source, source->row, values);
    memcpy(values + source->columns - TIMING_TOOL,
           (double[]){target.p.x, target.p.y, target.p.z, 0, 0, 0}, TIMING_TOOL * sizeof *values);
}

/* ---- splines ---------------------------------------------------------------- */

/* its arrays, in one from x on, with a number for each knot behind them, which is returned; NULL:
   no memory */
static double *take_spline(spline *s, const lb_allocator *memory)
{
    size_t knots = (size_t)s->knots, columns = (size_t)s->columns;
    s->x = memory_take(memory, knots, (2 + 2 * columns) * sizeof(double));
    if (s->x == NULL)
        return NULL;
    s->values = s->x + knots;
    s->slopes = s->values + knots * columns;
    return s->slopes + knots * columns;
}

/* the frame at or before a share */
static int frame_before(const timing_source *source, double share)
{
    int frame = (int)(share * (source->frames - 1));
    return frame < 0 ? 0 : frame > source->frames - 1 ? source->frames - 1 : frame;
}

/* a knot of the guess, solved from the frame nearest to it */
static void add_knot(timing_source *source, spline *guess, const timing_curve *c, double share)
{
    int frame = frame_before(source, share + 0.5 / source->frames);
    memcpy(source->row, source->q + (size_t)frame * (size_t)source->nq,
           sizeof(double) * (size_t)source->nq);
    guess->x[guess->knots] = (share - c->begin) / (c->end - c->begin);
    solve_row(source, share, guess->values + (size_t)guess->knots * (size_t)guess->columns);
    guess->knots++;
}

/* the curve through the part's ends and the frames in it, and through more where these are few */
static void make_guess(timing_source *source, const timing_curve *c, spline *guess, double *work)
{
    double width = c->end - c->begin, step = 1.0 / (source->frames - 1);
    int inside = (int)(width / step), few = 2 * SPLINE_KNOTS_MIN;
    guess->knots = 0;
    if (inside < few) {
        for (int i = 0; i <= few; i++)
            add_knot(source, guess, c, c->begin + width * i / few);
    } else {
        add_knot(source, guess, c, c->begin);
        for (int i = frame_before(source, c->begin) + 1; i * step < c->end - APART * step; i++)
            if (i * step > c->begin + APART * step)
                add_knot(source, guess, c, i * step);
        add_knot(source, guess, c, c->end);
    }
    spline_fit(guess, work);
}

/* the task solved at even shares of the part, beside the guess; what the tool turns from knot to
   knot is added up */
static void make_knots(timing_source *source, const timing_curve *c, const spline *guess, spline *s)
{
    lb_transform axes = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < s->knots; i++) {
        double x = (double)i / (s->knots - 1);
        double *values = s->values + (size_t)i * (size_t)s->columns;
        double *turned = values + s->columns - 3;
        s->x[i] = x;
        spline_at(guess, x, source->value, NULL, NULL, NULL);
        set_row(source, source->value);
        solve_row(source, c->begin + x * (c->end - c->begin), values);
        lb_vec3 turn = timing_turn(source, &axes);
        if (i > 0)
            for (int k = 0; k < 3; k++)
                turned[k] = (turned - s->columns)[k] + (&turn.x)[k];
    }
}

/* the largest errors half-source between knots */
static void measure(timing_source *source, const timing_curve *c, double *position,
                    double *rotation)
{
    *position = *rotation = 0;
    for (int i = 0; i + 1 < c->spline.knots; i++) {
        double x = (i + 0.5) / (c->spline.knots - 1), p, r;
        lb_transform target = lb_path_at(source->path, c->begin + x * (c->end - c->begin));
        timing_curve_at(c, source, x);
        lb_state_update(source->state, source->row);
        lb_task_error(source->state, &source->task, &target, &p, &r);
        *position = scalar_max(*position, p);
        *rotation = scalar_max(*rotation, r);
    }
}

lb_status timing_curve_make(timing_curve *c, timing_source *source, double *position,
                            double *rotation)
{
    spline guess = {.knots = source->frames + 2 + 2 * SPLINE_KNOTS_MIN, .columns = source->columns};
    double *work = take_spline(&guess, &source->memory);
    if (work == NULL)
        return LB_OUT_OF_MEMORY;
    make_guess(source, c, &guess, work);
    for (int knots = KNOTS; knots <= KNOTS_MOST; knots = 2 * knots - 1) {
        memory_release(&source->memory, c->spline.x);
        c->spline = (spline){.knots = knots, .columns = source->columns};
        work = take_spline(&c->spline, &source->memory);
        if (work == NULL)
            return LB_OUT_OF_MEMORY;
        make_knots(source, c, &guess, &c->spline);
        spline_fit(&c->spline, work);
        measure(source, c, position, rotation);
        if (*position <= NEAR && *rotation <= NEAR)
            break;
    }
    memory_release(&source->memory, guess.x);
    return LB_OK;
}
