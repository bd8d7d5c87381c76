/*
 * notes.h - what looks like a slip in a file that can be read, for whoever wants to hear.
 */
#ifndef FORMATS_NOTES_H
#define FORMATS_NOTES_H

#include <limber/formats/load.h>

/* Where notes go; a NULL pointer to one, or one without `hear`: nobody listens. */
typedef struct load_notes {
    lb_load_note *hear;
    void *user;
    const char *path;
} load_notes;

bool notes_are_heard(const load_notes *notes);
/* Radians that nobody places a thing at: more than a turn, which may have been rounded upwards. */
bool notes_is_beyond_turn(double angle);
void notes_add(const load_notes *notes, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
