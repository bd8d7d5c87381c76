/*
 * json_parse.h - from JSON text to a tree of nodes.
 *
 * Doubled keys, text that is not UTF-8 and brackets nested deeper than 64 are refused.
 */
#ifndef FORMATS_JSON_PARSE_H
#define FORMATS_JSON_PARSE_H

#include "formats/parse.h"

format_parse json_parse;

#endif
