/* scan.h - the words and lines of a BVH file. */
#ifndef FORMATS_BVH_SCAN_H
#define FORMATS_BVH_SCAN_H

#include <limber/base.h>

/* What is still to be read. */
typedef struct bvh_scan {
    const char *at, *end;
    int line; /* from 1 */
} bvh_scan;

/* A piece of the text, within one line; size 0: there is none. */
typedef struct bvh_word {
    const char *text;
    size_t size;
    int line;
} bvh_word;

/* Starts after a byte order mark. */
bvh_scan bvh_scan_start(const char *text, size_t size);
/* The next word: a brace, or what has neither blanks nor braces. Size 0 at the end. */
bvh_word bvh_scan_word(bvh_scan *scan);
/* The next word if it is on this line. */
bvh_word bvh_scan_word_here(bvh_scan *scan);
/* Steps behind the end of this line, whatever is still on it. */
void bvh_scan_next_line(bvh_scan *scan);
/* The rest of the line up to an opening brace, without blanks around it. */
bvh_word bvh_scan_rest(bvh_scan *scan);

/* Whether a word is this one, which is in lower case, in any case. */
bool bvh_word_is(bvh_word word, const char *text);
/* A finite number; what is wrong, in words that follow it, or NULL. */
const char *bvh_word_number(bvh_word word, double *number);
/* Steps over a number on this line if it is of the usual kind, which is fast; false: see the word.
 */
bool bvh_scan_number(bvh_scan *scan, double *number);
/* For messages: as much of it as fits, in `text`. */
enum { BVH_SHOWN = 44 };
const char *bvh_word_show(bvh_word word, char text[BVH_SHOWN]);

#endif
