/*
 * warnings.h - what can be read but looks like a mistake, or was untidy and has been mended.
 */
#ifndef FORMATS_MAPPING_WARNINGS_H
#define FORMATS_MAPPING_WARNINGS_H

#include <limber/formats/document.h>

/* Where the warnings about one file go; a NULL pointer to it drops them. */
typedef struct load_warnings {
    const lb_load_options *options;
    const char *path;
    int count;
    lb_error first; /* the first one, which a strict load refuses */
} load_warnings;

/* Whether looking for mistakes has any effect. */
bool warnings_wanted(const load_warnings *warnings);
/* Radians that nothing is placed at: more than a turn, which may have been rounded upwards. */
bool warnings_is_beyond_turn(double angle);
void warnings_add(load_warnings *warnings, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Refuses what was warned of, where the options are strict: with the first warning. */
lb_status warnings_refuse_strict(const load_warnings *warnings, lb_error *error);

#endif
