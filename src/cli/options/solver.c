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

/* refuses an option of a table that has no effect by the method or the protocol */
static void check_uses(const struct poptOption *table, const lb_ik_options *options)
{
    if (options->protocol == LB_PROTOCOL_GIVEN && option_given(table, "seed"))
        refuse("--seed has no effect with --protocol given: there are no random starts");
    if (option_given(parameter_options, "control") && option_text(gains) == NULL)
        refuse("--control has no effect without --gains");
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        char methods[128];
        if (option_given(table, uses[i].option) &&
            !(lb_method_capabilities(options->method) & uses[i].capability))
            refuse("--%s has no effect on method '%s': it is for %s", uses[i].option,
                   lb_method_name(options->method),
                   capable_methods(uses[i].capability, methods, sizeof methods));
    }
}

/* ---- the control term --------------------------------------------------- */

typedef struct gain_reading {
    const lb_model *model;
    const value_slot *slots;
    double *gains;
} gain_reading;

/* `name` is that of its joint, "" of all */
static double read_gain(const char *option, const char *name, const char *value)
{
    double gain = argument_number(option, value, 0);
    if (!(gain >= 0) && *name == '\0')
        refuse("%s: a gain of %s is below zero", option, value);
    if (!(gain >= 0))
        refuse("%s: '%s': a gain of %s is below zero", option, name, value);
    return gain;
}

/* all velocities of a joint have its gain */
static void set_gain(void *user, const char *option, const char *name, const char *value)
{
    const gain_reading *reading = user;
    int j = lb_model_find_joint(reading->model, name), index;
    double gain = read_gain(option, name, value);
    int v = j < 0 ? -1 : lb_model_joint_v(reading->model, j);
    if (v < 0 || lb_model_joint(reading->model, j)->mimic != NULL) {
        /* the reason is that of a value by this name */
        require_for(option, values_find(reading->model, reading->slots, name, &index, why()));
        refuse("%s: '%s' is a part of a joint; a gain is of the joint as a whole", option, name);
    }
    for (int k = 0; k < lb_joint_kind_nv(lb_model_joint(reading->model, j)->kind); k++)
        reading->gains[v + k] = gain;
}

static void read_gains(const lb_model *model, const value_slot *slots, lb_ik_options *options)
{
    const char *text = option_text(gains), *option = "--gains";
    if (text == NULL)
        return;
    double *all = allocate_or_exit((size_t)lb_model_nv(model), sizeof *all);
    gain_reading reading = {model, slots, all};
    options->gains = all;
    // one number for all joints
    bool one = strspn(text, "+-.0123456789") > 0 && strchr(text, '=') == NULL;
    for (int v = 0; one && v < lb_model_nv(model); v++)
        all[v] = read_gain(option, "", text);
    if (!one)
        assignments_each(option, text, set_gain, &reading);
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

static void read_desired(const lb_model *model, const value_slot *slots, lb_ik_options *options)
{
    int changed = 0;
    const char *text = option_text(desired), *option = "--desired";
    if (text == NULL)
        return;
    if (option_text(gains) == NULL)
        refuse("--desired has no effect without --gains");
    double *q = allocate_or_exit((size_t)lb_model_nq(model), sizeof *q);
    options->desired = q;
    lb_configuration_neutral(model, q);
    if (strcmp(text, "middle") == 0)
        set_middle(model, q);
    else
        values_from_text(model, slots, option, text, q);
    require_for(option, values_normalize(model, q, &changed, why()));
    pose_warnings warnings = {.poses = 0};
    pose_warnings_add(&warnings, model, slots, q, 1);
    pose_warnings_print(&warnings, option);
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

static const lb_method *read_method(const char *name)
{
    const lb_method *method = lb_method_find(name);
    if (method != NULL)
        return method;
    suggest nearest = suggest_start(name);
    for (int i = 0; i < lb_method_count(); i++)
        suggest_consider(&nearest, method_name(i));
    complain("--method: no method '%s'%s", name, suggest_phrase(&nearest));
    if (nearest.best == NULL)
        for (int i = 0; i < lb_method_count(); i++)
            complain("--method: there is '%s': %s", method_name(i), method_says(i));
    give_up();
}

/* ---- numbers ------------------------------------------------------------ */

/* the option, or what the environment says in its place */
static void read_width(lb_ik_options *options)
{
    const char *name = "--width", *text = option_text(width);
    if (text == NULL) {
        name = "LIMBER_WIDTH";
        text = getenv(name);
    }
    if (text == NULL || *text == '\0')
        return;
    double number = argument_number(name, text, 0);
    if (number != 1 && number != 2 && number != 4 && number != 8)
        refuse("%s: width must be 1, 2, 4 or 8, not %s", name, text);
    options->width = (int)number;
}

/* ---- all of them -------------------------------------------------------- */

lb_ik_options solver_given(const lb_model *model)
{
    const char *text = option_text(method_given);
    lb_ik_options options = lb_ik_options_default();
    // what is printed of an unreachable target is read by people
    options.closest = true;
    options.method = read_method(text == NULL ? default_method : text);
    tuning_given(model, &options);
    check_uses(tuning_options, &options);
    return options;
}

void tuning_given(const lb_model *model, lb_ik_options *options)
{
    value_slot *slots = values_slots(model);
    options_read(tuning_options, options);
    read_width(options);
    options_read(parameter_options, options);
    read_gains(model, slots, options);
    read_desired(model, slots, options);
}
