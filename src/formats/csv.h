/*
 * csv.h - tables of comma-separated values with a header, read in blocks of rows.
 *
 * RFC 4180, read strictly: a header of distinct column names, then rows of as
 * many fields. Lines end in LF, CRLF or CR; a byte order mark, blanks around
 * fields and empty lines at the end are let pass. Whatever else is amiss is
 * refused with its line, so that a row that was read can be trusted.
 *
 * A table has the rows that were read last. Read in blocks, its memory is that of a
 * block, however long the file:
 *
 *     status = csv_open("t.csv", NULL, &table, &error);
 *     while (status == LB_OK && (status = csv_next(&table, CSV_BLOCK, &error)) == LB_OK &&
 *            table.rows > 0)
 *         ...
 *     csv_release(&table);
 *
 * Cells stay text until csv_number() reads one, since some columns hold words.
 */
#ifndef FORMATS_CSV_H
#define FORMATS_CSV_H

#include "formats/file.h"

/* Rows in a block: some MB of text and of what becomes of it, and work for several threads. Bytes
   that a table begins with. */
enum { CSV_BLOCK = 8192, CSV_ROOM = 1 << 16 };

/* Everything points into memory of its own; release with csv_release. */
typedef struct csv_table {
    char path[LB_ERROR_PATH_SIZE];
    const char **names; /* `columns` */
    int columns;        /* >= 1 */
    const char **cells; /* rows * columns fields */
    int *lines;         /* line of the file that each row starts on, the first row at [0] */
    int rows;           /* >= 0, read last */

    /* where they come from */
    lb_allocator allocator;
    file_reader source;
    char *header; /* the names, cut out in place */
    char *text;   /* `room` bytes: the rows, cut out in place, and what is still to be read */
    size_t room, begin, end; /* to be read: from `begin` to `end` */
    size_t row_room;         /* of cells and lines */
    int line;                /* that text + begin is on */
    bool complete;           /* the file has nothing behind `end` */
    bool by_line;            /* it may still be written: a row does not wait for the next one */
} csv_table;

/*
 * Opens the file at `path`, "-" being standard input, and reads its header; no rows yet. On
 * failure of any of these functions *table is empty (and may be released) and *error names file
 * and line.
 */
lb_status csv_open(const char *path, const lb_allocator *allocator, csv_table *table,
                   lb_error *error);

/*
 * The same from a file that is open, which the table takes over, at its first byte. The text is
 * read into `room` > 0 bytes at first: where it is cut makes no difference.
 */
lb_status csv_open_source(file_reader source, const char *path, size_t room,
                          const lb_allocator *allocator, csv_table *table, lb_error *error);

/*
 * Reads the next rows, at most `most`, in the place of those before; table->rows is their number,
 * 0 at the end.
 */
lb_status csv_next(csv_table *table, int most, lb_error *error);

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
/* Text of a field of the rows read last, never NULL. */
const char *csv_text(const csv_table *table, int row, int column);

/*
 * A field as a finite number. Refused with file, line and column name:
 * "targets.csv:7: column 'qw': 'abc' is not a number".
 */
lb_status csv_number(const csv_table *table, int row, int column, double *value, lb_error *error);

#endif
