/*
 * rows.h - writing tables: fields in order, as CSV with 17 significant digits or as an array of
 * NumPy (.npy), which has numbers alone.
 */
#ifndef CLI_OUTPUT_ROWS_H
#define CLI_OUTPUT_ROWS_H

#include "formats/npy.h"

#include <limber/math.h>

#include <stdio.h>

/* One row being written. */
typedef struct row {
    FILE *stream;
    bool begun; /* the row has a field already */
    /* an array: its columns are counted in the first row, that of their names */
    npy_writer *array; /* NULL: CSV */
    int names;
    bool named;
} row;

row row_start(FILE *stream);
/* The same into an array, which is filled in; it must outlive the rows. */
row row_start_array(FILE *stream, npy_writer *array);
/* After the last row. False: the stream is no file, so that no array could be written. */
bool row_finish(row *fields);

/* A word, in quotes where CSV needs them; of an array only the names of columns are words. */
void row_text(row *fields, const char *text);
/* A word out of a list, in an array its index there. */
void row_choice(row *fields, const char *text, int index);
void row_whole(row *fields, long number);
void row_number(row *fields, double number);
void row_end(row *fields);

/* The seven fields of a transform, x,y,z,qw,qx,qy,qz: their names, and their values. */
void row_transform_names(row *fields);
void row_transform(row *fields, const lb_transform *transform);

#endif
