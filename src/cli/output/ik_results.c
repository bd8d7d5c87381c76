/* ik_results.c - what inverse kinematics found for each target, for programs. */
#include "cli/output/ik_results.h"

#include "cli/output/destination.h"
#include "cli/output/joint_values.h"
#include "cli/output/print_json.h"

bool ik_results_rows(void *results, row *fields)
{
    static const char *const first[] = {"status", "iterations", "position_error", "rotation_error"};
    const solve *all = results;
    joint_values values = joint_values_of(all->model);
    for (size_t k = 0; all->before == 0 && k < sizeof first / sizeof *first; k++)
        row_text(fields, first[k]);
    if (all->before == 0) {
        joint_values_names(&values, fields);
        row_end(fields);
    }
    for (int i = 0; i < all->targets->count; i++) {
        const lb_ik_result *result = &all->results[i];
        row_choice(fields, lb_outcome_text(result->outcome), (int)result->outcome);
        row_whole(fields, result->iterations);
        row_number(fields, result->position_error);
        row_number(fields, result->rotation_error);
        joint_values_row(&values, solve_solution(all, i), fields);
        row_end(fields);
    }
    joint_values_release(&values);
    return true;
}

static json_t *json_result(const solve *all, int i, const joint_values *values)
{
    const lb_ik_result *result = &all->results[i];
    return json_pack("{s:s, s:i, s:o, s:o, s:o}", "status", lb_outcome_text(result->outcome),
                     "iterations", result->iterations, "position_error",
                     json_finite(result->position_error), "rotation_error",
                     json_finite(result->rotation_error), "joints",
                     joint_values_json(values, solve_solution(all, i)));
}

void ik_results_elements(void *results, json_list *list)
{
    const solve *all = results;
    joint_values values = joint_values_of(all->model);
    for (int i = 0; i < all->targets->count; i++)
        json_list_add(list, json_result(all, i, &values));
    joint_values_release(&values);
}

json_t *ik_results_members(void *results)
{
    const solve *all = results;
    solve_summary summary = solve_summarize(all);
    return json_pack("{s:i, s:i, s:f, s:f, s:f, s:f, s:f}", "targets", summary.targets, "reached",
                     all->outcomes[LB_REACHED], "seconds", summary.seconds, "solves_per_second",
                     summary.solves_per_second, "mean_us", summary.mean_us, "p50_us",
                     summary.p50_us, "p99_us", summary.p99_us);
}
