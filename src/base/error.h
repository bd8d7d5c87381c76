/*
 * error.h - an error that is about one file or text.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <limber/base.h>

/* Clears *error and names the file or text that the next ones are about; both may be NULL. */
void error_begin(lb_error *error, const char *path);

#endif
