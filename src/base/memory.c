/* memory.c - arrays, arenas and pools; the only place that names malloc and free. */
#include "base/memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *default_allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void default_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

lb_allocator memory_allocator(const lb_allocator *given)
{
    lb_allocator standard = {default_allocate, default_release, NULL};
    return given ? *given : standard;
}

static void *pool_allocate(void *user, size_t size);

void *memory_take(const lb_allocator *allocator, size_t count, size_t size)
{
    bool pooled = allocator->allocate == pool_allocate;
    // a product that overflows is more than there is
    if (size && count > SIZE_MAX / size)
        return pooled ? pool_allocate(allocator->user, SIZE_MAX) : NULL;
    size_t total = count * size;
    if (total == 0)
        total = 1;

    // the system's own memory is zero when it is new
    if (allocator->allocate == default_allocate)
        return calloc(total, 1);
    void *memory = allocator->allocate(allocator->user, total);
    if (memory && !pooled)
        memset(memory, 0, total);
    return memory;
}

char *memory_take_text(const lb_allocator *allocator, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memory_take(allocator, size, 1);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

void memory_release(const lb_allocator *allocator, void *memory)
{
    allocator->release(allocator->user, memory);
}

void *memory_grow(const lb_allocator *allocator, void *array, size_t count, size_t *room,
                  size_t wanted, size_t size)
{
    if (wanted <= *room)
        return array;
    // twice as much, so that an array is seldom copied
    size_t next = wanted > SIZE_MAX / 4 ? wanted : 2 * wanted + 16;
    void *larger = memory_take(allocator, next, size);
    if (larger == NULL)
        return NULL;
    if (count > 0)
        memcpy(larger, array, count * size);
    memory_release(allocator, array);
    *room = next;
    return larger;
}

void *memory_arena_block(memory_arena *arena, const lb_allocator *allocator)
{
    void *block = arena->overflow ? NULL : memory_take(allocator, arena->used, 1);
    *arena = (memory_arena){.block = block};
    return block;
}

/* Moves the arena's end by `size` bytes and returns where they start. */
static void *arena_advance(memory_arena *arena, size_t size)
{
    if (arena->overflow || size > SIZE_MAX - arena->used) {
        arena->overflow = true;
        return NULL;
    }
    void *start = arena->block ? arena->block + arena->used : NULL;
    arena->used += size;
    return start;
}

void *memory_arena_take(memory_arena *arena, size_t count, size_t size)
{
    // every array starts where any type may
    size_t step = alignof(max_align_t);
    arena_advance(arena, (step - arena->used % step) % step);

    if (size && count > SIZE_MAX / size)
        arena->overflow = true;
    return arena_advance(arena, count * size);
}

void *memory_arena_take_line(memory_arena *arena, size_t size)
{
    // where the block begins is known too late to count on
    unsigned char *start = memory_arena_take(arena, size + 64, 1);
    return start ? start + (64 - (uintptr_t)start % 64) % 64 : NULL;
}

char *memory_arena_text(memory_arena *arena, size_t size)
{
    return arena_advance(arena, size);
}

const char *memory_copy_text(char **end, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memcpy(*end, text, size);
    *end += size;
    return copy;
}

/* ---- pools -------------------------------------------------------------- */

/* What is before each array of a pool. */
typedef struct memory_pool_block {
    alignas(max_align_t) struct memory_pool_block *before;
    struct memory_pool_block *after;
} memory_pool_block;

/* zeroed */
static void *pool_allocate(void *user, size_t size)
{
    memory_pool *pool = user;
    memory_pool_block *block = NULL;
    if (size <= SIZE_MAX - sizeof *block)
        block = memory_take(&pool->from, sizeof *block + size, 1);
    pool->failed = pool->failed || block == NULL;
    if (block == NULL)
        return NULL;
    block->before = pool->last;
    if (pool->last != NULL)
        pool->last->after = block;
    pool->last = block;
    return block + 1;
}

static void pool_release(void *user, void *memory)
{
    memory_pool *pool = user;
    if (memory == NULL)
        return;
    memory_pool_block *block = (memory_pool_block *)memory - 1;
    if (block->before != NULL)
        block->before->after = block->after;
    if (block->after != NULL)
        block->after->before = block->before;
    else
        pool->last = block->before;
    memory_release(&pool->from, block);
}

lb_allocator memory_pool_begin(memory_pool *pool, const lb_allocator *from)
{
    *pool = (memory_pool){.from = memory_allocator(from)};
    return (lb_allocator){pool_allocate, pool_release, pool};
}

void memory_pool_end(memory_pool *pool)
{
    while (pool->last != NULL)
        pool_release(pool, pool->last + 1);
}

bool memory_pool_failed(const lb_allocator *of_pool)
{
    return ((const memory_pool *)of_pool->user)->failed;
}

void *memory_pool_object(size_t size, const lb_allocator *from, lb_allocator *memory)
{
    lb_allocator given = memory_allocator(from);
    memory_pool *object = memory_take(&given, 1, size);
    if (object != NULL)
        *memory = memory_pool_begin(object, from);
    return object;
}

void memory_pool_release(void *object)
{
    memory_pool *pool = object;
    if (pool == NULL)
        return;
    lb_allocator from = pool->from;
    memory_pool_end(pool);
    memory_release(&from, pool);
}
