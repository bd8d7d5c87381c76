/*
 * feet.c - a foot held on the ground: heel strike, flat, toes, and the smooth way in between.
 *
 * The times at which heel and toe are held cut a clip into phases. In a phase with all points held
 * the foot is flat: its axes are those of the source at its middle, turned upright. With the heel
 * or the toe alone it turns about that point, as the source does. Phases that follow each other and
 * have a point in common are a chain, whose anchors agree: the place of the whole chain is that of
 * the first flat phase, on average where the foot would be without being held.
 *
 * Within a chain the place follows from the anchor; outside it is the free place moved by a
 * displacement that goes from that at the end of one chain to that at the begin of the next, with
 * the same velocities there: 3 u^2 - 2 u^3 for the displacement, x (1 - x)^2 for its rates.
 */
#include "base/error.h"
#include "motion/retarget/plan.h"
#include "motion/rotation.h"
#include "motion/spline.h"

#include <limber/kinematics.h>

#include <string.h>

/* seconds in which the rate at the end of a chain dies out */
#define RATE_FADE 0.35
/* seconds in which a flat foot goes over to the axes of the source: about a swing of a walk */
#define TURN_FADE 0.5
/* a foot that is flat again so soon turns less in between, so that it is no faster */
#define SOON 0.5

/* hands come from farther away than feet, whose places are goals in the air, too */
#define HAND_BLENDS 2.5

static unsigned all_held(const lb_retarget_pair *pair)
{
    return (1u << pair->held_count) - 1;
}

/* ---- phases ------------------------------------------------------------------- */

/* times may be far from the grid: -1 is before it, a step more than it has behind it */
static int clamp_step(const retarget_plan *plan, double step)
{
    return (int)fmax(-1, fmin(plan->steps + 1.0, step));
}

/* the last step of the grid that is not after a time, and the first that is not before it; what
   is nearer than rounding is the same. The grid's last step may be shorter: it ends with the clip
 */
static int step_before(const retarget_plan *plan, double time)
{
    if (time >= retarget_grid_time(plan, plan->steps))
        return plan->steps;
    return clamp_step(plan, floor((time - plan->begin) / plan->step + 1e-6));
}

static int step_after(const retarget_plan *plan, double time)
{
    return clamp_step(plan, ceil((time - plan->begin) / plan->step - 1e-6));
}

/* marks the steps of the grid at which each point is held; how many times that changes */
static int mark_steps(const retarget_plan *plan, const foot_plan *foot, unsigned char *marks)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    for (int k = 0; k < pair->held_count; k++) {
        int count;
        const lb_contact_span *spans = lb_contacts_spans(plan->contacts, foot->points[k], &count);
        for (int i = 0; i < count; i++) {
            int from = step_after(plan, spans[i].begin), to = step_before(plan, spans[i].end);
            for (int step = from < 0 ? 0 : from; step <= to && step <= plan->steps; step++)
                marks[step] |= (unsigned char)(1u << k);
        }
    }
    int changes = 1;
    for (int step = 1; step <= plan->steps; step++)
        changes += marks[step] != marks[step - 1];
    return changes;
}

/*
 * Phases from the marks. Steps belong to the phase with more points where two meet, so a phase
 * begins and ends where its own points are held; between neighbours the one with fewer points goes
 * on to the other's step.
 */
static void make_phases(const retarget_plan *plan, foot_plan *foot, const unsigned char *marks)
{
    for (int step = 0; step <= plan->steps;) {
        int last = step;
        while (last < plan->steps && marks[last + 1] == marks[step])
            last++;
        if (marks[step] != 0) {
            // a phase goes on to a neighbour's first step where that has its points
            int from = step, to = last;
            if (from > 0 && (marks[from - 1] & marks[step]) == marks[step])
                from--;
            if (to < plan->steps && (marks[to + 1] & marks[step]) == marks[step])
                to++;
            foot->phases[foot->phase_count++] =
                (foot_phase){.begin = retarget_grid_time(plan, from),
                             .end = retarget_grid_time(plan, to),
                             .held = marks[step]};
        }
        step = last + 1;
    }
}

/* ---- flat feet ------------------------------------------------------------------ */

static retarget_goal free_at(retarget_plan *plan, const foot_plan *foot, double time)
{
    retarget_look(plan, time);
    return retarget_free_goal(plan, foot->pair);
}

lb_quat retarget_lay_flat(const ground_plane *ground, const lb_retarget_pair *pair, lb_quat turn)
{
    if (pair->held_count < 2)
        return turn;
    // the sole's normal is across heel to toe, upright as far as that allows
    lb_vec3 along = lb_vec3_sub(pair->held[1].at, pair->held[0].at);
    lb_vec3 up = lb_vec3_sub(pair->target_point, pair->held[0].at);
    lb_vec3 x = lb_vec3_normalize(along, lb_vec3_make(1, 0, 0));
    up = lb_vec3_sub(up, lb_vec3_scale(x, lb_vec3_dot(up, x)));
    up = lb_vec3_normalize(up, lb_vec3_perpendicular(x));
    lb_transform own = {x, lb_vec3_cross(up, x), up, {0, 0, 0}};
    // the axis across the foot says where it points, even of one whose toes point down or back
    lb_vec3 above = ground->normal, left = ground_along(ground, lb_quat_rotate(turn, own.y));
    left = lb_vec3_normalize(left, lb_vec3_perpendicular(above));
    lb_transform flat = {lb_vec3_cross(left, above), left, above, {0, 0, 0}};
    return lb_quat_multiply(lb_transform_quat(&flat), lb_quat_conjugate(lb_transform_quat(&own)));
}

static void find_flat(retarget_plan *plan, foot_plan *foot)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    for (int i = 0; i < foot->phase_count; i++) {
        foot_phase *phase = &foot->phases[i];
        int from = step_before(plan, phase->begin), to = step_before(plan, phase->end);
        double middle = retarget_grid_time(plan, (from + to) / 2);
        if (phase->held == all_held(pair))
            phase->flat = retarget_lay_flat(&plan->ground, pair, free_at(plan, foot, middle).turn);
    }
}

static int first_held(unsigned held)
{
    return held & 1 ? 0 : 1;
}

static bool is_flat(const lb_retarget_pair *pair, const foot_phase *phase)
{
    return pair->held_count > 1 && phase->held == all_held(pair);
}

/* the last phase that begins before a time, -1: none */
static int phase_before(const foot_plan *foot, double time)
{
    return sorted_before(&foot->phases->begin, sizeof *foot->phases, foot->phase_count, time);
}

/* turned about the only point that is held, until the other one is not below it */
static lb_quat raise_other(lb_vec3 up, const lb_retarget_pair *pair, unsigned held, lb_quat turn)
{
    int known = first_held(held);
    lb_vec3 along = lb_vec3_sub(pair->held[1 - known].at, pair->held[known].at);
    along = lb_quat_rotate(turn, along);
    double height = lb_vec3_dot(along, up);
    if (!(height < 0))
        return turn;
    lb_vec3 level = lb_vec3_sub(along, lb_vec3_scale(up, height));
    double angle = lb_atan2(-height, lb_vec3_length(level));
    lb_vec3 axis = lb_vec3_normalize(lb_vec3_cross(along, level), lb_vec3_perpendicular(up));
    return lb_quat_multiply(lb_quat_from_axis_angle(axis, angle), turn);
}

/* the flat phase nearest to a time on one side, from a phase on; one that is too far away to count
   is none */
static const foot_phase *near_flat(const lb_retarget_pair *pair, const foot_plan *foot, int phase,
                                   int by, double time)
{
    // more than twice the fade, by which two flat phases may be apart
    const double far = 3 * TURN_FADE;
    for (; phase >= 0 && phase < foot->phase_count; phase += by) {
        const foot_phase *at = &foot->phases[phase];
        if (at->end < time - far || at->begin > time + far)
            break;
        if (is_flat(pair, at))
            return at;
    }
    return NULL;
}

/* the axes at a time: those of flat phases, over which and from which they go smoothly */
static lb_quat blend_turn(const lb_retarget_pair *pair, const foot_plan *foot, double time,
                          lb_quat turn)
{
    int before = phase_before(foot, time);
    const foot_phase *left = near_flat(pair, foot, before, -1, time);
    const foot_phase *right = near_flat(pair, foot, before + 1, 1, time);
    if (left != NULL && time <= left->end)
        return left->flat;
    // a foot that is flat again soon is turned the less, so that it is no faster
    if (left != NULL && right != NULL && right->begin - left->end < 2 * TURN_FADE) {
        double gap = right->begin - left->end, u = (time - left->end) / gap;
        double most = fmin(1, gap / SOON) * smooth_step(2 * fmin(u, 1 - u));
        return lb_quat_slerp(lb_quat_slerp(left->flat, right->flat, smooth_step(u)), turn, most);
    }
    if (left != NULL && time < left->end + TURN_FADE)
        return lb_quat_slerp(left->flat, turn, smooth_step((time - left->end) / TURN_FADE));
    if (right != NULL && time > right->begin - TURN_FADE)
        return lb_quat_slerp(right->flat, turn, smooth_step((right->begin - time) / TURN_FADE));
    return turn;
}

lb_quat retarget_roll_back(const ground_plane *ground, const lb_retarget_pair *pair, double share,
                           lb_quat turn)
{
    lb_vec3 along = lb_vec3_sub(pair->held[1].at, pair->held[0].at);
    lb_vec3 up = lb_vec3_sub(pair->target_point, pair->held[0].at);
    lb_vec3 left = lb_vec3_normalize(lb_vec3_cross(up, along), lb_vec3_make(0, 1, 0));
    left = lb_quat_rotate(turn, left);
    double steep = lb_vec3_dot(left, ground->normal);
    lb_vec3 back = lb_vec3_sub(left, lb_vec3_scale(ground->normal, share * steep));
    return lb_quat_multiply(rotation_smallest(left, lb_vec3_normalize(back, left)), turn);
}

/* an edge of the sole would enter the ground while heel or toe is held, before and after */
static lb_quat roll_back(const retarget_plan *plan, const foot_plan *foot, double time,
                         lb_quat turn)
{
    int at = phase_before(foot, time);
    double away = at >= 0 ? fmax(0, time - foot->phases[at].end) : INFINITY;
    if (at + 1 < foot->phase_count)
        away = fmin(away, foot->phases[at + 1].begin - time);
    if (foot->sole.count == 0 || !(away < TURN_FADE))
        return turn;
    return retarget_roll_back(&plan->ground, &plan->map->pairs[foot->pair],
                              1 - smooth_step(away / TURN_FADE), turn);
}

/* the same; where heel or toe alone is held, the other one is not below the ground */
static lb_quat foot_turn(const retarget_plan *plan, const foot_plan *foot, double time,
                         lb_quat turn)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    turn = roll_back(plan, foot, time, blend_turn(pair, foot, time, turn));
    int at = phase_before(foot, time);
    if (at < 0 || time > foot->phases[at].end || pair->held_count < 2 ||
        is_flat(pair, &foot->phases[at]))
        return turn;
    return raise_other(plan->ground.normal, pair, foot->phases[at].held, turn);
}

/* ---- chains --------------------------------------------------------------------- */

/* a point of the link from the pair's place, the link's axes being `turn` */
static lb_vec3 arm_of(const lb_retarget_pair *pair, int held, lb_quat turn)
{
    return lb_quat_rotate(turn, lb_vec3_sub(pair->held[held].at, pair->target_point));
}

/* where a held point would be on average in a phase, on the ground */
static lb_vec3 mean_place(retarget_plan *plan, const foot_plan *foot, const foot_phase *phase,
                          int held)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    int from = step_before(plan, phase->begin), to = step_before(plan, phase->end);
    lb_vec3 sum = {0, 0, 0};
    for (int step = from; step <= to; step++) {
        if ((step - from) % RETARGET_AHEAD == 0)
            retarget_look_ahead_steps(plan, step, to);
        double time = retarget_grid_time(plan, step);
        retarget_goal goal = free_at(plan, foot, time);
        lb_quat turn = foot_turn(plan, foot, time, goal.turn);
        sum = lb_vec3_add(sum, lb_vec3_add(goal.place, arm_of(pair, held, turn)));
    }
    return lb_vec3_scale(sum, 1.0 / (to - from + 1));
}

/* anchors of a phase from that of one of its points; flat ones have all */
static void set_anchors(const lb_retarget_pair *pair, foot_phase *phase, int known, lb_vec3 at)
{
    phase->anchors[known] = at;
    for (int k = 0; is_flat(pair, phase) && k < pair->held_count; k++)
        phase->anchors[k] = lb_vec3_add(
            at, lb_vec3_sub(arm_of(pair, k, phase->flat), arm_of(pair, known, phase->flat)));
}

/* the anchors of a phase from its neighbour's, by a point that both hold */
static void pass_anchors(const lb_retarget_pair *pair, const foot_phase *from, foot_phase *to)
{
    int common = first_held(from->held & to->held);
    set_anchors(pair, to, common, from->anchors[common]);
}

int retarget_chain_base(const retarget_plan *plan, const foot_plan *foot, const foot_chain *chain,
                        int *phase)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    int last = chain->first + chain->count - 1, base = chain->first;
    while (base < last && !is_flat(pair, &foot->phases[base]))
        base++;
    if (!is_flat(pair, &foot->phases[base]))
        base = chain->first;
    *phase = base;
    return first_held(foot->phases[base].held);
}

/* anchors of a whole chain from that of the point of its base */
static void spread_anchors(retarget_plan *plan, foot_plan *foot, const foot_chain *chain,
                           lb_vec3 place)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    int base, known = retarget_chain_base(plan, foot, chain, &base);
    if (!chain->raised)
        place.z = plan->ground.height + ground_rise(&plan->ground, place) +
                  pair->held[known].size / plan->ground.normal.z;
    set_anchors(pair, &foot->phases[base], known, place);
    for (int i = base; i < chain->first + chain->count - 1; i++)
        pass_anchors(pair, &foot->phases[i], &foot->phases[i + 1]);
    for (int i = base; i > chain->first; i--)
        pass_anchors(pair, &foot->phases[i], &foot->phases[i - 1]);
}

/* the place of a foot in a phase, its axes being `turn` */
static lb_vec3 place_in(const lb_retarget_pair *pair, const foot_phase *phase, lb_quat turn)
{
    int held = first_held(phase->held);
    return lb_vec3_sub(phase->anchors[held], arm_of(pair, held, turn));
}

/* what the place is moved by at a step within a chain */
static lb_vec3 displacement(retarget_plan *plan, foot_plan *foot, const foot_phase *phase, int step)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    double time = retarget_grid_time(plan, step);
    retarget_goal goal = free_at(plan, foot, time);
    lb_quat turn = foot_turn(plan, foot, time, goal.turn);
    return lb_vec3_sub(place_in(pair, phase, turn), goal.place);
}

/* displacements at the ends of a chain, and what their rates would be just outside if the place
   did not move there either */
static void find_ends(retarget_plan *plan, foot_plan *foot, foot_chain *chain)
{
    const foot_phase *first = &foot->phases[chain->first];
    const foot_phase *last = &foot->phases[chain->first + chain->count - 1];
    int from = step_before(plan, first->begin), to = step_before(plan, last->end);
    chain->enter = displacement(plan, foot, first, from);
    chain->leave = displacement(plan, foot, last, to);
    if (from > 0) {
        lb_vec3 before = displacement(plan, foot, first, from - 1);
        chain->enter_rate = lb_vec3_scale(lb_vec3_sub(chain->enter, before), 1 / plan->step);
    }
    if (to < plan->steps) {
        lb_vec3 next = displacement(plan, foot, last, to + 1);
        chain->leave_rate = lb_vec3_scale(lb_vec3_sub(next, chain->leave), 1 / plan->step);
    }
}

/* whether a palm rests on something else than the ground: it is too high on average */
static bool is_raised(retarget_plan *plan, const foot_plan *foot, const foot_phase *phase)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    int from = step_before(plan, phase->begin), to = step_before(plan, phase->end);
    double sum = 0;
    for (int step = from; step <= to && retarget_is_palm(pair); step++) {
        retarget_look(plan, retarget_grid_time(plan, step));
        const lb_transform *at = retarget_source_at(plan, foot->pair);
        sum +=
            ground_distance(&plan->source_ground, lb_transform_point(at, pair->held[0].source_at));
    }
    return retarget_is_palm(pair) && sum > foot->low * (to - from + 1);
}

static void make_chains(retarget_plan *plan, foot_plan *foot)
{
    for (int i = 0; i < foot->phase_count; i++) {
        foot_phase *phase = &foot->phases[i];
        bool goes_on = i > 0 && foot->phases[i - 1].end >= phase->begin &&
                       (foot->phases[i - 1].held & phase->held) != 0;
        if (!goes_on)
            foot->chains[foot->chain_count++] = (foot_chain){.first = i};
        phase->chain = foot->chain_count - 1;
        foot->chains[phase->chain].count++;
    }
    for (int i = 0; i < foot->chain_count; i++) {
        foot_chain *chain = &foot->chains[i];
        int base, known = retarget_chain_base(plan, foot, chain, &base);
        chain->raised = is_raised(plan, foot, &foot->phases[base]);
        spread_anchors(plan, foot, chain, mean_place(plan, foot, &foot->phases[base], known));
        find_ends(plan, foot, &foot->chains[i]);
    }
}

lb_status retarget_plan_foot(retarget_plan *plan, foot_plan *foot, lb_error *error)
{
    size_t steps = (size_t)plan->steps + 1;
    unsigned char *marks = memory_take(&plan->memory, steps, 1);
    TRY(require_memory(error, marks));
    // contacts may have changed since the last time
    size_t most = (size_t)mark_steps(plan, foot, marks);
    foot->phase_count = foot->chain_count = 0;
    foot->phases = memory_take(&plan->memory, most, sizeof *foot->phases);
    foot->chains = memory_take(&plan->memory, most, sizeof *foot->chains);
    if (memory_pool_failed(&plan->memory))
        return error_out_of_memory(error);
    make_phases(plan, foot, marks);
    find_flat(plan, foot);
    make_chains(plan, foot);
    return LB_OK;
}

/* ---- at a time ------------------------------------------------------------------ */

/* the last chain that begins before a time, -1: none */
static int chain_before(const foot_plan *foot, double time)
{
    int at = phase_before(foot, time);
    return at >= 0 ? foot->phases[at].chain : -1;
}

/* a rate's part of the displacement so long after the chain, of so long a gap */
static lb_vec3 fade_rate(lb_vec3 rate, double after, double gap)
{
    double span = fmin(gap, RATE_FADE), u = span > 0 ? after / span : 1;
    return u < 1 ? lb_vec3_scale(rate, after * (1 - u) * (1 - u)) : lb_vec3_make(0, 0, 0);
}

/* the displacement between two chains, or before the first and after the last one */
static lb_vec3 between(const foot_plan *foot, const foot_chain *left, const foot_chain *right,
                       double time)
{
    double from = left != NULL ? chain_end(foot, left) : -INFINITY;
    double to = right != NULL ? foot->phases[right->first].begin : INFINITY, gap = to - from;
    lb_vec3 by;
    if (left == NULL)
        by = right->enter;
    else if (right == NULL)
        by = left->leave;
    else
        by = lb_vec3_add(left->leave, lb_vec3_scale(lb_vec3_sub(right->enter, left->leave),
                                                    smooth_step((time - from) / gap)));
    if (left != NULL)
        by = lb_vec3_add(by, fade_rate(left->leave_rate, time - from, gap));
    if (right != NULL)
        by = lb_vec3_sub(by, fade_rate(right->enter_rate, to - time, gap));
    return by;
}

double retarget_hold_share(const foot_plan *foot, int held, double time, double blend)
{
    double most = 0;
    int at = phase_before(foot, time + blend);
    for (; at >= 0 && foot->phases[at].end > time - blend; at--) {
        const foot_phase *phase = &foot->phases[at];
        if ((phase->held >> held & 1) == 0)
            continue;
        double away = fmax(0, fmax(phase->begin - time, time - phase->end));
        most = fmax(most, 1 - smooth_step(away / blend));
    }
    return most;
}

void retarget_hold(const retarget_plan *plan, const foot_plan *foot, double time,
                   retarget_goal *goal)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    if (foot->chain_count == 0)
        return;
    int before = chain_before(foot, time);
    const foot_chain *left = before >= 0 ? &foot->chains[before] : NULL;
    const foot_chain *right = before + 1 < foot->chain_count ? &foot->chains[before + 1] : NULL;
    double blend = plan->options->blend * (retarget_is_palm(pair) ? HAND_BLENDS : 1);
    goal->turn = foot_turn(plan, foot, time, goal->turn);
    for (int k = 0; k < pair->held_count; k++)
        goal->hold[k] = retarget_hold_share(foot, k, time, blend);
    if (left != NULL && time <= chain_end(foot, left)) {
        goal->place = place_in(pair, &foot->phases[phase_before(foot, time)], goal->turn);
        return;
    }
    // a hand in the air follows the source as if it were never held
    lb_vec3 by = between(foot, left, right, time);
    if (retarget_is_palm(pair))
        by = lb_vec3_scale(by, goal->hold[0]);
    goal->place = lb_vec3_add(goal->place, by);
}

/* ---- places that are moved ------------------------------------------------------- */

int retarget_phase_between(const foot_plan *foot, double from, double to)
{
    int at = phase_before(foot, to);
    return at >= 0 && foot->phases[at].begin > from && to <= foot->phases[at].end ? at : -1;
}

double retarget_place_chain(retarget_plan *plan, foot_plan *foot, int chain, lb_vec3 place,
                            lb_quat turn)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    int base, known = retarget_chain_base(plan, foot, &foot->chains[chain], &base);
    foot_phase *phase = &foot->phases[base];
    lb_vec3 before = phase->anchors[known];
    if (is_flat(pair, phase))
        phase->flat = retarget_lay_flat(&plan->ground, pair, turn);
    spread_anchors(plan, foot, &foot->chains[chain], place);
    find_ends(plan, foot, &foot->chains[chain]);
    return lb_vec3_length(lb_vec3_sub(phase->anchors[known], before));
}

/* a phase that follows another one keeps the place of a point that both hold */
static int known_in(const foot_chain *chain, const foot_plan *foot, int phase)
{
    unsigned held = foot->phases[phase].held;
    return first_held(phase > chain->first ? held & foot->phases[phase - 1].held : held);
}

double retarget_land_foot(retarget_plan *plan, foot_plan *foot, int at, const lb_transform *link)
{
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    int c = chain_before(foot, foot->phases[at].begin);
    foot_chain *chain = &foot->chains[c];
    foot_phase *phase = &foot->phases[at];
    int known = known_in(chain, foot, at), last = chain->first + chain->count - 1;
    lb_vec3 place = phase->anchors[known];
    chain->moved = true;
    if (at == chain->first) {
        lb_vec3 now = lb_transform_point(link, pair->held[known].at);
        lb_vec3 off = lb_vec3_sub(now, place);
        place = lb_vec3_add(place, chain->raised ? off : ground_along(&plan->ground, off));
    }
    if (is_flat(pair, phase))
        phase->flat = retarget_lay_flat(&plan->ground, pair, lb_transform_quat(link));
    set_anchors(pair, phase, known, place);
    for (int i = at; i < last; i++)
        pass_anchors(pair, &foot->phases[i], &foot->phases[i + 1]);
    find_ends(plan, foot, chain);
    return c + 1 == foot->chain_count ? INFINITY : foot->phases[chain[1].first].begin;
}
