/*
 * check-defects.h - what some functions of other files return, for clang's analyzer, which sees one
 * file at a time (scripts/check-defects).
 *
 * Without it the analyzer assumes that what says why it failed has returned LB_OK, and finds an
 * argument to be NULL that was refused.
 */
#ifndef CHECK_DEFECTS_H
#define CHECK_DEFECTS_H

#include "base/error.h"

static inline lb_status analyzed_require(const required *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!arguments[i].pointer)
            return LB_INVALID_ARGUMENT;
    return LB_OK;
}

/* what a message names is used */
void analyzed_message(int line, ...);

#define require_arguments(error, arguments, count)                                                 \
    ((void)(error), analyzed_require(arguments, count))
#define lb_error_set(error, status, ...) ((void)(error), analyzed_message(__VA_ARGS__), (status))
#define error_out_of_memory(error) ((void)(error), LB_OUT_OF_MEMORY)

#endif
