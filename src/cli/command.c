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

static bool offer_option(void *user, const struct poptOption *option)
{
    suggest_consider(user, option->longName);
    return true;
}

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
    option_each(which->options, offer_option, &nearest);
    if (nearest.best != NULL)
        refuse("no option '%s'; did you mean '--%s'?", name, nearest.best);
    refuse("no option '%s'; see limber %s --help", name, which->name);
}

static bool check_given_once(void *user, const struct poptOption *option)
{
    (void)user;
    char **values = option->argInfo == POPT_ARG_ARGV ? *(text_option *)option->arg : NULL;
    if (values != NULL && values[1] != NULL && option->val != OPTION_REPEATED)
        refuse("--%s is given twice", option->longName);
    return true;
}

static bool release_values(void *user, const struct poptOption *option)
{
    (void)user;
    if (option->argInfo != POPT_ARG_ARGV)
        return true;
    text_option *values = option->arg;
    for (char **value = *values; value != NULL && *value != NULL; value++)
        free(*value);
    free(*values);
    *values = NULL;
    return true;
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
        option_each(which->options, check_given_once, NULL);
        status = which->run(find_operands(which, context));
    }
    option_each(which->options, release_values, NULL);
    if (context)
        poptFreeContext(context);
    return status;
}
