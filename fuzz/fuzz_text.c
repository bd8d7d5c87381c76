/* fuzz_text.c - numbers, tables and suggestions: what the loaders and the program read with. */
#define _POSIX_C_SOURCE 200809L

#include "base/number.h"
#include "base/suggest.h"
#include "formats/csv.h"
#include "fuzz.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* a number that is read is finite, and its shortest text reads back as the same */
static void check_number(const char *text, size_t size)
{
    double value = NAN, back = NAN;
    char shortest[NUMBER_TEXT_SIZE];
    if (number_read(text, size, &value) != NULL)
        return;
    FUZZ_CHECK(isfinite(value));
    number_write_shortest(value, shortest);
    FUZZ_CHECK(number_read(shortest, strlen(shortest), &back) == NULL);
    FUZZ_CHECK(back == value);
}

/* the table of a text, read in pieces of `room` bytes */
static lb_status open_table(const char *text, size_t size, size_t room, csv_table *table)
{
    lb_error error;
    FILE *stream = fmemopen((void *)text, size, "rb");
    if (stream == NULL)
        return LB_FILE_ERROR;
    return csv_open_source((file_reader){.stream = stream, .own = true}, "table.csv", room, NULL,
                           table, &error);
}

/* read in blocks of two rows it is the same table, or refused as well (then `whole` is NULL) */
static void check_blocks(const char *text, size_t size, const csv_table *whole)
{
    csv_table blocks = {.rows = 0};
    lb_error error;
    int done = 0;
    lb_status status = open_table(text, size, 1 + size % 7, &blocks);
    while (status == LB_OK && (status = csv_next(&blocks, 2, &error)) == LB_OK && blocks.rows > 0)
        for (int row = 0; whole != NULL && row < blocks.rows; row++, done++)
            for (int column = 0; column < whole->columns; column++)
                FUZZ_CHECK(strcmp(csv_text(&blocks, row, column), csv_text(whole, done, column)) ==
                           0);
    FUZZ_CHECK((status == LB_OK) == (whole != NULL));
    FUZZ_CHECK(whole == NULL || done == whole->rows);
    csv_release(&blocks);
}

static void check_table(const char *text, size_t size)
{
    csv_table table;
    lb_error error;
    if (open_table(text, size, size + 1, &table) != LB_OK ||
        csv_next(&table, INT_MAX, &error) != LB_OK) {
        check_blocks(text, size, NULL);
        return;
    }
    check_blocks(text, size, &table);
    FUZZ_CHECK(table.columns >= 1 && table.rows >= 0);
    for (int row = 0; row < table.rows; row++)
        for (int column = 0; column < table.columns; column++) {
            double value;
            if (csv_number(&table, row, column, &value, &error) == LB_OK)
                FUZZ_CHECK(isfinite(value));
            FUZZ_CHECK(csv_text(&table, row, column) != NULL);
        }
    csv_release(&table);
}

static void check_suggestion(const char *text)
{
    static const char *const names[] = {"position", "rotation", "tolerance", "x", ""};
    suggest nearest;
    suggest_choice(&nearest, text, names, 5);
    FUZZ_CHECK(strlen(suggest_phrase(&nearest)) < 200);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    check_number(text, strlen(text));
    check_table(text, size);
    check_suggestion(text);
    free(text);
    return 0;
}
