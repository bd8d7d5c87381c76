/*
 * names.h - from a name to an index, in time that grows only with the name's length.
 *
 * A crit-bit tree (Bernstein 2004; Morrison 1968): each fork tests the first bit in which the names
 * on its two sides differ. Unlike in a hash table no names collide, so a file cannot be made to
 * take quadratic time.
 */
#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

#include "base/memory.h"

/* Names are not copied. */
typedef struct name_leaf {
    const char *name;
    int index;
} name_leaf;

typedef struct name_fork {
    int child[2]; /* where the bit is 0, and 1: a fork, or ~ a leaf */
    size_t byte;
    unsigned mask; /* one bit */
} name_fork;

typedef struct name_table {
    name_leaf *leaves; /* count */
    name_fork *forks;  /* count - 1 */
    int count, root;
} name_table;

/* Takes memory for `count` names from the arena; the table is empty. */
void name_table_lay_out(name_table *table, size_t count, memory_arena *arena);
/*
 * An empty table for `count` names in a block of its own, which is to be released with
 * memory_release(). NULL: no memory.
 */
void *name_table_create(name_table *table, size_t count, const lb_allocator *allocator);
/* The index of a name, -1 when it is not in the table. */
int name_table_find(const name_table *table, const char *name);
/* Returns -1, or the index that already has the name, which stays. */
int name_table_add(name_table *table, const char *name, int index);

#endif
