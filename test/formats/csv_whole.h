/*
 * csv_whole.h - all rows of a text at once, whose bytes are read in one piece.
 */
#ifndef TEST_FORMATS_CSV_WHOLE_H
#define TEST_FORMATS_CSV_WHOLE_H

#include "formats/csv.h"

#include <limits.h>

/* a table that its block releases */
#define owned_table __attribute__((cleanup(csv_release))) csv_table

static inline lb_status csv_whole(const char *path, const char *text, size_t size,
                                  const lb_allocator *allocator, csv_table *table, lb_error *error)
{
    FILE *stream = fmemopen((void *)text, size, "rb");
    if (stream == NULL)
        return LB_FILE_ERROR;
    file_reader source = {.stream = stream, .own = true};
    lb_status status = csv_open_source(source, path, size + 1, allocator, table, error);
    return status == LB_OK ? csv_next(table, INT_MAX, error) : status;
}

#endif
