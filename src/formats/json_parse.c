/*
 * json_parse.c - from JSON text to a tree of nodes, by jansson.
 *
 * jansson keeps no lines, so the text is walked again beside the values, which it keeps
 * in the order of the text.
 */
#include "formats/parse.h"
#include "formats/scan.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { MAX_DEPTH = LB_DOCUMENT_DEPTH, DIGITS = 64 };

/* 2^53: integers below are doubles */
#define MOST_EXACT 9007199254740992.0

/* ---- lines ---------------------------------------------------------------- */

/* Where the walk is in a text that is known to be well formed. */
typedef struct cursor {
    const char *at, *end;
    int line;
} cursor;

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static void advance(cursor *c)
{
    if (*c->at == '\n')
        c->line++;
    c->at++;
}

static void skip_all(cursor *c, const char *set)
{
    while (c->at < c->end && is_one_of(*c->at, set))
        advance(c);
}

/* over a string, from quote to quote */
static void skip_string(cursor *c)
{
    advance(c);
    while (c->at < c->end && *c->at != '"') {
        if (*c->at == '\\' && c->at + 1 < c->end)
            advance(c);
        advance(c);
    }
    if (c->at < c->end)
        advance(c);
}

/* over a number, a word, a string or an opening bracket */
static void skip_value(cursor *c)
{
    if (c->at == c->end)
        return;
    if (*c->at == '"')
        skip_string(c);
    else if (is_one_of(*c->at, "[{"))
        advance(c);
    else
        while (c->at < c->end && !is_one_of(*c->at, " \t\r\n,:]}"))
            advance(c);
}

/* to the beginning of the next value, over the end of others and over its key */
static void seek_value(cursor *c, bool has_key)
{
    skip_all(c, " \t\r\n,]}");
    if (!has_key || c->at == c->end)
        return;
    skip_string(c);
    skip_all(c, " \t\r\n:");
}

/* ---- filling a document --------------------------------------------------- */

/* An array or object whose members are being added. */
typedef struct frame {
    json_t *container;
    void *member; /* of an object: the next one */
    size_t index; /* of an array: the next element */
} frame;

static bool is_container(const json_t *value)
{
    return json_is_object(value) || json_is_array(value);
}

/* a number that would be written otherwise: 1.0, or an integer of more digits than doubles have */
static bool keeps_digits(const json_t *value)
{
    double number = json_number_value(value);
    if (json_is_integer(value))
        return fabs(number) >= MOST_EXACT;
    return json_is_real(value) && floor(number) == number;
}

/* the digits of the number that begins at the cursor, "" where they are too many */
static void copy_digits(const cursor *c, char digits[DIGITS])
{
    size_t size = 0;
    while (size < DIGITS && c->at + size < c->end && is_one_of(c->at[size], "+-.0123456789eE"))
        size++;
    size = size < DIGITS ? size : 0;
    memcpy(digits, c->at, size);
    digits[size] = '\0';
}

static void add_value(lb_document *document, const char *key, const json_t *value, const cursor *c)
{
    static const lb_node_kind kinds[] = {
        [JSON_OBJECT] = LB_NODE_OBJECT, [JSON_ARRAY] = LB_NODE_ARRAY,
        [JSON_STRING] = LB_NODE_STRING, [JSON_INTEGER] = LB_NODE_NUMBER,
        [JSON_REAL] = LB_NODE_NUMBER,   [JSON_TRUE] = LB_NODE_TRUE,
        [JSON_FALSE] = LB_NODE_FALSE,   [JSON_NULL] = LB_NODE_NULL,
    };
    char digits[DIGITS];
    const char *text = json_string_value(value);
    if (keeps_digits(value)) {
        copy_digits(c, digits);
        text = digits;
    }
    lb_document_add(document, kinds[json_typeof(value)], key, text, json_number_value(value),
                    c->line);
}

/* the next member of a container and its key, NULL behind the last */
static json_t *next_member(frame *f, const char **key)
{
    json_t *value = NULL;
    *key = NULL;
    if (json_is_array(f->container)) {
        value = json_array_get(f->container, f->index++);
    } else if (f->member != NULL) {
        *key = json_object_iter_key(f->member);
        value = json_object_iter_value(f->member);
        f->member = json_object_iter_next(f->container, f->member);
    }
    return value;
}

static lb_status add_all(lb_document *document, json_t *root, cursor *c, lb_error *error)
{
    frame stack[MAX_DEPTH];
    int depth = 0;
    const char *key = NULL;
    for (json_t *value = root; value != NULL;) {
        seek_value(c, key != NULL);
        if (is_container(value) && depth == MAX_DEPTH)
            return lb_error_set(error, LB_UNSUPPORTED, c->line,
                                "brackets are nested deeper than %d", MAX_DEPTH);
        add_value(document, key, value, c);
        skip_value(c);
        if (is_container(value))
            stack[depth++] = (frame){value, json_object_iter(value), 0};

        // the next one in document order, out of every container that ends before it
        value = NULL;
        while (depth > 0 && (value = next_member(&stack[depth - 1], &key)) == NULL) {
            lb_document_close(document);
            depth--;
        }
    }
    return LB_OK;
}

/* ---- parsing -------------------------------------------------------------- */

static lb_status refuse_text(const json_error_t *said, lb_error *error)
{
    // jansson reports nothing where it finds no memory for a value
    if (json_error_code(said) == json_error_out_of_memory || said->text[0] == '\0')
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory while reading JSON");
    lb_error_set(error, LB_SYNTAX_ERROR, said->line, "this is not well-formed JSON: %s",
                 said->text);
    if (error != NULL)
        error->column = said->column;
    return LB_SYNTAX_ERROR;
}

/* jansson steps over a zero byte behind a number or a word */
static lb_status refuse_zero(const char *text, const char *zero, lb_error *error)
{
    int line = 1;
    for (; text < zero; text++)
        line += *text == '\n';
    return lb_error_set(error, LB_SYNTAX_ERROR, line,
                        "this is not well-formed JSON: there is a zero byte in it");
}

lb_status json_parse(const char *text, size_t size, const char *path, const lb_allocator *allocator,
                     lb_document *document, lb_error *error)
{
    json_error_t said;
    (void)path, (void)allocator;

    // a byte order mark has no meaning here
    size_t mark = text_mark(text, size);
    text += mark;
    size -= mark;
    if (text_is_utf16(text, size))
        return lb_error_set(error, LB_SYNTAX_ERROR, 1, TEXT_IS_UTF16);
    const char *zero = memchr(text, '\0', size);
    if (zero != NULL)
        return refuse_zero(text, zero, error);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &said);
    if (root == NULL)
        return refuse_text(&said, error);
    cursor c = {text, text + size, 1};
    lb_status status = add_all(document, root, &c, error);
    json_decref(root);
    return status;
}
