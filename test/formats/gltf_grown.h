/* gltf_grown.h - a file that a writer of the library is given to grow. */
#ifndef TEST_FORMATS_GLTF_GROWN_H
#define TEST_FORMATS_GLTF_GROWN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct gltf_grown {
    unsigned char *bytes;
    size_t size;
} gltf_grown;

static inline bool gltf_grown_add(void *user, const void *bytes, size_t size)
{
    gltf_grown *to = user;
    unsigned char *larger = realloc(to->bytes, to->size + size + 1);
    if (larger == NULL)
        return false;
    memcpy(larger + to->size, bytes, size);
    to->bytes = larger;
    to->size += size;
    return true;
}

#endif
