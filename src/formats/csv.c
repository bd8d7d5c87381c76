/*
 * csv.c - tables of comma-separated values.
 *
 * One pass over the text: a scanner cuts fields out in place (a quoted field
 * only shrinks, so it fits in its place) and hands them on one by one; the
 * reader collects the header's and checks that every row has as many.
 */
#include "formats/csv.h"

#include "base/memory.h"
#include "base/number.h"
#include "formats/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ------------------------------------------------------------- */

typedef struct scanner {
    char *at, *end; /* what is still to be read; *end may be overwritten */
    int line;
    lb_error *error;
} scanner;

typedef struct field {
    char *text; /* terminated */
    int line;   /* that it starts on */
    bool empty; /* no characters, no quotes */
    bool last;  /* of its record */
} field;

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
        s->at++;
}

static bool at_line_end(const scanner *s)
{
    return s->at == s->end || *s->at == '\n' || *s->at == '\r';
}

/* steps over one LF, CRLF or CR */
static void skip_line_end(scanner *s)
{
    if (s->at < s->end && *s->at == '\r' && s->at + 1 < s->end && s->at[1] == '\n')
        s->at++;
    if (s->at < s->end)
        s->at++;
    s->line++;
}

/* the text between quotes, doubled ones made single; returns where it ends, NULL on failure */
static char *scan_quoted(scanner *s)
{
    int first = s->line;
    char *write = ++s->at;
    while (s->at < s->end) {
        if (*s->at == '"' && (s->at + 1 == s->end || s->at[1] != '"')) {
            s->at++;
            skip_blanks(s);
            if (at_line_end(s) || *s->at == ',')
                return write;
            lb_error_set(s->error, LB_SYNTAX_ERROR, s->line,
                         "after a closing '\"' comes '%c' where a comma is wanted", *s->at);
            return NULL;
        }
        if (*s->at == '"')
            s->at++;
        if (*s->at == '\n')
            s->line++;
        *write++ = *s->at++;
    }
    lb_error_set(s->error, LB_SYNTAX_ERROR, first, "the '\"' that opens a field is never closed");
    return NULL;
}

/* the text up to a comma or the line's end, without the blanks before that */
static char *scan_plain(scanner *s)
{
    char *start = s->at;
    while (!at_line_end(s) && *s->at != ',') {
        if (*s->at == '"') {
            lb_error_set(s->error, LB_SYNTAX_ERROR, s->line,
                         "a '\"' is inside a field that does not begin with one");
            return NULL;
        }
        s->at++;
    }
    char *stop = s->at;
    while (stop > start && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    return stop;
}

/* cuts out the next field; false on failure */
static bool scan_field(scanner *s, field *out)
{
    skip_blanks(s);
    bool quoted = s->at < s->end && *s->at == '"';
    out->line = s->line;
    out->text = quoted ? s->at + 1 : s->at;
    char *stop = quoted ? scan_quoted(s) : scan_plain(s);
    if (stop == NULL)
        return false;
    out->empty = !quoted && stop == out->text;

    /* the separator is read before the terminator may fall on it */
    out->last = at_line_end(s);
    if (out->last)
        skip_line_end(s);
    else
        s->at++;
    *stop = '\0';
    return true;
}

/* ---- records ------------------------------------------------------------ */

/* empty lines, allowed at the end of a file only */
static bool only_blank_lines_follow(scanner *s)
{
    scanner ahead = *s;
    for (skip_blanks(&ahead); ahead.at < ahead.end && at_line_end(&ahead); skip_blanks(&ahead))
        skip_line_end(&ahead);
    return ahead.at == ahead.end;
}

/*
 * Cuts out one record of at most `room` fields. Returns their number, those
 * beyond `room` counted but not kept; 0 on failure.
 */
static int scan_record(scanner *s, const char **cells, int room)
{
    int count = 0;
    field next = {0};
    do {
        if (!scan_field(s, &next))
            return 0;
        if (count == 0 && next.last && next.empty) {
            lb_error_set(s->error, LB_SYNTAX_ERROR, next.line,
                         "an empty line is before the end; remove it");
            return 0;
        }
        if (count < room)
            cells[count] = next.text;
        count++;
    } while (!next.last);
    return count;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* every column has a name and no two the same; `sorted` is room for the names */
static lb_status check_header(const csv_table *table, const char **sorted, lb_error *error)
{
    for (int i = 0; i < table->columns; i++) {
        if (*csv_name(table, i) == '\0')
            return lb_error_set(error, LB_SYNTAX_ERROR, 1, "column %d has no name", i + 1);
        sorted[i] = csv_name(table, i);
    }
    qsort(sorted, (size_t)table->columns, sizeof *sorted, compare_names);
    for (int i = 1; i < table->columns; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            return lb_error_set(error, LB_SYNTAX_ERROR, 1, "two columns are named '%s'", sorted[i]);
    if (table->columns == 1 && strpbrk(csv_name(table, 0), ";\t") != NULL)
        return lb_error_set(error, LB_SYNTAX_ERROR, 1,
                            "no comma in the header: columns are separated by commas alone");
    return LB_OK;
}

/* all records: the header's names, then rows of as many fields */
static lb_status read_records(scanner *s, csv_table *table)
{
    /* the header lies at the front of the cells, and is sorted in the room behind it */
    table->columns = scan_record(s, table->cells, INT_MAX);
    if (table->columns == 0)
        return LB_SYNTAX_ERROR;
    lb_status status = check_header(table, table->cells + table->columns, s->error);

    while (status == LB_OK && !only_blank_lines_follow(s)) {
        size_t used = (size_t)table->columns * (size_t)(table->rows + 1);
        int line = s->line;
        int count = scan_record(s, table->cells + used, table->columns);
        if (count == 0)
            return LB_SYNTAX_ERROR;
        if (count != table->columns)
            return lb_error_set(s->error, LB_SYNTAX_ERROR, line,
                                "%d field%s where the header has %d", count, count == 1 ? "" : "s",
                                table->columns);
        table->lines[table->rows++] = line;
    }
    return status;
}

/* ---- tables ------------------------------------------------------------- */

static const char byte_order_mark[] = "\xEF\xBB\xBF";

/* text, and not nothing, UTF-16 or something binary */
static lb_status check_text(const char *text, size_t size, lb_error *error)
{
    if (memchr(text, '\0', size) != NULL)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                            "this is not a text file (CSV in ASCII or UTF-8 is wanted)");
    if (size >= INT_MAX)
        return lb_error_set(error, LB_UNSUPPORTED, 0, "the file has more than 2 GB");
    if (strspn(text, " \t\r\n") == size)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                            "the file is empty; its first line must name the columns");
    return LB_OK;
}

/*
 * Takes the table's arrays, large enough for whatever the text holds: separators
 * bound the number of fields. The header's names need as much again to be sorted.
 */
static bool take_arrays(csv_table *table)
{
    size_t commas = 0, lines = 1;
    for (const char *c = table->text; *c != '\0'; c++) {
        commas += *c == ',';
        lines += *c == '\n' || *c == '\r';
    }
    table->cells = memory_take(&table->allocator, 2 * (commas + lines), sizeof *table->cells);
    table->lines = memory_take(&table->allocator, lines, sizeof *table->lines);
    return table->cells != NULL && table->lines != NULL;
}

/* cuts up table->text, which the table owns and releases */
static lb_status parse_owned(csv_table *table, size_t size, lb_error *error)
{
    if (error != NULL)
        snprintf(error->path, sizeof error->path, "%s", table->path);
    size_t mark = sizeof byte_order_mark - 1;
    bool marked = size >= mark && memcmp(table->text, byte_order_mark, mark) == 0;
    size_t skipped = marked ? mark : 0;

    lb_status status = check_text(table->text + skipped, size - skipped, error);
    if (status == LB_OK && !take_arrays(table))
        status = lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for its table");
    if (status == LB_OK) {
        scanner s = {table->text + skipped, table->text + size, 1, error};
        status = read_records(&s, table);
    }
    if (status != LB_OK)
        csv_release(table);
    return status;
}

static void start_table(csv_table *table, const char *path, const lb_allocator *allocator)
{
    memset(table, 0, sizeof *table);
    table->allocator = memory_allocator(allocator);
    snprintf(table->path, sizeof table->path, "%s", strcmp(path, "-") == 0 ? "<stdin>" : path);
}

lb_status csv_read(const char *path, const lb_allocator *allocator, csv_table *table,
                   lb_error *error)
{
    size_t size;
    start_table(table, path, allocator);
    lb_status status = file_read(path, &table->allocator, &table->text, &size, error);
    return status == LB_OK ? parse_owned(table, size, error) : status;
}

lb_status csv_parse(const char *path, const char *text, size_t size, const lb_allocator *allocator,
                    csv_table *table, lb_error *error)
{
    start_table(table, path, allocator);
    table->text = memory_take(&table->allocator, size + 1, 1);
    if (table->text == NULL)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to read '%s'", path);
    memcpy(table->text, text, size);
    return parse_owned(table, size, error);
}

void csv_release(csv_table *table)
{
    if (table->text != NULL) {
        memory_release(&table->allocator, table->text);
        memory_release(&table->allocator, table->cells);
        memory_release(&table->allocator, table->lines);
    }
    memset(table, 0, sizeof *table);
}

/* ---- reading ------------------------------------------------------------ */

int csv_column(const csv_table *table, const char *name)
{
    for (int i = 0; i < table->columns; i++)
        if (strcmp(table->cells[i], name) == 0)
            return i;
    return -1;
}

const char *csv_name(const csv_table *table, int column)
{
    return table->cells[column];
}

const char *csv_header_doubt(const csv_table *table, int column)
{
    double number;
    const char *name = csv_name(table, column);
    if (number_read(name, strlen(name), &number) == NULL)
        return "; the first line names the columns";
    return table->columns == 1 && strchr(name, ' ') != NULL ? "; commas separate columns" : "";
}

const char *csv_text(const csv_table *table, int row, int column)
{
    return table->cells[(size_t)table->columns * (size_t)(row + 1) + (size_t)column];
}

lb_status csv_number(const csv_table *table, int row, int column, double *value, lb_error *error)
{
    const char *text = csv_text(table, row, column);
    const char *fault = number_read(text, strlen(text), value);
    if (fault == NULL)
        return LB_OK;
    if (error != NULL)
        snprintf(error->path, sizeof error->path, "%s", table->path);
    if (*text == '\0')
        return lb_error_set(error, LB_BAD_VALUE, table->lines[row], "column '%s' is empty",
                            csv_name(table, column));
    return lb_error_set(error, LB_BAD_VALUE, table->lines[row], "column '%s': '%.60s' %s",
                        csv_name(table, column), text, fault);
}
