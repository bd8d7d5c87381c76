/*
 * destination.h - where results are written, and in which form.
 *
 * Rows of CSV go to --output, or to standard output; --json and --report say
 * text there instead. On a terminal a single result is printed in words.
 */
#ifndef CLI_OUTPUT_DESTINATION_H
#define CLI_OUTPUT_DESTINATION_H

#include <stdbool.h>

#include "cli/command.h"
#include "formats/file.h"

/* --output, --json and --report */
extern const struct poptOption destination_options[];

/* Prints an error and returns false when two forms would share standard output. */
bool destination_check(void);

/* Which forms `count` results are printed in. */
bool destination_wants_rows(int count);
bool destination_wants_json(void);
bool destination_wants_words(int count);
/* Rows go to a file, and standard output is a terminal. */
bool destination_is_aside(void);

/*
 * The writing of rows: what is printed to writer->stream is in its place after
 * destination_commit() and not before, as formats/file.h says. Both print an error and return
 * false when that fails; file_discard() ends.
 */
bool destination_begin(file_writer *writer);
bool destination_commit(file_writer *writer);

#endif
