/*
 * destination.c - where results are written, and in which form.
 */
#include "cli/output/destination.h"

#include "cli/output/console.h"
#include "cli/output/report.h"
#include "formats/file.h"

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

bool destination_has_file(void)
{
    const char *path = option_text(output_given);
    return path != NULL && strcmp(path, "-") != 0;
}

/* the form is the only one on standard output */
static bool wants_words(int count)
{
    bool alone = count == 1 && !json_wanted && option_text(output_given) == NULL;
    return report_wanted || (alone && console_is_terminal(stdout));
}

static bool wants_rows(int count)
{
    return option_text(output_given) != NULL || !(json_wanted || wants_words(count));
}

/* words beside rows that go to a file */
static bool wants_words_aside(void)
{
    return destination_has_file() && !json_wanted && console_is_terminal(stdout);
}

static bool complain_unless(lb_status status, const lb_error *error)
{
    if (status != LB_OK)
        complain_error(error);
    return status == LB_OK;
}

/* rows and figure: nothing is left behind when any part fails */
static bool write_files(const destination_forms *forms, void *results, bool rows)
{
    file_writer writer = {0};
    lb_error error = {0};
    const char *path = option_text(output_given);
    if (rows && !complain_unless(file_begin(&writer, path == NULL ? "-" : path, &error), &error))
        return false;
    bool fine = (!rows || forms->rows(results, writer.stream)) &&
                (forms->figure == NULL || forms->figure(results));
    if (!fine)
        file_discard(&writer);
    else if (rows)
        fine = complain_unless(file_commit(&writer, &error), &error);
    return fine;
}

bool destination_write(const destination_forms *forms, void *results, int count)
{
    bool words = wants_words(count) || (forms->words_aside && wants_words_aside());
    return write_files(forms, results, wants_rows(count)) &&
           (!json_wanted || forms->json(results, stdout)) &&
           (!words || forms->words(results, stdout));
}
