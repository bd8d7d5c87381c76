/*
 * ik_summary.c - what inverse kinematics achieved, in words.
 */
#include "cli/work/solve.h"

#include "cli/report/describe.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

/* ---- pieces ------------------------------------------------------------- */

static const char *microseconds(void)
{
    return console_is_utf8() ? "\xC2\xB5s" : "us";
}

static void print_outcome(const lb_ik_result *result, FILE *stream)
{
    fprintf(stream, "%s%s%s",
            console_style_text(stream, result->outcome == LB_REACHED ? STYLE_GOOD : STYLE_BAD),
            lb_outcome_text(result->outcome), console_style_text(stream, STYLE_PLAIN));
}

/* the target: position and orientation */
static void print_target(const solve *all, int i, FILE *stream)
{
    const lb_transform *target = &all->targets->targets[i];
    lb_vec3 rpy = lb_quat_to_rpy(lb_transform_quat(target));
    double unit = angle_unit();
    if (all->task.kind != LB_TASK_ROTATION)
        fprintf(stream, "  target    %.6g %.6g %.6g m\n", tidy(target->p.x, 9),
                tidy(target->p.y, 9), tidy(target->p.z, 9));
    if (all->task.kind != LB_TASK_POSITION)
        fprintf(stream, "  %-10sroll %.6g, pitch %.6g, yaw %.6g %s\n",
                all->task.kind == LB_TASK_ROTATION ? "target" : "", tidy(rpy.x / unit, 9),
                tidy(rpy.y / unit, 9), tidy(rpy.z / unit, 9), angle_unit_name());
}

static void print_errors(const solve *all, const lb_ik_result *result, FILE *stream)
{
    if (all->task.kind != LB_TASK_ROTATION)
        fprintf(stream, "%.3g m", result->position_error);
    if (all->task.kind == LB_TASK_POSE)
        fputs(", ", stream);
    if (all->task.kind != LB_TASK_POSITION)
        fprintf(stream, "%.3g rad", result->rotation_error);
}

/* why it was not reached, as the library says it */
static void print_reason(const solve *all, const solve_unreached *one, int indent, FILE *stream)
{
    char text[512];
    lb_ik_explain(all->iks[0], &one->target, one->q, &one->result, text, sizeof text);
    print_wrapped(stream, text, indent);
}

/* how many joints there are for how many numbers that are wanted */
static void print_mobility(const solve *all, int i, FILE *stream)
{
    char text[128];
    lb_state *state = state_or_exit(all->model);
    lb_state_update(state, solve_solution(all, i));
    describe_mobility(lb_task_mobility(state, &all->task, &all->targets->targets[i]), text,
                      sizeof text);
    fprintf(stream, "  freedom   %s\n", text);
    lb_state_release(state);
}

/* ---- joints ------------------------------------------------------------- */

/* marks the joints between a link and the root once more: those marked twice lie above both ends */
static void mark_upwards(const lb_model *model, int link, unsigned char *marks)
{
    for (; link > 0; link = lb_model_parent(model, link))
        marks[link - 1]++;
}

/* where between its limits a value is, "--o-----"; "" without two limits */
static void draw_gauge(double value, double lower, double upper, char *text, size_t size)
{
    enum { CELLS = 21 };
    bool utf8 = console_is_utf8();
    const char *line = utf8 ? "\xE2\x94\x80" : "-", *dot = utf8 ? "\xE2\x97\x8F" : "o";
    *text = '\0';
    if (!isfinite(lower) || !isfinite(upper) || !(upper > lower))
        return;
    double place = (value - lower) / (upper - lower) * (CELLS - 1);
    int cell = place < 0 ? 0 : place > CELLS - 1 ? CELLS - 1 : (int)(place + 0.5);
    size_t used = (size_t)snprintf(text, size, "[");
    for (int k = 0; k < CELLS; k++)
        used += (size_t)snprintf(text + used, size - used, "%s", k == cell ? dot : line);
    snprintf(text + used, size - used, "]");
}

/* one row of the table: a value before and after */
static void add_value(grid_table *table, const value_slot *slot, int part, double before,
                      double after)
{
    char name[VALUE_NAME_SIZE], limits[320] = "", gauge[128] = "";
    const lb_joint *joint = slot->joint;
    bool plain = joint->kind != LB_JOINT_BALL && joint->kind != LB_JOINT_FLOATING;
    double unit = value_unit(slot);
    if (part == 0)
        describe_limits(joint, limits, sizeof limits);
    if (plain && joint->kind != LB_JOINT_CONTINUOUS)
        draw_gauge(after, joint->lower[part], joint->upper[part], gauge, sizeof gauge);
    grid_cell(table, "%s", value_name(slot, name));
    grid_cell(table, "%.4f", tidy(before / unit, 4));
    grid_cell(table, "%.4f", tidy(after / unit, 4));
    grid_cell(table, "%s", gauge);
    grid_cell(table, "%s", limits);
}

/* the values on the path from base to tip; those of a joint that mimics there count too */
static void print_joints(const solve *all, int i, FILE *stream)
{
    const lb_model *model = all->model;
    int joints = lb_model_joint_count(model), nq = lb_model_nq(model);
    unsigned char *marks = allocate_or_exit((size_t)joints, 1),
                  *wanted = allocate_or_exit((size_t)nq, 1);
    value_slot *slots = values_slots(model);
    mark_upwards(model, all->task.tip, marks);
    mark_upwards(model, all->task.base, marks);
    for (int j = 0; j < joints; j++) {
        int start = lb_model_joint_q(model, j);
        int count = start < 0 ? 0 : lb_joint_kind_nq(lb_model_joint(model, j)->kind);
        for (int k = 0; marks[j] == 1 && k < count; k++)
            wanted[start + k] = 1;
    }

    grid_table table = grid_start("lrrll");
    grid_cell(&table, "joint");
    grid_cell(&table, "start");
    grid_cell(&table, "%s", all->results[i].outcome == LB_REACHED ? "solution" : "closest");
    grid_cell(&table, "%s", "");
    grid_cell(&table, "limits");
    for (int k = 0, part = 0; k < nq; k++) {
        part = k > 0 && slots[k].joint == slots[k - 1].joint ? part + 1 : 0;
        if (wanted[k])
            add_value(&table, &slots[k], part, solve_start(all, i)[k], solve_solution(all, i)[k]);
    }
    grid_print(&table, stream);
    grid_release(&table);
    free(slots);
    free(wanted);
    free(marks);
}

/* ---- accounts ----------------------------------------------------------- */

static void summarize_one(const solve *all, FILE *stream)
{
    const lb_ik_result *result = &all->results[0];
    bool reached = result->outcome == LB_REACHED;
    describe_task(all->model, &all->task, stream);
    fprintf(stream, ", method %s\n", lb_method_name(lb_ik_get_options(all->iks[0])->method));
    print_target(all, 0, stream);
    print_mobility(all, 0, stream);
    fputs("  outcome   ", stream);
    print_outcome(result, stream);
    fprintf(stream, " in %d iteration%s, %d tr%s, %.1f %s\n", result->iterations,
            result->iterations == 1 ? "" : "s", result->tries, result->tries == 1 ? "y" : "ies",
            1e6 * all->seconds[0], microseconds());
    fputs("  error     ", stream);
    print_errors(all, result, stream);
    fputs(reached ? "\n" : " at the closest configuration found\n", stream);
    if (!reached) {
        int indent = fprintf(stream, "  because   ");
        print_reason(all, &all->unreached[0], indent, stream);
    }
    fputc('\n', stream);
    print_joints(all, 0, stream);
    fprintf(stream, "  (metres, %s)\n", angle_unit() == 1 ? "radians" : "degrees");
}

static void print_unreached(const solve *all, int unreached, FILE *stream)
{
    for (int k = 0; k < all->unreached_count; k++) {
        fprintf(stream, "  target %d: ", all->unreached[k].index + 1);
        print_outcome(&all->unreached[k].result, stream);
        int indent = fprintf(stream, "\n    ") - 1;
        print_reason(all, &all->unreached[k], indent, stream);
    }
    if (unreached > SOLVE_UNREACHED)
        fprintf(stream, "  ... and %d more\n", unreached - SOLVE_UNREACHED);
}

static void summarize_many(const solve *all, FILE *stream)
{
    solve_summary summary = solve_summarize(all);
    int reached = all->outcomes[LB_REACHED];
    fprintf(stream, "%s%d of %d targets reached%s", console_style_text(stream, STYLE_STRONG),
            reached, summary.targets, console_style_text(stream, STYLE_PLAIN));
    for (int k = 0; k < LB_OUTCOME_COUNT; k++)
        if (k != LB_REACHED && all->outcomes[k] > 0)
            fprintf(stream, ", %d %s", all->outcomes[k], lb_outcome_text((lb_outcome)k));
    fprintf(stream, "\n  %.4g s of solving, %.0f solves per second\n", summary.seconds,
            summary.solves_per_second);
    if (all->threads > 0)
        fprintf(stream, "  side by side on %d thread%s: %.2f %s each\n", all->ik_count,
                all->ik_count == 1 ? "" : "s", summary.mean_us, microseconds());
    else
        fprintf(stream, "  one solve: mean %.2f %s, half within %.2f, 99 %% within %.2f\n",
                summary.mean_us, microseconds(), summary.p50_us, summary.p99_us);
    print_unreached(all, summary.targets - reached, stream);
}

void ik_summary_words(void *results, FILE *stream)
{
    const solve *all = results;
    if (all->count == 1)
        summarize_one(all, stream);
    else
        summarize_many(all, stream);
}
