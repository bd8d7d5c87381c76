/* path.h - what an lb_path holds: its spans, from point to point. */
#ifndef MOTION_PATH_H
#define MOTION_PATH_H

#include <limber/motion.h>

/* most parts of a cubic whose length is measured */
enum { SPAN_PARTS = 32 };

/* How a span's position depends on its parameter u in [0, 1]. */
typedef enum span_kind {
    SPAN_LINE,  /* c0 + u c1, counted from c2 in its second half: both ends are exact */
    SPAN_CUBIC, /* c0 + u c1 + u^2 c2 + u^3 c3 */
    SPAN_ARC    /* c0 + cos(angle) c1 + sin(angle) c2, angle = from + u sweep */
} span_kind;

/* The part of a path from one point to the next. */
typedef struct path_span {
    span_kind kind;
    lb_vec3 c[4];
    double from, sweep; /* SPAN_ARC: radians */
    double length;      /* metres */
    int parts; /* SPAN_CUBIC: they end at parameter ends[i], lengths[i] metres from u = 0 */
    double ends[SPAN_PARTS], lengths[SPAN_PARTS];
    double begin, end;     /* shares of the whole path */
    lb_quat rotation[2];   /* at its ends */
    bool smooth;           /* the axes turn by rotation_between, else by slerp */
    lb_vec3 leave, arrive; /* see rotation_between */
} path_span;

struct lb_path {
    lb_allocator allocator;
    int points, count; /* of spans; at least one */
    double length;
    path_span spans[]; /* count */
};

/* ---- spans: span.c ------------------------------------------------------ */

/* Positions c[], from and sweep are set; measures the span. */
void span_measure(path_span *span);
/* The position after this share of its length, in [0, 1]. */
lb_vec3 span_place(const path_span *span, double share);

/* ---- curves through points: span.c -------------------------------------- */

/* Sets the spans to straight lines between the points. */
void curve_lines(path_span *spans, int count, const lb_transform *points, int n);
/*
 * Sets the two or (closed) three spans to arcs of the circle through three points; to lines where
 * they are collinear, in order. False when they are collinear in another order.
 */
bool curve_circle(path_span *spans, int count, const lb_transform *points);
/*
 * Sets the spans to the cubic spline through n points, no two consecutive ones at the same
 * position. `work` has 3 numbers and 3 vectors for each span and as many for one more.
 */
void curve_spline(path_span *spans, int count, const lb_transform *points, int n, double *work);

/* How many numbers of working memory curve_spline needs. */
size_t curve_spline_work(int count);

#endif
