/*
 * yaml_parse.h - from YAML text to a tree of nodes.
 *
 * Mappings become objects, sequences arrays, and scalars numbers, truths or strings. `!degrees`
 * before a number makes radians of it, as ROS has it. Anchors, keys that are no scalars and levels
 * deeper than 64 are refused; of several documents the first is read. Without libyaml every text
 * is refused.
 */
#ifndef FORMATS_YAML_PARSE_H
#define FORMATS_YAML_PARSE_H

#include "formats/parse.h"

format_parse yaml_parse;

#endif
