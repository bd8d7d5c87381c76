/*
 * source.c - the source at a time: where the links of a map's pairs are.
 *
 * Times that are known to be wanted soon, in this order, are looked up side by side, one in each
 * lane; what comes of one does not depend on the others.
 */
#include "motion/retarget/plan.h"

#include "kernel/ops.h"

#include <limber/fk_batch.h>

enum { AHEAD = RETARGET_AHEAD };

lb_status retarget_source_create(retarget_plan *plan, lb_error *error)
{
    const lb_model *model = lb_clip_model(plan->source);
    retarget_source *s = &plan->seen;
    int links[LB_RETARGET_PAIRS];
    size_t pairs = (size_t)plan->map->count, nq = (size_t)lb_model_nq(model);
    for (int i = 0; i < plan->map->count; i++)
        links[i] = plan->map->pairs[i].source;
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.links = links;
    options.link_count = plan->map->count;
    s->q = memory_take(&plan->memory, AHEAD * nq, sizeof *s->q);
    s->at = memory_take(&plan->memory, AHEAD * pairs, sizeof *s->at);
    s->turns = memory_take(&plan->memory, AHEAD * pairs, sizeof *s->turns);
    lb_state_create(model, &plan->memory, &plan->state);
    lb_fk_batch_create(model, &options, &plan->memory, &s->batch);
    return memory_pool_failed(&plan->memory) ? error_out_of_memory(error) : LB_OK;
}

void retarget_look_ahead(retarget_plan *plan, const double *times, int count)
{
    retarget_source *s = &plan->seen;
    size_t pairs = (size_t)plan->map->count, n = (size_t)count;
    size_t nq = (size_t)lb_model_nq(lb_clip_model(plan->source));
    for (size_t i = 0; i < n; i++) {
        s->times[i] = times[i];
        lb_clip_at(plan->source, times[i], s->q + i * nq);
    }
    const lb_fk_batch_rows rows = {.q = s->q, .transforms = s->at};
    lb_fk_batch_forward(s->batch, &rows, 0, n);
    kernel_choose(0)->quats(s->at, n * pairs, s->turns);
    s->count = count;
    s->next = 0;
}

void retarget_look(retarget_plan *plan, double time)
{
    retarget_source *s = &plan->seen;
    if (s->next < s->count && s->times[s->next] == time) {
        s->row = s->next++;
        return;
    }
    s->row = -1;
    lb_clip_at(plan->source, time, plan->q);
    lb_state_update(plan->state, plan->q);
}

const lb_transform *retarget_source_at(const retarget_plan *plan, int pair)
{
    if (plan->seen.row >= 0)
        return &plan->seen.at[plan->seen.row * plan->map->count + pair];
    return &lb_state_transforms(plan->state)[plan->map->pairs[pair].source];
}

lb_quat retarget_source_turn(const retarget_plan *plan, int pair)
{
    if (plan->seen.row >= 0)
        return plan->seen.turns[plan->seen.row * plan->map->count + pair];
    return lb_transform_quat(retarget_source_at(plan, pair));
}
