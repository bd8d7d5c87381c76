/*
 * shells.h - the script of each shell.
 */
#ifndef CLI_COMPLETION_SHELLS_H
#define CLI_COMPLETION_SHELLS_H

#include "cli/command.h"

/* For bash 3.2 and later; the package bash-completion is not needed. */
void completion_print_bash(const command *const *commands);

/* For zsh, by its _arguments. */
void completion_print_zsh(const command *const *commands);

#endif
