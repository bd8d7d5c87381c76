/*
 * xml.h - from XML text to a tree of nodes.
 *
 * Nothing outside the given text is ever read: no network, no external entity;
 * a document type declaration is refused before anything in it is looked at.
 * What is not well formed is refused with its line.
 */
#ifndef FORMATS_XML_H
#define FORMATS_XML_H

#include "formats/parse.h"

format_parse xml_parse;

#endif
