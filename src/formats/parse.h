/*
 * parse.h - the functions that read the text of a file into a tree of nodes.
 */
#ifndef FORMATS_PARSE_H
#define FORMATS_PARSE_H

#include <limber/formats/document.h>

/*
 * Fills an empty document from `size` bytes of text, which need not end in a zero.
 * *error, but for its path, says why not.
 */
typedef lb_status format_parse(const char *text, size_t size, lb_document *document,
                               lb_error *error);

#endif
