/*
 * radius.c - by how much the solutions of a closed form may be off, and where it surely has none.
 *
 * Lengths of vectors change by no more than the vectors do. The angle of a vector of length l that
 * is off by e is off by asin(e / l) <= pi / 2 e / l. Where a cosine is off by r its angle is off by
 * r over the least sine on the way and, at a double root, by 2.2215 sqrt(r) at most: acos(1 - t) <=
 * 2.2215 sqrt(t) up to t = 2. Everything else follows step by step in the form's own order, each
 * step with what those before it leave open.
 */
#include "ik/closed/radius.h"

#include "math/scalar.h"

/* numbers are rounded to half a unit in the last place some dozens of times on the way */
#define ROUNDING (48 * 0x1p-53)

/* ---- the snap ------------------------------------------------------------- */

/* the length of the links from axis i to the wrist's place */
static double length_beyond(const closed_arm *arm, int i, int wrist, lb_vec3 center)
{
    double length = 0;
    int last = i;
    for (int k = i + 1; k < wrist; k++, last++)
        length += lb_vec3_length(lb_vec3_sub(arm->point[k], arm->point[k - 1]));
    return length + lb_vec3_length(lb_vec3_sub(center, arm->point[last]));
}

/*
 * Axis i is turned by t and moved by d to where the class has it. By a rotation about it, turning
 * it by t turns what is beyond by 2 t at most, and moving it by d moves that by 2 d. The form has
 * turns about the axis as it was in places, so that the turn counts twice.
 */
static void add_snap(closed_snap *snap, double t, double d, double beyond)
{
    snap->rotation += 4 * t;
    snap->position += 4 * t * beyond + 2 * d;
}

static double slant(const closed_arm *arm, int i, int k)
{
    return (LB_PI / 2) * lb_vec3_length(lb_vec3_cross(arm->axis[i], arm->axis[k]));
}

closed_snap closed_snap_of(const closed_arm *arm, const kernel_closed *form)
{
    closed_arm seen = form->reversed ? closed_arm_reversed(arm) : *arm;
    const lb_vec3 center = form->anchor;
    const bool parallel = form->kind == KERNEL_CLOSED_PARALLEL, last = form->single.last;
    closed_snap snap = {.shoulder = seen.point[0]};
    if (form->pair == KERNEL_PAIR_PLANAR) {
        const int c = last ? 0 : 2;
        const double t = slant(&seen, 1, c);
        add_snap(&snap, t, 0, length_beyond(&seen, c, parallel ? 4 : 3, center));
        if (last && form->single.is_length) {
            // the slide is beyond, by as much as the wrist is away, and the links
            snap.per_metre = 4 * t;
            snap.position += 4 * t * length_beyond(&seen, 0, 3, center);
        }
    }
    if (form->pair == KERNEL_PAIR_MEET) {
        add_snap(&snap, 0, closed_off_axis(&seen, 1, form->meet.point), 0);
        add_snap(&snap, 0, closed_off_axis(&seen, last ? 0 : 2, form->meet.point), 0);
    }
    if (parallel)
        add_snap(&snap, slant(&seen, 1, 3), 0, length_beyond(&seen, 3, 4, center));
    for (int i = parallel ? 4 : 3; i < KERNEL_CLOSED_JOINTS; i++)
        add_snap(&snap, 0, closed_off_axis(&seen, i, center), 0);
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        snap.reach = scalar_max(snap.reach, lb_vec3_length(seen.point[i]));
    snap.reach = scalar_max(snap.reach, lb_vec3_length(arm->home.p)) + form->size;
    return snap;
}

/* ---- the target -------------------------------------------------------------- */

double closed_defect(const lb_transform *t)
{
    double most = fabs(lb_vec3_dot(t->x, t->x) - 1);
    most = scalar_max(most, fabs(lb_vec3_dot(t->y, t->y) - 1));
    most = scalar_max(most, fabs(lb_vec3_dot(t->z, t->z) - 1));
    most = scalar_max(most, fabs(lb_vec3_dot(t->x, t->y)));
    most = scalar_max(most, fabs(lb_vec3_dot(t->x, t->z)));
    most = scalar_max(most, fabs(lb_vec3_dot(t->y, t->z)));
    return 3 * most + ROUNDING;
}

/* what a wide target is off by where its wrist is `lever` from its origin and `away` from the
   shoulder; `far` bounds its places */
static void set_width(closed_wide *w, const closed_snap *snap, closed_slack slack, double defect,
                      double lever, double away, double far)
{
    w->turned = slack.rotation + defect + ROUNDING;
    w->off = slack.position + w->turned * lever + snap->position + snap->per_metre * away +
             ROUNDING * (snap->reach + far);
    w->rounding = 4 * ROUNDING * (snap->reach + far);
    w->stretch = defect + ROUNDING;
    w->turned += snap->rotation;
}

/* ---- radii of angles ------------------------------------------------------------ */

/* the angle of a plane vector of length l that is off by e */
static double angle_radius(double l, double e)
{
    return e < l ? LB_PI / 2 * e / l : CLOSED_OPEN;
}

/* |acos(a) - acos(b)| at most where |a - b| <= r, both cut to [-1, 1] */
static double acos_radius(double a, double r)
{
    r += 1e-15;
    const double far = fabs(a) + r, rest = 1 - far * far;
    const double root = 2.2215 * sqrt(r);
    return rest > 0 ? scalar_min(r / sqrt(rest), root) : root;
}

/* a chord's angle, as a length of a circle of radius 1 */
static double chord(double angle)
{
    return scalar_min(angle, 2);
}

/* ---- the single joint -------------------------------------------------------------- */

/* A cos q + B sin q = C with A and B together nu rho, rho off by `e` and C - A cos q - B sin q by
   `all`; the radius of q, and whether there is none */
static double linear_radius(double nu, double rho, double c, double e, double all, bool *missed)
{
    *missed = nu * rho - fabs(c) < -all;
    if (!(rho > e))
        return CLOSED_OPEN;
    const double cosine = c / (nu * rho);
    const double r = 1.5 * all * scalar_max(1, fabs(cosine)) / (nu * (rho - e));
    return scalar_min(angle_radius(rho, e) + acos_radius(cosine, r), CLOSED_OPEN);
}

static void turn_single(const closed_wide *w, closed_carry *p)
{
    const kernel_single *j = &w->form->single;
    const lb_vec3 m = j->last ? w->form->anchor : w->center;
    const lb_vec3 d = lb_vec3_sub(m, j->point);
    const double up = lb_vec3_dot(d, j->axis), nu = lb_vec3_length(j->cosine);
    const double rho = lb_vec3_length(lb_vec3_sub(d, lb_vec3_scale(j->axis, up)));
    double kept, all;
    if (w->form->pair == KERNEL_PAIR_PLANAR) {
        const lb_vec3 to = lb_vec3_sub(p->anchor, j->point);
        kept = lb_vec3_dot(to, j->normal);
        all = w->off + ROUNDING * (lb_vec3_length(to) + lb_vec3_length(d));
    } else {
        const lb_vec3 l = lb_vec3_sub(p->anchor, w->form->meet.point);
        const double dd = lb_vec3_dot(d, d), nn = lb_vec3_dot(j->normal, j->normal);
        const double ll = lb_vec3_dot(l, l);
        kept = (dd + nn - ll) * 0.5;
        all = (j->last ? sqrt(ll) : sqrt(dd) + sqrt(nn)) * w->off + w->off * w->off / 2 +
              ROUNDING * (dd + nn + ll);
    }
    kept -= up * j->along;
    p->radius = linear_radius(nu, rho, kept, p->x_off, all, &p->missed);
    // turned by that, or by what it leaves in the plane of a pair that the axis is in: the height,
    // and the root of what is across both
    const double turned = p->x_off + chord(p->radius) * rho, rest = all - p->x_off;
    const double least = rho - p->x_off, across = (fabs(kept) + rest) / nu;
    const double plane = (p->x_off + rest / nu) * (rho + p->x_off) /
                         sqrt(scalar_max(0, (least - across) * (least + across)));
    const bool in_plane = w->form->pair == KERNEL_PAIR_PLANAR && fabs(j->along) <= ROUNDING;
    p->x_off = in_plane && across < least ? scalar_min(turned, plane) : turned;
}

static void slide_single(const closed_wide *w, int branch, closed_carry *p)
{
    const kernel_single *j = &w->form->single;
    const lb_vec3 m = j->last ? w->form->anchor : w->center;
    if (w->form->pair == KERNEL_PAIR_PLANAR) {
        p->missed = branch & 1;
        p->radius = w->off / fabs(j->along);
    } else {
        const lb_vec3 from = lb_vec3_sub(m, w->form->meet.point);
        const lb_vec3 reach = lb_vec3_sub(p->anchor, w->form->meet.point);
        const double up = lb_vec3_dot(from, j->axis), most = lb_vec3_length(reach);
        const double across = lb_vec3_length(lb_vec3_sub(from, lb_vec3_scale(j->axis, up)));
        const double rest = most * most - across * across;
        const double r = 2 * (j->last ? most : across) * w->off + w->off * w->off +
                         ROUNDING * (most * most + across * across);
        p->missed = rest < -r;
        p->radius = p->x_off + scalar_min(rest > 0 ? r / sqrt(rest) : INFINITY, sqrt(r));
    }
    p->x_off += p->radius;
}

closed_wide closed_widen(const kernel_closed *form, const closed_snap *snap,
                         const lb_transform *target, closed_slack slack)
{
    const kernel_wrist *wrist = &form->wrist;
    closed_wide w = {.form = form};
    const lb_transform t = form->reversed ? lb_transform_inverse(target) : *target;
    w.center = lb_transform_point(&t, wrist->center_tip);
    const double lever = lb_vec3_length(form->reversed ? w.center : wrist->center_tip);
    const double away = lb_vec3_length(lb_vec3_sub(w.center, snap->shoulder));
    set_width(&w, snap, slack, closed_defect(target), lever, away,
              lb_vec3_length(target->p) + lb_vec3_length(wrist->center_tip));
    const bool last = form->single.last;
    w.carry = (closed_carry){.anchor = last ? w.center : form->anchor,
                             .anchor_off = last ? w.off : 0,
                             .x_off = last ? 0 : w.off};
    if (form->pair != KERNEL_PAIR_LENGTHS && !form->single.is_length)
        turn_single(&w, &w.carry);
    return w;
}

/* ---- two joints ----------------------------------------------------------------------- */

/* Radii of two joints, and whether they have no solution. */
typedef struct two_radii {
    double b, c;
    bool missed;
} two_radii;

static double in_plane(const kernel_planar *pair, lb_vec3 p, lb_vec3 from)
{
    const lb_vec3 d = lb_vec3_sub(p, from);
    const double x = lb_vec3_dot(d, pair->x), y = lb_vec3_dot(d, pair->y);
    return sqrt(x * x + y * y);
}

/* a triangle of links f and l, l off by le, to a point d away that is off by e */
static two_radii triangle_radii(double f, double l, double le, double d, double e)
{
    two_radii r = {CLOSED_OPEN, CLOSED_OPEN, false};
    r.missed = scalar_min(f + l - d, d - fabs(f - l)) < -(e + le);
    if (!(l > le))
        return r;
    const double squares = (d * d - f * f - l * l) / 2, cosine = squares / (f * l);
    const double n = d * e + e * e / 2 + l * le + le * le / 2 + ROUNDING * (d * d + f * f + l * l);
    const double off = (n / f + fabs(cosine) * le) / (l - le);
    const double root = acos_radius(cosine, off);
    r.c = scalar_min(root + angle_radius(l, le), CLOSED_OPEN);
    // both links as one, as long as the point is away or, cut to the nearest, nearly so
    const double bent = scalar_clamp(d, fabs(f - l), f + l);
    r.b = angle_radius(d, e) + angle_radius(bent, le + l * chord(root));
    r.b = scalar_min(r.b, CLOSED_OPEN);
    return r;
}

/* `reach`: the squared distance of its place */
static two_radii planar_radii(const closed_wide *w, const closed_carry *p, double reach)
{
    const kernel_planar *pair = &w->form->planar;
    const double f = sqrt(pair->link[0] * pair->link[0] + pair->link[1] * pair->link[1]);
    return triangle_radii(f, in_plane(pair, p->anchor, pair->second), p->anchor_off + w->rounding,
                          sqrt(reach), p->x_off + w->rounding);
}

/*
 * Axes at the angle alpha; c turns a direction that is theta from it (off by te) onto one that is
 * beta from b (off by e): sides of a spherical triangle, which there is where the cosine of the
 * turn is one. Cosines are also off by what directions are longer or shorter than one, `stretch`.
 */
static two_radii sphere_radii(const kernel_meet *pair, double along, double radius, double te,
                              double cosine, double e, double stretch)
{
    two_radii r = {CLOSED_OPEN, CLOSED_OPEN, false};
    e += ROUNDING;
    if (!(radius > te) || !(e < 1))
        return r;
    // a sine is as good as its square
    const double square = 1 - cosine * cosine, sine = sqrt(scalar_max(0, square - 2 * stretch));
    const double g = (cosine - along * pair->cosine) / (pair->sine * radius);
    const double off = (e * (sqrt(scalar_max(0, square) + 2 * stretch) + e) / pair->sine +
                        te * (fabs(pair->cosine) / pair->sine + scalar_max(1, fabs(g)))) /
                           (radius - te) +
                       stretch / (pair->sine * radius);
    r.missed = fabs(g) > 1 + off;
    const double root = acos_radius(g, off);
    r.c = scalar_min(root + angle_radius(radius, te), CLOSED_OPEN);
    // by how much the turn of c turns its direction about b: nothing where all is at right angles
    const double turn = te + radius * chord(root), least = sine - e - turn;
    double about = angle_radius(sine - e, turn);
    if (least > 0 && te == 0)
        about = scalar_min(
            about,
            root * (fabs(pair->cosine) + (fabs(along) + fabs(pair->cosine)) / least) / least);
    r.b = scalar_min(angle_radius(sine, e) + about, CLOSED_OPEN);
    return r;
}

/* `reach`: the cosine of its place's angle from b */
static two_radii meet_radii(const closed_wide *w, const closed_carry *p, double reach)
{
    const kernel_meet *pair = &w->form->meet;
    const lb_vec3 from = lb_vec3_sub(p->anchor, pair->point);
    // places that the pair can reach are as far as the anchor
    const double near = lb_vec3_length(from), far = near - p->anchor_off - p->x_off;
    const double te = angle_radius(near, p->anchor_off), e = angle_radius(far, p->x_off);
    if (!(te < 1) || !(e < 1))
        return (two_radii){CLOSED_OPEN, CLOSED_OPEN, false};
    const lb_vec3 d = lb_vec3_scale(from, 1 / near);
    return sphere_radii(pair, lb_vec3_dot(d, pair->c), lb_vec3_length(lb_vec3_cross(d, pair->c)),
                        te, reach, e, ROUNDING);
}

static two_radii pair_radii(const closed_wide *w, const closed_carry *p, double reach)
{
    return w->form->pair == KERNEL_PAIR_MEET ? meet_radii(w, p, reach) : planar_radii(w, p, reach);
}

/* ---- branches -------------------------------------------------------------------------- */

/* the wrist, whose last axis is turned by `e` at most; *d: its third joint's */
static two_radii wrist_radii(const closed_wide *w, double cosine, double e, double *d)
{
    const kernel_wrist *wrist = &w->form->wrist;
    two_radii r = sphere_radii(&wrist->meet, wrist->along, wrist->radius, 0, cosine, e, w->stretch);
    // a turn that is what is left of three turns is off by no more than they are together
    *d = scalar_min(e + r.b + r.c, CLOSED_OPEN);
    return r;
}

/* of the form's joints, in the order of kernel_closed.joint */
static void set_radii(const kernel_closed *form, const double *r, unsigned freedom,
                      closed_radii *out)
{
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        const bool slides =
            form->pair == KERNEL_PAIR_LENGTHS ? j < 3 : j == 0 && form->single.is_length;
        const bool open = freedom != 0 && (freedom != KERNEL_FREE_WRIST || j > 2 ||
                                           form->kind == KERNEL_CLOSED_PARALLEL);
        // angles that are open to half a turn are open to any
        out->at[form->joint[j]] = open || !(slides || r[j] < CLOSED_OPEN / 3) ? INFINITY : r[j];
    }
}

static void lengths_radii(const closed_wide *w, const kernel_solutions *found, int branch,
                          closed_radii *out)
{
    const kernel_closed *form = w->form;
    double r[KERNEL_CLOSED_JOINTS];
    const two_radii wrist = wrist_radii(w, found->cosine[branch], w->turned, &r[5]);
    for (int i = 0; i < 3; i++)
        r[i] = lb_vec3_length(form->inverse[i]) * w->off;
    r[3] = wrist.b;
    r[4] = wrist.c;
    set_radii(form, r, (unsigned)found->freedom[branch], out);
    // of lengths the first two roots are one
    out->missed = wrist.missed || (branch & 3) != 0;
}

static void parallel_radii(const closed_wide *w, const kernel_solutions *found, int branch,
                           closed_carry *p, closed_radii *out)
{
    const kernel_closed *form = w->form;
    const double turned = w->turned + (form->single.is_length ? 0 : p->radius);
    double r[KERNEL_CLOSED_JOINTS] = {p->radius};
    const two_radii wrist = wrist_radii(w, found->cosine[branch], turned, &r[5]);
    // the third axis's place, turned about the wrist's by all three
    p->x_off += lb_vec3_length(lb_vec3_cross(form->offset, form->wrist.meet.b)) * chord(wrist.b);
    p->anchor = lb_vec3_add(p->anchor, form->offset);
    const two_radii two = planar_radii(w, p, found->reach[branch]);
    r[1] = two.b;
    r[2] = two.c;
    r[3] = wrist.b + two.b + two.c;
    r[4] = wrist.c;
    out->missed = wrist.missed || two.missed;
    set_radii(form, r, (unsigned)found->freedom[branch], out);
}

/* those of an arm with a wrist */
static void wrist_arm_radii(const closed_wide *w, const kernel_solutions *found, int branch,
                            closed_carry *p, closed_radii *out)
{
    const kernel_closed *form = w->form;
    double r[KERNEL_CLOSED_JOINTS] = {p->radius};
    const two_radii two = pair_radii(w, p, found->reach[branch]);
    const double single = form->single.is_length ? 0 : p->radius;
    const two_radii wrist =
        wrist_radii(w, found->cosine[branch], w->turned + single + two.b + two.c, &r[5]);
    r[1] = two.b;
    r[2] = two.c;
    r[3] = wrist.b;
    r[4] = wrist.c;
    out->missed = two.missed || wrist.missed;
    set_radii(form, r, (unsigned)found->freedom[branch], out);
}

static void fill_radii(const closed_wide *w, const kernel_solutions *found, int branch,
                       closed_radii *radii)
{
    const kernel_closed *form = w->form;
    closed_carry p = w->carry;
    if (form->pair == KERNEL_PAIR_LENGTHS) {
        lengths_radii(w, found, branch, radii);
        return;
    }
    if (form->single.is_length)
        slide_single(w, branch, &p);
    radii->missed = p.missed;
    if (p.missed)
        return;
    if (form->kind == KERNEL_CLOSED_PARALLEL)
        parallel_radii(w, found, branch, &p, radii);
    else
        wrist_arm_radii(w, found, branch, &p, radii);
}

const closed_radii *closed_branch_radii(closed_radii_set *set, const kernel_solutions *found,
                                        int branch)
{
    // they do not depend on which sign the root has that is taken last
    const int one = branch & ~(set->wide.form->kind == KERNEL_CLOSED_PARALLEL ? 2 : 4);
    if ((set->known >> one & 1) == 0)
        fill_radii(&set->wide, found, one, &set->of[one]);
    set->known |= 1u << one;
    return &set->of[one];
}

/* ---- without the radii ---------------------------------------------------------- */

/* the angle of a cosine that is off by r and at least `gap` away from one in absolute value */
static double clear_acos(double gap, double r)
{
    r += 1e-15;
    return gap > 2 * r ? r / sqrt(gap - r) : CLOSED_OPEN;
}

/* What the steps above leave open at their worst, where every discriminant is farther from zero
   than m and every length at most `far`. */
typedef struct worst_case {
    double m, far;
    double x_off, turned; /* of the pair's point, and of the wrist's direction */
    double sum;           /* of all radii so far */
    bool unknown;         /* some may be anything */
} worst_case;

static void worst_single(const closed_wide *w, worst_case *worst)
{
    const double nu = lb_vec3_length(w->form->single.cosine), least = worst->m * w->form->size;
    const double all = w->off + ROUNDING * 2 * worst->far, r = 3 * all / nu;
    if (!(least > 2 * r) || !(worst->far > least)) {
        worst->unknown = true;
        return;
    }
    const double fine = 2e-15 * sqrt(worst->far / (least - r));
    const double radius = LB_PI / 2 * w->off / least + r / sqrt(least * (least - r)) + fine;
    worst->sum += radius;
    worst->turned = w->turned + radius;
    worst->x_off =
        w->off * (1 + LB_PI / 2) + r * sqrt(worst->far / (least - r)) + fine * worst->far;
}

/* returns the first joint's */
static double worst_wrist(const closed_wide *w, worst_case *worst)
{
    const double s = w->form->wrist.meet.sine * w->form->wrist.radius, e = worst->turned;
    const double c = clear_acos(worst->m / s, (e * (1 + e) + 2 * ROUNDING) / s);
    const double least = sqrt(worst->m) - e, b = LB_PI / 2 * (e + c) / least;
    worst->sum += 2 * (b + c) + e;
    if (!(worst->m > 2 * e) || !(least > 2 * (e + c)))
        worst->unknown = true;
    return b;
}

/* returns both joints' together */
static double worst_triangle(const closed_wide *w, worst_case *worst)
{
    const kernel_closed *form = w->form;
    const kernel_planar *pair = &form->planar;
    const bool parallel = form->kind == KERNEL_CLOSED_PARALLEL;
    const lb_vec3 anchor = parallel ? lb_vec3_add(form->anchor, form->offset) : form->anchor;
    const double f = sqrt(pair->link[0] * pair->link[0] + pair->link[1] * pair->link[1]);
    const double l = in_plane(pair, anchor, pair->second), far = worst->far;
    const double le = ROUNDING * (far + f), e = worst->x_off + le;
    const double square = 2 * worst->m * f * form->size, d = sqrt(square);
    const double n = far * e + e * e + l * le + le * le + ROUNDING * (far * far + f * f + l * l);
    const double c = clear_acos(worst->m * form->size / l, (n / f + le) / (l - le));
    const double b = LB_PI / 2 * (e / d + (le + l * c) / d);
    worst->sum += 2 * (b + c);
    if (!(square / (far + f + l) > e + le) || !(d > 2 * e) || !(l > 2 * le))
        worst->unknown = true;
    return b + c;
}

static double worst_radius(const closed_wide *w, double far, double m)
{
    worst_case worst = {.m = m, .far = far};
    worst_single(w, &worst);
    if (w->form->kind == KERNEL_CLOSED_PARALLEL) {
        worst.x_off += lb_vec3_length(w->form->offset) * worst_wrist(w, &worst);
        (void)worst_triangle(w, &worst);
    } else {
        worst.turned += worst_triangle(w, &worst);
        (void)worst_wrist(w, &worst);
    }
    return worst.unknown ? CLOSED_OPEN : worst.sum;
}

double closed_clear_above(const kernel_closed *form, const closed_snap *snap, closed_slack slack,
                          double far, double box)
{
    closed_wide w = {.form = form};
    const double tip = lb_vec3_length(form->wrist.center_tip);
    const double away = far + tip + lb_vec3_length(snap->shoulder);
    if (form->single.is_length || form->single.last || form->pair != KERNEL_PAIR_PLANAR)
        return INFINITY;
    // a target's axes are off by some roundings
    set_width(&w, snap, slack, CLOSED_USUAL_DEFECT, form->reversed ? far + tip : tip, away,
              far + tip);
    // places as the first axis sees them, or the pair's first
    const double most = away + lb_vec3_length(lb_vec3_sub(form->planar.first, form->single.point)) +
                        lb_vec3_length(lb_vec3_sub(form->single.point, snap->shoulder)) +
                        lb_vec3_length(form->offset);
    for (double m = 1e-8; m < 1; m *= 1.25)
        if (worst_radius(&w, most, m) <= box)
            return m;
    return INFINITY;
}
