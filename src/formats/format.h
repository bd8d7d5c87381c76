/*
 * format.h - the functions that read one format each.
 *
 * All of them take `size` bytes of text (which need not end in a zero), fill
 * *model, and leave error->path to the caller. On failure *model is NULL. `notes`
 * may be NULL.
 */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include "formats/notes.h"

typedef lb_status format_load(const char *text, size_t size, const load_notes *notes,
                              const lb_allocator *allocator, lb_model **model, lb_error *error);

format_load model_from_urdf;
format_load model_from_json;

#endif
