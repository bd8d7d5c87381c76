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
#define NEAREST_SHARE 1e-6
/* a span's first samples: so many, and so many more in a radian, up to a limit */
#define SAMPLES_A_RADIAN 3.0
enum { FIRST_SAMPLES = 4, MOST_SAMPLES = 16 };
enum { LANES = KERNEL_CLOSED_BRANCHES, MOST_ROUNDS = 200 };

/* ---- samples ---------------------------------------------------------------- */

void motion_find(const motion *m, const int *branches, const double *values, motion_rows *rows)
{
    kernel_slices slices;
    m->ops->closed_slices(&m->arm->form, &m->turning, values, branches, &slices);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        memcpy(rows->q[m->arm->joint[j]], slices.q[j], sizeof slices.q[j]);
    memcpy(rows->q[m->arm->held], values, sizeof slices.q[0]);
    memcpy(rows->margin, slices.margin, sizeof slices.margin);
}

/* ---- cells -------------------------------------------------------------------- */

/* adds column i of the rows, of a span at u */
static void add_sample(kernel_way *way, double u, const motion_rows *rows, int i)
{
    const int at = ++way->count;
    way->u[at] = u;
    way->inner[at] = 1;
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

/* looks at all samples of a way, and keeps the cells between those from `first` to `last`, of one
   span, that may have what is nearer */
static void look(motion *m, kernel_cells *cells)
{
    kernel_way *way = &m->way;
    // what is read beyond the last sample is no cell
    way->u[way->count + 1] = way->u[way->count + 2] = -INFINITY;
    m->ops->bound_cells(way, cells);
    for (int i = 1; i <= way->count; i++)
        if (!m->wants_all && cells->square[i] < m->least * m->least)
            keep_sample(m, cells, i);
}

static void keep_cells(motion *m, const kernel_cells *cells, int span, int first, int last)
{
    for (int i = first; i < last; i++) {
        if (!(cells->bound[i] < m->least * (1 - NEAREST_SHARE)))
            continue;
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

/* Samples that are to be taken, of one span after the other. */
typedef struct motion_samples {
    int count, branches[KERNEL_WAY_SAMPLES];
    double u[KERNEL_WAY_SAMPLES], values[KERNEL_WAY_SAMPLES];
} motion_samples;

/* computes them, as the way */
static void take_samples(motion *m, motion_samples *samples)
{
    motion_rows rows;
    m->way.count = 0;
    for (int i = samples->count; i % LANES != 0; i++) {
        samples->branches[i] = samples->branches[i - 1];
        samples->values[i] = samples->values[i - 1];
    }
    for (int i = 0; i < samples->count; i++) {
        if (i % LANES == 0)
            motion_find(m, samples->branches + i, samples->values + i, &rows);
        add_sample(&m->way, samples->u[i], &rows, i % LANES);
    }
}

/* the first samples of spans, of as many as fit from `first` on; returns the next one */
static int sample_spans(motion *m, int first)
{
    motion_samples samples = {.count = 0};
    kernel_cells cells;
    int next = first, from = 1;
    for (; next < m->span_count; next++) {
        const slice_span *span = &m->spans[next];
        const int count = first_samples(span);
        if (samples.count + count > KERNEL_WAY_SAMPLES)
            break;
        for (int i = 0; i < count; i++) {
            const double u = (double)i / (count - 1);
            samples.branches[samples.count] = span->branch;
            samples.values[samples.count] = motion_value(span, u);
            samples.u[samples.count++] = u;
        }
    }
    take_samples(m, &samples);
    for (int i = first, at = 1; i < next; i++) {
        const int count = first_samples(&m->spans[i]);
        m->way.inner[at] = m->way.inner[at + count - 1] = 0;
        at += count;
    }
    look(m, &cells);
    for (int i = first; i < next; i++) {
        const int count = first_samples(&m->spans[i]);
        keep_cells(m, &cells, i, from, from + count - 1);
        from += count;
    }
    return next;
}

/* takes up to LANES cells of the least bounds out, and those that are no longer wanted; returns how
   many */
static int take_cells(motion *m, motion_cell *taken)
{
    int order[LANES], count = 0, kept = 0;
    const double most = m->least * (1 - NEAREST_SHARE);
    for (int i = 0; i < m->cell_count; i++) {
        const double bound = m->cells[i].bound;
        if (!(bound < most))
            continue;
        if (kept < i)
            m->cells[kept] = m->cells[i];
        int k = count < LANES ? count++ : LANES;
        for (; k > 0 && m->cells[order[k - 1]].bound > bound; k--)
            if (k < LANES)
                order[k] = order[k - 1];
        if (k < LANES)
            order[k] = kept;
        kept++;
    }
    for (int i = 0; i < count; i++) {
        taken[i] = m->cells[order[i]];
        m->cells[order[i]].bound = INFINITY;
    }
    m->cell_count = kept;
    return count;
}

/* where a cell is divided into so many parts: evenly, and where its line is nearest */
static void divide(const motion_cell *cell, int inner, double *u)
{
    const double width = cell->u[1] - cell->u[0], at = scalar_clamp(cell->nearest, 0.02, 0.98);
    int moved = (int)(at * (inner + 1) - 0.5);
    moved = moved < 0 ? 0 : moved >= inner ? inner - 1 : moved;
    for (int i = 0; i < inner; i++)
        u[i] = cell->u[0] + width * (i == moved ? at : (double)(i + 1) / (inner + 1));
}

/* divides the taken cells by new samples */
static void divide_cells(motion *m, const motion_cell *taken, int count)
{
    const int inner = LANES / count;
    int branches[LANES];
    double u[LANES], values[LANES];
    motion_rows rows;
    kernel_cells cells;
    for (int i = 0; i < LANES; i++) {
        const motion_cell *cell = &taken[i / inner < count ? i / inner : count - 1];
        const slice_span *span = &m->spans[cell->span];
        if (i % inner == 0 && i / inner < count)
            divide(cell, inner, u + i);
        else if (i / inner >= count)
            u[i] = u[i - 1];
        branches[i] = span->branch;
        values[i] = motion_value(span, u[i]);
    }
    motion_find(m, branches, values, &rows);
    m->way.count = 0;
    for (int c = 0; c < count; c++) {
        add_end(&m->way, &taken[c], 0);
        for (int i = c * inner; i < (c + 1) * inner; i++)
            add_sample(&m->way, u[i], &rows, i);
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
    for (int k = 0; k < MOTION_JOINTS; k++) {
        const closed_joint *joint = &m->arm->chain->joints[k];
        m->start[k] = way->start[k] = start[k];
        way->lower[k] = joint->lower;
        way->upper[k] = joint->upper;
        way->weight[k] = 1 / joint->unit;
    }
}

/* brings the nearest on its turns, inside the limits */
static void settle(motion *m)
{
    for (int k = 0; k < MOTION_JOINTS; k++) {
        const closed_joint *joint = &m->arm->chain->joints[k];
        double d = m->q[k] - m->start[k];
        d -= TURN * scalar_round(d * (1 / TURN));
        double q = m->start[k] + d;
        if (q > joint->upper + CLOSED_LIMIT_TOLERANCE)
            q -= TURN;
        else if (q < joint->lower - CLOSED_LIMIT_TOLERANCE)
            q += TURN;
        m->q[k] = scalar_clamp(q, joint->lower, joint->upper);
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

void motion_begin(motion *m, const slice_arm *arm, const kernel_ops *ops,
                  const lb_transform *target, const double *start, double bound)
{
    m->arm = arm;
    m->ops = ops;
    m->cut = false;
    begin_way(m, start);
    m->least = bound;
    m->cell_count = 0;
    const slice_span window = find_window(m, bound);
    m->span_count = slice_place(arm, target, window.begin, window.end, &m->turning, m->spans);
    for (int next = 0; next < m->span_count;)
        next = sample_spans(m, next);
}

bool motion_nearest(motion *m, const slice_arm *arm, const kernel_ops *ops,
                    const lb_transform *target, const double *start, double bound)
{
    motion_cell taken[LANES];
    m->wants_all = false;
    motion_begin(m, arm, ops, target, start, bound);
    int count = take_cells(m, taken);
    for (int round = 0; count > 0; count = take_cells(m, taken)) {
        if (round++ == MOST_ROUNDS) {
            m->cut = true;
            break;
        }
        divide_cells(m, taken, count);
    }
    if (!(m->least < bound))
        return false;
    settle(m);
    return true;
}
