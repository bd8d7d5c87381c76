/*
 * bytes.h - sixty-four characters of a text at a time: one bit for each, the first lowest.
 */
#ifndef LIMBER_BYTES_H
#define LIMBER_BYTES_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BYTES_AT_ONCE = 64 };

/* Bits of characters. */
typedef struct bytes_found {
    uint64_t blanks; /* up to the space */
    uint64_t lines;  /* of these, LF and CR */
} bytes_found;

#ifdef __SSE2__

static inline uint64_t bytes_mask(__m128i found)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(found);
}

static inline bytes_found bytes_find(const char *text)
{
    const __m128i space = _mm_set1_epi8(' '), feed = _mm_set1_epi8('\n');
    const __m128i carriage = _mm_set1_epi8('\r');
    bytes_found found = {0, 0};
    for (int i = 0; i < BYTES_AT_ONCE; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
        __m128i line = _mm_or_si128(_mm_cmpeq_epi8(x, feed), _mm_cmpeq_epi8(x, carriage));
        found.blanks |= bytes_mask(_mm_cmpeq_epi8(_mm_min_epu8(x, space), x)) << i;
        found.lines |= bytes_mask(line) << i;
    }
    return found;
}

#else

static inline bytes_found bytes_find(const char *text)
{
    bytes_found found = {0, 0};
    for (int i = 0; i < BYTES_AT_ONCE; i++) {
        unsigned char c = (unsigned char)text[i];
        found.blanks |= (uint64_t)(c <= ' ') << i;
        found.lines |= (uint64_t)(c == '\n' || c == '\r') << i;
    }
    return found;
}

#endif

#endif
