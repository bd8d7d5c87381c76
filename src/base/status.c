/* status.c - the texts of status codes, filling errors, refusing NULL. */
#include <limber/base.h>

#include "base/error.h"
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

const char *lb_status_text(lb_status status)
{
    static const char *const texts[] = {LB_STATUS_LIST(LIST_TEXT)};
    size_t count = sizeof texts / sizeof texts[0];
    return (size_t)status < count ? texts[status] : "unknown status";
}

lb_status lb_error_set(lb_error *error, lb_status status, int line, const char *format, ...)
{
    if (!error)
        return status;
    error->status = status;
    error->line = line;
    error->column = 0;

    // a message too long for its place is cut, never lost
    va_list arguments;
    va_start(arguments, format);
    text_vformat(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    text_hide_controls(error->message);
    return status;
}

void error_begin(lb_error *error, const char *path)
{
    if (error == NULL)
        return;
    *error = (lb_error){.status = LB_OK};
    error_set_path(error, path == NULL ? "" : path);
}

void error_set_path(lb_error *error, const char *path)
{
    if (error == NULL)
        return;
    text_format(error->path, sizeof error->path, "%s", path);
    text_hide_controls(error->path);
}

lb_status error_out_of_memory(lb_error *error)
{
    return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
}

void require_clear(void *result)
{
    // a pointer of zero bytes is NULL on every machine that this is built for
    if (result)
        memset(result, 0, sizeof(void *));
}

lb_status require_arguments(lb_error *error, const required *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!arguments[i].pointer)
            return REFUSE_ARGUMENT(error, "the argument '%s' is NULL", arguments[i].name);
    return LB_OK;
}
