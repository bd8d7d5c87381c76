/*
 * json_text.h - JSON text that grows, laid out to be read.
 *
 * Commas, line breaks and indentation are the text's own affair: the caller
 * opens, names, puts and closes. What goes wrong meanwhile is remembered and
 * reported at the end.
 */
#ifndef FORMATS_JSON_TEXT_H
#define FORMATS_JSON_TEXT_H

#include "formats/mapping/tree.h"

/* as deep as what is read may be (parse.h), and something around it */
enum { JSON_TEXT_DEPTH = 72 };

typedef struct json_text {
    lb_allocator allocator;
    char *text;
    size_t used, room;
    lb_status status;
    char culprit[64];             /* the text that is not UTF-8 */
    int depth;                    /* open objects and arrays */
    bool broken[JSON_TEXT_DEPTH]; /* each member on a line of its own */
    bool filled[JSON_TEXT_DEPTH]; /* has a member */
    bool named;                   /* the key of the next value is written */
    bool wrap;                    /* the next member begins a new line */
} json_text;

json_text json_text_start(const lb_allocator *allocator);

/* '{' or '['; with `broken` each member gets a line of its own. */
void json_text_open(json_text *out, char bracket, bool broken);
void json_text_close(json_text *out, char bracket);
void json_text_key(json_text *out, const char *key);
/* The next member begins a new line, further in. */
void json_text_break(json_text *out);

/* true, false or null, or any other text that is JSON already. */
void json_text_word(json_text *out, const char *word);
/* Infinity, which JSON does not have, is null. */
void json_text_number(json_text *out, double value);
/* [a, b, ...] */
void json_text_numbers(json_text *out, const double *values, int count);
/* A value of any kind as it was read. */
void json_text_tree(json_text *out, const tree_node *value);
/* A key and its number, text, numbers or the bracket that its value begins with. */
void json_text_member(json_text *out, const char *key, double value);
void json_text_text(json_text *out, const char *key, const char *string);
void json_text_list(json_text *out, const char *key, const double *values, int count);
void json_text_begin(json_text *out, const char *key, char bracket, bool broken);
/* A key and true; nothing unless it is set. */
void json_text_flag(json_text *out, const char *key, bool set);

/* The line break at the end of a file. */
void json_text_end(json_text *out);
/* Hands over the text, or releases it and says what went wrong. */
lb_status json_text_take(json_text *out, char **text, lb_error *error);

#endif
