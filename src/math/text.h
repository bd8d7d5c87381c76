/* text.h - finding the name that was meant. */
#ifndef MATH_TEXT_H
#define MATH_TEXT_H

#include <stddef.h>

/*
 * How many letters must be inserted, left out, changed or swapped with their
 * neighbour to make one text of the other. Case counts; texts are compared by
 * their first TEXT_COMPARED bytes.
 */
enum { TEXT_COMPARED = 63 };
int text_distance(const char *a, const char *b);

/*
 * The search for the nearest of many names, one candidate at a time. Start from
 * {wanted}; read `best` at the end: NULL when none is near enough to suggest.
 */
typedef struct text_nearest {
    const char *wanted;
    const char *best;
    int distance;
} text_nearest;

void text_nearest_offer(text_nearest *search, const char *candidate);

/* For a message's end: "; did you mean 'best'?", or "" when there is none. Answers `buffer`. */
const char *text_nearest_hint(const text_nearest *search, char *buffer, size_t size);

#endif
