/* choice.c - on which turn the angles of a solution are, inside the limits and near a start. */
#include "ik/closed/chain.h"

#include "math/scalar.h"

#define WHOLE_TURN (2 * LB_PI)

/* by how much a value breaks the limits */
static double excess(const closed_joint *joint, double q)
{
    return scalar_max(scalar_max(joint->lower - q, q - joint->upper), 0);
}

/* the turns of an angle that keep the limits, -1: none; where there are too many to count as
   integers, those near the start are what matters */
static bool kept_turns(const closed_joint *joint, double q, double near, double *first,
                       double *last)
{
    const double tolerance = CLOSED_LIMIT_TOLERANCE;
    double low = (joint->lower - tolerance - q) / WHOLE_TURN;
    double high = (joint->upper + tolerance - q) / WHOLE_TURN;
    *first = ceil(scalar_max(low, near - 1e6));
    *last = floor(scalar_min(high, near + 1e6));
    return *first <= *last;
}

double closed_choose_turn(const closed_joint *joint, double q, double start, double beside)
{
    if (joint->is_length)
        return q;
    double near = scalar_round((start - q) / WHOLE_TURN), first, last;
    double at = q + WHOLE_TURN * near;
    if (at >= joint->lower - beside && at <= joint->upper + beside)
        return at;
    if (kept_turns(joint, q, near, &first, &last))
        return q + WHOLE_TURN * scalar_clamp(near, first, last);
    // none: the turn on either side of the limits that breaks them less
    double below = q + WHOLE_TURN * floor((joint->lower - q) / WHOLE_TURN);
    double above = below + WHOLE_TURN;
    return excess(joint, below) <= excess(joint, above) ? below : above;
}

void closed_choose(const closed_chain *chain, const double *q, const double *start, double beside,
                   closed_choice *choice)
{
    choice->square = choice->beyond = 0;
    choice->worst = -1;
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        double at = closed_choose_turn(joint, q[i], start[i], beside),
               d = (at - start[i]) / joint->unit;
        double out = excess(joint, at);
        choice->q[i] = at;
        choice->square += d * d;
        if (out > CLOSED_LIMIT_TOLERANCE && out > choice->beyond) {
            choice->beyond = out;
            choice->worst = i;
        }
    }
}

/* whole turns of a joint are distinguished only by its limits: without them they are the same */
static bool has_copies(const closed_joint *joint)
{
    return !joint->is_length && joint->upper - joint->lower < INFINITY;
}

/* All combinations of turns as on an odometer: joint i shows turn at[i] of first[i] to last[i]. */
typedef struct odometer {
    int count;
    double first[CLOSED_ARM_JOINTS], last[CLOSED_ARM_JOINTS], at[CLOSED_ARM_JOINTS];
} odometer;

/* joints without copies stay on their turn, 0 */
static odometer begin_turns(const closed_chain *chain, const closed_choice *choice)
{
    odometer o = {.count = chain->count};
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        bool some = has_copies(joint) && choice->worst < 0 &&
                    kept_turns(joint, choice->q[i], 0, &o.first[i], &o.last[i]);
        if (!some)
            o.first[i] = o.last[i] = 0;
        o.at[i] = o.first[i];
    }
    return o;
}

/* false after the last combination */
static bool next_turns(odometer *o)
{
    for (int i = 0; i < o->count; i++) {
        if (++o->at[i] <= o->last[i])
            return true;
        o->at[i] = o->first[i];
    }
    return false;
}

static bool is_choice_itself(const odometer *o)
{
    bool same = true;
    for (int i = 0; i < o->count; i++)
        same &= o->at[i] == 0;
    return same;
}

static closed_choice turned(const closed_chain *chain, const closed_choice *choice,
                            const odometer *o, const double *start)
{
    closed_choice copy = {.worst = -1};
    for (int i = 0; i < chain->count; i++) {
        copy.q[i] = choice->q[i] + WHOLE_TURN * o->at[i];
        double d = (copy.q[i] - start[i]) / chain->joints[i].unit;
        copy.square += d * d;
    }
    return copy;
}

int closed_copies(const closed_chain *chain, const closed_choice *choice, const double *start,
                  closed_choice *copies, int room)
{
    int count = 1;
    if (room > 0)
        copies[0] = *choice;
    odometer turns = begin_turns(chain, choice);
    for (bool more = true; more; more = next_turns(&turns)) {
        if (is_choice_itself(&turns))
            continue;
        if (count < room)
            copies[count] = turned(chain, choice, &turns, start);
        if (++count > room)
            break;
    }
    return count;
}
