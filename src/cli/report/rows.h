/*
 * rows.h - results as tables.
 *
 * One function names the columns of a result and gives their values in a row. From that come CSV
 * with 17 significant digits, arrays of NumPy (.npy), JSON objects, and what they are headed by.
 */
#ifndef CLI_REPORT_ROWS_H
#define CLI_REPORT_ROWS_H

#include "cli/options/values.h"
#include "formats/npy.h"

#include <jansson.h>
#include <limber/math.h>

#include <stdio.h>

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
    int (*count)(const void *results);
    void (*columns)(const void *results, int i, row *to);
} result_table;

/* Rows of CSV, or of an array, which is filled in and must outlive the rows. */
row row_start(FILE *stream);
row row_start_array(FILE *stream, npy_writer *array);
/* The row of names, and all rows below it. */
void table_heading(const result_table *what, const void *results, row *to);
void table_rows(const result_table *what, const void *results, row *to);
/* One row as an object. */
json_t *table_json(const result_table *what, const void *results, int i, row *to);
/* After the last row. False: the stream is no file, so that no array could be written. */
bool row_finish(row *to);
/* Accepts a row of all zeros. */
void row_release(row *to);

/* Which of some groups of rows has row r: the first row of each group is in `first`. */
int row_group(const size_t *first, int groups, size_t r);

/* All of a table as CSV. */
void table_csv(const result_table *what, const void *results, FILE *stream);

/* {"elbow": 0.5, ...}: a configuration alone. */
json_t *joints_json(const lb_model *model, const double *q);

#endif
