/* lines.c - the lines of a derivation, as they are given to its visitor. */
#include "ik/derivation/lines.h"

#include "base/text.h"

enum { SIGN_SIZE = 80, WORDS_SIZE = 400 };

void derivation_heading(const derivation_lines *to, const char *number, const char *title)
{
    to->visit(to->user, &(lb_derivation_line){.number = number, .text = title});
}

void derivation_words(const derivation_lines *to, const char *format, ...)
{
    char text[WORDS_SIZE];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    to->visit(to->user, &(lb_derivation_line){.text = text});
}

void derivation_formula(const derivation_lines *to, const lb_formula_part *parts, int count)
{
    char signs[LB_FORMULA_PARTS][SIGN_SIZE];
    lb_formula_part filled[LB_FORMULA_PARTS];
    for (int i = 0; i < count; i++) {
        text_writer sign = {signs[i], SIGN_SIZE, 0};
        filled[i] = parts[i];
        for (const char *at = parts[i].sign; at != NULL && *at != '\0'; at++)
            text_write(&sign, *at == '~' ? "%s" : "%.1s", *at == '~' ? to->middle : at);
        if (parts[i].sign != NULL)
            filled[i].sign = signs[i];
    }
    to->visit(to->user, &(lb_derivation_line){.parts = filled, .part_count = count});
}
