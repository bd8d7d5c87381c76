/* missing.c - the targets that nothing was found for, named up to some number. */
#include "cli/output/missing.h"

#include "base/text.h"
#include "cli/output/report.h"

#include <string.h>

enum { TARGETS_NAMED = 8 };

void missing_add(missing_targets *missing, int number, const char *why)
{
    size_t used = strlen(missing->names);
    if (missing->count++ < TARGETS_NAMED)
        text_format(missing->names + used, sizeof missing->names - used, "%s %d (%s)",
                    used == 0 ? "" : ",", number, why);
}

void missing_describe(const missing_targets *missing, const char *what,
                      char text[MISSING_TEXT_SIZE])
{
    size_t used = text_format(text, MISSING_TEXT_SIZE, "%s for target%s", what, missing->names);
    if (missing->count > TARGETS_NAMED)
        text_format(text + used, MISSING_TEXT_SIZE - used, " and %d more",
                    missing->count - TARGETS_NAMED);
}

void missing_remark(const missing_targets *missing, const char *what)
{
    char text[MISSING_TEXT_SIZE];
    if (missing->count == 0)
        return;
    missing_describe(missing, what, text);
    remark("%s", text);
}
