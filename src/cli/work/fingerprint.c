/* fingerprint.c - a hash that identifies a text. Source: Fowler, Noll and Vo's hash, FNV-1a. */
#include "cli/work/map_file.h"

#include <inttypes.h>
#include <stdio.h>

void fingerprint(const char *text, size_t size, char digits[FINGERPRINT_SIZE])
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    snprintf(digits, FINGERPRINT_SIZE, "%016" PRIx64, hash);
}
