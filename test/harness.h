/*
 * harness.h - tests that register themselves, run by cmocka.
 *
 * The tests of a room are one program. `test_ROOM test_NOUN [ARGUMENT ...]` runs those of
 * test_NOUN.c, in the order in which they are written there:
 *
 *     TEST(sums_are_rounded_once)
 *     {
 *         assert_true(1 + 1 == 2);
 *     }
 *
 * It exits with 0 if all pass, 1 if one fails, 2 if the program has no such file, 77 if the file is
 * skipped.
 */
#ifndef TEST_HARNESS_H
#define TEST_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "owned.h"

/* What a source file registers: a test, its fixture, a number that the command line may change, or
   why it may be skipped. */
typedef struct test_entry {
    const char *file;
    int line;
    const char *name;
    void (*run)(void);
    int (*start)(void), (*end)(void);
    long *number;
    int word;
    const char *(*skipped)(void);
    struct test_entry *next;
} test_entry;

void test_register(test_entry *entry);

#define TEST_REGISTER(function, ...)                                                               \
    __attribute__((constructor)) static void function(void)                                        \
    {                                                                                              \
        static test_entry entry = {.file = __FILE__, .line = __LINE__, __VA_ARGS__};               \
        test_register(&entry);                                                                     \
    }

/* The head of a test. */
#define TEST(function)                                                                             \
    static void function(void);                                                                    \
    TEST_REGISTER(register_##function, .name = #function, .run = function)                         \
    static void function(void)

/* Functions without arguments, or NULL, that run before and after the file's tests; the tests fail
   where one does not return 0. */
#define TEST_FIXTURE(first, last) TEST_REGISTER(register_fixture, .start = first, .end = last)

/* Called before and after each of the file's tests, where a fixture sets it. */
extern void (*test_around)(bool before);

/* The file's tests are skipped where this is no NULL but a reason. */
#define TEST_SKIP(reason)                                                                          \
    static const char *why_skipped(void)                                                           \
    {                                                                                              \
        return reason;                                                                             \
    }                                                                                              \
    TEST_REGISTER(register_skipped, .skipped = why_skipped)

/* A static number that the first, second ... ARGUMENT replaces. */
#define TEST_ARGUMENT(variable, position, otherwise)                                               \
    static long variable = otherwise;                                                              \
    TEST_REGISTER(register_##variable, .number = &variable, .word = position)

/* How many problems, files or rounds: under the address sanitizer, which looks for faults of memory
   and takes several times as long, fewer of them. */
#ifdef __SANITIZE_ADDRESS__
#define FEWER(many, few) (few)
#else
#define FEWER(many, few) (many)
#endif

/* Why a call failed that was given it; clear when a test begins. */
extern lb_error cause;

/* A call that succeeds, and one that says in an lb_error why it does not. */
#define assert_ok(call) assert_int_equal(call, LB_OK)
#define assert_made(call, error)                                                                   \
    do                                                                                             \
        if ((call) != LB_OK)                                                                       \
            fail_msg("%s", (error).message);                                                       \
    while (0)

/* An ARGUMENT, the first being 1, or NULL where there are fewer; 0 is the program's path. */
const char *test_word(int i);

#endif
