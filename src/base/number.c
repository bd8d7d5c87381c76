/*
 * number.c - decimal numbers as text.
 *
 * The grammar is checked here; decimal.c rounds correctly in both directions.
 */
#include "base/number.h"

#include "base/decimal.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
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

/* the exponent behind a 'e'; beyond what any double needs it stays where it is */
static int read_exponent(const char *text, const char *end)
{
    bool negative = text < end && *text == '-';
    int exponent = 0;
    if (text < end && (*text == '+' || *text == '-'))
        text++;
    for (; text < end && exponent < 10000; text++)
        exponent = 10 * exponent + (*text - '0');
    return negative ? -exponent : exponent;
}

/* the digits of a decimal, without its sign and without zeros at both ends */
static void read_digits(const char *text, const char *end, decimal *d)
{
    bool behind_point = false;
    d->count = d->point = 0;
    for (; text < end && (is_digit(*text) || *text == '.'); text++) {
        if (*text == '.') {
            behind_point = true;
            continue;
        }
        bool leading = d->count == 0 && *text == '0';
        if (!leading)
            d->digits[d->count++] = *text;
        d->point += leading ? -behind_point : !behind_point;
    }
    if (text < end)
        d->point += read_exponent(text + 1, end);
    while (d->count > 0 && d->digits[d->count - 1] == '0')
        d->count--;
}

const char *number_read(const char *text, size_t size, double *value)
{
    decimal d;
    if (is_named(text, size))
        return "is not a finite number";
    if (!is_decimal(text, text + size))
        return "is not a number";
    if (size > LONGEST)
        return "has more digits than a number can hold";

    bool negative = *text == '-';
    read_digits(text + (negative || *text == '+'), text + size, &d);
    double number = decimal_value(&d);
    if (!isfinite(number))
        return "is too large";
    *value = negative ? -number : number;
    return NULL;
}

const char *number_write_digits(double value, int digits, char text[NUMBER_TEXT_SIZE])
{
    text_format(text, NUMBER_TEXT_SIZE, "%.*g", digits, value);
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
