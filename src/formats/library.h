/*
 * library.h - shared libraries that are loaded when they are used, so that a program which does not
 * draw or serve starts without them.
 */
#ifndef FORMATS_LIBRARY_H
#define FORMATS_LIBRARY_H

#include <limber/base.h>

/* A library: a table of pointers to its functions, in the order of their names. */
typedef struct library {
    const char *file;         /* "libcairo.so.2" */
    const char *const *names; /* count */
    int count;
    void *functions; /* count pointers, which are set when it is loaded */
    bool loaded;
} library;

/* Loads it unless it is loaded, from any thread; it stays until the program ends. */
lb_status library_load(library *l, lb_error *error);

#endif
