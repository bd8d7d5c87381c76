/*
 * grid.c - tables for people.
 */
#include "cli/report/results.h"

#include "base/text.h"
#include "cli/report/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int text_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += (*text & 0xC0) != 0x80;
    return width;
}

double tidy(double number, int decimals)
{
    double half = 0.5;
    for (int i = 0; i < decimals; i++)
        half /= 10;
    return fabs(number) <= half ? 0 : number;
}

grid_table grid_start(const char *align)
{
    grid_table table = {.align = align, .columns = (int)strlen(align)};
    return table;
}

void grid_cell(grid_table *table, const char *format, ...)
{
    if (table->count == table->room) {
        table->room = 2 * table->room + 64;
        table->cells = resize_or_exit(table->cells, (size_t)table->room, sizeof *table->cells);
    }
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);

    char *cell = allocate_or_exit((size_t)(length < 0 ? 0 : length) + 1, 1);
    va_start(arguments, format);
    vsnprintf(cell, (size_t)(length < 0 ? 0 : length) + 1, format, arguments);
    va_end(arguments);
    text_hide_controls(cell);
    table->cells[table->count++] = cell;
}

/* the width of a column, 0 when it is not printed or only its heading is there */
static int column_width(const grid_table *table, int column)
{
    int width = 0;
    if (column >= table->columns - table->hanging || table->align[column] == '-')
        return 0;
    for (int i = table->columns + column; i < table->count; i += table->columns) {
        int cell = text_width(table->cells[i]);
        width = cell > width ? cell : width;
    }
    int heading = text_width(table->cells[column]);
    return width == 0 ? 0 : heading > width ? heading : width;
}

int grid_width(const grid_table *table)
{
    int width = 0;
    for (int c = 0; c < table->columns; c++) {
        int column = column_width(table, c);
        width += column > 0 ? column + 2 : 0;
    }
    return width;
}

/* one row; blanks are written only before text, so that no line ends in any */
static void print_row(const grid_table *table, const int *widths, char *const *cells, FILE *stream)
{
    int blanks = 0;
    for (int c = 0; c < table->columns; c++) {
        int gap = widths[c] - text_width(cells[c]);
        if (widths[c] == 0)
            continue;
        bool right = table->align[c] == 'r';
        blanks += 2 + (right ? gap : 0);
        if (*cells[c] != '\0') {
            fprintf(stream, "%*s%s", blanks, "", cells[c]);
            blanks = right ? 0 : gap;
        } else {
            blanks += right ? 0 : gap;
        }
    }
}

/* the last cells below their row, all but the very last one under their heading's name */
static void print_hanging(const grid_table *table, char *const *cells, FILE *stream)
{
    int last = table->columns - 1;
    const char *before = "\n      ";
    for (int c = table->columns - table->hanging; c <= last; c++) {
        if (*cells[c] == '\0')
            continue;
        fprintf(stream, "%s%s%s%s", before, c < last ? table->cells[c] : "", c < last ? " " : "",
                cells[c]);
        before = ", ";
    }
}

void grid_print(const grid_table *table, FILE *stream)
{
    int *widths = allocate_or_exit((size_t)table->columns, sizeof *widths);
    for (int c = 0; c < table->columns; c++)
        widths[c] = column_width(table, c);
    fputs(console_style_text(stream, STYLE_FAINT), stream);
    for (int i = 0; i < table->count; i += table->columns) {
        print_row(table, widths, table->cells + i, stream);
        if (i > 0)
            print_hanging(table, table->cells + i, stream);
        fprintf(stream, "%s\n", i == 0 ? console_style_text(stream, STYLE_PLAIN) : "");
    }
}
