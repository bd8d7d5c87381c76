/*
 * memory.c - memory that lives until the program ends.
 *
 * A command runs once, so what it makes is not released, but for what would grow with its input.
 */
#include "cli/report/report.h"

#include "cli/command.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What stands before each piece of memory, so that all of it is known. */
typedef struct block {
    alignas(max_align_t) struct block *before;
    struct block *after;
} block;

static block all = {&all, &all};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *user, size_t size)
{
    (void)user;
    block *b = size < SIZE_MAX - sizeof *b ? calloc(1, sizeof *b + size) : NULL;
    if (b == NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    *b = (block){all.before, &all};
    b->before->after = all.before = b;
    pthread_mutex_unlock(&lock);
    return b + 1;
}

static void drop(void *user, void *memory)
{
    (void)user;
    if (memory == NULL)
        return;
    block *b = (block *)memory - 1;
    pthread_mutex_lock(&lock);
    b->before->after = b->after;
    b->after->before = b->before;
    pthread_mutex_unlock(&lock);
    free(b);
}

const lb_allocator program_memory = {take, drop, NULL};

void *allocate_or_exit(size_t count, size_t size)
{
    bool fits = size == 0 || count <= SIZE_MAX / size;
    void *memory = fits ? take(NULL, count * size) : NULL;
    exit_if_out_of_memory(memory == NULL ? LB_OUT_OF_MEMORY : LB_OK);
    return memory;
}

void dispose(void *memory)
{
    drop(NULL, memory);
}

void *resize_or_exit(void *array, size_t count, size_t size)
{
    block *old = array != NULL ? (block *)array - 1 : NULL;
    if (old == NULL)
        return allocate_or_exit(count, size);
    bool fits = size == 0 || count <= (SIZE_MAX - sizeof *old) / size;
    pthread_mutex_lock(&lock);
    block *b = fits ? realloc(old, sizeof *b + count * size) : NULL;
    if (b != NULL)
        b->before->after = b->after->before = b;
    pthread_mutex_unlock(&lock);
    exit_if_out_of_memory(b == NULL ? LB_OUT_OF_MEMORY : LB_OK);
    return b + 1;
}

char *copy_or_exit(const char *text)
{
    return strcpy(allocate_or_exit(strlen(text) + 1, 1), text);
}

lb_state *state_or_exit(const lb_model *model)
{
    lb_state *state = NULL;
    exit_if_out_of_memory(lb_state_create(model, &program_memory, &state));
    return state;
}
