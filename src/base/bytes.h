/*
 * bytes.h - numbers as bytes, the lowest first on every machine, as file formats have them.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A whole number of `size` bytes, at most 8. */
static inline uint64_t bytes_whole(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t whole = 0;
    for (size_t i = size; i-- > 0;)
        whole = whole << 8 | at[i];
    return whole;
}

/* A float (size 4) or a double (size 8). */
static inline double bytes_real(const void *bytes, size_t size)
{
    uint64_t bits = bytes_whole(bytes, size);
    uint32_t half = (uint32_t)bits;
    double number;
    float real;
    memcpy(&number, &bits, sizeof number);
    memcpy(&real, &half, sizeof real);
    return size == sizeof real ? (double)real : number;
}

/* Writes the lowest `size` bytes of a whole number. */
static inline void bytes_put(void *bytes, uint64_t whole, size_t size)
{
    unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        at[i] = (unsigned char)(whole >> (8 * i));
}

/* The bits of a float, and of a double. */
static inline uint32_t bytes_of_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline uint64_t bytes_of_double(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* ---- fingerprints --------------------------------------------------------- */

/*
 * A fingerprint of bytes: FNV-1a in 64 bits, from that of no bytes on, and as sixteen hexadecimal
 * digits. Source: Fowler, Noll and Vo.
 */
#define FINGERPRINT_EMPTY 0xcbf29ce484222325u
enum { FINGERPRINT_SIZE = 17 };

static inline uint64_t fingerprint_add(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ next[i]) * 0x100000001b3u;
    return hash;
}

static inline void fingerprint_digits(uint64_t hash, char digits[FINGERPRINT_SIZE])
{
    for (int i = 0; i < FINGERPRINT_SIZE - 1; i++)
        digits[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    digits[FINGERPRINT_SIZE - 1] = '\0';
}

#endif
