/*
 * arrays.h - the arrays of a motion by their names, from NumPy's archives (.npz) and from pickles.
 */
#ifndef FORMATS_MOTION_ARRAYS_H
#define FORMATS_MOTION_ARRAYS_H

#include "formats/npy.h"

#include <limber/model.h>

enum { ARRAYS_MOST = 24 };

/* Arrays of numbers or of texts, in memory of a pool; begin with names, count and memory. */
typedef struct named_arrays {
    const char *const *names; /* that are kept; NULL for one that is not read */
    int count;                /* of them, at most ARRAYS_MOST */
    lb_allocator memory;
    unsigned char *owned[ARRAYS_MOST]; /* NULL: the file has no such array */
    npy_array arrays[ARRAYS_MOST];
} named_arrays;

/*
 * Keeps the arrays of a file: an archive, a pickle, or a single .npy, which is the first one of the
 * names. Refused by name: an array that is there twice, one whose elements are not read.
 */
lb_status arrays_read(named_arrays *set, const void *bytes, size_t size, lb_error *error);
lb_status arrays_unzip(named_arrays *set, const void *bytes, size_t size, lb_error *error);

/* Which array a name is, of `length` bytes; -1: it is not kept. */
int arrays_find(const named_arrays *set, const char *name, size_t length);
/* Keeps a copy of an array in .npy format. */
lb_status arrays_keep_npy(named_arrays *set, int which, const void *npy, size_t size,
                          lb_error *error);
/* Keeps a copy of a file of an archive, if it is one of the arrays: "fps.npy". */
lb_status arrays_keep_file(named_arrays *set, const char *name, const void *bytes, size_t size,
                           lb_error *error);
/* Keeps a copy of an array; its elements must be of a type that is read. */
lb_status arrays_copy(named_arrays *set, int which, const npy_array *array, lb_error *error);

bool arrays_has(const named_arrays *set, int which);
lb_status arrays_refuse(const named_arrays *set, int which, lb_status status, const char *message,
                        lb_error *error);
/* The array is there and holds numbers, or texts. */
lb_status arrays_check(const named_arrays *set, int which, bool numbers, lb_error *error);
/* The one number of frames a second that the array holds. */
lb_status arrays_rate(const named_arrays *set, int which, double *rate, lb_error *error);
/* The array, of at most so many dimensions, has a row of numbers for each of *frames, from `least`
   to `most` of them; the first one of a file (*frames is 0) says how many frames there are. */
lb_status arrays_check_frames(const named_arrays *set, int which, int dimensions, size_t least,
                              size_t most, int *frames, lb_error *error);
/* Numbers of a row, from the first-th on; the row has them. Refused: one beyond LB_LENGTH_MAX. */
lb_status arrays_row(const named_arrays *set, int which, int row, size_t first, int count,
                     double *out, lb_error *error);
/* Refuses a quaternion whose length is not 1. */
lb_status arrays_check_unit(const named_arrays *set, int which, int row, const double quat[4],
                            lb_error *error);

/* ---- pickles ---------------------------------------------------------- */

/* The first byte of every pickle from protocol 2 on, which begins no text. */
enum { PICKLE_FIRST_BYTE = 0x80 };

/*
 * Keeps the arrays and numbers of the outermost dictionary by their keys; lists are no arrays.
 * Memory beside theirs: some megabytes, and once the file where protocol 2 has bytes as text.
 */
lb_status pickle_read(const void *bytes, size_t size, named_arrays *set, lb_error *error);

#endif
