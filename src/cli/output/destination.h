/*
 * destination.h - where results are written, and in which form.
 *
 * Rows of CSV go to --output, or to standard output; --json and --report say
 * text there instead. On a terminal a single result is printed in words.
 */
#ifndef CLI_OUTPUT_DESTINATION_H
#define CLI_OUTPUT_DESTINATION_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/command.h"

/* --output, --json and --report */
extern const struct poptOption destination_options[];

/* Prints an error and returns false when two forms would share standard output. */
bool destination_check(void);

/* Whether rows go to a file: JSON then has no need of what is in them. */
bool destination_has_file(void);

/*
 * How results of one kind are written, in each form. A function prints to the stream, and returns
 * false after it has printed an error.
 */
typedef bool destination_writer(void *results, FILE *stream);

typedef struct destination_forms {
    destination_writer *rows;      /* CSV */
    destination_writer *json;      /* one JSON value */
    destination_writer *words;     /* for people */
    bool (*figure)(void *results); /* draws the requested figure; NULL: there is none */
    bool words_aside;              /* words also on a terminal while rows go to a file */
} destination_forms;

/*
 * Writes `count` results in the forms that are wanted. False after an error is printed; rows are
 * then not in their place. The file is there only when it is complete, as formats/file.h says.
 */
bool destination_write(const destination_forms *forms, void *results, int count);

#endif
