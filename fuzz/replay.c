/*
 * replay.c - runs a harness without libFuzzer: its seeds, and fixed changes to them.
 *
 *     fuzz_urdf_replay RUNS FILE...    each file, then RUNS changed copies, the same every time
 *
 * A file that libFuzzer has kept is run by itself with RUNS 0. What fails here is kept as
 * crash-replay in the working folder.
 */
#include "fuzz.h"

#include <limber/base.h>

#include <signal.h>
#include <string.h>

enum { MOST_FILES = 256, MOST_SIZE = 1 << 16, MOST_CHANGES = 8 };

typedef struct seed {
    uint8_t *bytes;
    size_t size;
} seed;

/* the input that runs now, kept where it is the last one */
static seed running;

static void keep_running(int signal_number)
{
    FILE *file = fopen("crash-replay", "wb");
    if (file) {
        fwrite(running.bytes, 1, running.size, file);
        fclose(file);
        fputs("the input is in crash-replay\n", stderr);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static bool read_seed(const char *path, seed *out)
{
    FILE *file = fopen(path, "rb");
    out->bytes = malloc(MOST_SIZE);
    if (!file || !out->bytes)
        return false;
    out->size = fread(out->bytes, 1, MOST_SIZE, file);
    fclose(file);
    return true;
}

static size_t index_below(lb_random *random, size_t count)
{
    return count == 0 ? 0 : lb_random_next(random) % count;
}

/* one change: a byte, a piece taken out, a piece doubled, or a piece of another seed */
static size_t change(lb_random *random, uint8_t *bytes, size_t size, const seed *other)
{
    size_t at = index_below(random, size), length = 1 + index_below(random, 32);
    size_t rest = size - at;
    switch (lb_random_next(random) % 4) {
    case 0:
        if (size > 0)
            bytes[at] = (uint8_t)lb_random_next(random);
        return size;
    case 1:
        length = length < rest ? length : rest;
        memmove(bytes + at, bytes + at + length, rest - length);
        return size - length;
    case 2:
        length = length < rest ? length : rest;
        length = size + length <= MOST_SIZE ? length : 0;
        memmove(bytes + at + length, bytes + at, rest);
        return size + length;
    default:
        length = length < other->size ? length : other->size;
        length = length < rest ? length : rest;
        memcpy(bytes + at, other->bytes + index_below(random, other->size - length + 1), length);
        return size;
    }
}

static void run_copy(const seed *bytes, size_t size)
{
    // of its very size, so that a read beyond it shows
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (!copy)
        return;
    memcpy(copy, bytes->bytes, size);
    running = (seed){copy, size};
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int count, char **words)
{
    static seed seeds[MOST_FILES];
    static uint8_t work[MOST_SIZE];
    int files = count - 2, runs = count > 1 ? atoi(words[1]) : 0;
    if (files < 1 || files > MOST_FILES) {
        fprintf(stderr, "usage: %s RUNS FILE...\n", words[0]);
        return 2;
    }
    signal(SIGABRT, keep_running);
    signal(SIGSEGV, keep_running);
    for (int i = 0; i < files; i++) {
        if (!read_seed(words[i + 2], &seeds[i])) {
            fprintf(stderr, "%s cannot be read\n", words[i + 2]);
            return 2;
        }
        run_copy(&seeds[i], seeds[i].size);
    }
    lb_random random = lb_random_seed(1);
    for (int run = 0; run < runs; run++) {
        const seed *from = &seeds[index_below(&random, (size_t)files)];
        size_t size = from->size;
        memcpy(work, from->bytes, size);
        for (size_t k = index_below(&random, MOST_CHANGES) + 1; k > 0; k--)
            size = change(&random, work, size, &seeds[index_below(&random, (size_t)files)]);
        run_copy(&(seed){work, size}, size);
    }
    printf("%d files and %d changed copies\n", files, runs);
    return 0;
}
