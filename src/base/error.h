/*
 * error.h - filling in errors: what many calls do alike.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <limber/base.h>

/* Clears *error and names the file or text that the next ones are about; both may be NULL. */
void error_begin(lb_error *error, const char *path);

/* Names the file that an error is about, on one line without control characters, as messages are;
   `error` may be NULL. */
void error_set_path(lb_error *error, const char *path);

/* Says that memory has run out; returns LB_OUT_OF_MEMORY. */
lb_status error_out_of_memory(lb_error *error);

#endif
