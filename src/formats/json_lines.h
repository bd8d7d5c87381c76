/*
 * json_lines.h - in which line of a JSON text a value stands.
 *
 * The JSON library keeps no lines, so for messages the text is walked again
 * along the path to the value.
 */
#ifndef FORMATS_JSON_LINES_H
#define FORMATS_JSON_LINES_H

#include <stddef.h>

/* One step of a path: into the member `key` of an object, or, when it is NULL, to an element. */
typedef struct line_step {
    const char *key;
    int index;
} line_step;

/*
 * Line, counted from 1, of the value that the path leads to in a well-formed
 * text; of the last value on the way where the path leads on to nothing.
 */
int line_of_value(const char *text, size_t size, const line_step *path, int depth);

/* The lines of the first `count` elements of the array at the path; 0 where there is none. */
void lines_of_elements(const char *text, size_t size, const line_step *path, int depth, int *lines,
                       int count);

#endif
