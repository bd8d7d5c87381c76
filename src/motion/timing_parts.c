/*
 * timing_parts.c - a path between its corners: curves, and their profiles.
 */
#include "motion/timing.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/scalar.h"
#include "motion/path.h"

#include <string.h>

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
