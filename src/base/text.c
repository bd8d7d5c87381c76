/*
 * text.c - formatting without streams: directives one by one into a bounded buffer.
 */
#include "base/text.h"

#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* One directive: %[flags][width][.precision][length]conversion. */
typedef struct directive {
    bool left, zeros;
    char sign;     /* the prefix of a number that is not negative: + space or 0 */
    int width;     /* 0: as wide as needed */
    int precision; /* -1: not given */
    int longs;     /* 1: long, 2: long long, 3: size_t */
    char conversion;
} directive;

/* ---- writing -------------------------------------------------------------- */

static void put(text_writer *s, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++, s->length++)
        if (s->length + 1 < s->size)
            s->text[s->length] = text[i];
}

static void put_times(text_writer *s, char c, int times)
{
    for (int i = 0; i < times; i++)
        put(s, &c, 1);
}

/* a sign (or 0) and a body, brought to the directive's width */
static void put_padded(text_writer *s, const directive *d, char sign, const char *body,
                       size_t length)
{
    int missing = d->width - (int)length - (sign != 0);
    if (!d->left && !d->zeros)
        put_times(s, ' ', missing);
    if (sign)
        put(s, &sign, 1);
    if (!d->left && d->zeros)
        put_times(s, '0', missing);
    put(s, body, length);
    if (d->left)
        put_times(s, ' ', missing);
}

/* ---- whole numbers and strings -------------------------------------------- */

static void put_whole(text_writer *s, const directive *d, char sign, uint64_t value)
{
    char body[32];
    size_t at = sizeof body;
    unsigned base = d->conversion == 'x' ? 16 : 10;
    do {
        body[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0);
    put_padded(s, d, sign, body + at, sizeof body - at);
}

static void put_string(text_writer *s, directive d, const char *text)
{
    if (!text)
        text = "(null)";
    // a precision bounds how far may be read
    size_t length = 0;
    while ((d.precision < 0 || length < (size_t)d.precision) && text[length] != '\0')
        length++;
    d.zeros = false;
    put_padded(s, &d, 0, text, length);
}

/* ---- real numbers --------------------------------------------------------- */

/* room for DBL_MAX without an exponent and all the digits after its point */
typedef struct body {
    char text[9 * DECIMAL_WHOLE + TEXT_MAX_PRECISION + 8];
    size_t length;
} body;

static void append(body *b, char c)
{
    b->text[b->length++] = c;
}

/* the digit at a place counted from the number's first one; 0 outside */
static char digit_at(const decimal *d, int place)
{
    return place >= 0 && place < d->count ? d->digits[place] : '0';
}

/* digits with the point after the first `whole` of them, then `after` more */
static void append_digits(body *b, const decimal *d, int whole, int after)
{
    for (int i = whole < 1 ? whole - 1 : 0; i < whole; i++)
        append(b, digit_at(d, i));
    if (after > 0)
        append(b, '.');
    for (int i = 0; i < after; i++)
        append(b, digit_at(d, whole + i));
}

static void append_exponent(body *b, int exponent)
{
    append(b, 'e');
    append(b, exponent < 0 ? '-' : '+');
    int size = exponent < 0 ? -exponent : exponent;
    if (size >= 100)
        append(b, (char)('0' + size / 100));
    append(b, (char)('0' + size / 10 % 10));
    append(b, (char)('0' + size % 10));
}

static int at_least_zero(int x)
{
    return x > 0 ? x : 0;
}

/* %f: a fixed number of digits after the point; %e: one before it; %g: the shorter of the two */
static void append_real(body *b, char conversion, int precision, double x)
{
    decimal own, *d = &own;
    if (conversion == 'f') {
        decimal_expand(x, d);
        decimal_round(d, d->point + precision);
        append_digits(b, d, d->point, precision);
        return;
    }
    bool shorter = conversion == 'g';
    int digits = shorter ? (precision > 0 ? precision : 1) : precision + 1;
    decimal_first(x, digits, d);
    int exponent = d->point - 1;
    if (shorter && exponent >= -4 && exponent < digits) {
        append_digits(b, d, d->point, at_least_zero(d->count - d->point));
        return;
    }
    append_digits(b, d, 1, shorter ? at_least_zero(d->count - 1) : precision);
    append_exponent(b, exponent);
}

static void put_real(text_writer *s, directive d, double x)
{
    body b = {.length = 0};
    char sign = d.sign;
    if (signbit(x))
        sign = '-';
    if (!isfinite(x)) {
        d.zeros = false;
        put_padded(s, &d, sign, isnan(x) ? "nan" : "inf", 3);
        return;
    }
    int precision = d.precision < 0 ? 6 : d.precision;
    if (precision > TEXT_MAX_PRECISION)
        precision = TEXT_MAX_PRECISION;
    append_real(&b, d.conversion, precision, fabs(x));
    put_padded(s, &d, sign, b.text, b.length);
}

/* ---- directives ----------------------------------------------------------- */

static int read_number(const char **at)
{
    int value = 0;
    while (**at >= '0' && **at <= '9' && value < 10000)
        value = 10 * value + (*(*at)++ - '0');
    return value;
}

static void read_flags(const char **at, directive *d)
{
    for (;; (*at)++) {
        if (**at == '-')
            d->left = true;
        else if (**at == '0')
            d->zeros = true;
        else if (**at == '+' || (**at == ' ' && d->sign == 0))
            d->sign = **at;
        else
            return;
    }
}

static int64_t take_signed(va_list *arguments, int longs)
{
    switch (longs) {
    case 0:
        return va_arg(*arguments, int);
    case 1:
        return va_arg(*arguments, long);
    case 2:
        return va_arg(*arguments, long long);
    default:
        return (int64_t)va_arg(*arguments, size_t);
    }
}

static uint64_t take_unsigned(va_list *arguments, int longs)
{
    switch (longs) {
    case 0:
        return va_arg(*arguments, unsigned);
    case 1:
        return va_arg(*arguments, unsigned long);
    case 2:
        return va_arg(*arguments, unsigned long long);
    default:
        return va_arg(*arguments, size_t);
    }
}

/* width, precision and length; a * takes an argument */
static void read_sizes(const char **at, directive *d, va_list *arguments)
{
    if (**at == '*') {
        (*at)++;
        d->width = va_arg(*arguments, int);
        if (d->width < 0) {
            d->left = true;
            d->width = -d->width;
        }
    } else {
        d->width = read_number(at);
    }
    d->precision = -1;
    if (**at == '.') {
        (*at)++;
        if (**at == '*') {
            (*at)++;
            d->precision = va_arg(*arguments, int);
        } else {
            d->precision = read_number(at);
        }
    }
    for (; **at == 'l'; (*at)++)
        d->longs++;
    if (**at == 'z') {
        (*at)++;
        d->longs = 3;
    }
}

/* false when the conversion is none of ours */
static bool convert(text_writer *s, const directive *d, va_list *arguments)
{
    char c;
    switch (d->conversion) {
    case '%':
        put(s, "%", 1);
        return true;
    case 'c':
        c = (char)va_arg(*arguments, int);
        put_padded(s, d, 0, &c, 1);
        return true;
    case 's':
        put_string(s, *d, va_arg(*arguments, const char *));
        return true;
    case 'u':
    case 'x':
        put_whole(s, d, 0, take_unsigned(arguments, d->longs));
        return true;
    case 'e':
    case 'f':
    case 'g':
        put_real(s, *d, va_arg(*arguments, double));
        return true;
    case 'd':
    case 'i':
        break;
    default:
        return false;
    }
    int64_t value = take_signed(arguments, d->longs);
    put_whole(s, d, value < 0 ? '-' : d->sign, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    return true;
}

size_t text_vformat(char *out, size_t size, const char *format, va_list arguments)
{
    text_writer s = {out, size, 0};
    // a va_list may be an array, whose address cannot be handed on from a parameter
    va_list rest;
    va_copy(rest, arguments);
    for (const char *at = format; *at != '\0';) {
        if (*at != '%') {
            put(&s, at++, 1);
            continue;
        }
        const char *start = at++;
        directive d = {0};
        read_flags(&at, &d);
        read_sizes(&at, &d, &rest);
        d.conversion = *at;
        if (*at != '\0')
            at++;
        if (!convert(&s, &d, &rest))
            put(&s, start, (size_t)(at - start));
    }
    va_end(rest);
    if (size > 0)
        out[s.length < size ? s.length : size - 1] = '\0';
    return s.length;
}

void text_write(text_writer *writer, const char *format, ...)
{
    size_t room = writer->length < writer->size ? writer->size - writer->length : 0;
    va_list arguments;
    va_start(arguments, format);
    writer->length +=
        text_vformat(room ? writer->text + writer->length : NULL, room, format, arguments);
    va_end(arguments);
}

size_t text_format(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t length = text_vformat(out, size, format, arguments);
    va_end(arguments);
    return length;
}

/* ---- characters --------------------------------------------------------- */

/* Source: RFC 3629, section 4. */
size_t text_character(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    static const struct {
        unsigned char first, last;     /* of the leading byte */
        unsigned char second_from, to; /* of the byte after it */
        size_t size;
    } ranges[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
        {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
        {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    if (s[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (s[0] < ranges[i].first || s[0] > ranges[i].last)
            continue;
        bool valid = s[1] >= ranges[i].second_from && s[1] <= ranges[i].to;
        for (size_t k = 2; k < ranges[i].size && valid; k++)
            valid = s[k] >= 0x80 && s[k] <= 0xBF;
        return valid ? ranges[i].size : 0;
    }
    return 0;
}

/* ---- control characters -------------------------------------------------- */

size_t text_control(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (*c == 0xc2)
        return c[1] >= 0x80 && c[1] <= 0x9f ? 2 : 0;
    return (*c > 0 && *c < 0x20) || *c == 0x7f;
}

bool text_has_control(const char *text)
{
    while (*text != '\0' && text_control(text) == 0)
        text++;
    return *text != '\0';
}

void text_hide_controls(char *text)
{
    for (size_t size; *text != '\0'; text += size) {
        bool shown = text_control(text) == 0 && text_character(text) > 0;
        size = text_character(text) > 0 ? text_character(text) : 1;
        if (!shown)
            memset(text, '?', size);
    }
}

int text_index(const char *text, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0)
            return (int)i;
    return -1;
}

bool text_ends(const char *text, const char *ending, bool any_case)
{
    size_t n = strlen(text), m = strlen(ending);
    for (size_t i = 0; i < m && n > m; i++) {
        char c = text[n - m + i];
        if ((any_case ? letter_lowered(c) : c) != ending[i])
            return false;
    }
    return n > m;
}
