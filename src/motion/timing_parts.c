/*
 * timing_parts.c - a path between its corners: curves, and their profiles.
 */
#include "motion/timing.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/scalar.h"
#include "motion/path.h"

#include <string.h>

/* ---- curves -------------------------------------------------------------- */

/*
 * The joints' motion along a part of a path as a smooth curve.
 */

/* knots of a curve at first, and at most: their errors fall with the fourth power */
enum { KNOTS = 257, KNOTS_MOST = 4097 };
/* what a curve may be off the path, metres and radians: a tenth of what is promised */
#define NEAR 1e-7
/* a frame nearer to a part's end than this share of the distance of two is no knot of the guess */
#define APART 0.3
/* where the ends of a part are looked at, and what joints change there at least in a root */
#define ROOT_WAY 2e-3
#define ROOT_SHARE 0.4
#define ROOT_CHANGE 1e-2

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
    // a curve through knots at a limit may swing beyond it
    lb_configuration_clamp(source->model, source->row, source->row);
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

/* ---- ends ------------------------------------------------------------------- */

/* whether joints leave an end with the root of the way, as a stretched elbow does, rather than with
   the way: a quarter of it then takes half of the change, not a quarter; `rows` are working memory
 */
static bool has_root(timing_source *source, const timing_curve *c, const spline *guess, bool end,
                     double *const rows[3])
{
    static const double ways[3] = {0, 0.25 * ROOT_WAY, ROOT_WAY};
    double most[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double x = end ? 1 - ways[k] : ways[k];
        spline_at(guess, x, source->value, NULL, NULL, NULL);
        set_row(source, source->value);
        solve_row(source, c->begin + x * (c->end - c->begin), rows[k]);
        for (int i = 0; i < source->columns - TIMING_TOOL; i++)
            most[k] = scalar_max(most[k], fabs(rows[k][i] - rows[0][i]));
    }
    return most[1] > ROOT_SHARE * most[2] && most[2] > ROOT_CHANGE;
}

/* how far along the part a curve is at u: with the square of the way from an end that has a root,
   so that joints are smooth in u */
static double way_at(const timing_curve *c, double u)
{
    const double left = 1 - u;
    return c->root[0] && c->root[1] ? smooth_step(u)
           : c->root[0]             ? u * u
           : c->root[1]             ? 1 - left * left
                                    : u;
}

/* the task solved at even u of the part, beside the guess; what the tool turns from knot to knot is
   added up */
static void make_knots(timing_source *source, const timing_curve *c, const spline *guess, spline *s)
{
    lb_transform axes = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < s->knots; i++) {
        double *values = s->values + (size_t)i * (size_t)s->columns;
        double *turned = values + s->columns - 3;
        s->x[i] = (double)i / (s->knots - 1);
        const double x = way_at(c, s->x[i]);
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
        double u = (i + 0.5) / (c->spline.knots - 1), p, r;
        lb_transform target =
            lb_path_at(source->path, c->begin + way_at(c, u) * (c->end - c->begin));
        timing_curve_at(c, source, u);
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
    work = memory_take(&source->memory, 3 * (size_t)source->columns, sizeof(double));
    if (work == NULL)
        return LB_OUT_OF_MEMORY;
    double *const rows[3] = {work, work + source->columns, work + 2 * source->columns};
    for (int end = 0; end < 2; end++)
        c->root[end] = has_root(source, c, &guess, end, rows);
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

/* a corner: tangents before and after it, so near to it, differ by this share */
#define CORNER 1e-4
#define BESIDE 1e-5
/* a share of the path that is so short is a point: tangents beside it would be rounding, and no
   path of less than a kilometre moves by a micrometre in it */
#define SHORTEST 1e-9

/* ---- parts ---------------------------------------------------------------------- */

/* how place and axes change with the share, a little beside it: twelve numbers */
static void tangent(const lb_path *path, double share, double width, double t[12])
{
    lb_transform a = lb_path_at(path, share), b = lb_path_at(path, share + width);
    const lb_vec3 from[4] = {a.p, a.x, a.y, a.z}, to[4] = {b.p, b.x, b.y, b.z};
    for (int i = 0; i < 4; i++) {
        lb_vec3 d = lb_vec3_scale(lb_vec3_sub(to[i], from[i]), 1 / width);
        memcpy(t + 3 * i, (double[]){d.x, d.y, d.z}, 3 * sizeof *t);
    }
}

/* between the end of a span and the begin of the next one that has a length */
static bool is_corner(const lb_path *path, double end, double begin, double width)
{
    double before[12], after[12], difference = 0, size = 0;
    tangent(path, end, -width, before);
    tangent(path, begin, width, after);
    for (int i = 0; i < 12; i++) {
        difference += (after[i] - before[i]) * (after[i] - before[i]);
        size += after[i] * after[i] + before[i] * before[i];
    }
    return difference > CORNER * CORNER * size;
}

/* the first span from the i-th on that is long enough to have tangents: points may be given twice;
   NULL: none */
static const path_span *next_span(const lb_path *path, int i)
{
    while (i < path->count && !(path->spans[i].end - path->spans[i].begin > SHORTEST))
        i++;
    return i < path->count ? &path->spans[i] : NULL;
}

/* parts between corners */
lb_status timing_cut(timing_run *r)
{
    const lb_path *path = r->source.path;
    r->parts = memory_take(&r->source.memory, (size_t)path->count, sizeof *r->parts);
    if (!r->parts)
        return error_out_of_memory(r->error);
    double begin = 0;
    for (const path_span *span = next_span(path, 0), *next; span; span = next) {
        next = next_span(path, (int)(span - path->spans) + 1);
        double width = next ? scalar_min(span->end - span->begin, next->end - next->begin) : 0;
        if (next && !is_corner(path, span->end, next->begin, BESIDE * width))
            continue;
        // what is between the two is too short to be seen
        timing_part *part = &r->parts[r->part_count++];
        part->curve = (timing_curve){.begin = begin, .end = next ? next->begin : 1};
        begin = part->curve.end;
    }
    r->result->stops = r->part_count > 0 ? r->part_count - 1 : 0;
    return LB_OK;
}

double timing_ease(double tau, double *first, double *second, double *third)
{
    double left = 1 - tau;
    *first = 30 * tau * tau * left * left;
    *second = 60 * tau * left * (1 - 2 * tau);
    *third = 60 * (1 - 6 * tau * left);
    return tau * tau * tau * (10 + tau * (6 * tau - 15));
}

/* the derivatives of a part's curve by tau, at all places of all cells */
static void derive(const timing_run *r, timing_part *part)
{
    profile *p = &part->profile;
    size_t w = (size_t)p->columns;
    double *value = r->source.value, *first = value + w, *second = first + w, *third = second + w;
    for (int i = 0; i < p->cells * PROFILE_PLACES; i++) {
        double *d = p->derivatives + (size_t)i * PROFILE_DERIVATIVES * w, s1, s2, s3;
        double tau = (i / PROFILE_PLACES + 0.5 * (i % PROFILE_PLACES)) / p->cells;
        spline_at(&part->curve.spline, timing_ease(tau, &s1, &s2, &s3), value, first, second,
                  third);
        for (size_t c = 0; c < w; c++) {
            d[c] = first[c] * s1;
            d[w + c] = second[c] * s1 * s1 + first[c] * s2;
            d[2 * w + c] = third[c] * s1 * s1 * s1 + 3 * second[c] * s1 * s2 + first[c] * s3;
        }
    }
}

/* a part's profile in so many cells */
static lb_status make_profile(timing_run *r, timing_part *part, int cells)
{
    const lb_allocator *memory = &r->source.memory;
    profile *p = &part->profile;
    memory_release(memory, p->g);
    *p = (profile){.cells = cells,
                   .columns = r->source.columns,
                   .channels = r->channel_count,
                   .channel = r->channels};
    size_t n = (size_t)cells, places = n * PROFILE_PLACES * PROFILE_DERIVATIVES;
    p->g = memory_take(memory, 2 * n + 3, sizeof(double));
    p->derivatives = memory_take(memory, places * (size_t)p->columns, sizeof(double));
    p->work = memory_take(memory, profile_work(cells), sizeof(double));
    if (memory_pool_failed(memory))
        return error_out_of_memory(r->error);
    p->times = p->g + n + 2;
    derive(r, part);
    profile_solve(p);
    memory_release(memory, p->derivatives);
    memory_release(memory, p->work);
    p->derivatives = p->work = NULL;
    return LB_OK;
}

/* how many spans of the path a part has */
static int count_spans(const lb_path *path, const timing_part *part)
{
    int count = 0;
    for (int i = 0; i < path->count; i++)
        count += path->spans[i].end > part->curve.begin && path->spans[i].begin < part->curve.end;
    return count > 0 ? count : 1;
}

lb_status timing_make_curves(timing_run *r)
{
    lb_timing_result *result = r->result;
    memcpy(r->source.row, r->source.q, sizeof(double) * (size_t)r->source.nq);
    for (int i = 0; i < r->part_count; i++) {
        double position, rotation;
        if (timing_curve_make(&r->parts[i].curve, &r->source, &position, &rotation) != LB_OK)
            return error_out_of_memory(r->error);
        result->position_error = scalar_max(result->position_error, position);
        result->rotation_error = scalar_max(result->rotation_error, rotation);
    }
    return LB_OK;
}

/* how many cells a part gets, for so many in each span */
static int count_cells(const timing_run *r, const timing_part *part, int cells)
{
    int spans = count_spans(r->source.path, part);
    return cells * (spans < TIMING_SPANS_MOST ? spans : TIMING_SPANS_MOST);
}

lb_status timing_make_profiles(timing_run *r, int cells)
{
    lb_status status = LB_OK;
    for (int i = 0; i < r->part_count && status == LB_OK; i++)
        status = make_profile(r, &r->parts[i], count_cells(r, &r->parts[i], cells));
    return status;
}
