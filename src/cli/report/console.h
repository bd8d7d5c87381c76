/*
 * console.h - what the terminal can do, and progress on it.
 *
 * Colours, box characters and progress are for people: in a pipe or a file
 * there are none of them, and in a locale without UTF-8 lines are drawn in ASCII.
 */
#ifndef CLI_REPORT_CONSOLE_H
#define CLI_REPORT_CONSOLE_H

#include <stdbool.h>
#include <stdio.h>

/* Reads the locale; call once before anything is printed. */
void console_start(void);

/* A person reads this stream. */
bool console_is_terminal(FILE *stream);
/* Box characters can be shown. */
bool console_is_utf8(void);

/* The columns that a table, and what is drawn by lines, may take. */
enum { TABLE_WIDTH = 100 };

/*
 * Prints words, broken at the page's 80 columns; the stream is at column
 * `indent` now, which further lines begin at too. Ends the line.
 */
void print_wrapped(FILE *stream, const char *text, int indent);

/*
 * Prints what a file says, in at least `width` columns: its control characters, which a terminal
 * would obey, as '?'.
 */
void print_foreign(FILE *stream, const char *text, int width);

typedef enum console_style {
    STYLE_PLAIN,
    STYLE_STRONG, /* names of what a line is about */
    STYLE_FAINT,  /* what may be passed over */
    STYLE_GOOD,   /* reached */
    STYLE_BAD     /* not reached */
} console_style;

/* The escape sequence that begins a style, "" where there is none to be. NO_COLOR is heeded. */
const char *console_style_text(FILE *stream, console_style style);

/*
 * Prints the progress of a long run, on standard error and only if that is a terminal:
 * nothing in the first half second, then at most five times a second. A `total` of 0 is not
 * known yet.
 */
void progress_start(const char *verb, long total);
void progress_at(long done);
/* Wipes the line; call before anything else is printed, harmless at any time. */
void progress_clear(void);

/* Seconds on a clock that only moves forward. */
double clock_seconds(void);

#endif
