/*
 * parse.h - the functions that read the text of a file into a tree of nodes.
 */
#ifndef FORMATS_PARSE_H
#define FORMATS_PARSE_H

#include <limber/formats/document.h>

/*
 * Fills an empty document from `size` bytes of text, which need not end in a zero.
 * *error, but for its path, says why not. `path` is the file that the text is from, for
 * formats that include others; NULL: nothing may be included.
 */
typedef lb_status format_parse(const char *text, size_t size, const char *path,
                               const lb_allocator *allocator, lb_document *document,
                               lb_error *error);

#endif
