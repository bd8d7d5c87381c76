/*
 * completion.h - scripts that complete words of a command line in a shell.
 *
 * All is made from the table of commands and their option tables, as the help and the manual are.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/command.h"

/* `limber --completion SHELL`: prints the script; false after a complaint. */
bool completion_print(const char *shell, const command *const *commands);

#endif
