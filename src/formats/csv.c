/*
 * csv.c - tables of comma-separated values.
 *
 * Two passes over a block of rows. The first only looks where each row ends, and reads more of the
 * file while one is incomplete. In the second a scanner cuts fields out in place (a quoted field
 * only shrinks, so it fits in its place) and hands them on one by one; the reader checks that
 * every row has as many as the header.
 */
#include "formats/csv.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "formats/scan.h"

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

/* what may be wrong with a header in which no such name is wanted */
static const char *name_doubt(const csv_table *table, const char *name)
{
    double number;
    if (number_read(name, strlen(name), &number) == NULL)
        return "; the first line names the columns";
    return table->columns == 1 && strchr(name, ' ') != NULL ? "; commas separate columns" : "";
}

/* every column has a name and no two the same; behind the names is room to sort them */
static lb_status check_header(const csv_table *table, lb_error *error)
{
    const char **sorted = table->names + table->columns;
    for (int i = 0; i < table->columns; i++) {
        if (*csv_name(table, i) == '\0')
            return lb_error_set(error, LB_SYNTAX_ERROR, 1, "column %d has no name", i + 1);
        sorted[i] = csv_name(table, i);
    }
    qsort(sorted, (size_t)table->columns, sizeof *sorted, compare_names);
    for (int i = 1; i < table->columns; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            return lb_error_set(error, LB_SYNTAX_ERROR, 1, "two columns are named '%s'%s",
                                sorted[i], name_doubt(table, sorted[i]));
    if (table->columns == 1 && strpbrk(csv_name(table, 0), ";\t") != NULL)
        return lb_error_set(error, LB_SYNTAX_ERROR, 1,
                            "no comma in the header: columns are separated by commas alone");
    return LB_OK;
}

/* ---- text --------------------------------------------------------------- */

static const char white[] = " \t\r\n";

/* how many of the first `size` characters are white */
static size_t count_white(const char *text, size_t size)
{
    size_t count = 0;
    while (count < size && text[count] != '\0' && strchr(white, text[count]) != NULL)
        count++;
    return count;
}

/*
 * The length of the record at the front, its line end included; 0 when the text ends before it
 * does and is not the last. Fields are separated as the scanner does it.
 */
static size_t measure_record(const char *text, size_t size, bool last)
{
    bool quoted = false, starts = true; // a field
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (quoted) {
            quoted = c != '"';
            if (!quoted && i + 1 < size && text[i + 1] == '"') {
                quoted = true;
                i++;
            }
        } else if (c == '\n') {
            return i + 1;
        } else if (c == '\r') {
            // a line feed may be all that is still to come
            return i + 1 < size ? i + 1 + (text[i + 1] == '\n') : last ? size : 0;
        } else {
            quoted = starts && c == '"';
            starts = c == ',' || (starts && (c == ' ' || c == '\t'));
        }
    }
    return last ? size : 0;
}

/* room for at least one byte more, and for a terminator behind the end */
static lb_status make_room(csv_table *table, lb_error *error)
{
    if (table->begin > 0)
        memmove(table->text, table->text + table->begin, table->end - table->begin);
    table->end -= table->begin;
    table->begin = 0;
    if (table->end + 1 < table->room)
        return LB_OK;
    if (table->room > INT_MAX / 2)
        return lb_error_set(error, LB_UNSUPPORTED, table->line, "more than 1 GB of rows at once");
    char *larger =
        memory_grow(&table->allocator, table->text, table->end, &table->room, table->room + 1, 1);
    if (larger == NULL)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for its text");
    table->text = larger;
    return LB_OK;
}

/* it is text, and not UTF-16 or something binary */
static lb_status check_text(const char *text, size_t size, lb_error *error)
{
    if (memchr(text, '\0', size) != NULL)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                            text_is_utf16(text, size)
                                ? TEXT_IS_UTF16
                                : "this is not a text file (CSV in ASCII or UTF-8 is wanted)");
    return LB_OK;
}

/* reads more of the file, or finds that there is no more; what is to be read may move */
static lb_status read_more(csv_table *table, lb_error *error)
{
    size_t size = 0;
    TRY(make_room(table, error));
    char *at = table->text + table->end;
    size_t room = table->room - 1 - table->end;
    table->source.path = table->path; // the table may have moved
    TRY(table->by_line ? file_next_line(&table->source, at, room, &size, error)
                       : file_next(&table->source, at, room, &size, error));
    table->end += size;
    table->complete = feof(table->source.stream) != 0;
    return check_text(at, size, error);
}

/*
 * Finds what ends the rows: nothing, an empty line or one that is not empty after that. Those at
 * the end of the file need no memory.
 */
static lb_status skip_empty_lines(csv_table *table, size_t rows, bool *only, lb_error *error)
{
    lb_status status = LB_OK;
    for (;;) {
        size_t left = table->end - table->begin - rows;
        *only = count_white(table->text + table->begin + rows, left) == left;
        if (status != LB_OK || !*only)
            return status;
        table->end -= left;
        if (table->complete)
            return LB_OK;
        status = read_more(table, error);
    }
}

/* the next records: their number, their size together, and whether an empty line ends them */
typedef struct extent {
    int count;
    size_t size;
    bool misplaced; /* the empty line is before the end of the file */
} extent;

static lb_status find_records(csv_table *table, int most, extent *found, lb_error *error)
{
    *found = (extent){.count = 0};
    while (found->count < most) {
        const char *at = table->text + table->begin + found->size;
        size_t left = table->end - table->begin - found->size;
        size_t size = measure_record(at, left, table->complete);
        if (size == 0 && table->complete)
            return LB_OK;
        if (size == 0) {
            TRY(read_more(table, error));
        } else if (count_white(at, size) == size) {
            bool only;
            lb_status status = skip_empty_lines(table, found->size, &only, error);
            found->misplaced = !only;
            return status;
        } else {
            found->size += size;
            found->count++;
        }
    }
    return LB_OK;
}

static lb_status refuse_empty_line(int line, lb_error *error)
{
    return lb_error_set(error, LB_SYNTAX_ERROR, line, "an empty line is before the end; remove it");
}

/* ---- tables ------------------------------------------------------------- */

static void start_table(csv_table *table, const char *path, const lb_allocator *allocator,
                        lb_error *error)
{
    memset(table, 0, sizeof *table);
    table->allocator = memory_allocator(allocator);
    table->line = 1;
    snprintf(table->path, sizeof table->path, "%s", strcmp(path, "-") == 0 ? "<stdin>" : path);
    error_set_path(error, table->path);
}

/* the names in a text of their own, which stays while rows come and go */
static lb_status cut_header(csv_table *table, size_t size, lb_error *error)
{
    size_t names = 1;
    for (size_t i = 0; i < size; i++)
        names += table->text[table->begin + i] == ',';
    table->header = memory_take(&table->allocator, size + 1, 1);
    table->names = memory_take(&table->allocator, 2 * names, sizeof *table->names);
    if (table->header == NULL || table->names == NULL)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for its header");
    memcpy(table->header, table->text + table->begin, size);
    scanner s = {table->header, table->header + size, 1, error};
    table->columns = scan_record(&s, table->names, INT_MAX);
    table->begin += size;
    table->line = s.line;
    return table->columns == 0 ? LB_SYNTAX_ERROR : check_header(table, error);
}

static const char byte_order_mark[] = "\xEF\xBB\xBF";

static lb_status read_header(csv_table *table, lb_error *error)
{
    extent found;
    size_t mark = sizeof byte_order_mark - 1;
    while (!table->complete && table->end < mark)
        TRY(read_more(table, error));
    if (table->end >= mark && memcmp(table->text, byte_order_mark, mark) == 0)
        table->begin = mark;
    TRY(find_records(table, 1, &found, error));
    if (found.misplaced)
        return refuse_empty_line(1, error);
    if (found.count == 0)
        return lb_error_set(error, LB_SYNTAX_ERROR, 0,
                            "the file is empty; its first line must name the columns");
    return cut_header(table, found.size, error);
}

/* what every function ends with */
static lb_status keep_or_release(csv_table *table, lb_status status)
{
    if (status != LB_OK)
        csv_release(table);
    return status;
}

lb_status csv_open(const char *path, const lb_allocator *allocator, csv_table *table,
                   lb_error *error)
{
    file_reader source;
    start_table(table, path, allocator, error);
    TRY(file_open(&source, path, error));
    return csv_open_source(source, path, CSV_ROOM, allocator, table, error);
}

lb_status csv_open_source(file_reader source, const char *path, size_t room,
                          const lb_allocator *allocator, csv_table *table, lb_error *error)
{
    start_table(table, path, allocator, error);
    table->source = source;
    table->by_line = !file_is_whole(&source);
    table->text = memory_take(&table->allocator, room + 1, 1);
    table->room = room + 1;
    lb_status status = table->text == NULL ? lb_error_set(error, LB_OUT_OF_MEMORY, 0,
                                                          "no memory to read '%s'", table->path)
                                           : read_header(table, error);
    return keep_or_release(table, status);
}

/*
 * Cells and lines of the rows that were found; those of earlier rows are lost. Of `size` bytes
 * there is no room for all rows where a row with too few fields, which ends the reading, is among
 * them: a field and what ends it take a byte at least.
 */
static lb_status take_rows(csv_table *table, size_t rows, size_t size, lb_error *error)
{
    size_t columns = (size_t)table->columns, whole = (size + 1) / columns + 1;
    rows = rows < whole ? rows : whole;
    size_t cells = rows * columns;
    if (rows <= table->row_room)
        return LB_OK;
    memory_release(&table->allocator, table->cells);
    memory_release(&table->allocator, table->lines);
    table->cells = memory_take(&table->allocator, cells, sizeof *table->cells);
    table->lines = memory_take(&table->allocator, rows, sizeof *table->lines);
    table->row_room = rows;
    if (table->cells != NULL && table->lines != NULL)
        return LB_OK;
    return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for its table");
}

/* cuts up the rows that were found */
static lb_status cut_rows(csv_table *table, const extent *found, lb_error *error)
{
    char *at = table->text + table->begin;
    scanner s = {at, at + found->size, table->line, error};
    for (table->rows = 0; table->rows < found->count; table->rows++) {
        int line = s.line;
        int count = scan_record(&s, table->cells + (size_t)table->rows * (size_t)table->columns,
                                table->columns);
        if (count == 0)
            return LB_SYNTAX_ERROR;
        if (count != table->columns)
            return lb_error_set(error, LB_SYNTAX_ERROR, line, "%d field%s where the header has %d",
                                count, count == 1 ? "" : "s", table->columns);
        table->lines[table->rows] = line;
    }
    table->begin += found->size;
    table->line = s.line;
    return found->misplaced ? refuse_empty_line(s.line, error) : LB_OK;
}

lb_status csv_next(csv_table *table, int most, lb_error *error)
{
    extent found;
    error_set_path(error, table->path);
    lb_status status = find_records(table, most, &found, error);
    // each byte may be a line
    if (status == LB_OK && found.size >= (size_t)(INT_MAX - table->line))
        status = REFUSE_UNSUPPORTED(error, "the file has more than %d lines", INT_MAX);
    if (status == LB_OK)
        status = take_rows(table, (size_t)found.count, found.size, error);
    if (status == LB_OK)
        status = cut_rows(table, &found, error);
    return keep_or_release(table, status);
}

void csv_release(csv_table *table)
{
    file_close(&table->source);
    // a table of all zeros has no allocator, and nothing to release
    if (table->allocator.release != NULL) {
        memory_release(&table->allocator, table->header);
        memory_release(&table->allocator, table->names);
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
        if (strcmp(table->names[i], name) == 0)
            return i;
    return -1;
}

const char *csv_name(const csv_table *table, int column)
{
    return table->names[column];
}

const char *csv_header_doubt(const csv_table *table, int column)
{
    return name_doubt(table, csv_name(table, column));
}

const char *csv_text(const csv_table *table, int row, int column)
{
    return table->cells[(size_t)table->columns * (size_t)row + (size_t)column];
}

lb_status csv_number(const csv_table *table, int row, int column, double *value, lb_error *error)
{
    const char *text = csv_text(table, row, column);
    const char *fault = number_read(text, strlen(text), value);
    if (fault == NULL)
        return LB_OK;
    error_set_path(error, table->path);
    if (*text == '\0')
        return lb_error_set(error, LB_BAD_VALUE, table->lines[row], "column '%s' is empty",
                            csv_name(table, column));
    return lb_error_set(error, LB_BAD_VALUE, table->lines[row], "column '%s': '%.60s' %s",
                        csv_name(table, column), text, fault);
}
