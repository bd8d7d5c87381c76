/*
 * warnings.c - what can be read but looks like a mistake, or was untidy and has been mended.
 */
#include "formats/mapping/mapping.h"

#include "base/error.h"
#include "base/text.h"

#include <stdarg.h>

bool warnings_wanted(const load_warnings *warnings)
{
    return warnings != NULL && (warnings->options->warn != NULL || warnings->options->strict);
}

bool warnings_is_beyond_turn(double angle)
{
    return fabs(angle) > 1.01 * 2 * LB_PI;
}

void warnings_add(load_warnings *warnings, int line, const char *format, ...)
{
    lb_error warning = {.status = LB_OK, .line = line};
    va_list arguments;
    if (!warnings_wanted(warnings))
        return;
    error_set_path(&warning, warnings->path);
    va_start(arguments, format);
    text_vformat(warning.message, sizeof warning.message, format, arguments);
    va_end(arguments);
    text_hide_controls(warning.message);
    if (warnings->count++ == 0)
        warnings->first = warning;
    if (warnings->options->warn != NULL)
        warnings->options->warn(warnings->options->user, &warning);
}

lb_status warnings_refuse_strict(const load_warnings *warnings, lb_error *error)
{
    if (!warnings->options->strict || warnings->count == 0)
        return LB_OK;
    return lb_error_set(error, LB_BAD_MODEL, warnings->first.line, "%s (refused as strict)",
                        warnings->first.message);
}
