/*
 * trace.c - a method's iterations, one by one, as rows of their numbers.
 */
#include "cli/work/trace.h"

#include "cli/report/report.h"
#include "cli/work/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- forms ---------------------------------------------------------------- */

/* what the numbers of a part of a step are named by */
typedef enum trace_shape { BY_VALUE, BY_ROW, BY_ROW_AND_JOINT, BY_TWO_ROWS, BY_JOINT } trace_shape;

/* Some of the numbers of a step. */
typedef struct trace_part {
    const tracing *of;
    const char *name, *sign; /* in tables; in words */
    trace_shape shape;
    const double *numbers;
    int count, width; /* width: numbers of a row of a matrix; 0: no matrix */
    bool shown;       /* in words */
} trace_part;

enum { PARTS = 9 };

static void list_parts(const tracing *t, trace_part parts[PARTS])
{
    const int r = t->step.rows, nv = t->step.nv;
    const bool utf8 = console_is_utf8(), solved = derivation_damping(&t->step) >= 0 && r > 0;
    const bool stepped = nv > 0 && isfinite(t->step.change[0]);
    const bool split = stepped && isfinite(t->step.product[0]),
               drawn = t->what->options.gains != NULL;
    const trace_part all[PARTS] = {
        {t, "q", "q", BY_VALUE, t->q, t->step.nq, 0, true},
        {t, "V", "V", BY_ROW, t->step.v, r, 0, true},
        {t, "J", "J", BY_ROW_AND_JOINT, t->step.jacobian, r * nv, nv, true},
        {t, "JJT", utf8 ? "J J\xE1\xB5\x80" : "J J^T", BY_TWO_ROWS, t->step.square, r * r, r, true},
        {t, "beta", utf8 ? "\xCE\xB2" : "beta", BY_ROW, t->step.beta, r, 0, solved},
        {t, "z", "z", BY_JOINT, t->step.z, nv, 0, drawn},
        {t, "JTbeta", utf8 ? "J\xE1\xB5\x80\xCE\xB2" : "J^T beta", BY_JOINT, t->step.product, nv, 0,
         split},
        {t, "clamped", "clamped", BY_JOINT, t->step.clamped, nv, 0, split},
        {t, "step", "step", BY_JOINT, t->step.change, nv, 0, stepped}};
    memcpy(parts, all, sizeof all);
}

/* "elbow", "V_vx", "J_vx_1", "JJT_vx_vy", "z_1" */
static void name_part(const void *user, int i, char name[COLUMN_NAME_SIZE])
{
    const trace_part *part = user;
    const tracing *t = part->of;
    const int width = part->shape == BY_ROW_AND_JOINT ? t->step.nv : t->step.rows;
    if (part->shape == BY_VALUE)
        value_name(&t->slots[i], name);
    if (part->shape == BY_ROW)
        snprintf(name, COLUMN_NAME_SIZE, "%s_%s", part->name,
                 derivation_row_name(t->step.row_of[i]));
    if (part->shape == BY_ROW_AND_JOINT)
        snprintf(name, COLUMN_NAME_SIZE, "%s_%s_%d", part->name,
                 derivation_row_name(t->step.row_of[i / width]), i % width + 1);
    if (part->shape == BY_TWO_ROWS)
        snprintf(name, COLUMN_NAME_SIZE, "%s_%s_%s", part->name,
                 derivation_row_name(t->step.row_of[i / width]),
                 derivation_row_name(t->step.row_of[i % width]));
    if (part->shape == BY_JOINT)
        snprintf(name, COLUMN_NAME_SIZE, "%s_%d", part->name, i + 1);
}

static void name_step(const void *results, int i, row *to)
{
    const tracing *t = results;
    trace_part parts[PARTS];
    list_parts(t, parts);
    (void)i;
    column_whole(to, "iteration", t->iteration);
    column_number(to, "position_error", t->step.result.position_error);
    column_number(to, "rotation_error", t->step.result.rotation_error);
    for (const trace_part *p = parts; p < parts + PARTS; p++)
        column_numbers(to, p->name, p->numbers, p->count, p->width, name_part, p);
}

static void print_numbers(const double *numbers, int count, FILE *stream)
{
    for (int i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            fprintf(stream, " %11.6f", tidy(numbers[i], 6));
        else
            fprintf(stream, " %11s", "singular");
    fputc('\n', stream);
}

/* a line, of a matrix one for each row, behind what it is of */
static void print_part(const trace_part *part, FILE *stream)
{
    enum { LABEL = 8 };
    const int width = part->width > 0 ? part->width : part->count;
    for (int i = 0; i < part->count; i += width) {
        char label[32];
        const char *sign = i == 0 ? part->sign : "";
        const tracing *t = part->of;
        bool named = part->shape == BY_ROW_AND_JOINT;
        snprintf(label, sizeof label, "%s%s%s", named && i > 0 ? " " : sign, named ? " " : "",
                 named ? derivation_row_name(t->step.row_of[i / width]) : "");
        fprintf(stream, "  %s%*s", label, LABEL - text_width(label), "");
        print_numbers(part->numbers + i, width, stream);
    }
}

static void print_step(void *results, FILE *stream)
{
    const tracing *t = results;
    trace_part parts[PARTS];
    fprintf(stream, "%siteration %d%s, error %.6g m", console_style_text(stream, STYLE_STRONG),
            t->iteration, console_style_text(stream, STYLE_PLAIN), t->step.result.position_error);
    if (t->what->task.kind != LB_TASK_POSITION)
        fprintf(stream, ", %.6g rad", t->step.result.rotation_error);
    fputc('\n', stream);
    list_parts(t, parts);
    for (int i = 0; i < PARTS; i++)
        if (parts[i].shown)
            print_part(&parts[i], stream);
}

/* ---- tracing -------------------------------------------------------------- */

void trace_start(tracing *t)
{
    const trace *what = t->what;
    t->slots = values_slots(what->model);
    t->q = allocate_or_exit((size_t)lb_model_nq(what->model), sizeof *t->q);
    require_for(what->of, derivation_step_begin(&t->step, what->model, &what->task, &what->options,
                                                what->target, what->start, why()));
}

void trace_stop(tracing *t)
{
    derivation_step_end(&t->step);
}

static const destination_forms forms = {
    .rows = &(result_table)ROWS(1, name_step), .list = "steps", .block_words = print_step};

/* takes all steps and writes each; after the last one only where it led is written */
static void write_steps(tracing *t, destination *to)
{
    lb_progress progress = LB_PROCESSING;
    for (bool last = false; !last; t->iteration++) {
        last = t->iteration == t->what->steps || progress != LB_PROCESSING;
        lb_progress now = derivation_step_take(&t->step, last);
        for (int k = 0; k < t->step.nq; k++)
            t->q[k] = t->step.q[k] / value_unit(&t->slots[k]);
        destination_add(to, t);
        progress = last ? progress : now;
        memcpy(t->step.q, t->step.next, sizeof(double) * (size_t)t->step.nq);
    }
    t->what->reached = progress == LB_SUCCESS;
}

void trace_write(trace *what)
{
    tracing t = {.what = what};
    destination to;
    trace_start(&t);
    destination_open(&to, &forms, true);
    write_steps(&t, &to);
    destination_close(&to, &t);
    trace_stop(&t);
}

/* ---- what options say ------------------------------------------------------ */

enum { USUAL_TRACE = 40 };

trace trace_given(const lb_model *model, problem_source *problems, const char *of)
{
    trace what = {.model = model, .of = of, .task = tool_task(model, problems->targets.kind)};
    what.options = solver_given(model);
    blocks_read_starts(model, problems);
    problems_read_all(problems);
    int targets = problems->block.count, starts = problems->block_starts.count;
    if (targets != 1 || starts != 1)
        refuse("%s: one target and one start are wanted, there are %d and %d", of, targets, starts);
    what.target = problems->block.targets;
    what.start = problems->block_starts.q;
    what.steps = what.options.iterations > 0 ? what.options.iterations : USUAL_TRACE;
    return what;
}
