/*
 * lines.h - the lines of a derivation, as they are given to its visitor.
 *
 * ~ in signs is what the derivation has in its place.
 */
#ifndef IK_DERIVATION_LINES_H
#define IK_DERIVATION_LINES_H

#include <limber/derivation.h>

typedef struct derivation_lines {
    lb_derivation_visit *visit;
    void *user;
    const char *middle; /* what ~ is */
} derivation_lines;

#define SIGN(text)                                                                                 \
    {                                                                                              \
        .sign = text                                                                               \
    }
#define MATRIX(text, values, height, width)                                                        \
    {                                                                                              \
        .name = text, .numbers = values, .rows = height, .columns = width                          \
    }
/* Writes a formula of these parts. */
#define FORMULA(to, ...)                                                                           \
    derivation_formula(                                                                            \
        to, (const lb_formula_part[]){__VA_ARGS__},                                                \
        (int)(sizeof((const lb_formula_part[]){__VA_ARGS__}) / sizeof(lb_formula_part)))

/* "5.17" and a sentence; "": no number. */
void derivation_heading(const derivation_lines *to, const char *number, const char *title);
/* A paragraph, as text_format. */
void derivation_words(const derivation_lines *to, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* At most LB_FORMULA_PARTS of them. */
void derivation_formula(const derivation_lines *to, const lb_formula_part *parts, int count);

#endif
