/*
 * yaml_parse.c - from YAML text to a tree of nodes, by libyaml's events.
 */
#include "base/error.h"
#include "base/text.h"
#include "formats/parse.h"

#if defined LIMBER_HAVE_YAML

#include "base/number.h"
#include "formats/mapping/tree.h"

#include <string.h>
#include <yaml.h>

/* libyaml compares each directive (%TAG) with all before it: of so many it takes no time */
enum { MAX_DEPTH = LB_DOCUMENT_DEPTH, KEY_SIZE = 256, MAX_PERCENTS = 1000 };

/* What the next event is put into. */
typedef struct yaml_reading {
    lb_document *document;
    lb_error *error;
    bool in_mapping[MAX_DEPTH + 1]; /* at each depth; at 0 the document itself */
    int depth;
    bool has_key;       /* the next event is the value of `key` */
    char key[KEY_SIZE]; /* of a mapping's member */
    bool done;
} yaml_reading;

static int line_of(const yaml_event_t *event)
{
    return (int)event->start_mark.line + 1;
}

static lb_status refuse(const yaml_reading *r, const yaml_event_t *event, const char *what)
{
    return lb_error_set(r->error, LB_UNSUPPORTED, line_of(event), "%s", what);
}

/* ---- scalars ---------------------------------------------------------------- */

/* YAML 1.1's words for true and false, as the readers of ROS have them */
static bool is_truth(const char *text, lb_node_kind *kind)
{
    static const char *const yes[] = {"true", "True", "TRUE", "yes", "Yes",
                                      "YES",  "on",   "On",   "ON"};
    static const char *const no[] = {"false", "False", "FALSE", "no", "No",
                                     "NO",    "off",   "Off",   "OFF"};
    *kind = (text_index(text, yes, sizeof yes / sizeof *yes) >= 0) ? LB_NODE_TRUE : LB_NODE_FALSE;
    return *kind == LB_NODE_TRUE || (text_index(text, no, sizeof no / sizeof *no) >= 0);
}

static void add_scalar(const yaml_reading *r, const yaml_event_t *event, const char *name)
{
    const char *text = (const char *)event->data.scalar.value;
    const char *tag = (const char *)event->data.scalar.tag;
    size_t size = event->data.scalar.length;
    lb_node_kind kind;
    double number = 0;
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (plain && number_read(text, size, &number) == NULL) {
        kind = LB_NODE_NUMBER;
        number *= tag != NULL && strcmp(tag, "!degrees") == 0 ? LB_PI / 180 : 1;
    } else if (plain && (size == 0 || strcmp(text, "~") == 0 || strcmp(text, "null") == 0)) {
        kind = LB_NODE_NULL;
    } else if (!plain || !is_truth(text, &kind)) {
        kind = LB_NODE_STRING;
    }
    lb_document_add(r->document, kind, name, kind == LB_NODE_STRING ? text : NULL, number,
                    line_of(event));
}

/* a scalar where a key is due */
static lb_status take_key(yaml_reading *r, const yaml_event_t *event)
{
    size_t size = event->data.scalar.length;
    if (size >= KEY_SIZE)
        return refuse(r, event, "a key is longer than 255 bytes");
    memcpy(r->key, event->data.scalar.value, size);
    r->key[size] = '\0';
    r->has_key = true;
    return LB_OK;
}

/* ---- events ----------------------------------------------------------------- */

static lb_status open_node(yaml_reading *r, const yaml_event_t *event, lb_node_kind kind,
                           const char *name)
{
    if (r->depth == MAX_DEPTH)
        return refuse(r, event, "levels are nested deeper than 64");
    lb_document_add(r->document, kind, name, NULL, 0, line_of(event));
    r->in_mapping[++r->depth] = kind == LB_NODE_OBJECT;
    r->has_key = false;
    return LB_OK;
}

static lb_status take_event(yaml_reading *r, const yaml_event_t *event)
{
    bool wants_key = r->in_mapping[r->depth] && !r->has_key;
    const char *name = r->in_mapping[r->depth] ? r->key : NULL;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        if (wants_key)
            return take_key(r, event);
        add_scalar(r, event, name);
        r->has_key = false;
        return LB_OK;
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        if (wants_key)
            return refuse(r, event, "a key must be a word");
        return open_node(r, event,
                         event->type == YAML_MAPPING_START_EVENT ? LB_NODE_OBJECT : LB_NODE_ARRAY,
                         name);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        lb_document_close(r->document);
        r->depth--;
        r->has_key = false;
        return LB_OK;
    case YAML_ALIAS_EVENT:
        return refuse(r, event, "aliases are not read: write the values out");
    case YAML_DOCUMENT_END_EVENT:
        r->done = true;
        return LB_OK;
    default:
        return LB_OK;
    }
}

static lb_status refuse_text(const yaml_parser_t *parser, lb_error *error)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory while reading YAML");
    return lb_error_set(error, LB_SYNTAX_ERROR, (int)parser->problem_mark.line + 1,
                        "this is not well-formed YAML: %s",
                        parser->problem != NULL ? parser->problem : "unknown reason");
}

/* in any encoding a directive begins with this byte */
static bool has_many_percents(const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    for (int i = 0; i <= MAX_PERCENTS; i++, at++)
        if ((at = memchr(at, '%', (size_t)(end - at))) == NULL)
            return false;
    return true;
}

lb_status yaml_parse(const char *text, size_t size, const char *path, const lb_allocator *allocator,
                     lb_document *document, lb_error *error)
{
    (void)path, (void)allocator;
    if (has_many_percents(text, size))
        return REFUSE_UNSUPPORTED(
            error, "more than %d '%%', with which directives begin; remove them", MAX_PERCENTS);
    yaml_parser_t parser;
    yaml_event_t event;
    yaml_reading r = {.document = document, .error = error};
    if (!yaml_parser_initialize(&parser))
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory while reading YAML");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    lb_status status = LB_OK;
    for (bool more = true; more && status == LB_OK && !r.done;) {
        if (!yaml_parser_parse(&parser, &event)) {
            status = refuse_text(&parser, error);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        status = take_event(&r, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

#else

lb_status yaml_parse(const char *text, size_t size, const char *path, const lb_allocator *allocator,
                     lb_document *document, lb_error *error)
{
    (void)text, (void)size, (void)path, (void)allocator, (void)document;
    return REFUSE_UNSUPPORTED(
        error, "YAML is not read: limber was built without libyaml; write it as JSON");
}

#endif
