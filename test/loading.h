/*
 * loading.h - what the tests of loaders share: models from texts, refusals, and
 * invalid input.
 *
 * Texts are handed over in blocks of their exact
 * size, so that a sanitizer sees every byte read beyond the end.
 */
#ifndef TEST_LOADING_H
#define TEST_LOADING_H

#include "refusal.h"
#include "support.h"

#include <limber/formats/load.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model in a text, which must load. Release with lb_model_release. */
static inline lb_model *load_text(const char *name, const char *text)
{
    lb_model *model;
    lb_error error = {.status = LB_OK};
    if (lb_load_memory(name, text, strlen(text), NULL, &model, &error) != LB_OK)
        fail_msg("%s:%d: %s\n%s", error.path, error.line, error.message, text);
    return model;
}

static inline const lb_joint *joint_named(const lb_model *model, const char *name)
{
    int joint = lb_model_find_joint(model, name);
    if (joint < 0)
        fail_msg("no joint '%s'", name);
    return lb_model_joint(model, joint);
}

static inline void check_refusal(const char *name, const refusal *expected)
{
    lb_model *model = NULL;
    lb_error error = {.status = LB_OK};
    lb_status status =
        lb_load_memory(name, expected->text, strlen(expected->text), NULL, &model, &error);
    if (status == LB_OK)
        fail_msg("was accepted:\n%s", expected->text);
    if (status != expected->status || error.status != status ||
        strstr(error.message, expected->message) == NULL ||
        (expected->line > 0 && error.line != expected->line))
        fail_msg("line %d, status %d, \"%s\"\ninstead of line %d, status %d, \"...%s...\":\n%s",
                 error.line, (int)status, error.message, expected->line, (int)expected->status,
                 expected->message, expected->text);
    assert_null(model);
    assert_string_equal(error.path, name);

    // the error may be left out
    assert_int_equal(
        lb_load_memory(name, expected->text, strlen(expected->text), NULL, &model, NULL), status);
}

/* A warning that says something, and ends. */
static inline void check_warning(void *user, const lb_error *warning)
{
    (void)user;
    assert_int_equal(warning->status, LB_OK);
    assert_int_not_equal(warning->message[0], '\0');
    assert_true(strlen(warning->message) < sizeof warning->message);
}

/* Adds "LINE: MESSAGE" to the text of KEPT_WARNINGS bytes that the user's pointer is. */
enum { KEPT_WARNINGS = 2048 };
static inline void add_warning(void *user, const lb_error *warning)
{
    char *text = user;
    size_t used = strlen(text);
    snprintf(text + used, KEPT_WARNINGS - used, "%d: %s\n", warning->line, warning->message);
}

/* Loads what may be anything: either it loads, or the error says why. */
static inline lb_status load_hostile(const char *name, const char *text, size_t size,
                                     const lb_allocator *allocator)
{
    owned_model *model = NULL;
    lb_error error = {.status = LB_OK};
    char *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    lb_load_options options = {.allocator = allocator, .warn = check_warning};
    lb_status status = lb_load_memory_with_options(name, exact, size, &options, &model, &error);
    free(exact);
    assert_int_equal(model != NULL, status == LB_OK);
    assert_int_equal(error.status, status);
    assert_int_equal(error.message[0] != '\0', status != LB_OK);
    return status;
}

/* Every beginning of a text; none but the whole loads, blanks at its end aside. */
static inline void load_truncated(const char *name, const char *text)
{
    size_t size = strlen(text);
    while (size > 0 && strchr(" \n", text[size - 1]) != NULL)
        size--;
    for (size_t part = 0; part < size; part++)
        assert_int_not_equal(load_hostile(name, text, part, NULL), LB_OK);
    assert_int_equal(load_hostile(name, text, size, NULL), LB_OK);
}

/* Each byte in turn replaced by bytes that mean something to some parser. */
static inline void load_patched(const char *name, const char *text)
{
    static const char patches[] = {'\0', '\n', ' ', '"', '<', '>', '&', '/', '{', '}',  '[',
                                   ']',  ',',  ':', '-', '.', 'e', '0', '9', 'x', '\\', (char)0xFF};
    size_t size = strlen(text);
    owned char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, text, size);
    for (size_t at = 0; at < size; at++) {
        for (size_t i = 0; i < sizeof patches; i++) {
            copy[at] = patches[i];
            load_hostile(name, copy, size, NULL);
        }
        copy[at] = text[at];
    }
}

/* Each allocation of ours fails in turn; nothing is left behind. */
static inline void load_without_memory(const char *name, const char *text)
{
    lb_status status = LB_OUT_OF_MEMORY;
    for (long n = 0; status != LB_OK; n++) {
        test_memory memory = {.fail_at = n};
        lb_allocator allocator = test_memory_allocator(&memory);
        status = load_hostile(name, text, strlen(text), &allocator);
        assert_true(status == LB_OK || status == LB_OUT_OF_MEMORY);

        assert_int_equal(memory.live, 0);
        assert_true(n < 1000);
    }
}

/*
 * The same for the memory of a parser that takes it from malloc: the n-th
 * request fails, and with it all that come after. -1: none.
 */
static long parser_fail_at = -1;
static long parser_requests;

static inline bool parser_has_memory(void)
{
    return parser_fail_at < 0 || parser_requests++ < parser_fail_at;
}

static inline void *parser_malloc(size_t size)
{
    return parser_has_memory() ? malloc(size) : NULL;
}

static inline void load_without_parser_memory(const char *name, const char *text)
{
    lb_status status = LB_OUT_OF_MEMORY;
    for (long n = 0; status != LB_OK; n++) {
        parser_fail_at = n;
        parser_requests = 0;
        status = load_hostile(name, text, strlen(text), NULL);
        parser_fail_at = -1;
        // jansson takes some of its own failures for faults of the text
        assert_true(status == LB_OK || status == LB_OUT_OF_MEMORY || status == LB_SYNTAX_ERROR);

        assert_true(n < 100000);
    }
}

#endif
