/* output.h - files that are written in the module's memory, for the page to save. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Forgets what was written before. */
void output_begin(void);
/* Adds a piece: the sink of all writers. false: no memory. */
bool output_write(void *user, const void *bytes, size_t size);

#endif
