/*
 * console.c - what the terminal can do, and progress on it.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/report/console.h"

#include "base/text.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- abilities ---------------------------------------------------------- */

void console_start(void)
{
    /* characters alone: numbers stay as the formats want them */
    setlocale(LC_CTYPE, "");
}

bool console_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

bool console_is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static bool has_colour(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (refused != NULL && *refused != '\0')
        return false;
    return console_is_terminal(stream) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

const char *console_style_text(FILE *stream, console_style style)
{
    static const char *const sequences[] = {
        [STYLE_PLAIN] = "\033[0m", [STYLE_STRONG] = "\033[1m", [STYLE_FAINT] = "\033[2m",
        [STYLE_GOOD] = "\033[32m", [STYLE_BAD] = "\033[31m",
    };
    return has_colour(stream) ? sequences[style] : "";
}

void print_wrapped(FILE *stream, const char *text, int indent)
{
    enum { PAGE = 80 };
    int column = indent;
    while (*text != '\0') {
        int word = (int)strcspn(text, " ");
        if (column > indent && column + 1 + word > PAGE) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', stream);
            column++;
        }
        fprintf(stream, "%.*s", word, text);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

void print_foreign(FILE *stream, const char *text, int width)
{
    for (; *text != '\0'; text++) {
        size_t hidden = text_control(text);
        for (size_t i = 0; i < hidden; i++)
            fputc('?', stream);
        if (hidden == 0)
            fputc(*text, stream);
        else
            text += hidden - 1;
        width -= hidden > 0 ? (int)hidden : (*text & 0xC0) != 0x80;
    }
    fprintf(stream, "%*s", width > 0 ? width : 0, "");
}

/* ---- time and progress -------------------------------------------------- */

/* seconds of silence at first, and between two lines */
static const double patience = 0.5, interval = 0.2;

static struct {
    const char *verb;
    long total;
    double next; /* when the next line is due */
    bool shown;
} progress;

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(const char *verb, long total)
{
    progress.verb = console_is_terminal(stderr) ? verb : NULL;
    progress.total = total;
    progress.next = clock_seconds() + patience;
    progress.shown = false;
}

void progress_at(long done)
{
    if (progress.verb == NULL)
        return;
    double now = clock_seconds();
    if (now < progress.next)
        return;
    progress.next = now + interval;
    progress.shown = true;
    if (progress.total > 0)
        fprintf(stderr, "\r%s %ld of %ld (%ld %%)\033[K", progress.verb, done, progress.total,
                100 * done / progress.total);
    else
        fprintf(stderr, "\r%s %ld\033[K", progress.verb, done);
}

void progress_clear(void)
{
    if (progress.shown)
        fputs("\r\033[K", stderr);
    progress.shown = false;
}
