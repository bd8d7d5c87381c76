/*
 * words.h - what may stand at a place of the command line.
 */
#ifndef CLI_COMPLETION_WORDS_H
#define CLI_COMPLETION_WORDS_H

#include "cli/command.h"

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
