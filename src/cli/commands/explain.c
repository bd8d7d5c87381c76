/* explain.c - limber explain: a step of inverse kinematics with its equations and numbers. */
#include "base/text.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/work/derivation.h"
#include "cli/work/solve.h"
#include "cli/work/symbolic.h"

#include <string.h>

static text_option output_given;
static int symbolic_wanted;

static const char *const endings[] = {".html", ".txt"};

typedef struct explanation {
    const tracing *t;
    bool html;
} explanation;

static void write_page(const void *data, FILE *stream)
{
    const explanation *what = data;
    const formula_page plain = {.stream = stream, .html = what->html, .utf8 = console_is_utf8()};
    formula_page page = plain;
    char title[256];
    page.middle = "";
    for (int c = 0; c < what->t->nv; c++)
        if (what->t->mobility[c] != 1)
            page.middle = "M^2 ";
    text_format(title, sizeof title, "%s: one step towards its target",
                lb_model_name(what->t->what->model));
    formula_begin(&page, title);
    derivation_write(what->t, &page);
    formula_end(&page);
}

static bool explain(trace *what)
{
    const char *path = option_text(output_given);
    tracing t = {.what = what};
    int ending = 1;
    bool fine =
        (path == NULL || argument_ending("--output", path, endings, 2, &ending)) && trace_start(&t);
    if (fine) {
        what->reached = trace_step(&t, false) == LB_SUCCESS;
        explanation data = {.t = &t, .html = ending == 0};
        if (path == NULL)
            write_page(&data, stdout);
        else
            fine = destination_save(path, write_page, &data);
    }
    trace_stop(&t);
    return fine;
}

static const struct poptOption step_options[] = {
    OPTION_TABLE(target_options),
    OPTION_TABLE(start_options),
    OPTION_TABLE(solver_options),
    OPTION_TEXT("output", output_given, "FILE",
                "a page with MathML (.html), or a text (.txt); default: standard output"),
    OPTION_END,
};

static int run_symbolic(const lb_model *model)
{
    lb_task task;
    if (!option_none_given(step_options, "with --symbolic") ||
        !tool_task(model, LB_TASK_POSITION, &task) || !symbolic_check(model, &task))
        return EXIT_BAD_INPUT;
    symbolic_write(model, &task, stdout);
    select_remark();
    return EXIT_DONE;
}

static int run_step(const lb_model *model)
{
    problem_source problems = {.shared = false};
    trace_choice chosen = {.solver = {.gains = NULL}};
    bool fine = targets_open(&problems.targets) &&
                trace_given(model, &problems, "explain", &chosen) && explain(&chosen.what);
    if (fine)
        select_remark();
    trace_release(&chosen);
    problems_close(&problems);
    return fine ? EXIT_DONE : EXIT_BAD_INPUT;
}

static int run(const char *const *operands)
{
    lb_model *model = select_model(operands[0]);
    int status = model == NULL     ? EXIT_BAD_INPUT
                 : symbolic_wanted ? run_symbolic(model)
                                   : run_step(model);
    lb_model_release(model);
    return status;
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(tool_options),
    OPTION_FLAG(
        "symbolic", symbolic_wanted,
        "write the tip's place and its Jacobian as formulas of the joint values, of at most "
        "three hinges and slides"),
    OPTION_TABLE(step_options),
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
    {"the Jacobian of the planar arm as formulas", "limber explain planar3 --symbolic"},
    {NULL, NULL},
};

const command command_explain = {
    COMMAND(explain),
    .synopsis = "MODEL (--position \"X Y Z\" [--rpy \"R P Y\"] | --symbolic)\n"
                "[--method M] [OPTION ...]",
    .summary = "derive one step of inverse kinematics with the arm's own numbers",
    .details = "Writes Equations 5.16 to 5.31 of Parent 2012 with the numbers of the first step\n"
               "from --start: r and V, the Jacobian J, its inverse and pseudoinverse, beta,\n"
               "damping, the control term z, and the step with what limits took from it. V, J,\n"
               "beta, z and the step are the numbers of limber ik --trace.\n\n"
               "Methods that solve none of these equations have the first of them and their\n"
               "step; ccd has its sweep, joint by joint.\n\n"
               "--symbolic writes the tip's place E and its Jacobian J (Jvx1 is row vx, column\n"
               "1) as formulas: cosines and sines of joint values, or of their sums if that is\n"
               "shorter.",
    .choices = &method_choices,
    .operands = 1,
};
