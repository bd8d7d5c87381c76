/*
 * destination.h - where results are written, and in which form.
 *
 * Rows go to --output, as CSV or as an array of NumPy (.npy), or to standard output as CSV; --json
 * and --report say text there instead. On a terminal a single result is printed in words.
 *
 * Rows can be written block by block. Those of a file are there only when all of them are, as
 * formats/file.h says; what was written to standard output, a pipe or a device stays there when a
 * later block fails; the exit status is then 2.
 */
#ifndef CLI_REPORT_DESTINATION_H
#define CLI_REPORT_DESTINATION_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/report/print_json.h"
#include "cli/report/rows.h"
#include "formats/file.h"

/* --output, --json and --report */
extern const struct poptOption destination_options[];

/*
 * Prints an error and returns false when rows and figure, either of which may be NULL, would be
 * written to the same file.
 */
bool destination_files_differ(const char *rows, const char *figure);

/*
 * Prints an error and returns false when two forms would share standard output, or a figure, which
 * may be NULL, the file.
 */
bool destination_check(const char *figure);

/* Whether one JSON object, or words, are wanted. */
bool destination_has_json(void);
bool destination_has_words(void);

/* The file of --output; NULL: none is given. */
const char *destination_path(void);

/*
 * How results of one kind are written, in each form. The words print to the stream, and return
 * false after they have printed an error.
 */
typedef bool destination_words(void *results, FILE *stream);
typedef void destination_elements(void *results, row *to, json_list *list);
typedef json_t *destination_members(void *results);

typedef struct destination_forms {
    const result_table *rows;       /* of a block */
    const char *list;               /* JSON: an array of this name, unless a file has the rows, */
    destination_elements *elements; /* of what a block has, NULL: an object for each row, */
    destination_members *members;   /* and these at the end; NULL: the array alone */
    destination_words *words;       /* for people, at the end, or */
    bool words_by_block;            /* of each block */
    bool (*figure)(void *results);  /* draws the requested figure; NULL: there is none */
    bool words_aside;               /* words also on a terminal while rows go to a file */
} destination_forms;

/* Results being written; discard it unless it is closed. */
typedef struct destination {
    const destination_forms *forms;
    file_writer writer;
    npy_writer array;   /* of --output OUT.npy */
    row fields, object; /* of the rows, and of elements */
    json_list list;
    bool rows, words;
    bool headed; /* the names of the columns are written */
} destination;

/*
 * Begins to write results in the forms that are wanted; `single`: there is one result, and no
 * more. These return false after an error is printed; a file is then as it was.
 */
bool destination_open(destination *to, const destination_forms *forms, bool single);
/* Writes the rows of a block, and what else is written by blocks. */
bool destination_add(destination *to, void *results);
/* Writes the other forms, and puts a file in its place. */
bool destination_close(destination *to, void *results);
/* Accepts one that is closed, or all zeros. */
void destination_discard(destination *to);

/* All of that for one block. */
bool destination_write(const destination_forms *forms, void *results, int count);

/* Writes a file whole, or leaves it as it was; false after a complaint. */
typedef void save_writer(const void *data, FILE *stream);
bool destination_save(const char *path, save_writer *write, const void *data);
/* The same of a text that the library made, or of why it did not; releases it. */
bool destination_save_text(const char *path, char *text, lb_status status, const lb_error *error);

#endif
