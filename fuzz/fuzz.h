/*
 * fuzz.h - what a fuzz harness is, and reading a test case from its bytes.
 *
 * A harness is one file fuzz_<noun>.c with LLVMFuzzerTestOneInput. Built by clang's libFuzzer
 * (make fuzz) it looks for inputs by itself; linked with replay.c it runs its seeds and a
 * fixed number of changes to them, which is what the tests do.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <limber/math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ends the program, so that the input is kept, where a promise does not hold */
#define FUZZ_CHECK(holds)                                                                          \
    ((holds) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds), abort()))

/* Bytes that are taken one after the other; zeros when they have run out. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

uint8_t fuzz_byte(fuzz_bytes *bytes);
/* in 0..count - 1 */
int fuzz_choice(fuzz_bytes *bytes, int count);
/* a finite number: often 0, 1, a limit of what a model may have, or the smallest there is */
double fuzz_number(fuzz_bytes *bytes);
/* the same, at most `most` */
double fuzz_number_within(fuzz_bytes *bytes, double most);
/* three of these, in their order: that of a call's arguments is the compiler's own */
lb_vec3 fuzz_vector(fuzz_bytes *bytes);
/* any bits: infinities and NaN, too */
double fuzz_bits(fuzz_bytes *bytes);
/* mostly a finite number, else any bits */
double fuzz_any_number(fuzz_bytes *bytes);

/* Writes the bytes of a test case to a file, for loaders that want a path. */
bool fuzz_write(const char *path, const uint8_t *data, size_t size);

/* A text that a writer of the library is given to grow; `text` is to be freed. */
typedef struct fuzz_text {
    char *text;
    size_t size, room;
} fuzz_text;

/* A sink of such a text, `user`; false where there is no memory. */
bool fuzz_text_add(void *user, const void *text, size_t size);

#endif
