/*
 * embedded.h - the table of built-in models, which cmake/embed_models.cmake
 * writes from models/ when the library is built.
 */
#ifndef FORMATS_EMBEDDED_H
#define FORMATS_EMBEDDED_H

#include <limber/formats/load.h>

/* Sorted by name. */
extern const lb_embedded embedded_models[];
extern const int embedded_model_count;

#endif
