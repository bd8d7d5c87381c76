/* loop_members.c - members of a family in lanes, at places of a loop. */
#include "ik/closed/loop_parts.h"

bool family_is_better(const family_member *a, const family_member *b)
{
    return loop_is_better(a->beyond, a->square, b->beyond, b->square);
}

void family_look(const family_problem *p, const kernel_held *held, kernel_members *at)
{
    p->ops->closed_along(&p->finder->form, &p->ranges, p->target, p->start, held, at);
    for (int l = 0; l < LOOP_LANES; l++)
        if (at->beyond[l] <= FAMILY_IN_A_CORNER)
            at->beyond[l] = 0;
}

/* whether the members in a lane are solutions, to the tolerances */
static bool is_member(const family_problem *p, double rotation, const kernel_members *at, int l)
{
    double margin = scalar_min(at->margin[0][l], scalar_min(at->margin[1][l], at->margin[2][l]));
    return margin >= CLOSED_DOUBLE_ROOT && at->miss[0][l] <= p->position &&
           at->miss[1][l] <= rotation && at->lacking[l] <= CLOSED_VANISHED;
}

int family_best_lane(const family_problem *p, const kernel_members *at)
{
    int best = -1;
    for (int l = 0; l < LOOP_LANES; l++)
        if (is_member(p, p->rotation, at, l) &&
            (best < 0 ||
             loop_is_better(at->beyond[l], at->square[l], at->beyond[best], at->square[best])))
            best = l;
    return best;
}

void family_take(const family_problem *p, const kernel_members *at, int lane, const double *sign,
                 family_member *member)
{
    const bool inside = at->beyond[lane] == 0;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        member->q[i] = inside ? kernel_inside(&p->ranges, i, at->q[i][lane]) : at->q[i][lane];
    member->square = at->square[lane];
    member->beyond = at->beyond[lane];
    member->branch = 0;
    for (int r = 0; r < LOOP_ROOTS; r++)
        member->branch |= (sign[r] < 0) << r;
}

/* what is held at places of a loop, from phi on */
static void hold_along(const family_loop *loop, double phi, double step, kernel_held *held)
{
    double sine, cosine, sine_step, cosine_step;
    held->which = loop->which;
    for (int r = 0; r < LOOP_ROOTS; r++)
        for (int l = 0; l < LOOP_LANES; l++) {
            held->value[r][l] = loop->fixed[r];
            held->sign[r][l] = loop->sign[r];
        }
    if (loop->is_circle) {
        for (int l = 0; l < LOOP_LANES; l++)
            held->value[loop->held][l] = phi + step * l;
        return;
    }
    lb_sincos(phi, &sine, &cosine);
    lb_sincos(step, &sine_step, &cosine_step);
    for (int l = 0; l < LOOP_LANES; l++) {
        held->value[loop->held][l] = loop->middle - loop->half * cosine;
        held->sign[loop->other][l] = sine < 0 ? -1 : 1;
        const double next = cosine * cosine_step - sine * sine_step;
        sine = sine * cosine_step + cosine * sine_step;
        cosine = next;
    }
}

void loop_look(const family_problem *p, const family_loop *loop, double phi, double step,
               kernel_members *at, family_member *best)
{
    kernel_held held;
    int l = 0;
    hold_along(loop, phi, step, &held);
    family_look(p, &held, at);
    for (int k = 0; k < LOOP_LANES; k++) {
        if (!is_member(p, loop->rotation, at, k))
            at->beyond[k] = at->square[k] = INFINITY;
        if (loop_is_better(at->beyond[k], at->square[k], at->beyond[l], at->square[l]))
            l = k;
    }
    const double sign[LOOP_ROOTS] = {held.sign[0][l], held.sign[1][l], held.sign[2][l]};
    if (loop_is_better(at->beyond[l], at->square[l], best->beyond, best->square))
        family_take(p, at, l, sign, best);
}
