/*
 * results.h - results as tables and in words, and where they are written.
 */
#ifndef CLI_REPORT_RESULTS_H
#define CLI_REPORT_RESULTS_H

#include "cli/command.h"
#include "cli/options/targets.h"
#include "formats/file.h"
#include "formats/npy.h"

#include <jansson.h>
#include <limber/collision.h>
#include <limber/math.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- tables for people ------------------------------------------------- */

/*
 * Cells are added row by row; the first row is the heading. `align` has one
 * letter for each column: 'l' left, 'r' right, '-' not printed.
 */
typedef struct grid_table {
    const char *align;
    int columns;
    int count, room;
    char **cells;
    int hanging; /* of the last columns so many are printed on a line of their own below */
} grid_table;

grid_table grid_start(const char *align);
/* The next cell, as printf. */
void grid_cell(grid_table *table, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Prints it, indented by two columns, columns that are empty in every row left out. */
void grid_print(const grid_table *table, FILE *stream);
/* How wide it would be. */
int grid_width(const grid_table *table);

/*
 * `number`, or a plain 0 where it would print as one with that many decimals: so
 * that no rounding error shows, and no -0.
 */
double tidy(double number, int decimals);

/* Columns that UTF-8 text takes on a terminal: its characters, each one wide. */
int text_width(const char *text);

/* ---- JSON -------------------------------------------------------------- */

/* Where memory runs out while JSON is made, the program ends: no member is left out. */
void print_json_start(void);

/*
 * Put a value, which they take over, at the end of an array or into an object. The program
 * ends with a complaint when it is NULL: json_pack() makes none of a text that is not UTF-8,
 * or of a number that is not finite.
 */
void append_json(json_t *array, json_t *value);
void set_json(json_t *object, const char *key, json_t *value);

/* A number, or null for one that is not finite: JSON has no infinity. */
json_t *json_finite(double number);
/* An array of such numbers. */
json_t *json_numbers(const double *numbers, int count);
/* [x, y, z] */
json_t *json_vector(lb_vec3 v);
/* What came of a body's task, whose first member says of which: "reached", the errors, why not. */
json_t *json_outcome(lb_body *body, int task, const char *key, const char *name);
/* {"a": .., "b": .., "distance": ..}: two bodies, and how near they are. */
json_t *json_pair(const lb_collision *collision, const lb_proximity *near);

/* An array that is written element by element, so that not all of them are in memory. */
typedef struct json_list {
    FILE *stream; /* NULL: none is being written */
    bool begun;   /* an element is there */
    bool lines;   /* each element is on a line of its own */
} json_list;

/* Begins an array, or, where `name` is not NULL, an object with an array of this name. */
json_list json_list_begin(const char *name, FILE *stream);
/*
 * Begins an object with these members, which it takes over, and then an array of this name with one
 * element a line.
 */
json_list json_list_begin_lines(json_t *members, const char *name, FILE *stream);
/* Writes an element, which it takes over; the program ends with a complaint when it is NULL. */
void json_list_add(json_list *list, json_t *element);
/* Ends the array, and the object with these further members, which it takes over; NULL: none. */
void json_list_end(json_list *list, json_t *members);

/*
 * Writes a value, which it takes over, and a line break; `flags` as json_dumpf takes them. The
 * program ends with a complaint when the value is NULL.
 */
void print_json(json_t *value, size_t flags, FILE *stream);

/* ---- tables for programs ----------------------------------------------- */

/*
 * One function names the columns of a result and gives their values in a row. From that come CSV
 * with 17 significant digits, arrays of NumPy (.npy), JSON objects, and what they are headed by.
 */

/* One row being written. */
typedef struct row {
    FILE *stream;
    npy_writer *array; /* NULL: CSV */
    json_t *object;    /* not NULL: the columns become members of it instead */
    bool heading;      /* the names of the columns are written, and not their values */
    bool begun;        /* the row has a field already */
    int columns;       /* of the heading */
    const char *word;  /* the first column of words, which no array has; NULL: none */
    value_slot *slots; /* of the joints, once there are some */
} row;

/* ---- columns -------------------------------------------------------------- */

void column_word(row *to, const char *name, const char *text);
/* A word out of a list, in an array its index there. */
void column_choice(row *to, const char *name, const char *text, int index);
void column_whole(row *to, const char *name, int64_t number);
/* 0 or 1, in JSON false or true. */
void column_flag(row *to, const char *name, bool flag);
/* A number that is not finite is null in JSON. */
void column_number(row *to, const char *name, double number);
/* Columns x, y and z behind a prefix; in JSON an array. */
void column_point(row *to, const char *name, const char *prefix, lb_vec3 point);
/* x,y,z,qw,qx,qy,qz; in JSON "position", "quaternion" and, in the unit of angles, "rpy". */
void column_transform(row *to, const lb_transform *transform);
/* A configuration by the names and in the units that --at takes; in JSON an object "joints". */
void column_joints(row *to, const lb_model *model, const double *q);

/* The name of the i-th of some columns. */
enum { COLUMN_NAME_SIZE = VALUE_NAME_SIZE + 16 };
typedef void column_part(const void *user, int i, char name[COLUMN_NAME_SIZE]);
/* A column for each number, in CSV empty where it is not finite; in JSON an array of all, or of
   arrays of `width` numbers where that is above 0. */
void column_numbers(row *to, const char *name, const double *numbers, int count, int width,
                    column_part *part, const void *user);

/* ---- tables --------------------------------------------------------------- */

/* How many rows a result has, and the columns of each; one without any is left out of CSV. Row 0
   names them, even where there are no rows. */
typedef struct result_table {
    int rows;     /* 0: as many as */
    size_t count; /* the int at this place of the results */
    void (*columns)(const void *results, int i, row *to);
} result_table;

/* Rows that a member of the results' type counts, and a fixed number of them. */
#define ROWS_OF(type, member, names)                                                               \
    {                                                                                              \
        .count = offsetof(type, member), .columns = names                                          \
    }
#define ROWS(number, names)                                                                        \
    {                                                                                              \
        .rows = number, .columns = names                                                           \
    }
int table_count(const result_table *what, const void *results);

/* Rows of CSV, or of an array where one is given, which is filled in and must outlive the rows. */
row row_start(FILE *stream, npy_writer *array);
/* The row of names, and all rows below it. */
void table_heading(const result_table *what, const void *results, row *to);
void table_rows(const result_table *what, const void *results, row *to);
/* One row as an object. */
json_t *table_json(const result_table *what, const void *results, int i, row *to);

/* All of a table as CSV. */
void table_csv(const result_table *what, const void *results, FILE *stream);

/* {"elbow": 0.5, ...}: a configuration alone. */
json_t *joints_json(const lb_model *model, const double *q);

/* ---- where results are written ----------------------------------------- */

/*
 * Rows go to --output, as CSV or as an array of NumPy (.npy), or to standard output as CSV; --json
 * and --report say text there instead. On a terminal a single result is printed in words.
 *
 * Rows can be written block by block. Those of a file are there only when all of them are, as
 * formats/file.h says; what was written to standard output, a pipe or a device stays there when a
 * later block fails; the exit status is then 2.
 */

/* --output, --json and --report */
extern const struct poptOption destination_options[];

/* Refuses two forms that would share standard output, or rows and a figure beside them the file. */
void destination_check(void);

/* Whether one JSON object, or words, are wanted. */
bool destination_has_json(void);
bool destination_has_words(void);

/* The file of --output; NULL: none is given. */
const char *destination_path(void);

/*
 * How results of one kind are written, in each form. The words print to the stream.
 */
typedef void destination_words(void *results, FILE *stream);
typedef void destination_elements(void *results, row *to, json_list *list);
typedef json_t *destination_members(void *results);

typedef struct destination_forms {
    const result_table *rows;       /* of a block */
    const char *list;               /* JSON: an array of this name, unless a file has the rows, */
    destination_elements *elements; /* of what a block has, NULL: an object for each row, */
    destination_members *members;   /* and these at the end; NULL: the array alone */
    destination_words *words;       /* for people, at the end, */
    destination_words *block_words; /* and of each block; NULL: none */
    void (*figure)(void *results);  /* draws the requested figure; NULL: there is none */
    bool words_aside;               /* words also on a terminal while rows go to a file */
} destination_forms;

/* Results being written. Where the program ends before it is closed, a file stays as it was. */
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
 * Begins to write results in the forms that are wanted; `single`: there is one result, and no more.
 */
void destination_open(destination *to, const destination_forms *forms, bool single);
/* Writes the rows of a block, and what else is written by blocks. */
void destination_add(destination *to, void *results);
/* Writes the other forms, and puts a file in its place. */
void destination_close(destination *to, void *results);
/* The other forms alone: the rows are in their file. */
void destination_summarize(const destination_forms *forms, void *results);
/* Gives up what was written. */
void destination_discard(destination *to);

/* All of that for one block. */
void destination_write(const destination_forms *forms, void *results, int count);

/* Writes a file whole, or leaves it as it was. */
typedef void save_writer(const void *data, FILE *stream);
void destination_save(const char *path, save_writer *write, const void *data);
/* The same of a text. */
void destination_save_text(const char *path, const char *text);
/* A file that is being written, which is given up where the program ends; NULL: none is any more.
 */
void destination_guard(file_writer *writer);

#endif
