/*
 * parse.h - from the text of a file to a tree of nodes, by the parser of its format.
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

/* The tree of a text, by `parse`; the caller releases *document, which is NULL after a failure. */
lb_status parse_text(format_parse *parse, const char *text, size_t size, const char *path,
                     const lb_allocator *allocator, lb_document **document, lb_error *error);

/* The same of the file at `path`, "-" being standard input; begins an error about it. */
lb_status parse_file(format_parse *parse, const char *path, const lb_allocator *allocator,
                     lb_document **document, lb_error *error);

/* ---- JSON -------------------------------------------------------------- */

/*
 * Doubled keys, text that is not UTF-8 and brackets nested deeper than 64 are refused.
 */

format_parse json_parse;

/* ---- XML --------------------------------------------------------------- */

/*
 * No network, no external entity; a document type declaration is refused before
 * anything in it is looked at. Of a file in MJCF the files that it includes are read
 * too, in the places where it does; nothing else outside the text is.
 * What is not well formed is refused with its line.
 */

format_parse xml_parse;

/* ---- YAML -------------------------------------------------------------- */

/*
 * Mappings become objects, sequences arrays, and scalars numbers, truths or strings. `!degrees`
 * before a number makes radians of it, as ROS has it. Anchors, keys that are no scalars and levels
 * deeper than 64 are refused; of several documents the first is read. Without libyaml every text
 * is refused.
 */

format_parse yaml_parse;

#endif
