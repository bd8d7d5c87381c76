/*
 * failing_malloc.c - loaded before the C library: makes the n-th allocation of a program fail.
 *
 * Counted are those after main() has begun: what libraries do before is not ours to survive.
 * FAIL_AT=n: the n-th (from 0) returns NULL, with FAIL_ON=1 all after it, too. COUNT_TO=path:
 * writes how many allocations the program made into that file when it ends. FAIL_IN=text: counted
 * are only those that are called from the program itself and from libraries whose path has that
 * text. For glibc, whose own allocator is also called __libc_malloc.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- whose allocations count ---------------------------------------------- */

enum { MOST_RANGES = 32 };

/* the code of the program and of the libraries that FAIL_IN names */
static struct {
    uintptr_t begin, end;
} ranges[MOST_RANGES];
static int range_count;

static int add_ranges(struct dl_phdr_info *object, size_t size, void *wanted)
{
    (void)size;
    // the program itself has no name
    if (object->dlpi_name[0] != '\0' && strstr(object->dlpi_name, wanted) == NULL)
        return 0;
    for (int i = 0; i < object->dlpi_phnum && range_count < MOST_RANGES; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0)
            continue;
        ranges[range_count].begin = object->dlpi_addr + part->p_vaddr;
        ranges[range_count].end = ranges[range_count].begin + part->p_memsz;
        range_count++;
    }
    return 0;
}

/* without FAIL_IN everyone's */
static bool counts(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    for (int i = 0; i < range_count; i++)
        if (at >= ranges[i].begin && at < ranges[i].end)
            return true;
    return range_count == 0;
}

/* ---- allocating ----------------------------------------------------------- */

static bool fails(const void *caller)
{
    static atomic_long fail_at = -2, fail_on = -2;
    if (!armed || !counts(caller))
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
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

/* ---- the way into main ---------------------------------------------------- */

typedef int main_function(int count, char **words, char **environment);
typedef int start_function(main_function *main, int count, char **words, void (*init)(void),
                           void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

static main_function *real_main;

static int armed_main(int count, char **words, char **environment)
{
    char *wanted = getenv("FAIL_IN");
    if (wanted)
        dl_iterate_phdr(add_ranges, wanted);
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
