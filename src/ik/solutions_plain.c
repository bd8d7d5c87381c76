/*
 * solutions_plain.c - targets whose branches in closed form are all that is to be listed.
 *
 * The same decisions as those of the finder's set, and the same rows, but straight from the
 * branches: none is a family's, a double root or beside its limits, and each is confirmed.
 */
#include "ik/solutions.h"

#include "ik/closed/family.h"
#include "ik/closed/proof.h"
#include "math/scalar.h"

#include <string.h>

/* Branches that are solutions, as bits, and those of them that keep the limits. */
typedef struct plain_set {
    unsigned solve, inside;
    double position[KERNEL_CLOSED_BRANCHES], rotation[KERNEL_CLOSED_BRANCHES];
} plain_set;

/* whether the branches may be plain, before they are confirmed */
static bool choose(const kernel_solutions *f, plain_set *set)
{
    unsigned singular = 0;
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
        const bool solves = kernel_closed_solves(f, b), inside = f->worst[b] < 0;
        const bool beside = !inside && f->beyond[b] <= CLOSED_BESIDE;
        const bool open = f->freedom[b] != 0 || f->closest[b] <= CLOSED_FAMILY_NEAR;
        singular |= (unsigned)(open | (solves & (beside | (f->margin[b] < CLOSED_MAY_BE_DOUBLE))));
        set->solve |= (unsigned)solves << b;
        set->inside |= (unsigned)(solves & inside) << b;
    }
    return singular == 0;
}

/* whether rounding alone is what they miss the target by */
static bool confirm(lb_solutions_solver *s, const solutions_problem *problem,
                    const kernel_solutions *f, plain_set *set)
{
    const double position = CLOSED_ROUNDING * (1 + s->finder.size);
    bool fine = true;
    if (set->solve == 0)
        return true;
    for (int i = 0; i < s->verifier.kernel.tree.nq; i++) {
        double *column = s->columns + KERNEL_CLOSED_BRANCHES * i;
        const int joint = s->form_of[i];
        for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++)
            column[b] = joint < 0 ? problem->start[s->verifier.kernel.model_q[i]] : f->q[joint][b];
    }
    s->ops->verify_columns(&s->verifier.kernel, s->columns, problem->target, s->scratch,
                           set->position, set->rotation);
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++)
        fine &= (set->solve >> b & 1) == 0 ||
                (set->position[b] <= position && set->rotation[b] <= CLOSED_ROUNDING);
    return fine;
}

/* all branches: the listed ones first, nearest first and equals in order */
static void sort_branches(const kernel_solutions *f, unsigned listed, int *order)
{
    double square[KERNEL_CLOSED_BRANCHES];
    int rank[KERNEL_CLOSED_BRANCHES] = {0};
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++)
        square[b] = (listed >> b & 1) != 0 ? f->square[b] : INFINITY;
    for (int b = 1; b < KERNEL_CLOSED_BRANCHES; b++)
        for (int c = 0; c < b; c++) {
            const int nearer = square[b] < square[c];
            rank[c] += nearer;
            rank[b] += 1 - nearer;
        }
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++)
        order[rank[b]] = b;
}

static void fill_row(const lb_solutions_solver *s, const solutions_problem *problem,
                     const kernel_solutions *f, const plain_set *set, int b, double *q,
                     lb_solution *info)
{
    const closed_finder *finder = &s->finder;
    const int worst = (int)f->worst[b];
    if (s->model->tree.nq > KERNEL_CLOSED_JOINTS)
        memcpy(q, problem->start, sizeof(double) * (size_t)s->model->tree.nq);
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        q[finder->columns[i]] = f->q[i][b];
    *info =
        (lb_solution){.branch = b,
                      .in_limits = worst < 0,
                      .joint = worst < 0 ? -1 : finder->chain.joints[finder->chain_of[worst]].joint,
                      .beyond = f->beyond[b],
                      .position_error = set->position[b],
                      .rotation_error = set->rotation[b],
                      .multiplicity = 1,
                      .distance = sqrt(f->square[b])};
}

static int count_bits(unsigned bits)
{
    int count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

void ik_solutions_summarise(const lb_solutions_solver *s, unsigned open, lb_reason proof,
                            lb_solutions_summary *out)
{
    for (int i = 0; i < s->finder.chain.count; i++)
        if (open >> i & 1)
            out->family[out->family_count++] = s->finder.chain.joints[i].joint;
    // members of an infinite family stand for others, of which some may keep the limits
    out->complete &= out->family_count == 0;
    out->certified &= out->family_count == 0;
    bool proved = proof != LB_REASON_NONE && out->family_count == 0;
    out->outcome = out->in_limits > 0 ? LB_REACHED
                   : proved           ? LB_UNREACHABLE
                   : out->count > 0   ? LB_STALLED
                                      : LB_EXHAUSTED;
    if (out->count > 0)
        out->reason = out->in_limits > 0 ? LB_REASON_NONE : LB_REASON_LIMITS;
    else if (proved)
        out->reason = LB_REASON_REACH;
}

bool ik_solutions_list_plain(lb_solutions_solver *s, const solutions_problem *problem,
                             const kernel_solutions *f, const solutions_rows *rows,
                             lb_solutions_summary *out)
{
    const closed_finder *finder = &s->finder;
    const size_t nq = (size_t)s->model->tree.nq;
    plain_set set = {0};
    int order[KERNEL_CLOSED_BRANCHES];
    if (!choose(f, &set) || !confirm(s, problem, f, &set))
        return false;
    out->count = count_bits(set.solve);
    out->in_limits = count_bits(set.inside);
    out->complete = out->certified = closed_form_is_clear(finder, f, problem->target);
    const lb_reason proof =
        closed_form_proof(finder, f, &finder->form, &finder->snap, problem->target, finder->slack);
    ik_solutions_summarise(s, 0, proof, out);
    const unsigned listed = s->options.out_of_limits ? set.solve : set.inside;
    const int count = count_bits(listed);
    sort_branches(f, listed, order);
    out->truncated = count > rows->capacity;
    out->listed = count < rows->capacity ? count : rows->capacity;
    for (int i = 0; i < out->listed; i++) {
        lb_solution *info = &rows->solutions[i];
        fill_row(s, problem, f, &set, order[i], rows->q + (size_t)i * nq, info);
        out->noise = scalar_max(out->noise, scalar_max(info->position_error, info->rotation_error));
    }
    return true;
}
