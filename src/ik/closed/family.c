/*
 * family.c - what a singular pose leaves open: infinite families of solutions, in closed form.
 *
 * Where values of a loop begin and end follows from three of them: the squared distance that a pair
 * has to cover, and the cosine of the angle that a wrist has to make, are harmonic in the joint
 * that goes round.
 */
#include "ik/closed/family.h"

#include "ik/closed/newton.h"
#include "math/scalar.h"

#include <string.h>

#define TURN (2 * LB_PI)

enum { SINGLE, PAIR, WRIST, LANES = KERNEL_CLOSED_BRANCHES, INTERVALS = 8, LOOPS = 16 };

/* rounding of the lengths that a root is taken of: directions behind it are known to its root */
#define ROUNDING 1e-14
/* two roots closer than this are one: a double root has the root of rounding */
#define ONE_ROOT 1e-13
/* a harmonic that misses its range by this is rounding of one that touches it */
#define TOUCHES 1e-12

/* A search for families. */
typedef struct quest {
    family_problem *p;
    const kernel_closed *form;
    bool ends;
    double off[LOOP_ROOTS]; /* from open that counts */
    family_member *members;
    int count;
    family_loop loops[LOOPS]; /* to be searched, the nearest first */
    int loop_count;
} quest;

/* ---- members ------------------------------------------------------------------ */

static void add_member(quest *t, const family_member *m)
{
    if (t->count == FAMILY_MEMBERS || !(m->square < INFINITY))
        return;
    t->members[t->count++] = *m;
    if (!t->ends && m->beyond == 0 && m->square < t->p->bound)
        t->p->bound = m->square;
}

/* the first of them */
static void look_first(const quest *t, const kernel_held *held, double *q)
{
    kernel_members at;
    family_look(t->p, held, &at);
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        q[i] = at.q[i][0];
}

static void fill(double row[LANES], double x)
{
    for (int l = 0; l < LANES; l++)
        row[l] = x;
}

static kernel_held hold(unsigned which, const double *sign, const double *fixed)
{
    kernel_held held = {.which = which};
    for (int r = 0; r < LOOP_ROOTS; r++) {
        fill(held.value[r], fixed[r]);
        fill(held.sign[r], sign[r]);
    }
    return held;
}

/* ---- intervals ------------------------------------------------------------------ */

/* mean + amplitude cos(t - middle) */
typedef struct harmonic {
    double mean, amplitude, middle;
} harmonic;

/* from its values at eight places round the circle */
static harmonic fit(const double *values)
{
    harmonic h = {0, 0, 0};
    double cosines = 0, sines = 0;
    for (int l = 0; l < LANES; l++) {
        double sine, cosine;
        lb_sincos(TURN * l / LANES, &sine, &cosine);
        h.mean += values[l] / LANES;
        cosines += values[l] * cosine * 2 / LANES;
        sines += values[l] * sine * 2 / LANES;
    }
    h.amplitude = sqrt(cosines * cosines + sines * sines);
    h.middle = lb_atan2(sines, cosines);
    return h;
}

/* Intervals of an angle, or the circle. */
typedef struct intervals {
    bool is_circle;
    int count;
    double middle[INTERVALS], half[INTERVALS];
} intervals;

static void add_interval(intervals *all, double low, double high)
{
    if (all->count == INTERVALS || low > high)
        return;
    all->middle[all->count] = 0.5 * (low + high);
    all->half[all->count++] = 0.5 * (high - low);
}

/* where a harmonic is from `low` to `high` */
static intervals find_range(const harmonic *h, double low, double high)
{
    intervals all = {.is_circle = false};
    // a target at which bars are in line is open to rounding
    const double room = TOUCHES * scalar_max(fabs(low), fabs(high));
    if (h->mean - h->amplitude > high + room || h->mean + h->amplitude < low - room)
        return all;
    if (h->mean - h->amplitude >= low && h->mean + h->amplitude <= high) {
        all.is_circle = true;
        return all;
    }
    const double near = scalar_clamp((high - h->mean) / h->amplitude, -1, 1);
    const double far = scalar_clamp((low - h->mean) / h->amplitude, -1, 1);
    const double first = lb_acos(near), last = lb_acos(far);
    if (first == 0) {
        add_interval(&all, h->middle - last, h->middle + last);
    } else if (far == -1) {
        add_interval(&all, h->middle + first, h->middle + TURN - first);
    } else {
        add_interval(&all, h->middle + first, h->middle + last);
        add_interval(&all, h->middle - last, h->middle - first);
    }
    return all;
}

/* those parts that are within `wide` of `exact` or of half a turn from it */
static intervals cut(const intervals *from, double exact, double wide)
{
    intervals all = {.is_circle = false};
    for (int i = 0; from->is_circle && i < 2; i++)
        add_interval(&all, exact + LB_PI * i - wide, exact + LB_PI * i + wide);
    for (int i = 0; !from->is_circle && i < from->count; i++) {
        const double low = from->middle[i] - from->half[i], high = from->middle[i] + from->half[i];
        const double near = exact + LB_PI * scalar_round((from->middle[i] - exact) / LB_PI);
        for (int k = -2; k <= 2; k++)
            add_interval(&all, scalar_max(low, near + LB_PI * k - wide),
                         scalar_min(high, near + LB_PI * k + wide));
    }
    return all;
}

/* by how much what is held may be off its exact value, in radians; a circle: half of it */
static double window(double tolerance, double off)
{
    if (off <= tolerance)
        return LB_PI / 2;
    // members at its ends must not miss the tolerance by rounding
    const double sine = (1 - 1e-6) * tolerance / off;
    return lb_atan2(sine, sqrt((1 - sine) * (1 + sine)));
}

/* the same of a wrist, whose turn moves the tool, too */
static double wrist_window(const quest *t, double off)
{
    const double far = lb_vec3_length(t->form->wrist.center_tip);
    const double least = scalar_min(t->p->rotation, t->p->position / scalar_max(far, 1e-300));
    return window(off <= t->p->rotation ? t->p->rotation : least, off);
}

/* ---- loops ---------------------------------------------------------------------- */

/* members at both ends of a loop, where bars are in line */
static void add_ends(quest *t, const family_loop *loop, unsigned moving)
{
    const double places[2] = {loop->middle - loop->half, loop->middle + loop->half};
    kernel_members at;
    kernel_held held = hold(loop->which, loop->sign, loop->fixed);
    if (loop->is_circle || moving == 0)
        return;
    for (int l = 0; l < LANES; l++)
        held.value[loop->held][l] = places[l % 2];
    family_look(t->p, &held, &at);
    for (int l = 0; l < 2; l++) {
        family_member end = {.moving = moving};
        family_take(t->p, &at, l, loop->sign, &end);
        add_member(t, &end);
    }
}

/* the loops that have been found, but for those that are too far */
static void search_loops(quest *t)
{
    for (int i = 0; i < t->loop_count; i++) {
        const family_loop *loop = &t->loops[i];
        family_member member;
        if (loop->least > t->p->bound || !family_search(t->p, loop, &member))
            continue;
        add_member(t, &member);
        if (t->ends)
            add_ends(t, loop, member.moving);
    }
    t->loop_count = 0;
}

static void add_loop(quest *t, const family_loop *loop)
{
    if (t->loop_count == LOOPS)
        search_loops(t);
    family_loop new = *loop;
    new.rotation = t->p->rotation;
    family_look_round(t->p, &new);
    int at = t->loop_count++;
    for (; at > 0 && family_is_better(&new.best, &t->loops[at - 1].best); at--)
        t->loops[at] = t->loops[at - 1];
    t->loops[at] = new;
}

/* the loops on some intervals, on both signs of the root that changes at their ends */
static void add_loops(quest *t, family_loop *loop, const intervals *all, double hint)
{
    loop->is_circle = all->is_circle;
    for (int k = 0; k < 2 && all->is_circle; k++) {
        loop->sign[loop->other] = k ? -1 : 1;
        loop->middle = hint;
        add_loop(t, loop);
    }
    for (int i = 0; i < all->count; i++) {
        loop->sign[loop->other] = 1;
        loop->middle = all->middle[i];
        loop->half = all->half[i];
        add_loop(t, loop);
    }
}

/* what is held all round, at eight places */
static void look_round(const quest *t, const family_loop *loop, kernel_members *at)
{
    kernel_held held = hold(loop->which, loop->sign, loop->fixed);
    for (int l = 0; l < LANES; l++)
        held.value[loop->held][l] = TURN * l / LANES;
    family_look(t->p, &held, at);
}

/* the values of a loop for which a wrist can make its angle */
static intervals wrist_range(const quest *t, const harmonic *h)
{
    return find_range(h, t->form->wrist.far_end - 1, 1 - t->form->wrist.near_end);
}

/* the values for which a planar pair can cover its distance */
static intervals pair_range(const quest *t, const harmonic *h)
{
    const kernel_planar *pair = &t->form->planar;
    const lb_vec3 anchor = lb_vec3_add(t->form->anchor, t->form->offset);
    const lb_vec3 link = lb_vec3_sub(anchor, pair->second);
    const double x = lb_vec3_dot(link, pair->x), y = lb_vec3_dot(link, pair->y);
    const double a = sqrt(pair->link[0] * pair->link[0] + pair->link[1] * pair->link[1]);
    const double b = sqrt(x * x + y * y);
    return find_range(h, (a - b) * (a - b), (a + b) * (a + b));
}

/* the joint that is open where a root is: of a pair the one that is nearer to the base */
static int held_joint(const kernel_closed *form, int root)
{
    return form->joint[root == PAIR && form->single.last ? 2 : root];
}

/* ---- joints about one line ------------------------------------------------- */

/*
 * The axes of a wrist in line, of an upright arm, of equal links folded onto each other: such
 * joints are free to move as long as the sum of their turns stays. The nearest values to a start
 * are its projection, cut to the limits.
 */

/* Joints that turn about one line; sum of sign * q over those that are free to move. */
typedef struct aligned_group {
    int count;
    int joint[KERNEL_CLOSED_JOINTS];
    double sign[KERNEL_CLOSED_JOINTS];
    double sum;
    unsigned bits;
} aligned_group;

/* the joints of an arm of six that turn about the line of joint `about` at q, to within so many
   metres and radians; joints that must be zero are set to it and are not of the group */
static void aligned_find(const closed_arm *arm, const kernel_ranges *ranges, const double *q,
                         int about, double position, double rotation, aligned_group *group)
{
    lb_vec3 axis[CLOSED_ARM_JOINTS], point[CLOSED_ARM_JOINTS];
    closed_axes(arm, q, axis, point);
    *group = (aligned_group){.count = 0};
    for (int i = 0; i < arm->joints; i++) {
        const lb_vec3 from = lb_vec3_sub(point[i], point[about]);
        const bool in_line = lb_vec3_length(lb_vec3_cross(axis[i], axis[about])) <= rotation &&
                             lb_vec3_length(lb_vec3_cross(from, axis[about])) <= position;
        if (arm->is_length[i] || !(in_line || i == about))
            continue;
        const double sign = lb_vec3_dot(axis[i], axis[about]) < 0 ? -1 : 1;
        group->sum += sign * q[i];
        if (ranges->vanishes[i])
            continue;
        group->joint[group->count] = i;
        group->sign[group->count++] = sign;
        group->bits |= 1u << i;
    }
}

/* the sum plus the whole turns at which the start is nearest */
static double aligned_total(const aligned_group *group, const double *start)
{
    double sum = 0;
    for (int k = 0; k < group->count; k++)
        sum += group->sign[k] * start[group->joint[k]];
    return group->sum + TURN * scalar_round((sum - group->sum) / TURN);
}

/* the values inside the limits that are nearest to `start` and have a sum, in place of those of q;
   where none have it they come near it */
static void aligned_project(const aligned_group *group, const kernel_ranges *ranges,
                            const double *start, double total, double *q)
{
    bool fixed[KERNEL_CLOSED_JOINTS] = {false};
    // those at their limits leave the rest to the others
    for (int round = 0; round < group->count; round++) {
        double rest = total, share = 0;
        for (int k = 0; k < group->count; k++) {
            const int i = group->joint[k];
            // joints that do not count in distances take all of it
            const double weight = scalar_max(ranges->weight[i], 1e-6);
            rest -= group->sign[k] * (fixed[k] ? q[i] : start[i]);
            share += fixed[k] ? 0 : 1 / (weight * weight);
        }
        bool again = false;
        for (int k = 0; k < group->count; k++) {
            const int i = group->joint[k];
            const double weight = scalar_max(ranges->weight[i], 1e-6);
            if (fixed[k])
                continue;
            const double want = start[i] + group->sign[k] * rest / (weight * weight * share);
            q[i] = scalar_clamp(want, ranges->lower[i], ranges->upper[i]);
            fixed[k] = q[i] != want;
            again = again || fixed[k];
        }
        if (!again)
            return;
    }
}

/* ---- wrists in line --------------------------------------------------------------- */

/* the joints that turn about the wrist's line, nearest to the start; `fixed` holds what the others
   are, `exact` where the wrist's first joint solves the pose */
static void add_aligned(quest *t, unsigned which, const double *sign, const double *fixed,
                        double off)
{
    const closed_finder *f = t->p->finder;
    const int *joint = t->form->joint;
    kernel_held held = hold(which, sign, fixed);
    kernel_members at;
    aligned_group group;
    double q[KERNEL_CLOSED_JOINTS];
    // where the wrist's root has it, nearly in line
    look_first(t, &held, q);
    const double exact = q[joint[3]];
    aligned_find(&f->completion.arm, &f->ranges, q, joint[3],
                 scalar_max(t->p->position, 2 * off * f->size), scalar_max(t->p->rotation, 2 * off),
                 &group);
    const double wide = wrist_window(t, off);
    held.which |= KERNEL_FREE_WRIST;
    for (int l = 0; l < LANES; l++) {
        // four whole turns of the sum, and in each two windows of the first joint
        const double total = aligned_total(&group, t->p->start) + TURN * (l / 2 - (l > 5 ? 5 : 1));
        aligned_project(&group, &f->ranges, t->p->start, total, q);
        double first = f->ranges.vanishes[joint[3]] ? 0 : q[joint[3]];
        if (wide < LB_PI / 2) {
            const double half_turns = (first - exact) / LB_PI, near = scalar_round(half_turns);
            const double other = near + (half_turns < near ? -1 : 1);
            const double middle = exact + LB_PI * (l % 2 ? other : near);
            first = scalar_clamp(first, middle - wide, middle + wide);
        }
        held.value[WRIST][l] = first;
        for (int r = SINGLE; r <= PAIR; r++)
            if (which >> r & 1 && group.bits >> held_joint(t->form, r) & 1)
                held.value[r][l] = q[held_joint(t->form, r)];
    }
    family_look(t->p, &held, &at);
    const int best = family_best_lane(t->p, &at);
    if (best < 0)
        return;
    family_member m = {.moving = group.count > 1 ? group.bits : 0};
    family_take(t->p, &at, best, sign, &m);
    add_member(t, &m);
}

/* ---- what is open ------------------------------------------------------------------ */

/* where a wrist comes into line on the way round: one place, or all of them */
static void find_aligned_on_the_way(quest *t, family_loop *loop, const harmonic *h)
{
    kernel_held held = hold(loop->which, loop->sign, loop->fixed);
    kernel_members at;
    for (int l = 0; l < LANES; l++)
        held.value[loop->held][l] = h->middle + LB_PI * (l % 2);
    family_look(t->p, &held, &at);
    for (int l = 0; l < 2; l++) {
        if (!(at.off[WRIST][l] <= t->off[WRIST]))
            continue;
        double fixed[LOOP_ROOTS] = {loop->fixed[0], loop->fixed[1], loop->fixed[2]};
        fixed[loop->held] = held.value[loop->held][l];
        add_aligned(t, loop->which, loop->sign, fixed, at.off[WRIST][l]);
    }
}

/* the turns nearest to the start of joints in line with an open one, which make up for it all
   round; false: there are none */
static bool add_line(quest *t, const family_loop *loop, int joint)
{
    const closed_finder *f = t->p->finder;
    kernel_held held = hold(loop->which, loop->sign, loop->fixed);
    kernel_members at;
    aligned_group group;
    double q[KERNEL_CLOSED_JOINTS];
    look_first(t, &held, q);
    aligned_find(&f->completion.arm, &f->ranges, q, joint, t->p->position, t->p->rotation, &group);
    if (group.count < 2)
        return false;
    const double total = aligned_total(&group, t->p->start);
    for (int l = 0; l < LANES; l++) {
        aligned_project(&group, &f->ranges, t->p->start, total + TURN * (l - 4), q);
        held.value[loop->held][l] = q[joint];
    }
    family_look(t->p, &held, &at);
    const int best = family_best_lane(t->p, &at);
    if (best < 0)
        return false;
    family_member m = {.moving = group.bits};
    family_take(t->p, &at, best, loop->sign, &m);
    add_member(t, &m);
    return true;
}

/* the same with both signs of the root that follows; `at` is all round */
static bool add_lines(quest *t, family_loop *loop, int joint, const kernel_members *at)
{
    bool in_line = true, done = true;
    for (int l = 0; l < LANES; l++)
        in_line = in_line && at->off[WRIST][l] <= t->off[WRIST];
    for (int k = 0; k < 2 && done && !in_line; k++) {
        loop->sign[loop->other] = k ? -1 : 1;
        done = add_line(t, loop, joint);
    }
    return done;
}

/* a joint before the wrist is open: the single one, or the pair's; `exact` solves the pose, `off`
   is how far from open it is */
static void find_round(quest *t, int root, const double *sign, double exact, double off)
{
    family_loop loop = {.held = root,
                        .other = t->form->kind == KERNEL_CLOSED_PARALLEL && root == SINGLE ? PAIR
                                                                                           : WRIST,
                        .sign = {sign[0], sign[1], sign[2]},
                        .which = root == SINGLE ? KERNEL_FREE_SINGLE : KERNEL_FREE_PAIR};
    const int joint = held_joint(t->form, root);
    const double wide = window(t->p->position, off);
    kernel_members at;
    intervals all = {.is_circle = true};
    if (t->form->kind == KERNEL_CLOSED_WRIST) {
        look_round(t, &loop, &at);
        const harmonic h = fit(at.cosine);
        all = wrist_range(t, &h);
        if (wide == LB_PI / 2) {
            find_aligned_on_the_way(t, &loop, &h);
            if (add_lines(t, &loop, joint, &at))
                return;
        }
    }
    if (wide < LB_PI / 2)
        all = cut(&all, exact, wide);
    add_loops(t, &loop, &all, t->p->start[joint]);
}

/* the turn of all three parallel axes */
static double sum_of_three(const kernel_closed *form, const double *q)
{
    return q[form->joint[1]] + q[form->joint[2]] * form->planar.sign +
           q[form->joint[3]] * form->third;
}

/* four parallel axes: the last bar goes round, and the pair follows */
static void find_four_bar(quest *t, const double *sign, const double *q, double off)
{
    family_loop loop = {.held = WRIST,
                        .other = PAIR,
                        .sign = {sign[0], sign[1], sign[2]},
                        .which = KERNEL_FREE_WRIST};
    const int last = t->form->joint[5];
    kernel_members at;
    look_round(t, &loop, &at);
    const harmonic h = fit(at.reach);
    intervals all = pair_range(t, &h);
    const double wide = wrist_window(t, off);
    if (t->p->finder->ranges.vanishes[last]) {
        // the last joint turns with the bar, one way or the other: two places, of which one is none
        const double value = at.q[last][0];
        all = (intervals){.count = 2, .middle = {value, -value}};
    } else if (wide < LB_PI / 2) {
        all = cut(&all, sum_of_three(t->form, q), wide);
    }
    // bars that are all in line are one configuration, or a loop below the root of rounding
    for (int i = 1; i <= 5 && !t->p->finder->ranges.vanishes[last]; i++)
        loop.moving |= (unsigned)(i != 4) << t->form->joint[i];
    add_loops(t, &loop, &all, sum_of_three(t->form, t->p->start));
}

/* the joints of a branch that are open */
static void find_of_branch(quest *t, const kernel_members *at, int l)
{
    const double sign[LOOP_ROOTS] = {l & 1 ? -1 : 1, l & 2 ? -1 : 1, 1};
    const double none[LOOP_ROOTS] = {0, 0, 0};
    const bool parallel = t->form->kind == KERNEL_CLOSED_PARALLEL;
    double q[KERNEL_CLOSED_JOINTS];
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        q[i] = at->q[i][l];
    // a pair that is open, and the four-bar, have no root of their own, or both
    const bool both = at->off[PAIR][l] <= t->off[PAIR] || parallel;
    if (!(at->margin[SINGLE][l] >= CLOSED_DOUBLE_ROOT) ||
        (!both && !(at->margin[PAIR][l] >= CLOSED_DOUBLE_ROOT)) ||
        (l & 2 && (both || at->margin[PAIR][l] < ONE_ROOT)) ||
        (l & 1 && at->margin[SINGLE][l] < ONE_ROOT))
        return;
    if (at->off[PAIR][l] <= t->off[PAIR] && t->form->pair != KERNEL_PAIR_LENGTHS)
        find_round(t, PAIR, sign, q[held_joint(t->form, PAIR)], at->off[PAIR][l]);
    // beside a double root the wrist is in line to the root of rounding
    const double margin =
        parallel ? at->margin[SINGLE][l] : scalar_min(at->margin[SINGLE][l], at->margin[PAIR][l]);
    const double open = ROUNDING / sqrt(scalar_max(margin, ONE_ROOT)), off = at->off[WRIST][l];
    const double rotation = t->p->rotation;
    if (off > scalar_max(t->off[WRIST], open))
        return;
    if (off <= open)
        t->p->rotation = scalar_max(rotation, off);
    if (parallel)
        find_four_bar(t, sign, q, off);
    else
        add_aligned(t, 0, sign, none, off);
    t->p->rotation = rotation;
}

int family_find(family_problem *p, bool ends, family_member members[FAMILY_MEMBERS])
{
    quest t;
    t.p = p;
    t.form = &p->finder->form;
    t.ends = ends;
    t.members = members;
    t.count = t.loop_count = 0;
    const double none[LOOP_ROOTS] = {0, 0, 0}, plus[LOOP_ROOTS] = {1, 1, 1};
    const double near = ends ? 1 : FAMILY_NEARLY;
    const bool lengths = t.form->pair == KERNEL_PAIR_LENGTHS;
    const bool parallel = t.form->kind == KERNEL_CLOSED_PARALLEL;
    kernel_held held = hold(0, plus, none);
    kernel_members at;
    p->ranges = p->finder->ranges;
    p->ranges.beside = FAMILY_IN_A_CORNER;
    t.off[SINGLE] = t.off[PAIR] = near * p->position;
    t.off[WRIST] = near * p->rotation;
    for (int l = 0; l < LANES; l++)
        for (int r = 0; r < LOOP_ROOTS; r++)
            held.sign[r][l] = l >> r & 1 ? -1 : 1;
    family_look(t.p, &held, &at);
    // a point on the axis that is not where the pair can take it has no solution at all
    const bool open = !lengths && at.off[SINGLE][0] <= t.off[SINGLE] &&
                      at.margin[SINGLE][0] >= -2 * p->position / t.form->size;
    for (int l = 0; l < 4; l++) {
        if (open && !(l & 1)) {
            // find_round() looks at both signs of one root: here it is at those of the other
            const double other = l & 2 ? -1 : 1,
                         sign[LOOP_ROOTS] = {1, parallel ? 1 : other, parallel ? other : 1};
            if (l == 0 || parallel || at.margin[PAIR][l] >= ONE_ROOT)
                find_round(&t, SINGLE, sign, at.q[t.form->joint[SINGLE]][0], at.off[SINGLE][0]);
        }
        if (!open || at.off[SINGLE][0] > p->position)
            find_of_branch(&t, &at, l);
    }
    search_loops(&t);
    return t.count;
}
