/*
 * table.h - rows of numbers from a file: CSV with a header, or an array of NumPy (.npy).
 *
 * The first byte of the file decides. The columns of CSV have names, in any order, and its fields
 * may be words; those of an array have none: who reads them takes them by their number. All else
 * is the same, and read in blocks:
 *
 *     status = table_open("t.npy", NULL, &table, &error);
 *     while (status == LB_OK && (status = table_next(&table, CSV_BLOCK, &error)) == LB_OK &&
 *            table.rows > 0)
 *         ...
 *     table_release(&table);
 */
#ifndef FORMATS_TABLE_H
#define FORMATS_TABLE_H

#include "formats/csv.h"
#include "formats/npy.h"

/* Everything points into memory of its own; release with table_release. */
typedef struct row_table {
    char path[LB_ERROR_PATH_SIZE]; /* for messages */
    int columns;                   /* at least 1 */
    int rows;                      /* read last */
    bool is_array;
    csv_table text;   /* unless it is an array: */
    npy_reader array; /* of which `shape` has the dimensions */
} row_table;

/*
 * Opens the file at `path`, "-" being standard input; no rows yet. On failure of any of these
 * functions *table is empty (and may be released) and *error names file, place and remedy.
 */
lb_status table_open(const char *path, const lb_allocator *allocator, row_table *table,
                     lb_error *error);
/* The same from a file that is open, which the table takes over, at its first byte. */
lb_status table_open_source(file_reader source, const char *path, const lb_allocator *allocator,
                            row_table *table, lb_error *error);
/* Reads the next rows, at most `most`, in the place of those before; table->rows is 0 at the end.
 */
lb_status table_next(row_table *table, int most, lb_error *error);
/* Takes the rows of a small array as a single row, before any is read. */
void table_join(row_table *table);
/* Accepts a table of all zeros. */
void table_release(row_table *table);

/* Whether it is read from standard input. */
bool table_is_standard_input(const row_table *table);

/* A field of the rows read last as a finite number, or why it is none. */
lb_status table_number(const row_table *table, int row, int column, double *value, lb_error *error);
/* Puts the place of a row read last into an error: its line, or its number before the message. */
void table_locate(const row_table *table, int row, lb_error *error);

#endif
