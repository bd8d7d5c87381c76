/*
 * npy.h - NumPy's arrays in files (.npy): read in blocks of rows, written row by row.
 *
 * Source: numpy.lib.format, versions 1.0, 2.0 and 3.0: six bytes of magic, the version, the length
 * of a header and the header, a dictionary of Python with the element type, the order and the
 * shape; then the elements. Read are little-endian doubles and floats in C order, of one to three
 * dimensions: the first one counts rows, the others together columns. Written are doubles in
 * version 1.0. Memory is that of a block, however long the file.
 */
#ifndef FORMATS_NPY_H
#define FORMATS_NPY_H

#include "formats/file.h"

#include <stdint.h>

/* The first byte of every such file, which begins no text. */
enum { NPY_FIRST_BYTE = 0x93 };

enum { NPY_DIMENSIONS = 3 };

/* An array that is being read; release with npy_release. */
typedef struct npy_reader {
    int dimensions;
    int64_t shape[NPY_DIMENSIONS]; /* as in the file; 1 beyond `dimensions` */
    int64_t total;                 /* rows in the file: 1 of an array of one dimension */
    int columns;                   /* numbers in a row, at least 1 */
    int64_t before;                /* rows in blocks before this one */
    int rows;                      /* of the block that was read last */
    double *values;                /* rows * columns; any numbers, not only finite ones */

    /* where they come from */
    char path[LB_ERROR_PATH_SIZE];
    lb_allocator allocator;
    file_reader source;
    int item;  /* bytes of an element: 8 or 4 */
    char *raw; /* bytes of a piece of the block */
    int room;  /* rows that `values` can hold */
} npy_reader;

/*
 * Takes the source over, which is at the first byte, and reads the header. On failure of any of
 * these functions the array is empty (and may be released) and *error names file, thing and remedy.
 */
lb_status npy_open(file_reader source, const char *path, const lb_allocator *allocator,
                   npy_reader *array, lb_error *error);
/* Reads the next rows, at most `most`, in the place of those before; array->rows is 0 at the end.
 */
lb_status npy_next(npy_reader *array, int most, lb_error *error);
/* Accepts an array of all zeros. */
void npy_release(npy_reader *array);

/* An array in memory, not taken apart: of any type of elements. */
typedef struct npy_array {
    char type[64]; /* "<f4" ... */
    int dimensions;
    int64_t shape[NPY_DIMENSIONS];
    bool fortran; /* stored column by column */
    size_t count; /* of elements */
    const unsigned char *bytes;
} npy_array;

/* Finds the array in `size` bytes, header and all, which must stay. */
lb_status npy_parse(const void *bytes, size_t size, npy_array *array, lb_error *error);
/* Bytes of an element; 0: a type that is not read: floats, integers and texts are. */
size_t npy_item(const npy_array *array);
/* An element as a number, counted row by row; only of floats and integers. */
double npy_element(const npy_array *array, size_t index);
/* An element as a text in UTF-8, cut to `room`; false: its type is another. */
bool npy_text(const npy_array *array, size_t index, char *text, size_t room);
/*
 * The bytes before the elements, and how many they are: NPY_HEADER_SIZE where the type is one
 * element's, as '<f8'; of records it is a list of their fields, at most 400 bytes. `fortran`: the
 * first index runs fastest.
 */
enum { NPY_HEADER_SIZE = 128, NPY_HEADER_MOST = 512 };
size_t npy_header(const char *type, bool fortran, const int64_t *shape, int dimensions,
                  unsigned char bytes[NPY_HEADER_MOST]);

/* Numbers that are handed to the stream at once. */
enum { NPY_BLOCK = 512 };

/* An array that is being written: a table of doubles. */
typedef struct npy_writer {
    FILE *stream;
    int columns;
    int64_t rows; /* that are complete */
    int numbers;  /* of the row that is not */
    int used;     /* numbers in the block */
    unsigned char block[8 * NPY_BLOCK];
} npy_writer;

/*
 * Begins a table of so many columns where the stream is at its beginning; its number of rows is
 * filled in at the end, so the stream must be able to go back. False: it is a pipe or a terminal.
 */
bool npy_begin(npy_writer *array, FILE *stream, int columns);
/* The next number of the row, which its last one completes. */
void npy_number(npy_writer *array, double number);
/* Hands all numbers to the stream, whose error flag says what it could not write. */
void npy_flush(npy_writer *array);
/* The same, and fills in the number of rows; false when the stream cannot go back. */
bool npy_end(npy_writer *array);

#endif
