/*
 * grid.h - tables for people: columns as wide as their content.
 */
#ifndef CLI_REPORT_GRID_H
#define CLI_REPORT_GRID_H

#include <stdio.h>

/*
 * Cells are added row by row; the first row is the heading. `align` has one
 * letter for each column: 'l' left, 'r' right, '-' not printed. Release with
 * grid_release.
 */
typedef struct grid {
    const char *align;
    int columns;
    int count, room;
    char **cells;
    int hanging; /* of the last columns so many are printed on a line of their own below */
} grid;

grid grid_start(const char *align);
/* The next cell, as printf. */
void grid_cell(grid *table, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Prints it, indented by two columns, columns that are empty in every row left out. */
void grid_print(const grid *table, FILE *stream);
/* How wide it would be. */
int grid_width(const grid *table);
void grid_release(grid *table);

/*
 * `number`, or a plain 0 where it would print as one with that many decimals: so
 * that no rounding error shows, and no -0.
 */
double tidy(double number, int decimals);

/* Columns that UTF-8 text takes on a terminal: its characters, each one wide. */
int text_width(const char *text);

#endif
