/*
 * class.c - which arms have a closed form, decided by the positions of their axes.
 *
 * The tests are geometric: which axes are parallel and which meet. They need no
 * Denavit-Hartenberg form, and are made for the arm and for the same arm seen from its tip.
 */
#include "ik/closed/class.h"

#include "base/text.h"
#include "math/scalar.h"

#include <limber/solutions.h>

/* An arm with what its axes are compared by. */
typedef struct survey {
    const closed_arm *arm;
    double size, tolerance;
    bool last_first; /* of forms with axes that meet, that whose single joint is the last */
} survey;

/* ---- axes ----------------------------------------------------------------- */

double closed_arm_size(const closed_arm *arm)
{
    double size = 0;
    for (int i = 1; i < arm->joints; i++)
        size += lb_vec3_length(lb_vec3_sub(arm->point[i], arm->point[i - 1]));
    size += lb_vec3_length(lb_vec3_sub(arm->home.p, arm->point[arm->joints - 1]));
    return size > 0 ? size : 1;
}

closed_arm closed_arm_reversed(const closed_arm *arm)
{
    closed_arm r = {.joints = arm->joints, .home = lb_transform_inverse(&arm->home)};
    for (int i = 0; i < arm->joints; i++) {
        int from = arm->joints - 1 - i;
        lb_vec3 axis = lb_vec3_scale(arm->axis[from], -1);
        r.axis[i] = lb_transform_direction(&r.home, axis);
        r.point[i] = lb_transform_point(&r.home, arm->point[from]);
        r.is_length[i] = arm->is_length[from];
    }
    return r;
}

/* the sine of the angle between two axes */
static double slant(const closed_arm *arm, int i, int j)
{
    return lb_vec3_length(lb_vec3_cross(arm->axis[i], arm->axis[j]));
}

static bool is_turn(const survey *s, int i)
{
    return !s->arm->is_length[i];
}

static bool are_parallel(const survey *s, int i, int j)
{
    return slant(s->arm, i, j) <= s->tolerance;
}

/* both turn, and about the same direction */
static bool is_planar(const survey *s, int i, int j)
{
    return is_turn(s, i) && is_turn(s, j) && are_parallel(s, i, j);
}

/* the point between the axes i and j where they are closest; their distance */
static double closest_points(const closed_arm *arm, int i, int j, lb_vec3 *middle)
{
    lb_vec3 a = arm->axis[i], b = arm->axis[j];
    lb_vec3 between = lb_vec3_sub(arm->point[j], arm->point[i]), across = lb_vec3_cross(a, b);
    double square = lb_vec3_dot(across, across);
    double along_a = lb_vec3_dot(lb_vec3_cross(between, b), across) / square;
    double along_b = lb_vec3_dot(lb_vec3_cross(between, a), across) / square;
    lb_vec3 on_a = lb_vec3_add(arm->point[i], lb_vec3_scale(a, along_a));
    lb_vec3 on_b = lb_vec3_add(arm->point[j], lb_vec3_scale(b, along_b));
    *middle = lb_vec3_scale(lb_vec3_add(on_a, on_b), 0.5);
    return lb_vec3_length(lb_vec3_sub(on_b, on_a));
}

/* axes nearer to parallel than this meet nowhere that a double knows well */
#define LEAST_SLANT 1e-2

static bool do_meet(const survey *s, int i, int j, lb_vec3 *where)
{
    return is_turn(s, i) && is_turn(s, j) && slant(s->arm, i, j) > LEAST_SLANT &&
           closest_points(s->arm, i, j, where) <= s->tolerance * s->size;
}

/* ---- parts of a form ------------------------------------------------------ */

static kernel_meet make_meet(lb_vec3 b, lb_vec3 c, lb_vec3 point)
{
    kernel_meet m = {.b = b, .c = c, .point = point, .cosine = lb_vec3_dot(b, c)};
    lb_vec3 across = lb_vec3_cross(c, b);
    m.sine = lb_vec3_length(across);
    m.f = lb_vec3_scale(across, 1 / m.sine);
    m.h = lb_vec3_cross(m.f, b);
    m.e = lb_vec3_add(lb_vec3_scale(b, m.sine), lb_vec3_scale(m.h, m.cosine));
    return m;
}

/* 1 - cos of an angle from its cosine and sine, exact where it is small */
static double versine(double cosine, double sine)
{
    return cosine > 0 ? sine * sine / (1 + cosine) : 1 - cosine;
}

static lb_vec3 in_frame(lb_vec3 x, lb_vec3 y, lb_vec3 z, lb_vec3 v)
{
    return lb_vec3_make(lb_vec3_dot(x, v), lb_vec3_dot(y, v), lb_vec3_dot(z, v));
}

/* axes b, c and d that meet at `center` */
static kernel_wrist make_wrist(const closed_arm *arm, lb_vec3 b, lb_vec3 c, lb_vec3 d,
                               lb_vec3 center)
{
    kernel_wrist w = {.meet = make_meet(b, c, center)};
    const kernel_meet *m = &w.meet;
    lb_vec3 u = lb_vec3_perpendicular(d), v = lb_vec3_cross(d, u);
    double e = lb_vec3_dot(d, m->e), f = lb_vec3_dot(d, m->f);
    w.along = lb_vec3_dot(d, c);
    w.radius = lb_vec3_length(lb_vec3_cross(c, d));
    w.cosine0 = e / w.radius;
    w.sine0 = f / w.radius;
    // the least and the greatest angle between b and d as c turns
    w.near_end =
        versine(m->cosine * w.along + m->sine * w.radius, m->sine * w.along - m->cosine * w.radius);
    w.far_end =
        versine(m->sine * w.radius - m->cosine * w.along, m->sine * w.along + m->cosine * w.radius);
    w.scale = 1 / (m->sine * w.radius);
    w.u = in_frame(m->e, m->f, m->c, u);
    w.v = in_frame(m->e, m->f, m->c, v);
    const lb_transform back = lb_transform_inverse(&arm->home);
    w.d_tip = lb_transform_direction(&back, d);
    w.u_tip = lb_transform_direction(&back, u);
    w.center_tip = lb_transform_point(&back, center);
    return w;
}

/* the pair of joints b and c, which turn about `axis` or against it; `sign` turns both round */
static kernel_planar make_planar(const closed_arm *arm, int b, int c, double sign)
{
    lb_vec3 axis = lb_vec3_scale(arm->axis[b], sign);
    kernel_planar p = {.x = lb_vec3_perpendicular(axis),
                       .first = arm->point[b],
                       .second = arm->point[c],
                       .sign = lb_vec3_dot(arm->axis[b], arm->axis[c]) < 0 ? -1 : 1};
    p.y = lb_vec3_cross(axis, p.x);
    lb_vec3 link = lb_vec3_sub(p.second, p.first);
    p.link[0] = lb_vec3_dot(link, p.x);
    p.link[1] = lb_vec3_dot(link, p.y);
    p.share = 1 / (sqrt(p.link[0] * p.link[0] + p.link[1] * p.link[1]) * closed_arm_size(arm));
    return p;
}

/*
 * The joint alone beside a pair that keeps `normal`: the planar pair's axis, or the place where
 * its axes meet. False where it does not move what the pair keeps, so that nothing
 * determines it.
 */
static bool make_alone(const survey *s, int joint, bool last, bool planar, lb_vec3 normal,
                       kernel_single *alone)
{
    const closed_arm *arm = s->arm;
    lb_vec3 axis = lb_vec3_scale(arm->axis[joint], last ? -1 : 1), point = arm->point[joint];
    *alone = (kernel_single){
        .is_length = arm->is_length[joint], .last = last, .axis = axis, .point = point};
    alone->normal = planar ? normal : lb_vec3_sub(normal, point);
    alone->along = lb_vec3_dot(alone->normal, axis);
    alone->cosine = lb_vec3_sub(alone->normal, lb_vec3_scale(axis, alone->along));
    alone->sine = lb_vec3_cross(axis, alone->normal);
    alone->share = 1 / (s->size * lb_vec3_length(alone->cosine));
    alone->least = CLOSED_IN_LINE * s->size * lb_vec3_length(alone->cosine);
    if (alone->is_length)
        return !planar || fabs(alone->along) > LEAST_SLANT;
    return lb_vec3_length(alone->cosine) > LEAST_SLANT * (planar ? 1 : s->size);
}

/* ---- the three joints before a wrist --------------------------------------- */

static void set_order(kernel_closed *form, int a, int b, int c)
{
    const int order[KERNEL_CLOSED_JOINTS] = {a, b, c, 3, 4, 5};
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        form->joint[i] = order[i];
}

/* a point farther than this from an axis is moved by turning about it */
static bool is_off_axis(const survey *s, int joint, lb_vec3 p)
{
    return closed_off_axis(s->arm, joint, p) > LEAST_SLANT * s->size;
}

/* a joint alone, then or before it two parallel ones, which move the wrist in two directions */
static bool planar_region(const survey *s, bool last, kernel_closed *form)
{
    int a = last ? 2 : 0, b = 1, c = last ? 0 : 2;
    if (!is_planar(s, b, c) || !is_off_axis(s, b, s->arm->point[c]))
        return false;
    form->pair = KERNEL_PAIR_PLANAR;
    form->planar = make_planar(s->arm, b, c, last ? -1 : 1);
    set_order(form, a, b, c);
    lb_vec3 normal = lb_vec3_cross(form->planar.x, form->planar.y);
    return make_alone(s, a, last, true, normal, &form->single);
}

/* the same with two axes that meet */
static bool meeting_region(const survey *s, bool last, kernel_closed *form)
{
    int a = last ? 2 : 0, b = 1, c = last ? 0 : 2;
    lb_vec3 where;
    if (!do_meet(s, b, c, &where))
        return false;
    double sign = last ? -1 : 1;
    form->pair = KERNEL_PAIR_MEET;
    form->meet = make_meet(lb_vec3_scale(s->arm->axis[b], sign),
                           lb_vec3_scale(s->arm->axis[c], sign), where);
    set_order(form, a, b, c);
    return make_alone(s, a, last, false, where, &form->single);
}

/* three directions that span space: the rows of their inverse */
static bool lengths_region(const survey *s, kernel_closed *form)
{
    const lb_vec3 *k = s->arm->axis;
    if (is_turn(s, 0) || is_turn(s, 1) || is_turn(s, 2))
        return false;
    double volume = lb_vec3_dot(lb_vec3_cross(k[0], k[1]), k[2]);
    if (fabs(volume) < LEAST_SLANT)
        return false;
    form->pair = KERNEL_PAIR_LENGTHS;
    for (int i = 0; i < 3; i++)
        form->inverse[i] = lb_vec3_scale(lb_vec3_cross(k[(i + 1) % 3], k[(i + 2) % 3]), 1 / volume);
    set_order(form, 0, 1, 2);
    return true;
}

/* ---- classes -------------------------------------------------------------- */

bool closed_wrist(const closed_arm *arm, int first, double tolerance, kernel_wrist *wrist,
                  lb_vec3 *center)
{
    const survey s = {arm, closed_arm_size(arm), tolerance, false};
    const lb_vec3 *axes = arm->axis + first;
    if (!is_turn(&s, first) || slant(arm, first, first + 1) <= LEAST_SLANT ||
        !do_meet(&s, first + 1, first + 2, center) ||
        closed_off_axis(arm, first, *center) > tolerance * s.size)
        return false;
    *wrist = make_wrist(arm, axes[0], axes[1], axes[2], *center);
    return true;
}

/* the last three axes meet */
static bool is_wrist(const survey *s, kernel_closed *form)
{
    const closed_arm *arm = s->arm;
    lb_vec3 center;
    if (!closed_wrist(arm, 3, s->tolerance, &form->wrist, &center))
        return false;
    form->kind = KERNEL_CLOSED_WRIST;
    form->anchor = center;
    // the joint before the wrist must move it
    if (is_turn(s, 2) && !is_off_axis(s, 2, center))
        return false;
    return (s->last_first && meeting_region(s, true, form)) || planar_region(s, false, form) ||
           planar_region(s, true, form) || meeting_region(s, false, form) ||
           meeting_region(s, true, form) || lengths_region(s, form);
}

/* axes 2, 3 and 4 are parallel, 5 and 6 meet */
static bool is_parallel(const survey *s, kernel_closed *form)
{
    const closed_arm *arm = s->arm;
    lb_vec3 center;
    if (!is_planar(s, 1, 2) || !is_planar(s, 1, 3) || !do_meet(s, 4, 5, &center) ||
        slant(arm, 1, 4) <= LEAST_SLANT || !is_off_axis(s, 2, arm->point[3]) ||
        !planar_region(s, false, form))
        return false;
    form->kind = KERNEL_CLOSED_PARALLEL;
    form->anchor = center;
    form->offset = lb_vec3_sub(arm->point[3], center);
    form->third = lb_vec3_dot(arm->axis[1], arm->axis[3]) < 0 ? -1 : 1;
    form->wrist = make_wrist(arm, arm->axis[1], arm->axis[4], arm->axis[5], center);
    return true;
}

static bool find_form(const closed_arm *arm, double tolerance, bool last_first, kernel_closed *form)
{
    if (arm->joints != KERNEL_CLOSED_JOINTS)
        return false;
    const closed_arm reversed = closed_arm_reversed(arm);
    const closed_arm *const seen[2] = {arm, &reversed};
    for (int i = 0; i < 2; i++) {
        survey s = {seen[i], closed_arm_size(seen[i]), tolerance, last_first};
        *form = (kernel_closed){.reversed = i == 1, .size = s.size};
        for (int j = 0; j < 3; j++) {
            form->axes[j] = seen[i]->axis[j];
            form->lengths[j] = seen[i]->is_length[j];
        }
        if (!is_wrist(&s, form) && !is_parallel(&s, form))
            continue;
        // the reversed arm's first joint is the arm's last
        for (int j = 0; j < KERNEL_CLOSED_JOINTS && form->reversed; j++)
            form->joint[j] = KERNEL_CLOSED_JOINTS - 1 - form->joint[j];
        return true;
    }
    return false;
}

bool closed_recognise(const closed_arm *arm, double tolerance, kernel_closed *form)
{
    return find_form(arm, tolerance, false, form);
}

bool closed_recognise_turning(const closed_arm *arm, double tolerance, kernel_closed *form)
{
    return find_form(arm, tolerance, true, form);
}

const char *lb_arm_class_text(lb_arm_class arm_class)
{
    static const char *const texts[] = {LB_ARM_CLASS_LIST(LIST_TEXT)};
    return (unsigned)arm_class < LB_ARM_CLASS_COUNT ? texts[arm_class] : "";
}

lb_arm_class closed_form_class(const kernel_closed *form)
{
    if (form->kind == KERNEL_CLOSED_PARALLEL)
        return LB_ARM_PARALLEL;
    return form->reversed ? LB_ARM_SHOULDER : LB_ARM_WRIST;
}
