/*
 * xml.h - from XML text to a tree of nodes.
 *
 * No network, no external entity; a document type declaration is refused before
 * anything in it is looked at. Of a file in MJCF the files that it includes are read
 * too, in the places where it does; nothing else outside the text is.
 * What is not well formed is refused with its line.
 */
#ifndef FORMATS_XML_H
#define FORMATS_XML_H

#include "formats/parse.h"

format_parse xml_parse;

#endif
