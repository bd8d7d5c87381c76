/*
 * failing_malloc.c - loaded before the C library: lets the n-th allocation of a program fail.
 *
 * Counted are those after main() has begun: what libraries do before is not ours to survive.
 * FAIL_AT=n: the n-th (from 0) returns NULL, with FAIL_ON=1 all after it, too. COUNT_TO=path:
 * writes how many allocations the program made into that file when it ends. For glibc, whose
 * own allocator is also called __libc_malloc.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_long made;
static atomic_bool armed;

/* the environment is read without allocating; unset: -1 */
static long setting(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : -1;
}

static bool fails(void)
{
    static atomic_long fail_at = -2, fail_on = -2;
    if (!armed)
        return false;
    if (fail_at == -2) {
        fail_on = setting("FAIL_ON");
        fail_at = setting("FAIL_AT");
    }
    long number = atomic_fetch_add(&made, 1);
    bool now = fail_at >= 0 && (number == fail_at || (fail_on > 0 && number > fail_at));
    if (now)
        errno = ENOMEM;
    return now;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}

/* ---- the way into main ---------------------------------------------------- */

typedef int main_function(int count, char **words, char **environment);
typedef int start_function(main_function *main, int count, char **words, void (*init)(void),
                           void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

static main_function *real_main;

static int armed_main(int count, char **words, char **environment)
{
    armed = true;
    return real_main(count, words, environment);
}

int __libc_start_main(main_function *main, int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function *next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return next(armed_main, count, words, init, fini, rtld_fini, stack_end);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("COUNT_TO");
    char digits[24];
    int at = sizeof digits;
    long number = made;
    if (!path)
        return;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || write(file, digits + at, sizeof digits - (size_t)at) < 0)
        _exit(99);
    close(file);
}
