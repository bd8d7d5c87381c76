/*
 * solver.c - the options that say how inverse kinematics is done.
 */
#include "cli/options/solver.h"

#include "base/suggest.h"
#include "cli/options/arguments.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

static text_option method_given, width;
static const char *const protocols[] = {"nearest", "any", "given", NULL};
static const int protocol_values[] = {LB_PROTOCOL_NEAREST, LB_PROTOCOL_ANY, LB_PROTOCOL_GIVEN};

static const char default_method[] = "lm";

const struct poptOption tuning_options[] = {
    OPTION_FIELD("position-tolerance", FIELD_POSITIVE, lb_ik_options, position_tolerance, "METRES",
                 "default: 1e-6"),
    OPTION_FIELD("rotation-tolerance", FIELD_POSITIVE, lb_ik_options, rotation_tolerance, "RADIANS",
                 "default: 1e-6; in radians even with --degrees"),
    OPTION_COUNT("iterations", lb_ik_options, iterations, 1, LB_IK_ITERATIONS_MAX, "N",
                 "the most iterations of one solve; default: what the method needs"),
    OPTION_CHOICE("protocol", lb_ik_options, protocol, protocols, protocol_values, "NAME",
                  "nearest: the solution nearest to the start (default); any: the first found; "
                  "given: from the start alone, without a second try"),
    OPTION_FIELD("seed", FIELD_SEED, lb_ik_options, seed, "N",
                 "of the random starts that are tried; default: 0"),
    OPTION_FIELD("damping", FIELD_POSITIVE, lb_ik_options, damping, "METRES",
                 "of the damped methods; default: adaptive"),
    OPTION_FIELD("step-limit", FIELD_POSITIVE, lb_ik_options, step_limit, "RADIANS",
                 "the most that a joint changes in one step; default: the method's"),
    OPTION_FIELD("length", FIELD_POSITIVE, lb_ik_options, length, "METRES",
                 "how far a tip is off that counts as much as one radian; default: from the model"),
    OPTION_TEXT("width", width, "N",
                "how many problems the kernel solves side by side: 1, 2, 4 or 8; default: what "
                "the machine has; results are the same"),
    OPTION_TABLE(parameter_options),
    OPTION_END,
};

const struct poptOption solver_options[] = {
    OPTION_TEXT("method", method_given, "METHOD", "how to solve, one of those below; default: lm"),
    OPTION_TABLE(tuning_options),
    OPTION_END,
};

/* ---- methods ------------------------------------------------------------ */

static const char *method_name(int i)
{
    return lb_method_name(lb_method_at(i));
}

static const char *method_says(int i)
{
    return lb_method_summary(lb_method_at(i));
}

const choice_list method_choices = {"Methods:", lb_method_count, method_name, method_says};

static bool read_method(const char *name, const lb_method **method)
{
    *method = lb_method_find(name);
    if (*method != NULL)
        return true;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_method_count(); i++)
        suggest_consider(&nearest, method_name(i));
    complain("--method: no method '%s'%s", name, suggest_phrase(&nearest));
    if (nearest.best == NULL)
        for (int i = 0; i < lb_method_count(); i++)
            complain("--method: there is '%s': %s", method_name(i), method_says(i));
    return false;
}

/* ---- numbers ------------------------------------------------------------ */

/* the option, or what the environment says in its place */
static bool read_width(lb_ik_options *options)
{
    const char *name = "--width", *text = option_text(width);
    double number;
    if (text == NULL) {
        name = "LIMBER_WIDTH";
        text = getenv(name);
    }
    if (text == NULL || *text == '\0')
        return true;
    if (!argument_number(name, text, &number))
        return false;
    if (number != 1 && number != 2 && number != 4 && number != 8) {
        complain("%s: width must be 1, 2, 4 or 8, not %s", name, text);
        return false;
    }
    options->width = (int)number;
    return true;
}

/* ---- all of them -------------------------------------------------------- */

bool solver_given(const lb_model *model, solver_choice *choice)
{
    const char *text = option_text(method_given);
    *choice = (solver_choice){.options = lb_ik_options_default()};
    // what is printed of an unreachable target is read by people
    choice->options.closest = true;
    return read_method(text == NULL ? default_method : text, &choice->options.method) &&
           tuning_given(model, choice) && parameters_apply(tuning_options, choice->options.method);
}

bool tuning_given(const lb_model *model, solver_choice *choice)
{
    return options_read(tuning_options, &choice->options) && read_width(&choice->options) &&
           parameters_given(model, choice);
}

void solver_release(solver_choice *choice)
{
    free(choice->gains);
    free(choice->desired);
    *choice = (solver_choice){.options = lb_ik_options_default()};
}
