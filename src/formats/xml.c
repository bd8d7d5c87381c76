/*
 * xml.c - from XML text to a tree of nodes, by libxml2's tree parser.
 */
#include "formats/parse.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/file.h"
#include "formats/scan.h"

#include <libxml/SAX2.h>
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
    int line, column; /* at first: how many of them the parser does not see */
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

/* lines and columns are those of the whole text */
static void on_start(void *data)
{
    xmlParserCtxt *parser = data;
    const complaint *kept = parser->_private;
    parser->input->line += kept->line;
    parser->input->col += kept->column;
    xmlSAX2StartDocument(parser);
}

/* whether an XML declaration names an encoding that is not UTF-8 */
static bool names_encoding(const char *text, size_t size)
{
    char said[128];
    text_format(said, sizeof said, "%.*s", size < sizeof said ? (int)size : 0, text);
    for (char *c = said; *c != '\0'; c++)
        *c = letter_lowered(*c);
    return size >= sizeof said ||
           (strstr(said, "encoding") != NULL && strstr(said, "utf-8") == NULL);
}

/*
 * How much of a text the parser need not see: blanks, and an XML declaration that says no more than
 * that it is UTF-8. Files have blanks before it, or the version 0.0, which libxml2 refuses; neither
 * means anything.
 */
static size_t skip_declaration(const char *text, size_t size)
{
    size_t at = text_blanks(text, size);
    const char *end = size - at < 6 ? NULL : memchr(text + at, '>', size - at);
    if (end == NULL || memcmp(text + at, "<?xml", 5) != 0 || text[at + 5] > ' ' || end[-1] != '?')
        return at;
    size_t length = (size_t)(end - text) + 1 - at;
    return names_encoding(text + at, length) ? at : at + length;
}

/* the tree of a text, or NULL and a complaint */
static xmlDoc *read_tree(const char *text, int size, complaint *kept)
{
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (parser == NULL) {
        kept->no_memory = true;
        return NULL;
    }
    const char *begin = text + skip_declaration(text, (size_t)size);
    for (const char *at = text; at < begin; at++, kept->column++)
        if (*at == '\n')
            kept->line++, kept->column = -1;
    parser->_private = kept;
    parser->sax->startDocument = on_start;
    parser->sax->internalSubset = on_doctype;
    parser->sax->comment = NULL;
    parser->sax->processingInstruction = NULL;

    // entities stay unexpanded, and the tree holds only what is in the text; an array of a mesh may
    // have more than the 10 MB that libxml2 takes by itself
    xmlDoc *tree = xmlCtxtReadMemory(parser, begin, size - (int)(begin - text), NULL, NULL,
                                     XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES |
                                         XML_PARSE_HUGE);
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

static void add_element(lb_document *document, const xmlNode *node, bool has_line)
{
    char buffer[128];
    long line = xmlGetLineNo(node);
    int known = !has_line || line < 0 || line > INT_MAX ? 0 : (int)line;
    // without comments, all text of an element that has nothing else is one node
    const xmlNode *inside = node->children;
    bool text_alone = inside != NULL && inside->type == XML_TEXT_NODE && inside->next == NULL;
    lb_document_add(document, LB_NODE_ELEMENT,
                    full_name(node->ns, node->name, buffer, sizeof buffer),
                    text_alone ? (const char *)inside->content : NULL, 0, known);
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
        // without entities, all of the value is one text node
        const xmlNode *value = a->children;
        const char *text = value == NULL ? NULL : (const char *)value->content;
        lb_document_add(document, LB_NODE_ATTRIBUTE,
                        full_name(a->ns, a->name, buffer, sizeof buffer), text, 0, known);
    }
}

/* ---- included files (MJCF) ------------------------------------------------ */

/* files within files, and all of them: more than any model has */
enum { MAX_INCLUDE_DEPTH = 16, MAX_INCLUDES = 1000, PATH_SIZE = 1024 };

/* A document that is being filled from a file and those that it includes. */
typedef struct includer {
    lb_document *document;
    lb_allocator allocator;
    lb_error *error;
    const char *main_path; /* NULL: nothing is included */
    bool mjcf;             /* whose includes are read */
    int depth, count;
    file_identity files[MAX_INCLUDES + 1]; /* the first one, and `count` that were included */
} includer;

static lb_status parse_tree(const char *text, size_t size, xmlDoc **tree, lb_error *error);
static lb_status add_tree(includer *in, const xmlNode *root, const char *path);

static bool is_include(const includer *in, const xmlNode *node)
{
    return in->mjcf && node->type == XML_ELEMENT_NODE &&
           strcmp((const char *)node->name, "include") == 0;
}

/* `name` in the folder of `beside`, or itself where it is absolute */
static void join_path(const char *beside, const char *name, char path[PATH_SIZE])
{
    const char *slash = strrchr(beside, '/');
    int folder = name[0] == '/' || slash == NULL ? 0 : (int)(slash - beside) + 1;
    text_format(path, PATH_SIZE, "%.*s%s", folder, beside, name);
}

/* the children of an included file's root are placed where it is included */
static lb_status add_file(includer *in, const char *path, const char *text, size_t size)
{
    xmlDoc *tree;
    lb_status status = parse_tree(text, size, &tree, in->error);
    if (status != LB_OK) {
        error_set_path(in->error, path);
        return status;
    }
    const xmlNode *child = xmlDocGetRootElement(tree)->children;
    in->depth++;
    for (; child != NULL && status == LB_OK; child = child->next)
        if (child->type == XML_ELEMENT_NODE)
            status = add_tree(in, child, path);
    in->depth--;
    xmlFreeDoc(tree);
    return status;
}

/* whether a file was read before; a file that is included in itself might be without end */
static bool is_included(const includer *in, const file_identity *file)
{
    for (int i = 0; i <= in->count; i++)
        if (in->files[i].device == file->device && in->files[i].number == file->number)
            return true;
    return false;
}

/* beside the file that includes it, else beside the first one */
static lb_status find_included(includer *in, const char *name, int line, const char *beside,
                               char path[PATH_SIZE])
{
    file_identity file;
    join_path(beside, name, path);
    bool found = file_identify(path, &file);
    if (!found) {
        join_path(in->main_path, name, path);
        found = file_identify(path, &file);
    }
    if (found && is_included(in, &file))
        return lb_error_set(in->error, LB_UNSUPPORTED, line,
                            "<include file=\"%.100s\">: this file is read already, and is "
                            "read once; copy it where its elements are wanted twice",
                            name);
    // what is not there is refused when it is opened
    if (in->depth == MAX_INCLUDE_DEPTH || in->count == MAX_INCLUDES)
        return lb_error_set(in->error, LB_UNSUPPORTED, line,
                            "<include file=\"%.100s\"> is nested too deep, or is one of too many",
                            name);
    in->files[++in->count] = file;
    return LB_OK;
}

/* the text of the file that an <include> of the file `beside` names; errors are of that element */
static lb_status read_included(includer *in, const xmlNode *node, const char *beside,
                               char path[PATH_SIZE], const lb_allocator *memory, char **text,
                               size_t *size)
{
    lb_error said;
    error_begin(&said, NULL);
    error_set_path(in->error, beside);
    int line = (int)xmlGetLineNo(node);
    xmlChar *name = xmlGetNoNsProp(node, (const xmlChar *)"file");
    if (name == NULL)
        return lb_error_set(in->error, LB_BAD_MODEL, line, "<include> needs file=\"...\"");
    lb_status status = find_included(in, (const char *)name, line, beside, path);
    if (status == LB_OK) {
        status = file_read_named(path, memory, text, size, &said);
        if (status != LB_OK)
            lb_error_set(in->error, status, line, "<include file=\"%.100s\">: %s",
                         (const char *)name, said.message);
    }
    xmlFree(name);
    return status;
}

static lb_status include_file(includer *in, const xmlNode *node, const char *beside)
{
    char path[PATH_SIZE], *text;
    size_t size;
    MEMORY_POOL(memory, &in->allocator);
    TRY(read_included(in, node, beside, path, &memory, &text, &size));
    error_set_path(in->error, in->main_path);
    return add_file(in, path, text, size);
}

/* all elements in document order; other nodes are skipped */
static lb_status add_tree(includer *in, const xmlNode *root, const char *path)
{
    lb_status status = LB_OK;
    for (const xmlNode *node = root; node != NULL && status == LB_OK;) {
        bool element = node->type == XML_ELEMENT_NODE, include = is_include(in, node);
        if (include)
            status = include_file(in, node, path);
        else if (element)
            add_element(in->document, node, in->depth == 0);
        if (element && !include && node->children != NULL) {
            node = node->children;
            continue;
        }

        // up to where there is a next one, closing what is left
        for (;;) {
            if (node->type == XML_ELEMENT_NODE && !is_include(in, node))
                lb_document_close(in->document);
            if (node == root || node->next != NULL)
                break;
            node = node->parent;
        }
        node = node == root ? NULL : node->next;
    }
    return status;
}

/* ---- texts ---------------------------------------------------------------- */

/*
 * libxml2 compares each attribute of an element with all before it, and each prefix with all that
 * are declared: no tag that is read has so many signs of equality outside of its values, nor a file
 * so many declarations.
 */
enum { MAX_EQUALS = 10000, MAX_PREFIXES = 1000 };

/* What a text is read as up to some byte, without a parser. */
typedef struct tag_scan {
    bool inside; /* an element's tag, whose attributes have their '=' outside of quotes */
    char quote;  /* of the value that is open there; 0: none */
} tag_scan;

/* a tag begins with '<' and a name, also in a comment, and '<' ends all that it is in */
static void scan_byte(tag_scan *scan, char byte, char next)
{
    if (byte == '<') {
        bool name = letter_is_any(next) || next == '_' || next == ':' || (next & 0x80) != 0;
        *scan = (tag_scan){.inside = name};
    } else if (scan->inside && (byte == '"' || byte == '\'')) {
        if (scan->quote == 0 || scan->quote == byte)
            scan->quote = scan->quote == 0 ? byte : '\0';
    } else if (byte == '>' && scan->quote == 0) {
        scan->inside = false;
    }
}

/* where a text has too many of either, which no parser has seen yet; NULL: nowhere */
static const char *find_excess(const char *text, size_t size)
{
    // of two bytes a character, others may look like '<': all count
    bool wide = size >= 4 && memchr(text, '\0', 4) != NULL;
    int equals = 0, prefixes = 0;
    tag_scan scan = {.inside = wide};
    for (size_t i = 0; i < size; i++) {
        if (!wide)
            scan_byte(&scan, text[i], i + 1 < size ? text[i + 1] : '\0');
        if (text[i] == '<' && !wide)
            equals = 0;
        if (!scan.inside || scan.quote != 0)
            continue;
        prefixes += text[i] == ':' && i >= 5 && memcmp(text + i - 5, "xmlns", 5) == 0;
        if ((text[i] == '=' && ++equals > MAX_EQUALS) || prefixes > MAX_PREFIXES)
            return text + i;
    }
    return NULL;
}

static lb_status refuse_excess(const char *text, const char *at, lb_error *error)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return lb_error_set(error, LB_UNSUPPORTED, line,
                        "an element has more than %d attributes, or the file declares more than "
                        "%d prefixes (xmlns)",
                        MAX_EQUALS, MAX_PREFIXES);
}

/* threads that parse for the first time at once must not start libxml2 twice */
static pthread_once_t started = PTHREAD_ONCE_INIT;

static lb_status parse_tree(const char *text, size_t size, xmlDoc **tree, lb_error *error)
{
    *tree = NULL;
    if (size > INT_MAX)
        return REFUSE_UNSUPPORTED(error, "an XML file above 2 GiB is not accepted");
    const char *excess = find_excess(text, size);
    if (excess != NULL)
        return refuse_excess(text, excess, error);

    // the handlers are libxml2's state, too: it starts before they are touched
    pthread_once(&started, xmlInitParser);

    // this thread's errors come here, and to their former handler once this is done
    complaint kept = {.level = XML_ERR_NONE};
    xmlStructuredErrorFunc handler = xmlStructuredError;
    void *handler_data = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&kept, on_error);
    *tree = read_tree(text, (int)size, &kept);
    xmlSetStructuredErrorFunc(handler_data, handler);
    return *tree == NULL ? report_complaint(&kept, error) : LB_OK;
}

lb_status xml_parse(const char *text, size_t size, const char *path, const lb_allocator *allocator,
                    lb_document *document, lb_error *error)
{
    xmlDoc *tree;
    includer in = {.document = document,
                   .allocator = memory_allocator(allocator),
                   .error = error,
                   .main_path = path};
    TRY(parse_tree(text, size, &tree, error));
    const xmlNode *root = xmlDocGetRootElement(tree);
    in.mjcf = path != NULL && strcmp((const char *)root->name, "mujoco") == 0;
    if (in.mjcf)
        file_identify(path, &in.files[0]);
    lb_status status = add_tree(&in, root, path);
    xmlFreeDoc(tree);
    return status;
}
