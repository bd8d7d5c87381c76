/* grown.h - a file or text that a writer of the library is given to grow. */
#ifndef TEST_FORMATS_GROWN_H
#define TEST_FORMATS_GROWN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* All zeros at first; a zero follows what is in it. Release `text` with free(). */
typedef struct grown {
    union {
        char *text;
        unsigned char *bytes;
    };
    size_t size;
} grown;

static inline bool grown_add(void *user, const void *bytes, size_t size)
{
    grown *to = user;
    char *larger = realloc(to->text, to->size + size + 1);
    if (larger == NULL)
        return false;
    memcpy(larger + to->size, bytes, size);
    to->text = larger;
    to->size += size;
    to->text[to->size] = '\0';
    return true;
}

#endif
