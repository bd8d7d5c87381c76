/*
 * test_library.c - shared libraries that are loaded when they are used: once, or refused by name.
 */
#include "support.h"

#include "formats/library.h"

#ifdef __linux__
#define C_LIBRARY "libc.so.6"
#endif

TEST(refuses_what_is_not_there)
{
    static const char *const names[] = {"abs"};
    int (*functions[1])(int) = {NULL};
    library absent = {"liblimber_absent.so.9", names, 1, functions, false};
    for (int i = 0; i < 2; i++) {
        assert_refused(library_load(&absent, &cause), LB_UNSUPPORTED, &cause,
                       "liblimber_absent.so.9 cannot be loaded (");
        assert_non_null(strstr(cause.message, "install it"));
        assert_false(absent.loaded);
    }
    assert_int_equal(library_load(&absent, NULL), LB_UNSUPPORTED);
}

TEST(loads_all_functions_or_none)
{
#ifndef C_LIBRARY
    skip();
#else
    static const char *const names[] = {"abs", "atoi", "limber_absent"};
    struct {
        int (*abs)(int);
        int (*atoi)(const char *);
        void (*absent)(void);
    } functions = {NULL, NULL, NULL};
    library all = {C_LIBRARY, names, 3, &functions, false};
    assert_refused(library_load(&all, &cause), LB_UNSUPPORTED, &cause, "limber_absent");
    library known = {C_LIBRARY, names, 2, &functions, false};
    assert_ok(library_load(&known, &cause));
    assert_int_equal(functions.abs(-7), 7);
    assert_int_equal(functions.atoi("12"), 12);
    assert_true(functions.absent == NULL);

    // once: what is loaded is not looked for again
    known.file = "liblimber_absent.so.9";
    assert_ok(library_load(&known, &cause));
#endif
}
