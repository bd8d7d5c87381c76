/*
 * report.c - what the program says on standard error, what the terminal can do, and progress on it.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/report/report.h"

#include "base/text.h"
#include "cli/command.h"
#include "formats/file.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* one line; what files and arguments say may be in it */
static void print_line(const char *before, const char *format, va_list arguments)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    text_hide_controls(text);
    progress_clear();
    fprintf(stderr, "limber: %s%s\n", before, text);
}

static void print_words(const char *before, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(before, format, arguments);
    va_end(arguments);
}

bool complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
    return false;
}

void give_up(void)
{
    exit(EXIT_BAD_INPUT);
}

void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
    give_up();
}

/* "limber: note: panda.urdf:41: joint 'elbow': ..." */
static void print_error(const char *before, const lb_error *error)
{
    char place[LB_ERROR_PATH_SIZE + 32] = "";
    int used = snprintf(place, sizeof place, "%s", error->path);
    if (used > 0 && error->line > 0)
        used += snprintf(place + used, sizeof place - (size_t)used, ":%d", error->line);
    if (used > 0 && error->line > 0 && error->column > 0)
        snprintf(place + used, sizeof place - (size_t)used, ":%d", error->column);
    print_words(before, "%s%s%s", place, used > 0 ? ": " : "", error->message);
}

bool complain_error(const lb_error *error)
{
    print_error("", error);
    return false;
}

void refuse_error(const lb_error *error)
{
    complain_error(error);
    give_up();
}

static lb_error reason;

lb_error *why(void)
{
    reason = (lb_error){0};
    return &reason;
}

bool succeeds(lb_status status)
{
    return status == LB_OK || complain_error(&reason);
}

void require(lb_status status)
{
    if (!succeeds(status))
        give_up();
}

void require_for(const char *of, lb_status status)
{
    if (status != LB_OK)
        refuse("%s: %s", of, reason.message);
}

void remark_error(const lb_error *note)
{
    print_error("note: ", note);
}

void remark(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("note: ", format, arguments);
    va_end(arguments);
}

void exit_if_out_of_memory(lb_status status)
{
    if (status == LB_OUT_OF_MEMORY)
        refuse("out of memory");
}

/* ---- the terminal -------------------------------------------------------- */

void console_start(void)
{
    /* characters alone: numbers stay as the formats want them */
    setlocale(LC_CTYPE, "");
}

int console_end(int status)
{
    int failed = file_flush(stdout);
    if (failed != 0 && status != EXIT_BAD_INPUT)
        complain("standard output cannot be written: %s", strerror(failed));
    return failed != 0 ? EXIT_BAD_INPUT : status;
}

bool console_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

bool console_is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

const char *microseconds(void)
{
    return console_is_utf8() ? "\xC2\xB5s" : "us";
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

/* seconds of silence at first, and between two lines; and between those of a file */
static const double patience = 0.5, interval = 0.2, file_interval = 60;

static struct {
    const char *verb;
    long total;
    double begin, next; /* when it began, and when the next line is due */
    bool terminal, shown;
} progress;

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(const char *verb, long total)
{
    progress.verb = verb;
    progress.terminal = console_is_terminal(stderr);
    progress.total = total;
    progress.begin = clock_seconds();
    progress.next = progress.begin + (progress.terminal ? patience : file_interval);
    progress.shown = false;
}

void progress_at(long done)
{
    double now = clock_seconds();
    if (progress.verb == NULL || now < progress.next)
        return;
    const char *begin = progress.terminal ? "\r" : "", *end = progress.terminal ? "\033[K" : "\n";
    progress.next = now + (progress.terminal ? interval : file_interval);
    progress.shown = progress.terminal;
    double passed = now - progress.begin;
    double left = done > 0 ? passed * (double)(progress.total - done) / (double)done : 0;
    if (progress.total > 0)
        fprintf(stderr, "%s%s %ld of %ld (%ld %%), %.3g a second, %.0f %s left%s", begin,
                progress.verb, done, progress.total, 100 * done / progress.total,
                (double)done / passed, left < 100 ? left : left / 60, left < 100 ? "s" : "min",
                end);
    else
        fprintf(stderr, "%s%s %ld%s", begin, progress.verb, done, end);
}

void progress_clear(void)
{
    if (progress.shown)
        fputs("\r\033[K", stderr);
    progress.shown = false;
}
