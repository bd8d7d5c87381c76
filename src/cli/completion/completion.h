/*
 * completion.h - scripts that complete words of a command line in a shell.
 *
 * All is made from the table of commands and their option tables, as the help and the manual are.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/command.h"

/* ---- the script of each shell ----------------------------------------- */

/* For bash 3.2 and later; the package bash-completion is not needed. */
void completion_print_bash(const command *const *commands);

/* For zsh, by its _arguments. */
void completion_print_zsh(const command *const *commands);

/* ---- words ------------------------------------------------------------ */

typedef enum word_kind {
    WORD_NONE,   /* nothing: the option is a flag, the command has no operand */
    WORD_NAME,   /* one of a list, which words_of() joins */
    WORD_MODEL,  /* a built-in model or a file */
    WORD_FILE,   /* a path */
    WORD_FOLDER, /* a path of a folder */
    WORD_TEXT,   /* what is not listed: numbers, links, joints */
    WORD_KIND_COUNT
} word_kind;

/* What follows an option. */
word_kind words_after(const struct poptOption *option);

/* What the first operand of a command is. */
word_kind words_operand(const command *which);

/* The names of a WORD_NAME, blanks between them. The caller frees. */
char *words_of(const command *which, const struct poptOption *option);

/* The names of the built-in models, as words_of(). */
char *words_models(void);

#endif
