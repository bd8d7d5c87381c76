/*
 * body_near.inl - descents that begin near their end, as along a motion: fewer steps.
 *
 * Where tasks contradict each other Gauss-Newton steps converge linearly, and past the
 * minimum: their matrix lacks the curvature of what is left. Two steps that follow each other show
 * by how much, and the second is corrected for it (Anderson's mixing of depth one; Walker & Ni
 * 2011). A step that hardly changes anything is the last. None may lose, be it by a millionth: in
 * twists of straight limbs, which next to nothing decides, steps that may go back and forth do not
 * end.
 */
#ifndef KERNEL_BODY_NEAR_INL
#define KERNEL_BODY_NEAR_INL

#include "kernel/body_correct.inl"

/* a step grows at most threefold; one that shrinks keeps more than half, as steps that grow are not
   mixed */
#define BODY_MIX_LEAST (-2.0)
/* radians: a longer step that was refused is not corrected, as that could lead to another solution,
   where a motion would jump */
#define BODY_CORRECTED 0.1

/* corrects w->change by the step before it, in the lanes that `follow` that one */
static void accelerate(const kernel_body *body, lane_mask follow, body_work *w)
{
    lane now = lane_set(0), both = now, last = now;
    for (int c = 0; c < body->joint_columns; c++) {
        now = now + w->change[c] * w->change[c];
        both = both + w->change[c] * w->last_change[c];
        last = last + w->last_change[c] * w->last_change[c];
    }
    // |now - last|^2
    lane apart = lane_max(now - both * 2 + last, lane_set(1e-300));
    lane mix = lane_max((now - both) / apart, lane_set(BODY_MIX_LEAST));
    // steps that grow do not converge
    mix = lane_keep(mask_and(follow, lane_lt(now, last)), mix);
    for (int c = 0; c < body->joint_columns; c++) {
        lane change = w->change[c];
        lane step = change - mix * (w->last_step[c] + change - w->last_change[c]);
        step = lane_select(lane_eq(w->pin[c], lane_set(0)), step, change);
        w->last_change[c] = change;
        w->last_step[c] = w->change[c] = step;
    }
}

/* whether the step changes no column by more than `most` */
static lane_mask changes_little(const kernel_body *body, double most, const body_work *w)
{
    lane largest = lane_set(0);
    for (int c = 0; c < body->joint_columns; c++)
        largest = lane_max(lane_abs(w->change[c]), largest);
    return lane_lt(largest, lane_set(most));
}

#endif
