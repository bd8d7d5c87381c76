/* fingerprint.c - hashes of what is computed with. */
#include "cli/report/fingerprint.h"

#include <inttypes.h>
#include <stdio.h>

/* Source: Fowler, Noll and Vo's hash, FNV-1a. */
uint64_t fingerprint_add(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ next[i]) * 0x100000001b3u;
    return hash;
}

void fingerprint_digits(uint64_t hash, char digits[FINGERPRINT_SIZE])
{
    snprintf(digits, FINGERPRINT_SIZE, "%016" PRIx64, hash);
}
