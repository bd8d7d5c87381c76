/*
 * dyads.c - both places of a dyad, in closed form.
 *
 * One quadratic equation gives them, whichever of its joints slide: circle and circle, line and
 * circle, line and line.
 */
#include "kinematics/planar.h"

/* an edge in the sense of its use */
static planar_edge turned_edge(const lb_assembly *a, planar_use use)
{
    planar_edge e = a->edges[use.edge];
    if (!use.back)
        return e;
    planar_point back = {e.turn.x, -e.turn.y};
    return (planar_edge){.bodies = {e.bodies[1], e.bodies[0]},
                         .points = {e.points[1], e.points[0]},
                         .slides = e.slides,
                         .along = point_scaled(point_times(e.along, back), -1),
                         .turn = back};
}

/* ---- solving one dyad ---------------------------------------------------- */

/* the pose with a turn that brings a point of the body to a place */
static planar_pose pose_at(planar_point turn, planar_point z, planar_point place)
{
    return (planar_pose){turn, point_less(place, point_times(turn, z))};
}

/*
 * Roots of x^2 + 2 b x + c = 0 for lengths of about `size`; returns how many. A double root is
 * found once, and is not certain.
 */
static int solve_square(double b, double c, double size, double roots[2], bool *certain)
{
    // a thousand times the rounding of squares
    double d = b * b - c, noise = 1e-12 * size * size;
    if (fabs(d) <= noise) {
        *certain = false;
        roots[0] = -b;
        return 1;
    }
    if (d < 0)
        return 0;
    d = sqrt(d);
    roots[0] = -b - d;
    roots[1] = -b + d;
    return 2;
}

/* where s and t of a + s u = t v, false: u and v are parallel */
static bool meet(planar_point a, planar_point u, planar_point v, double *s, double *t)
{
    double det = point_cross(u, v);
    // unit vectors
    if (fabs(det) < 1e-9)
        return false;
    *s = -point_cross(a, v) / det;
    *t = -point_cross(a, u) / det;
    return true;
}

/* The three joints of a dyad, and the poses of the known bodies at its ends. */
typedef struct dyad_case {
    planar_edge e[3];
    planar_pose first, last;
    double size;
} dyad_case;

/* both bodies turn about known places, and about each other */
static int solve_turning(const dyad_case *c, planar_pose out[2][2], bool *certain)
{
    planar_point from = pose_point(&c->first, c->e[0].points[0]),
                 to = pose_point(&c->last, c->e[2].points[0]);
    planar_point first = point_less(c->e[1].points[0], c->e[0].points[1]);
    planar_point last = point_less(c->e[2].points[1], c->e[1].points[1]), d = point_less(to, from);
    double least = 1e-9 * c->size, far = sqrt(point_square(d));
    if (far < least || point_square(first) < least * least || point_square(last) < least * least) {
        *certain = false;
        return 0;
    }
    double along = (point_square(first) - point_square(last) + far * far) / (2 * far), roots[2];
    int count = solve_square(0, along * along - point_square(first), c->size, roots, certain);
    for (int i = 0; i < count; i++) {
        planar_point arm = point_times(point_scaled(d, 1 / far), (planar_point){along, roots[i]});
        out[i][0] = pose_at(point_turn(arm, first), c->e[0].points[1], from);
        out[i][1] = pose_at(point_turn(point_less(d, arm), last), c->e[2].points[1], to);
    }
    return count;
}

/* the first body slides on a known one: it keeps its turn */
static planar_pose sliding(const dyad_case *c)
{
    planar_point turn = point_times(c->first.turn, c->e[0].turn);
    return pose_at(turn, c->e[0].points[1], pose_point(&c->first, c->e[0].points[0]));
}

static int solve_sliding(const dyad_case *c, planar_pose out[2][2], bool *certain)
{
    planar_pose first = sliding(c);
    planar_point along = point_times(c->first.turn, c->e[0].along),
                 to = pose_point(&c->last, c->e[2].points[0]);
    planar_point last = point_less(c->e[2].points[1], c->e[1].points[1]);
    planar_point off = point_less(pose_point(&first, c->e[1].points[0]), to);
    double roots[2], least = 1e-9 * c->size;
    if (point_square(last) < least * least) {
        *certain = false;
        return 0;
    }
    int count = solve_square(point_dot(along, off), point_square(off) - point_square(last), c->size,
                             roots, certain);
    for (int i = 0; i < count; i++) {
        planar_point by = point_scaled(along, roots[i]);
        out[i][0] = (planar_pose){first.turn, point_sum(first.place, by)};
        out[i][1] =
            pose_at(point_turn(point_scaled(point_sum(off, by), -1), last), c->e[2].points[1], to);
    }
    return count;
}

/* both turn about known places and slide on each other */
static int solve_guided(const dyad_case *c, planar_pose out[2][2], bool *certain)
{
    planar_point from = pose_point(&c->first, c->e[0].points[0]),
                 to = pose_point(&c->last, c->e[2].points[0]);
    planar_point d = point_less(to, from), along = c->e[1].along;
    // where the last body's pivot is in the first one's axes, from that one's pivot
    planar_point rest = point_times(c->e[1].turn, point_less(c->e[2].points[1], c->e[1].points[1]));
    planar_point off = point_less(point_sum(c->e[1].points[0], rest), c->e[0].points[1]);
    double roots[2], least = 1e-9 * c->size;
    if (point_square(d) < least * least) {
        *certain = false;
        return 0;
    }
    int count = solve_square(point_dot(along, off), point_square(off) - point_square(d), c->size,
                             roots, certain);
    for (int i = 0; i < count; i++) {
        planar_point turn = point_turn(d, point_sum(off, point_scaled(along, roots[i])));
        out[i][0] = pose_at(turn, c->e[0].points[1], from);
        out[i][1] = pose_at(point_times(turn, c->e[1].turn), c->e[2].points[1], to);
    }
    return count;
}

/* both slide on known ones and turn about each other */
static int solve_crossing(const dyad_case *c, planar_pose out[2][2], bool *certain)
{
    planar_pose first = sliding(c);
    planar_pose last = pose_at(point_times(c->last.turn, c->e[2].turn), c->e[2].points[1],
                               pose_point(&c->last, c->e[2].points[0]));
    planar_point u = point_times(c->first.turn, c->e[0].along),
                 v = point_times(c->last.turn, c->e[2].along);
    double s, t;
    planar_point off =
        point_less(pose_point(&first, c->e[1].points[0]), pose_point(&last, c->e[1].points[1]));
    if (!meet(off, u, v, &s, &t)) {
        *certain = false;
        return 0;
    }
    out[0][0] = (planar_pose){first.turn, point_sum(first.place, point_scaled(u, s))};
    out[0][1] = (planar_pose){last.turn, point_sum(last.place, point_scaled(v, t))};
    return 1;
}

/* the first slides on a known one, the last on the first and turns about a known place */
static int solve_stacked(const dyad_case *c, planar_pose out[2][2], bool *certain)
{
    planar_pose first = sliding(c);
    planar_point turn = point_times(first.turn, c->e[1].turn),
                 to = pose_point(&c->last, c->e[2].points[0]);
    planar_pose last = pose_at(turn, c->e[1].points[1], pose_point(&first, c->e[1].points[0]));
    planar_point u = point_times(c->first.turn, c->e[0].along),
                 v = point_times(first.turn, c->e[1].along);
    double s, t;
    if (!meet(point_less(pose_point(&last, c->e[2].points[1]), to), u, point_scaled(v, -1), &s,
              &t)) {
        *certain = false;
        return 0;
    }
    out[0][0] = (planar_pose){first.turn, point_sum(first.place, point_scaled(u, s))};
    out[0][1] = pose_at(turn, c->e[2].points[1], to);
    return 1;
}

int dyad_solve(const lb_assembly *a, const planar_group *d, planar_pose *out, bool *certain)
{
    planar_pose(*rows)[2] = (planar_pose(*)[2])out;
    dyad_case c = {.size = a->size};
    for (int i = 0; i < 3; i++)
        c.e[i] = turned_edge(a, d->edges[i]);
    c.first = a->poses[c.e[0].bodies[0]];
    c.last = a->poses[c.e[2].bodies[0]];
    bool slides[3] = {c.e[0].slides, c.e[1].slides, c.e[2].slides};
    return slides[0] && slides[2] ? solve_crossing(&c, rows, certain)
           : slides[0]
               ? slides[1] ? solve_stacked(&c, rows, certain) : solve_sliding(&c, rows, certain)
           : slides[1] ? solve_guided(&c, rows, certain)
                       : solve_turning(&c, rows, certain);
}
