/*
 * json_lines.c - in which line of a JSON text a value stands.
 *
 * The text has been parsed before and is known to be well formed, but the walk
 * stops at its end whatever is in it.
 */
#include "formats/json_lines.h"

#include <stdbool.h>
#include <string.h>

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

/* to the next character that is not white space; answers it, 0 at the end */
static char peek(cursor *c)
{
    while (c->at < c->end && is_one_of(*c->at, " \t\r\n"))
        advance(c);
    return c->at < c->end ? *c->at : '\0';
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

/* over a number or a word */
static void skip_word(cursor *c)
{
    while (c->at < c->end && !is_one_of(*c->at, " \t\r\n,:]}"))
        advance(c);
}

/* over a whole value, however deep */
static void skip_value(cursor *c)
{
    long depth = 0;
    do {
        char next = peek(c);
        if (next == '"')
            skip_string(c);
        else if (is_one_of(next, "[]{},:"))
            advance(c);
        else
            skip_word(c);
        depth += (next == '[' || next == '{') - (next == ']' || next == '}');
    } while (depth > 0 && c->at < c->end);
}

/* from '[' or a ',' to the element behind it; false at the end of the array */
static bool next_element(cursor *c)
{
    char next = peek(c);
    if (next != '[' && next != ',')
        return false;
    advance(c);
    next = peek(c);
    return next != ']' && next != '\0';
}

/* from '{' or a ',' to the quote of the key behind it; false at the end of the object */
static bool next_key(cursor *c)
{
    char next = peek(c);
    if (next != '{' && next != ',')
        return false;
    advance(c);
    return peek(c) == '"';
}

/* to the value of that key; false when the object has none */
static bool find_member(cursor *c, const char *key)
{
    size_t length = strlen(key);
    while (next_key(c)) {
        const char *start = c->at + 1;
        skip_string(c);
        bool found = (size_t)(c->at - start) == length + 1 && memcmp(start, key, length) == 0;
        if (peek(c) != ':')
            return false;
        advance(c);
        peek(c);
        if (found)
            return true;
        skip_value(c);
    }
    return false;
}

static bool find_element(cursor *c, int index)
{
    if (peek(c) != '[')
        return false;
    for (; next_element(c); index--) {
        if (index == 0)
            return true;
        skip_value(c);
    }
    return false;
}

/* to the value at the end of the path; stays at the last one that there is */
static bool follow(cursor *c, const line_step *path, int depth)
{
    peek(c);
    for (int i = 0; i < depth; i++) {
        cursor next = *c;
        bool found = path[i].key == NULL ? find_element(&next, path[i].index)
                                         : find_member(&next, path[i].key);
        if (!found)
            return false;
        *c = next;
    }
    return true;
}

int line_of_value(const char *text, size_t size, const line_step *path, int depth)
{
    cursor c = {text, text + size, 1};
    follow(&c, path, depth);
    return c.line;
}

void lines_of_elements(const char *text, size_t size, const line_step *path, int depth, int *lines,
                       int count)
{
    cursor c = {text, text + size, 1};
    bool more = follow(&c, path, depth) && peek(&c) == '[' && next_element(&c);
    for (int i = 0; i < count; i++) {
        lines[i] = more ? c.line : 0;
        if (!more)
            continue;
        skip_value(&c);
        more = next_element(&c);
    }
}
