/*
 * reach_contents.c - what configurations an orientation is reached by.
 *
 * An arm with a closed form is decided by it: its solutions are listed and none can be overlooked,
 * 0.8 microseconds a target whether it is reached or not. (A descent from nearest solutions takes
 * 10 times as long on a map, for the many targets that no branch reaches but none clearly misses: a
 * lattice about the first axis is full of singular ones.) Of other arms of six joints all solutions
 * are listed where a search has found one. Of the rest what it has found stands for all; where that
 * is refused, an arm with one joint more is solved again with that joint held at values all round.
 */
#include "workspace/reach_contents.h"

#include "base/error.h"
#include "base/memory.h"
#include "kinematics/assembly.h"

/* values of the redundant joint that are tried for an accepted configuration: every five degrees */
enum { HELD_VALUES = 72 };
/* what is measured of each solution */
static const unsigned measured =
    LB_REACH_SOLUTIONS | LB_REACH_MANIPULABILITY | LB_REACH_LIMIT_MARGIN;

/* ---- creating ------------------------------------------------------------- */

/* the solver of all solutions, where there is one for such an arm */
static lb_status create_solver(reach_contents *c, int width, lb_error *error)
{
    lb_solutions_options options = lb_solutions_options_default();
    options.redundancy = HELD_VALUES;
    options.filter = c->options.filter;
    options.user = c->options.user;
    options.width = width;
    lb_status status =
        lb_solutions_create(c->model, &c->task, &options, &c->memory, &c->solver, error);
    bool needed = c->options.filter != NULL || (c->options.contents & LB_REACH_SOLUTIONS) != 0;
    if (status != LB_OK)
        return status == LB_UNSUPPORTED && !needed ? LB_OK : status;
    lb_arm_class found = lb_solutions_class(c->solver);
    c->closed = found != LB_ARM_GENERAL && found != LB_ARM_REDUNDANT;
    c->listing = found != LB_ARM_REDUNDANT && (c->options.contents & measured) != 0;
    if (found != LB_ARM_REDUNDANT || (c->options.contents & LB_REACH_SOLUTIONS) == 0)
        return LB_OK;
    return REFUSE_UNSUPPORTED(
        error, "an arm with a joint more than a pose needs has infinitely many solutions: "
               "they cannot be counted");
}

/* rows for each target of a block */
static int rows(const reach_contents *c)
{
    return c->listing ? LB_SOLUTIONS_MAX : 1;
}

static lb_status take_arrays(reach_contents *c, lb_error *error)
{
    size_t count = REACH_BLOCK * (size_t)rows(c);
    c->q = memory_take(&c->memory, count, (size_t)lb_model_nq(c->model) * sizeof *c->q);
    c->infos = memory_take(&c->memory, count, sizeof *c->infos);
    c->summaries = memory_take(&c->memory, REACH_BLOCK, sizeof *c->summaries);
    c->measuring = memory_take(&c->memory, manipulability_work(c->model), sizeof *c->measuring);
    c->middle = memory_take(&c->memory, (size_t)lb_model_nq(c->model), sizeof *c->middle);
    lb_state_create(c->model, &c->memory, &c->state);
    if (memory_pool_failed(&c->memory))
        return error_out_of_memory(error);
    margin_middle(c->model, c->middle);
    return assembly_of(c->model, &c->memory, &c->assembly, error);
}

lb_status reach_contents_create(reach_contents *c, const lb_model *model, const lb_task *task,
                                const lb_reach_map_options *options, const lb_allocator *pool,
                                lb_error *error)
{
    *c = (reach_contents){.memory = *pool, .model = model, .task = *task, .options = *options};
    lb_status status = create_solver(c, options->width, error);
    return status == LB_OK ? take_arrays(c, error) : status;
}

/* ---- measuring ------------------------------------------------------------ */

/* adds `count` configurations of one orientation */
static void measure(reach_contents *c, const double *q, int count, lb_reach_cell *cell)
{
    if ((c->options.contents & LB_REACH_SOLUTIONS) != 0)
        cell->solutions += count;
    for (int i = 0; i < count && (c->options.contents & measured) != 0;
         i++, q += lb_model_nq(c->model)) {
        if ((c->options.contents & LB_REACH_LIMIT_MARGIN) != 0)
            cell->limit_margin = fmax(cell->limit_margin, margin_at(c->model, q));
        if ((c->options.contents & LB_REACH_MANIPULABILITY) == 0)
            continue;
        lb_state_update(c->state, q);
        cell->manipulability = fmax(
            cell->manipulability, manipulability_at(c->state, &c->task, c->assembly, c->measuring));
    }
}

/* the rows of a block's targets that are reached, the first of which is orientation k */
static void add_block(reach_contents *c, int k, int count, unsigned char *bits, lb_reach_cell *cell)
{
    size_t row = (size_t)rows(c) * (size_t)lb_model_nq(c->model);
    for (int i = 0; i < count; i++, k++) {
        int listed = c->summaries[i].listed;
        if (listed == 0)
            continue;
        cell->reached++;
        measure(c, c->q + row * (size_t)i, listed, cell);
        if (bits != NULL)
            bits[k / 8] = (unsigned char)(bits[k / 8] | 1u << k % 8);
    }
}

void reach_contents_decide(reach_contents *c, const lb_transform *targets, int count,
                           unsigned char *bits, lb_reach_cell *cell)
{
    for (int k = 0; k < count; k += REACH_BLOCK) {
        int n = count - k < REACH_BLOCK ? count - k : REACH_BLOCK;
        lb_solutions_batch(c->solver, targets + k, 0, (size_t)n, c->middle, rows(c), c->q, c->infos,
                           c->summaries);
        add_block(c, k, n, bits, cell);
    }
}

bool reach_contents_add(reach_contents *c, const lb_transform *target, const double *found,
                        lb_reach_cell *cell)
{
    bool accepted = c->options.filter == NULL || c->options.filter(c->options.user, found);
    int count = 0;
    if (c->listing || !accepted)
        count = lb_solutions(c->solver, target, c->middle, rows(c), c->q, c->infos, c->summaries);
    // a solution at a limit, to the map's tolerance, is none to the solver's
    if (count == 0 && !accepted)
        return false;
    measure(c, count > 0 ? c->q : found, count > 0 ? count : 1, cell);
    return true;
}
