/*
 * info.c - limber info: what a model is made of.
 */
#include "cli/command.h"
#include "cli/options/select.h"
#include "cli/options/values.h"
#include "cli/output/describe.h"

static int json_wanted;

static int run(const char *const *operands)
{
    lb_model *model = select_model(operands[0]);
    if (model == NULL)
        return EXIT_BAD_INPUT;
    if (json_wanted) {
        describe_json(model, stdout);
    } else {
        describe_model(model, stdout);
        fputc('\n', stdout);
        describe_tree(model, stdout);
    }
    lb_model_release(model);
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_FLAG("json", json_wanted, "everything as one JSON object, always in radians"),
    OPTION_TABLE(angle_options),
    OPTION_TABLE(model_options),
    OPTION_END,
};

static const example examples[] = {
    {"the Panda's joints, limits, tips and tree", "limber info panda"},
    {"limits in degrees", "limber info ur5 --degrees"},
    {"for a program to read", "limber info human --json"},
    {NULL, NULL},
};

const command command_info = {
    .name = "info",
    .synopsis = "MODEL [--json] [--degrees]",
    .summary = "show the joints, limits and tips of a model, and its tree",
    .details = "MODEL is a file (URDF or limber JSON) or the name of a model built in.",
    .examples = examples,
    .options = options,
    .operands = 1,
    .run = run,
};
