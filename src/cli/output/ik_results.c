/* ik_results.c - what inverse kinematics found for each target, for programs. */
#include "cli/output/ik_results.h"

static int count_targets(const void *results)
{
    return ((const solve *)results)->targets->count;
}

static void name_target(const void *results, int i, row *to)
{
    const solve *all = results;
    const lb_ik_result *result = &all->results[i];
    column_choice(to, "status", lb_outcome_text(result->outcome), (int)result->outcome);
    column_whole(to, "iterations", result->iterations);
    column_number(to, "position_error", result->position_error);
    column_number(to, "rotation_error", result->rotation_error);
    column_joints(to, all->model, solve_solution(all, i));
}

const result_table ik_results = {count_targets, name_target};

json_t *ik_results_members(void *results)
{
    const solve *all = results;
    solve_summary summary = solve_summarize(all);
    return json_pack("{s:i, s:i, s:f, s:f, s:f, s:f, s:f}", "targets", summary.targets, "reached",
                     all->outcomes[LB_REACHED], "seconds", summary.seconds, "solves_per_second",
                     summary.solves_per_second, "mean_us", summary.mean_us, "p50_us",
                     summary.p50_us, "p99_us", summary.p99_us);
}
