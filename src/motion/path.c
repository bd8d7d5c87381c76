/*
 * path.c - paths: positions and axes of a tool as functions of the share of the time.
 *
 * A path is a row of spans, one from each point to the next. span.c sets their shape and measures
 * their length; here the time is distributed among them and the axes are interpolated.
 */
#include "motion/path.h"
#include "base/error.h"
#include "base/text.h"
#include "model/range.h"

#include "base/memory.h"
#include "motion/rotation.h"

#include <assert.h>

const char *lb_path_kind_text(lb_path_kind kind)
{
    static const char *const texts[] = {LB_PATH_KIND_LIST(LIST_TEXT)};
    return kind < LB_PATH_KIND_COUNT ? texts[kind] : "";
}

/* ---- refusing ----------------------------------------------------------- */

/* axes farther than this from orthonormal are refused: six decimals are better */
#define RIGID 1e-5

static lb_status check_count(const lb_path_source *source, lb_error *error)
{
    static const int least[LB_PATH_KIND_COUNT] = {1, 3, 2};
    const char *kind = lb_path_kind_text(source->kind);
    if (source->kind >= LB_PATH_KIND_COUNT)
        return REFUSE_ARGUMENT(error, "there is no such kind of path");
    if (!(source->turn >= 0) || !range_has(source->turn))
        return REFUSE_ARGUMENT(
            error,
            "a path's 'turn' is %g but must be a finite number of at least 0, and "
            "at most %g",
            source->turn, LB_LENGTH_MAX);
    if (source->count < least[source->kind])
        return REFUSE_ARGUMENT(error, "a path of kind '%s' needs at least %d points; there are %d",
                               kind, least[source->kind], source->count);
    if (source->kind == LB_PATH_ARC && source->count > 3)
        return REFUSE_ARGUMENT(error,
                               "an arc goes through 3 points, not %d; a spline takes any number",
                               source->count);
    return LB_OK;
}

static lb_status check_points(const lb_path_source *source, lb_error *error)
{
    int n = source->count;
    for (int i = 0; i < n; i++)
        if (!lb_transform_is_rigid(&source->points[i], RIGID) ||
            !range_has_point(source->points[i].p))
            return REFUSE_VALUE(
                error,
                "point %d of the path: its numbers must be finite and within +-1e15, its axes "
                "orthonormal",
                i + 1);
    // a spline's parameter does not advance between two points at the same position
    for (int i = 0; source->kind == LB_PATH_SPLINE && i < n - !source->closed; i++)
        if (!(lb_transform_distance(&source->points[i], &source->points[(i + 1) % n]) > 0))
            return REFUSE_VALUE(error,
                                "points %d and %d of the spline are in the same place; leave one "
                                "out, or take a polyline",
                                i + 1, (i + 1) % n + 1);
    return LB_OK;
}

/* ---- making ------------------------------------------------------------- */

static lb_status lead(lb_path *path, const lb_path_source *source, lb_error *error)
{
    const lb_transform *points = source->points;
    if (source->kind == LB_PATH_POLYLINE)
        curve_lines(path->spans, path->count, points, source->count);
    if (source->kind == LB_PATH_ARC && !curve_circle(path->spans, path->count, points))
        return REFUSE_VALUE(error,
                            "the arc's points lie on one line, and the second not between the "
                            "others: no circle passes through them in this order");
    if (source->kind == LB_PATH_SPLINE) {
        double *work =
            memory_take(&path->allocator, curve_spline_work(path->count), sizeof(double));
        TRY(require_memory(error, work));
        curve_spline(path->spans, path->count, points, source->count, work);
        memory_release(&path->allocator, work);
    }
    return LB_OK;
}

/* the rotation vector from one end to the other */
static lb_vec3 span_turn(const path_span *span)
{
    return rotation_displacement(span->rotation[0], span->rotation[1]);
}

/* metres that a span counts as: its length, or that of its rotation if that is larger */
static double span_time(const path_span *span, double turn)
{
    return fmax(span->length, turn * lb_vec3_length(span_turn(span)));
}

/* distributes the time; a path without length uses its rotations, and without these its points */
static void schedule(lb_path *path, double turn)
{
    double total = 0, sum = 0;
    for (int i = 0; i < path->count; i++)
        total += span_time(&path->spans[i], turn);
    bool still = !(total > 0), idle = false;
    if (still) {
        for (int i = 0; i < path->count; i++)
            total += span_time(&path->spans[i], 1);
        idle = !(total > 0);
    }
    for (int i = 0; i < path->count; i++) {
        path_span *span = &path->spans[i];
        span->begin = idle ? (double)i / path->count : sum / total;
        sum += span_time(span, still ? 1 : turn);
        span->end = idle ? (double)(i + 1) / path->count : sum / total;
    }
    path->spans[path->count - 1].end = 1;
}

static double duration(const path_span *span)
{
    return span->end - span->begin;
}

/* the velocity where a span ends and the next one begins, in units of a time */
static lb_vec3 turn_rate(const path_span *before, const path_span *after, double time)
{
    lb_vec3 rate =
        rotation_rate(span_turn(before), duration(before), span_turn(after), duration(after));
    return lb_vec3_scale(rate, time);
}

/*
 * The rotation vectors at the ends of smooth spans, from their neighbours: of those that take any
 * time, as points may be so near to each other that they share theirs.
 */
static void smooth(lb_path *path, bool closed)
{
    const path_span *first = NULL, *last = NULL;
    for (int i = 0; i < path->count; i++) {
        path_span *span = &path->spans[i];
        span->smooth = true;
        span->leave = span->arrive = span_turn(span);
        if (!(duration(span) > 0))
            continue;
        if (last)
            span->leave = turn_rate(last, span, duration(span));
        first = first ? first : span;
        last = span;
    }
    const path_span *after = closed ? first : NULL;
    for (int i = path->count - 1; i >= 0; i--) {
        path_span *span = &path->spans[i];
        if (!(duration(span) > 0))
            continue;
        if (after)
            span->arrive = turn_rate(span, after, duration(span));
        if (closed && span == first)
            span->leave = turn_rate(last, span, duration(span));
        after = span;
    }
}

static lb_status fill(lb_path *path, const lb_path_source *source, lb_error *error)
{
    int n = source->count;
    TRY(lead(path, source, error));
    for (int i = 0; i < path->count; i++) {
        path_span *span = &path->spans[i];
        span_measure(span);
        span->rotation[0] = lb_transform_quat(&source->points[i]);
        span->rotation[1] = lb_transform_quat(&source->points[(i + 1) % n]);
        path->length += span->length;
    }
    schedule(path, source->turn);
    if (source->kind == LB_PATH_SPLINE)
        smooth(path, source->closed);
    return LB_OK;
}

lb_status lb_path_create(const lb_path_source *source, const lb_allocator *allocator,
                         lb_path **path, lb_error *error)
{
    if (path != NULL)
        *path = NULL;
    TRY(REQUIRE(error, {path, "path"}, {source, "source"},
                {source ? source->points : NULL, "points"}));
    TRY(check_count(source, error));
    TRY(check_points(source, error));
    lb_allocator memory = memory_allocator(allocator);
    int n = source->count, count = n == 1 || source->closed ? n : n - 1;
    lb_path *made = NULL;
    if ((size_t)count < (SIZE_MAX - sizeof *made) / sizeof *made->spans)
        made = memory_take(&memory, 1, sizeof *made + (size_t)count * sizeof *made->spans);
    TRY(require_memory(error, made));
    *made = (lb_path){.allocator = memory, .points = n, .count = count};
    lb_status status = fill(made, source, error);
    if (status == LB_OK)
        *path = made;
    else
        lb_path_release(made);
    return status;
}

void lb_path_release(lb_path *path)
{
    if (!path)
        return;
    lb_allocator memory = path->allocator;
    memory_release(&memory, path);
}

/* ---- reading ------------------------------------------------------------ */

double lb_path_length(const lb_path *path)
{
    return path->length;
}

double lb_path_share(const lb_path *path, int point)
{
    assert(point >= 0 && point <= path->count && "index of a point");
    if (point < 0)
        return 0;
    return point < path->count ? path->spans[point].begin : path->spans[path->count - 1].end;
}

/* the first span that ends after the share, in [0, 1] */
static const path_span *span_after(const lb_path *path, double share)
{
    int low = 0, high = path->count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (path->spans[middle].end > share)
            high = middle;
        else
            low = middle + 1;
    }
    return &path->spans[low];
}

lb_transform lb_path_at(const lb_path *path, double share)
{
    share = share > 0 ? fmin(share, 1) : 0;
    const path_span *span = span_after(path, share);
    double u = share < span->end ? (share - span->begin) / duration(span) : 1;
    const lb_quat *r = span->rotation;
    lb_quat rotation = span->smooth ? rotation_between(r[0], r[1], span->leave, span->arrive, u)
                                    : lb_quat_slerp(r[0], r[1], u);
    return lb_transform_from_quat(rotation, span_place(span, u));
}
