/*
 * solver.c - the options that say how inverse kinematics is done.
 */
#include "cli/options/targets.h"

#include "base/suggest.h"
#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters of single methods: the control term, alpha, the bend ... --- */

static text_option gains, desired;
static const char *const controls[] = {"gradient", "square", NULL};
static const char *const ranks[] = {"gain", "recency", "room", NULL};
static const char *const sides[] = {"nearer", "left", "right", NULL};
static const int side_values[] = {0, 1, -1};

static const struct poptOption parameter_options[] = {
    OPTION_FIELD("alpha", FIELD_POSITIVE, lb_ik_options, transpose.alpha, "A",
                 "scale of transpose, per square metre; default: the best at each step"),
    OPTION_SET("adaptive", lb_ik_options, damped.adaptive, "damped damps near singularities alone"),
    OPTION_TEXT("gains", gains, "\"JOINT=GAIN ...\"",
                "how strongly Jacobian methods draw joints to their desired values without moving "
                "the tip, towards a local optimum and by a turn at most; joints that are not named "
                "have gain "
                "0; a number alone is the gain of all"),
    OPTION_TEXT("desired", desired, "\"JOINT=VALUE ...\"",
                "those values; joints that are not named are at their default; or middle, that "
                "between the limits of each joint"),
    OPTION_CHOICE("control", lb_ik_options, control, controls, NULL, "NAME",
                  "how: gradient (default), or square, to the letter of Eq. 5.27"),
    OPTION_CHOICE("rank", lb_ik_options, ranked.rank, ranks, NULL, "NAME",
                  "by what ccd-ranked ranks joints: gain (default), recency or room"),
    OPTION_CHOICE("bend", lb_ik_options, analytic.bend, sides, side_values, "SIDE",
                  "the side that analytic bends the elbow to: left, right or nearer (default)"),
    OPTION_FIELD("pole", FIELD_VECTOR, lb_ik_options, analytic.pole, "\"X Y Z\"",
                 "the direction that analytic points the elbow in, in the base's axes"),
    OPTION_SET("no-nudge", lb_ik_options, no_nudge, "leave stuck configurations alone"),
    OPTION_END,
};

/* ---- options without effect -------------------------------------------------- */

/* what a method must be capable of for an option to have an effect */
static const struct {
    const char *option;
    unsigned capability;
} uses[] = {
    {"damping", LB_METHOD_DAMPING},  {"adaptive", LB_METHOD_DAMPING},
    {"alpha", LB_METHOD_ALPHA},      {"rank", LB_METHOD_RANK},
    {"bend", LB_METHOD_BEND},        {"pole", LB_METHOD_BEND},
    {"gains", LB_METHOD_JACOBIAN},   {"desired", LB_METHOD_JACOBIAN},
    {"control", LB_METHOD_JACOBIAN},
};

/* "lm and damped": the methods that have a capability */
static const char *capable_methods(unsigned capability, char *text, size_t size)
{
    if (capability == LB_METHOD_JACOBIAN)
        return "those with a Jacobian";
    *text = '\0';
    for (int i = 0; i < lb_method_count(); i++) {
        const lb_method *method = lb_method_at(i);
        size_t length = strlen(text);
        if (lb_method_capabilities(method) & capability)
            snprintf(text + length, size - length, "%s%s", length ? " and " : "",
                     lb_method_name(method));
    }
    return text;
}

static bool check_use(void *user, const struct poptOption *option)
{
    const lb_method *method = user;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        if (strcmp(uses[i].option, option->longName) != 0 || !option_is_given(option) ||
            lb_method_capabilities(method) & uses[i].capability)
            continue;
        char methods[128];
        return complain("--%s has no effect on method '%s': it is for %s", option->longName,
                        lb_method_name(method),
                        capable_methods(uses[i].capability, methods, sizeof methods));
    }
    return true;
}

/* complains of an option of a table that has no effect by the method or the protocol, and returns
   false then */
static bool parameters_apply(const struct poptOption *table, const lb_ik_options *options)
{
    if (options->protocol == LB_PROTOCOL_GIVEN && option_given(table, "seed"))
        return complain("--seed has no effect with --protocol given: there are no random starts");
    if (option_given(parameter_options, "control") && option_text(gains) == NULL)
        return complain("--control has no effect without --gains");
    return option_each(table, check_use, (void *)options->method);
}

/* ---- the control term --------------------------------------------------- */

typedef struct gain_reading {
    const lb_model *model;
    const value_slot *slots;
    double *gains;
} gain_reading;

/* `name` is that of its joint, "" of all */
static bool read_gain(const char *option, const char *name, const char *value, double *gain)
{
    if (!argument_number(option, value, gain))
        return false;
    if (!(*gain >= 0) && *name == '\0')
        return complain("%s: a gain of %s is below zero", option, value);
    return *gain >= 0 || complain("%s: '%s': a gain of %s is below zero", option, name, value);
}

/* all velocities of a joint have its gain */
static bool set_gain(void *user, const char *option, const char *name, const char *value)
{
    const gain_reading *reading = user;
    double gain;
    int j = lb_model_find_joint(reading->model, name), index;
    if (!read_gain(option, name, value, &gain))
        return false;
    int v = j < 0 ? -1 : lb_model_joint_v(reading->model, j);
    bool whole = v >= 0 && lb_model_joint(reading->model, j)->mimic == NULL;
    /* otherwise the reason is that of a value by this name */
    if (!whole &&
        !succeeds_for(option, values_find(reading->model, reading->slots, name, &index, why())))
        return false;
    if (!whole)
        return complain("%s: '%s' is a part of a joint; a gain is of the joint as a whole", option,
                        name);
    for (int k = 0; k < lb_joint_kind_nv(lb_model_joint(reading->model, j)->kind); k++)
        reading->gains[v + k] = gain;
    return true;
}

/* one number for all joints */
static bool set_all_gains(const lb_model *model, double *all)
{
    double gain;
    if (!read_gain("--gains", "", option_text(gains), &gain))
        return false;
    for (int v = 0; v < lb_model_nv(model); v++)
        all[v] = gain;
    return true;
}

static bool read_gains(const lb_model *model, const value_slot *slots, solver_choice *choice)
{
    if (option_text(gains) == NULL)
        return true;
    choice->gains = allocate_or_exit((size_t)lb_model_nv(model), sizeof *choice->gains);
    choice->options.gains = choice->gains;
    if (strspn(option_text(gains), "+-.0123456789") > 0 && !strchr(option_text(gains), '='))
        return set_all_gains(model, choice->gains);
    gain_reading reading = {model, slots, choice->gains};
    return assignments_each("--gains", option_text(gains), set_gain, &reading);
}

/* joints with one value and both limits between them; others keep their default */
static void set_middle(const lb_model *model, double *q)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        double middle = 0.5 * (joint->lower[0] + joint->upper[0]);
        if (lb_joint_kind_nq(joint->kind) == 1 && joint->mimic == NULL && isfinite(middle))
            q[lb_model_joint_q(model, j)] = middle;
    }
}

static bool read_desired(const lb_model *model, const value_slot *slots, solver_choice *choice)
{
    int changed = 0;
    if (option_text(desired) == NULL)
        return true;
    if (option_text(gains) == NULL)
        return complain("--desired has no effect without --gains");
    choice->desired = allocate_or_exit((size_t)lb_model_nq(model), sizeof *choice->desired);
    choice->options.desired = choice->desired;
    lb_configuration_neutral(model, choice->desired);
    if (strcmp(option_text(desired), "middle") == 0)
        set_middle(model, choice->desired);
    else if (!values_from_text(model, slots, "--desired", option_text(desired), choice->desired))
        return false;
    if (!succeeds_for("--desired", values_normalize(model, choice->desired, &changed, why())))
        return false;
    pose_warnings warnings = {.poses = 0};
    pose_warnings_add(&warnings, model, slots, choice->desired, 1);
    pose_warnings_print(&warnings, "--desired");
    return true;
}

static bool parameters_given(const lb_model *model, solver_choice *choice)
{
    value_slot *slots = values_slots(model);
    bool fine = options_read(parameter_options, &choice->options) &&
                read_gains(model, slots, choice) && read_desired(model, slots, choice);
    free(slots);
    return fine;
}

/* ---- what is common to all ----------------------------------------------- */

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
                  "nearest: the solution nearest to the start, where targets leave joints free "
                  "the nearest found (default); any: the first found; "
                  "given: from the start alone, without a second try"),
    OPTION_FIELD("seed", FIELD_SEED, lb_ik_options, seed, "N",
                 "of the random starts that are tried; default: 0"),
    OPTION_FIELD("damping", FIELD_POSITIVE, lb_ik_options, damping, "METRES",
                 "of the damped methods; default: adaptive"),
    OPTION_FIELD("step-limit", FIELD_POSITIVE, lb_ik_options, step_limit, "RADIANS",
                 "the most that a joint changes in one step, in radians even with --degrees; "
                 "default: the method's"),
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
    if (number != 1 && number != 2 && number != 4 && number != 8)
        return complain("%s: width must be 1, 2, 4 or 8, not %s", name, text);
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
           tuning_given(model, choice) && parameters_apply(tuning_options, &choice->options);
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
