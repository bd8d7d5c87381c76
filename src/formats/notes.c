/*
 * notes.c - what looks like a slip in a file that can be read.
 */
#include "formats/notes.h"

#include "base/text.h"

#include <stdarg.h>

bool notes_are_heard(const load_notes *notes)
{
    return notes != NULL && notes->hear != NULL;
}

bool notes_is_beyond_turn(double angle)
{
    return fabs(angle) > 1.01 * 2 * LB_PI;
}

void notes_add(const load_notes *notes, int line, const char *format, ...)
{
    lb_error note = {.status = LB_OK, .line = line};
    va_list arguments;
    if (!notes_are_heard(notes))
        return;
    text_format(note.path, sizeof note.path, "%s", notes->path);
    va_start(arguments, format);
    text_vformat(note.message, sizeof note.message, format, arguments);
    va_end(arguments);
    notes->hear(notes->user, &note);
}
