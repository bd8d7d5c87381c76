/*
 * require.h - refusing NULL by the argument's name, in functions that return a status.
 *
 *     lb_status status = REQUIRE(error, {model, "model"}, {task, "task"});
 */
#ifndef BASE_REQUIRE_H
#define BASE_REQUIRE_H

#include <limber/base.h>

typedef struct required {
    const void *pointer;
    const char *name;
} required;

/* LB_OK, or LB_INVALID_ARGUMENT and a message that names the first argument that is NULL. */
lb_status require_arguments(lb_error *error, const required *arguments, size_t count);

#define REQUIRE(error, ...)                                                                        \
    require_arguments(error, (const required[]){__VA_ARGS__},                                      \
                      sizeof((const required[]){__VA_ARGS__}) / sizeof(required))

#endif
