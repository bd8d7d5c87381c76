/*
 * scan.c - the words and lines of a BVH file.
 *
 * Blanks are all control characters and the space; lines end in LF, CRLF or CR.
 */
#include "formats/bvh/scan.h"

#include "base/number.h"
#include "base/text.h"

#include <string.h>

bvh_scan bvh_scan_start(const char *text, size_t size)
{
    size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (bvh_scan){text + mark, text + size, 1};
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

static void skip_blanks(bvh_scan *scan)
{
    while (scan->at < scan->end && is_blank(*scan->at))
        scan->at++;
}

void bvh_scan_next_line(bvh_scan *scan)
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

static void skip_lines(bvh_scan *scan)
{
    for (skip_blanks(scan); scan->at < scan->end && is_line_end(*scan->at); skip_blanks(scan))
        bvh_scan_next_line(scan);
}

bvh_word bvh_scan_word_here(bvh_scan *scan)
{
    skip_blanks(scan);
    bvh_word word = {scan->at, 0, scan->line};
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

bvh_word bvh_scan_word(bvh_scan *scan)
{
    skip_lines(scan);
    return bvh_scan_word_here(scan);
}

bvh_word bvh_scan_rest(bvh_scan *scan)
{
    skip_blanks(scan);
    bvh_word rest = {scan->at, 0, scan->line};
    while (scan->at < scan->end && !is_line_end(*scan->at) && *scan->at != '{')
        scan->at++;
    const char *stop = scan->at;
    while (stop > rest.text && is_blank(stop[-1]))
        stop--;
    rest.size = (size_t)(stop - rest.text);
    return rest;
}

bool bvh_word_is(bvh_word word, const char *text)
{
    size_t i = 0;
    while (i < word.size && text[i] != '\0' &&
           (word.text[i] == text[i] || (word.text[i] | 0x20) == text[i]))
        i++;
    return i == word.size && text[i] == '\0';
}

const char *bvh_word_number(bvh_word word, double *number)
{
    return number_read(word.text, word.size, number);
}

bool bvh_scan_number(bvh_scan *scan, double *number)
{
    skip_blanks(scan);
    const char *next = number_scan(scan->at, scan->end, number);
    if (next != NULL)
        scan->at = next;
    return next != NULL;
}

const char *bvh_word_show(bvh_word word, char text[BVH_SHOWN])
{
    size_t size = word.size < BVH_SHOWN ? word.size : BVH_SHOWN - 1;
    memcpy(text, word.text, size);
    text[size] = '\0';
    text_hide_controls(text);
    return text;
}
