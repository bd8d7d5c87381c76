/* table.c - rows of numbers from CSV or from an array of NumPy. */
#include "formats/table.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

/* the first byte, which stays to be read; EOF at the end */
static int peek(FILE *stream)
{
    int first = getc(stream);
    return first == EOF ? EOF : ungetc(first, stream);
}

static lb_status keep_or_release(row_table *table, lb_status status)
{
    if (status != LB_OK)
        table_release(table);
    else
        table->rows = table->is_array ? table->array.rows : table->text.rows;
    return status;
}

lb_status table_open(const char *path, const lb_allocator *allocator, row_table *table,
                     lb_error *error)
{
    file_reader source;
    memset(table, 0, sizeof *table);
    error_set_path(error, strcmp(path, "-") == 0 ? "<stdin>" : path);
    TRY(file_open(&source, path, error));
    return table_open_source(source, path, allocator, table, error);
}

lb_status table_open_source(file_reader source, const char *path, const lb_allocator *allocator,
                            row_table *table, lb_error *error)
{
    lb_status status;
    memset(table, 0, sizeof *table);
    table->is_array = peek(source.stream) == NPY_FIRST_BYTE;
    if (table->is_array)
        status = npy_open(source, path, allocator, &table->array, error);
    else
        status = csv_open_source(source, path, CSV_ROOM, allocator, &table->text, error);
    memcpy(table->path, table->is_array ? table->array.path : table->text.path, sizeof table->path);
    table->columns = table->is_array ? table->array.columns : table->text.columns;
    return keep_or_release(table, status);
}

lb_status table_next(row_table *table, int most, lb_error *error)
{
    return keep_or_release(table, table->is_array ? npy_next(&table->array, most, error)
                                                  : csv_next(&table->text, most, error));
}

void table_join(row_table *table)
{
    npy_reader *array = &table->array;
    table->columns = array->columns = (int)array->total * array->columns;
    array->total = 1;
}

void table_release(row_table *table)
{
    csv_release(&table->text);
    npy_release(&table->array);
    memset(table, 0, sizeof *table);
}

bool table_is_standard_input(const row_table *table)
{
    return (table->is_array ? table->array.source.stream : table->text.source.stream) == stdin;
}

void table_locate(const row_table *table, int row, lb_error *error)
{
    char message[LB_ERROR_MESSAGE_SIZE];
    if (error == NULL)
        return;
    error_set_path(error, table->path);
    if (!table->is_array) {
        error->line = table->text.lines[row];
        return;
    }
    memcpy(message, error->message, sizeof message);
    lb_error_set(error, error->status, 0, "row %" PRId64 ": %.400s", table->array.before + row + 1,
                 message);
}

lb_status table_number(const row_table *table, int row, int column, double *value, lb_error *error)
{
    if (!table->is_array)
        return csv_number(&table->text, row, column, value, error);
    size_t columns = (size_t)table->columns;
    *value = table->array.values[(size_t)row * columns + (size_t)column];
    // false for what is not a number as well
    if (*value - *value == 0)
        return LB_OK;
    lb_status status = REFUSE_VALUE(error, "column %d is not a finite number", column + 1);
    table_locate(table, row, error);
    return status;
}
