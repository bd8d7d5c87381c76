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

#endif
