/*
 * rows.h - writing CSV: fields in order, numbers with 17 significant digits.
 */
#ifndef CLI_OUTPUT_ROWS_H
#define CLI_OUTPUT_ROWS_H

#include <limber/math.h>

#include <stdio.h>

/* One row being written. */
typedef struct row {
    FILE *stream;
    bool begun; /* the row has a field already */
} row;

row row_start(FILE *stream);
/* A word, in quotes where CSV needs them. */
void row_text(row *fields, const char *text);
void row_whole(row *fields, long number);
void row_number(row *fields, double number);
void row_end(row *fields);

/* The seven fields of a transform, x,y,z,qw,qx,qy,qz: their names, and their values. */
void row_transform_names(row *fields);
void row_transform(row *fields, const lb_transform *transform);

#endif
