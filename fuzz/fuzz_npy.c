/*
 * fuzz_npy.c - NumPy's arrays, as the command line and archives read them: refused with a message,
 * or the same numbers in blocks of any size, in memory and from a stream.
 */
#define _POSIX_C_SOURCE 200809L

#include "formats/npy.h"
#include "fuzz.h"

#include <string.h>

/* an array of any type, by its elements */
static void check_elements(const npy_array *array)
{
    char text[64];
    if (npy_item(array) == 0)
        return;
    for (size_t i = 0; i < array->count; i++) {
        if (npy_text(array, i, text, sizeof text))
            FUZZ_CHECK(strlen(text) < sizeof text);
        else
            npy_element(array, i);
    }
}

static lb_status open_array(const uint8_t *data, size_t size, npy_reader *array, lb_error *error)
{
    FILE *stream = fmemopen((void *)data, size, "rb");
    if (stream == NULL)
        return LB_OUT_OF_MEMORY;
    file_reader source = {.stream = stream, .path = "a.npy", .own = true};
    return npy_open(source, "a.npy", NULL, array, error);
}

/* returns the rows that were read, -1 where the array is refused */
static int64_t read_blocks(const uint8_t *data, size_t size, int most, const npy_array *whole)
{
    npy_reader array;
    lb_error error = {0};
    int64_t done = 0;
    lb_status status = open_array(data, size, &array, &error);
    while (status == LB_OK && (status = npy_next(&array, most, &error)) == LB_OK &&
           array.rows > 0) {
        size_t count = (size_t)array.rows * (size_t)array.columns;
        size_t before = (size_t)done * (size_t)array.columns;
        for (size_t i = 0; whole != NULL && i < count; i++) {
            FUZZ_CHECK(before + i < whole->count);
            double number = npy_element(whole, before + i);
            FUZZ_CHECK(memcmp(&number, &array.values[i], sizeof number) == 0 || number != number);
        }
        done += array.rows;
    }
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    FUZZ_CHECK(status != LB_OK || done == array.total);
    npy_release(&array);
    return status == LB_OK ? done : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    npy_array array;
    lb_error error = {0};
    // a stream of no bytes cannot be opened
    if (size == 0)
        return 0;
    lb_status status = npy_parse(data, size, &array, &error);
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (status == LB_OK)
        check_elements(&array);
    const npy_array *whole = status == LB_OK && npy_item(&array) > 0 ? &array : NULL;
    int64_t rows = read_blocks(data, size, 1 << 20, whole);
    FUZZ_CHECK(read_blocks(data, size, 1 + (int)(size % 3), whole) == rows);
    return 0;
}
