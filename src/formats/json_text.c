/*
 * json_text.c - JSON text that grows, laid out to be read.
 */
#include "formats/json_text.h"
#include "base/error.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- growing ------------------------------------------------------------ */

json_text json_text_start(const lb_allocator *allocator)
{
    return (json_text){.allocator = memory_allocator(allocator)};
}

/* room for `more` bytes and a terminator */
static bool make_room(json_text *out, size_t more)
{
    if (out->status != LB_OK)
        return false;
    char *text =
        memory_grow(&out->allocator, out->text, out->used, &out->room, out->used + more + 1, 1);
    if (text == NULL)
        out->status = LB_OUT_OF_MEMORY;
    else
        out->text = text;
    return text != NULL;
}

static void put(json_text *out, const char *text, size_t size)
{
    if (!make_room(out, size))
        return;
    memcpy(out->text + out->used, text, size);
    out->used += size;
    out->text[out->used] = '\0';
}

/* ---- layout ------------------------------------------------------------- */

static void new_line(json_text *out)
{
    put(out, "\n", 1);
    for (int i = 0; i < out->depth; i++)
        put(out, "  ", 2);
}

/* what comes before a value or key: a comma, and a blank or a line break */
static void separate(json_text *out)
{
    if (out->named) {
        out->named = false;
        return;
    }
    if (out->depth == 0)
        return;
    bool first = !out->filled[out->depth - 1];
    out->filled[out->depth - 1] = true;
    if (!first)
        put(out, ",", 1);
    if (out->broken[out->depth - 1] || out->wrap)
        new_line(out);
    else if (!first)
        put(out, " ", 1);
    out->wrap = false;
}

void json_text_open(json_text *out, char bracket, bool broken)
{
    assert(out->depth < JSON_TEXT_DEPTH);
    separate(out);
    put(out, &bracket, 1);
    out->broken[out->depth] = broken;
    out->filled[out->depth++] = false;
}

void json_text_close(json_text *out, char bracket)
{
    assert(out->depth > 0);
    out->depth--;
    out->wrap = false;
    if (out->broken[out->depth] && out->filled[out->depth])
        new_line(out);
    put(out, &bracket, 1);
}

void json_text_break(json_text *out)
{
    out->wrap = true;
}

void json_text_end(json_text *out)
{
    put(out, "\n", 1);
}

/* ---- values ------------------------------------------------------------- */

/* with quotes and escapes */
static void put_quoted(json_text *out, const char *string)
{
    put(out, "\"", 1);
    for (const char *s = string; *s != '\0';) {
        char escaped[8];
        const size_t size = text_character(s);
        size_t control = text_control(s);
        if (size == 0) {
            if (out->status == LB_OK)
                text_format(out->culprit, sizeof out->culprit, "%s", string);
            out->status = LB_BAD_VALUE;
            return;
        }
        if (*s == '"' || *s == '\\')
            put(out, "\\", 1);
        // in UTF-8 the last byte of a control character is its number
        if (control > 0)
            put(out, escaped,
                text_format(escaped, sizeof escaped, "\\u%04x", (unsigned char)s[control - 1]));
        else
            put(out, s, size);
        s += size;
    }
    put(out, "\"", 1);
}

/* escaped; what is not UTF-8 is refused at the end */
static void json_text_string(json_text *out, const char *string)
{
    separate(out);
    put_quoted(out, string);
}

void json_text_key(json_text *out, const char *key)
{
    separate(out);
    put_quoted(out, key);
    put(out, ": ", 2);
    out->named = true;
}

void json_text_word(json_text *out, const char *word)
{
    separate(out);
    put(out, word, strlen(word));
}

void json_text_number(json_text *out, double value)
{
    char text[NUMBER_TEXT_SIZE];
    if (!isfinite(value))
        json_text_word(out, "null");
    else
        // zero is written without its sign, which JSON's integers do not have
        json_text_word(out, number_write_shortest(value == 0 ? 0 : value, text));
}

void json_text_numbers(json_text *out, const double *values, int count)
{
    json_text_open(out, '[', false);
    for (int i = 0; i < count; i++)
        json_text_number(out, values[i]);
    json_text_close(out, ']');
}

void json_text_member(json_text *out, const char *key, double value)
{
    json_text_key(out, key);
    json_text_number(out, value);
}

void json_text_text(json_text *out, const char *key, const char *string)
{
    json_text_key(out, key);
    json_text_string(out, string);
}

void json_text_list(json_text *out, const char *key, const double *values, int count)
{
    json_text_key(out, key);
    json_text_numbers(out, values, count);
}

void json_text_begin(json_text *out, const char *key, char bracket, bool broken)
{
    json_text_key(out, key);
    json_text_open(out, bracket, broken);
}

void json_text_flag(json_text *out, const char *key, bool set)
{
    if (!set)
        return;
    json_text_key(out, key);
    json_text_word(out, "true");
}

/* ---- trees -------------------------------------------------------------- */

static const char brackets[][2] = {[LB_NODE_OBJECT] = {'{', '}'}, [LB_NODE_ARRAY] = {'[', ']'}};

static bool has_brackets(const tree_node *node)
{
    return node->kind == LB_NODE_OBJECT || node->kind == LB_NODE_ARRAY;
}

/* a value, of an array or object its opening bracket */
static void put_node(json_text *out, const tree_node *node)
{
    static const char *const words[] = {
        [LB_NODE_TRUE] = "true", [LB_NODE_FALSE] = "false", [LB_NODE_NULL] = "null"};
    if (has_brackets(node))
        json_text_open(out, brackets[node->kind][0], false);
    else if (node->kind == LB_NODE_STRING)
        json_text_string(out, node->text);
    else if (node->kind == LB_NODE_NUMBER && node->text[0] == '\0')
        json_text_number(out, node->number);
    else if (node->kind == LB_NODE_NUMBER)
        json_text_word(out, node->text);
    else
        json_text_word(out, words[node->kind]);
}

void json_text_tree(json_text *out, const tree_node *value)
{
    for (const tree_node *node = value; node != NULL;) {
        if (node != value && node->name != NULL)
            json_text_key(out, node->name);
        put_node(out, node);
        const tree_node *next = tree_walk(node, value, true);
        // out of every bracket that ends before the next one
        if (has_brackets(node) && node->first == NULL)
            json_text_close(out, brackets[node->kind][1]);
        for (; node != value && node->next == NULL && (next == NULL || next->parent != node);
             node = node->parent)
            json_text_close(out, brackets[node->parent->kind][1]);
        node = next;
    }
}

/* ---- handing over ------------------------------------------------------- */

lb_status json_text_take(json_text *out, char **text, lb_error *error)
{
    *text = out->status == LB_OK ? out->text : NULL;
    if (out->status != LB_OK && out->text != NULL)
        memory_release(&out->allocator, out->text);
    if (out->status == LB_OUT_OF_MEMORY)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory while writing JSON");
    if (out->status == LB_BAD_VALUE)
        return REFUSE_VALUE(error, "the text '%s' is not UTF-8 and cannot be written as JSON",
                            out->culprit);
    return LB_OK;
}
