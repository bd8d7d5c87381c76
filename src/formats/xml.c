/*
 * xml.c - reading XML with libxml2's tree parser.
 */
#include "formats/xml.h"

#include "base/number.h"
#include "base/text.h"

#include <libxml/parser.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

/* ---- parsing ------------------------------------------------------------ */

/* What the parser complained of; one that ends the parsing takes the place of others. */
typedef struct complaint {
    bool doctype;
    bool no_memory;
    xmlErrorLevel level;
    int line, column;
    char message[LB_ERROR_MESSAGE_SIZE / 2];
} complaint;

/* libxml2's error handler */
#if LIBXML_VERSION >= 21200
static void on_error(void *data, const xmlError *said)
#else
static void on_error(void *data, xmlError *said)
#endif
{
    complaint *kept = data;
    kept->no_memory = kept->no_memory || said->code == XML_ERR_NO_MEMORY;
    if (kept->level == XML_ERR_FATAL || said->level <= kept->level)
        return;
    kept->level = said->level;
    kept->line = said->line;
    kept->column = said->int2;

    // libxml2 ends its messages with a line break
    const char *message = said->message == NULL ? "it is malformed" : said->message;
    text_format(kept->message, sizeof kept->message, "%.*s", (int)strcspn(message, "\n"), message);
}

/* stops at <!DOCTYPE, so that no entity is ever declared */
static void on_doctype(void *data, const xmlChar *name, const xmlChar *public_id,
                       const xmlChar *system_id)
{
    (void)name, (void)public_id, (void)system_id;
    xmlParserCtxt *parser = data;
    complaint *kept = parser->_private;
    kept->doctype = true;
    kept->line = parser->input == NULL ? 0 : parser->input->line;
    xmlStopParser(parser);
}

/* the tree of a text, or NULL and a complaint */
static xmlDoc *read_tree(const char *text, int size, complaint *kept)
{
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (parser == NULL) {
        kept->no_memory = true;
        return NULL;
    }
    parser->_private = kept;
    parser->sax->internalSubset = on_doctype;

    // entities stay unexpanded, and the tree holds only what is in the text
    xmlDoc *tree = xmlCtxtReadMemory(parser, text, size, NULL, NULL,
                                     XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
    xmlFreeParserCtxt(parser);
    if (tree != NULL && (kept->doctype || kept->no_memory)) {
        xmlFreeDoc(tree);
        return NULL;
    }
    return tree;
}

static lb_status answer_complaint(const complaint *kept, lb_error *error)
{
    if (kept->doctype)
        return lb_error_set(error, LB_UNSUPPORTED, kept->line,
                            "a document type declaration (<!DOCTYPE) is not accepted; remove it");
    if (kept->no_memory || kept->level == XML_ERR_NONE)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory while reading XML");
    lb_error_set(error, LB_SYNTAX_ERROR, kept->line, "this is not well-formed XML: %s",
                 kept->message);
    if (error != NULL)
        error->column = kept->column;
    return LB_SYNTAX_ERROR;
}

lb_status xml_parse(const char *text, size_t size, xmlDoc **doc, lb_error *error)
{
    *doc = NULL;
    if (size > INT_MAX)
        return lb_error_set(error, LB_UNSUPPORTED, 0, "an XML file above 2 GiB is not accepted");

    // this thread's complaints come to us, and to whom they went before once we are done
    complaint kept = {.level = XML_ERR_NONE};
    xmlStructuredErrorFunc handler = xmlStructuredError;
    void *handler_data = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&kept, on_error);
    *doc = read_tree(text, (int)size, &kept);
    xmlSetStructuredErrorFunc(handler_data, handler);
    return *doc != NULL ? LB_OK : answer_complaint(&kept, error);
}

/* ---- elements ----------------------------------------------------------- */

static bool is_element(const xmlNode *node, const char *name)
{
    bool plain = node->ns == NULL || node->ns->prefix == NULL;
    return node->type == XML_ELEMENT_NODE && plain && strcmp(xml_name(node), name) == 0;
}

static const xmlNode *first_from(const xmlNode *node, const char *name)
{
    while (node != NULL && !is_element(node, name))
        node = node->next;
    return node;
}

const xmlNode *xml_child(const xmlNode *parent, const char *name)
{
    return first_from(parent->children, name);
}

const xmlNode *xml_next(const xmlNode *node)
{
    return first_from(node->next, xml_name(node));
}

int xml_count(const xmlNode *parent, const char *name)
{
    int count = 0;
    for (const xmlNode *node = xml_child(parent, name); node != NULL; node = xml_next(node))
        count++;
    return count;
}

const xmlNode *xml_any_child(const xmlNode *parent)
{
    const xmlNode *node = parent->children;
    while (node != NULL && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

const char *xml_name(const xmlNode *node)
{
    return (const char *)node->name;
}

int xml_line(const xmlNode *node)
{
    long line = xmlGetLineNo(node);
    return line < 0 || line > INT_MAX ? 0 : (int)line;
}

const char *xml_attribute(const xmlNode *node, const char *name)
{
    for (const xmlAttr *attribute = node->properties; attribute != NULL;
         attribute = attribute->next) {
        if (attribute->ns != NULL || strcmp((const char *)attribute->name, name) != 0)
            continue;
        // without entities, all of the value is one text node
        const xmlNode *value = attribute->children;
        return value == NULL || value->content == NULL ? "" : (const char *)value->content;
    }
    return NULL;
}

/* ---- reading with refusal ----------------------------------------------- */

lb_status xml_refuse(const xml_place *place, lb_status status, const xmlNode *node,
                     const char *format, ...)
{
    char what[LB_ERROR_MESSAGE_SIZE / 2];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(what, sizeof what, format, arguments);
    va_end(arguments);
    if (place->name == NULL)
        return lb_error_set(place->error, status, xml_line(node), "%s: %s", place->kind, what);
    return lb_error_set(place->error, status, xml_line(node), "%s '%.200s': %s", place->kind,
                        place->name, what);
}

lb_status xml_only_child(const xml_place *place, const xmlNode *parent, const char *name,
                         const xmlNode **child)
{
    *child = xml_child(parent, name);
    const xmlNode *second = *child == NULL ? NULL : xml_next(*child);
    if (second != NULL)
        return xml_refuse(place, LB_BAD_MODEL, second,
                          "a second <%s> (the first is in line %d); leave one of them", name,
                          xml_line(*child));
    return LB_OK;
}

lb_status xml_text(const xml_place *place, const xmlNode *node, const char *name, const char **text)
{
    *text = xml_attribute(node, name);
    if (*text == NULL || **text == '\0')
        return xml_refuse(place, LB_BAD_MODEL, node, "<%s> needs the attribute %s=\"...\"",
                          xml_name(node), name);
    return LB_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* moves *text behind the next word and answers its length, 0 at the end */
static int next_word(const char **text)
{
    while (is_blank(**text))
        (*text)++;
    int length = 0;
    while ((*text)[length] != '\0' && !is_blank((*text)[length]) && length < INT_MAX)
        length++;
    *text += length;
    return length;
}

lb_status xml_numbers(const xml_place *place, const xmlNode *node, const char *name, int count,
                      double *values)
{
    const char *text = xml_attribute(node, name);
    if (text == NULL)
        return LB_OK;

    // each word must be one number
    int found = 0, length;
    for (const char *end = text; (length = next_word(&end)) > 0; found++) {
        const char *word = end - length;
        double value;
        const char *wrong = number_read(word, (size_t)length, &value);
        if (wrong != NULL)
            return xml_refuse(place, LB_BAD_VALUE, node, "%s %s: '%.*s' %s%s", xml_name(node), name,
                              length > 40 ? 40 : length, word, wrong,
                              memchr(word, ',', (size_t)length) == NULL
                                  ? ""
                                  : "; separate numbers by spaces, without commas");
        if (found < count)
            values[found] = value;
    }
    if (found != count)
        return xml_refuse(place, LB_BAD_VALUE, node,
                          "%s %s=\"%.60s\" has %d number%s instead of %d", xml_name(node), name,
                          text, found, found == 1 ? "" : "s", count);
    return LB_OK;
}
