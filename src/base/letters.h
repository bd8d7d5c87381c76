/* letters.h - the letters of names, the same in every locale. */
#ifndef BASE_LETTERS_H
#define BASE_LETTERS_H

#include <stdbool.h>

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
