/* explain.c - limber explain: a step of inverse kinematics with its equations and numbers. */
#include "base/text.h"
#include "cli/options/models.h"
#include "cli/report/formula.h"
#include "cli/report/report.h"
#include "cli/work/solve.h"
#include "cli/work/trace.h"

#include <string.h>

static text_option output_given;

static const char *const endings[] = {".html", ".txt"};

/* of a figure the first */
static void list_values(const tracing *t, const formula_page *page)
{
    char text[2 * VALUE_NAME_SIZE + 4], name[VALUE_NAME_SIZE];
    text_writer list = {text, sizeof text - 4, 0};
    text_write(&list, "Joint values (radians, metres):");
    int i = 0;
    for (; i < t->step.nq && list.length + VALUE_NAME_SIZE < 2 * VALUE_NAME_SIZE; i++) {
        value_name(&t->slots[i], name);
        text_write(&list, " %s", name);
    }
    list.size = sizeof text;
    text_write(&list, i < t->step.nq ? " ..." : "");
    formula_words(page, text);
}

static void write_page(const tracing *t, FILE *stream, bool html)
{
    char title[256];
    formula_page page = {.stream = stream, .html = html, .utf8 = console_is_utf8()};
    text_format(title, sizeof title, "%s: one step towards its target",
                lb_model_name(t->what->model));
    formula_begin(&page, title);
    list_values(t, &page);
    exit_if_out_of_memory(derivation_visit(&t->step, formula_line, &page, NULL));
    formula_end(&page);
}

static void write_text(const void *step, FILE *stream)
{
    write_page(step, stream, false);
}

static void write_html(const void *step, FILE *stream)
{
    write_page(step, stream, true);
}

static void explain(trace *what)
{
    const char *path = option_text(output_given);
    tracing t = {.what = what};
    bool html = path != NULL && argument_ending("--output", path, endings, 2) == 0;
    trace_start(&t);
    what->reached = derivation_step_take(&t.step, false) == LB_SUCCESS;
    if (path == NULL)
        write_text(&t, stdout);
    else
        destination_save(path, html ? write_html : write_text, &t);
    trace_stop(&t);
}

static int run(const char *const *operands)
{
    problem_source problems = {.shared = false};
    const lb_model *model = select_model(operands[0]);
    targets_open(&problems.targets);
    trace what = trace_given(model, &problems, "explain");
    explain(&what);
    select_remark();
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(target_options),
    OPTION_TABLE(start_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(solver_options),
    OPTION_TEXT("output", output_given, "FILE",
                "a page with MathML (.html), or a text (.txt); default: standard output"),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"the pseudoinverse on the textbook's arm",
     "limber explain planar3 --position \"-20 5 0\" --method pseudoinverse"},
    {"damping near a stretched arm, as a page",
     "limber explain planar3 --position \"-35 5 0\" --method damped --damping 6 \\\n"
     "        --output damped.html"},
    {"the control term: joint 2 led towards 0",
     "limber explain planar3 --position \"-20 5 0\" --method pseudoinverse \\\n"
     "        --gains \"joint_2=0.5\" --desired \"joint_2=0\""},
    {NULL, NULL},
};

const command command_explain = {
    COMMAND(explain),
    .synopsis = "MODEL --position \"X Y Z\" [--rpy \"R P Y\"]\n"
                "[--method M] [OPTION ...]",
    .summary = "derive one step of inverse kinematics with the arm's own numbers",
    .details = "Writes Equations 5.16 to 5.31 of Parent 2012 with the numbers of the first step\n"
               "from --start: r and V, the Jacobian J, its inverse and pseudoinverse, beta,\n"
               "damping, the control term z, and the step with what limits took from it. V, J,\n"
               "beta, z and the step are the numbers of limber ik --trace. All numbers are in\n"
               "metres and radians, even with --degrees.\n\n"
               "Only the equations of the method are written: transpose has V, J and its\n"
               "product, ccd its sweep, joint by joint. Of alternative, ccd-ranked, fabrik and\n"
               "analytic there are V, J and the step.",
    .choices = &method_choices,
    .operands = 1,
};
