/*
 * timing_parts.c - a path between its corners: curves, and their profiles.
 */
#include "motion/timing.h"

#include "base/error.h"
#include "base/memory.h"
#include "kinematics/assembly.h"
#include "math/scalar.h"
#include "motion/path.h"

#include <string.h>

/* ---- curves -------------------------------------------------------------- */

/*
 * The joints' motion along a part of a path as a smooth curve.
 */

/* knots of a curve at first and at most, at even shares and at an even pace, as their errors fall
   with the fourth power; and how many knots each cell of a pace has */
enum { KNOTS = 257, KNOTS_SHARES = 4097, KNOTS_MOST = 16385, PACE_KNOTS = 8 };
/* what a curve may be off the path, metres and radians: a tenth of what is promised */
#define NEAR 1e-7
/* and its knots */
#define NEAR_ENOUGH 1e-10
/* a guess that is as near is moved by this many damped steps */
#define ON_PATH 3e-8
enum { DAMPED_STEPS = 3 };
/* a frame nearer to the last one than this, counted as below, is no knot of the guess */
#define APART 1e-6
/* where the ends of a part are looked at, and what joints change there at least in a root */
#define ROOT_WAY 2e-3
#define ROOT_SHARE 0.4
#define ROOT_SHARE_MOST 0.65
#define ROOT_CHANGE 5e-3

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
static void solve_row(timing_source *source, bool damped, double share, double *values)
{
    lb_ik_result result = {.outcome = LB_STALLED};
    lb_transform target = lb_path_at(source->path, share);
    double p, r;
    lb_state_update(source->state, source->row);
    lb_task_error(source->state, &source->task, &target, &p, &r);
    // what is on the path but for this keeps its place in directions that hardly move the tool
    damped = damped && source->solutions && p <= ON_PATH && r <= ON_PATH;
    for (int i = 0; damped && i < DAMPED_STEPS; i++)
        lb_ik_step(source->damped, &target, source->row, &result);
    if (!damped)
        lb_ik_solve(source->ik, &target, source->row, source->row, &result);
    // beside a singularity no descent gets there; whether it is near enough is seen between knots
    if (!damped && (result.position_error > NEAR_ENOUGH || result.rotation_error > NEAR_ENOUGH) &&
        source->solutions && branches_settle(source->solutions, share, source->row))
        lb_configuration_clamp(source->model, source->row, source->row);
    get_row(source, source->row, values);
    lb_vec3 place = target.p;
    if (source->task.free_position) {
        lb_state_update(source->state, source->row);
        place =
            lb_state_point(source->state, source->task.tip, source->task.base, source->task.tool.p);
    }
    memcpy(values + source->columns - TIMING_TOOL, (double[]){place.x, place.y, place.z, 0, 0, 0},
           TIMING_TOOL * sizeof *values);
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

/* ---- guesses ---------------------------------------------------------------- */

/*
 * What was followed of a part, as a curve with a knot for each frame: over the share of the part,
 * or, where joints go too fast for that, over a count of how far joints and share go on from the
 * knot before and how much their common direction turns, as beside a wrist that the path passes
 * closely. The pace by which the part is run through is then even in that count: its share is a
 * cubic B-spline.
 */
typedef struct timing_guess {
    spline spline;  /* over the shares or counts of its knots */
    double *shares; /* of the part */
    double *pace;   /* cells + 3 coefficients, one before the begin; they do not decrease */
    int cells;      /* 0: over shares */
    bool root[2];   /* whether joints leave the begin, the end with the root of the way */
} timing_guess;

/* a knot of the guess, solved from the frame nearest to it */
static void add_knot(timing_source *source, timing_guess *g, const timing_curve *c, double share)
{
    int frame = sorted_before(source->at, sizeof *source->at, source->frames, share);
    if (frame < 0 ||
        (frame + 1 < source->frames && source->at[frame + 1] - share < share - source->at[frame]))
        frame++;
    memcpy(source->row, source->q + (size_t)frame * (size_t)source->nq,
           sizeof(double) * (size_t)source->nq);
    spline *s = &g->spline;
    g->shares[s->knots] = (share - c->begin) / (c->end - c->begin);
    solve_row(source, c->still, share, s->values + (size_t)s->knots * (size_t)s->columns);
    s->knots++;
}

/* from one knot to the next, the way of the share and the joints: its direction, and its length */
static double way_of(const timing_guess *g, int knot, double *direction)
{
    const spline *s = &g->spline;
    const int joints = s->columns - TIMING_TOOL;
    const double *a = s->values + (size_t)knot * (size_t)s->columns, *b = a + s->columns;
    double sum = 0;
    direction[joints] = g->shares[knot + 1] - g->shares[knot];
    for (int i = 0; i < joints; i++)
        direction[i] = b[i] - a[i];
    for (int i = 0; i <= joints; i++)
        sum += direction[i] * direction[i];
    for (int i = 0; i <= joints; i++)
        direction[i] /= sqrt(sum);
    return sqrt(sum);
}

/* counts the knots; those that are hardly apart from the one before are left out */
static void count_knots(timing_guess *g, double *before, double *after)
{
    spline *s = &g->spline;
    const size_t row = (size_t)s->columns * sizeof *s->values;
    int kept = 0;
    s->x[0] = 0;
    for (int i = 1; i < s->knots; i++) {
        // the next one is tried in place of the one that is kept next
        memmove(s->values + (size_t)(kept + 1) * (size_t)s->columns,
                s->values + (size_t)i * (size_t)s->columns, row);
        g->shares[kept + 1] = g->shares[i];
        const double way = way_of(g, kept, after);
        if (way < APART && i + 1 < s->knots)
            continue;
        double turn = 0;
        for (int k = 0; kept > 0 && k <= s->columns - TIMING_TOOL; k++)
            turn += (after[k] - before[k]) * (after[k] - before[k]);
        // half of the turn belongs to each side
        turn = 0.5 * sqrt(turn);
        if (kept > 0)
            s->x[kept] += turn;
        s->x[kept + 1] = s->x[kept] + way + turn;
        memcpy(before, after, (size_t)(s->columns - TIMING_TOOL + 1) * sizeof *before);
        kept++;
    }
    s->knots = kept + 1;
    for (int i = 1; i <= kept; i++)
        s->x[i] /= s->x[kept];
}

/* the curve through the part's ends and the frames in it, and through more where these are few */
static void make_guess(timing_source *source, const timing_curve *c, timing_guess *g, double *work)
{
    const int few = 2 * SPLINE_KNOTS_MIN;
    int inside = 0;
    for (int i = 0; i < source->frames; i++)
        inside += source->at[i] > c->begin && source->at[i] < c->end;
    g->spline.knots = 0;
    add_knot(source, g, c, c->begin);
    for (int i = 0; inside >= few && i < source->frames; i++)
        if (source->at[i] > c->begin && source->at[i] < c->end)
            add_knot(source, g, c, source->at[i]);
    for (int i = 1; inside < few && i < few; i++)
        add_knot(source, g, c, c->begin + (c->end - c->begin) * i / few);
    add_knot(source, g, c, c->end);
    memcpy(g->spline.x, g->shares, (size_t)g->spline.knots * sizeof *g->shares);
    spline_fit(&g->spline, work);
}

/* fills source->row with the guess at u */
static void guess_at(const timing_guess *g, timing_source *source, double u)
{
    spline_at(&g->spline, u, source->value, NULL, NULL, NULL);
    set_row(source, source->value);
}

/* ---- ends ------------------------------------------------------------------- */

/* whether joints leave an end with the root of the way, as a stretched elbow does, rather than with
   the way: a quarter of it then takes half of the change, not a quarter; `rows` are working memory
 */
static bool has_root(timing_source *source, const timing_curve *c, const timing_guess *g, bool end,
                     double *const rows[3])
{
    static const double ways[3] = {0, 0.25 * ROOT_WAY, ROOT_WAY};
    double most[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double x = end ? 1 - ways[k] : ways[k];
        guess_at(g, source, x);
        solve_row(source, c->still, c->begin + x * (c->end - c->begin), rows[k]);
        for (int i = 0; i < source->columns - TIMING_TOOL; i++)
            most[k] = scalar_max(most[k], fabs(rows[k][i] - rows[0][i]));
    }
    return most[1] > ROOT_SHARE * most[2] && most[1] < ROOT_SHARE_MOST * most[2] &&
           most[2] > ROOT_CHANGE;
}

/* ---- pace ------------------------------------------------------------------- */

/* how fast the share rises from a knot of the guess to the next */
static double rise_after(const timing_guess *g, int i)
{
    return (g->shares[i + 1] - g->shares[i]) / (g->spline.x[i + 1] - g->spline.x[i]);
}

/* and at a knot: the harmonic mean of both sides, by which cubics do not turn back (Fritsch and
   Butland 1984) */
static double rise_at(const timing_guess *g, int i)
{
    const double before = rise_after(g, i > 0 ? i - 1 : 0);
    const double after = rise_after(g, i + 1 < g->spline.knots ? i : i - 1);
    return before > 0 && after > 0 ? 2 * before * after / (before + after) : 0;
}

/* the share at a count: by cubics between knots, but for ends with a root */
static double share_at(const timing_guess *g, double count)
{
    const double *from = g->spline.x, *to = g->shares;
    int i = sorted_before(from, sizeof *from, g->spline.knots - 1, count);
    i = i < 0 ? 0 : i;
    const double width = from[i + 1] - from[i], t = scalar_clamp((count - from[i]) / width, 0, 1);
    if (i == 0 && g->root[0])
        return to[i] + (to[i + 1] - to[i]) * t * t;
    if (i + 2 == g->spline.knots && g->root[1])
        return to[i] + (to[i + 1] - to[i]) * (1 - (1 - t) * (1 - t));
    return to[i] + (to[i + 1] - to[i]) * smooth_step(t) +
           width * t * (1 - t) * ((1 - t) * rise_at(g, i) - t * rise_at(g, i + 1));
}

/* the pace in so many cells: from an end that has a root with the square of the count, so that
   joints are smooth in it, else straight on */
static void make_pace(timing_guess *g, int cells)
{
    double *at = g->pace + 1;
    g->cells = cells;
    for (int i = 0; i <= cells; i++)
        at[i] = share_at(g, (double)i / cells);
    const double first = at[1], last = 1 - at[cells - 1];
    at[-1] = g->root[0] ? first : -first;
    at[0] = g->root[0] ? -0.5 * first : 0;
    at[cells] = g->root[1] ? 1 + 0.5 * last : 1;
    at[cells + 1] = g->root[1] ? 1 - last : 1 + last;
}

/* how far along the part a curve is at u: by its pace, or with the square of the way from an end
   that has a root */
static double way_at(const timing_guess *g, double u)
{
    if (g->cells == 0)
        return g->root[0] && g->root[1] ? smooth_step(u)
               : g->root[0]             ? u * u
               : g->root[1]             ? 1 - (1 - u) * (1 - u)
                                        : u;
    const int cell = (int)scalar_min(u * g->cells, g->cells - 1);
    const double t = u * g->cells - cell, s = 1 - t, *at = g->pace + cell;
    const double sum = s * s * s * at[0] + (4 - 3 * t * t * (1 + s)) * at[1] +
                       (4 - 3 * s * s * (1 + t)) * at[2] + t * t * t * at[3];
    return scalar_clamp(sum / 6, 0, 1);
}

/* the task solved at even u of the part, beside the guess; what the tool turns from knot to knot is
   added up */
static void make_knots(timing_source *source, const timing_curve *c, const timing_guess *g,
                       spline *s)
{
    lb_transform axes = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < s->knots; i++) {
        double *values = s->values + (size_t)i * (size_t)s->columns;
        double *turned = values + s->columns - 3;
        s->x[i] = (double)i / (s->knots - 1);
        const double x = way_at(g, s->x[i]);
        guess_at(g, source, g->cells > 0 ? s->x[i] : x);
        solve_row(source, c->still || g->cells == 0, c->begin + x * (c->end - c->begin), values);
        lb_vec3 turn = timing_turn(source, &axes);
        if (i > 0)
            for (int k = 0; k < 3; k++)
                turned[k] = (turned - s->columns)[k] + (&turn.x)[k];
    }
}

/* the largest errors half-source between knots */
static void measure(timing_source *source, const timing_curve *c, const timing_guess *g,
                    double *position, double *rotation)
{
    *position = *rotation = 0;
    for (int i = 0; i + 1 < c->spline.knots; i++) {
        double u = (i + 0.5) / (c->spline.knots - 1), p, r;
        lb_transform target =
            lb_path_at(source->path, c->begin + way_at(g, u) * (c->end - c->begin));
        timing_curve_at(c, source, u);
        lb_state_update(source->state, source->row);
        lb_task_error(source->state, &source->task, &target, &p, &r);
        if (source->assembly) {
            loop_measure(source->assembly, source->row);
            p = scalar_max(p, source->assembly->error * source->assembly->size);
        }
        *position = scalar_max(*position, p);
        *rotation = scalar_max(*rotation, r);
    }
}

/* a curve through more and more knots, until it is near to the path; false: no memory */
static bool fit_curve(timing_curve *c, timing_source *source, timing_guess *g, bool paced,
                      double *position, double *rotation)
{
    for (int knots = KNOTS; knots <= (paced ? KNOTS_MOST : KNOTS_SHARES); knots = 2 * knots - 1) {
        memory_release(&source->memory, c->spline.x);
        c->spline = (spline){.knots = knots, .columns = source->columns};
        double *work = take_spline(&c->spline, &source->memory);
        if (work == NULL)
            return false;
        if (paced)
            make_pace(g, (knots - 1) / PACE_KNOTS);
        make_knots(source, c, g, &c->spline);
        spline_fit(&c->spline, work);
        measure(source, c, g, position, rotation);
        if (*position <= NEAR && *rotation <= NEAR)
            break;
    }
    return true;
}

/* whether the curve is as near as is promised */
static bool is_near(double position, double rotation)
{
    return position <= TIMING_OFF && rotation <= TIMING_OFF;
}

/* makes the curve from `begin` to `end`, with a pace of its own if that is wanted or the path's
   leads too far off; *position and *rotation (metres, radians) take the largest errors between
   knots, those of loops among the first */
static lb_status timing_curve_make(timing_curve *c, timing_source *source, bool paced,
                                   double *position, double *rotation)
{
    timing_guess g = {
        .spline = {.knots = source->frames + 2 + 2 * SPLINE_KNOTS_MIN, .columns = source->columns}};
    const size_t most = (size_t)g.spline.knots, columns = (size_t)source->columns;
    MEMORY_POOL(memory, &source->memory);
    double *work = take_spline(&g.spline, &memory);
    g.shares = memory_take(&memory, most, sizeof(double));
    g.pace = memory_take(&memory, KNOTS_MOST / PACE_KNOTS + 3, sizeof(double));
    double *rows = memory_take(&memory, 3 * columns, sizeof(double));
    if (memory_pool_failed(&memory))
        return LB_OUT_OF_MEMORY;
    make_guess(source, c, &g, work);
    for (int end = 0; end < 2; end++)
        g.root[end] = has_root(source, c, &g, end,
                               (double *const[]){rows, rows + columns, rows + 2 * columns});
    bool fits = fit_curve(c, source, &g, false, position, rotation);
    const bool near = is_near(*position, *rotation);
    c->paced = fits && (paced || !near);
    if (c->paced) {
        const spline shares = c->spline;
        const double off[2] = {*position, *rotation};
        c->spline.x = NULL;
        count_knots(&g, rows, rows + columns);
        spline_fit(&g.spline, work);
        fits = fit_curve(c, source, &g, true, position, rotation);
        const bool better = !near || is_near(*position, *rotation);
        memory_release(&source->memory, better ? shares.x : c->spline.x);
        c->spline = better ? c->spline : shares;
        *position = better ? *position : off[0];
        *rotation = better ? *rotation : off[1];
    }
    return fits ? LB_OK : LB_OUT_OF_MEMORY;
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
    // and one for a turn in place
    r->parts = memory_take(&r->source.memory, (size_t)path->count + 1, sizeof *r->parts);
    TRY(require_memory(r->error, r->parts));
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
    const size_t w = (size_t)p->columns, places = (size_t)p->cells * PROFILE_PLACES;
    double *value = r->source.value, *first = value + w, *second = first + w, *third = second + w;
    for (size_t i = 0; i < places; i++) {
        double *d = p->derivatives + i, s1, s2, s3;
        double tau = ((double)(i / PROFILE_PLACES) + 0.5 * (double)(i % PROFILE_PLACES)) / p->cells;
        spline_at(&part->curve.spline, timing_ease(tau, &s1, &s2, &s3), value, first, second,
                  third);
        for (size_t c = 0; c < w; c++) {
            d[c * places] = first[c] * s1;
            d[(w + c) * places] = second[c] * s1 * s1 + first[c] * s2;
            d[(2 * w + c) * places] =
                third[c] * s1 * s1 * s1 + 3 * second[c] * s1 * s2 + first[c] * s3;
        }
    }
}

/* a part's profile in so many cells */
static lb_status make_profile(timing_run *r, timing_part *part, int cells)
{
    const lb_allocator *memory = &r->source.memory;
    profile *p = &part->profile;
    double *coarse = p->g != NULL && p->times[p->cells] > 0 && 2 * p->cells == cells ? p->g : NULL;
    if (coarse == NULL)
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
    profile_solve(p, coarse);
    memory_release(memory, coarse);
    memory_release(memory, p->derivatives);
    memory_release(memory, p->work);
    p->derivatives = p->work = NULL;
    return LB_OK;
}

lb_status timing_make_curves(timing_run *r, bool paced)
{
    lb_timing_result *result = r->result;
    result->position_error = result->rotation_error = 0;
    memcpy(r->source.row, r->source.q, sizeof(double) * (size_t)r->source.nq);
    for (int i = 0; i < r->part_count; i++) {
        double position, rotation;
        if (timing_curve_make(&r->parts[i].curve, &r->source, paced, &position, &rotation) != LB_OK)
            return error_out_of_memory(r->error);
        result->position_error = scalar_max(result->position_error, position);
        result->rotation_error = scalar_max(result->rotation_error, rotation);
    }
    return LB_OK;
}

int timing_count_spans(const timing_run *r, const timing_part *part)
{
    const lb_path *path = r->source.path;
    int count = 0;
    for (int i = 0; i < path->count; i++)
        count += path->spans[i].end > part->curve.begin && path->spans[i].begin < part->curve.end;
    return count < 1 ? 1 : count < TIMING_SPANS_MOST ? count : TIMING_SPANS_MOST;
}

lb_status timing_make_profiles(timing_run *r, int cells)
{
    for (int i = 0; i < r->part_count; i++)
        TRY(make_profile(r, &r->parts[i], cells * timing_count_spans(r, &r->parts[i])));
    return LB_OK;
}
