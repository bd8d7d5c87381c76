/*
 * xml.c - from XML text to a tree of nodes, by libxml2's tree parser.
 */
#include "formats/xml.h"

#include "base/text.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <pthread.h>
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

/* threads that parse for the first time at once must not start the parser twice */
static pthread_once_t started = PTHREAD_ONCE_INIT;

/* the tree of a text, or NULL and a complaint */
static xmlDoc *read_tree(const char *text, int size, complaint *kept)
{
    pthread_once(&started, xmlInitParser);
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

static lb_status report_complaint(const complaint *kept, lb_error *error)
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

/* ---- filling a document --------------------------------------------------- */

/* a name with the prefix that it is written with; one with a prefix is never ours and may be cut */
static const char *full_name(const xmlNs *ns, const xmlChar *name, char *buffer, size_t size)
{
    if (ns == NULL || ns->prefix == NULL)
        return (const char *)name;
    text_format(buffer, size, "%.60s:%.60s", (const char *)ns->prefix, (const char *)name);
    return buffer;
}

static void add_element(lb_document *document, const xmlNode *node)
{
    char buffer[128];
    long line = xmlGetLineNo(node);
    int known = line < 0 || line > INT_MAX ? 0 : (int)line;
    lb_document_add(document, LB_NODE_ELEMENT,
                    full_name(node->ns, node->name, buffer, sizeof buffer), NULL, 0, known);
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
        // without entities, all of the value is one text node
        const xmlNode *value = a->children;
        const char *text = value == NULL ? NULL : (const char *)value->content;
        lb_document_add(document, LB_NODE_ATTRIBUTE,
                        full_name(a->ns, a->name, buffer, sizeof buffer), text, 0, known);
    }
}

/* all elements in document order; what else a tree holds says nothing to us */
static void add_tree(lb_document *document, const xmlNode *root)
{
    for (const xmlNode *node = root; node != NULL;) {
        if (node->type == XML_ELEMENT_NODE)
            add_element(document, node);
        if (node->type == XML_ELEMENT_NODE && node->children != NULL) {
            node = node->children;
            continue;
        }

        // up to where there is a next one, closing what is left
        for (;;) {
            if (node->type == XML_ELEMENT_NODE)
                lb_document_close(document);
            if (node == root || node->next != NULL)
                break;
            node = node->parent;
        }
        node = node == root ? NULL : node->next;
    }
}

lb_status xml_parse(const char *text, size_t size, lb_document *document, lb_error *error)
{
    if (size > INT_MAX)
        return lb_error_set(error, LB_UNSUPPORTED, 0, "an XML file above 2 GiB is not accepted");

    // this thread's complaints come to us, and to whom they went before once we are done
    complaint kept = {.level = XML_ERR_NONE};
    xmlStructuredErrorFunc handler = xmlStructuredError;
    void *handler_data = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&kept, on_error);
    xmlDoc *tree = read_tree(text, (int)size, &kept);
    xmlSetStructuredErrorFunc(handler_data, handler);
    if (tree == NULL)
        return report_complaint(&kept, error);
    add_tree(document, xmlDocGetRootElement(tree));
    xmlFreeDoc(tree);
    return LB_OK;
}
