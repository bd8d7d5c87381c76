/*
 * memory.h - getting memory through an lb_allocator.
 *
 * Three ways: single zeroed arrays; arenas: one block that holds all arrays
 * of an object; and pools: all that a piece of work takes, given back at once.
 * An arena is laid out by one function that runs twice, first on
 * no memory to measure and then on the block to carve it, so that size and
 * layout cannot disagree and an object has a single allocation that may fail.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <limber/base.h>

/* *given, or malloc and free where it is NULL. */
lb_allocator memory_allocator(const lb_allocator *given);

/* A zeroed array; NULL when there is no memory, or none of that size. Zero elements get one byte.
 */
void *memory_take(const lb_allocator *allocator, size_t count, size_t size);
/* A copy of a text; NULL when there is no memory. */
char *memory_take_text(const lb_allocator *allocator, const char *text);
/* NULL is accepted. */
void memory_release(const lb_allocator *allocator, void *memory);

/*
 * An array with room for `wanted` elements in the place of another, whose first `count` it keeps
 * and which it releases: *room elements, some more than are wanted unless there is room already.
 * NULL when there is no memory; the other array stays then.
 */
void *memory_grow(const lb_allocator *allocator, void *array, size_t count, size_t *room,
                  size_t wanted, size_t size);

typedef struct memory_arena {
    unsigned char *block; /* NULL while measuring */
    size_t used;
    bool overflow; /* the sizes add up to more than any memory has */
} memory_arena;

/*
 * Takes the block that was measured, zeroed, and starts the arena again at its beginning; NULL when
 * there is no memory.
 */
void *memory_arena_block(memory_arena *arena, const lb_allocator *allocator);

/* The next array of the arena: zeroed if the block is. NULL while measuring. */
void *memory_arena_take(memory_arena *arena, size_t count, size_t size);
/* `size` bytes that begin on a cache line of 64. NULL while measuring. */
void *memory_arena_take_line(memory_arena *arena, size_t size);
/* Room for `size` bytes of text, not aligned; NULL while measuring. */
char *memory_arena_text(memory_arena *arena, size_t size);
/* Copies a text to *end, which is behind the copy then; returns the copy. */
const char *memory_copy_text(char **end, const char *text);

/*
 * An allocator that keeps a list of what is taken from it. What it has made need not be released
 * one by one, not even after a failure; what outlives the work comes from another allocator.
 */
typedef struct memory_pool {
    lb_allocator from;
    struct memory_pool_block *last; /* the head of each array, NULL: nothing is taken */
    bool failed;
} memory_pool;

/* Begins a pool, which must stay where it is; returns its allocator. */
lb_allocator memory_pool_begin(memory_pool *pool, const lb_allocator *from);
void memory_pool_end(memory_pool *pool);
/*
 * An allocator of that name, of a pool that ends with the block in which this stands, wherever that
 * is left:
 *
 *     MEMORY_POOL(memory, allocator);
 *     TRY(read_rows(file, &memory, error));
 *     return put_rows(file, error);
 */
#define MEMORY_POOL(name, from)                                                                    \
    __attribute__((cleanup(memory_pool_end))) memory_pool pool_of_##name;                          \
    const lb_allocator name = memory_pool_begin(&pool_of_##name, from)
/* Whether a pool has had no memory for something, by its allocator. */
bool memory_pool_failed(const lb_allocator *of_pool);

/*
 * An object of so many bytes that begins with the pool of all that it owns; the rest is zeroed.
 * *memory becomes the pool's allocator. NULL: there is no memory.
 */
void *memory_pool_object(size_t size, const lb_allocator *from, lb_allocator *memory);
/* Releases what the object owns, and the object. NULL is accepted. */
void memory_pool_release(void *object);

#endif
