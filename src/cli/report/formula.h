/*
 * formula.h - derivations with numbers in place, as lines of text or as HTML with MathML.
 */
#ifndef CLI_REPORT_FORMULA_H
#define CLI_REPORT_FORMULA_H

#include <limber/derivation.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct formula_page {
    FILE *stream;
    bool html;
    bool utf8; /* of text */
} formula_page;

void formula_begin(const formula_page *page, const char *title);
void formula_end(const formula_page *page);
/* A paragraph. */
void formula_words(const formula_page *page, const char *words);
/* An lb_derivation_visit, whose user is a page. Numbers have six decimals; NaN is "-". */
void formula_line(void *page, const lb_derivation_line *line);

#endif
