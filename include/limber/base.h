/*
 * base.h - status codes, errors, memory and random numbers.
 *
 * Three channels, never mixed:
 *   - programmer errors: functions that return an lb_status return
 *     LB_INVALID_ARGUMENT, in all builds, for a NULL pointer that their header does
 *     not allow and for an index out of range, and leave NULL in what they should
 *     have made. Functions that return something else and take an index assert in
 *     debug builds; in release builds they return a value that means none (NULL, -1,
 *     the identity). They do not check for NULL, except where their header says so:
 *     they are called in every frame;
 *   - failures to build or load return an lb_status and fill an lb_error whose
 *     message names the thing and says what to do;
 *   - what a numeric method achieved is data, not an error: see lb_ik_result.
 *
 * The library never exits, prints or writes to a stream. Creating an object may
 * allocate, through lb_allocator; nothing else does.
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

/* every status: name, text */
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

/*
 * Why something could not be built or loaded. `path` is the file ("" when there
 * is none), `line` and `column` count from 1 (0: unknown), `message` names the
 * thing and the remedy in one sentence without a trailing newline; control
 * characters of what it quotes are `?`.
 */
typedef struct lb_error {
    lb_status status;
    int line;
    int column;
    char path[LB_ERROR_PATH_SIZE];
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
 * The index of the one of `count` names that a misspelt `name` most likely means, for
 * "did you mean ...?": one within a few typing errors, else one that contains it. Upper
 * and lower case are the same. -1 when none is near.
 */
int lb_nearest_name(const char *name, const char *const *names, int count);

/*
 * Where memory comes from. `allocate` returns NULL when there is none; `release`
 * accepts NULL. Wherever a `const lb_allocator *` is taken, NULL means malloc
 * and free; the struct is copied, `user` must outlive what was created with it.
 */
typedef struct lb_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *memory);
    void *user;
} lb_allocator;

/*
 * Receives the next piece of a file that is being written, whatever its format; false ends the
 * writing, which then returns LB_FILE_ERROR.
 */
typedef bool lb_sink(void *user, const void *bytes, size_t size);

/*
 * A small random number generator (PCG-XSH-RR 64/32, O'Neill 2014): the same numbers on
 * every machine for the same seed. Never shared between threads; there is no
 * global one.
 */
typedef struct lb_random {
    uint64_t state;
} lb_random;

lb_random lb_random_seed(uint64_t seed);
uint32_t lb_random_next(lb_random *random);
/* Uniform in [0, 1), 53 random bits. */
double lb_random_unit(lb_random *random);
/* Uniform in [lower, upper). Both must be finite. */
double lb_random_between(lb_random *random, double lower, double upper);

#ifdef __cplusplus
}
#endif

#endif
