/*
 * pickle.h - the arrays of a Python pickle, of which nothing is executed.
 *
 * Source: pickletools, protocols 2 to 5. Read are dictionaries, lists, tuples, texts, bytes,
 * numbers, None and NumPy's arrays, numbers and types, which name a few functions of NumPy; any
 * other function or class is refused by its name.
 */
#ifndef FORMATS_MOTION_PICKLE_H
#define FORMATS_MOTION_PICKLE_H

#include "formats/motion/arrays.h"

/* The first byte of every pickle from protocol 2 on, which begins no text. */
enum { PICKLE_FIRST_BYTE = 0x80 };

/*
 * Keeps the arrays and numbers of the outermost dictionary by their keys; lists are no arrays.
 * Memory beside theirs: some megabytes, and once the file where protocol 2 has bytes as text.
 */
lb_status pickle_read(const void *bytes, size_t size, named_arrays *set, lb_error *error);

#endif
