/* motion.c - the motion that a pose leaves an arm of seven turning joints. */
#include "ik/closed/motion.h"

#include "math/scalar.h"

#include <string.h>

#define TURN (2 * LB_PI)
/* second derivatives within a cell may be so many times those seen at its ends; where nothing may
   be missed as many as corners have, of joints that turn back beside a singular configuration */
#define BEND_ROOM 2.0
#define CORNER_ROOM 4.0
/* the distance of the result is the least to this share of it */
#define NEAREST_SHARE 1e-5
/* radians beyond the limits where single configurations in corners of them are looked for: beside a
   double root an angle is open to the root of rounding, a hundredth of that */
#define BESIDE 1e-7
/* radians of the held joint: a cell that is no wider, of which a discriminant, which is a square,
   is no larger, is beside a singular configuration to within the tolerances, and not divided */
#define SINGULAR_WIDTH 1e-7
#define SINGULAR_CELL 1e-11
/* of a discriminant that vanishes by rounding, at one value or all along a span that is wider */
#define SINGULAR_MARGIN 1e-13
#define SINGULAR_SPAN 1e-4
/* a span's first samples: so many, and so many more in a radian, up to a limit */
#define SAMPLES_A_RADIAN 3.0
enum { FIRST_SAMPLES = 4, MOST_SAMPLES = 16 };
enum { LANES = KERNEL_CLOSED_BRANCHES, MOST_ROUNDS = 60, SINGULAR_ROUNDS = 2 };

/* ---- samples ---------------------------------------------------------------- */

void motion_find(const motion *m, const motion_samples *samples, motion_rows *rows)
{
    kernel_slices slices;
    const size_t size = sizeof(double) * (size_t)samples->count;
    m->ops->closed_slices(&m->arm->form, &m->turning, samples->values, samples->branches,
                          samples->count, &slices);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        memcpy(rows->q[m->arm->joint[j]], slices.q[j], size);
    memcpy(rows->q[m->arm->held], samples->values, size);
    memcpy(rows->margin, slices.margin, size);
    memcpy(rows->wrist, slices.wrist, size);
}

/* ---- cells -------------------------------------------------------------------- */

/* adds column i of the rows, of a span at u */
static void add_sample(kernel_way *way, double u, bool inner, const motion_rows *rows, int i)
{
    const int at = ++way->count;
    way->u[at] = u;
    way->inner[at] = inner;
    for (int k = 0; k < MOTION_JOINTS; k++)
        way->q[k][at] = rows->q[k][i];
    way->margin[at] = rows->margin[i];
}

/* adds an end of a cell, which is known already */
static void add_end(kernel_way *way, const motion_cell *cell, int end)
{
    const int at = ++way->count;
    way->u[at] = cell->u[end];
    way->inner[at] = 0;
    for (int k = 0; k < MOTION_JOINTS; k++)
        way->q[k][at] = cell->q[end][k];
    way->margin[at] = cell->margin[end];
}

/* takes sample i for the nearest */
static void keep_sample(motion *m, const kernel_cells *cells, int i)
{
    m->least = sqrt(cells->square[i]);
    for (int k = 0; k < MOTION_JOINTS; k++)
        m->q[k] = m->way.q[k][i];
}

/* looks at all samples of a way */
static void look(motion *m, kernel_cells *cells)
{
    kernel_way *way = &m->way;
    // what is read beyond the last sample is no cell
    way->u[way->count + 1] = way->u[way->count + 2] = -INFINITY;
    m->ops->bound_cells(way, cells);
    for (int i = 1; i <= way->count; i++) {
        m->beside = scalar_min(m->beside, cells->beside[i]);
        if (!m->wants_all && cells->square[i] < m->least * m->least)
            keep_sample(m, cells, i);
    }
}

/* adds a value of the held joint, or lowers the bound of one that is beside it */
static void add_single(motion *m, const motion_single *single)
{
    for (int k = 0; k < m->single_count; k++) {
        motion_single *old = &m->singles[k];
        if (fabs(old->value - single->value) > SINGULAR_SPAN)
            continue;
        if (single->bound < old->bound)
            *old = *single;
        return;
    }
    if (m->single_count == MOTION_SINGLE)
        m->cut = true;
    else
        m->singles[m->single_count++] = *single;
}

/* whether a cell is beside a singular configuration, too narrow to be divided */
static bool ends_at(const motion *m, const slice_span *span, int i)
{
    const double width = (m->way.u[i + 1] - m->way.u[i]) * (span->end - span->begin);
    const double margin = scalar_min(fabs(m->way.margin[i]), fabs(m->way.margin[i + 1]));
    return !m->wants_all && width < SINGULAR_WIDTH && margin < SINGULAR_CELL;
}

/* adds a cell that ends here */
static void end_cell(motion *m, int span, const kernel_cells *cells, int i)
{
    const slice_span *on = &m->spans[span];
    const double first = motion_value(on, m->way.u[i]), last = motion_value(on, m->way.u[i + 1]);
    add_single(m, &(motion_single){.branch = on->branch,
                                   .value = 0.5 * (first + last),
                                   .half = SINGULAR_WIDTH,
                                   .bound = cells->bound[i]});
}

/* adds the samples of a span, from `first` on, at which it is singular; true: all of them are */
static bool add_singular(motion *m, const slice_span *span, const motion_samples *samples,
                         const motion_rows *rows, int first, int count)
{
    const double width = span->end - span->begin;
    motion_single single = {.branch = span->branch, .value = 0.5 * (span->begin + span->end)};
    bool all = true;
    for (int i = first; i < first + count; i++)
        all = all && fabs(rows->margin[i]) < SINGULAR_MARGIN;
    if (all && width > SINGULAR_SPAN)
        single.spacing = 2 * width / (count - 1);
    else if (all)
        add_single(m, &single);
    for (int i = first; i<first + count; i += single.spacing> 0 ? 2 : 1) {
        single.value = samples->values[i];
        if (single.spacing > 0 ||
            (rows->margin[i] >= CLOSED_DOUBLE_ROOT && rows->wrist[i] < SINGULAR_MARGIN))
            add_single(m, &single);
    }
    return all;
}

/* keeps the cells from `first` on, of one span, that may have what is nearer */
static void keep_cells(motion *m, const kernel_cells *cells, int span, int first, int last)
{
    for (int i = first; i < last; i++) {
        if (!(cells->bound[i] < m->least * (1 - NEAREST_SHARE)))
            continue;
        if (ends_at(m, &m->spans[span], i)) {
            end_cell(m, span, cells, i);
            continue;
        }
        if (m->cell_count == MOTION_CELLS) {
            m->cut = true;
            return;
        }
        motion_cell *cell = &m->cells[m->cell_count++];
        cell->span = span;
        cell->bound = cells->bound[i];
        cell->nearest = cells->nearest[i];
        for (int end = 0; end < 2; end++) {
            cell->u[end] = m->way.u[i + end];
            cell->margin[end] = m->way.margin[i + end];
            for (int k = 0; k < MOTION_JOINTS; k++)
                cell->q[end][k] = m->way.q[k][i + end];
        }
    }
}

/* how many samples a span is looked at with first */
static int first_samples(const slice_span *span)
{
    const int count = FIRST_SAMPLES + (int)((span->end - span->begin) * SAMPLES_A_RADIAN);
    return count < MOST_SAMPLES ? count : MOST_SAMPLES;
}

/* the first samples of spans, of as many as fit from `first` on; returns the next one */
static int sample_spans(motion *m, int first)
{
    motion_samples samples = {.count = 0};
    motion_rows rows;
    kernel_cells cells;
    int next = first, at = 0;
    for (; next < m->span_count; next++) {
        const slice_span *span = &m->spans[next];
        const int count = first_samples(span);
        if (samples.count + count > KERNEL_WAY_SAMPLES)
            break;
        for (int i = 0; i < count; i++)
            motion_add(&samples, span->branch, motion_value(span, (double)i / (count - 1)));
    }
    motion_find(m, &samples, &rows);
    m->way.count = 0;
    for (int span = first; span < next; span++)
        for (int i = 0, count = first_samples(&m->spans[span]); i < count; i++, at++)
            add_sample(&m->way, (double)i / (count - 1), i > 0 && i + 1 < count, &rows, at);
    look(m, &cells);
    at = 1;
    for (int i = first; i < next; i++) {
        const int count = first_samples(&m->spans[i]);
        if (m->wants_all || !add_singular(m, &m->spans[i], &samples, &rows, at - 1, count))
            keep_cells(m, &cells, i, at, at + count - 1);
        at += count;
    }
    return next;
}

/* takes up to LANES cells of the least bounds out; returns how many */
static int take_cells(motion *m, motion_cell *taken)
{
    int order[LANES + 1], count = 0;
    for (int i = 0; i < m->cell_count; i++) {
        const double bound = m->cells[i].bound;
        if (!(bound < m->least * (1 - NEAREST_SHARE)) ||
            (count == LANES && bound >= m->cells[order[LANES - 1]].bound))
            continue;
        int k = count < LANES ? count++ : LANES - 1;
        for (; k > 0 && m->cells[order[k - 1]].bound > bound; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int k = 0; k < count; k++)
        taken[k] = m->cells[order[k]];
    // the last cells take their places
    for (int k = 0; k < count; k++) {
        int last = k;
        for (int j = k + 1; j < count; j++)
            last = order[j] > order[last] ? j : last;
        m->cells[order[last]] = m->cells[--m->cell_count];
        order[last] = order[k];
    }
    return count;
}

/* divides the taken cells by new samples: each evenly, and where its line is nearest */
static void divide_cells(motion *m, const motion_cell *taken, int count)
{
    const int inner = LANES / count;
    double u[LANES];
    motion_samples samples = {.count = 0};
    motion_rows rows;
    kernel_cells cells;
    for (int i = 0; i < inner * count; i++) {
        const motion_cell *cell = &taken[i / inner];
        const double at = scalar_clamp(cell->nearest, 0.02, 0.98);
        const int nearest = (int)scalar_clamp(at * (inner + 1) - 0.5, 0, inner - 1);
        const double share = i % inner == nearest ? at : (i % inner + 1.0) / (inner + 1);
        u[i] = cell->u[0] + (cell->u[1] - cell->u[0]) * share;
        motion_add(&samples, m->spans[cell->span].branch,
                   motion_value(&m->spans[cell->span], u[i]));
    }
    motion_find(m, &samples, &rows);
    m->way.count = 0;
    for (int c = 0; c < count; c++) {
        add_end(&m->way, &taken[c], 0);
        for (int i = c * inner; i < (c + 1) * inner; i++)
            add_sample(&m->way, u[i], true, &rows, i);
        add_end(&m->way, &taken[c], 1);
    }
    look(m, &cells);
    for (int c = 0; c < count; c++)
        keep_cells(m, &cells, taken[c].span, c * (inner + 2) + 1, (c + 1) * (inner + 2));
}

/* what all samples are compared with */
static void begin_way(motion *m, const double *start)
{
    kernel_way *way = &m->way;
    memset(way, 0, sizeof *way);
    way->least_margin = -CLOSED_EXACT;
    way->bend_room = m->wants_all ? CORNER_ROOM : BEND_ROOM;
    way->tolerance = CLOSED_LIMIT_TOLERANCE;
    way->beside = BESIDE;
    m->beside = INFINITY;
    for (int k = 0; k < MOTION_JOINTS; k++) {
        const closed_joint *joint = &m->arm->chain->joints[k];
        m->start[k] = way->start[k] = start[k];
        way->lower[k] = joint->lower;
        way->upper[k] = joint->upper;
        way->weight[k] = 1 / joint->unit;
    }
}

/* the values of the held joint that are not farther than a bound by themselves */
static slice_span find_window(const motion *m, double bound)
{
    const slice_arm *arm = m->arm;
    const double room = bound * arm->chain->joints[arm->held].unit, at = m->start[arm->held];
    slice_span window = {.begin = arm->lower, .end = arm->upper};
    if (!(room < LB_PI))
        return window;
    const bool whole = arm->upper - arm->lower >= TURN;
    window.begin = whole ? at - room : scalar_max(window.begin, at - room);
    window.end = whole ? at + room : scalar_min(window.end, at + room);
    return window;
}

/* the first samples of a pose, by what begin_way has set */
static void begin_cells(motion *m, const lb_transform *target, double bound)
{
    m->least = bound;
    m->cell_count = m->single_count = 0;
    const slice_span window = find_window(m, bound);
    // a joint that only comes to its limit is inside for a moment
    const double beside = m->wants_all ? 0 : CLOSED_LIMIT_TOLERANCE;
    m->span_count =
        slice_place(m->arm, target, window.begin, window.end, beside, &m->turning, m->spans);
    m->cut = m->span_count < 0;
    for (int next = 0; next < m->span_count;)
        next = sample_spans(m, next);
}

void motion_begin(motion *m, const slice_arm *arm, const kernel_ops *ops,
                  const lb_transform *target, const double *start, double bound)
{
    m->arm = arm;
    m->ops = ops;
    begin_way(m, start);
    begin_cells(m, target, bound);
}

/* divides cells until none may have what is nearer */
static void find_least(motion *m)
{
    motion_cell taken[LANES];
    int count = take_cells(m, taken);
    for (int round = 0; count > 0; count = take_cells(m, taken)) {
        if (round++ == MOST_ROUNDS) {
            m->cut = true;
            break;
        }
        divide_cells(m, taken, count);
    }
}

double motion_singular_value(const motion *m, const motion_single *single)
{
    double middle = single->value, half = single->half;
    for (int round = 0; round < SINGULAR_ROUNDS && half > 0; round++) {
        motion_samples samples = {.count = 0};
        motion_rows rows;
        int least = 0;
        for (int i = 0; i < LANES; i++)
            motion_add(&samples, single->branch, middle + half * (2.0 * i / (LANES - 1) - 1));
        motion_find(m, &samples, &rows);
        for (int i = 1; i < LANES; i++)
            least = fabs(rows.margin[i]) < fabs(rows.margin[least]) ? i : least;
        // a discriminant is a parabola there
        const int at = (int)scalar_clamp(least, 1, LANES - 2);
        const double y[3] = {fabs(rows.margin[at - 1]), fabs(rows.margin[at]),
                             fabs(rows.margin[at + 1])};
        const double bend = y[2] - 2 * y[1] + y[0];
        const double step = 2 * half / (LANES - 1);
        const double off = bend > 0 ? scalar_clamp(0.5 * (y[0] - y[2]) / bend, -1, 1) : least - at;
        middle = samples.values[at] + off * step;
        half = 0.1 * step;
    }
    return middle;
}

bool motion_nearest(motion *m, const slice_arm *arm, const kernel_ops *ops,
                    const lb_transform *target, const double *start, double bound)
{
    m->wants_all = false;
    motion_begin(m, arm, ops, target, start, bound);
    find_least(m);
    if (m->beside < m->least * (1 - NEAREST_SHARE)) {
        // a corner of the limits may have one, which rounding puts beyond them
        const bool cut = m->cut;
        m->way.tolerance = BESIDE;
        begin_cells(m, target, m->least);
        find_least(m);
        m->cut = m->cut || cut;
    }
    if (!(m->least < bound))
        return false;
    closed_choice choice;
    closed_choose(arm->chain, m->q, start, 0, &choice);
    for (int k = 0; k < MOTION_JOINTS; k++)
        m->q[k] =
            scalar_clamp(choice.q[k], arm->chain->joints[k].lower, arm->chain->joints[k].upper);
    return true;
}
