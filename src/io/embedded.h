/*
 * io/embedded.h - the table of built-in models, which cmake/embed_models.cmake
 * writes from models/ when the library is built.
 */
#ifndef IO_EMBEDDED_H
#define IO_EMBEDDED_H

#include <limber/io/load.h>

/* Sorted by name. */
extern const lb_embedded embedded_models[];
extern const int embedded_model_count;

#endif
