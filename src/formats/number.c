/*
 * number.c - decimal numbers as text.
 *
 * The grammar is checked here; strtod and printf then round correctly, and the
 * locale's decimal point is put in and taken out around them.
 */
#include "formats/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* longer than any double needs: DBL_MAX written out has 309 digits, DBL_TRUE_MIN 1074 */
enum { LONGEST = 1100 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text, const char *end)
{
    size_t count = 0;
    while (text + count < end && is_digit(text[count]))
        count++;
    return count;
}

/* [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent */
static bool is_decimal(const char *text, const char *end)
{
    if (text < end && (*text == '+' || *text == '-'))
        text++;
    size_t digits = count_digits(text, end);
    text += digits;
    if (text < end && *text == '.') {
        size_t fraction = count_digits(++text, end);
        digits += fraction;
        text += fraction;
    }
    if (digits == 0)
        return false;
    if (text == end)
        return true;
    if (*text++ != 'e' && text[-1] != 'E')
        return false;
    if (text < end && (*text == '+' || *text == '-'))
        text++;
    size_t exponent = count_digits(text, end);
    return exponent > 0 && text + exponent == end;
}

/* nan, inf and infinity with any sign and in any case: numbers to others, named as such */
static bool is_named(const char *text, size_t size)
{
    static const char *const names[] = {"nan", "inf", "infinity"};
    if (size > 0 && (*text == '+' || *text == '-')) {
        text++;
        size--;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t k = 0;
        while (k < size && names[i][k] != '\0' && (text[k] | 0x20) == names[i][k])
            k++;
        if (k == size && names[i][k] == '\0')
            return true;
    }
    return false;
}

const char *number_read(const char *text, size_t size, double *value)
{
    char copy[LONGEST + 8];

    /* judge the spelling */
    if (is_named(text, size))
        return "is not a finite number";
    if (!is_decimal(text, text + size))
        return "is not a number";
    if (size > LONGEST)
        return "has more digits than a number can hold";

    /* give strtod the decimal point it expects, which may have several bytes */
    const char *point = localeconv()->decimal_point;
    const char *dot = memchr(text, '.', size);
    size_t before = dot == NULL ? size : (size_t)(dot - text);
    snprintf(copy, sizeof copy, "%.*s%s%.*s", (int)before, text, dot == NULL ? "" : point,
             dot == NULL ? 0 : (int)(size - before - 1), dot == NULL ? "" : dot + 1);

    double number = strtod(copy, NULL);
    if (!isfinite(number))
        return "is too large";
    *value = number;
    return NULL;
}

const char *number_write_digits(double value, int digits, char text[NUMBER_TEXT_SIZE])
{
    snprintf(text, NUMBER_TEXT_SIZE, "%.*g", digits, value);

    /* put a point where the locale wrote its own */
    const char *point = localeconv()->decimal_point;
    char *found = strcmp(point, ".") == 0 ? NULL : strstr(text, point);
    if (found != NULL) {
        *found = '.';
        memmove(found + 1, found + strlen(point), strlen(found + strlen(point)) + 1);
    }
    return text;
}

const char *number_write(double value, char text[NUMBER_TEXT_SIZE])
{
    return number_write_digits(value, 17, text);
}

const char *number_write_shortest(double value, char text[NUMBER_TEXT_SIZE])
{
    /* 15 digits are always kept, 17 always suffice */
    for (int digits = 15; digits <= 17; digits++) {
        double back = 0;
        number_write_digits(value, digits, text);
        if (number_read(text, strlen(text), &back) == NULL && back == value)
            break;
    }
    return text;
}
