/*
 * cli/help.h - the program's own account of itself, all from the table of commands.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"

/* `limber --help`: every subcommand with its summary. The list ends with NULL. */
void help_print_program(const command *const *commands);

/* `limber NAME --help`: synopsis, details, options and examples. */
void help_print_command(const command *which);

#endif
