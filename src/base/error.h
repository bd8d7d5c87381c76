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

/* Refusals that no line of a file is to blame for: lb_error_set without one. */
#define REFUSE_ARGUMENT(error, ...) lb_error_set(error, LB_INVALID_ARGUMENT, 0, __VA_ARGS__)
#define REFUSE_VALUE(error, ...) lb_error_set(error, LB_BAD_VALUE, 0, __VA_ARGS__)
#define REFUSE_MODEL(error, ...) lb_error_set(error, LB_BAD_MODEL, 0, __VA_ARGS__)
#define REFUSE_UNSUPPORTED(error, ...) lb_error_set(error, LB_UNSUPPORTED, 0, __VA_ARGS__)

/*
 * Leaves a function that returns a status as soon as one of its steps has failed:
 *
 *     TRY(read_header(file, error));
 *     return read_rows(file, error);
 *
 * Only where nothing must be released, or what ends with its block (ENDS_BY) does it: else the
 * steps between taking and releasing are a function.
 */
#define TRY(step)                                                                                  \
    do {                                                                                           \
        const lb_status failed = (step);                                                           \
        if (failed != LB_OK)                                                                       \
            return failed;                                                                         \
    } while (0)

/* Before a variable: what is called with its address at the end of its block, and does no harm to
   what has ended before. */
#define ENDS_BY(end) __attribute__((cleanup(end)))

/* ---- require ------------------------------------------------------------ */

/*
 * Refusing NULL by the argument's name, in functions that return a status.
 *
 *     TRY(REQUIRE(error, {model, "model"}, {task, "task"}));
 */

typedef struct required {
    const void *pointer;
    const char *name;
} required;

/* LB_OK, or LB_INVALID_ARGUMENT and a message that names the first argument that is NULL. */
lb_status require_arguments(lb_error *error, const required *arguments, size_t count);

#define REQUIRE(error, ...)                                                                        \
    require_arguments(error, (const required[]){__VA_ARGS__},                                      \
                      sizeof((const required[]){__VA_ARGS__}) / sizeof(required))

/*
 * The same in functions that make something: the argument of the name `result`, which comes last,
 * is where the pointer to it goes. That is NULL from here on, whatever else is refused.
 */
#define REQUIRE_TO_MAKE(result, error, ...)                                                        \
    (require_clear(result), REQUIRE(error, __VA_ARGS__, {result, #result}))
void require_clear(void *result);

/* LB_OK if all memory that was asked for is `there`, else as error_out_of_memory(). */
static inline lb_status require_memory(lb_error *error, bool there)
{
    if (!there)
        error_out_of_memory(error);
    return there ? LB_OK : LB_OUT_OF_MEMORY;
}

#endif
