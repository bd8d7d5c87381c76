/* output.c - files that are written in the module's memory, for the page to save. */
#include "output.h"

#include "../binding.h"

#include <stdlib.h>
#include <string.h>

static struct {
    char *bytes;
    size_t size, room;
} output;

void output_begin(void)
{
    free(output.bytes);
    memset(&output, 0, sizeof output);
}

bool output_write(void *user, const void *bytes, size_t size)
{
    (void)user;
    if (output.size + size > output.room) {
        size_t room = 2 * (output.size + size);
        char *larger = realloc(output.bytes, room);
        if (larger == NULL)
            return false;
        output.bytes = larger;
        output.room = room;
    }
    memcpy(output.bytes + output.size, bytes, size);
    output.size += size;
    return true;
}

const char *EXPORT(output_bytes)(void)
{
    return output.bytes;
}

int EXPORT(output_size)(void)
{
    return (int)output.size;
}

void EXPORT(output_release)(void)
{
    output_begin();
}
