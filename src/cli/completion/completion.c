/*
 * completion.c - the shells there are scripts for.
 *
 * A shell is one file beside this one and one row in the table.
 */
#include "cli/completion/completion.h"

#include "base/suggest.h"
#include "cli/completion/shells.h"
#include "cli/output/report.h"

static void (*const printers[])(const command *const *commands) = {
    completion_print_bash,
    completion_print_zsh,
};
static const char *const names[] = {"bash", "zsh"};

bool completion_print(const char *shell, const command *const *commands)
{
    suggest nearest;
    int which = suggest_choice(&nearest, shell, names, sizeof names / sizeof *names);
    if (which < 0)
        complain("--completion: no '%s'%s", shell, nearest.phrase);
    else
        printers[which](commands);
    return which >= 0;
}
