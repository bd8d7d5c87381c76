/*
 * destination.c - where results are written, and in which form.
 */
#include "cli/output/destination.h"

#include "cli/output/console.h"
#include "cli/output/report.h"

#include <string.h>

static text_option output_given;
static int json_wanted, report_wanted;

const struct poptOption destination_options[] = {
    OPTION_TEXT("output", output_given, "OUT.csv",
                "write the rows there instead of to standard output"),
    OPTION_FLAG("json", json_wanted, "one JSON object on standard output; rows only with --output"),
    OPTION_FLAG("report", report_wanted,
                "words on standard output, rows only with --output; the default for a single "
                "result on a terminal"),
    OPTION_END,
};

bool destination_check(void)
{
    const char *path = option_text(output_given);
    bool shared = path != NULL && strcmp(path, "-") == 0;
    if (json_wanted && report_wanted) {
        complain("--json and --report cannot both be given");
        return false;
    }
    if (shared && (json_wanted || report_wanted)) {
        complain("--output - and %s cannot both have standard output",
                 json_wanted ? "--json" : "--report");
        return false;
    }
    return true;
}

bool destination_wants_json(void)
{
    return json_wanted;
}

bool destination_wants_words(int count)
{
    bool alone = count == 1 && !json_wanted && option_text(output_given) == NULL;
    return report_wanted || (alone && console_is_terminal(stdout));
}

bool destination_wants_rows(int count)
{
    return option_text(output_given) != NULL || !(json_wanted || destination_wants_words(count));
}

bool destination_is_aside(void)
{
    const char *path = option_text(output_given);
    return path != NULL && strcmp(path, "-") != 0 && !json_wanted && console_is_terminal(stdout);
}

bool destination_begin(file_writer *writer)
{
    lb_error error = {0};
    const char *path = option_text(output_given);
    if (file_begin(writer, path == NULL ? "-" : path, &error) == LB_OK)
        return true;
    complain_error(&error);
    return false;
}

bool destination_commit(file_writer *writer)
{
    lb_error error = {0};
    if (file_commit(writer, &error) == LB_OK)
        return true;
    complain_error(&error);
    return false;
}
