/*
 * report.h - what the program says on standard error.
 *
 * Every message is one line that begins "limber: " and names the thing; results
 * never go to standard error.
 */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

#include <limber/kinematics.h>
#include <stdbool.h>
#include <stdio.h>

#if defined(__GNUC__)
#define REPORT_FORMAT __attribute__((format(printf, 1, 2)))
#else
#define REPORT_FORMAT
#endif

/*
 * Why the program cannot go on. It ends here, with EXIT_BAD_INPUT: what is wrong with the input is
 * found before anything is written, or while a file is that is then left as it was. So nothing that
 * returns has failed, unless its comment says so.
 */
_Noreturn void refuse(const char *format, ...) REPORT_FORMAT;
/* The same from the library: "limber: panda.urdf:41: joint 'elbow': ...". */
_Noreturn void refuse_error(const lb_error *error);
/* Ends the program after complaints. */
_Noreturn void give_up(void);

/* The same where the program goes on; false, so that what fails returns it. */
bool complain(const char *format, ...) REPORT_FORMAT;
bool complain_error(const lb_error *error);

/*
 * Whether a call of the library went well, else it is refused or complained of: require(
 * lb_draw(model, drawing, path, why())). What the call says goes to why(), which is empty again at
 * each call of it; the first thread alone asks.
 */
lb_error *why(void);
void require(lb_status status);
bool succeeds(lb_status status);
/* The same for what an option or a file says: "limber: --at: ..."; `of` is which. */
void require_for(const char *of, lb_status status);

/* A warning: the program continues. */
void remark(const char *format, ...) REPORT_FORMAT;
/* The same from the library. */
void remark_error(const lb_error *note);

/* ---- memory ------------------------------------------------------------- */

/*
 * Memory lives until the program ends, so nothing is released but what would grow with the input.
 * Where there is none the program ends. The library's objects have it by this allocator.
 */
extern const lb_allocator program_memory;

/* For `count` elements of `size` bytes, zeroed. */
void *allocate_or_exit(size_t count, size_t size);
/* An array with room for `count` elements in the place of another, whose elements it keeps; further
   ones are not set. */
void *resize_or_exit(void *array, size_t count, size_t size);
/* Releases what these gave; NULL is accepted. */
void dispose(void *memory);
/* Ends the program if a call of the library had no memory; other statuses are ignored. */
void exit_if_out_of_memory(lb_status status);
/* A copy of a text. */
char *copy_or_exit(const char *text);
/* A state at the model's neutral configuration. */
lb_state *state_or_exit(const lb_model *model);

/* ---- the terminal ------------------------------------------------------ */

/*
 * Colours, box characters and progress are for people: in a pipe or a file
 * there are none of them, and in a locale without UTF-8 lines are drawn in ASCII.
 */

/* Reads the locale; call once before anything is printed. */
void console_start(void);

/* The exit status of the program, which is that of bad input where output could not be written. */
int console_end(int status);

/* A person reads this stream. */
bool console_is_terminal(FILE *stream);
/* Box characters can be shown. */
bool console_is_utf8(void);
/* How microseconds are written there. */
const char *microseconds(void);

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
 * Prints the progress of a long run on standard error: on a terminal nothing in the first half
 * second, then at most five times a second; elsewhere, as in the log of a cluster's job, a line a
 * minute. A `total` of 0 is not known yet.
 */
void progress_start(const char *verb, long total);
void progress_at(long done);
/* Wipes the line; call before anything else is printed, harmless at any time. */
void progress_clear(void);

/* Seconds on a clock that only moves forward. */
double clock_seconds(void);

#endif
