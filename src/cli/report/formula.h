/*
 * formula.h - pages of formulas with numbers in place, as lines of text or as HTML with MathML.
 *
 * Signs are written in ASCII: "J^T beta", "theta'", "P_1". ' is the dot of a velocity, _ leads to
 * an index, ^ to T, + or a power; alpha, beta, lambda and theta become Greek where that can be
 * shown. ~ is what the page has in its place.
 */
#ifndef CLI_REPORT_FORMULA_H
#define CLI_REPORT_FORMULA_H

#include <stdbool.h>
#include <stdio.h>

typedef struct formula_page {
    FILE *stream;
    bool html;
    bool utf8;          /* of text */
    const char *middle; /* what ~ is */
} formula_page;

/* Signs, or a matrix in brackets. */
typedef struct formula_part {
    const char *sign;      /* NULL: a matrix */
    const char *name;      /* of the matrix: the attribute data-name of its MathML */
    const double *numbers; /* row by row */
    int rows, columns;
} formula_part;

#define SIGN(text)                                                                                 \
    {                                                                                              \
        .sign = text                                                                               \
    }
#define MATRIX(text, values, height, width)                                                        \
    {                                                                                              \
        .name = text, .numbers = values, .rows = height, .columns = width                          \
    }
/* Writes a formula of these parts. */
#define FORMULA(page, ...)                                                                         \
    formula_write(page, (const formula_part[]){__VA_ARGS__},                                       \
                  (int)(sizeof((const formula_part[]){__VA_ARGS__}) / sizeof(formula_part)))

enum { FORMULA_PARTS = 8 };

void formula_begin(const formula_page *page, const char *title);
void formula_end(const formula_page *page);
/* "5.17" and a sentence; NULL: no number. */
void formula_heading(const formula_page *page, const char *number, const char *title);
/* A paragraph, as printf. */
void formula_words(const formula_page *page, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* At most FORMULA_PARTS of them. Numbers have six decimals; NaN is "-". */
void formula_write(const formula_page *page, const formula_part *parts, int count);

#endif
