/*
 * options/table.c - going through option tables.
 */
#include "cli/options/table.h"

#include "cli/output/report.h"

bool option_each(const struct poptOption *table, option_visit *visit, void *user)
{
    for (const struct poptOption *row = table; row->longName != NULL || row->arg != NULL; row++) {
        bool included = (row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE;
        bool more = included ? option_each(row->arg, visit, user) : visit(user, row);
        if (!more)
            return false;
    }
    return true;
}

const char *const *option_names(const struct poptOption *option)
{
    return option->val == OPTION_NAMED ? ((const name_option *)option->arg)->names : NULL;
}

bool option_is_given(const struct poptOption *option)
{
    if (option->argInfo == POPT_ARG_ARGV)
        return *(const text_option *)option->arg != NULL;
    return *(const int *)option->arg != 0;
}

static bool check_not_given(void *user, const struct poptOption *option)
{
    const char *where = user;
    if (!option_is_given(option))
        return true;
    complain("--%s has no effect %s", option->longName, where);
    return false;
}

bool option_none_given(const struct poptOption *table, const char *where)
{
    return option_each(table, check_not_given, (void *)where);
}
