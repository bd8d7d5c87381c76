/*
 * cli/command.c - parsing a subcommand's words with popt, and running it.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/command.h"

#include "base/suggest.h"
#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* says what popt found wrong, with the nearest option for an unknown one */
_Noreturn static void refuse_option(const command *which, const char *word, int code)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    if (code == POPT_ERROR_MALLOC)
        refuse("out of memory");
    if (code != POPT_ERROR_BADOPT)
        refuse("%s: %s; see limber %s --help", word,
               code == POPT_ERROR_NOARG ? "a value is missing" : poptStrerror(code), which->name);
    suggest nearest = suggest_start(name + strspn(name, "-"));
    const struct poptOption *option;
    for (int i = 0; (option = option_at(which->options, i)) != NULL; i++)
        suggest_consider(&nearest, option->longName);
    if (nearest.best != NULL)
        refuse("no option '%s'; did you mean '--%s'?", name, nearest.best);
    refuse("no option '%s'; see limber %s --help", name, which->name);
}

static void check_given_once(const struct poptOption *table)
{
    const struct poptOption *option;
    for (int i = 0; (option = option_at(table, i)) != NULL; i++)
        if (option->argInfo == POPT_ARG_ARGV && option->val != OPTION_REPEATED &&
            option_count(*(text_option *)option->arg) > 1)
            refuse("--%s is given twice", option->longName);
}

static void release_values(const struct poptOption *table)
{
    const struct poptOption *option;
    for (int i = 0; (option = option_at(table, i)) != NULL; i++) {
        text_option *values = option->argInfo == POPT_ARG_ARGV ? option->arg : NULL;
        if (values == NULL || *values == NULL)
            continue;
        for (char **value = *values; *value != NULL; value++)
            free(*value);
        free(*values);
        *values = NULL;
    }
}

/* the words that are no options, as many as the command needs */
static const char **find_operands(const command *which, poptContext context)
{
    static const char *none[] = {NULL};
    const char **operands = poptGetArgs(context);
    if (operands == NULL)
        operands = none;
    int count = 0;
    while (operands[count] != NULL)
        count++;
    if (count < which->operands) {
        // the first one is what the synopsis begins with
        int size = (int)strcspn(which->synopsis, " ");
        bool model = strncmp(which->synopsis, "MODEL", 5) == 0;
        refuse("a %.*s is missing: limber %s %.*s ...%s", model ? 5 : size,
               model ? "model" : which->synopsis, which->name, size, which->synopsis,
               model ? "; limber models lists those built in" : "");
    }
    if (count > which->operands + which->spare)
        refuse("unexpected '%s': an option's name is missing before it, or quotes about a value of "
               "several words, as in --position \"0.4 0 0.5\"",
               operands[which->operands + which->spare]);
    return operands;
}

/* popt ends the program by itself, with status 1, where it finds no memory for an option */
static bool inside_popt;

static void exit_from_popt(void)
{
    if (inside_popt)
        _exit(EXIT_BAD_INPUT);
}

/* reads all options; returns -1 or the number of a fault as popt has it */
static int read_options(poptContext *context, const command *which, int count, const char **words,
                        const struct poptOption *table)
{
    atexit(exit_from_popt);
    inside_popt = true;
    *context = poptGetContext(which->name, count, words, table, 0);
    int code = *context ? 0 : POPT_ERROR_MALLOC;
    while (code >= 0)
        code = poptGetNextOpt(*context);
    inside_popt = false;
    return code;
}

static const char *const *running;

const char *const *command_words(void)
{
    return running;
}

int command_run(const command *which, int count, const char **words)
{
    static int help_wanted;
    running = words;
    const struct poptOption table[] = {
        OPTION_TABLE(which->options),
        {"help", 'h', POPT_ARG_NONE, &help_wanted, 0, NULL, NULL},
        OPTION_END,
    };
    poptContext context;

    /* popt stores every value itself, whatever it comes back for */
    int code = read_options(&context, which, count, words, table);
    int status = EXIT_DONE;
    if (help_wanted) {
        help_print_command(which);
    } else {
        if (code < -1)
            refuse_option(which, context ? poptBadOption(context, POPT_BADOPTION_NOALIAS) : "",
                          code);
        check_given_once(which->options);
        status = which->run(find_operands(which, context));
    }
    release_values(which->options);
    if (context)
        poptFreeContext(context);
    return status;
}
