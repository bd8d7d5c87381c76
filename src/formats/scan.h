/* scan.h - the words and lines of a text: captures (BVH), meshes. */
#ifndef FORMATS_SCAN_H
#define FORMATS_SCAN_H

#include <limber/base.h>

/* What is still to be read. */
typedef struct text_scan {
    const char *at, *end;
    int line; /* from 1 */
} text_scan;

/* A piece of the text, within one line; size 0: there is none. */
typedef struct text_word {
    const char *text;
    size_t size;
    int line;
} text_word;

/* Starts after a byte order mark. */
text_scan text_scan_start(const char *text, size_t size);

/* The bytes of a byte order mark at the beginning of a text, 0: there is none; with the blanks and
   line ends behind it. */
size_t text_mark(const char *text, size_t size);
size_t text_blanks(const char *text, size_t size);
/* Whether a text is UTF-16, which no reader of words takes: by its mark, or by a zero byte beside
   its first letter. */
bool text_is_utf16(const char *text, size_t size);
/* What to do then. */
#define TEXT_IS_UTF16 "the text is UTF-16; save it as UTF-8"
/* The next word: a brace, or what has neither blanks nor braces. Size 0 at the end. */
text_word text_scan_word(text_scan *scan);
/* The next word if it is on this line. */
text_word text_scan_word_here(text_scan *scan);
/* Steps behind the end of this line, whatever is still on it. */
void text_scan_next_line(text_scan *scan);
/* The rest of the line up to an opening brace, without blanks around it. */
text_word text_scan_rest(text_scan *scan);

/* Whether a word is this one, which is in lower case, in any case. */
bool text_word_is(text_word word, const char *text);
/* A finite number; what is wrong, in words that follow it, or NULL. */
const char *text_word_number(text_word word, double *number);
/* Steps over a number on this line if it is of the usual kind, which is fast; false: see the word.
 */
bool text_scan_number(text_scan *scan, double *number);
/* For messages: as much of it as fits, in `text`. */
enum { TEXT_SHOWN = 44 };
const char *text_word_show(text_word word, char text[TEXT_SHOWN]);

#endif
