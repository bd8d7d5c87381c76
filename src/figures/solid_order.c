/*
 * solid_order.c - which solid hides which: painting from back to front.
 *
 * Two convex bodies that do not touch hide each other in one order only, so it is
 * enough to compare how near they are at a few page points that lie on both.
 * The pairs make a graph, which is then sorted (Kahn 1962); in a cycle the
 * farthest body goes first (Newell, Newell & Sancha 1972 would cut it).
 */
#include "figures/solid.h"

#include <stdlib.h>

/* beyond this many solids only their mean depth is compared: pairs would take too long */
enum { max_paired = 4000 };

/* of the thickness: as a walker's pelvis tilts, its face is before that of the thigh or behind it
   by less, and elsewhere in a figure neighbours differ by more or never change places */
#define NEARLY_EVEN 0.12

/* in place of the number of items behind one that is on the page */
enum { painted = -1 };

/* what the sorting needs to know of a solid */
typedef struct item {
    double x0, x1, y0, y1; /* its bounds on the page */
    double depth;          /* of its middle */
    double thickness;      /* the least from front to back along its axis; of a box 0 */
    figure_point a, b;     /* its axis on the page */
    int index;
} item;

/* back hides behind front */
typedef struct pair {
    int back, front;
} pair;

typedef struct pairs {
    pair *at;
    int count, room;
} pairs;

/* ---- items -------------------------------------------------------------- */

static item item_make(const solid *body, const camera *view, int index)
{
    item it = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0, INFINITY, {0, 0}, {0, 0}, index};
    lb_vec3 centers[solid_max_balls];
    double radii[solid_max_balls];
    int n = solid_balls(body, centers, radii);
    for (int i = 0; i < n; i++) {
        double depth, r = radii[i] * camera_scale_at(view, centers[i]);
        figure_point p = camera_project(view, centers[i], &depth);
        it.x0 = fmin(it.x0, p.x - r);
        it.x1 = fmax(it.x1, p.x + r);
        it.y0 = fmin(it.y0, p.y - r);
        it.y1 = fmax(it.y1, p.y + r);
        it.depth += depth / n;
        it.thickness = fmin(it.thickness, 2 * radii[i]);
    }
    bool box = body->kind == SOLID_BOX;
    it.a = camera_project(view, box ? body->frame.p : centers[0], NULL);
    it.b = box ? it.a : camera_project(view, centers[n - 1], NULL);
    return it;
}

static int compare_left(const void *a, const void *b)
{
    const item *p = a, *q = b;
    return p->x0 != q->x0 ? (p->x0 < q->x0 ? -1 : 1)
                          : (p->index > q->index) - (p->index < q->index);
}

static int compare_depth(const void *a, const void *b)
{
    const item *p = a, *q = b;
    return p->depth != q->depth ? (p->depth < q->depth ? -1 : 1)
                                : (p->index > q->index) - (p->index < q->index);
}

/* ---- pairs -------------------------------------------------------------- */

/* how much nearer p is than q at a page point; adds to sum and count where both are there */
static void compare_at(const solid *p, const solid *q, const camera *view, figure_point at,
                       double *sum, int *count)
{
    double near_p, near_q;
    if (solid_depth(p, view, at, &near_p) && solid_depth(q, view, at, &near_q)) {
        *sum += near_p - near_q;
        ++*count;
    }
}

static figure_point between(figure_point a, figure_point b, double t)
{
    return (figure_point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* where the lines through two axes cross; false when they do not within both */
static bool crossing(const item *p, const item *q, figure_point *at)
{
    double px = p->b.x - p->a.x, py = p->b.y - p->a.y, qx = q->b.x - q->a.x, qy = q->b.y - q->a.y;
    double across = px * qy - py * qx;
    if (across == 0)
        return false;
    double dx = q->a.x - p->a.x, dy = q->a.y - p->a.y;
    double t = (dx * qy - dy * qx) / across, s = (dx * py - dy * px) / across;
    *at = between(p->a, p->b, t);
    return t >= 0 && t <= 1 && s >= 0 && s <= 1;
}

/* sums over points along an axis that lie on both */
static void compare_along(const solid *p, const solid *q, const camera *view, const item *axis,
                          double *sum, int *count)
{
    enum { samples = 7 };
    for (int i = 0; i < samples; i++)
        compare_at(p, q, view, between(axis->a, axis->b, (i + 0.5) / samples), sum, count);
}

/* the same over the rectangle that both have on the page */
static void compare_over(const solid *p, const item *ip, const solid *q, const item *iq,
                         const camera *view, double *sum, int *count)
{
    enum { samples = 7 };
    double x0 = fmax(ip->x0, iq->x0), x1 = fmin(ip->x1, iq->x1);
    double y0 = fmax(ip->y0, iq->y0), y1 = fmin(ip->y1, iq->y1);
    for (int i = 0; i < samples * samples; i++) {
        figure_point at = {x0 + (x1 - x0) * (i % samples + 0.5) / samples,
                           y0 + (y1 - y0) * (i / samples + 0.5) / samples};
        compare_at(p, q, view, at, sum, count);
    }
}

/* > 0: p is nearer, < 0: q is, 0: they do not overlap on the page */
static double nearer(const solid *p, const item *ip, const solid *q, const item *iq,
                     const camera *view)
{
    double sum = 0;
    int count = 0;
    figure_point at;

    // where their axes cross; else along each axis; else where they may overlap at all
    if (crossing(ip, iq, &at))
        compare_at(p, q, view, at, &sum, &count);
    if (count == 0) {
        compare_along(p, q, view, ip, &sum, &count);
        compare_along(p, q, view, iq, &sum, &count);
    }
    if (count == 0)
        compare_over(p, ip, q, iq, view, &sum, &count);
    // what lies in each other with faces as near as that has no order that is right all over: the
    // later one is in front, which is the limb and not the body that it hangs from
    if (count > 0 && fabs(sum / count) < NEARLY_EVEN * fmin(ip->thickness, iq->thickness))
        return ip->index - iq->index;
    return sum;
}

static bool pairs_add(pairs *list, int back, int front)
{
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 256;
        pair *at = realloc(list->at, (size_t)room * sizeof *at);
        if (!at)
            return false;
        list->at = at;
        list->room = room;
    }
    list->at[list->count++] = (pair){back, front};
    return true;
}

/* sweeps the page from left to right; items are sorted by their left edge */
static bool find_pairs(const solid *bodies, const item *items, int n, const camera *view,
                       pairs *list)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && items[j].x0 < items[i].x1; j++) {
            const item *p = &items[i], *q = &items[j];
            if (p->y0 >= q->y1 || q->y0 >= p->y1)
                continue;
            double lead = nearer(&bodies[p->index], p, &bodies[q->index], q, view);
            if (lead != 0 && !pairs_add(list, lead > 0 ? j : i, lead > 0 ? i : j))
                return false;
        }
    return true;
}

/* ---- sorting ------------------------------------------------------------ */

static int compare_back(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    return p->back != q->back ? p->back - q->back : p->front - q->front;
}

/* the farthest item that nothing unpainted is behind; where there is none the farthest of all */
static int farthest(const item *items, int n, const int *behind)
{
    int best = -1;
    for (int i = 0; i < n; i++) {
        if (behind[i] == painted)
            continue;
        bool free_now = behind[i] == 0, free_best = best >= 0 && behind[best] == 0;
        if (best < 0 || (free_now && !free_best) ||
            (free_now == free_best && items[i].depth < items[best].depth))
            best = i;
    }
    return best;
}

/* `behind` and `first` have room for n and n + 1 numbers */
static void sort_pairs(const item *items, int n, pairs *list, int *behind, int *first, int *order)
{
    // how many unpainted items are behind each, and where the pairs of each begin
    qsort(list->at, (size_t)list->count, sizeof *list->at, compare_back);
    for (int i = 0; i < n; i++)
        behind[i] = 0;
    for (int i = 0, k = 0; i <= n; i++) {
        while (k < list->count && list->at[k].back < i)
            behind[list->at[k++].front]++;
        first[i] = k;
    }
    for (int done = 0; done < n; done++) {
        int next = farthest(items, n, behind);
        order[done] = items[next].index;
        behind[next] = painted;
        for (int k = first[next]; k < first[next + 1]; k++)
            if (behind[list->at[k].front] > 0)
                behind[list->at[k].front]--;
    }
}

/* the order of depth alone */
static void sort_depth(item *items, int n, int *order)
{
    qsort(items, (size_t)n, sizeof *items, compare_depth);
    for (int i = 0; i < n; i++)
        order[i] = items[i].index;
}

static bool sort_overlaps(const solid *bodies, item *items, int n, const camera *view, int *order)
{
    int *behind = malloc((2 * (size_t)n + 1) * sizeof *behind);
    pairs list = {NULL, 0, 0};
    qsort(items, (size_t)n, sizeof *items, compare_left);
    bool done = behind && find_pairs(bodies, items, n, view, &list);
    if (done && list.count == 0)
        sort_depth(items, n, order);
    else if (done)
        sort_pairs(items, n, &list, behind, behind + n, order);
    free(behind);
    free(list.at);
    return done;
}

bool solid_order(const solid *bodies, int n, const camera *view, int *order)
{
    if (n <= 0)
        return true;
    item *items = malloc((size_t)n * sizeof *items);
    if (!items)
        return false;
    for (int i = 0; i < n; i++)
        items[i] = item_make(&bodies[i], view, i);
    bool done = true;
    if (n > max_paired)
        sort_depth(items, n, order);
    else
        done = sort_overlaps(bodies, items, n, view, order);
    free(items);
    return done;
}
