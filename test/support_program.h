/*
 * support_program.h - runs the program as a user would, in a folder of its own.
 */
#ifndef TEST_SUPPORT_PROGRAM_H
#define TEST_SUPPORT_PROGRAM_H

#include "harness.h"

#include <stdbool.h>
#include <stddef.h>

/* What came of the last run; texts are terminated, and replaced by the next one. */
typedef struct program_result {
    int status; /* exit status, 128 + signal as a shell says it */
    char *out, *err;
    size_t out_size, err_size;
} program_result;

extern program_result program;

/*
 * Group fixtures: a fresh folder that is the working folder meanwhile, and
 * `limber` found first in the search path; all of it removed at the end. What a test leaves in the
 * folder is removed after it, so that no other finds it; what was there before the first test
 * stays.
 */
int program_start(void);
int program_stop(void);

/* The same with all figures of the textbook in the folder f. */
int program_start_figures(void);
int program_stop_figures(void);

/* A line for the shell, as printf; returns the exit status. Nothing is read from standard input. */
int program_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* limber with these arguments. */
int program_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, which must succeed: fails the test with what the program said otherwise. */
void program_must(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The same, which must be refused: exit status 2, nothing on standard output, on
 * standard error the one line "limber: ..." with `says` in it, and no file more
 * in the folder than before.
 */
void program_refuses(const char *arguments, const char *says);

/* The same two, which must exit with this status. */
void program_exits(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void program_shell_exits(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether a text is, or is not, in what the last run printed, or said on standard error. */
#define assert_printed(text) program_find(program.out, text, true, __FILE__, __LINE__)
#define assert_not_printed(text) program_find(program.out, text, false, __FILE__, __LINE__)
#define assert_said(text) program_find(program.err, text, true, __FILE__, __LINE__)
#define assert_not_said(text) program_find(program.err, text, false, __FILE__, __LINE__)
void program_find(const char *in, const char *text, bool there, const char *file, int line);

/* The same of a file; and whether two files have the same text. */
#define assert_in_file(path, text) program_find_in(path, text, true, __FILE__, __LINE__)
#define assert_not_in_file(path, text) program_find_in(path, text, false, __FILE__, __LINE__)
#define assert_same_files(a, b) assert_true(program_same_files(a, b))
void program_find_in(const char *path, const char *text, bool there, const char *file, int line);
bool program_same_files(const char *a, const char *b);

/* limber with these arguments, which must succeed and print this. */
void program_prints(const char *arguments, const char *says);

/* The same, which must exit with this status and say this on standard error. */
void program_says(int status, const char *arguments, const char *says);

/* limber, arguments as printf, which must succeed: what it prints, a copy; or that it is this. */
#define program_output(...) (program_must(__VA_ARGS__), strdup(program.out))
#define program_repeats(text, ...)                                                                 \
    do {                                                                                           \
        program_must(__VA_ARGS__);                                                                 \
        assert_string_equal(program.out, text);                                                    \
    } while (0)

/* The number behind the first `name` in a text; fails the test when there is none. */
double program_number_behind(const char *text, const char *name);

/* Whether a text begins with another. */
bool program_begins(const char *text, const char *beginning);

/* Writes a file, of `size` bytes or up to the terminator. */
void program_write(const char *path, const char *text);
void program_write_bytes(const char *path, const void *bytes, size_t size);
/* A whole file, terminated; release with free(). Fails the test when there is none. */
char *program_read(const char *path);
bool program_has_file(const char *path);
/* Bytes of a file; 0 where there is none. */
long program_file_size(const char *path);
/* How many files the folder has. */
int program_count_files(void);

#endif
