/*
 * csv.h - tables of comma-separated values with a header.
 *
 * RFC 4180, read strictly: a header of distinct column names, then rows of as
 * many fields. Lines end in LF, CRLF or CR; a byte order mark, blanks around
 * fields and empty lines at the end are let pass. Whatever else is amiss is
 * refused with its line, so that a table that was read can be trusted.
 *
 * Cells stay text until csv_number() reads one, since some columns hold words.
 */
#ifndef FORMATS_CSV_H
#define FORMATS_CSV_H

#include <limber/base.h>

/* Everything points into memory of its own; release with csv_release. */
typedef struct csv_table {
    lb_allocator allocator;
    char *text;         /* the file, its fields cut out in place */
    const char **cells; /* the header's `columns` names, then rows * columns fields */
    int *lines;         /* line of the file that each row starts on, the first row at [0] */
    int columns;        /* >= 1 */
    int rows;           /* >= 0 */
    char path[LB_ERROR_PATH_SIZE];
} csv_table;

/*
 * Reads the file at `path`; "-" is standard input. On failure *table is empty
 * (and may be released) and *error names file and line.
 */
lb_status csv_read(const char *path, const lb_allocator *allocator, csv_table *table,
                   lb_error *error);

/* The same from memory; `path` is for messages only. */
lb_status csv_parse(const char *path, const char *text, size_t size, const lb_allocator *allocator,
                    csv_table *table, lb_error *error);

/* Accepts a table of all zeros. */
void csv_release(csv_table *table);

/* Column of that name, -1 when there is none. */
int csv_column(const csv_table *table, const char *name);
/* Name of a column. */
const char *csv_name(const csv_table *table, int column);
/*
 * What may be wrong with the header when a column of it is not known: "; the first line
 * names the columns", "; commas separate columns", or "".
 */
const char *csv_header_doubt(const csv_table *table, int column);
/* Text of a field, never NULL. */
const char *csv_text(const csv_table *table, int row, int column);

/*
 * A field as a finite number. Refused with file, line and column name:
 * "targets.csv:7: column 'qw': 'abc' is not a number".
 */
lb_status csv_number(const csv_table *table, int row, int column, double *value, lb_error *error);

#endif
