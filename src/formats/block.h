/*
 * block.h - text that is collected in a block of some kilobytes and handed to a sink when that is
 * full. What the sink refuses is remembered, and nothing is handed to it any more.
 */
#ifndef FORMATS_BLOCK_H
#define FORMATS_BLOCK_H

#include <limber/base.h>

#include <string.h>

enum { TEXT_BLOCK = 1 << 14 };

typedef struct text_block {
    lb_sink *sink;
    void *user;
    size_t used;
    bool failed; /* the sink has ended it */
    char bytes[TEXT_BLOCK];
} text_block;

/* Hands over what there is. */
static inline void block_flush(text_block *block)
{
    if (!block->failed && block->used > 0)
        block->failed = !block->sink(block->user, block->bytes, block->used);
    block->used = 0;
}

/* Where the next `size` bytes go, no more than a block has; add what is written to `used`. */
static inline char *block_room(text_block *block, size_t size)
{
    if (block->used + size > TEXT_BLOCK)
        block_flush(block);
    return block->bytes + block->used;
}

/* Adds a text of any size. */
static inline void block_put(text_block *block, const char *text, size_t size)
{
    for (size_t part; size > 0; text += part, size -= part) {
        part = size < TEXT_BLOCK ? size : TEXT_BLOCK;
        memcpy(block_room(block, part), text, part);
        block->used += part;
    }
}

#endif
