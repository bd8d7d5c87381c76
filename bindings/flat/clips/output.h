/* output.h - files that are written in the module's memory, for the page to save. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Forgets what was written before. */
void output_begin(void);
/* Adds a piece of text or of bytes: the sinks of all writers. false: no memory. */
bool output_put(void *user, const char *text, size_t size);
bool output_write(void *user, const void *bytes, size_t size);

#endif
