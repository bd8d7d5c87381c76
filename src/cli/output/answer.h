/*
 * answer.h - where an answer goes, and in which form.
 *
 * Rows of CSV go to --output, or to standard output; --json and --report say
 * something there instead. A person at a terminal who asks for one thing gets
 * words without asking for them.
 */
#ifndef CLI_OUTPUT_ANSWER_H
#define CLI_OUTPUT_ANSWER_H

#include <stdbool.h>

#include "cli/command.h"
#include "formats/file.h"

/* --output, --json and --report */
extern const struct poptOption answer_options[];

/* Complains and answers false when two forms would share standard output. */
bool answer_check(void);

/* Which forms are wanted of an answer of `count` parts. */
bool answer_wants_rows(int count);
bool answer_wants_json(void);
bool answer_wants_words(int count);
/* Rows go to a file, and a person sees standard output. */
bool answer_is_aside(void);

/*
 * The writing of rows: what is printed to writer->stream is in its place after
 * answer_commit() and not before, as io/file.h says. Both complain and answer
 * false when that fails; file_discard() gives up.
 */
bool answer_begin(file_writer *writer);
bool answer_commit(file_writer *writer);

#endif
