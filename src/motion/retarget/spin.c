/*
 * spin.c - a head that turns all the way round, as those of machines and of cartoons do.
 *
 * The joints from chest to head share its turn, each as the posture draws it. Once the head has
 * turned by half a turn the way round the other side is the shorter one, and all of them would go
 * over to it at once. Where the motion shows that, the joints on the way become stiff: the head's
 * own joint, which has no limits, passes half a turn without a jump.
 */
#include "motion/retarget/grid.h"

#include "base/memory.h"

/* whether a joint turns in every direction, without limits */
static bool turns_freely(const lb_joint *joint)
{
    bool turns = joint->kind == LB_JOINT_BALL || joint->kind == LB_JOINT_FLOATING;
    for (int i = 0; i < 2 && turns && joint->kind == LB_JOINT_BALL; i++)
        turns = joint->upper[i] >= LB_PI;
    return turns;
}

/* marks what turns freely between a link and the next one above it that has a pair; how many */
static int mark_stiff(const retarget_plan *plan, int link, unsigned char *stiff)
{
    int count = 0;
    for (int up = lb_model_parent(plan->target, link); up > 0 && count < RETARGET_STIFF;
         up = lb_model_parent(plan->target, up)) {
        for (int i = 0; i < plan->map->count; i++)
            if (plan->map->pairs[i].target == up)
                return count;
        if (!turns_freely(lb_model_joint(plan->target, up - 1)))
            continue;
        stiff[up - 1] = 1;
        count++;
    }
    return count;
}

/* whether a joint is among what jumps at some step */
static bool does_jump(const retarget_grid *grid, int joint, double *room, unsigned char *limbs)
{
    int at = lb_model_joint_q(grid->solver->plan->target, joint);
    for (int step = 0; step < grid->steps; step++) {
        if (!retarget_is_jump(grid, step, room))
            continue;
        for (size_t i = 0; i < grid->nq; i++)
            limbs[i] = 0;
        retarget_find_limbs(grid, step, limbs);
        if (limbs[at])
            return true;
    }
    return false;
}

static bool find_spin(const retarget_grid *grid, double *room, unsigned char *limbs,
                      unsigned char *stiff)
{
    const retarget_plan *plan = grid->solver->plan;
    int pair = retarget_find_pair(plan->map, LB_ROLE_HEAD);
    int link = pair >= 0 ? plan->map->pairs[pair].target : 0;
    return link > 0 && turns_freely(lb_model_joint(plan->target, link - 1)) &&
           mark_stiff(plan, link, stiff) > 0 && does_jump(grid, link - 1, room, limbs);
}

lb_status retarget_stiffen_spins(retarget_grid *grid, bool *any, lb_error *error)
{
    retarget_plan *plan = grid->solver->plan;
    const lb_model *source = lb_clip_model(plan->source);
    size_t size = (size_t)(lb_model_nq(source) + lb_model_nv(source));
    double *room = memory_take(&plan->memory, size, sizeof *room);
    unsigned char *limbs = memory_take(&plan->memory, grid->nq, 1);
    unsigned char *stiff =
        memory_take(&plan->memory, (size_t)lb_model_joint_count(plan->target), 1);
    bool fine = room != NULL && limbs != NULL && stiff != NULL;
    *any = fine && find_spin(grid, room, limbs, stiff);
    if (*any) {
        plan->stiff = stiff;
        stiff = NULL;
    }
    memory_release(&plan->memory, stiff);
    memory_release(&plan->memory, limbs);
    memory_release(&plan->memory, room);
    return fine ? LB_OK : error_out_of_memory(error);
}
