/*
 * cli/help.c - help texts, from the table of commands.
 */
#include "cli/command.h"

#include "cli/report/report.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* where the explanations of a list begin */
enum { TEXT_COLUMN = 30 };

static void print_heading(const char *text)
{
    printf("\n%s%s%s\n", console_style_text(stdout, STYLE_STRONG), text,
           console_style_text(stdout, STYLE_PLAIN));
}

/* one entry of a list: a label, and its explanation in the column to the right */
static void print_entry(const char *label, const char *text)
{
    int width = printf("  %s", label);
    if (width > TEXT_COLUMN - 2) {
        putchar('\n');
        width = 0;
    }
    printf("%*s", TEXT_COLUMN - width, "");
    print_wrapped(stdout, text, TEXT_COLUMN);
}

static void print_options(const struct poptOption *table)
{
    const struct poptOption *option;
    for (int i = 0; (option = option_at(table, i)) != NULL; i++) {
        char label[80];
        const char *argument = option->argDescrip;
        snprintf(label, sizeof label, "--%s%s%s", option->longName, argument == NULL ? "" : " ",
                 argument == NULL ? "" : argument);
        print_entry(label, option->descrip);
    }
}

/* "Usage: limber NAME ...", further lines of the synopsis below the first */
static void print_usage(const command *which)
{
    int indent = printf("Usage: limber %s ", which->name);
    for (const char *line = which->synopsis; line != NULL;) {
        const char *end = strchr(line, '\n');
        int length = end == NULL ? (int)strlen(line) : (int)(end - line);
        printf("%.*s\n", length, line);
        line = end == NULL ? NULL : end + 1;
        if (line != NULL)
            printf("%*s", indent, "");
    }
}

/* what the options choose from */
static void print_choices(const choice_list *choices)
{
    if (choices == NULL)
        return;
    print_heading(choices->heading);
    for (int i = 0; i < choices->count(); i++)
        print_entry(choices->name(i), choices->says(i));
}

void help_print_command(const command *which)
{
    print_usage(which);
    printf("\n%c%s.\n", toupper(which->summary[0]), which->summary + 1);
    if (*which->details != '\0')
        printf("\n%s\n", which->details);
    print_heading("Options:");
    print_options(which->options);
    print_entry("--help", "this text");
    print_choices(which->choices);
    print_heading("Examples:");
    for (const example *one = which->examples; one->line != NULL; one++)
        printf("%s  # %s%s\n    %s\n", console_style_text(stdout, STYLE_FAINT), one->says,
               console_style_text(stdout, STYLE_PLAIN), one->line);
}

void help_print_program(const command *const *commands)
{
    printf("limber - kinematic linkages: where their links are, and how they reach a target\n\n"
           "Usage: limber COMMAND ...\n");
    print_heading("Commands:");
    for (const command *const *one = commands; *one != NULL; one++)
        print_entry((*one)->name, (*one)->summary);
    print_entry("--version", "print the version");
    print_entry("--help", "this text; limber COMMAND --help describes a command");
    print_heading("Begin with:");
    printf("  limber models\n"
           "  limber info panda\n"
           "  limber ik panda --tip panda_hand --position \"0.4 0.1 0.5\" --rpy \"3.1416 0 0\"\n");
}
