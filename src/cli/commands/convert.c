/*
 * convert.c - limber convert: a model as limber JSON.
 */
#include "cli/command.h"
#include "cli/options/select.h"
#include "cli/output/console.h"
#include "cli/output/report.h"
#include "formats/file.h"

#include <limber/formats/json.h>

#include <stdlib.h>

static text_option output_given;

static bool write_text(const char *path, const char *text, lb_error *error)
{
    file_writer writer;
    if (file_begin(&writer, path, error) != LB_OK)
        return false;
    fputs(text, writer.stream);
    return file_commit(&writer, error) == LB_OK;
}

static int run(const char *const *operands)
{
    lb_model *model = select_model(operands[0]);
    if (model == NULL)
        return EXIT_BAD_INPUT;
    char *text = NULL;
    const char *path = option_text(output_given);
    lb_error error = {.status = LB_OK};
    bool done = lb_json_write(model, NULL, &text, &error) == LB_OK &&
                write_text(path == NULL ? "-" : path, text, &error);
    if (!done)
        complain_error(&error);
    else if (path == NULL && console_is_terminal(stdout))
        remark("--output FILE.json writes this to a file");
    free(text);
    lb_model_release(model);
    return done ? EXIT_DONE : EXIT_BAD_INPUT;
}

static const struct poptOption options[] = {
    OPTION_TEXT("output", output_given, "FILE.json",
                "write it there instead of to standard output"),
    OPTION_TABLE(model_options),
    OPTION_END,
};

static const example examples[] = {
    {"a built-in model as the file that it could be", "limber convert ur5 --output ur5.json"},
    {"a model from another program, and what of it is read",
     "printf '<mujoco><worldbody><body name=\"arm\"><joint/></body></worldbody></mujoco>' |\n"
     "        limber convert -"},
    {NULL, NULL},
};

const command command_convert = {
    .name = "convert",
    .synopsis = "MODEL [--output FILE.json] [--strict]",
    .summary = "write a model from a URDF, MJCF or JSON file as limber JSON",
    .details = "The JSON has the same links, joints, limits, masses and shapes. What else the\n"
               "file has, as actuators or collision shapes, is left out.",
    .examples = examples,
    .options = options,
    .operands = 1,
    .run = run,
};
