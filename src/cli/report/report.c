/*
 * report.c - what the program says on standard error.
 */
#include "cli/report/report.h"

#include "base/text.h"
#include "cli/command.h"
#include "cli/report/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
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

void complain_error(const lb_error *error)
{
    print_error("", error);
}

bool complain_unless(lb_status status, const lb_error *error)
{
    if (status != LB_OK)
        complain_error(error);
    return status == LB_OK;
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
    if (status != LB_OUT_OF_MEMORY)
        return;
    complain("out of memory");
    exit(EXIT_BAD_INPUT);
}

void *allocate_or_exit(size_t count, size_t size)
{
    void *memory = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
    exit_if_out_of_memory(memory == NULL ? LB_OUT_OF_MEMORY : LB_OK);
    return memory;
}

lb_state *state_or_exit(const lb_model *model)
{
    lb_state *state = NULL;
    exit_if_out_of_memory(lb_state_create(model, NULL, &state));
    return state;
}
