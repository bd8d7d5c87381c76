/*
 * base.h - status codes, errors, memory and random numbers.
 *
 * Three channels, never mixed:
 * - Programmer errors. A function that returns an lb_status returns
 *   LB_INVALID_ARGUMENT, in all builds, for a NULL pointer that its header does
 *   not allow and for an index out of range, and sets its output handle to NULL.
 *   Other functions with an index assert in debug builds; in release builds they
 *   return a value that means none (NULL, -1, the identity). They do not check
 *   for NULL unless their header says so, because they run in every frame.
 * - Failures to build or load. They return an lb_status and fill an lb_error
 *   whose message names the thing and says what to do.
 * - Numeric outcomes. They are data, not errors: see lb_ik_result.
 *
 * The library never exits, prints or writes to a stream. Creating an object may allocate, through
 * lb_allocator; nothing else does.
 *
 * Comments of fields are written for every language. An absent field is NULL in C, None in Python
 * and undefined in JavaScript. An infinite one is INFINITY, math.inf and Infinity.
 *
 * Stable.
 */
#ifndef LIMBER_BASE_H
#define LIMBER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LB_VERSION_MAJOR 0
#define LB_VERSION_MINOR 1
#define LB_VERSION_PATCH 0

/* Every status: name, text. */
#define LB_STATUS_LIST(X)                                                                          \
    X(LB_OK, "ok")                                                                                 \
    X(LB_OUT_OF_MEMORY, "out of memory")                                                           \
    X(LB_INVALID_ARGUMENT, "invalid argument")                                                     \
    X(LB_NOT_FOUND, "no such name")                                                                \
    X(LB_FILE_ERROR, "the file cannot be read or written")                                         \
    X(LB_SYNTAX_ERROR, "the text is not well formed")                                              \
    X(LB_BAD_MODEL, "the model is not a valid tree of links and joints")                           \
    X(LB_BAD_VALUE, "a value is out of range or not a number")                                     \
    X(LB_UNSUPPORTED, "not supported")

typedef enum lb_status {
#define LB_STATUS_ENUM(name, text) name,
    LB_STATUS_LIST(LB_STATUS_ENUM)
#undef LB_STATUS_ENUM
} lb_status;

/* The text of a status, never NULL. */
const char *lb_status_text(lb_status status);

enum { LB_ERROR_PATH_SIZE = 256, LB_ERROR_MESSAGE_SIZE = 512 };

/* The reason for a failure to build or load. */
typedef struct lb_error {
    lb_status status;              /* Kind of failure. */
    int line;                      /* The line in the file, counted from 1. 0: unknown. */
    int column;                    /* The column in that line, counted from 1. 0: unknown. */
    char path[LB_ERROR_PATH_SIZE]; /* The file. Empty: there is none. */
    /* The thing and the remedy, in one sentence without a newline at its end. Control characters
       in quoted text are replaced by `?`. */
    char message[LB_ERROR_MESSAGE_SIZE];
} lb_error;

/*
 * Fills *error (which may be NULL) and returns `status`, so that a function can
 * `return lb_error_set(error, LB_BAD_VALUE, 12, "joint '%s': ...", name);`.
 * Leaves `path` as it is.
 */
lb_status lb_error_set(lb_error *error, lb_status status, int line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/*
 * Suggests a name for "did you mean ...?". Returns the index of the one of `count` names that a
 * misspelt `name` most likely means: one within a few typing errors, else one that contains it.
 * Case does not matter. Returns -1 if none is near.
 */
int lb_nearest_name(const char *name, const char *const *names, int count);

/*
 * Where memory comes from. Wherever a `const lb_allocator *` is taken, NULL means malloc and free.
 * The struct is copied; `user` must outlive every object that was created with it.
 */
typedef struct lb_allocator {
    /* Returns `size` bytes, or none if memory is used up. */
    void *(*allocate)(void *user, size_t size); /* Passed to both functions. */
    void (*release)(void *user, void *memory); /* Gives memory back; without any it does nothing. */
    void *user;
} lb_allocator;

/*
 * Receives the next piece of a file during writing, whatever its format. False ends the writing,
 * which then returns LB_FILE_ERROR.
 */
typedef bool lb_sink(void *user, const void *bytes, size_t size);

/*
 * A small random number generator (PCG-XSH-RR 64/32, O'Neill 2014). A seed gives the same numbers
 * on every machine. Each thread needs its own; there is no global one.
 */
typedef struct lb_random {
    uint64_t state; /* The generator's whole state. */
} lb_random;

lb_random lb_random_seed(uint64_t seed);
uint32_t lb_random_next(lb_random *random);
/* Uniform in [0, 1), with 53 random bits. */
double lb_random_unit(lb_random *random);
/* Uniform in [lower, upper). Both must be finite. */
double lb_random_between(lb_random *random, double lower, double upper);

#ifdef __cplusplus
}
#endif

#endif
