/*
 * groups.c - all places of four or six bodies of a plane that joints hold at once.
 *
 * The turns of bodies and the shifts of joints that slide are complex unknowns u, as many as there
 * are bodies, and every place is linear in them. Half as many loops close, which leaves u = P + Q y
 * with y half as long. The conjugates are unknowns of their own, conj(P) + conj(Q) z. Then a turn u
 * of length 1 and a shift u along a line of the turn c,
 *     u u* = 1,        u c* = c u*,
 * are equations bilinear in y and z with up to 6 or 20 roots, as many as Dixon's determinants have
 * (Wampler 2001). Real places are roots with z = conj(y). All roots are tracked from a product of
 * linear forms, of y times of z, in which half of either vanish: each start is a linear solve.
 */
#include "kinematics/planar.h"
#include "kinematics/roots.h"
#include "math/dense.h"

#include <string.h>

/* Complex forms in unknowns; the constant last. */
typedef struct group_form {
    planar_point by[GROUP_BODIES], rest;
} group_form;

/* A group's unknowns, its bodies in them, and the equations. */
typedef struct group_system {
    int n, count;                                               /* y and u */
    bool slides[GROUP_BODIES];                                  /* of u: it is a shift, */
    group_form lines[GROUP_BODIES];                             /* along the turn c */
    group_form turns[BODIES_MOST + 1], places[BODIES_MOST + 1]; /* of bodies, as shares of size */
    bool turned[BODIES_MOST + 1], placed[BODIES_MOST + 1];
    group_form loops[BILINEAR_MOST]; /* these are zero */
    root_form u[GROUP_BODIES];
    kernel_bilinear_form wanted[BILINEAR_UNKNOWNS];
} group_system;

/* ---- places in the unknowns ------------------------------------------------- */

static group_form form_of(planar_point rest)
{
    return (group_form){.rest = rest};
}

/* f + g * by */
static group_form form_sum(group_form f, const group_form *g, planar_point by)
{
    for (int i = 0; i < GROUP_BODIES; i++)
        f.by[i] = point_sum(f.by[i], point_times(g->by[i], by));
    f.rest = point_sum(f.rest, point_times(g->rest, by));
    return f;
}

static group_form form_unknown(int i)
{
    group_form f = form_of((planar_point){0, 0});
    f.by[i].x = 1;
    return f;
}

/* what a slide says of the turn of one of its bodies, if it has the other's */
static bool turn_by_slides(const lb_assembly *a, const planar_group *g, group_system *s)
{
    for (int i = 0; i < g->body_count / 2 * 3; i++) {
        const planar_edge *e = &a->edges[g->edges[i].edge];
        int first = e->bodies[0], second = e->bodies[1];
        if (!e->slides || s->turned[first] == s->turned[second])
            continue;
        int from = s->turned[first] ? first : second, to = first + second - from;
        s->turns[to] = form_sum(form_of((planar_point){0, 0}), &s->turns[from],
                                from == first ? e->turn : point_mirror(e->turn));
        return s->turned[to] = true;
    }
    return false;
}

/* the turns of all bodies, and how many unknowns they take */
static void set_turns(const lb_assembly *a, const planar_group *g, group_system *s)
{
    while (turn_by_slides(a, g, s))
        ;
    for (int i = 0; i < g->body_count; i++) {
        int body = g->bodies[i];
        if (s->turned[body])
            continue;
        s->turns[body] = form_unknown(s->count++);
        s->turned[body] = true;
        while (turn_by_slides(a, g, s))
            ;
    }
}

/* place of the second body by the first's, less `moved` of its own */
static group_form offset_of(const lb_assembly *a, const group_system *s, const planar_edge *e,
                            int shift)
{
    double share = 1 / a->size;
    group_form f = form_sum(form_of((planar_point){0, 0}), &s->turns[e->bodies[0]],
                            point_scaled(e->points[0], share));
    f = form_sum(f, &s->turns[e->bodies[1]], point_scaled(e->points[1], -share));
    if (shift >= 0)
        f.by[shift].x += 1;
    return f;
}

/* places along the joints, and what closes; false: there are not as many loops as there should be,
   or as many unknowns */
static bool set_places(const lb_assembly *a, const planar_group *g, group_system *s)
{
    const planar_point one = {1, 0}, minus = {-1, 0};
    int edge_count = g->body_count / 2 * 3, loops = 0;
    group_form offsets[GROUP_EDGES];
    bool used[GROUP_EDGES] = {false};
    for (int i = 0; i < edge_count; i++) {
        const planar_edge *e = &a->edges[g->edges[i].edge];
        if (e->slides && s->count == g->body_count)
            return false;
        int shift = e->slides ? s->count++ : -1;
        offsets[i] = offset_of(a, s, e, shift);
        if (!e->slides)
            continue;
        s->slides[shift] = true;
        s->lines[shift] =
            form_sum(form_of((planar_point){0, 0}), &s->turns[e->bodies[0]], e->along);
    }
    for (bool grown = true; grown;) {
        grown = false;
        for (int i = 0; i < edge_count; i++) {
            const planar_edge *e = &a->edges[g->edges[i].edge];
            int first = e->bodies[0], second = e->bodies[1];
            if (used[i] || s->placed[first] == s->placed[second])
                continue;
            int from = s->placed[first] ? first : second, to = first + second - from;
            s->places[to] = form_sum(s->places[from], &offsets[i], from == first ? one : minus);
            used[i] = s->placed[to] = grown = true;
        }
    }
    for (int i = 0; i < edge_count; i++) {
        const planar_edge *e = &a->edges[g->edges[i].edge];
        if (used[i] || loops == s->n)
            continue;
        group_form loop = form_sum(s->places[e->bodies[0]], &offsets[i], one);
        s->loops[loops++] = form_sum(loop, &s->places[e->bodies[1]], minus);
    }
    return loops == s->n && s->count == g->body_count;
}

/* ---- u = P + Q y ---------------------------------------------------------------- */

/* the largest coefficient of loops from `row` on, of unknowns that none is solved for */
static double find_pivot(const group_system *s, int row, const int *solved, int *at, int *unknown)
{
    double best = 0;
    for (int i = row; i < s->n; i++)
        for (int k = 0; k < s->count; k++)
            if (solved[k] < 0 && point_square(s->loops[i].by[k]) > best) {
                best = point_square(s->loops[i].by[k]);
                *at = i;
                *unknown = k;
            }
    return sqrt(best);
}

/* the loops solved for half of the unknowns, by complete pivoting; false: they are not
   independent */
static bool eliminate_loops(group_system *s)
{
    // places close to 1e-12: of a link shorter than this share the turn is known worse than roots
    // are told apart
    const double least = 1e-6;
    int solved[GROUP_BODIES], at = 0, unknown = 0, free = 1;
    for (int k = 0; k < s->count; k++)
        solved[k] = -1;
    for (int k = 0; k < s->count; k++) {
        double most = 0;
        for (int i = 0; i < s->n; i++)
            most = fmax(most, point_square(s->loops[i].by[k]));
        if (most < least * least)
            return false;
    }
    for (int row = 0; row < s->n; row++) {
        if (find_pivot(s, row, solved, &at, &unknown) < least)
            return false;
        group_form f = s->loops[at];
        s->loops[at] = s->loops[row];
        planar_point pivot = f.by[unknown];
        f = form_sum(form_of((planar_point){0, 0}), &f,
                     point_scaled(point_mirror(pivot), 1 / point_square(pivot)));
        for (int i = 0; i < s->n; i++)
            if (i != row)
                s->loops[i] = form_sum(s->loops[i], &f, point_scaled(s->loops[i].by[unknown], -1));
        s->loops[row] = f;
        solved[unknown] = row;
    }
    memset(s->u, 0, sizeof s->u);
    for (int k = 0; k < s->count; k++) {
        if (solved[k] >= 0) {
            s->u[k].at[0] = point_scaled(s->loops[solved[k]].rest, -1);
            continue;
        }
        s->u[k].at[free].x = 1;
        for (int i = 0; i < s->count; i++)
            if (solved[i] >= 0)
                s->u[i].at[free] = point_scaled(s->loops[solved[i]].by[k], -1);
        free++;
    }
    return true;
}

/* a form in u as one in y */
static root_form form_in_y(const group_system *s, const group_form *f)
{
    root_form out = {.at = {f->rest}};
    for (int k = 0; k < s->count; k++)
        for (int i = 0; i <= s->n; i++)
            out.at[i] = point_sum(out.at[i], point_times(f->by[k], s->u[k].at[i]));
    return out;
}

/* the equations of turns and shifts */
static void set_equations(group_system *s)
{
    for (int k = 0; k < s->count; k++) {
        root_form c = {.at = {{1, 0}}};
        if (s->slides[k])
            c = form_in_y(s, &s->lines[k]);
        for (int i = 0; i <= s->n; i++)
            for (int j = 0; j <= s->n; j++) {
                const planar_point *u = s->u[k].at;
                planar_point last = s->slides[k] ? point_times(c.at[i], point_mirror(u[j]))
                                                 : point_times(c.at[i], point_mirror(c.at[j]));
                planar_point first = s->slides[k] ? point_times(u[i], point_mirror(c.at[j]))
                                                  : point_times(u[i], point_mirror(u[j]));
                s->wanted[k][i][j] = point_less(first, last);
            }
    }
}

static bool set_system(const lb_assembly *a, const planar_group *g, group_system *s)
{
    memset(s, 0, sizeof *s);
    s->n = g->body_count / 2;
    for (int b = 0; b < a->body_count; b++) {
        s->turns[b] = form_of(a->poses[b].turn);
        s->places[b] = form_of(point_scaled(a->poses[b].place, 1 / a->size));
        s->turned[b] = s->placed[b] = true;
    }
    for (int i = 0; i < g->body_count; i++)
        s->turned[g->bodies[i]] = s->placed[g->bodies[i]] = false;
    set_turns(a, g, s);
    if (!set_places(a, g, s) || !eliminate_loops(s))
        return false;
    set_equations(s);
    return true;
}

/* ---- starts --------------------------------------------------------------------- */

/*
 * Factors of the start's products: those of turns' own equations, which suits linkages whose roots
 * are all finite, or random forms near them.
 */
static void draw_factors(const group_system *s, bool random_forms, lb_random *random,
                         root_form *first, root_form *second)
{
    planar_point phase;
    for (int k = 0; k < s->count; k++) {
        if (k == 0 || random_forms)
            lb_sincos(lb_random_between(random, -LB_PI, LB_PI), &phase.y, &phase.x);
        for (int i = 0; i <= s->n; i++) {
            first[k].at[i] = point_times(s->u[k].at[i], phase);
            second[k].at[i] = point_mirror(s->u[k].at[i]);
            if (!random_forms)
                continue;
            first[k].at[i] = point_sum(first[k].at[i], root_draw(random));
            second[k].at[i] = point_sum(second[k].at[i], root_draw(random));
        }
    }
}

/* where n of the forms vanish, those in `set`; false: nowhere, not in one place, or others do, too
 */
static bool solve_forms(const root_form *forms, int n, int set, planar_point *x)
{
    // below it a start is nearly one at infinity
    const double least = 1e-6;
    double matrix[BILINEAR_UNKNOWNS * BILINEAR_UNKNOWNS], b[BILINEAR_UNKNOWNS];
    int pivots[BILINEAR_UNKNOWNS], row = 0;
    for (int k = 0; k < 2 * n; k++) {
        if (!(set >> k & 1))
            continue;
        // complex rows as pairs of real ones
        for (int i = 0; i < n; i++) {
            planar_point z = forms[k].at[i + 1];
            double *top = matrix + row * 2 * n + 2 * i, *low = top + 2 * n;
            top[0] = low[1] = z.x;
            top[1] = -z.y;
            low[0] = z.y;
        }
        b[row++] = -forms[k].at[0].x;
        b[row++] = -forms[k].at[0].y;
    }
    if (!(dense_lu_factor(2 * n, matrix, pivots) > least))
        return false;
    dense_lu_solve(2 * n, matrix, pivots, b);
    for (int i = 0; i < n; i++)
        x[i] = (planar_point){b[2 * i], b[2 * i + 1]};
    bool simple = true;
    for (int k = 0; k < 2 * n; k++) {
        planar_point value = forms[k].at[0];
        for (int i = 0; i < n; i++)
            value = point_sum(value, point_times(forms[k].at[i + 1], x[i]));
        simple = simple && (set >> k & 1 || point_square(value) > least * least);
    }
    return simple;
}

int bilinear_start(int n, const root_form *first, const root_form *second,
                   const kernel_bilinear_form *wanted, kernel_bilinear *equations,
                   kernel_path *paths)
{
    int count = 0, all = (1 << 2 * n) - 1;
    equations->n = n;
    for (int k = 0; k < 2 * n; k++)
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) {
                planar_point from = point_times(first[k].at[i], second[k].at[j]);
                equations->start[k][i][j] = from;
                equations->rise[k][i][j] = point_less(wanted[k][i][j], from);
            }
    for (int set = 0; set <= all; set++) {
        int bits = 0;
        for (int k = 0; k < 2 * n; k++)
            bits += set >> k & 1;
        if (bits != n)
            continue;
        planar_point *x = paths[count++].at;
        if (!solve_forms(first, n, set, x) || !solve_forms(second, n, all & ~set, x + n))
            return 0;
    }
    return count;
}

static int make_start(const group_system *s, bool random_forms, lb_random *random,
                      kernel_bilinear *equations, kernel_path *paths)
{
    root_form first[GROUP_BODIES], second[GROUP_BODIES];
    draw_factors(s, random_forms, random, first, second);
    return bilinear_start(s->n, first, second, s->wanted, equations, paths);
}

/* ---- roots ------------------------------------------------------------------------ */

/* the ends of the paths from a start */
static int track_group(const void *equations, int pass, const kernel_care *care, lb_random *random,
                       kernel_path *paths)
{
    const group_system *s = equations;
    kernel_bilinear from;
    bool slides = false;
    for (int k = 0; k < s->count; k++)
        slides = slides || s->slides[k];
    int count = pass > 0 || slides ? 0 : make_start(s, false, random, &from, paths);
    if (count == 0)
        count = make_start(s, true, random, &from, paths);
    kernel_choose_track(0)->bilinear(&from, care, paths, count);
    return count;
}

/* ---- places ----------------------------------------------------------------------- */

static planar_point form_at(const group_form *f, const planar_point *u, int count)
{
    planar_point at = f->rest;
    for (int k = 0; k < count; k++)
        at = point_sum(at, point_times(f->by[k], u[k]));
    return at;
}

/* the poses of a group's bodies for a real root */
static void place_bodies(const lb_assembly *a, const planar_group *g, const group_system *s,
                         const kernel_path *root, planar_pose *out)
{
    planar_point u[GROUP_BODIES];
    for (int k = 0; k < s->count; k++) {
        u[k] = s->u[k].at[0];
        for (int i = 0; i < s->n; i++)
            u[k] = point_sum(u[k], point_times(s->u[k].at[i + 1], root->at[i]));
    }
    for (int i = 0; i < g->body_count; i++) {
        planar_point turn = form_at(&s->turns[g->bodies[i]], u, s->count);
        planar_point place = form_at(&s->places[g->bodies[i]], u, s->count);
        out[i] =
            (planar_pose){point_turn(turn, (planar_point){1, 0}), point_scaled(place, a->size)};
    }
}

int group_solve(const lb_assembly *a, const planar_group *g, planar_pose *out, bool *certain)
{
    // a root less well posed than this is known too badly for the groups after it
    const double least_pivot = 1e-5;
    group_system s;
    root_list list;
    if (!set_system(a, g, &s)) {
        *certain = false;
        return 0;
    }
    const root_system system = {&s, 2 * s.n, s.n, track_group};
    bool all = roots_find(&system, &list);
    int found = 0;
    for (int i = 0; i < list.count; i++) {
        if (!root_is_real(&system, &list.at[i]))
            continue;
        all = all && list.at[i].pivot > least_pivot;
        place_bodies(a, g, &s, &list.at[i], out + g->body_count * found++);
    }
    *certain = *certain && all;
    return found;
}
