/*
 * destination.c - where results are written, and in which form.
 */
#include "base/text.h"
#include "cli/report/results.h"

#include "cli/options/figure.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

static text_option output_given;
static int json_wanted, report_wanted;

const struct poptOption destination_options[] = {
    OPTION_TEXT("output", output_given, "OUT.csv",
                "write the rows there instead of to standard output; OUT.npy: as an array"),
    OPTION_FLAG("json", json_wanted, "one JSON object on standard output; rows only with --output"),
    OPTION_FLAG("report", report_wanted,
                "words on standard output, rows only with --output; the default for a single "
                "result on a terminal"),
    OPTION_END,
};

/* rows are not written in the form that an ending promises; without one they are CSV */
static void check_ending(const char *path)
{
    static const char *const endings[] = {".csv", ".npy"};
    const char *folder = strrchr(path, '/');
    const char *ending = strrchr(folder != NULL ? folder : path, '.');
    if (ending != NULL && ending[1] != '\0')
        argument_ending("--output", path, endings, 2);
}

void destination_check(void)
{
    const char *path = option_text(output_given), *figure = option_text(figure_file);
    if (path != NULL && figure != NULL && file_is_same(path, figure))
        refuse("--output and --figure cannot both be written to '%s'", figure);
    if (path != NULL)
        check_ending(path);
    bool shared = path != NULL && strcmp(path, "-") == 0;
    if (json_wanted && report_wanted)
        refuse("--json and --report cannot both be given");
    if (shared && (json_wanted || report_wanted))
        refuse("--output - and %s cannot both have standard output",
               json_wanted ? "--json" : "--report");
}

bool destination_has_json(void)
{
    return json_wanted != 0;
}

bool destination_has_words(void)
{
    return report_wanted != 0;
}

static bool has_file(void)
{
    const char *path = option_text(output_given);
    return path != NULL && strcmp(path, "-") != 0;
}

const char *destination_path(void)
{
    return option_text(output_given);
}

/* the form is the only one on standard output */
static bool wants_words(bool single)
{
    bool alone = single && !json_wanted && option_text(output_given) == NULL;
    return report_wanted || (alone && console_is_terminal(stdout));
}

static bool wants_rows(bool single)
{
    return option_text(output_given) != NULL || !(json_wanted || wants_words(single));
}

/* words beside rows that go to a file */
static bool wants_words_aside(void)
{
    return has_file() && !json_wanted && console_is_terminal(stdout);
}

/* whether the rows are an array: by the file's ending */
static bool wants_array(const char *path)
{
    return path != NULL && text_ends(path, ".npy", false);
}

/* ---- files ---------------------------------------------------------------- */

static file_writer *unfinished;

static void discard_unfinished(void)
{
    if (unfinished != NULL)
        file_discard(unfinished);
}

void destination_guard(file_writer *writer)
{
    static bool guarded;
    unfinished = writer;
    if (!guarded)
        guarded = atexit(discard_unfinished) == 0;
}

/* begins a file that goes where the program ends before it is in its place */
static void begin_file(file_writer *writer, const char *path)
{
    require(file_begin(writer, path, why()));
    destination_guard(writer);
}

static void commit_file(file_writer *writer)
{
    require(file_commit(writer, why()));
    destination_guard(NULL);
}

/* ---- rows ----------------------------------------------------------------- */

/* the names of the columns; an array has none of words */
static void write_heading(destination *to, void *results)
{
    if (to->headed)
        return;
    to->headed = true;
    table_heading(to->forms->rows, results, &to->fields);
    if (to->fields.array != NULL && to->fields.word != NULL)
        refuse("--output: '%s' holds numbers alone, and the column '%s' has words; write a .csv",
               option_text(output_given), to->fields.word);
}

void destination_open(destination *to, const destination_forms *forms, bool single)
{
    const char *path = option_text(output_given);
    *to = (destination){.forms = forms, .rows = wants_rows(single)};
    to->words = wants_words(single) || (forms->words_aside && wants_words_aside());
    if (!to->rows)
        return;
    begin_file(&to->writer, path == NULL ? "-" : path);
    if (wants_array(path) && to->writer.target == NULL)
        refuse("--output: '%s' is no file; an array must be one", path);
    to->fields = row_start(to->writer.stream, wants_array(path) ? &to->array : NULL);
}

/* puts what was written in its place */
static void commit(destination *to)
{
    if (to->fields.array != NULL)
        npy_end(to->fields.array);
    commit_file(&to->writer);
}

/* the elements of a block; the array begins with the first, so that a refusal prints nothing */
static void add_elements(destination *to, void *results)
{
    const destination_forms *forms = to->forms;
    if (to->list.stream == NULL)
        to->list = json_list_begin(forms->members != NULL ? forms->list : NULL, stdout);
    if (forms->elements != NULL) {
        forms->elements(results, &to->object, &to->list);
        return;
    }
    for (int i = 0; i < table_count(forms->rows, results); i++)
        json_list_add(&to->list, table_json(forms->rows, results, i, &to->object));
}

static void close_json(destination *to, void *results)
{
    if (!json_wanted)
        return;
    json_t *members = to->forms->members != NULL ? to->forms->members(results) : NULL;
    if (to->list.stream != NULL) {
        json_list_end(&to->list, members);
    } else if (members != NULL) {
        print_json(members, JSON_COMPACT, stdout);
    }
}

void destination_add(destination *to, void *results)
{
    if (json_wanted && to->forms->list != NULL && !has_file())
        add_elements(to, results);
    if (to->words && to->forms->block_words != NULL)
        to->forms->block_words(results, stdout);
    if (!to->rows)
        return;
    write_heading(to, results);
    table_rows(to->forms->rows, results, &to->fields);
    // who reads a pipe has them now; and so is a full disk found, which it is the commit that says
    if (fflush(to->writer.stream) != 0)
        commit(to);
}

/* rows and figure: nothing is left behind when any part fails */
void destination_close(destination *to, void *results)
{
    const destination_forms *forms = to->forms;
    if (forms->figure != NULL)
        forms->figure(results);
    if (to->rows)
        commit(to);
    close_json(to, results);
    if (to->words && forms->words != NULL)
        forms->words(results, stdout);
}

void destination_summarize(const destination_forms *forms, void *results)
{
    bool words = report_wanted || (forms->words_aside && wants_words_aside());
    destination_close(&(destination){.forms = forms, .words = words}, results);
}

void destination_discard(destination *to)
{
    file_discard(&to->writer);
    destination_guard(NULL);
}

void destination_write(const destination_forms *forms, void *results, int count)
{
    destination to;
    destination_open(&to, forms, count == 1);
    destination_add(&to, results);
    destination_close(&to, results);
}

void destination_save(const char *path, save_writer *write, const void *data)
{
    file_writer writer;
    begin_file(&writer, path);
    write(data, writer.stream);
    commit_file(&writer);
}

static void write_string(const void *text, FILE *stream)
{
    fputs(text, stream);
}

void destination_save_text(const char *path, const char *text)
{
    destination_save(path, write_string, text);
}
