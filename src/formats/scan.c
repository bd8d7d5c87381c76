/*
 * scan.c - the words and lines of a text: captures (BVH), meshes.
 *
 * Blanks are all control characters and the space; lines end in LF, CRLF or CR.
 */
#include "formats/scan.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

text_scan text_scan_start(const char *text, size_t size)
{
    return (text_scan){text + text_mark(text, size), text + size, 1};
}

size_t text_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

size_t text_blanks(const char *text, size_t size)
{
    size_t at = text_mark(text, size);
    while (at < size && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')))
        at++;
    return at;
}

bool text_is_utf16(const char *text, size_t size)
{
    return size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0 ||
                         (text[0] == '\0') != (text[1] == '\0'));
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ' && !is_line_end(c);
}

static bool is_brace(char c)
{
    return c == '{' || c == '}';
}

static void skip_blanks(text_scan *scan)
{
    while (scan->at < scan->end && is_blank(*scan->at))
        scan->at++;
}

void text_scan_next_line(text_scan *scan)
{
    while (scan->at < scan->end && !is_line_end(*scan->at))
        scan->at++;
    if (scan->at == scan->end)
        return;
    if (*scan->at == '\r' && scan->at + 1 < scan->end && scan->at[1] == '\n')
        scan->at++;
    scan->at++;
    scan->line++;
}

static void skip_lines(text_scan *scan)
{
    for (skip_blanks(scan); scan->at < scan->end && is_line_end(*scan->at); skip_blanks(scan))
        text_scan_next_line(scan);
}

text_word text_scan_word_here(text_scan *scan)
{
    skip_blanks(scan);
    text_word word = {scan->at, 0, scan->line};
    const char *at = scan->at, *end = scan->end;
    if (at < end && is_brace(*at))
        at++;
    else
        while (at < end && (unsigned char)*at > ' ' && !is_brace(*at))
            at++;
    word.size = (size_t)(at - word.text);
    scan->at = at;
    return word;
}

text_word text_scan_word(text_scan *scan)
{
    skip_lines(scan);
    return text_scan_word_here(scan);
}

text_word text_scan_rest(text_scan *scan)
{
    skip_blanks(scan);
    text_word rest = {scan->at, 0, scan->line};
    while (scan->at < scan->end && !is_line_end(*scan->at) && *scan->at != '{')
        scan->at++;
    const char *stop = scan->at;
    while (stop > rest.text && is_blank(stop[-1]))
        stop--;
    rest.size = (size_t)(stop - rest.text);
    return rest;
}

bool text_word_is(text_word word, const char *text)
{
    size_t i = 0;
    while (i < word.size && text[i] != '\0' &&
           (word.text[i] == text[i] || (word.text[i] | 0x20) == text[i]))
        i++;
    return i == word.size && text[i] == '\0';
}

const char *text_word_number(text_word word, double *number)
{
    return number_read(word.text, word.size, number);
}

bool text_scan_number(text_scan *scan, double *number)
{
    skip_blanks(scan);
    const char *next = number_scan(scan->at, scan->end, number);
    if (next != NULL)
        scan->at = next;
    return next != NULL;
}

const char *text_word_show(text_word word, char text[TEXT_SHOWN])
{
    size_t size = word.size < TEXT_SHOWN ? word.size : TEXT_SHOWN - 1;
    memcpy(text, word.text, size);
    text[size] = '\0';
    text_hide_controls(text);
    return text;
}
