/*
 * cli/parameters.c - what single methods can be told: the control term, alpha, the bend ...
 */
#include "cli/arguments.h"
#include "cli/report.h"
#include "cli/solver.h"
#include "cli/values.h"
#include "math/suggest.h"

#include <stdlib.h>
#include <string.h>

static text_option alpha, gains, desired, control, rank, bend, pole;
static int adaptive_wanted, plain_wanted;

const struct poptOption parameter_options[] = {
    OPTION_TEXT("alpha", alpha, "A",
                "scale of transpose, per square metre; default: the best at each step"),
    OPTION_FLAG("adaptive", adaptive_wanted, "damped damps near singularities alone"),
    OPTION_TEXT("gains", gains, "\"JOINT=GAIN ...\"",
                "how strongly Jacobian methods draw joints to their desired values without moving "
                "the tip; joints that are not named have gain 0"),
    OPTION_TEXT("desired", desired, "\"JOINT=VALUE ...\"",
                "those values; joints that are not named are at their default"),
    OPTION_TEXT("control", control, "NAME",
                "how: gradient (default), or square, to the letter of Eq. 5.27"),
    OPTION_TEXT("rank", rank, "NAME",
                "by what ccd-ranked ranks joints: gain (default), recency or room"),
    OPTION_TEXT("bend", bend, "SIDE",
                "the side that analytic bends the elbow to, left or right; default: the nearer"),
    OPTION_TEXT("pole", pole, "\"X Y Z\"",
                "the direction that analytic points the elbow in, in the base's axes"),
    OPTION_FLAG("no-nudge", plain_wanted, "leave stuck configurations alone"),
    OPTION_END,
};

/* ---- names -------------------------------------------------------------- */

typedef struct choice_name {
    const char *name;
    int value;
} choice_name;

/* the value of a name in a list that ends with NULL */
static bool read_name(const char *option, text_option given, const choice_name *names, int *value)
{
    const char *text = option_text(given);
    if (text == NULL)
        return true;
    suggest nearest = suggest_start(text);
    for (; names->name != NULL; names++) {
        if (strcmp(text, names->name) == 0) {
            *value = names->value;
            return true;
        }
        suggest_offer(&nearest, names->name);
    }
    complain("%s: no '%s'%s", option, text, suggest_phrase(&nearest));
    return false;
}

static bool read_names(lb_ik_options *options)
{
    static const choice_name controls[] = {
        {"gradient", LB_CONTROL_GRADIENT}, {"square", LB_CONTROL_SQUARE}, {NULL, 0}};
    static const choice_name ranks[] = {
        {"gain", LB_RANK_GAIN}, {"recency", LB_RANK_RECENCY}, {"room", LB_RANK_ROOM}, {NULL, 0}};
    static const choice_name bends[] = {{"left", 1}, {"right", -1}, {NULL, 0}};
    int how = (int)options->control, by = (int)options->rank;
    if (!read_name("--control", control, controls, &how) ||
        !read_name("--rank", rank, ranks, &by) || !read_name("--bend", bend, bends, &options->bend))
        return false;
    options->control = (lb_control)how;
    options->rank = (lb_rank)by;
    return true;
}

/* ---- the control term --------------------------------------------------- */

typedef struct gain_reading {
    const lb_model *model;
    const value_slot *slots;
    double *gains;
} gain_reading;

/* all velocities of a joint have its gain */
static bool set_gain(void *user, const char *option, const char *name, const char *value)
{
    const gain_reading *reading = user;
    lb_error error = {0};
    double gain;
    int j = lb_model_find_joint(reading->model, name), index;
    if (!argument_number(option, value, &gain))
        return false;
    if (!(gain >= 0)) {
        complain("%s: '%s': a gain of %s is below zero", option, name, value);
        return false;
    }
    int v = j < 0 ? -1 : lb_model_joint_v(reading->model, j);
    if (v < 0 || lb_model_joint(reading->model, j)->mimic != NULL) {
        /* otherwise the reason is that of a value by this name */
        if (values_find(reading->model, reading->slots, name, &index, &error) == LB_OK)
            complain("%s: '%s' is a part of a joint; a gain is of the joint as a whole", option,
                     name);
        else
            complain("%s: %s", option, error.message);
        return false;
    }
    for (int k = 0; k < lb_joint_kind_nv(lb_model_joint(reading->model, j)->kind); k++)
        reading->gains[v + k] = gain;
    return true;
}

static bool read_gains(const lb_model *model, const value_slot *slots, solver_choice *choice)
{
    if (option_text(gains) == NULL)
        return true;
    choice->gains = obtain((size_t)lb_model_nv(model), sizeof *choice->gains);
    choice->options.gains = choice->gains;
    gain_reading reading = {model, slots, choice->gains};
    return assignments_each("--gains", option_text(gains), set_gain, &reading);
}

static bool read_desired(const lb_model *model, const value_slot *slots, solver_choice *choice)
{
    int changed = 0;
    lb_error error = {0};
    if (option_text(desired) == NULL)
        return true;
    if (option_text(gains) == NULL) {
        complain("--desired says nothing without --gains");
        return false;
    }
    choice->desired = obtain((size_t)lb_model_nq(model), sizeof *choice->desired);
    choice->options.desired = choice->desired;
    lb_configuration_neutral(model, choice->desired);
    if (!values_from_text(model, slots, "--desired", option_text(desired), choice->desired))
        return false;
    if (values_normalize(model, choice->desired, &changed, &error) != LB_OK) {
        complain("--desired: %s", error.message);
        return false;
    }
    return true;
}

bool parameters_given(const lb_model *model, solver_choice *choice)
{
    lb_ik_options *options = &choice->options;
    if (option_text(alpha) != NULL &&
        !argument_positive("--alpha", option_text(alpha), &options->alpha))
        return false;
    if (option_text(pole) != NULL &&
        !argument_vector("--pole", option_text(pole), "x y z", &options->pole))
        return false;
    options->adaptive = adaptive_wanted;
    options->no_nudge = plain_wanted;
    value_slot *slots = values_slots(model);
    bool fine = read_names(options) && read_gains(model, slots, choice) &&
                read_desired(model, slots, choice);
    free(slots);
    return fine;
}
