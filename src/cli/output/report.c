/*
 * report.c - what the program says on standard error.
 */
#include "cli/output/report.h"

#include "cli/command.h"
#include "cli/output/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void complain(const char *format, ...)
{
    va_list arguments;
    progress_clear();
    fputs("limber: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* "limber: note: panda.urdf:41: joint 'elbow': ..." */
static void print_error(const char *before, const lb_error *error)
{
    progress_clear();
    fprintf(stderr, "limber: %s", before);
    if (error->path[0] != '\0')
        fprintf(stderr, "%s:", error->path);
    if (error->path[0] != '\0' && error->line > 0)
        fprintf(stderr, "%d:", error->line);
    if (error->path[0] != '\0' && error->line > 0 && error->column > 0)
        fprintf(stderr, "%d:", error->column);
    fprintf(stderr, "%s%s\n", error->path[0] != '\0' ? " " : "", error->message);
}

void complain_error(const lb_error *error)
{
    print_error("", error);
}

void remark_error(const lb_error *note)
{
    print_error("note: ", note);
}

void remark(const char *format, ...)
{
    va_list arguments;
    progress_clear();
    fputs("limber: note: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void *allocate_or_exit(size_t count, size_t size)
{
    void *memory = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
    if (memory == NULL) {
        complain("out of memory");
        exit(EXIT_BAD_INPUT);
    }
    return memory;
}
