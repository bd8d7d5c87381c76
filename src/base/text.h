/*
 * text.h - text from values, the same on every machine and in every locale.
 *
 * The part of printf that messages need, without streams: so the core links where
 * there are none, and a German locale does not put commas into numbers. Numbers
 * round correctly (to even on a tie), as good C libraries do.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* The texts of a list of names and texts, in an array: {LB_STATUS_LIST(LIST_TEXT)}. */
#define LIST_TEXT(name, text) text,

/* The most digits after the point that are written; nothing needs more. */
enum { TEXT_MAX_PRECISION = 60 };

/*
 * Writes `format` with its arguments into `out`: at most `size` bytes, the last a
 * zero, as snprintf does; `out` may be NULL when size is 0. Returns the length of
 * the whole text. Supports %% and, each with the flags - + 0 and space, a width and
 * a precision (both may be *):
 *     %d %i %u %x   with l, ll or z         %c %s
 *     %e %f %g      inf and nan by name
 * Anything else is copied.
 */
size_t text_format(char *out, size_t size, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

size_t text_vformat(char *out, size_t size, const char *format, va_list arguments)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 0)))
#endif
    ;

/* Text written piece by piece: it never overflows, and the length that it needs is counted. */
typedef struct text_writer {
    char *text;
    size_t size, length;
} text_writer;

void text_write(text_writer *writer, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The bytes of the UTF-8 character that `text` begins with, 0 when it begins with none. */
size_t text_character(const char *text);

/*
 * The bytes of the control character that `text` begins with, 0 when it begins with none: of ASCII,
 * or of the second set in UTF-8. Terminals obey both.
 */
size_t text_control(const char *text);

/* Whether there is any in `text`. */
bool text_has_control(const char *text);

/* Replaces each byte of such characters, and each that is no UTF-8, by '?': what files say is no
   command to a terminal. */
void text_hide_controls(char *text);

/* ---- names -------------------------------------------------------------- */

/* The index of a text among `count` names; -1: it is none of them. */
int text_index(const char *text, const char *const *names, size_t count);

/* Whether something and then `ending`, which is ".npy" or the like, is the text; `any_case`: in
   capital letters, too. */
bool text_ends(const char *text, const char *ending, bool any_case);

/* ---- letters ------------------------------------------------------------ */

/* The letters of names, the same in every locale. */

static inline bool letter_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool letter_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool letter_is_any(char c)
{
    return letter_is_upper(c) || letter_is_lower(c);
}

static inline char letter_lowered(char c)
{
    return letter_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

#endif
